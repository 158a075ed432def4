//! Where two pieces are nearest at one time, by the search of Gilbert, Johnson and Keerthi; and the proof that they meet.
//!
//! Directions found here are not certified: whoever uses one proves with it what it needs.

use super::piece::Piece;
use crate::leg::Relative;
use crate::simplex::{NONE, closest};
use crate::triangles::certain_side;
use kontakt_math::DVec3;

/// Up to four points of B − A, each from a point of A (A's frame) and one of B (B's frame).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corners {
    count: usize,
    of_a: [DVec3; 4],
    of_b: [DVec3; 4],
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// The cores are apart, as far as doubles tell.
    Apart(Near),
    /// The cores seem to meet.
    Meeting,
}

/// Where two cores are nearest, in A's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// From A to B, of length 1 to rounding.
    pub(crate) direction: DVec3,
    /// Nearest points of the cores, to rounding.
    pub(crate) points: [DVec3; 2],
}

/// Most rounds.
const MOST_ROUNDS: u32 = 48;

/// Two pieces at one time.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) a: &'a Piece<'a>,
    pub(crate) b: &'a Piece<'a>,
    pub(crate) relative: &'a Relative,
}

impl Scene<'_> {
    /// The farthest points of A along a direction and of B against it: A's in A's frame, B's in B's.
    #[inline]
    fn farthest(&self, direction: DVec3) -> [DVec3; 2] {
        let back = self.relative.turn.transpose() * -direction;
        [self.a.farthest(direction), self.b.farthest(back)]
    }

    /// **Never too small**: how far a point of B − A computed here may be from one of the exact difference.
    pub(crate) fn error(&self) -> f64 {
        (self.a.error + self.b.error + self.relative.error_within(self.b.far)) * (1.0 + 1e-9)
    }

    /// The direction between the cores, refined until the gap of the grown bodies along it is within `loose` of the best, beginning
    /// with what was nearest before.
    pub(crate) fn nearest(&self, corners: &mut Corners, loose: f64) -> Found {
        match self.search(corners, loose, false) {
            End::Near(near) => Found::Apart(near),
            End::Inside(_) | End::Within | End::Lost => Found::Meeting,
        }
    }

    /// Whether the grown pieces are **proven** to meet.
    ///
    /// Proof: either two points of the cores, each within its error, are nearer than the radii; or the origin is within
    /// a tetrahedron of four points of B − A, and stays so when each is moved by its error (`certain_side`): then it is
    /// in B − A, which is convex.
    pub(crate) fn proves_contact(&self, corners: &mut Corners) -> bool {
        match self.search(corners, 0.0, true) {
            End::Within => true,
            End::Near(_) | End::Lost => false,
            End::Inside(points) => {
                let [p, q, r, s] = points;
                // Differences of points of about this size round by u of it, both coordinates of A and of B.
                let size = points.iter().fold(0.0_f64, |size, x| size.max(x.abs().max_element()));
                let error = self.error() + 4.0 * f64::EPSILON * (size + self.a.far);
                let side = |x, y, z| certain_side(x, y, z, DVec3::ZERO, error);
                let first = side(q, r, s);
                first != 0 && side(p, s, r) == first && side(p, q, s) == first && side(p, r, q) == first
            }
        }
    }

    fn search(&self, corners: &mut Corners, loose: f64, meeting: bool) -> End {
        let round = self.a.round[1] + self.b.round[1];
        let within = (self.a.round[0] + self.b.round[0]) * (1.0 - 1e-15) - self.error();
        if corners.count == 0 {
            let start = self.relative.b_in_a(self.b.centre) - self.a.centre;
            let [x, y] = self.farthest(start.normalize_or(DVec3::X));
            (corners.count, corners.of_a[0], corners.of_b[0]) = (1, x, y);
        }
        let place = |x: DVec3, y: DVec3| self.relative.b_in_a(y) - x;
        let mut points = [DVec3::ZERO; 4];
        for (i, point) in points.iter_mut().enumerate().take(corners.count) {
            *point = place(corners.of_a[i], corners.of_b[i]);
        }
        let mut last = f64::INFINITY;
        let mut near = None;
        for _ in 0..MOST_ROUNDS {
            let Some((kept, weights)) = closest(&points[..corners.count]) else {
                let inside = End::Inside(points);
                corners.count = 3;
                return inside;
            };
            let (mut v, mut total, mut shares) = (DVec3::ZERO, 0, [0.0; 3]);
            let before = (points, *corners);
            for (place, &i) in kept.iter().enumerate().filter(|&(_, &i)| i != NONE) {
                v += before.0[i] * weights[place];
                (points[total], shares[total]) = (before.0[i], weights[place]);
                (corners.of_a[total], corners.of_b[total]) = (before.1.of_a[i], before.1.of_b[i]);
                total += 1;
            }
            corners.count = total;
            let length = v.length();
            let direction = across(&points[..total], v);
            let mix = |cloud: &[DVec3; 4]| (0..total).fold(DVec3::ZERO, |sum, i| sum + cloud[i] * shares[i]);
            let found = [mix(&corners.of_a), self.relative.b_in_a(mix(&corners.of_b))];
            let rounding = 16.0 * f64::EPSILON * (self.a.far + self.b.far + length);
            if meeting && found[0].distance(found[1]) + rounding < within {
                return End::Within;
            }
            if length == 0.0 || length >= last || length.is_nan() {
                return near.map_or(End::Lost, End::Near);
            }
            let here = Near { direction, points: found };
            near = Some(here);
            last = length;
            let [x, y] = self.farthest(direction);
            let w = place(x, y);
            let known = (0..total).any(|i| corners.of_a[i] == x && corners.of_b[i] == y);
            // The gap along the direction is direction·w − round; at best it is |v| − round.
            let gap = direction.dot(w) - round;
            let enough =
                if meeting { gap > 0.0 } else { length - round - gap <= loose * (length - round).abs() };
            if known || enough {
                return End::Near(here);
            }
            (points[total], corners.of_a[total], corners.of_b[total]) = (w, x, y);
            corners.count = total + 1;
        }
        corners.count = corners.count.min(3);
        near.map_or(End::Lost, End::Near)
    }
}

enum End {
    Near(Near),
    /// Two points are proven nearer than the radii.
    Within,
    /// Nothing can be told.
    Lost,
    Inside([DVec3; 4]),
}

/// The direction of v, across the points that carry it: for three points of their plane, which is exact where v is all rounding.
fn across(points: &[DVec3], v: DVec3) -> DVec3 {
    let direction = match *points {
        [p, q, r] => {
            let n = (q - p).cross(r - p);
            if n.dot(v) < 0.0 { -n } else { n }
        }
        [p, q] => {
            let e = q - p;
            v - e * (v.dot(e) / e.length_squared())
        }
        _ => v,
    };
    let unit = direction.normalize_or_zero();
    if unit.is_finite() && unit != DVec3::ZERO { unit } else { v.normalize_or(DVec3::X) }
}
