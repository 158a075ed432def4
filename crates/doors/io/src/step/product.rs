//! Products, their representations, and how these are linked.

use super::field::Fields;
use super::notes::Notes;
use super::table::{Kind, Table};
use super::text::decode;
use crate::curved::loss::{Lost, Miss, Why};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

/// A use of a product in an assembly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    pub(super) id: u64,
    pub(super) child: u64,
    /// The relationship that says where, if there is one.
    pub(super) relation: Option<u64>,
}

/// Two representations, where one is placed in the other or both are the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relation {
    pub(super) first: u64,
    pub(super) second: u64,
    /// What maps the first into the second.
    pub(super) operator: Option<u64>,
}

/// The structure of a file: what consists of what.
#[derive(Default)]
pub(super) struct Products {
    /// Product definitions with their representations.
    pub(super) shapes: BTreeMap<u64, Vec<u64>>,
    /// Assemblies with what they use.
    pub(super) usages: BTreeMap<u64, Vec<Usage>>,
    /// Representations that are the same, both ways.
    links: BTreeMap<u64, Vec<u64>>,
    /// Representations with others placed in them by the relationship of this number.
    pub(super) placed: BTreeMap<u64, Vec<u64>>,
    /// Representations that belong to a product definition.
    owners: BTreeMap<u64, u64>,
}

impl Products {
    pub(super) fn of(table: &Table<'_>, notes: &mut Notes) -> Products {
        let mut products = Products::default();
        for id in table.all(Kind::ShapeDefinition) {
            match shape_of(table, id) {
                Ok(Some((definition, representation))) => {
                    products.shapes.entry(definition).or_default().push(representation);
                    products.owners.entry(representation).or_insert(definition);
                }
                Ok(None) => {}
                Err(miss) => notes.lost(Lost::Item, miss, id),
            }
        }
        let mut relations = BTreeMap::new();
        for id in table.all(Kind::PlacedShape) {
            match placement_of(table, id) {
                Ok((usage, relation)) => {
                    relations.insert(usage, relation);
                }
                Err(miss) => notes.lost(Lost::Instance, miss, id),
            }
        }
        for id in table.all(Kind::Usage) {
            match usage_of(table, id) {
                Ok((parent, child)) => {
                    let usage = Usage { id, child, relation: relations.get(&id).copied() };
                    products.usages.entry(parent).or_default().push(usage);
                }
                Err(miss) => notes.lost(Lost::Instance, miss, id),
            }
        }
        let taken: HashSet<u64> = relations.into_values().collect();
        for id in table.all(Kind::RepresentationLink).filter(|id| !taken.contains(id)) {
            match relation(table, id, id) {
                Ok(Relation { first, second, operator: None }) => {
                    products.links.entry(first).or_default().push(second);
                    products.links.entry(second).or_default().push(first);
                }
                Ok(Relation { second, .. }) => products.placed.entry(second).or_default().push(id),
                Err(miss) => notes.lost(Lost::Item, miss, id),
            }
        }
        products
    }

    /// Definitions with a shape or parts that no assembly uses.
    pub(super) fn roots(&self) -> Vec<u64> {
        let used: HashSet<u64> = self.usages.values().flatten().map(|usage| usage.child).collect();
        let all: BTreeSet<u64> = self.shapes.keys().chain(self.usages.keys()).copied().collect();
        all.into_iter().filter(|id| !used.contains(id)).collect()
    }

    /// All representations of a definition: its own and those that are the same, but none of another product.
    pub(super) fn representations(&self, definition: u64) -> Vec<u64> {
        let mut found = self.shapes.get(&definition).cloned().unwrap_or_default();
        let mut seen: HashSet<u64> = found.iter().copied().collect();
        let mut at = 0;
        while let Some(&next) = found.get(at) {
            at += 1;
            for &other in self.links.get(&next).into_iter().flatten() {
                let foreign = self.owners.get(&other).is_some_and(|&owner| owner != definition);
                if !foreign && seen.insert(other) {
                    found.push(other);
                }
            }
        }
        found
    }
}

/// The definition and the representation that a `SHAPE_DEFINITION_REPRESENTATION` brings together; none where it is about something
/// else, such as a single face.
fn shape_of(table: &Table<'_>, id: u64) -> Result<Option<(u64, u64)>, Miss> {
    let mut fields = table.fields(id, id, "SHAPE_DEFINITION_REPRESENTATION")?;
    let property = table.get(fields.reference()?, id)?;
    let representation = fields.reference()?;
    let Some(mut fields) = property.own("PRODUCT_DEFINITION_SHAPE") else { return Ok(None) };
    fields.skip()?;
    fields.skip()?;
    let definition = table.get(fields.reference()?, property.id)?;
    let kinds = ["PRODUCT_DEFINITION", "PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS"];
    let is_product = kinds.iter().any(|kind| definition.is(kind));
    Ok(is_product.then_some((definition.id, representation)))
}

/// The usage that a `CONTEXT_DEPENDENT_SHAPE_REPRESENTATION` places, and the relationship that does.
fn placement_of(table: &Table<'_>, id: u64) -> Result<(u64, u64), Miss> {
    let mut fields = table.fields(id, id, "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION")?;
    let relation = fields.reference()?;
    let shape = fields.reference()?;
    let mut fields = table.fields(shape, id, "PRODUCT_DEFINITION_SHAPE")?;
    fields.skip()?;
    fields.skip()?;
    Ok((fields.reference()?, relation))
}

/// Assembly and part of a `NEXT_ASSEMBLY_USAGE_OCCURRENCE`.
fn usage_of(table: &Table<'_>, id: u64) -> Result<(u64, u64), Miss> {
    let entity = table.get(id, id)?;
    let fields = entity.part("PRODUCT_DEFINITION_RELATIONSHIP");
    let fields = fields.or_else(|| entity.own("NEXT_ASSEMBLY_USAGE_OCCURRENCE"));
    let mut fields = fields.ok_or(Why::Unsupported.at(id))?;
    for _ in 0..3 {
        fields.skip()?;
    }
    Ok((fields.reference()?, fields.reference()?))
}

/// A relationship of two representations.
pub(super) fn relation(table: &Table<'_>, id: u64, from: u64) -> Result<Relation, Miss> {
    let entity = table.get(id, from)?;
    if !entity.is_complex() {
        let (_, mut fields) = entity.simple().ok_or(Why::Unsupported.at(id))?;
        let (first, second) = ends(&mut fields)?;
        let operator = if fields.more() { Some(fields.reference()?) } else { None };
        return Ok(Relation { first, second, operator });
    }
    let mut fields = entity.part("REPRESENTATION_RELATIONSHIP").ok_or(Why::Unsupported.at(id))?;
    let (first, second) = ends(&mut fields)?;
    let operator = entity.part("REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION");
    Ok(Relation { first, second, operator: operator.map(|mut fields| fields.reference()).transpose()? })
}

fn ends(fields: &mut Fields<'_>) -> Result<(u64, u64), Miss> {
    fields.skip()?;
    fields.skip()?;
    Ok((fields.reference()?, fields.reference()?))
}

/// The name of the product of a definition.
pub(super) fn name_of_definition(table: &Table<'_>, id: u64) -> Option<String> {
    let (_, mut fields) = table.get(id, id).ok()?.simple()?;
    fields.skip().ok()?;
    fields.skip().ok()?;
    let formation = table.get(fields.reference().ok()?, id).ok()?;
    let (_, mut fields) = formation.simple()?;
    fields.skip().ok()?;
    fields.skip().ok()?;
    name_of_product(table, fields.reference().ok()?)
}

/// A product's name, or its identifier where that is empty.
pub(super) fn name_of_product(table: &Table<'_>, id: u64) -> Option<String> {
    let mut fields = table.get(id, id).ok()?.own("PRODUCT")?;
    let identifier = decode(fields.text().ok()?);
    let name = decode(fields.text().ok()?);
    Some(if name.is_empty() { identifier } else { name })
}

/// The name of a use in an assembly, or its identifier where that is empty.
pub(super) fn name_of_usage(table: &Table<'_>, id: u64) -> Rc<str> {
    let name = || {
        let entity = table.get(id, id).ok()?;
        let fields = entity.part("PRODUCT_DEFINITION_RELATIONSHIP");
        let mut fields = fields.or_else(|| entity.own("NEXT_ASSEMBLY_USAGE_OCCURRENCE"))?;
        let identifier = decode(fields.text().ok()?);
        let name = decode(fields.text().ok()?);
        Some(if name.is_empty() { identifier } else { name })
    };
    name().unwrap_or_default().into()
}
