//! What triangles prove about bodies with curved faces: the one place that says so.
//!
//! The triangles of a curved body are within its certified deviation of its faces, and the faces within that of the triangles, point by
//! point: the one can be moved into the other with no point going farther. Let δ be the sum of both deviations of a pair. Then
//! - a distance of the surfaces is that of the triangles, up to δ;
//! - a point farther than the deviation from the triangles is inside the body if it is inside them;
//! - so an interference is that of the triangles, up to δ, and what is deeper than δ is proven.
//!
//! Everything between is left open. How far a shift must go to free a pair is not told: a round fit that is a little too tight holds
//! what a loose one lets go.

use crate::body::{Body, Placed};
use crate::query::{Proximity, Query};
use crate::relation::{MEETING, PairDetail, PairRelation};
use crate::slack::{of_surfaces, slack, widened};
use crate::true_surface;
use kontakt_answers::{Contact, Feature, Range, Relation};
use kontakt_math::DVec3;
use kontakt_math::round::{add_down, add_up};
use kontakt_mesh::{
    Location, NotMeasured, Overlap, Patch, PlacedMesh, Region, RelationOptions, any_piece_inside,
};
use std::sync::Arc;

/// Bounds of an interference that has to be compared with δ are at most this part of it apart, one after the other as long as that leaves
/// it open.
const NARROWER: [f64; 3] = [0.5, 0.01, 1e-7];

/// What two certified bounds of one number say together.
fn both(a: Range, b: Range) -> Range {
    Range::new(a.lo().max(b.lo()), a.hi().min(b.hi())).unwrap_or(b)
}

/// Bounds of a signed number that is off by no more than a slack.
fn loosened(range: Range, slack: f64) -> Range {
    Range::new(add_down(range.lo(), -slack), add_up(range.hi(), slack)).unwrap_or(range)
}

impl Query {
    /// The distance of the surfaces of two bodies that have triangles, whatever lies inside what; `None` where one has none.
    ///
    /// **Certified** for the true surfaces, and as narrow as a fixed effort on these makes it.
    pub fn surface_distance(&mut self, a: Placed, b: Placed) -> Option<Proximity> {
        let found = self.triangle_distance(a, b)?;
        let slack = slack(a, b);
        let close = (1e-3 * slack).max(1e-12 * found.range.hi());
        let near = (slack > 0.0).then(|| true_surface::distance(a, b, close)).flatten();
        Some(near.map_or(found, |near| Proximity { range: both(near.range, found.range), ..near }))
    }

    /// The same by the triangles alone: wider, and soon told.
    fn triangle_distance(&mut self, a: Placed, b: Placed) -> Option<Proximity> {
        let (x, y) = (a.surface()?, b.surface()?);
        let found = self.faces.distance(x, y);
        Some(Proximity {
            range: widened(found.range, slack(a, b)),
            point_a: found.point_a,
            point_b: found.point_b,
            feature_a: Some(a.body.face_of(x.mesh, found.pair.a)),
            feature_b: Some(b.body.face_of(y.mesh, found.pair.b)),
        })
    }

    /// The distance of two bodies that have triangles, solids included; by the triangles, which also tell what is inside.
    pub(crate) fn distance_of_surfaces(&mut self, a: Placed, b: Placed) -> Option<Proximity> {
        let (x, y) = (a.surface()?, b.surface()?);
        let found = self.triangle_distance(a, b)?;
        // Faces without a common point: the one body is all inside the other or all outside, in each of its pieces.
        let inside = found.range.lo() > 0.0 && (any_piece_inside(x, y) || any_piece_inside(y, x));
        Some(if inside { Proximity { range: Range::ZERO, ..found } } else { found })
    }

    /// The class of two bodies that have triangles, one of them curved, and what belongs to it. *Undecided* is what the triangles leave
    /// open; kind and release are.
    pub(crate) fn relation_of_curved(&mut self, a: Placed, b: Placed) -> Option<PairDetail> {
        let (x, y) = (a.surface()?, b.surface()?);
        let slack = slack(a, b);
        let options = RelationOptions { depth_effort: None, kind: false, ..RelationOptions::default() };
        let (report, patches) = self.faces.relation_and_patches(x, y, &options);
        let overlap = report.solids.then(|| self.measured(x, y, slack));
        let layer = overlap.as_ref().and_then(|measured| measured.as_ref().ok());
        let layer = layer.filter(|overlap| !overlap.regions.iter().any(Region::is_coincident));
        let exact = match report.exact {
            Relation::Separate { distance } => apart(distance, slack),
            Relation::Touching => open(Range::ZERO, slack),
            Relation::Undecided { bounds } => Relation::Undecided { bounds: loosened(bounds, slack) },
            Relation::Duplicate if is_same(a, b) => Relation::Duplicate,
            Relation::Contained { inner } if self.faces.distance(x, y).range.lo() > slack => {
                Relation::Contained { inner }
            }
            _ => match layer {
                Some(overlap) if overlap.depth().lo() > slack => MEETING,
                Some(overlap) => open(overlap.depth().negated(), slack),
                None if report.solids && self.meet_deep_inside(x, y, [a, b]) => MEETING,
                None => unknown(slack),
            },
        };
        let exact = match exact {
            Relation::Undecided { .. } => true_surface::settled(a, b, slack).unwrap_or(exact),
            told => told,
        };
        let relation = PairRelation { relation: exact, exact, depth: None, solids: report.solids };
        let known = layer.map(|overlap| Ok(of_surfaces(overlap, [x, y], [a, b])));
        let reason = overlap.as_ref().and_then(|measured| measured.as_ref().err()).map(|&reason| Err(reason));
        let patches = patches.map(|patches| patches.into_iter().map(|patch| named(patch, a, b)).collect());
        Some(PairDetail { relation, patches, overlap: known.or(reason) })
    }

    /// The class of two bodies one of which is curved, under a tolerance too.
    pub(crate) fn relation_with_curved(
        &mut self,
        a: Placed,
        b: Placed,
        options: &RelationOptions,
    ) -> PairRelation {
        let found = match self.relation_of_curved(a, b) {
            Some(detail) => detail.relation,
            None => self.relation_with_smooth_shape(a, b),
        };
        let tolerance = options.touch_tolerance;
        let near = |bounds: Range| {
            tolerance > 0.0
                && bounds.is_about_at_most(tolerance)
                && bounds.negated().is_about_at_most(tolerance)
        };
        match found.exact {
            Relation::Undecided { bounds } | Relation::Separate { distance: bounds } if near(bounds) => {
                PairRelation { relation: Relation::Touching, ..found }
            }
            _ => found,
        }
    }

    /// A curved body and a shape without triangles: apart, or not known.
    fn relation_with_smooth_shape(&mut self, a: Placed, b: Placed) -> PairRelation {
        let distance = self.distance(a, b).range;
        let exact = if distance.lo() > 0.0 {
            Relation::Separate { distance }
        } else {
            let bounds = Range::new(f64::NEG_INFINITY, distance.hi()).unwrap_or(distance);
            Relation::Undecided { bounds }
        };
        PairRelation { relation: exact, exact, depth: None, solids: false }
    }

    /// An overlap with bounds narrow enough to compare it with the slack: round fits have surfaces that lie on each other all over, and
    /// few of them have to be measured closely.
    fn measured(&mut self, a: PlacedMesh, b: PlacedMesh, slack: f64) -> Result<Overlap, NotMeasured> {
        let mut overlap = self.faces.overlap_beyond(a, b, slack, NARROWER[0])?;
        for narrow in &NARROWER[1..] {
            let depth = overlap.depth();
            if depth.hi() <= slack || (depth.lo() > slack && depth.width() <= 0.01 * depth.hi()) {
                break;
            }
            overlap = self.faces.overlap_beyond(a, b, slack, *narrow)?;
        }
        Ok(overlap)
    }

    /// Whether a point is found that is inside both bodies, deeper than their deviations.
    fn meet_deep_inside(&mut self, a: PlacedMesh, b: PlacedMesh, bodies: [Placed; 2]) -> bool {
        let Some(depth) = self.faces.depth(a, b, 0) else { return false };
        let deep = |mesh: PlacedMesh, body: Placed| lies_deeper(mesh, depth.deepest, body.body.deviation());
        deep(a, bodies[0]) && deep(b, bodies[1])
    }
}

/// Triangles apart by so much.
fn apart(distance: Range, slack: f64) -> Relation {
    let true_distance = widened(distance, slack);
    if true_distance.lo() > 0.0 {
        Relation::Separate { distance: true_distance }
    } else {
        open(distance, slack)
    }
}

/// Nearer than the slack, or overlapping by less: the triangles have this signed distance.
fn open(signed: Range, slack: f64) -> Relation {
    Relation::Undecided { bounds: loosened(signed, slack) }
}

/// Triangles meet, and nothing tells how deep.
fn unknown(slack: f64) -> Relation {
    Relation::Undecided { bounds: Range::new(f64::NEG_INFINITY, slack).unwrap_or(Range::ZERO) }
}

/// Whether two bodies are one and the same in the same place.
fn is_same(a: Placed, b: Placed) -> bool {
    let same = match (a.body, b.body) {
        (Body::Curved(x), Body::Curved(y)) => Arc::ptr_eq(x, y) || x.brep() == y.brep(),
        _ => false,
    };
    same && a.pose == b.pose
}

/// Whether a point of the world is inside a mesh and farther than a depth from it.
fn lies_deeper(mesh: PlacedMesh, point: DVec3, depth: f64) -> bool {
    let far = mesh.nearest(point).is_some_and(|near| near.distance.lo() > depth);
    far && mesh.inside(point).verdict == Location::Inside
}

/// A patch whose features are faces of the bodies, not triangles.
fn named(mut patch: Patch, a: Placed, b: Placed) -> Patch {
    for contact in &mut patch.contacts {
        *contact = with_faces(*contact, a.body, b.body);
    }
    patch
}

/// A contact of triangles whose features are faces of the bodies; corners and sides of triangles of curved bodies are none of them.
#[must_use]
pub fn with_faces(contact: Contact, a: &Body, b: &Body) -> Contact {
    let face = |feature: Option<Feature>, body: &Body| match (feature, body) {
        (Some(Feature::Face(triangle)), Body::Curved(own)) => {
            own.tessellation().faces.get(triangle as usize).map(|&face| Feature::Face(face))
        }
        (_, Body::Curved(_)) => None,
        (feature, _) => feature,
    };
    Contact { feature_a: face(contact.feature_a, a), feature_b: face(contact.feature_b, b), ..contact }
}
