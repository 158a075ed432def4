//! Two boxes that are apart and whose nearest points are inside of two edges, or one of them a corner.
//!
//! The direction of the largest gap is one of fifteen: a face normal of either box, or across an edge of each. It tells where to
//! look; that the nearest points are found shows when each of them is the nearest one to the other.

mod axes;
mod verdict;

pub(crate) use verdict::verdict;

use crate::gjk::cores::{Cores, Radii};
use crate::{Answer, Shape};
use axes::{Axes, four};
use kontakt_answers::Range;
use kontakt_bounds::batch::{Work, widest};
use kontakt_math::{Between, DMat3, DVec3, U};

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
#[derive(Debug)]
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
    widest(Apart { shapes: [a, b], half, between })
}

/// The question of `answer`.
struct Apart<'a> {
    shapes: [&'a Shape; 2],
    half: [DVec3; 2],
    between: &'a Between,
}

impl Work for Apart<'_> {
    type Output = Option<Answer>;

    #[inline(always)]
    fn run(self) -> Option<Answer> {
        let Apart { shapes: [a, b], half, between } = self;
        let boxes = Boxes::new(half, between);
        let found = match boxes.best_axis()? {
            Axis::FaceOfA(i) => boxes.at_corner(boxes.under_corner_of_b(i)),
            Axis::FaceOfB(j) => boxes.at_corner(boxes.corner_of_a(j)),
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
}

impl Boxes {
    /// A gap is a sum of at most seven products of an extent or a coordinate and an entry of the turn; each entry errs by
    /// `turn_error`, the sum by 8u.
    #[inline(always)]
    fn new([a, b]: [DVec3; 2], between: &Between) -> Boxes {
        let (turn, shift) = (between.turn(), between.shift());
        let turn_error = between.turn_error() + 4.0 * U;
        let size = (a + b + shift.abs()).element_sum();
        let noise = (size * (turn_error + 8.0 * U) + between.error_within(0.0)) * (1.0 + 1e-9);
        Boxes { a, b, turn, shift, turn_error, noise }
    }

    /// The direction of the largest gap, to rounding; none when no gap is positive. Gaps are compared by their squares, those across
    /// edges with the squared length of the cross product as divisor.
    #[inline(always)]
    fn best_axis(&self) -> Option<Axis> {
        let axes = Axes::of(self);
        let [along_a, along_b] = axes.faces().map(|gaps| four(|lane| squared(gaps[lane])));
        let (mut most, mut group) = (along_a, [0_u64; 4]);
        let across = |i: usize| {
            let (gaps, lengths_squared) = axes.edges(i);
            // Not a number for edges that are parallel, which is not greater.
            four(|j| squared(gaps[j]) / lengths_squared[j])
        };
        for (number, gaps) in [(1, along_b), (2, across(0)), (3, across(1)), (4, across(2))] {
            group = four(|lane| if gaps[lane] > most[lane] { number } else { group[lane] });
            most = four(|lane| if gaps[lane] > most[lane] { gaps[lane] } else { most[lane] });
        }
        let lane = usize::from(most[1] > most[0]);
        let lane = if most[2] > most[lane] { 2 } else { lane };
        (most[lane] > 0.0).then_some(match group[lane] {
            0 => Axis::FaceOfA(lane),
            1 => Axis::FaceOfB(lane),
            edge => Axis::Edges(edge as usize - 2, lane),
        })
    }

    /// A's point nearest to the corner of B that is lowest over a face of A.
    #[inline(always)]
    fn under_corner_of_b(&self, i: usize) -> DVec3 {
        let normal = DVec3::AXES[i] * sign(self.shift[i]);
        let corner = -self.b.copysign(self.turn.transpose_mul_vec3(normal));
        self.in_a(corner).clamp(-self.a, self.a)
    }

    /// The corner of A that is lowest over a face of B.
    #[inline(always)]
    fn corner_of_a(&self, j: usize) -> DVec3 {
        let axis = self.turn.col(j);
        self.a.copysign(axis * sign(axis.dot(self.shift)))
    }

    #[inline(always)]
    fn in_a(&self, point: DVec3) -> DVec3 {
        self.turn * point + self.shift
    }

    #[inline(always)]
    fn in_b(&self, point: DVec3) -> DVec3 {
        self.turn.transpose_mul_vec3(point - self.shift)
    }

    /// Where one of the nearest points is a corner, sought from a point of A by going to the nearest point of the other box and back.
    ///
    /// Two points of convex bodies, each the nearest one to the other, are nearest points of the bodies: the planes through them across
    /// their line have the bodies behind them. The point of a box nearest to another point moves no more than that one does, and
    /// each change of frame errs by at most `noise`.
    ///
    /// A's corner p: its exact nearest point in B is within 2·`noise` of the computed one q. With q more than that beyond the three
    /// faces at p, so is the exact one, and p is the nearest to it. B's corner: its exact place is within `noise` of q, A's nearest
    /// point to it within `noise` of the computed one, and that one's place in B's frame within 2·`noise`: the same. So the line
    /// between them is off by 2·`noise` in either case, its length by a rounding more, its direction by twice that over its length.
    #[inline(always)]
    fn at_corner(&self, start: DVec3) -> Option<Found> {
        let doubt = 2.0 * self.noise;
        let is_beyond = |place: DVec3, half: DVec3| (place.abs() - half).min_element() > doubt;
        let (mut point, mut seen) = (start, self.in_b(start));
        for _ in 0..4 {
            let place = seen.clamp(-self.b, self.b);
            let other = self.in_a(place);
            let next = other.clamp(-self.a, self.a);
            let is_corner_of_a = next == point && is_beyond(other, self.a);
            (point, seen) = (next, self.in_b(next));
            if is_corner_of_a || (is_beyond(seen, self.b) && self.b.copysign(seen) == place) {
                let line = other - point;
                let gap = line.length();
                let bounds = [gap - 1.5 * doubt, gap + 1.5 * doubt];
                let normal_error = 2.0 * doubt / gap + 8.0 * U;
                let normal = line / gap;
                // Far enough apart for angles to be like their sines.
                return (gap > 100.0 * doubt).then_some(Found {
                    normal,
                    normal_error,
                    gap,
                    bounds,
                    point,
                    point_error: doubt,
                });
            }
        }
        None
    }

    /// Inside of two edges, or at a corner next to them.
    ///
    /// The cross product n of the edges with its length L errs by `turn_error`, so its direction by twice that over L. The exact n is
    /// across both edges; these are surely what is farthest along it if no other edge is level. On them the points p + αe and
    /// q + βf nearest to each other solve α = d·e + βc and βL² = c(d·e) − d·f, with d = q − p and c = e·f. The right side errs by
    /// less than 4·`noise`, L² by 2·`turn_error`·L: β by less than 6·`noise`/L², and α by less than 8·`noise`/L². B's point is off
    /// by what A's is, the gap and the normal, together less than twice that.
    ///
    /// The distance is at least the gap along n, whatever n is; the edges are level up to `turn_error` and a few u, hence a second
    /// `noise`. It is at most the length of the line, whose ends lie in their boxes.
    #[inline(always)]
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
            return self.at_corner(middle_a + DVec3::AXES[i] * alpha.clamp(-self.a[i], self.a[i]));
        }
        let (point, gap) = (middle_a + DVec3::AXES[i] * alpha, normal.dot(apart));
        let line = apart + axis * beta - DVec3::AXES[i] * alpha;
        let bounds = [gap - 2.0 * self.noise, line.length() + 2.0 * self.noise];
        Some(Found { normal, normal_error: error, gap, bounds, point, point_error: 2.0 * slack })
    }

    /// Whether some edge of a box with this half extent might be level with the plane across `normal`.
    #[inline(always)]
    fn is_level(&self, normal: DVec3, half: DVec3, error: f64) -> bool {
        // A product with an edge errs by 4u besides.
        let level = error + self.turn_error + 4.0 * U;
        (0..3).any(|i| half[i] > 0.0 && normal[i].abs() <= level)
    }
}

/// The square of a gap; zero where there is none.
#[inline(always)]
fn squared(gap: f64) -> f64 {
    if gap > 0.0 { gap * gap } else { 0.0 }
}

#[inline(always)]
fn sign(x: f64) -> f64 {
    1.0_f64.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Warm;
    use crate::gjk::{Cut, separation};
    use kontakt_math::{DQuat, Pose};
    use testkit::Generator;

    /// From the best axis the first place tried is nearly always right; from anywhere else it is not, and must not be taken for it.
    #[test]
    fn corners_sought_from_anywhere_are_proven() {
        let mut source = Generator::free(83);
        let (mut apart, mut found) = (0, 0);
        while apart < 3000 {
            let mut vector = || DVec3::from_array(source.point());
            let half = [vector().abs() + 0.1, vector().abs() + 0.1];
            let (start, at) = (vector().clamp(-half[0], half[0]), [vector() * 1.5, vector() * 1.5]);
            let pose = at.map(|at| Pose::new(DQuat::from_array(source.quaternion()), at).unwrap());
            let between = Between::new(pose[0], pose[1]);
            let [a, b] = half.map(|half| Shape::cuboid(half).unwrap());
            let Cut::Apart(exact) = separation(&a, &b, &between, &mut Warm::default()) else { continue };
            apart += 1;
            let Some(corner) = Boxes::new(half, &between).at_corner(start) else { continue };
            found += 1;
            let [lo, hi] = corner.bounds;
            assert!(lo <= exact.separation.hi() && exact.separation.lo() <= hi, "{corner:?} {exact:?}");
        }
        assert!(found > 1000, "{found} of {apart}");
    }
}
