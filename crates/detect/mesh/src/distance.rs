//! How far two bodies are apart.

use kontakt_answers::Range;
use kontakt_math::DVec3;

use crate::asker::Asker;
use crate::face::{Between, distance_between};
use crate::mesh::Placed;
use crate::pairs::FacePair;
use crate::walk::nearing::Nearing;

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

impl Asker {
    /// The distance of the two bodies' faces (a body inside another without touching it is *apart*).
    pub fn distance(&mut self, a: Placed, b: Placed) -> Distance {
        let between = Between::new(a.pose, b.pose);
        if let Some(pair) = self.any_contact(a, b) {
            return Distance::contact(&between, a, b, pair);
        }
        let Asker { visits, waiting, side, .. } = self;
        let mut nearing = Nearing { between: &between, a: a.mesh, b: b.mesh, waiting, side, visits };
        let outcome = nearing.search(f64::INFINITY, 0.0);
        match outcome.nearest {
            Some(nearest) => Distance {
                range: apart(outcome.lo, nearest.hi),
                point_a: a.pose.apply(nearest.point_a),
                point_b: a.pose.apply(nearest.point_b),
                pair: nearest.pair,
            },
            None => Distance::unknown(),
        }
    }
}

/// The range of a positive distance.
pub(crate) fn apart(lo: f64, hi: f64) -> Range {
    let least = f64::from_bits(1);
    Range::new(lo.max(least).min(hi), hi).unwrap_or(Range::ZERO)
}

impl Distance {
    fn contact(between: &Between, a: Placed, b: Placed, pair: FacePair) -> Distance {
        let corners = |body: Placed, face: u32| {
            body.mesh.faces().triangles()[face as usize].map(|v| body.mesh.faces().vertices()[v as usize])
        };
        let found = distance_between(between, corners(a, pair.a), corners(b, pair.b));
        let [point_a, point_b] = [found.point_a, found.point_b].map(|x| a.pose.apply(x));
        Distance { range: Range::ZERO, point_a, point_b, pair }
    }

    /// Nothing is known: the answer about a body without faces, of which there is none.
    fn unknown() -> Distance {
        Distance {
            range: Range::ZERO,
            point_a: DVec3::ZERO,
            point_b: DVec3::ZERO,
            pair: FacePair { a: 0, b: 0 },
        }
    }
}
