//! The exact verdict on two boxes by their fifteen axes: a few products for each axis that doubles leave open.

use crate::Verdict;
use kontakt_math::between::ExactQuestion;
use kontakt_math::exact_map::ExactMap;
use kontakt_math::exact_number::Exact;
use kontakt_math::expansion::two_sum;
use kontakt_math::{Between, DVec3, Sign};

/// Which axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    FaceOfA(usize),
    FaceOfB(usize),
    Edges(usize, usize),
}

impl Axis {
    /// Whether another axis tells as much. `twins` are the axes of B that those of A are parallel to.
    ///
    /// A twin of an axis of A is that axis. With a twin all edges are told: two along it are parallel, two across it have it for cross
    /// product or are parallel, and one along with one across it that body's third axis.
    fn is_told(self, twins: [Option<usize>; 3]) -> bool {
        match self {
            Axis::FaceOfA(_) => false,
            Axis::FaceOfB(j) => twins.contains(&Some(j)),
            Axis::Edges(..) => twins.iter().any(Option::is_some),
        }
    }
}

/// How two sharp boxes with positive half extents lie to each other, and a normal (from A to B, off by roundings) where they touch; none
/// for boxes without volume, whose difference may be flat: fifteen axes do not tell then.
///
/// The difference of solid boxes is a zonotope, and its facets have these axes as normals. The origin is outside when one
/// overlap is negative, on the boundary when the least one is zero.
pub(crate) fn verdict(half: [DVec3; 2], between: &Between) -> Option<(Verdict, Option<DVec3>)> {
    if half.iter().any(|half| half.min_element() <= 0.0) {
        return None;
    }
    if let Some(found) = square(half, between) {
        return Some(found);
    }
    let [a, b] = half;
    let lengths = [a.x, a.y, a.z, b.x, b.y, b.z];
    Some(between.exactly(lengths, Question { open: open_axes(half, between) }))
}

/// Whether and how the boxes lie to each other along these axes; all others overlap.
struct Question<Axes> {
    open: Axes,
}

impl<Axes: Iterator<Item = Axis>> ExactQuestion<6> for Question<Axes> {
    type Answer = (Verdict, Option<DVec3>);

    fn put<N: Exact>(self, map: &ExactMap<N>, [p, q, r, s, t, u]: [N; 6]) -> Self::Answer {
        let boxes = Boxes { a: [p, q, r], b: [s, t, u], map };
        let twins = boxes.twins();
        let mut touching = None;
        for axis in self.open.filter(|axis| !axis.is_told(twins)) {
            match boxes.overlap(axis).map(|overlap| overlap.sign()) {
                Some(Sign::Negative) => return (Verdict::Separate, None),
                Some(Sign::Zero) => touching = touching.or(Some(axis)),
                _ => {}
            }
        }
        match touching {
            Some(axis) => (Verdict::Touching, Some(boxes.normal(axis))),
            None => (Verdict::Overlapping, None),
        }
    }
}

/// The verdict where B's axes are A's: the three overlaps are sums of three doubles. None where B's axes are others, or the sums are too close
/// to tell in doubles without being zero.
fn square([a, b]: [DVec3; 2], between: &Between) -> Option<(Verdict, Option<DVec3>)> {
    if !between.is_square() {
        return None;
    }
    let (b, t) = ((between.turn() * b).abs(), between.shift());
    let mut touching = None;
    for i in 0..3 {
        // (whole + less) + rest is exact.
        let (sum, rest) = two_sum(a[i], b[i]);
        let (whole, less) = two_sum(sum, -t[i].abs());
        let small = rest + less;
        let overlap =
            if whole == 0.0 || whole.abs() > 4.0 * small.abs() { whole + small } else { return None };
        if overlap < 0.0 {
            return Some((Verdict::Separate, None));
        }
        // Written so that NaN tells nothing.
        if !overlap.is_finite() {
            return None;
        }
        if overlap == 0.0 {
            touching = touching.or(Some(DVec3::AXES[i] * 1.0_f64.copysign(t[i])));
        }
    }
    Some((if touching.is_some() { Verdict::Touching } else { Verdict::Overlapping }, touching))
}

/// The axes along which doubles do not tell an overlap for certain; one whose doubles tell a gap is among them too.
///
/// Overlaps are sums of at most seven products of an extent or a coordinate and entries of the turn; these err by `turn_error`, the
/// products and sums by 12u. The axes of parallel edges are always open.
fn open_axes([a, b]: [DVec3; 2], between: &Between) -> impl Iterator<Item = Axis> {
    let (turn, t) = (between.turn(), between.shift());
    let whole = (a + b + t.abs()).element_sum();
    let noise = 2.0 * (whole * (between.turn_error() + 32.0 * f64::EPSILON) + between.error_within(0.0));
    let columns = [turn.x_axis, turn.y_axis, turn.z_axis];
    let sizes = columns.map(DVec3::abs);
    let of_a = (0..3).map(move |i| {
        let reach = sizes[0][i] * b.x + sizes[1][i] * b.y + sizes[2][i] * b.z;
        (Axis::FaceOfA(i), a[i] + reach - t[i].abs())
    });
    let of_b = (0..3).map(move |j| (Axis::FaceOfB(j), b[j] + sizes[j].dot(a) - t.dot(columns[j]).abs()));
    let across = (0..9).map(move |number| {
        let (i, j) = (number / 3, number % 3);
        let ([k, l], [m, n]) = (others(i), others(j));
        let reach = a[k] * sizes[j][l] + a[l] * sizes[j][k] + b[m] * sizes[n][i] + b[n] * sizes[m][i];
        (Axis::Edges(i, j), reach - (t[l] * columns[j][k] - t[k] * columns[j][l]).abs())
    });
    let is_open = move |overlap: f64| overlap.is_nan() || overlap <= noise;
    of_a.chain(of_b).chain(across).filter(move |(_, overlap)| is_open(*overlap)).map(|(axis, _)| axis)
}

/// The two that follow.
fn others(i: usize) -> [usize; 2] {
    [(i + 1) % 3, (i + 2) % 3]
}

/// Half extents, all positive, and the map from B's frame to A's.
struct Boxes<'a, N> {
    a: [N; 3],
    b: [N; 3],
    map: &'a ExactMap<N>,
}

impl<N: Exact> Boxes<'_, N> {
    /// For each axis of A the axis of B that is parallel to it, if there is one: the row has no other entry.
    fn twins(&self) -> [Option<usize>; 3] {
        self.map.rows.each_ref().map(|row| {
            let mut some = (0..3).filter(|&j| !row[j].is_nothing());
            some.next().filter(|_| some.next().is_none())
        })
    }

    /// The overlap along an axis times a positive number; none along edges that are parallel.
    ///
    /// With the map's rows M, shift s and weight w, B's axis j is column j of M over w, its centre s/w. Along A's axis i the overlap times w is
    /// aᵢw + Σ|Mᵢⱼ|bⱼ − |sᵢ|; along B's axis j, times w², bⱼw² + w·Σ|Mᵢⱼ|aᵢ − |Σ Mᵢⱼ·sᵢ|. Across axis i of A and j of B, with k, l after i
    /// and m, n after j, the cross product has −Mₗⱼ/w at k and Mₖⱼ/w at l, and its products with B's axes m and n are ±Mᵢₙ/w and
    /// ±Mᵢₘ/w, because M/w is a rotation. So, times w²: w(aₖ|Mₗⱼ| + aₗ|Mₖⱼ| + bₘ|Mᵢₙ| + bₙ|Mᵢₘ|) − |sₗMₖⱼ − sₖMₗⱼ|.
    fn overlap(&self, axis: Axis) -> Option<N> {
        let ExactMap { rows, shift, weight } = self.map;
        let four = |products: [(&N, &N); 4]| {
            let [p, q, r, s] = products.map(|(length, entry)| length.times(&entry.size()));
            p.plus(&q).plus(&r.plus(&s))
        };
        let ([a0, a1, a2], [b0, b1, b2]) = (&self.a, &self.b);
        Some(match axis {
            Axis::FaceOfA(i) => {
                let [x, y, z] = &rows[i];
                four([(b0, x), (b1, y), (b2, z), (&self.a[i], weight)]).minus(&shift[i].size())
            }
            Axis::FaceOfB(j) => {
                let [x, y, z] = [&rows[0][j], &rows[1][j], &rows[2][j]];
                let reach = four([(a0, x), (a1, y), (a2, z), (&self.b[j], weight)]);
                let apart = x.times(&shift[0]).plus(&y.times(&shift[1])).plus(&z.times(&shift[2]));
                reach.times(weight).minus(&apart.size())
            }
            Axis::Edges(i, j) => {
                let ([k, l], [m, n]) = (others(i), others(j));
                let (at_k, at_l) = (&rows[k][j], &rows[l][j]);
                if at_k.is_nothing() && at_l.is_nothing() {
                    return None;
                }
                let of_b = [(&self.b[m], &rows[i][n]), (&self.b[n], &rows[i][m])];
                let reach = four([(&self.a[k], at_l), (&self.a[l], at_k), of_b[0], of_b[1]]);
                let apart = shift[l].times(at_k).minus(&shift[k].times(at_l));
                reach.times(weight).minus(&apart.size())
            }
        })
    }

    /// The unit vector along an axis from A's centre to B's, each coordinate off by a few roundings. Boxes that touch across it have
    /// their centres on different sides.
    fn normal(&self, axis: Axis) -> DVec3 {
        let ExactMap { rows, shift, .. } = self.map;
        let nothing = N::whole(0);
        let along: [N; 3] = match axis {
            Axis::FaceOfA(i) => {
                let mut along = [nothing.clone(), nothing.clone(), nothing];
                along[i] = N::whole(1);
                along
            }
            Axis::FaceOfB(j) => rows.each_ref().map(|row| row[j].clone()),
            Axis::Edges(i, j) => {
                let [k, l] = others(i);
                let mut across = [nothing.clone(), nothing.clone(), nothing];
                (across[k], across[l]) = (rows[l][j].negated(), rows[k][j].clone());
                across
            }
        };
        let apart = (0..3).fold(N::whole(0), |sum, k| sum.plus(&along[k].times(&shift[k])));
        let [x, y, z] = along.each_ref().map(Exact::size);
        let larger = |x: N, y: N| if x.minus(&y).sign() == Sign::Negative { y } else { x };
        let largest = larger(larger(x, y), z);
        let unit = DVec3::from_array(along.map(|entry| entry.over(&largest))).normalize_or_zero();
        if apart.sign() == Sign::Negative { -unit } else { unit }
    }
}
