//! The six corners of two triangles and the exact signs that decide everything about them.

use kontakt_math::Between;
use kontakt_math::exact_map::{Homogeneous, determinant, exact_point};
use kontakt_math::predicates::{certain_side, orient2d, orient3d};
use kontakt_math::{DVec2, DVec3, Dyadic, Sign};
use std::cell::OnceCell;

/// 0, 1, 2: corners of A's triangle; 3, 4, 5: corners of B's.
pub type Corner = usize;

/// Heights in doubles are good enough for a share of an edge if their error is below this part of them.
const SHARE_ERROR: f64 = 1.0 / (1_u64 << 40) as f64;

/// Two triangles in A's frame, B's corners with a certified error. Signs are exact: a filter in doubles first, exact
/// homogeneous points where it cannot tell.
#[derive(Debug)]
pub struct Corners<'a> {
    between: &'a Between,
    /// In the frame of their own body: exact.
    own: [DVec3; 6],
    /// In A's frame; B's are off by at most `error`.
    placed: [DVec3; 6],
    error: f64,
    /// In a box: it is rarely needed, and corners are made by the million.
    exact: OnceCell<Box<[Homogeneous; 6]>>,
    /// How many signs needed exact numbers.
    exact_signs: u64,
}

impl<'a> Corners<'a> {
    /// A triangle in A's frame and one in B's.
    #[inline]
    pub fn new(between: &'a Between, a: [DVec3; 3], b: [DVec3; 3]) -> Corners<'a> {
        let placed = b.map(|x| between.b_in_a(x));
        let errors = b.map(|x| between.error_at(x));
        // `max` passes over NaN, the sum does not: what overflowed must not look exact.
        let error = errors[0].max(errors[1]).max(errors[2]) + 0.0 * (errors[0] + errors[1] + errors[2]);
        Corners {
            between,
            own: [a[0], a[1], a[2], b[0], b[1], b[2]],
            placed: [a[0], a[1], a[2], placed[0], placed[1], placed[2]],
            error,
            exact: OnceCell::new(),
            exact_signs: 0,
        }
    }

    /// A corner in the frame of its own body.
    #[inline]
    pub fn own(&self, corner: Corner) -> DVec3 {
        self.own[corner]
    }

    /// A corner in A's frame, rounded.
    #[inline]
    pub fn placed(&self, corner: Corner) -> DVec3 {
        self.placed[corner]
    }

    /// **Never too small**: error of B's placed corners; 0 when they are exact.
    #[inline]
    pub fn error(&self) -> f64 {
        self.error
    }

    /// How many signs needed exact numbers so far.
    pub fn exact_signs(&self) -> u64 {
        self.exact_signs
    }

    /// Exact sign of (p−s)·((q−s)×(r−s)) of four corners.
    ///
    /// Filter: the exact corners are within `error` of the placed ones.
    pub fn orient(&mut self, p: Corner, q: Corner, r: Corner, s: Corner) -> Sign {
        let at = &self.placed;
        if self.error == 0.0 {
            return orient3d(at[p], at[q], at[r], at[s]);
        }
        match certain_side(at[p], at[q], at[r], at[s], self.error) {
            Some(sign) => sign,
            None => self.exact_orient([p, q, r, s]),
        }
    }

    /// Exact turn of three corners seen along an axis of A's frame: positive when they turn counter-clockwise in the plane
    /// of the next two axes.
    ///
    /// Filter: as in `predicates::orient2d`; the edges change by at most 2r, the determinant by at most
    /// 4r·E + 4r² ≤ 4r(E + r); 5 covers rounding.
    pub fn flat(&mut self, axis: usize, p: Corner, q: Corner, r: Corner) -> Sign {
        const ROUNDING: f64 = 4.0 * (f64::EPSILON / 2.0);
        let [p2, q2, r2] = [p, q, r].map(|corner| flattened(self.placed[corner], axis));
        if self.error == 0.0 {
            return orient2d(p2, q2, r2);
        }
        let (a, b) = (p2 - r2, q2 - r2);
        let (left, right) = (a.x * b.y, a.y * b.x);
        let determinant = left - right;
        let reach = a.abs().element_sum().max(b.abs().element_sum()) + self.error;
        let moved = 5.0 * self.error * reach;
        let error = (left.abs() + right.abs()) * ROUNDING + moved + f64::MIN_POSITIVE;
        if determinant > error {
            Sign::Positive
        } else if -determinant > error {
            Sign::Negative
        } else {
            self.exact_flat(axis, [p, q, r])
        }
    }

    /// Exact sign of the difference p − q of two corners along an axis of A's frame.
    pub fn along(&mut self, axis: usize, p: Corner, q: Corner) -> Sign {
        let (x, y) = (self.placed[p][axis], self.placed[q][axis]);
        if self.error == 0.0 {
            return if x > y {
                Sign::Positive
            } else if x < y {
                Sign::Negative
            } else {
                Sign::Zero
            };
        }
        // Each is off by at most r; the difference rounds by u relative, which cannot pass a third r.
        let (difference, error) = (x - y, 3.0 * self.error);
        if difference > error {
            Sign::Positive
        } else if -difference > error {
            Sign::Negative
        } else {
            self.exact_signs += 1;
            let at = self.exact_corners();
            (&(&at[p][axis] * &at[q][3]) - &(&at[q][axis] * &at[p][3])).sign()
        }
    }

    /// Where the edge from p to q crosses the plane of three corners, as a share of the edge; p and q lie strictly on
    /// different sides. Off by at most 2⁻³⁹: where doubles are not good enough the heights are computed exactly.
    pub(super) fn share(&mut self, base: [Corner; 3], p: Corner, q: Corner) -> f64 {
        let at = &self.placed;
        let [a, b, c] = base.map(|corner| at[corner]);
        let (u, v, arms) = (b - a, c - a, [at[p] - a, at[q] - a]);
        let normal = u.cross(v);
        let (from, to) = (normal.dot(arms[0]), normal.dot(arms[1]));
        let size = |e: DVec3| e.abs().element_sum();
        let reach = [u, v, arms[0], arms[1]].iter().fold(2.0 * self.error, |far, x| far.max(size(*x)));
        // Each product of three differences rounds by less than 8u of itself on its way into the sum (differences 3u, products 2u, sums
        // 3u), 16u taken; what underflows fits into the smallest normal double for each arm. The corners' error is as in `orient`.
        let (x, y) = (u.abs(), v.abs());
        let permanent = DVec3::new(x.y * y.z + x.z * y.y, x.z * y.x + x.x * y.z, x.x * y.y + x.y * y.x);
        let furthest = arms[0].abs().max(arms[1].abs());
        let rounding = 8.0 * f64::EPSILON * permanent.dot(furthest);
        let error =
            rounding + 7.0 * self.error * (reach * reach) + (1.0 + size(furthest)) * f64::MIN_POSITIVE;
        if error < SHARE_ERROR * (from.abs() + to.abs()) {
            return (from / (from - to)).clamp(0.0, 1.0);
        }
        let [r, s, t] = base;
        let (from, to) = (self.exact_volume([r, s, t, p]), self.exact_volume([r, s, t, q]));
        from.quotient(&(&from - &to)).clamp(0.0, 1.0)
    }

    /// The same in the plane, seen along an axis: where the edge from p to q crosses the line of two corners.
    pub(super) fn flat_share(&mut self, axis: usize, base: [Corner; 2], p: Corner, q: Corner) -> f64 {
        let [a, b, from, to] = [base[0], base[1], p, q].map(|corner| flattened(self.placed[corner], axis));
        let line = b - a;
        let reach =
            [b, from, to].iter().fold(2.0 * self.error, |far, x| far.max((*x - a).abs().element_sum()));
        let (from, to) = (line.perp_dot(from - a), line.perp_dot(to - a));
        let error = (32.0 * f64::EPSILON * reach + 5.0 * self.error) * reach;
        if error < SHARE_ERROR * (from.abs() + to.abs()) {
            return (from / (from - to)).clamp(0.0, 1.0);
        }
        let [r, s] = base;
        let (from, to) = (self.exact_area(axis, [r, s, p]), self.exact_area(axis, [r, s, q]));
        // Each carries the weight of its third corner; p and q are of one body, so it is the same.
        from.quotient(&(&from - &to)).clamp(0.0, 1.0)
    }

    fn exact_corners(&self) -> &[Homogeneous; 6] {
        self.exact.get_or_init(|| {
            Box::new(std::array::from_fn(|corner| {
                let x = self.own[corner];
                if corner < 3 { exact_point(x) } else { self.between.exact_b(x) }
            }))
        })
    }

    #[cold]
    fn exact_orient(&mut self, corners: [Corner; 4]) -> Sign {
        self.exact_volume(corners).sign()
    }

    #[cold]
    fn exact_flat(&mut self, axis: usize, corners: [Corner; 3]) -> Sign {
        self.exact_area(axis, corners).sign()
    }

    /// The determinant of the rows (x, y, z, w) is orient3d times the (positive) weights.
    fn exact_volume(&mut self, corners: [Corner; 4]) -> Dyadic {
        self.exact_signs += 1;
        let at = self.exact_corners();
        determinant(corners.map(|corner| &at[corner]))
    }

    fn exact_area(&mut self, axis: usize, corners: [Corner; 3]) -> Dyadic {
        self.exact_signs += 1;
        let at = self.exact_corners();
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let [p, q, r] = corners.map(|corner| &at[corner]);
        let minor = |s: &Homogeneous, t: &Homogeneous| &(&s[i] * &t[j]) - &(&s[j] * &t[i]);
        let sum = &(&minor(p, q) * &r[3]) + &(&minor(q, r) * &p[3]);
        &sum + &(&minor(r, p) * &q[3])
    }
}

/// The two coordinates after `axis`, cyclically.
#[inline]
pub(super) fn flattened(x: DVec3, axis: usize) -> DVec2 {
    match axis {
        0 => DVec2::new(x.y, x.z),
        1 => DVec2::new(x.z, x.x),
        _ => DVec2::new(x.x, x.y),
    }
}
