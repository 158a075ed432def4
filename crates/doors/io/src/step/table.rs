//! Entities of a file by their numbers. Only their places are kept; they are read where they are needed.

use super::field::{Fields, keyword, read_id};
use super::scan::{Statements, cut_off, line_of, skip_space};
use super::text::decode;
use crate::curved::budget::Budget;
use crate::curved::loss::{Miss, Why};
use crate::error::{Fault, Place, Problem};
use kontakt_shapes::memory::reserve;

/// How every file begins.
const MAGIC: &[u8] = b"ISO-10303-21";

/// Types of entities that are looked for in the whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Product,
    ProductDefinition,
    ShapeDefinition,
    Usage,
    PlacedShape,
    RepresentationLink,
    Style,
    Solid,
    Sheet,
    Representation,
    ExternalFile,
}

/// A file whose statements are known.
pub(super) struct Table<'a> {
    text: &'a [u8],
    /// Number, and where the entity begins after `=`; ascending by number.
    entries: Vec<(u64, usize)>,
    /// Numbers of entities of these types, in the order of the file.
    found: Vec<(Kind, u64)>,
    /// Places of statements that are none, and of entities whose number is taken.
    pub(super) odd: Vec<(u64, usize, Why)>,
    pub(super) schema: String,
    pub(super) writer: String,
    budget: &'a Budget,
}

/// An entity, not yet taken apart.
#[derive(Clone, Copy)]
pub(super) struct Entity<'a> {
    pub(super) id: u64,
    text: &'a [u8],
    at: usize,
    budget: &'a Budget,
}

impl<'a> Table<'a> {
    /// Cuts a file into entities. An error where it is not complete.
    pub(super) fn read(text: &'a [u8], budget: &'a Budget) -> Result<Table<'a>, Fault> {
        let mut table = Table {
            text,
            entries: Vec::new(),
            found: Vec::new(),
            odd: Vec::new(),
            schema: String::new(),
            writer: String::new(),
            budget,
        };
        let text = table.begin()?;
        let mut statements = Statements::new(text);
        statements.next()?;
        // Sections: 0 none, 1 header, 2 data, 3 another one.
        let (mut section, mut whole) = (0, false);
        while let Some((start, statement)) = statements.next()? {
            let word = keyword(statement, 0);
            match word {
                b"END-ISO-10303-21" => {
                    whole = section == 0;
                    break;
                }
                b"HEADER" => section = 1,
                b"DATA" => section = 2,
                b"ENDSEC" => section = 0,
                b"ANCHOR" | b"REFERENCE" | b"SIGNATURE" if section == 0 => section = 3,
                _ if section == 1 => table.header(word, statement, start),
                _ if section == 2 => table.entity(statement, start)?,
                _ => table.odd.push((0, start, Why::Syntax)),
            }
        }
        if !whole {
            return Err(cut_off(text));
        }
        table.sort();
        Ok(table)
    }

    /// The text from the first statement on, which must be the format's own.
    fn begin(&mut self) -> Result<&'a [u8], Fault> {
        let text = self.text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.text);
        self.text = text;
        if text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF") {
            return Err(Problem::Unsupported("text in UTF-16".into()).at(Place::Line(1)));
        }
        let start = skip_space(text, 0);
        if text[start..].starts_with(MAGIC) {
            return Ok(text);
        }
        let place = Place::Line(line_of(text, start));
        if MAGIC.starts_with(&text[start..]) {
            return Err(Problem::Truncated("it is shorter than its first line".into()).at(place));
        }
        Err(Problem::malformed("it does not begin with ISO-10303-21").at(place))
    }

    fn header(&mut self, word: &[u8], statement: &'a [u8], start: usize) {
        // The semicolon stays in the text: it ends what is not closed.
        let text = &self.text[start..=start + statement.len()];
        let Some(mut fields) = Fields::new(text, word.len(), 0, self.budget) else { return };
        if word == b"FILE_SCHEMA" && fields.open().is_ok() {
            self.schema = fields.text().map(decode).unwrap_or_default();
        } else if word == b"FILE_NAME" && (0..5).all(|_| fields.skip().is_ok()) {
            self.writer = fields.text().map(decode).unwrap_or_default();
        }
    }

    fn entity(&mut self, statement: &'a [u8], start: usize) -> Result<(), Fault> {
        let read = read_id(statement).and_then(|(id, length)| {
            let at = skip_space(statement, length);
            (statement.get(at) == Some(&b'=')).then(|| (id, skip_space(statement, at + 1)))
        });
        let Some((id, at)) = read else {
            self.odd.push((0, start, Why::Syntax));
            return Ok(());
        };
        if let Some(kind) = kind_of(statement, at) {
            reserve(&mut self.found, 1)?;
            self.found.push((kind, id));
        }
        reserve(&mut self.entries, 1)?;
        self.entries.push((id, start + at));
        Ok(())
    }

    /// By number; the first one of a number that is given twice stays.
    fn sort(&mut self) {
        if !self.entries.is_sorted() {
            self.entries.sort_unstable();
        }
        let odd = &mut self.odd;
        self.entries.dedup_by(|next, first| {
            let twice = next.0 == first.0;
            if twice {
                odd.push((next.0, next.1, Why::Twice));
            }
            twice
        });
    }

    fn position(&self, id: u64) -> Option<usize> {
        // Numbers mostly follow one another.
        let first = self.entries.first()?.0;
        let guess = usize::try_from(id.checked_sub(first)?).ok()?;
        if self.entries.get(guess).is_some_and(|entry| entry.0 == id) {
            return Some(guess);
        }
        self.entries.binary_search_by_key(&id, |entry| entry.0).ok()
    }

    /// The entity of a number; `from` names it.
    pub(super) fn get(&self, id: u64, from: u64) -> Result<Entity<'a>, Miss> {
        self.budget.spend(1).map_err(|why| why.at(from))?;
        let position = self.position(id).ok_or(Why::Absent(id).at(from))?;
        Ok(Entity { id, text: self.text, at: self.entries[position].1, budget: self.budget })
    }

    /// Parameters of an entity that must be of this type; `from` names it.
    pub(super) fn fields(&self, id: u64, from: u64, kind: &'static str) -> Result<Fields<'a>, Miss> {
        let entity = self.get(id, from)?;
        let found = entity.simple().filter(|(name, _)| *name == kind.as_bytes());
        found.map(|(_, fields)| fields).ok_or(Why::NotA(kind).at(id))
    }

    /// Numbers of all entities of a type.
    pub(super) fn all(&self, kind: Kind) -> impl Iterator<Item = u64> + '_ {
        self.found.iter().filter(move |(found, _)| *found == kind).map(|&(_, id)| id)
    }

    /// What an entity is, for messages.
    pub(super) fn name(&self, id: u64) -> String {
        let Some(position) = self.position(id) else { return "nothing".into() };
        let entity = Entity { id, text: self.text, at: self.entries[position].1, budget: self.budget };
        entity.shown()
    }

    /// Where an entity begins.
    pub(super) fn offset(&self, id: u64) -> Option<usize> {
        self.position(id).map(|position| self.entries[position].1)
    }

    /// The whole text, in which places are counted.
    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }
}

impl<'a> Entity<'a> {
    pub(super) fn is_complex(&self) -> bool {
        self.text.get(self.at) == Some(&b'(')
    }

    /// Type and parameters of an entity of one type.
    pub(super) fn simple(&self) -> Option<(&'a [u8], Fields<'a>)> {
        let name = keyword(self.text, self.at);
        let fields = Fields::new(self.text, self.at + name.len(), self.id, self.budget)?;
        (!name.is_empty()).then_some((name, fields))
    }

    /// Types and their parameters of an entity of several types.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'a [u8], Fields<'a>)> + use<'a> {
        let Entity { id, text, at, budget } = *self;
        let mut next = self.is_complex().then_some(at + 1);
        std::iter::from_fn(move || {
            let start = skip_space(text, next?);
            let name = keyword(text, start);
            let fields = Fields::new(text, start + name.len(), id, budget)?;
            next = fields.clone().rest();
            (!name.is_empty()).then_some((name, fields))
        })
    }

    /// Parameters of one of its types.
    pub(super) fn part(&self, name: &str) -> Option<Fields<'a>> {
        self.parts().find(|(found, _)| *found == name.as_bytes()).map(|(_, fields)| fields)
    }

    /// Whether it is of a type, alone or among others.
    pub(super) fn is(&self, name: &str) -> bool {
        if self.is_complex() {
            return self.part(name).is_some();
        }
        keyword(self.text, self.at) == name.as_bytes()
    }

    /// Its own parameters of a type: those of the part, or all of them where it is of one type.
    pub(super) fn own(&self, name: &str) -> Option<Fields<'a>> {
        if self.is_complex() { self.part(name) } else { self.simple().filter(|_| self.is(name)).map(|s| s.1) }
    }

    /// As messages call it.
    fn shown(&self) -> String {
        let names: Vec<_> = if self.is_complex() {
            self.parts().take(16).map(|(name, _)| String::from_utf8_lossy(name)).collect()
        } else {
            vec![String::from_utf8_lossy(keyword(self.text, self.at))]
        };
        let mut shown = names.join("+");
        shown.truncate(shown.char_indices().nth(120).map_or(shown.len(), |(at, _)| at));
        if shown.is_empty() { "an entity without a type".into() } else { shown }
    }
}

/// The type of an entity, where it is one that is looked for.
fn kind_of(statement: &[u8], at: usize) -> Option<Kind> {
    if statement.get(at) == Some(&b'(') {
        return complex_kind(statement, at);
    }
    Some(match keyword(statement, at) {
        b"PRODUCT" => Kind::Product,
        b"PRODUCT_DEFINITION" | b"PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS" => Kind::ProductDefinition,
        b"SHAPE_DEFINITION_REPRESENTATION" => Kind::ShapeDefinition,
        b"NEXT_ASSEMBLY_USAGE_OCCURRENCE" => Kind::Usage,
        b"CONTEXT_DEPENDENT_SHAPE_REPRESENTATION" => Kind::PlacedShape,
        b"SHAPE_REPRESENTATION_RELATIONSHIP" => Kind::RepresentationLink,
        b"STYLED_ITEM" => Kind::Style,
        b"MANIFOLD_SOLID_BREP" | b"BREP_WITH_VOIDS" | b"FACETED_BREP" => Kind::Solid,
        b"SHELL_BASED_SURFACE_MODEL" | b"FACE_BASED_SURFACE_MODEL" => Kind::Sheet,
        b"DOCUMENT_FILE" => Kind::ExternalFile,
        b"ADVANCED_BREP_SHAPE_REPRESENTATION"
        | b"FACETED_BREP_SHAPE_REPRESENTATION"
        | b"MANIFOLD_SURFACE_SHAPE_REPRESENTATION"
        | b"SHAPE_REPRESENTATION" => Kind::Representation,
        _ => return None,
    })
}

/// The same for an entity of several types; their names are looked for in the text, which is checked where it is read.
fn complex_kind(statement: &[u8], at: usize) -> Option<Kind> {
    const KINDS: [(&[u8], Kind); 6] = [
        (b"SHAPE_REPRESENTATION_RELATIONSHIP", Kind::RepresentationLink),
        (b"NEXT_ASSEMBLY_USAGE_OCCURRENCE", Kind::Usage),
        (b"MANIFOLD_SOLID_BREP", Kind::Solid),
        (b"SHELL_BASED_SURFACE_MODEL", Kind::Sheet),
        (b"SHAPE_REPRESENTATION", Kind::Representation),
        (b"STYLED_ITEM", Kind::Style),
    ];
    let body = &statement[at..];
    KINDS.into_iter().find(|(name, _)| memchr::memmem::find(body, name).is_some()).map(|(_, kind)| kind)
}
