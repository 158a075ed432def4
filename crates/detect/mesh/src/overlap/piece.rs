//! A convex piece of space as the hull of points, and how it is cut by a plane.
//!
//! **What a part covers.** The exact part of a hull on one side of a plane is the hull of the corners there and of the points where
//! segments from a corner on this side to one on the other cross the plane. Heights over the plane are rounded by at most 32u of the size s
//! of the numbers, so each part is cut [`OVERLAP`]·s beyond the plane: all corners and crossings of the exact part are then at or before
//! the crossings computed, on the same segments, so that the part covers the exact one but for the rounding of points, a few u of s.
//!
//! **Crossings left out.** Of the crossings, which are in one plane to rounding, the corners of their hull are kept. One that is left out
//! is behind the line between two others up to [`NOISE`]·s, 16u of it, and the rounding of its height over the line, 4u of the
//! piece's width, which is at most 3.5s. So n that are left out are within 30nu·s of the hull of those kept. Each piece has the sum of
//! all that on its way from the whole, and is not cut any more when that is [`ROUNDING`]·s.

use super::ridge::Plane;
use kontakt_math::DVec3;

/// How far parts go beyond the plane of a cut, in units of the largest coordinate.
const OVERLAP: f64 = 64.0 * f64::EPSILON;
/// Crossings so near to a line between others are taken to be on it, in units of the largest coordinate.
const NOISE: f64 = 8.0 * f64::EPSILON;
/// What a crossing left out may be off by, in the same units.
const LEFT_OUT: f64 = 16.0 * f64::EPSILON;
/// More crossings would take too long.
const MOST_CROSSINGS: usize = 400;
/// **Never too small**: how far a point of a piece may be from its parts' parts, in the same units.
pub(super) const ROUNDING: f64 = 3e-11;

/// The hull of some points; flat ones too.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) corners: Vec<DVec3>,
    /// How far points of the whole may be from the parts that should have them.
    doubt: f64,
    /// The largest coordinate of the whole.
    size: f64,
}

impl Piece {
    pub(super) fn new(points: &[DVec3]) -> Piece {
        let corners = distinct(points);
        let size = corners.iter().fold(0.0, |size: f64, x| size.max(x.abs().max_element()));
        Piece { corners, doubt: 0.0, size }
    }

    /// A point of it, to rounding.
    pub(super) fn middle(&self) -> DVec3 {
        self.corners.iter().sum::<DVec3>() / self.corners.len() as f64
    }

    /// The largest coordinate of the whole.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// Lowest and highest corner of the box around it.
    pub(super) fn extent(&self) -> [DVec3; 2] {
        let start = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        self.corners.iter().fold(start, |[low, high], x| [low.min(*x), high.max(*x)])
    }

    /// About how wide it is: not less than half of the largest distance of two corners.
    pub(super) fn width(&self) -> f64 {
        self.corners.iter().map(|x| x.distance(self.corners[0])).fold(0.0, f64::max)
    }

    /// Least and largest n·x of its points, to rounding.
    pub(super) fn span(&self, n: DVec3) -> [f64; 2] {
        let start = [f64::INFINITY, f64::NEG_INFINITY];
        self.corners.iter().fold(start, |[low, high], x| [low.min(n.dot(*x)), high.max(n.dot(*x))])
    }

    /// The plane across its longest extent, through the middle of that.
    pub(super) fn middle_plane(&self) -> Option<Plane> {
        let far = |from: DVec3| {
            let all = self.corners.iter().copied();
            all.max_by(|x, y| x.distance_squared(from).total_cmp(&y.distance_squared(from)))
        };
        let one = far(*self.corners.first()?)?;
        let other = far(one)?;
        let normal = (other - one).try_normalize()?;
        Some(Plane { normal, offset: normal.dot((one + other) * 0.5) })
    }

    /// The parts behind and before a plane. None where it leaves nothing of note on one side, or more than can be handled.
    pub(super) fn parted(&self, plane: Plane) -> Option<[Piece; 2]> {
        /// What is thinner than this share of the whole is nothing of note.
        const NOTE: f64 = 1e-4;
        let [low, high] = self.span(plane.normal).map(|height| height - plane.offset);
        let thin = NOTE * (high - low);
        if !(low < -thin && high > thin) {
            return None;
        }
        let turned = Plane { normal: -plane.normal, offset: -plane.offset };
        Some([self.behind(plane)?, self.behind(turned)?])
    }

    fn behind(&self, Plane { normal, offset }: Plane) -> Option<Piece> {
        let beyond = OVERLAP * self.size;
        let heights: Vec<f64> = self.corners.iter().map(|x| normal.dot(*x) - offset - beyond).collect();
        let (mut kept, mut crossings) = (Vec::new(), Vec::new());
        for (x, &h) in self.corners.iter().zip(&heights) {
            if h > 0.0 {
                continue;
            }
            kept.push(*x);
            for (y, &j) in self.corners.iter().zip(&heights) {
                if j > 0.0 {
                    crossings.push(*x + (*y - *x) * (h / (h - j)));
                }
            }
        }
        if crossings.len() > MOST_CROSSINGS {
            return None;
        }
        let crossings = distinct(&crossings);
        let count = crossings.len();
        let hull = flat_hull(crossings, normal, NOISE * self.size);
        let left_out = count.saturating_sub(hull.len()) + 1;
        let doubt = self.doubt + LEFT_OUT * left_out as f64 * self.size;
        kept.extend(hull);
        (doubt < 0.99 * ROUNDING * self.size).then(|| Piece {
            corners: distinct(&kept),
            doubt,
            size: self.size,
        })
    }
}

fn distinct(points: &[DVec3]) -> Vec<DVec3> {
    let mut found: Vec<DVec3> = Vec::with_capacity(points.len());
    for &point in points {
        if !found.contains(&point) {
            found.push(point);
        }
    }
    found
}

/// The corners of the hull of points in a plane.
fn flat_hull(points: Vec<DVec3>, normal: DVec3, noise: f64) -> Vec<DVec3> {
    if points.len() < 3 {
        return points;
    }
    let (u, v) = normal.any_orthonormal_pair();
    let origin = points[0];
    // Along the longer extent, so that points in a line are in order on it.
    let reach = |axis: DVec3| points.iter().map(|x| axis.dot(*x - origin).abs()).fold(0.0, f64::max);
    let (u, v) = if reach(u) < reach(v) { (v, u) } else { (u, v) };
    let mut flat: Vec<([f64; 2], DVec3)> =
        points.iter().map(|x| ([u.dot(*x - origin), v.dot(*x - origin)], *x)).collect();
    flat.sort_by(|x, y| x.0[0].total_cmp(&y.0[0]).then(x.0[1].total_cmp(&y.0[1])));
    let mut hull = chain(flat.iter(), noise);
    let mut upper = chain(flat.iter().rev(), noise);
    // Both begin and end at the ends of the order.
    hull.pop();
    upper.pop();
    hull.extend(upper);
    hull
}

/// One side of the hull of points in order, without those that are within the noise of a line between others.
fn chain<'p>(points: impl Iterator<Item = &'p ([f64; 2], DVec3)>, noise: f64) -> Vec<DVec3> {
    let mut chain: Vec<&([f64; 2], DVec3)> = Vec::new();
    for point in points {
        while let [.., from, last] = chain.as_slice() {
            let side = |to: [f64; 2]| [to[0] - from.0[0], to[1] - from.0[1]];
            let (a, b) = (side(last.0), side(point.0));
            let turn = a[0] * b[1] - a[1] * b[0];
            let (along, length) = (a[0] * b[0] + a[1] * b[1], b[0].hypot(b[1]));
            let between = along >= 0.0 && along <= length * length;
            if turn > 0.0 && !(between && turn <= noise * length) {
                break;
            }
            chain.pop();
        }
        chain.push(point);
    }
    chain.into_iter().map(|point| point.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Piece {
        let corner = |k: u32| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
        Piece::new(&(0..8).map(corner).collect::<Vec<_>>())
    }

    /// Cut after cut, a part has the corners of the exact one and no more.
    #[test]
    fn parts_of_a_cube_are_boxes() {
        let mut piece = cube();
        for k in 0..30 {
            let axis = DVec3::AXES[k % 3];
            let [low, high] = piece.span(axis);
            let plane = Plane { normal: axis, offset: 0.5 * (low + high) };
            let [behind, before] = piece.parted(plane).unwrap();
            assert_eq!((behind.corners.len(), before.corners.len()), (8, 8), "cut {k}");
            assert!((behind.span(axis)[1] - plane.offset).abs() < 1e-13);
            assert!((before.span(axis)[0] - plane.offset).abs() < 1e-13);
            piece = if k % 2 == 0 { behind } else { before };
        }
        assert!(piece.width() < 2e-3 && piece.width() > 1e-3);
    }

    /// A hexagon across the diagonal; flat pieces and points are cut too.
    #[test]
    fn slanted_cuts_and_flat_pieces() {
        let normal = DVec3::ONE.normalize();
        let [behind, before] =
            cube().parted(Plane { normal, offset: normal.dot(DVec3::splat(0.5)) }).unwrap();
        assert_eq!((behind.corners.len(), before.corners.len()), (4 + 6, 4 + 6));
        let square = Piece::new(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y]);
        let [left, right] = square.parted(Plane { normal: DVec3::X, offset: 0.25 }).unwrap();
        assert_eq!((left.corners.len(), right.corners.len()), (4, 4));
        assert!(square.parted(Plane { normal: DVec3::Z, offset: 0.0 }).is_none());
        assert!(square.parted(Plane { normal: DVec3::X, offset: 2.0 }).is_none());
    }
}
