//! How two bodies lie to each other.

use crate::body::{Family, Placed};
use crate::query::Query;
use kontakt_answers::{Contact, Range, Relation};
use kontakt_convex::PlacedShape;
use kontakt_math::DVec3;
use kontakt_mesh::{Depth, Patch, PatchExtent, RelationOptions, RelationReport};

/// The class of two bodies, with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRelation {
    /// The class under the tolerance asked for.
    pub relation: Relation,
    /// The class.
    pub exact: Relation,
    /// How deep solids are in each other, where asked for and known.
    pub depth: Option<Depth>,
}

impl PairRelation {
    /// The same seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> PairRelation {
        PairRelation {
            relation: self.relation.swapped(),
            exact: self.exact.swapped(),
            depth: self.depth.map(|depth| Depth { push: -depth.push, ..depth }),
        }
    }
}

impl Query {
    /// The class of two bodies and the patches where they are in contact, looked for once. Where a curved shape is part of the pair all its
    /// contacts are one patch. No patches where limits were reached before all were known.
    pub fn relation_and_patches(
        &mut self,
        a: Placed,
        b: Placed,
        options: &RelationOptions,
    ) -> (PairRelation, Option<Vec<Patch>>) {
        if let (Some(a), Some(b)) = (a.surface(), b.surface()) {
            let (report, patches) = self.faces.relation_and_patches(a, b, options);
            return (of_meshes(&report), patches);
        }
        let found = self.relation(a, b, options);
        if matches!(found.exact, Relation::Separate { .. }) {
            return (found, Some(Vec::new()));
        }
        let contacts = self.contacts(a, b, 0.0);
        (found, Some(patch_of(contacts).into_iter().collect()))
    }

    /// The class of two bodies. **Exact** where both are meshes or sharp polytopes; with curved shapes *touching* is what certified bounds
    /// leave open, and two curved shapes that have a common interior are *overlapping* also where one holds the other.
    pub fn relation(&mut self, a: Placed, b: Placed, options: &RelationOptions) -> PairRelation {
        if let (Some(a), Some(b)) = (a.surface(), b.surface()) {
            return of_meshes(&self.faces.relation(a, b, options));
        }
        match (a.family(), b.family()) {
            (Family::Mesh(a), Family::Convex(b)) => {
                let found = self.mesh_and_shape.relation(a, b, options);
                PairRelation { relation: found.relation, exact: found.exact, depth: found.depth }
            }
            (Family::Convex(_), Family::Mesh(_)) => self.relation(b, a, options).swapped(),
            (Family::Convex(a), Family::Convex(b)) => self.relation_of_shapes(a, b, options),
            // Two meshes have surfaces, so this is the way they took above.
            (Family::Mesh(a), Family::Mesh(b)) => of_meshes(&self.faces.relation(a, b, options)),
        }
    }

    fn relation_of_shapes(
        &mut self,
        a: PlacedShape,
        b: PlacedShape,
        options: &RelationOptions,
    ) -> PairRelation {
        let answer = self.convex.contact(a, b);
        let exact = answer.relation();
        let depth = matches!(exact, Relation::Overlapping { .. }).then(|| Depth {
            range: answer.depth(),
            push: answer.normal * answer.depth().hi(),
            deepest: (answer.point_a + answer.point_b) * 0.5,
        });
        let near = options.touch_tolerance > 0.0
            && Range::is_about_at_most(&answer.distance(), options.touch_tolerance)
            && answer.depth().is_about_at_most(options.touch_tolerance);
        PairRelation { relation: if near { Relation::Touching } else { exact }, exact, depth }
    }
}

fn of_meshes(report: &RelationReport) -> PairRelation {
    PairRelation { relation: report.relation, exact: report.exact, depth: report.depth }
}

/// Contacts as one patch of points.
fn patch_of(contacts: Vec<Contact>) -> Option<Patch> {
    let count = contacts.len() as f64;
    let centre =
        contacts.iter().map(|contact| (contact.point_a + contact.point_b) * 0.5).sum::<DVec3>() / count;
    let normal = contacts.iter().map(|contact| contact.normal).sum::<DVec3>().normalize_or(DVec3::Z);
    (!contacts.is_empty()).then_some(Patch {
        pairs: contacts.len(),
        extent: PatchExtent::Point,
        normal,
        centre,
        contacts,
    })
}

/// The push of a depth as a unit vector.
pub(crate) fn direction(depth: &Depth) -> DVec3 {
    depth.push.normalize_or(DVec3::Z)
}
