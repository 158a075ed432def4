//! How far two bodies are apart.

use kontakt_answers::Range;
use kontakt_math::DVec3;

use crate::asker::{MeshQuery, in_other_order};
use crate::clearance::Limit;
use crate::face::{Between, distance_between};
use crate::mesh::PlacedMesh;
use crate::pairs::FacePair;
use crate::walk::descent::Bodies;
use crate::walk::nearing::{Nearing, Outcome};

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

impl MeshQuery {
    /// The distance of the two bodies' faces (a body inside another without touching it is *apart*). Once the asker's deadline has
    /// passed, what is known by then: a range from 0 says that it is not even known whether they have a common point.
    pub fn distance(&mut self, a: PlacedMesh, b: PlacedMesh) -> Distance {
        if in_other_order(a, b) {
            return self.distance_of(b, a).swapped();
        }
        self.distance_of(a, b)
    }

    fn distance_of(&mut self, a: PlacedMesh, b: PlacedMesh) -> Distance {
        let between = Between::new(a.pose, b.pose);
        let contact = self.contact_until(a, b, self.deadline);
        if let Ok(Some(pair)) = contact {
            return Distance::contact(&between, a, b, pair);
        }
        match self.nearest_faces(&between, a, b, f64::INFINITY, None) {
            Outcome { lo, nearest: Some(nearest) } => Distance {
                range: if contact.is_ok() { apart(lo, nearest.hi) } else { up_to(nearest.hi) },
                point_a: a.pose.apply(nearest.point_a),
                point_b: a.pose.apply(nearest.point_b),
                pair: nearest.pair,
            },
            Outcome { nearest: None, .. } => Distance::unknown(contact.is_ok()),
        }
    }

    /// The nearest faces of two bodies without a common point; see [`Nearing::search`].
    pub(crate) fn nearest_faces(
        &mut self,
        between: &Between,
        a: PlacedMesh,
        b: PlacedMesh,
        below: f64,
        enough: Option<Limit>,
    ) -> Outcome {
        let MeshQuery { isa, visits, agenda, desk, deadline, .. } = self;
        let bodies = Bodies { isa: *isa, between, a: a.mesh, b: b.mesh };
        Nearing { bodies, agenda, desk, visits, deadline: *deadline }.search(below, enough)
    }
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

    /// Zero, at the faces in contact.
    fn contact(between: &Between, a: PlacedMesh, b: PlacedMesh, pair: FacePair) -> Distance {
        let corners = |body: PlacedMesh, face: u32| {
            body.mesh.faces().triangles()[face as usize].map(|v| body.mesh.faces().vertices()[v as usize])
        };
        let found = distance_between(between, corners(a, pair.a), corners(b, pair.b));
        let [point_a, point_b] = [found.point_a, found.point_b].map(|x| a.pose.apply(x));
        Distance { range: Range::ZERO, point_a, point_b, pair }
    }

    /// No distance could be computed, only whether it is known not to be 0: coordinates are beyond the doubles, or time was over.
    fn unknown(is_apart: bool) -> Distance {
        Distance {
            range: if is_apart { apart(0.0, f64::INFINITY) } else { up_to(f64::INFINITY) },
            point_a: DVec3::ZERO,
            point_b: DVec3::ZERO,
            pair: FacePair { a: 0, b: 0 },
        }
    }
}
