//! The exact verdict on two boxes by their fifteen axes: a few products for each axis that doubles leave open.

use super::vector::{Vector, dot, exact, rounded_direction, vector};
use crate::Verdict;
use kontakt_math::exact_map::ExactMap;
use kontakt_math::expansion::two_sum;
use kontakt_math::{Between, DVec3, Dyadic, Sign};

/// Half extents, all positive, in exact numbers, and the exact map from B's frame to A's.
struct Boxes<'a> {
    a: [Dyadic; 3],
    b: [Dyadic; 3],
    map: &'a ExactMap,
    /// The sizes of the rows' entries.
    sizes: [[Dyadic; 3]; 3],
}

/// Which axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    FaceOfA(usize),
    FaceOfB(usize),
    Edges(usize, usize),
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
    let open = open_axes(half, between);
    let map = between.exact();
    let boxes = Boxes {
        a: half[0].to_array().map(exact),
        b: half[1].to_array().map(exact),
        map,
        sizes: map.rows.each_ref().map(|row| row.each_ref().map(size)),
    };
    // Where B's axes are A's, the faces of A are all there is.
    let is_aligned = map.rows.iter().all(|row| row.iter().filter(|entry| !entry.is_zero()).count() == 1);
    let mut touching = None;
    for axis in open.filter(|axis| !is_aligned || matches!(axis, Axis::FaceOfA(_))) {
        match boxes.overlap(axis).map(|overlap| overlap.sign()) {
            Some(Sign::Negative) => return Some((Verdict::Separate, None)),
            Some(Sign::Zero) => touching = touching.or(Some(axis)),
            _ => {}
        }
    }
    Some(match touching {
        Some(axis) => (Verdict::Touching, Some(boxes.normal(axis))),
        None => (Verdict::Overlapping, None),
    })
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

fn size(x: &Dyadic) -> Dyadic {
    if x.sign() == Sign::Negative { -x.clone() } else { x.clone() }
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

impl Boxes<'_> {
    /// The overlap along an axis times a positive number; none along edges that are parallel.
    ///
    /// With the map's rows M, shift s and weight w, B's axis j is column j of M over w, its centre s/w. Along A's axis i the overlap times w is
    /// aᵢw + Σ|Mᵢⱼ|bⱼ − |sᵢ|; along B's axis j, times w², bⱼw² + w·Σ|Mᵢⱼ|aᵢ − |Σ Mᵢⱼ·sᵢ|. Across axis i of A and j of B, with k, l after i
    /// and m, n after j, the cross product has −Mₗⱼ/w at k and Mₖⱼ/w at l, and its products with B's axes m and n are ±Mᵢₙ/w and
    /// ±Mᵢₘ/w, because M/w is a rotation. So, times w²: w(aₖ|Mₗⱼ| + aₗ|Mₖⱼ| + bₘ|Mᵢₙ| + bₙ|Mᵢₘ|) − |sₗMₖⱼ − sₖMₗⱼ|.
    fn overlap(&self, axis: Axis) -> Option<Dyadic> {
        let (ExactMap { rows, shift, weight }, sizes) = (self.map, &self.sizes);
        Some(match axis {
            Axis::FaceOfA(i) => {
                let reach = &sum((0..3).map(|j| &sizes[i][j] * &self.b[j])) + &(&self.a[i] * weight);
                &reach - &size(&shift[i])
            }
            Axis::FaceOfB(j) => {
                let reach = &sum((0..3).map(|i| &sizes[i][j] * &self.a[i])) + &(&self.b[j] * weight);
                &(&reach * weight) - &size(&sum((0..3).map(|i| &rows[i][j] * &shift[i])))
            }
            Axis::Edges(i, j) => {
                let ([k, l], [m, n]) = (others(i), others(j));
                if rows[k][j].is_zero() && rows[l][j].is_zero() {
                    return None;
                }
                let of_a = &(&self.a[k] * &sizes[l][j]) + &(&self.a[l] * &sizes[k][j]);
                let of_b = &(&self.b[m] * &sizes[i][n]) + &(&self.b[n] * &sizes[i][m]);
                let apart = &(&shift[l] * &rows[k][j]) - &(&shift[k] * &rows[l][j]);
                &(&(&of_a + &of_b) * weight) - &size(&apart)
            }
        })
    }

    /// The unit vector along an axis from A's centre to B's, each coordinate off by a few roundings. Boxes that touch across it have
    /// their centres on different sides.
    fn normal(&self, axis: Axis) -> DVec3 {
        let rows = &self.map.rows;
        let along: Vector = match axis {
            Axis::FaceOfA(i) => vector(DVec3::AXES[i]),
            Axis::FaceOfB(j) => rows.each_ref().map(|row| row[j].clone()),
            Axis::Edges(i, j) => {
                let [k, l] = others(i);
                let mut across = vector(DVec3::ZERO);
                (across[k], across[l]) = (-rows[l][j].clone(), rows[k][j].clone());
                across
            }
        };
        let rounded = rounded_direction(&along).normalize_or_zero();
        if dot(&along, &self.map.shift).sign() == Sign::Negative { -rounded } else { rounded }
    }
}

fn sum(parts: impl Iterator<Item = Dyadic>) -> Dyadic {
    parts.fold(Dyadic::ZERO, |sum, part| &sum + &part)
}
