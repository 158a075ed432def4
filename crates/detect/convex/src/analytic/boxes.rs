//! Two boxes whose nearest points are a corner and the inside of a face, or lie inside of two edges.
//!
//! Then the direction between them is one of fifteen: a face normal of either box, or across an edge of each. The best of them is
//! where to look; that it is the right one shows when the nearest points fall inside of their face or edges.

use crate::gjk::cores::{Cores, Radii};
use crate::smooth::body::U;
use crate::{Answer, Shape};
use kontakt_answers::Range;
use kontakt_math::{Between, DMat3, DVec3};

/// Which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    FaceOfA(usize),
    FaceOfB(usize),
    Edges(usize, usize),
}

/// Half extents of two boxes, B's axes as columns and its centre in A's frame, and what they err by.
struct Boxes {
    a: DVec3,
    b: DVec3,
    turn: DMat3,
    shift: DVec3,
    /// Each axis of B errs by at most this.
    turn_error: f64,
    /// **Never less** than the error of a corner of either box in the other one's frame, and of a gap along a unit vector that is
    /// exact but for `turn_error`.
    noise: f64,
}

/// Nearest points, in A's frame.
struct Found {
    /// From A to B, and how far it may be off.
    normal: DVec3,
    normal_error: f64,
    /// Distance, and its bounds.
    gap: f64,
    bounds: [f64; 2],
    /// A's point; B's is `gap` away along the normal. Both may be off by `point_error`.
    point: DVec3,
    point_error: f64,
}

/// The answer about boxes with these half extents; none where they are not clearly apart, or not with such nearest points.
pub(super) fn answer(a: &Shape, b: &Shape, half: [DVec3; 2], between: &Between) -> Option<Answer> {
    let boxes = Boxes::new(half, between);
    let found = match boxes.best_axis()? {
        Axis::FaceOfA(i) => boxes.on_face_of_a(i),
        Axis::FaceOfB(j) => boxes.on_face_of_b(j),
        Axis::Edges(i, j) => boxes.on_edges(i, j),
    }?;
    let ([lo, hi], radii) = (found.bounds, Radii::of(a, b));
    let verdict = radii.verdict(found.bounds).filter(|_| lo > 0.0)?;
    let cores = Cores {
        separation: Range::new((lo - radii.sum[1]).next_down(), (hi - radii.sum[0]).next_up()).ok()?,
        normal: found.normal,
        normal_error: found.normal_error,
        point: found.point,
        length: found.gap,
        point_error: found.point_error,
    };
    Some(cores.in_world(between, &radii, verdict))
}

impl Boxes {
    /// A gap is a sum of at most seven products of an extent or a coordinate and an entry of the turn; each entry errs by
    /// `turn_error`, the sum by 8u.
    fn new([a, b]: [DVec3; 2], between: &Between) -> Boxes {
        let (turn, shift) = (between.turn(), between.shift());
        let turn_error = between.turn_error() + 4.0 * U;
        let size = (a + b + shift.abs()).element_sum();
        let noise = (size * (turn_error + 8.0 * U) + between.error_within(0.0)) * (1.0 + 1e-9);
        Boxes { a, b, turn, shift, turn_error, noise }
    }

    /// The direction of the largest gap, to rounding; none when no gap is positive. Gaps across edges are compared by their squares,
    /// with the squared length of the cross product as divisor.
    fn best_axis(&self) -> Option<Axis> {
        let (a, b, t) = (self.a, self.b, self.shift);
        let columns = [self.turn.x_axis, self.turn.y_axis, self.turn.z_axis];
        let sizes = columns.map(DVec3::abs);
        let along_a = t.abs() - a - (sizes[0] * b.x + sizes[1] * b.y + sizes[2] * b.z);
        let reach_b = DVec3::from_array(sizes.map(|size| size.dot(a)));
        let along_b = self.turn.transpose_mul_vec3(t).abs() - b - reach_b;
        let mut best = (0.0, None);
        let mut offer = |gap: f64, axis: Axis| {
            if gap > best.0 {
                best = (gap, Some(axis));
            }
        };
        for i in 0..3 {
            offer(along_a[i], Axis::FaceOfA(i));
            offer(along_b[i], Axis::FaceOfB(i));
        }
        let mut best = (best.0 * best.0, best.1);
        for [i, k, l] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            for [j, m, n] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
                // e_i × column_j has the entries −r_lj at k and r_kj at l; its products with columns m and n are ±r_in and ±r_im.
                let (r_k, r_l) = (columns[j][k], columns[j][l]);
                let reach = a[k] * r_l.abs() + a[l] * r_k.abs() + b[m] * sizes[n][i] + b[n] * sizes[m][i];
                let gap = ((t[l] * r_k - t[k] * r_l).abs() - reach).max(0.0);
                // Not a number for edges that are parallel, which is not greater.
                let squared = gap * gap / (r_k * r_k + r_l * r_l);
                if squared > best.0 {
                    best = (squared, Some(Axis::Edges(i, j)));
                }
            }
        }
        best.1
    }

    /// A corner of B over a face of A.
    ///
    /// The exact normal is A's axis. B's corner is surely the lowest one if no edge of B is level; it errs by less than `noise`, so
    /// that it lies surely over the face if it does so by more than that.
    fn on_face_of_a(&self, i: usize) -> Option<Found> {
        let normal = DVec3::AXES[i] * sign(self.shift[i]);
        let back = self.turn.transpose_mul_vec3(normal);
        if self.is_level(back, self.b, self.turn_error) {
            return None;
        }
        let corner = self.turn * -self.b.copysign(back) + self.shift;
        let gap = normal.dot(corner) - self.a[i];
        let point = corner - normal * gap;
        let inside = is_inside(point, self.a - self.noise, i);
        let (bounds, point_error) = ([gap - self.noise, gap + self.noise], 2.0 * self.noise);
        inside.then_some(Found { normal, normal_error: 0.0, gap, bounds, point, point_error })
    }

    /// A corner of A over a face of B; the same in B's frame. The normal errs by `turn_error`.
    fn on_face_of_b(&self, j: usize) -> Option<Found> {
        let axis = self.turn.col(j);
        let normal = axis * sign(axis.dot(self.shift));
        let error = self.turn_error;
        if self.is_level(normal, self.a, error) {
            return None;
        }
        let point = self.a.copysign(normal);
        let seen = self.turn.transpose_mul_vec3(point - self.shift);
        let gap = normal.dot(self.shift - point) - self.b[j];
        let inside = is_inside(seen, self.b - self.noise, j);
        let (bounds, point_error) = ([gap - self.noise, gap + self.noise], 2.0 * self.noise);
        inside.then_some(Found { normal, normal_error: error, gap, bounds, point, point_error })
    }

    /// Inside of two edges.
    ///
    /// The cross product n of the edges with its length L errs by `turn_error`, so its direction by twice that over L. The exact n is
    /// across both edges; these are surely what is farthest along it if no other edge is level. On them the points p + αe and
    /// q + βf nearest to each other solve α = d·e + βc and βL² = c(d·e) − d·f, with d = q − p and c = e·f. The right side errs by
    /// less than 4·`noise`, L² by 2·`turn_error`·L: β by less than 6·`noise`/L², and α by less than 8·`noise`/L². B's point is off
    /// by what A's is, the gap and the normal, together less than twice that.
    ///
    /// The distance is at least the gap along n, whatever n is; the edges are level up to `turn_error` and a few u, hence a second
    /// `noise`. It is at most the length of the line, whose ends lie in their boxes.
    fn on_edges(&self, i: usize, j: usize) -> Option<Found> {
        let axis = self.turn.col(j);
        let across = DVec3::AXES[i].cross(axis);
        let squared = across.length_squared();
        if squared <= 1e-12 {
            return None;
        }
        let length = squared.sqrt();
        let normal = across * (sign(across.dot(self.shift)) / length);
        let back = self.turn.transpose_mul_vec3(normal);
        let error = 2.0 * self.turn_error / length + 8.0 * U;
        let (mut half_a, mut half_b) = (self.a, self.b);
        (half_a[i], half_b[j]) = (0.0, 0.0);
        if self.is_level(normal, half_a, error) || self.is_level(back, half_b, error) {
            return None;
        }
        let middle_a = half_a.copysign(normal);
        let apart = self.turn * -half_b.copysign(back) + self.shift - middle_a;
        let (cosine, on_a, on_b) = (axis[i], apart[i], apart.dot(axis));
        let beta = (cosine * on_a - on_b) / squared;
        let alpha = on_a + beta * cosine;
        let slack = 8.0 * self.noise / squared;
        if !(alpha.abs() < self.a[i] - slack && beta.abs() < self.b[j] - slack) {
            return None;
        }
        let (point, gap) = (middle_a + DVec3::AXES[i] * alpha, normal.dot(apart));
        let line = apart + axis * beta - DVec3::AXES[i] * alpha;
        let bounds = [gap - 2.0 * self.noise, line.length() + 2.0 * self.noise];
        Some(Found { normal, normal_error: error, gap, bounds, point, point_error: 2.0 * slack })
    }

    /// Whether some edge of a box with this half extent might be level with the plane across `normal`.
    fn is_level(&self, normal: DVec3, half: DVec3, error: f64) -> bool {
        // A product with an edge errs by 4u besides.
        let level = error + self.turn_error + 4.0 * U;
        (0..3).any(|i| half[i] > 0.0 && normal[i].abs() <= level)
    }
}

/// Whether a point lies in a box with this half extent, one axis apart.
fn is_inside(point: DVec3, half: DVec3, but: usize) -> bool {
    (0..3).all(|i| i == but || point[i].abs() < half[i])
}

fn sign(x: f64) -> f64 {
    1.0_f64.copysign(x)
}
