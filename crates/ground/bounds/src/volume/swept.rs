//! What the swept-sphere volumes share: which sites matter for a fit, directions worth trying, a search over
//! rotations, and nearest points of segments.

use super::Sphere;
use crate::bound::{Bound, Measure, Objective};
use crate::outward::{length, share_along};
use kontakt_math::{DMat3, DQuat, DVec3};

/// Directions along which extreme sites are kept.
const DIRECTIONS: usize = 40;
/// Angles between which the rotation search halves its steps, radians: first from good starts, then from the best.
const COARSE_RAD: (f64, f64) = (0.4, 0.05);
const FINE_RAD: (f64, f64) = (0.1, 0.0002);
/// Starts that are searched at all.
const COARSE: usize = 3;
/// Rounds in which balls that stick out join the search.
const REFINEMENTS: usize = 2;

/// The balls that matter for a fit: all of a few, else the extreme ones along evenly spread directions. A fit to them
/// is only a guess of the shape; the caller encloses all balls afterwards.
fn extreme_balls(balls: &[Sphere]) -> Vec<Sphere> {
    if balls.len() <= 2 * DIRECTIONS {
        return balls.to_vec();
    }
    let directions: [DVec3; DIRECTIONS] = std::array::from_fn(|i| {
        // Fibonacci points of the upper half sphere.
        let z = (i as f64 + 0.5) / DIRECTIONS as f64;
        let angle = i as f64 * 2.399_963_229_728_653;
        let across = (1.0 - z * z).sqrt();
        DVec3::new(across * angle.cos(), across * angle.sin(), z)
    });
    let (x, y, z) = (directions.map(|d| d.x), directions.map(|d| d.y), directions.map(|d| d.z));
    let (mut low, mut high) = ([f64::INFINITY; DIRECTIONS], [f64::NEG_INFINITY; DIRECTIONS]);
    let (mut low_at, mut high_at) = ([0_usize; DIRECTIONS], [0_usize; DIRECTIONS]);
    for (index, ball) in balls.iter().enumerate() {
        // Without branches, so that directions fill vector lanes.
        for k in 0..DIRECTIONS {
            let height = x[k] * ball.centre.x + y[k] * ball.centre.y + z[k] * ball.centre.z;
            let (below, above) = (height - ball.radius, height + ball.radius);
            low_at[k] = if below < low[k] { index } else { low_at[k] };
            low[k] = if below < low[k] { below } else { low[k] };
            high_at[k] = if above > high[k] { index } else { high_at[k] };
            high[k] = if above > high[k] { above } else { high[k] };
        }
    }
    let mut chosen: Vec<usize> = low_at.into_iter().chain(high_at).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|index| balls[index]).collect()
}

/// Frames (orthonormal columns, to rounding) worth trying: principal axes, coordinate axes, and those along the longest
/// line found.
pub(super) fn candidate_frames(balls: &[Sphere]) -> Vec<DMat3> {
    vec![principal_axes(balls), DMat3::IDENTITY, frame_along(long_line(balls))]
}

/// An orthonormal frame whose third column is along `direction` (any length but zero; zero gives z).
pub(super) fn frame_along(direction: DVec3) -> DMat3 {
    let third = crate::outward::unit_or_zero(direction);
    let third = if third == DVec3::ZERO { DVec3::Z } else { third };
    let (first, second) = third.any_orthonormal_pair();
    DMat3::from_cols(first, second, third)
}

/// From one end of the data to another: farthest from the first, then farthest from that.
fn long_line(balls: &[Sphere]) -> DVec3 {
    let farthest_from = |from: DVec3| {
        let far = |a: &&Sphere, b: &&Sphere| {
            let distance = |ball: &Sphere| (ball.centre - from).length() + ball.radius;
            distance(a).total_cmp(&distance(b))
        };
        balls.iter().max_by(far).map_or(from, |ball| ball.centre)
    };
    let first = balls.first().map_or(DVec3::ZERO, |ball| ball.centre);
    let end = farthest_from(first);
    farthest_from(end) - end
}

/// Eigenvectors of the covariance of the centres, as columns, by Jacobi rotations.
fn principal_axes(balls: &[Sphere]) -> DMat3 {
    let count = balls.len().max(1) as f64;
    let mean = balls.iter().map(|ball| ball.centre).sum::<DVec3>() / count;
    let mut a = [[0.0; 3]; 3];
    for ball in balls {
        let d = (ball.centre - mean).to_array();
        for (row, x) in a.iter_mut().zip(d) {
            for (entry, y) in row.iter_mut().zip(d) {
                *entry += x * y;
            }
        }
    }
    let mut axes = DMat3::IDENTITY;
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
            let (s, c) = angle.sin_cos();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = c;
            turn.col_mut(q)[q] = c;
            turn.col_mut(p)[q] = -s;
            turn.col_mut(q)[p] = s;
            let matrix = DMat3::from_cols_array_2d(&a);
            a = (turn.transpose() * matrix * turn).to_cols_array_2d();
            axes *= turn;
        }
    }
    axes
}

/// What a fit of about unit size minimises: the objective, and where that is nearly nothing (flat bodies have no
/// volume in many frames) surface and diameter.
pub(super) fn cost(measure: &Measure, objective: Objective) -> f64 {
    measure.by(objective) + 1e-6 * measure.surface + 1e-9 * measure.diameter
}

/// The volume of least cost, the first among equals.
pub(super) fn cheapest<V: Bound + Copy, const N: usize>(volumes: [V; N], objective: Objective) -> V {
    let mut best = (cost(&volumes[0].measure(), objective), volumes[0]);
    for volume in volumes {
        let found = cost(&volume.measure(), objective);
        if found < best.0 {
            best = (found, volume);
        }
    }
    best.1
}

/// A kind of volume that is fitted by choosing a frame.
pub(super) trait Framed: Bound {
    /// How many of the frame's axes a turn about changes anything.
    const AXES: usize;

    /// The best volume in the frame, around all balls to rounding.
    fn in_frame(balls: &[Sphere], frame: &DMat3, objective: Objective) -> Self;

    /// How far the ball sticks out, to rounding.
    fn overhang(&self, ball: &Sphere) -> f64;
}

/// The volume of least cost found: searched on extreme balls, and again with those that stuck out of what was found.
/// Deterministic and bounded.
pub(super) fn search<V: Framed>(balls: &[Sphere], starts: &[DMat3], objective: Objective) -> V {
    let mut few = extreme_balls(balls);
    let mut frame =
        best_frame(starts, V::AXES, &|frame| cost(&V::in_frame(&few, frame, objective).measure(), objective));
    for _ in 0..REFINEMENTS {
        let volume = V::in_frame(&few, &frame, objective);
        let mut out: Vec<(f64, &Sphere)> = balls.iter().map(|ball| (volume.overhang(ball), ball)).collect();
        out.retain(|(overhang, _)| *overhang > 1e-6);
        if out.is_empty() {
            break;
        }
        out.sort_by(|a, b| b.0.total_cmp(&a.0));
        few.extend(out.into_iter().take(DIRECTIONS / 2).map(|(_, ball)| *ball));
        let frame_cost = |frame: &DMat3| cost(&V::in_frame(&few, frame, objective).measure(), objective);
        frame = turn_to_least((frame_cost(&frame), frame), V::AXES, FINE_RAD, &frame_cost).1;
    }
    V::in_frame(balls, &frame, objective)
}

/// The frame of least cost found from the starts by turning about the first `axes` axes.
fn best_frame(starts: &[DMat3], axes: usize, cost: &impl Fn(&DMat3) -> f64) -> DMat3 {
    let mut found: Vec<(f64, DMat3)> = starts.iter().map(|start| (cost(start), *start)).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(COARSE);
    for start in &mut found {
        *start = turn_to_least(*start, axes, COARSE_RAD, cost);
    }
    let best = found.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(DMat3::IDENTITY, |start| turn_to_least(start, axes, FINE_RAD, cost).1)
}

/// Pattern search: turns the frame by shrinking angles as long as the cost falls, about its own axes and, where those
/// fail (the cost has kinks in which they get stuck), about their diagonals.
fn turn_to_least(
    start: (f64, DMat3),
    axes: usize,
    steps_rad: (f64, f64),
    cost: &impl Fn(&DMat3) -> f64,
) -> (f64, DMat3) {
    let straight = &[DVec3::X, DVec3::Y, DVec3::Z][..axes];
    let mut diagonal = Vec::new();
    for (i, a) in straight.iter().enumerate() {
        for b in &straight[..i] {
            diagonal.extend([(*a + *b).normalize(), (*a - *b).normalize()]);
        }
    }
    let mut best = start;
    let mut step = steps_rad.0;
    let mut budget = 200;
    while step > steps_rad.1 && budget > 0 {
        let before = best.0;
        for turns in [straight, &diagonal] {
            for (axis, angle) in turns.iter().flat_map(|axis| [(*axis, step), (*axis, -step)]) {
                budget -= 1;
                // About an axis of the frame itself; renormalised, for many turns add up.
                let turned = DQuat::from_mat3(&best.1) * DQuat::from_axis_angle(axis, angle);
                let turned = DMat3::from_quat(turned.normalize());
                let found = cost(&turned);
                if found < best.0 {
                    best = (found, turned);
                }
            }
            if best.0 < before {
                break;
            }
        }
        if best.0 >= before {
            step *= 0.5;
        }
    }
    best
}

/// Nearest point of the segment to `to`, to rounding.
pub(super) fn nearest_on_segment(start: DVec3, end: DVec3, to: DVec3) -> DVec3 {
    let along = end - start;
    start + along * share_along(to - start, along).clamp(0.0, 1.0)
}

/// Nearest points of two segments (start, end), to rounding: the best of the inner solution and the four ends.
pub(super) fn nearest_of_segments(a: [DVec3; 2], b: [DVec3; 2]) -> [DVec3; 2] {
    let mut best = inner_nearest_of_segments(a, b);
    for end in a {
        best = nearer(best, [end, nearest_on_segment(b[0], b[1], end)]);
    }
    for end in b {
        best = nearer(best, [nearest_on_segment(a[0], a[1], end), end]);
    }
    best
}

/// The nearest points if they are inside both segments, some points of them otherwise.
pub(super) fn inner_nearest_of_segments(a: [DVec3; 2], b: [DVec3; 2]) -> [DVec3; 2] {
    let (u, v) = (a[1] - a[0], b[1] - b[0]);
    // The part of u across v: moving along it is the only motion that changes the lines' distance.
    let across = u - v * share_along(u, v);
    let s = share_along(b[0] - a[0], across).clamp(0.0, 1.0);
    // share_along divides by across·across = u·across, as the derivation needs.
    let on_a = a[0] + u * s;
    let on_b = nearest_on_segment(b[0], b[1], on_a);
    [nearest_on_segment(a[0], a[1], on_b), on_b]
}

/// The pair with the smaller distance; NaN never wins.
pub(super) fn nearer(a: [DVec3; 2], b: [DVec3; 2]) -> [DVec3; 2] {
    let (first, second) = (length(a[1] - a[0]), length(b[1] - b[0]));
    if second < first || first.is_nan() { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Generator;

    #[test]
    fn segments_are_nearest_where_a_dense_sampling_says() {
        for seed in 0..200 {
            let mut generator = if seed % 2 == 0 { Generator::grid(seed) } else { Generator::free(seed) };
            let mut segment = || [0, 1].map(|_| DVec3::from_array(generator.point()));
            let (a, b) = (segment(), segment());
            let [p, q] = nearest_of_segments(a, b);
            let found = (p - q).length();
            let mut least = f64::INFINITY;
            for i in 0..=200 {
                let on_a = a[0].lerp(a[1], f64::from(i) / 200.0);
                least = least.min((nearest_on_segment(b[0], b[1], on_a) - on_a).length());
            }
            assert!(found <= least + 1e-14 && found >= least - 0.05, "{a:?} {b:?}: {found} or {least}");
        }
    }

    #[test]
    fn principal_axes_of_a_stretched_cloud() {
        let mut generator = Generator::free(4);
        let along = DVec3::new(1.0, 2.0, -2.0) / 3.0;
        let cloud: Vec<Sphere> = (0..200)
            .map(|_| {
                let noise = DVec3::from_array(generator.point()) * 0.01;
                Sphere { centre: along * generator.coordinate() + noise, radius: 0.0 }
            })
            .collect();
        let axes = principal_axes(&cloud);
        let best = (0..3).map(|i| axes.col(i).dot(along).abs()).fold(0.0, f64::max);
        assert!(best > 0.9999, "{axes}");
        assert!((axes.transpose() * axes).abs_diff_eq(DMat3::IDENTITY, 1e-12));
    }
}
