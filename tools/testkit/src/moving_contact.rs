//! Whether a vertex meets a triangle, or two edges meet, while four points move on straight lines: in integers, by the
//! textbook's plane and inside tests (normals dotted with cross products, degree 4), Sturm's root count and bisection. The
//! product decides by affine dependences of degree 2 instead.

use crate::rational::{Rational, Vector};
use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, Zero};

/// A polynomial in time with integer coefficients, lowest power first.
type Polynomial = Vec<BigInt>;
type MovingVector = [Polynomial; 3];

/// numerator/2^scale
#[derive(Clone)]
struct Dyadic {
    numerator: BigInt,
    scale: usize,
}

/// A time in [0, 1].
enum Time {
    /// A dyadic number.
    At(Dyadic),
    /// The only root of a square-free polynomial in the open (lo, hi), at whose ends its signs differ.
    Root { f: Polynomial, lo: Dyadic, hi: Dyadic },
}

/// Whether point 0 and the triangle of points 1, 2, 3 (closed, maybe degenerate) share a point at some time in [0, 1].
pub fn vertex_meets_face(start: &[Vector; 4], end: &[Vector; 4]) -> bool {
    let [p, a, b, c] = moving(start, end);
    let normal = cross(&sub(&b, &a), &sub(&c, &a));
    let volume = dot(&normal, &sub(&p, &a));
    let sides = [[&a, &b], [&b, &c], [&c, &a]].map(|[x, y]| dot(&normal, &cross(&sub(y, x), &sub(&p, x))));
    let meets = |time: &Time| {
        if normal.iter().any(|k| sign_of(k, time) != 0) {
            sides.iter().all(|side| sign_of(side, time) >= 0)
        } else {
            on_segment(&p, &a, &b, time) || on_segment(&p, &b, &c, time) || on_segment(&p, &c, &a, time)
        }
    };
    if !is_zero(&volume) {
        return roots(&volume).iter().any(meets);
    }
    if normal.iter().all(is_zero) {
        return [[&a, &b], [&b, &c], [&c, &a]].iter().any(|[x, y]| ever_on_segment(&p, x, y));
    }
    candidates(&sides, &normal).iter().any(meets)
}

/// Whether the segments of points 0, 1 and of points 2, 3 (closed, maybe degenerate) share a point at some time in [0, 1].
pub fn edges_meet(start: &[Vector; 4], end: &[Vector; 4]) -> bool {
    let [a, b, c, d] = moving(start, end);
    let (u, v, w) = (sub(&b, &a), sub(&d, &c), sub(&c, &a));
    let normal = cross(&u, &v);
    let volume = dot(&normal, &w);
    let square = dot(&normal, &normal);
    let along_u = dot(&cross(&w, &v), &normal);
    let along_v = dot(&cross(&w, &u), &normal);
    let sides = [along_u.clone(), minus(&square, &along_u), along_v.clone(), minus(&square, &along_v)];
    let ends = [[&a, &c, &d], [&b, &c, &d], [&c, &a, &b], [&d, &a, &b]];
    let meets = |time: &Time| {
        if normal.iter().any(|k| sign_of(k, time) != 0) {
            sides.iter().all(|side| sign_of(side, time) >= 0)
        } else {
            ends.iter().any(|[p, x, y]| on_segment(p, x, y, time))
        }
    };
    if !is_zero(&volume) {
        return roots(&volume).iter().any(meets);
    }
    if normal.iter().all(is_zero) {
        return ends.iter().any(|[p, x, y]| ever_on_segment(p, x, y));
    }
    candidates(&sides, &normal).iter().any(meets)
}

/// The points at time t.
pub fn points_at(start: &[Vector; 4], end: &[Vector; 4], t: &Rational) -> [Vector; 4] {
    std::array::from_fn(|i| std::array::from_fn(|k| &start[i][k] + t * (&end[i][k] - &start[i][k])))
}

/// The points as polynomials, scaled to integers: that changes no time.
fn moving(start: &[Vector; 4], end: &[Vector; 4]) -> [MovingVector; 4] {
    let coordinates = start.iter().chain(end).flatten();
    let scale = coordinates.fold(BigInt::one(), |scale, x| {
        let divisor = greatest_common_divisor(&scale, x.denom());
        scale * (x.denom() / divisor)
    });
    let whole = |x: &Rational| x.numer() * (&scale / x.denom());
    std::array::from_fn(|i| {
        std::array::from_fn(|k| vec![whole(&start[i][k]), whole(&end[i][k]) - whole(&start[i][k])])
    })
}

/// Times at which contact can begin when all points stay in a plane that is one at most times: signs change there.
fn candidates(sides: &[Polynomial], normal: &MovingVector) -> Vec<Time> {
    let mut times = vec![Time::At(dyadic(0)), Time::At(dyadic(1))];
    for side in sides.iter().filter(|side| !is_zero(side)) {
        times.extend(roots(side));
    }
    let nonzero: Vec<&Polynomial> = normal.iter().filter(|k| !is_zero(k)).collect();
    let common = nonzero.iter().skip(1).fold(nonzero[0].clone(), |g, k| common_divisor(&g, k));
    times.extend(roots(&common));
    times
}

fn on_segment(p: &MovingVector, x: &MovingVector, y: &MovingVector, time: &Time) -> bool {
    let area = cross(&sub(y, x), &sub(p, x));
    area.iter().all(|k| sign_of(k, time) == 0) && sign_of(&dot(&sub(p, x), &sub(p, y)), time) <= 0
}

fn ever_on_segment(p: &MovingVector, x: &MovingVector, y: &MovingVector) -> bool {
    let area = cross(&sub(y, x), &sub(p, x));
    let between = dot(&sub(p, x), &sub(p, y));
    let nonzero: Vec<&Polynomial> = area.iter().filter(|k| !is_zero(k)).collect();
    let times = if let Some((first, rest)) = nonzero.split_first() {
        roots(&rest.iter().fold((*first).clone(), |g, k| common_divisor(&g, k)))
    } else {
        let mut times = vec![Time::At(dyadic(0)), Time::At(dyadic(1))];
        times.extend(roots(&between));
        times
    };
    times.iter().any(|time| sign_of(&between, time) <= 0)
}

fn dyadic(value: i32) -> Dyadic {
    Dyadic { numerator: BigInt::from(value), scale: 0 }
}

fn middle(a: &Dyadic, b: &Dyadic) -> Dyadic {
    let scale = a.scale.max(b.scale);
    let sum = (&a.numerator << (scale - a.scale)) + (&b.numerator << (scale - b.scale));
    Dyadic { numerator: sum, scale: scale + 1 }
}

fn trimmed(mut p: Polynomial) -> Polynomial {
    while p.last().is_some_and(Zero::is_zero) {
        p.pop();
    }
    p
}

/// p(t) times 2^(scale·(length − 1)).
fn scaled_value(p: &[BigInt], t: &Dyadic) -> BigInt {
    let mut value = BigInt::zero();
    for (steps, c) in p.iter().rev().enumerate() {
        value = value * &t.numerator + (c << (t.scale * steps));
    }
    value
}

fn sign(value: &BigInt) -> i32 {
    match value.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

/// Remainder of p on division by q (not zero), times a positive number.
fn remainder(p: &[BigInt], q: &[BigInt]) -> Polynomial {
    let mut rest = trimmed(p.to_vec());
    let lead = &q[q.len() - 1];
    while rest.len() >= q.len() {
        let shift = rest.len() - q.len();
        let top = rest[rest.len() - 1].clone() * lead.signum();
        for c in &mut rest {
            *c *= lead.abs();
        }
        for (i, c) in q.iter().enumerate() {
            rest[shift + i] -= &top * c;
        }
        rest.pop();
        rest = trimmed(rest);
    }
    primitive(rest)
}

/// Divided by the coefficients' common divisor.
fn primitive(p: Polynomial) -> Polynomial {
    let content = p.iter().fold(BigInt::zero(), |g, c| greatest_common_divisor(&g, c));
    if content.is_zero() { p } else { p.into_iter().map(|c| c / &content).collect() }
}

fn greatest_common_divisor(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn common_divisor(p: &[BigInt], q: &[BigInt]) -> Polynomial {
    let (mut a, mut b) = (trimmed(p.to_vec()), trimmed(q.to_vec()));
    while !b.is_empty() {
        (a, b) = (b.clone(), remainder(&a, &b));
    }
    a
}

fn derivative(p: &[BigInt]) -> Polynomial {
    p.iter().zip(0..).skip(1).map(|(c, i)| c * i).collect()
}

/// p without repeated roots, up to a factor.
fn square_free(p: &[BigInt]) -> Polynomial {
    let divisor = common_divisor(p, &derivative(p));
    if divisor.len() <= 1 {
        return trimmed(p.to_vec());
    }
    let mut rest = trimmed(p.to_vec());
    let mut quotient = vec![BigInt::zero(); rest.len() + 1 - divisor.len()];
    let lead = &divisor[divisor.len() - 1];
    while rest.len() >= divisor.len() {
        let shift = rest.len() - divisor.len();
        let top = rest[rest.len() - 1].clone();
        rest.iter_mut().chain(&mut quotient).for_each(|c| *c *= lead);
        for (i, c) in divisor.iter().enumerate() {
            rest[shift + i] -= &top * c;
        }
        quotient[shift] = top;
        rest = trimmed(rest);
    }
    primitive(quotient)
}

/// Number of roots of the square-free p in (a, b], by Sturm.
fn count_roots(p: &[BigInt], a: &Dyadic, b: &Dyadic) -> i32 {
    let mut chain = vec![p.to_vec(), derivative(p)];
    while chain[chain.len() - 1].len() > 1 {
        let rest = remainder(&chain[chain.len() - 2], &chain[chain.len() - 1]);
        chain.push(rest.into_iter().map(|c| -c).collect());
    }
    let changes = |t: &Dyadic| {
        let signs: Vec<i32> = chain.iter().map(|m| sign(&scaled_value(m, t))).filter(|s| *s != 0).collect();
        signs.windows(2).map(|pair| i32::from(pair[0] != pair[1])).sum::<i32>()
    };
    changes(a) - changes(b)
}

/// All roots in [0, 1]; none for constants and for zero.
fn roots(p: &[BigInt]) -> Vec<Time> {
    if trimmed(p.to_vec()).len() <= 1 {
        return Vec::new();
    }
    let p = square_free(p);
    let mut found = Vec::new();
    if p[0].is_zero() {
        found.push(Time::At(dyadic(0)));
    }
    let mut open = vec![(dyadic(0), dyadic(1))];
    while let Some((lo, hi)) = open.pop() {
        let count = count_roots(&p, &lo, &hi);
        let at_ends = [&lo, &hi].map(|t| sign(&scaled_value(&p, t)));
        if count == 1 && at_ends[1] == 0 {
            found.push(Time::At(hi));
        } else if count == 1 && at_ends[0] != 0 {
            found.push(Time::Root { f: p.clone(), lo, hi });
        } else if count > 0 {
            let middle = middle(&lo, &hi);
            open.push((lo, middle.clone()));
            open.push((middle, hi));
        }
    }
    found
}

/// Exact sign of g at a time: zero if a common divisor has the root; else the interval is halved until g's value at its end
/// exceeds what g can change over it (times are in [0, 1], so the slope is at most Σ i·|gᵢ|).
fn sign_of(g: &[BigInt], time: &Time) -> i32 {
    let g = trimmed(g.to_vec());
    if g.is_empty() {
        return 0;
    }
    let (f, lo, hi) = match time {
        Time::At(t) => return sign(&scaled_value(&g, t)),
        Time::Root { f, lo, hi } => (f, lo, hi),
    };
    let common = common_divisor(f, &g);
    if common.len() > 1 && count_roots(&square_free(&common), lo, hi) > 0 {
        return 0;
    }
    let slope = g.iter().zip(0..).fold(BigInt::zero(), |sum, (c, i)| sum + c.abs() * i);
    let before = sign(&scaled_value(f, lo));
    let (mut lo, mut hi) = (lo.clone(), hi.clone());
    loop {
        let scale = lo.scale.max(hi.scale);
        let width = (&hi.numerator << (scale - hi.scale)) - (&lo.numerator << (scale - lo.scale));
        let value = scaled_value(&g, &hi);
        // |value|/2^(hi.scale·n) > slope·width/2^scale
        if value.abs() << scale > (&slope * &width) << (hi.scale * (g.len() - 1)) {
            return sign(&value);
        }
        let middle = middle(&lo, &hi);
        match sign(&scaled_value(f, &middle)) {
            0 => return sign(&scaled_value(&g, &middle)),
            s if s == before => lo = middle,
            _ => hi = middle,
        }
    }
}

fn is_zero(p: &Polynomial) -> bool {
    p.iter().all(Zero::is_zero)
}

fn product(p: &[BigInt], q: &[BigInt]) -> Polynomial {
    let mut result = vec![BigInt::zero(); (p.len() + q.len()).saturating_sub(1)];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            result[i + j] += a * b;
        }
    }
    trimmed(result)
}

fn plus(p: &[BigInt], q: &[BigInt]) -> Polynomial {
    let get = |p: &[BigInt], i: usize| p.get(i).cloned().unwrap_or_default();
    (0..p.len().max(q.len())).map(|i| get(p, i) + get(q, i)).collect()
}

fn minus(p: &[BigInt], q: &[BigInt]) -> Polynomial {
    let opposite: Polynomial = q.iter().map(|c| -c).collect();
    plus(p, &opposite)
}

fn sub(a: &MovingVector, b: &MovingVector) -> MovingVector {
    std::array::from_fn(|k| minus(&a[k], &b[k]))
}

fn dot(a: &MovingVector, b: &MovingVector) -> Polynomial {
    (0..3).fold(Vec::new(), |sum, k| plus(&sum, &product(&a[k], &b[k])))
}

fn cross(a: &MovingVector, b: &MovingVector) -> MovingVector {
    std::array::from_fn(|k| {
        let (x, y) = ((k + 1) % 3, (k + 2) % 3);
        minus(&product(&a[x], &b[y]), &product(&a[y], &b[x]))
    })
}
