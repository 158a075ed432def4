//! Bodies that touch at the beginning: a proof that two triangles leave each other at once.

// Let n be a direction fixed in A's frame and f the height of a corner of B above A's highest corner along n. If f(0) ≥ 0, **decided
// exactly**, then at the share λ of a span f is at least (1−λ)f(0) + λf(1) − λ(1−λ)q ≥ λ(f(1) − q), q = |n|·max|x″|·span²/2 (see
// `Ends::kept_apart`). So if f(1) > q for all corners of B, with all roundings, the triangles are apart at all times of the
// span but its beginning.

use crate::leg::Leg;
use crate::pair::ball;
use kontakt_math::exact_map::{Homogeneous, exact_point};
use kontakt_math::round::length_up;
use kontakt_math::{Between, DVec3, Dyadic, Sign};

/// Most directions remembered from pair to pair.
const MOST_REMEMBERED: usize = 32;
/// Spans tried, each a quarter of the one before.
const MOST_SPANS: i32 = 20;

/// A direction of A's frame: exact, and rounded to within 2⁻⁵⁰ of its own size.
#[derive(Clone, Debug)]
pub(crate) struct Direction {
    exact: [Dyadic; 3],
    pub(crate) rounded: DVec3,
}

impl Direction {
    /// Across two edges; none where they are parallel.
    pub(crate) fn across(e: &[Dyadic; 3], f: &[Dyadic; 3]) -> Option<Direction> {
        Direction::new(cross(e, f))
    }

    /// None for the zero vector.
    fn new(exact: [Dyadic; 3]) -> Option<Direction> {
        let size = |x: &Dyadic| if x.sign() == Sign::Negative { -x.clone() } else { x.clone() };
        let largest = exact.iter().map(size).max()?;
        if largest.is_zero() {
            return None;
        }
        let rounded = DVec3::from_array([0, 1, 2].map(|i: usize| exact[i].quotient(&largest)));
        rounded.is_finite().then_some(Direction { exact, rounded })
    }

    pub(crate) fn opposite(&self) -> Direction {
        let [x, y, z] = &self.exact;
        Direction { exact: [-x.clone(), -y.clone(), -z.clone()], rounded: -self.rounded }
    }
}

/// Knows the bodies at the beginning, exactly, and which directions have served other pairs.
#[derive(Clone, Debug)]
pub(crate) struct Leaving {
    between: Between,
    remembered: Vec<Direction>,
}

pub(crate) fn cross(a: &[Dyadic; 3], b: &[Dyadic; 3]) -> [Dyadic; 3] {
    let minor = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// The edge between two points of the same weight, times that weight.
pub(crate) fn edge(from: &Homogeneous, to: &Homogeneous) -> [Dyadic; 3] {
    [0, 1, 2].map(|i: usize| &to[i] - &from[i])
}

/// n·x times the weight of x.
fn height(n: &[Dyadic; 3], x: &Homogeneous) -> Dyadic {
    &(&(&n[0] * &x[0]) + &(&n[1] * &x[1])) + &(&n[2] * &x[2])
}

impl Leaving {
    /// From the map between the bodies at the beginning and the triangles that touch then, each in its body's frame: their normals
    /// often serve their neighbours, which may touch in a corner only.
    pub(crate) fn new(between: Between, touching: impl Iterator<Item = [[DVec3; 3]; 2]>) -> Leaving {
        let mut remembered: Vec<Direction> = Vec::new();
        for [a, b] in touching {
            if remembered.len() + 4 > MOST_REMEMBERED {
                break;
            }
            let placed = [a.map(exact_point), b.map(|x| between.exact_b(x))];
            for corners in &placed {
                let [p, q, r] = corners;
                let normal = Direction::new(cross(&edge(p, q), &edge(p, r)));
                for n in normal.into_iter().flat_map(|n| [n.opposite(), n]) {
                    if remembered.iter().all(|known| (known.rounded - n.rounded).length() > 1e-12) {
                        remembered.push(n);
                    }
                }
            }
        }
        Leaving { between, remembered }
    }

    /// The map between the bodies at the beginning.
    pub(crate) fn between(&self) -> &Between {
        &self.between
    }

    /// Until when two triangles (each in its body's frame) that touch at the beginning of the leg are proven to have left each
    /// other and to stay apart; `None` where no direction proves it.
    pub(crate) fn free_until(&mut self, leg: &Leg, a: [DVec3; 3], b: [DVec3; 3]) -> Option<f64> {
        // Without a bound of the acceleration the proof has no ground: what is near its straight way may come back at once.
        if !leg.is_smooth() {
            return None;
        }
        let exact_a = a.map(exact_point);
        let exact_b = b.map(|x| self.between.exact_b(x));
        let known = std::mem::take(&mut self.remembered);
        let found =
            known.iter().position(|n| keeps_off(n, &exact_a, &exact_b) && works(leg, n, a, b).is_some());
        self.remembered = known;
        if let Some(place) = found {
            let direction = self.remembered.remove(place);
            let until = works(leg, &direction, a, b);
            self.remembered.insert(0, direction);
            return until;
        }
        for direction in directions(&exact_a, &exact_b) {
            for n in [direction.opposite(), direction] {
                if !keeps_off(&n, &exact_a, &exact_b) {
                    continue;
                }
                if let Some(until) = works(leg, &n, a, b) {
                    self.remembered.insert(0, n);
                    self.remembered.truncate(MOST_REMEMBERED);
                    return Some(until);
                }
            }
        }
        None
    }
}

/// Normals of both faces, products of edges, and normals of edges in the planes of the faces.
fn directions(a: &[Homogeneous; 3], b: &[Homogeneous; 3]) -> Vec<Direction> {
    let edges = |t: &[Homogeneous; 3]| [edge(&t[0], &t[1]), edge(&t[1], &t[2]), edge(&t[2], &t[0])];
    let (e, f) = (edges(a), edges(b));
    let (normal_a, normal_b) = (cross(&e[0], &e[1]), cross(&f[0], &f[1]));
    let mut all = vec![normal_a.clone(), normal_b.clone()];
    all.extend(e.iter().flat_map(|e| f.iter().map(move |f| cross(e, f))));
    all.extend(e.iter().map(|e| cross(&normal_a, e)));
    all.extend(f.iter().map(|f| cross(&normal_b, f)));
    all.into_iter().filter_map(Direction::new).collect()
}

/// Whether no corner of B is below one of A along the direction: exact.
pub(crate) fn keeps_off(n: &Direction, a: &[Homogeneous], b: &[Homogeneous]) -> bool {
    a.iter().all(|x| {
        let low = height(&n.exact, x);
        b.iter().all(|y| (&(&height(&n.exact, y) * &x[3]) - &(&low * &y[3])).sign() != Sign::Negative)
    })
}

/// A time until which a direction that does not separate falsely at the beginning proves the triangles apart.
fn works(leg: &Leg, n: &Direction, a: [DVec3; 3], b: [DVec3; 3]) -> Option<f64> {
    let start = leg.relative(leg.start);
    let (centre, radius) = ball(&b);
    let mut span = leg.end - leg.start;
    let far = b.iter().fold(0.0_f64, |far, x| far.max(length_up(*x)));
    for _ in 0..MOST_SPANS {
        let until = leg.start + span;
        if until <= leg.start || until.is_nan() {
            return None;
        }
        let span_up = (until - leg.start).next_up();
        let bend = leg.bend_of_b(centre, radius, &start, span_up).acceleration;
        let relative = leg.relative(until);
        let axis = n.rounded;
        let length = length_up(axis) * (1.0 + 1e-9);
        let origin = a[0];
        let a_local = a.map(|x| x - origin);
        let b_local = b.map(|x| relative.b_in_a(x) - origin);
        let size = a_local.iter().chain(&b_local).fold(0.0_f64, |s, x| s.max(x.abs().max_element()));
        // As in `Ends::kept_apart`, and 2⁻⁵⁰ of the direction's size for its rounding.
        let doubt =
            relative.error_within(far) * length + size * length * 64.0 * f64::EPSILON + f64::MIN_POSITIVE;
        let q = 0.5 * bend * span_up * span_up * length;
        let top = a_local.iter().fold(f64::NEG_INFINITY, |top, x| top.max(axis.dot(*x)));
        if b_local.iter().all(|x| axis.dot(*x) - top > q * (1.0 + 1e-9) + doubt) {
            return Some(until);
        }
        span *= 0.25;
    }
    None
}
