//! From products to placed bodies: one for every solid at every place its assembly uses it.

use super::colour::Colours;
use super::notes::Notes;
use super::placement::Placer;
use super::product::{Products, Relation, Usage, name_of_definition, name_of_usage, relation};
use super::surface::Surfacer;
use super::table::{Kind, Table};
use super::text::decode;
use super::topology::Shaper;
use super::units::{self, Units};
use crate::curved::body::{BodyKind, CurvedBody};
use crate::curved::loss::{Lost, Miss, Why};
use crate::curved::report::CurvedReport;
use crate::curved::shift::Shift;
use crate::error::{Fault, Problem};
use crate::names::FileNames;
use kontakt_curved::Brep;
use kontakt_math::{DMat3, DVec3, Pose};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Bodies and assemblies that are unfolded at most: a small file can use one part very often.
const MOST_PLACES: usize = 1 << 20;
/// Bytes of names of all places at most: each has those of all products around it.
const MOST_NAMES: usize = 1 << 28;
/// How deep assemblies may be nested.
const DEEPEST: usize = 256;
/// How deep representations may be mapped into one another.
const DEEPEST_MAPS: usize = 16;

const SOLIDS: [&str; 3] = ["MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP"];
const SHEETS: [&str; 2] = ["SHELL_BASED_SURFACE_MODEL", "FACE_BASED_SURFACE_MODEL"];

/// A solid or sheet within a product.
#[derive(Clone)]
struct Leaf {
    id: u64,
    kind: BodyKind,
    place: Shift,
    name: String,
    units: Rc<Units>,
}

/// An item of a representation.
enum Item {
    /// A body and its own name.
    Body(BodyKind, String),
    /// Another representation, placed.
    Map(u64, Shift),
    /// Nothing that is looked for.
    Other,
}

/// Where a representation is, within its product.
struct Site {
    place: Shift,
    depth: usize,
}

impl Site {
    const OUTERMOST: Site = Site { place: Shift::IDENTITY, depth: 0 };

    fn within(&self, at: &Shift) -> Site {
        Site { place: self.place.after(at), depth: self.depth + 1 }
    }
}

/// What a product consists of.
struct Contents {
    name: String,
    leaves: Vec<Leaf>,
    /// Definition, place and name of each use.
    parts: Vec<(u64, Shift, Rc<str>)>,
}

/// A body that was read once and may be placed often.
#[derive(Clone)]
struct Shared {
    brep: Arc<Brep>,
    face_ids: Arc<[u64]>,
    lost_faces: u64,
    colour: Option<[f32; 3]>,
}

/// The names around a place, innermost first.
struct Path {
    definition: u64,
    name: String,
    /// Name of the use, of the outermost product nothing.
    usage: Rc<str>,
    depth: usize,
    parent: Option<Rc<Path>>,
}

/// A body at a place, before it has its name in the file.
struct Placed {
    name: String,
    path: Vec<String>,
    uses: Vec<String>,
    kind: BodyKind,
    id: u64,
    shared: Shared,
    pose: Pose,
}

pub(super) struct Assembler<'a> {
    table: &'a Table<'a>,
    products: Products,
    colours: Colours,
    notes: Notes,
    units: HashMap<u64, Rc<Units>>,
    contents: HashMap<u64, Rc<Contents>>,
    bodies: HashMap<(u64, u64, u64, bool), Option<Shared>>,
    placed: Vec<Placed>,
    /// Bytes of names so far.
    names: usize,
    report: CurvedReport,
}

impl<'a> Assembler<'a> {
    pub(super) fn new(table: &'a Table<'a>) -> Assembler<'a> {
        let mut notes = Notes::default();
        let products = Products::of(table, &mut notes);
        Assembler {
            table,
            products,
            colours: Colours::of(table),
            notes,
            units: HashMap::new(),
            contents: HashMap::new(),
            bodies: HashMap::new(),
            placed: Vec::new(),
            names: 0,
            report: CurvedReport::default(),
        }
    }

    /// All bodies, placed, and the report. `file` is the name of the file.
    pub(super) fn read(mut self, file: &str) -> Result<(Vec<CurvedBody>, CurvedReport), Fault> {
        let (roots, mut counts) = (self.products.roots(), HashMap::new());
        let places = roots.iter().map(|&root| self.places(root, 0, &mut counts)).fold(0, u64::saturating_add);
        if places > MOST_PLACES as u64 {
            return Err(Problem::TooMany(format!("{places} parts, more than {MOST_PLACES}")).into());
        }
        for root in roots {
            self.walk(root)?;
        }
        if self.placed.is_empty() {
            self.loose();
        }
        self.unused();
        let table = self.table;
        self.report.schema.clone_from(&table.schema);
        self.report.writer.clone_from(&table.writer);
        let products = table.all(Kind::Product);
        self.report.products = products.filter_map(|id| super::product::name_of_product(table, id)).collect();
        self.notes.report(table, &mut self.report);
        let names: Vec<String> = self.placed.iter().map(|placed| placed.name.clone()).collect();
        let mut names = FileNames::new(file, names.iter().map(|name| Some(name.as_str())));
        let bodies = self.placed.into_iter().map(|placed| CurvedBody {
            name: names.give(Some(&placed.name)),
            path: placed.path,
            uses: placed.uses,
            kind: placed.kind,
            brep: placed.shared.brep,
            face_ids: placed.shared.face_ids,
            lost_faces: placed.shared.lost_faces,
            pose: placed.pose,
            colour: placed.shared.colour,
            id: placed.id,
        });
        Ok((bodies.collect(), self.report))
    }

    /// How many bodies and assemblies a product unfolds to, each product counted once. One within itself counts nothing.
    fn places(&mut self, definition: u64, depth: usize, counts: &mut HashMap<u64, u64>) -> u64 {
        if let Some(&known) = counts.get(&definition) {
            return known;
        }
        if depth > DEEPEST {
            return 0;
        }
        counts.insert(definition, 0);
        let contents = self.contents(definition);
        let own = 1 + contents.leaves.len() as u64;
        let parts = contents.parts.iter().map(|part| self.places(part.0, depth + 1, counts));
        let sum = parts.fold(own, u64::saturating_add);
        counts.insert(definition, sum);
        sum
    }

    /// Everything below a product. Products within one another, of which nothing was counted, may still have many paths.
    fn walk(&mut self, root: u64) -> Result<(), Fault> {
        let mut stack = vec![(root, Shift::IDENTITY, Rc::from(""), None::<Rc<Path>>)];
        let mut visited = 0;
        while let Some((definition, place, usage, parent)) = stack.pop() {
            visited += 1;
            if visited > MOST_PLACES || self.names > MOST_NAMES {
                return Err(Problem::TooMany("parts, or names around them".into()).into());
            }
            let depth = parent.as_ref().map_or(0, |path| path.depth + 1);
            if depth > DEEPEST || within(parent.as_ref(), definition) {
                self.notes.lost(Lost::Instance, Why::Cycle.at(definition), definition);
                continue;
            }
            let contents = self.contents(definition);
            let name = contents.name.clone();
            let path = Rc::new(Path { definition, name, usage, depth, parent });
            for leaf in &contents.leaves {
                self.place(leaf, &place, &path);
            }
            for (child, at, usage) in contents.parts.iter().rev() {
                stack.push((*child, place.after(at), Rc::clone(usage), Some(Rc::clone(&path))));
            }
        }
        Ok(())
    }

    /// A body of a file without products, or none of whose products has a body: all of them, where they are.
    fn loose(&mut self) {
        let mut leaves = Vec::new();
        for id in self.table.all(Kind::Representation) {
            let mut seen = HashSet::new();
            self.items(id, id, &Site::OUTERMOST, &mut seen, &mut leaves);
        }
        let path =
            Rc::new(Path { definition: 0, name: String::new(), usage: Rc::from(""), depth: 0, parent: None });
        let mut seen = HashSet::new();
        for leaf in leaves.iter().filter(|leaf| seen.insert(leaf.id)) {
            self.place(leaf, &Shift::IDENTITY, &path);
            self.notes.repaired(leaf.id, Why::Unused);
        }
    }

    /// Solids that were not reached.
    fn unused(&mut self) {
        let read: HashSet<u64> = self.bodies.keys().map(|key| key.0).collect();
        for id in self.table.all(Kind::Solid).chain(self.table.all(Kind::Sheet)) {
            if !read.contains(&id) {
                self.notes.lost(Lost::Body, Why::Unused.at(id), id);
            }
        }
        for id in self.table.all(Kind::ExternalFile) {
            self.notes.lost(Lost::Body, Why::External.at(id), id);
        }
    }

    fn place(&mut self, leaf: &Leaf, place: &Shift, path: &Rc<Path>) {
        let place = place.after(&leaf.place);
        // A part that scales or mirrors is in the body, once for all of its places.
        let mirror =
            if place.mirrors() { DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)) } else { DMat3::IDENTITY };
        let rigid = Shift { turn: place.turn * mirror, scale: 1.0, translation: place.translation };
        let Some(pose) = rigid.pose() else {
            self.notes.lost(Lost::Instance, Why::Size.at(leaf.id), leaf.id);
            return;
        };
        let baked = Shift { turn: mirror, scale: place.scale, translation: DVec3::ZERO };
        let shift = (!place.is_rigid()).then_some(baked);
        let Some(shared) = self.body(leaf, shift) else { return };
        let (mut names, mut uses) = (Vec::new(), Vec::new());
        let mut at = Some(path);
        while let Some(path) = at {
            names.push(path.name.clone());
            uses.extend(path.parent.is_some().then(|| path.usage.to_string()));
            at = path.parent.as_ref();
        }
        names.reverse();
        uses.reverse();
        let name = leaf.name.clone();
        let length =
            |list: &[String]| list.iter().map(|name| size_of::<String>() + name.len()).sum::<usize>();
        self.names += length(&names) + length(&uses) + name.len();
        self.placed.push(Placed { name, path: names, uses, kind: leaf.kind, id: leaf.id, shared, pose });
    }

    /// The body of a leaf, read once for each way it is scaled or mirrored.
    fn body(&mut self, leaf: &Leaf, shift: Option<Shift>) -> Option<Shared> {
        let length = leaf.units.millimetres();
        let grown = shift.map_or((1.0_f64, false), |shift| (shift.scale, shift.mirrors()));
        let key = (leaf.id, length.to_bits(), grown.0.to_bits(), grown.1);
        if let Some(known) = self.bodies.get(&key) {
            return known.clone();
        }
        let placer = Placer { table: self.table, length };
        let surfacer = Surfacer { placer, angle: leaf.units.angle };
        let uncertainty = leaf.units.uncertainty.unwrap_or(0.0);
        let built = Shaper::new(surfacer, shift, uncertainty, &mut self.notes).body(leaf.id);
        let shared = match built {
            Ok(built) => {
                match leaf.kind {
                    BodyKind::Solid => self.report.solids += 1,
                    BodyKind::Sheet => self.report.sheets += 1,
                }
                for (kind, count) in built.kinds {
                    *self.report.faces.entry(kind).or_default() += count;
                }
                if built.gap.distance > self.report.vertex_gap.distance {
                    self.report.vertex_gap = built.gap;
                }
                let colour = self.colour(leaf.id, &built.face_ids);
                let (brep, lost_faces) = (Arc::new(built.brep), built.lost_faces);
                Some(Shared { brep, face_ids: built.face_ids.into(), lost_faces, colour })
            }
            Err(miss) => {
                self.notes.lost(Lost::Body, miss, leaf.id);
                None
            }
        };
        self.bodies.insert(key, shared.clone());
        shared
    }

    /// The colour of a body, or the one that all of its faces have.
    fn colour(&self, id: u64, faces: &[u64]) -> Option<[f32; 3]> {
        let own = self.colours.get(self.table, id);
        own.or_else(|| {
            let first = self.colours.get(self.table, *faces.first()?)?;
            let same = faces.iter().all(|&face| self.colours.get(self.table, face) == Some(first));
            same.then_some(first)
        })
    }

    /// What a product consists of, read once.
    fn contents(&mut self, definition: u64) -> Rc<Contents> {
        if let Some(known) = self.contents.get(&definition) {
            return Rc::clone(known);
        }
        let name = name_of_definition(self.table, definition).unwrap_or_default();
        let mut leaves = Vec::new();
        let mut seen = HashSet::new();
        for id in self.products.representations(definition) {
            self.items(id, definition, &Site::OUTERMOST, &mut seen, &mut leaves);
        }
        let several = leaves.len() > 1;
        for leaf in &mut leaves {
            let own = several && !leaf.name.is_empty() && leaf.name != "NONE";
            if !own && !name.is_empty() {
                leaf.name.clone_from(&name);
            }
        }
        let usages = self.products.usages.get(&definition).cloned().unwrap_or_default();
        let mut parts = Vec::with_capacity(usages.len());
        for usage in usages {
            match self.usage_place(&usage) {
                Ok(place) => parts.push((usage.child, place, name_of_usage(self.table, usage.id))),
                Err(miss) => self.notes.lost(Lost::Instance, miss, usage.id),
            }
        }
        let contents = Rc::new(Contents { name, leaves, parts });
        self.contents.insert(definition, Rc::clone(&contents));
        contents
    }

    /// Where an assembly puts a part. Writers disagree on which representation of the relationship is the part's; that the part's
    /// own representations say.
    fn usage_place(&mut self, usage: &Usage) -> Result<Shift, Miss> {
        let Some(id) = usage.relation else {
            self.notes.repaired(usage.id, Why::NotPlaced);
            return Ok(Shift::IDENTITY);
        };
        let Relation { first, second, operator } = relation(self.table, id, usage.id)?;
        let Some(operator) = operator else {
            self.notes.repaired(usage.id, Why::NotPlaced);
            return Ok(Shift::IDENTITY);
        };
        let own = self.products.representations(usage.child);
        let reversed = own.contains(&second) && !own.contains(&first);
        let place = self.operator(operator, id, first, second)?;
        Ok(if reversed { place.inverse() } else { place })
    }

    /// The map from one representation into another.
    fn operator(&mut self, id: u64, from: u64, first: u64, second: u64) -> Result<Shift, Miss> {
        let lengths = [first, second].map(|rep| self.representation_units(rep, from).millimetres());
        let [first, second] = lengths.map(|length| Placer { table: self.table, length });
        if !self.table.get(id, from)?.is("ITEM_DEFINED_TRANSFORMATION") {
            return second.shift(id, from);
        }
        let mut fields = self.table.fields(id, from, "ITEM_DEFINED_TRANSFORMATION")?;
        fields.skip()?;
        fields.skip()?;
        let source = first.shift(fields.reference()?, id)?;
        let target = second.shift(fields.reference()?, id)?;
        Ok(target.after(&source.inverse()))
    }

    fn representation_units(&mut self, id: u64, from: u64) -> Rc<Units> {
        let read = fields_of_representation(self.table, id, from);
        let context = read.and_then(|mut fields| {
            fields.skip()?;
            fields.skip()?;
            fields.reference()
        });
        match context {
            Ok(context) => self.units_of(context, id),
            Err(_) => Rc::new(units::assumed()),
        }
    }

    /// Units of a context, read and reported once.
    fn units_of(&mut self, context: u64, from: u64) -> Rc<Units> {
        if let Some(known) = self.units.get(&context) {
            return Rc::clone(known);
        }
        let units = units::units(self.table, context, from).unwrap_or_else(|_| units::assumed());
        match &units.length {
            Some(unit) if !self.report.length_units.contains(unit) => {
                self.report.length_units.push(unit.clone());
            }
            Some(_) => {}
            None => self.notes.repaired(context, Why::NoUnit),
        }
        self.report.uncertainty =
            self.report.uncertainty.into_iter().chain(units.uncertainty).reduce(f64::max);
        let units = Rc::new(units);
        self.units.insert(context, Rc::clone(&units));
        units
    }

    /// Bodies among the items of a representation, and in those that are mapped or placed into it. `seen` are those of the same
    /// product and place already.
    fn items(&mut self, id: u64, from: u64, site: &Site, seen: &mut HashSet<u64>, leaves: &mut Vec<Leaf>) {
        if site.depth > DEEPEST_MAPS || leaves.len() > MOST_PLACES {
            self.notes.lost(Lost::Instance, Why::Cycle.at(id), id);
            return;
        }
        let read = fields_of_representation(self.table, id, from).and_then(|mut fields| {
            fields.skip()?;
            Ok((fields.references()?, fields.reference()?))
        });
        let (items, context) = match read {
            Ok(read) => read,
            Err(miss) => return self.notes.lost(Lost::Item, miss, id),
        };
        let units = self.units_of(context, id);
        for item in items {
            match self.item(item, id, &units) {
                Ok(Item::Body(kind, name)) => {
                    if seen.insert(item) {
                        let units = Rc::clone(&units);
                        leaves.push(Leaf { id: item, kind, place: site.place, name, units });
                    }
                }
                Ok(Item::Map(representation, at)) => {
                    self.items(representation, item, &site.within(&at), &mut HashSet::new(), leaves);
                }
                Ok(Item::Other) => {}
                Err(miss) => self.notes.lost(Lost::Item, miss, item),
            }
        }
        for relationship in self.products.placed.get(&id).cloned().unwrap_or_default() {
            match self.placed_by(relationship, id) {
                Ok((first, at)) => {
                    self.items(first, relationship, &site.within(&at), &mut HashSet::new(), leaves);
                }
                Err(miss) => self.notes.lost(Lost::Instance, miss, relationship),
            }
        }
    }

    /// What a relationship outside of any assembly places, and where.
    fn placed_by(&mut self, id: u64, from: u64) -> Result<(u64, Shift), Miss> {
        let Relation { first, second, operator } = relation(self.table, id, from)?;
        let operator = operator.ok_or(Why::NotPlaced.at(id))?;
        Ok((first, self.operator(operator, id, first, second)?))
    }

    fn item(&mut self, id: u64, from: u64, units: &Units) -> Result<Item, Miss> {
        let entity = self.table.get(id, from)?;
        let is_one_of = |kinds: &[&str]| kinds.iter().any(|kind| entity.is(kind));
        let kind = if is_one_of(&SOLIDS) {
            BodyKind::Solid
        } else if is_one_of(&SHEETS) {
            BodyKind::Sheet
        } else if let Some(mut fields) = entity.own("MAPPED_ITEM") {
            if !entity.is_complex() {
                fields.skip()?;
            }
            let (representation, at) = self.mapped(fields.reference()?, fields.reference()?, id, units)?;
            return Ok(Item::Map(representation, at));
        } else if is_one_of(&["CARTESIAN_TRANSFORMATION_OPERATOR_3D"])
            || (!entity.is_complex() && is_one_of(&["AXIS2_PLACEMENT_3D", "STYLED_ITEM"]))
        {
            return Ok(Item::Other);
        } else {
            return Err(Why::Unsupported.at(id));
        };
        let name = entity.part("REPRESENTATION_ITEM").or_else(|| entity.simple().map(|simple| simple.1));
        let name = name.and_then(|mut fields| fields.text().ok()).map(decode).unwrap_or_default();
        Ok(Item::Body(kind, name))
    }

    /// The representation of a `REPRESENTATION_MAP` and where its target puts it.
    fn mapped(&mut self, map: u64, target: u64, from: u64, units: &Units) -> Result<(u64, Shift), Miss> {
        let mut fields = self.table.fields(map, from, "REPRESENTATION_MAP")?;
        let (origin, representation) = (fields.reference()?, fields.reference()?);
        let length = self.representation_units(representation, map).millimetres();
        let source = Placer { table: self.table, length }.shift(origin, map)?;
        let target = Placer { table: self.table, length: units.millimetres() }.shift(target, from)?;
        Ok((representation, target.after(&source.inverse())))
    }
}

/// Whether a definition is one of those around a place.
fn within(path: Option<&Rc<Path>>, definition: u64) -> bool {
    let mut at = path;
    while let Some(path) = at {
        if path.definition == definition {
            return true;
        }
        at = path.parent.as_ref();
    }
    false
}

/// Name, items, context.
fn fields_of_representation<'a>(
    table: &'a Table<'a>,
    id: u64,
    from: u64,
) -> Result<super::field::Fields<'a>, Miss> {
    let entity = table.get(id, from)?;
    let fields =
        if entity.is_complex() { entity.part("REPRESENTATION") } else { entity.simple().map(|s| s.1) };
    fields.ok_or(Why::NotA("a representation").at(id))
}
