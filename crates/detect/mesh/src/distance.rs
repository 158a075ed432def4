//! How far two bodies are apart.

use kontakt_answers::Range;
use kontakt_math::DVec3;

use crate::asker::Asker;
use crate::mesh::Placed;
use crate::pairs::FacePair;
use crate::walk::stand_in;

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
        let mut best: Option<(f64, Distance)> = None;
        for i in 0..a.mesh.faces().triangles().len() as u32 {
            for j in 0..b.mesh.faces().triangles().len() as u32 {
                self.visits.face_tests += 1;
                let (length, points) = stand_in::distance(a, i, b, j);
                if best.is_none_or(|(least, _)| length < least) {
                    let range = stand_in::around(length);
                    let pair = FacePair { a: i, b: j };
                    best = Some((length, Distance { range, point_a: points[0], point_b: points[1], pair }));
                }
            }
        }
        best.map_or_else(Distance::unknown, |(_, distance)| distance)
    }
}

impl Distance {
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
