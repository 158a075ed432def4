//! How two bodies lie to each other.

use crate::body::{Family, Placed};
use crate::query::Query;
use crate::slack::{of_surfaces, slack};
use kontakt_answers::{Contact, OverlapKind, Range, Relation};
use kontakt_convex::PlacedShape;
use kontakt_math::DVec3;
use kontakt_mesh::{Depth, NotMeasured, Overlap, Patch, PatchExtent, RelationOptions, RelationReport};

/// The class of two bodies, with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRelation {
    /// The class under the tolerance asked for.
    pub relation: Relation,
    /// The class.
    pub exact: Relation,
    /// How deep solids are in each other, where asked for and known.
    pub depth: Option<Depth>,
    /// Whether they have a common interior; sheets may overlap without.
    pub solids: bool,
}

/// The class of two bodies and what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct PairDetail {
    /// The class.
    pub relation: PairRelation,
    /// Where they are in contact; `None` when limits were reached before all patches were known.
    pub patches: Option<Vec<Patch>>,
    /// Of overlapping meshes and polytopes, what they have in common, or why that was not measured.
    pub overlap: Option<Result<Overlap, NotMeasured>>,
}

/// The interiors meet; no more is told.
pub(crate) const MEETING: Relation = Relation::Overlapping { kind: None, depth: None };

impl PairRelation {
    /// The same seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> PairRelation {
        PairRelation {
            relation: self.relation.swapped(),
            exact: self.exact.swapped(),
            depth: self.depth.map(|depth| Depth { push: -depth.push, ..depth }),
            ..self
        }
    }
}

impl Query {
    /// The class of two bodies, where they are in contact, and what they have in common if they overlap; what meets is looked for
    /// once. Where a curved shape is part of the pair all its contacts are one patch, and the overlap is told by its depth alone.
    /// Depth and kind of two overlapping meshes are left out: see [`depth`](Query::depth), [`overlap_kind`](Query::overlap_kind).
    /// Interferences up to `shallow` need not be told apart: bounds whose upper end is no more than that may be as wide.
    pub fn relation_in_detail(&mut self, a: Placed, b: Placed, shallow: f64) -> PairDetail {
        if slack(a, b) > 0.0
            && let Some(detail) = self.relation_of_curved(a, b)
        {
            return detail;
        }
        if let (Some(a), Some(b)) = (a.surface(), b.surface()) {
            let options = RelationOptions { depth_effort: None, kind: false, ..RelationOptions::default() };
            let found = self.faces.relation_in_detail(a, b, &options, shallow);
            return PairDetail {
                relation: of_meshes(&found.report),
                patches: found.patches,
                overlap: found.overlap,
            };
        }
        let relation = self.relation(a, b, &RelationOptions::default());
        let mut patches = Vec::new();
        if !matches!(relation.exact, Relation::Separate { .. }) {
            patches.extend(patch_of(self.contacts_of_faces(a, b, 0.0)));
        }
        PairDetail { relation, patches: Some(patches), overlap: None }
    }

    /// What two overlapping meshes or polytopes have in common, with bounds of interferences that differ by the part `narrow` of
    /// themselves, as far as a fixed effort leads; `None` for curved shapes and where it cannot be measured.
    pub fn overlap(&mut self, a: Placed, b: Placed, narrow: f64) -> Option<Overlap> {
        let meshes = [a.surface()?, b.surface()?];
        let overlap = self.faces.overlap_as_narrow_as(meshes[0], meshes[1], narrow).ok()?;
        Some(if slack(a, b) > 0.0 { of_surfaces(&overlap, meshes, [a, b]) } else { overlap })
    }

    /// Whether one of two overlapping solids cuts the other in two; `None` where it is not known, as of curved shapes and bodies.
    pub fn overlap_kind(&mut self, a: Placed, b: Placed) -> Option<OverlapKind> {
        if slack(a, b) > 0.0 {
            return None;
        }
        let (a, b) = (a.surface()?, b.surface()?);
        (a.mesh.is_closed() && b.mesh.is_closed()).then(|| self.faces.overlap_kind(a, b))?
    }

    /// The least translation that leaves two solids without a common interior; `None` where one has no inside or is a curved body.
    pub fn depth(&mut self, a: Placed, b: Placed) -> Option<Depth> {
        if slack(a, b) > 0.0 {
            return None;
        }
        let options = RelationOptions::default();
        match (a.surface(), b.surface()) {
            (Some(a), Some(b)) => self.faces.depth(a, b, options.depth_effort.unwrap_or(0)),
            _ => self.relation(a, b, &options).depth,
        }
    }

    /// The class of two bodies. **Exact** where both are meshes or sharp polytopes; with curved shapes *touching* is what certified bounds
    /// leave open, and two curved shapes that have a common interior are *overlapping* also where one holds the other. With curved bodies
    /// what the triangles leave open is *undecided*.
    pub fn relation(&mut self, a: Placed, b: Placed, options: &RelationOptions) -> PairRelation {
        if slack(a, b) > 0.0 {
            return self.relation_with_curved(a, b, options);
        }
        if let (Some(a), Some(b)) = (a.surface(), b.surface()) {
            return of_meshes(&self.faces.relation(a, b, options));
        }
        match (a.family(), b.family()) {
            (Family::Mesh(a), Family::Convex(b)) => {
                let found = self.mesh_and_shape.relation(a, b, options);
                let solids = found.depth.is_some();
                PairRelation { relation: found.relation, exact: found.exact, depth: found.depth, solids }
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
        let solids = depth.is_some();
        PairRelation { relation: if near { Relation::Touching } else { exact }, exact, depth, solids }
    }
}

fn of_meshes(report: &RelationReport) -> PairRelation {
    PairRelation {
        relation: report.relation,
        exact: report.exact,
        depth: report.depth,
        solids: report.solids,
    }
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
        triangles: Vec::new(),
    })
}
