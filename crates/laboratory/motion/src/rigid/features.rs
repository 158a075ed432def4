//! A corner against a face and two edges on their way, in plain doubles.

use kontakt_math::DVec3;

/// Where the corners of two features are: the first four are one corner and a face, or two edges.
pub(super) type Places = [DVec3; 4];

/// Which kind of pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A corner and the three corners of a face.
    CornerFace,
    /// The ends of two edges.
    EdgeEdge,
}

impl Kind {
    /// Zero when the four corners lie in a plane: n·(v − w) with n not normalised, so that it is continuous in time.
    pub(super) fn height(self, [p, q, r, s]: Places) -> f64 {
        match self {
            Kind::CornerFace => (r - q).cross(s - q).dot(p - q),
            Kind::EdgeEdge => (q - p).cross(s - r).dot(p - r),
        }
    }

    /// Coordinates that are all within [0, 1] when the features meet in the common plane; none for parallel edges and flat faces.
    pub(super) fn coordinates(self, [p, q, r, s]: Places) -> Option<[f64; 3]> {
        let found = match self {
            Kind::CornerFace => {
                let (u, v, w) = (r - q, s - q, p - q);
                let n = u.cross(v);
                let square = n.length_squared();
                let (x, y) = (w.cross(v).dot(n) / square, u.cross(w).dot(n) / square);
                [x, y, 1.0 - x - y]
            }
            Kind::EdgeEdge => {
                let (d, e, w) = (q - p, s - r, r - p);
                let n = d.cross(e);
                let square = n.length_squared();
                [w.cross(e).dot(n) / square, w.cross(d).dot(n) / square, 0.0]
            }
        };
        found.iter().all(|x| x.is_finite()).then_some(found)
    }
}

/// Whether all coordinates are within [0, 1].
pub(super) fn inside(coordinates: [f64; 3]) -> bool {
    coordinates.iter().all(|x| (0.0..=1.0).contains(x))
}
