//! The depth of two boxes by the fifteen axes that facets of their difference can have, certified in doubles.
//!
//! Axes: three face normals of A, three of B, nine cross products of edges. Nothing is said when two axes are within roundings of
//! each other, or when more than a corner and a face or two edges touch: the general descent tells more then.

use crate::facet::Facet;
use kontakt_math::{Between, DMat3, DVec3, U};

/// Which axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    FaceOfA(usize),
    FaceOfB(usize),
    Edges(usize, usize),
}

/// Two boxes: half extents, B's axes as columns and its centre in A's frame, and what they err by.
struct Boxes<'a> {
    a: DVec3,
    b: DVec3,
    turn: DMat3,
    shift: DVec3,
    between: &'a Between,
    /// Each axis of B errs by at most this.
    turn_error: f64,
    /// Each overlap along a unit vector that is exact but for `turn_error` errs by at most this.
    noise: f64,
}

/// The least overlap so far, and the least lower bound of all other axes.
struct Search {
    axis: Axis,
    value: f64,
    error: f64,
    /// Least value − error of the axes passed over.
    rivals: f64,
}

impl Search {
    fn offer(&mut self, axis: Axis, value: f64, error: f64) {
        if value < self.value {
            self.rivals = self.rivals.min(self.value - self.error);
            (self.axis, self.value, self.error) = (axis, value, error);
        } else {
            self.rivals = self.rivals.min(value - error);
        }
    }
}

/// What the axes tell.
pub(crate) enum Told {
    /// The depth is certain and positive, its facet unique, and the contact one of corner and face or of two edges.
    Depth(Facet),
    /// The least overlap may be zero or none.
    Border,
    /// They overlap, but doubles do not tell more.
    Unclear,
}

/// The depth of boxes with these half extents.
pub(crate) fn boxes(a: DVec3, b: DVec3, between: &Between) -> Told {
    let (turn, shift) = (between.turn(), between.shift());
    let shift_error = between.error_within(0.0);
    let turn_error = between.error_within(1.0) - shift_error + 4.0 * U;
    let size = a.element_sum() + b.element_sum() + shift.abs().element_sum();
    // Sums of at most seven products of an extent and an entry of the turn; each entry errs by `turn_error`, the sum by 8u.
    let noise = (size * (turn_error + 8.0 * U) + shift_error) * (1.0 + 1e-9);
    let boxes = Boxes { a, b, turn, shift, between, turn_error, noise };
    let search = boxes.search();
    let (low, high) = (search.value - search.error, search.value + search.error);
    // Written so that NaN says no.
    if low > 0.0 {
        let facet = if search.rivals > high { boxes.facet(&search, low, high) } else { None };
        facet.map_or(Told::Unclear, Told::Depth)
    } else {
        Told::Border
    }
}

impl Boxes<'_> {
    /// Overlaps along all axes. For edges e and f with the cross product n, L = |n|, computed overlap and length err by `noise`
    /// and `turn_error`: their quotient by (`noise` + overlap·`turn_error`)/L, which twice `noise`/L covers. Where L is too
    /// small for that the rival's bound becomes −∞.
    fn search(&self) -> Search {
        let (a, b, t) = (self.a, self.b, self.shift);
        let columns = [self.turn.x_axis, self.turn.y_axis, self.turn.z_axis];
        let sizes = [columns[0].abs(), columns[1].abs(), columns[2].abs()];
        let across = sizes[0] * b.x + sizes[1] * b.y + sizes[2] * b.z;
        let along_a = a + across - t.abs();
        let mut search =
            Search { axis: Axis::FaceOfA(0), value: along_a.x, error: self.noise, rivals: f64::INFINITY };
        search.offer(Axis::FaceOfA(1), along_a.y, self.noise);
        search.offer(Axis::FaceOfA(2), along_a.z, self.noise);
        for (j, column) in columns.iter().enumerate() {
            let value = b[j] + sizes[j].dot(a) - t.dot(*column).abs();
            search.offer(Axis::FaceOfB(j), value, self.noise);
        }
        for [i, k, l] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            for (j, column) in columns.iter().enumerate() {
                let (m, n) = ((j + 1) % 3, (j + 2) % 3);
                // e_i × column_j has the entries −r_lj at k and r_kj at l; its products with columns m and n are ±r_in and ±r_im.
                let (r_k, r_l) = (column[k], column[l]);
                let squared = r_k * r_k + r_l * r_l;
                let overlap = a[k] * r_l.abs() + a[l] * r_k.abs() + b[m] * sizes[n][i] + b[n] * sizes[m][i]
                    - (t[l] * r_k - t[k] * r_l).abs();
                let inverse = 1.0 / squared.sqrt();
                let error = if squared > 1e-20 { 2.0 * self.noise * inverse } else { f64::INFINITY };
                let value = if squared > 1e-20 { overlap * inverse } else { f64::MAX };
                search.offer(Axis::Edges(i, j), value, error);
            }
        }
        search
    }

    /// Normal and points for the axis found.
    fn facet(&self, search: &Search, low: f64, high: f64) -> Option<Facet> {
        let (normal, axis_error) = self.normal(search.axis)?;
        let back = self.turn.transpose() * normal;
        let depth = search.value;
        // A corner is the only one along the normal when no edge is across it, whatever the normal's error.
        let level = axis_error + self.turn_error + 8.0 * U;
        let is_level = |n: DVec3, half: DVec3, but: Option<usize>| {
            (0..3).any(|i| Some(i) != but && half[i] > 0.0 && n[i].abs() <= level)
        };
        let corner = |n: DVec3, half: DVec3| half * DVec3::new(sign(n.x), sign(n.y), sign(n.z));
        let (mut point_a, mut point_b) = (corner(normal, self.a), corner(-back, self.b));
        let to_b = |x: DVec3| self.turn.transpose() * (x - self.shift);
        let mut lever = 1.0;
        match search.axis {
            Axis::FaceOfA(_) if !is_level(back, self.b, None) => {
                point_a = self.between.b_in_a(point_b) + normal * depth;
            }
            Axis::FaceOfB(_) if !is_level(normal, self.a, None) => {
                point_b = to_b(point_a - normal * depth);
            }
            Axis::Edges(i, j) if !is_level(normal, self.a, Some(i)) && !is_level(back, self.b, Some(j)) => {
                (point_a[i], point_b[j]) = (0.0, 0.0);
                let apart = point_a - self.between.b_in_a(point_b);
                let axis = self.turn.col(j);
                let (cosine, on_a, on_b) = (axis[i], apart[i], apart.dot(axis));
                let squared = 1.0 - cosine * cosine;
                // a − b must be along the normal: across both edges.
                let along = (on_b - cosine * on_a) / squared;
                (point_a[i], point_b[j]) = (along * cosine - on_a, along);
                lever = 1.5 / squared.sqrt();
            }
            _ => return None,
        }
        let foot_error = (high - low) + high * axis_error + 4.0 * self.noise;
        Some(Facet {
            normal,
            normal_error: axis_error,
            low,
            high,
            point_a,
            point_b,
            point_error: foot_error * 2.0 * lever,
        })
    }

    /// The unit vector from A to B along an axis, and its error as an angle; `None` when the side is not certain.
    fn normal(&self, axis: Axis) -> Option<(DVec3, f64)> {
        let (axis, error) = match axis {
            Axis::FaceOfA(i) => (DVec3::AXES[i], 0.0),
            Axis::FaceOfB(j) => (self.turn.col(j).normalize(), self.turn_error + 8.0 * U),
            Axis::Edges(i, j) => {
                let across = DVec3::AXES[i].cross(self.turn.col(j));
                let length = across.length();
                (across / length, 2.0 * self.turn_error / length + 8.0 * U)
            }
        };
        let side = axis.dot(self.shift);
        // The other side would have the greater overlap: certain when the centres differ by more than the noise.
        (side.abs() > 4.0 * self.noise + error * self.shift.length()).then(|| (axis * sign(side), error))
    }
}

fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}
