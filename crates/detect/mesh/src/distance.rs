//! How far two bodies are apart.

use kontakt_answers::Range;
use kontakt_math::DVec3;

use crate::face::{Between, distance_between};
use crate::face_pair::FacePair;
use crate::mesh::PlacedMesh;
use crate::walk::nearing::Outcome;

/// The distance of two bodies' faces and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// **Certified**: contains the exact distance; [0, 0] exactly when the bodies have a common point.
    pub range: Range,
    /// The point on A's face, in world coordinates, rounded.
    pub point_a: DVec3,
    /// The point on B's face, in world coordinates, rounded.
    pub point_b: DVec3,
    /// The two faces.
    pub pair: FacePair,
}

/// The range of a distance that may be 0.
pub(crate) fn up_to(hi: f64) -> Range {
    Range::new(0.0, hi).unwrap_or(Range::ZERO)
}

/// The range of a positive distance.
pub(crate) fn apart(lo: f64, hi: f64) -> Range {
    let least = f64::from_bits(1);
    Range::new(lo.max(least).min(hi), hi).unwrap_or(Range::ZERO)
}

impl Distance {
    /// The same seen with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> Distance {
        let Distance { range, point_a, point_b, pair } = self;
        Distance { range, point_a: point_b, point_b: point_a, pair: pair.swapped() }
    }

    /// What a search for the nearest faces says of two bodies without a common point, beside two points of theirs.
    pub(crate) fn apart(a: PlacedMesh, outcome: &Outcome, glance: Option<Glance>) -> Distance {
        let Some(nearest) = outcome.nearest else {
            return match glance {
                Some(glance) => glance.distance(a, apart(outcome.lo, glance.hi)),
                None => Distance::unknown(true),
            };
        };
        // Nearest faces whose bounds are wider than two corners leave it.
        let hi = glance.map_or(nearest.hi, |glance| nearest.hi.min(glance.hi));
        Distance {
            range: apart(outcome.lo, hi),
            point_a: a.pose.apply(nearest.point_a),
            point_b: a.pose.apply(nearest.point_b),
            pair: nearest.pair,
        }
    }

    /// What is known of two bodies of which it is not known whether they have a common point.
    pub(crate) fn open(a: PlacedMesh, glance: Option<Glance>) -> Distance {
        glance.map_or(Distance::unknown(false), |glance| glance.distance(a, up_to(glance.hi)))
    }

    /// Zero, at the faces in contact.
    pub(crate) fn contact(between: &Between, a: PlacedMesh, b: PlacedMesh, pair: FacePair) -> Distance {
        let corners = |body: PlacedMesh, face: u32| {
            body.mesh.faces().triangles()[face as usize].map(|v| body.mesh.faces().vertices()[v as usize])
        };
        let found = distance_between(between, corners(a, pair.a), corners(b, pair.b));
        let [point_a, point_b] = [found.point_a, found.point_b].map(|x| a.pose.apply(x));
        Distance { range: Range::ZERO, point_a, point_b, pair }
    }

    /// No distance could be computed, only whether it is known not to be 0: coordinates are beyond the doubles, or time was over.
    pub(crate) fn unknown(is_apart: bool) -> Distance {
        Distance {
            range: if is_apart { apart(0.0, f64::INFINITY) } else { up_to(f64::INFINITY) },
            point_a: DVec3::ZERO,
            point_b: DVec3::ZERO,
            pair: FacePair { a: 0, b: 0 },
        }
    }
}

/// Two corners, one of each body: how far the bodies are apart at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glance {
    /// **Never less** than the distance of the bodies.
    pub(crate) hi: f64,
    /// In A's frame.
    points: [DVec3; 2],
    pair: FacePair,
}

/// As many corners of each body are compared.
const CORNERS: usize = 8;
/// Nearest faces are measured closer than this: where they are known, corners are not asked.
const LOOSE: f64 = 1.0 + 1e-9;

impl Glance {
    /// The nearest of a few corners; none where coordinates are beyond the doubles.
    ///
    /// The distance of a corner of A and the exact image of one of B is at most that of the rounded image and its error; difference and
    /// length round by a few units in the last place, which the factor covers.
    pub(crate) fn new(between: &Between, a: PlacedMesh, b: PlacedMesh) -> Option<Glance> {
        let some = |body: PlacedMesh, k: usize| {
            let tree = body.mesh.tree();
            let slot = k * tree.order().len() / CORNERS;
            let vertex = *tree.corners().get(slot)?.first()?;
            Some((*body.mesh.faces().vertices().get(vertex as usize)?, *tree.order().get(slot)?))
        };
        let mut best: Option<(f64, Glance)> = None;
        for (y, face_b) in (0..CORNERS).filter_map(|k| some(b, k)) {
            let (image, error) = (between.b_in_a(y), between.error_at(y));
            for (x, face_a) in (0..CORNERS).filter_map(|k| some(a, k)) {
                let hi = (x.distance(image) + error) * LOOSE;
                if hi.is_finite() && best.is_none_or(|(least, _)| hi < least) {
                    let pair = FacePair { a: face_a, b: face_b };
                    best = Some((hi, Glance { hi, points: [x, image], pair }));
                }
            }
        }
        best.map(|(_, glance)| glance)
    }

    fn distance(&self, a: PlacedMesh, range: Range) -> Distance {
        let [point_a, point_b] = self.points.map(|x| a.pose.apply(x));
        Distance { range, point_a, point_b, pair: self.pair }
    }
}
