//! Whether two boxes meet: balls about and inside of them, then their fifteen axes in doubles.

use super::Boxes;
use super::axes::{Axes, four};
use crate::gjk::cores::Radii;
use crate::{PlacedShape, Verdict, exact};
use kontakt_bounds::batch::{Work, widest};
use kontakt_math::{Between, DVec3, U};

/// Squares in this range neither overflow nor lose bits.
const TAME: std::ops::Range<f64> = 1e-200..1e200;

/// Edges with a sine below this are taken for parallel.
const PARALLEL: f64 = 1e-9;

/// The verdict, whichever box comes first: a proven one does not depend on that. None for rounded or flat boxes that doubles do not tell
/// about.
#[inline]
pub(crate) fn verdict(a: &PlacedShape, b: &PlacedShape, half: [DVec3; 2]) -> Option<Verdict> {
    let radii = Radii::of(a.shape, b.shape).sum;
    by_balls(b.pose.translation() - a.pose.translation(), half, radii).or_else(|| {
        let between = Between::new(a.pose, b.pose);
        let by_axes = widest(ByAxes { half, between: &between, radii: radii[1] });
        by_axes.or_else(|| if radii[1] == 0.0 { exactly(half, &between) } else { None })
    })
}

/// What the axes tell of boxes grown by balls whose radii are no more than `radii` together.
struct ByAxes<'a> {
    half: [DVec3; 2],
    between: &'a Between,
    radii: f64,
}

impl Work for ByAxes<'_> {
    type Output = Option<Verdict>;

    #[inline(always)]
    fn run(self) -> Option<Verdict> {
        Boxes::new(self.half, self.between).verdict(self.radii)
    }
}

#[cold]
fn exactly(half: [DVec3; 2], between: &Between) -> Option<Verdict> {
    exact::boxes::verdict(half, between).map(|(verdict, _)| verdict)
}

/// What the balls about the boxes and inside of them tell; no turn matters to these. All numbers are positive sums and products of
/// a dozen roundings at most, which 64u cover.
#[inline]
fn by_balls(offset: DVec3, [a, b]: [DVec3; 2], radii: [f64; 2]) -> Option<Verdict> {
    let squared = offset.length_squared();
    if !TAME.contains(&squared) {
        return None;
    }
    let outer = a.length() + b.length() + radii[1];
    let inner = a.min_element() + b.min_element();
    if squared > outer * outer * (1.0 + 64.0 * U) {
        Some(Verdict::Separate)
    } else if squared < inner * inner * (1.0 - 64.0 * U) {
        Some(Verdict::Overlapping)
    } else {
        None
    }
}

impl Boxes {
    /// What the axes tell of boxes grown by balls whose radii are no more than `radii` together.
    ///
    /// A gap along an axis that is exact but for `turn_error` errs by `noise`. Across edges it comes times the length of their cross
    /// product, at most 1, so the radii times that length are at most the radii.
    ///
    /// No gap along any of the fifteen axes means that the boxes overlap, if all half extents are positive. An axis across edges e and f
    /// that are parallel up to a sine s ≤ `PARALLEL` may be left out when the overlaps along all face normals exceed 8s times the size:
    /// it does not separate. Proof: let B' be B with its edges along f turned to be parallel to e, a parallelepiped that no point of B is
    /// farther from than s times B's size. The normals of its faces turn by s at most, which changes an overlap by s times the
    /// size. So A and B' overlap by more than 6s times the size along the normals of A's faces that hold e and of those of
    /// B' that hold its turned edges. Seen along e both are parallelograms, and these are the normals of all their sides: in the plane that
    /// bounds the overlap along every direction across e from below, e×f among them, where that of A and B is less by s times the
    /// size at most. Each such axis is left out for itself.
    #[inline(always)]
    fn verdict(&self, radii: f64) -> Option<Verdict> {
        let axes = Axes::of(self);
        let [along_a, along_b] = axes.faces();
        let apart = radii + self.noise;
        let faces = most(four(|lane| along_a[lane].max(along_b[lane])));
        if faces > apart {
            return Some(Verdict::Separate);
        }
        let gaps = [axes.edges(0), axes.edges(1), axes.edges(2)];
        let edges = four(|lane| gaps[0].0[lane].max(gaps[1].0[lane]).max(gaps[2].0[lane]));
        if most(edges) > apart {
            return Some(Verdict::Separate);
        }
        let extent = (self.a + self.b + self.shift.abs()).element_sum();
        let deep = -(8.0 * PARALLEL * extent + self.noise);
        let is_parallel = |squared: f64| squared <= PARALLEL * PARALLEL;
        let has_parallel = gaps.iter().any(|(_, squared)| (0..3).any(|j| is_parallel(squared[j])));
        let least = if has_parallel { deep } else { -self.noise };
        let is_open = |(gap, squared): &([f64; 4], [f64; 4])| {
            (0..3).any(|j| gap[j] >= least && !is_parallel(squared[j]))
        };
        let is_solid = self.a.min_element() > 0.0 && self.b.min_element() > 0.0;
        let is_deep = faces < least;
        (is_deep && is_solid && !gaps.iter().any(is_open)).then_some(Verdict::Overlapping)
    }
}

#[inline(always)]
fn most(gaps: [f64; 4]) -> f64 {
    gaps[0].max(gaps[1]).max(gaps[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, Warm, gjk};
    use kontakt_math::{DQuat, Pose};
    use testkit::Generator;

    /// GJK, which is exact in the end, says the same; also of boxes that are nearly or exactly parallel, in either order.
    #[test]
    fn axes_and_iteration_agree() {
        let mut random = Generator::free(29);
        let (mut told, mut counts) = (0, [0; 4]);
        for round in 0..20_000 {
            let mut vector = |scale: f64| DVec3::from_array(random.point()) * scale;
            let half = [vector(1.0).abs() + 0.1, vector(1.0).abs() + 0.1];
            let at = [vector(1.0), vector(1.7)];
            let tilt = vector(10.0_f64.powi(-(round % 14)));
            let turn = DQuat::from_array(random.quaternion());
            let tilted = turn * DQuat::from_xyzw(tilt.x, tilt.y, tilt.z, 1.0).normalize();
            let pose = |turn: DQuat, at: DVec3| Pose::new(turn, at).unwrap();
            let other = match round % 3 {
                0 => DQuat::from_array(random.quaternion()),
                1 => tilted,
                _ => turn,
            };
            let poses = [pose(turn, at[0]), pose(other, at[1])];
            let margin = if round % 4 == 0 { 0.25 } else { 0.0 };
            let shapes = half.map(|half| Shape::cuboid(half).unwrap().with_margin(margin).unwrap());
            let [a, b] = [0, 1].map(|i| PlacedShape::new(&shapes[i], poses[i]));
            let between = Between::new(poses[0], poses[1]);
            let exact = gjk::verdict(&shapes[0], &shapes[1], &between, &mut Warm::default());
            counts[exact as usize] += 1;
            let axes = widest(ByAxes { half, between: &between, radii: 2.0 * margin });
            for found in
                [axes, verdict(&a, &b, half), verdict(&b, &a, [half[1], half[0]])].into_iter().flatten()
            {
                assert_eq!(found, exact, "{half:?} {poses:?}");
                told += 1;
            }
        }
        assert!(told > 50_000 && counts[0] > 5_000 && counts[2] > 5_000, "{told} {counts:?}");
    }
}
