//! All roots in [0, 1] of a polynomial of degree 3 or less, exactly.

use super::instant::{Instant, OutOfDigits};
use super::isolated::{Found, Isolated};
use super::polynomial::{Cubic, Moment, Quadratic, cubic_to_bernstein, degree, sign_changes};
use super::whole::Whole;
use kontakt_math::Sign;
use std::cmp::Ordering;

/// The distinct roots in the open interval (0, 1) of a quadratic that is not zero, increasing.
pub(super) fn inner_roots_of_quadratic<W: Whole>(q: &Quadratic<W>) -> Vec<Instant<W>> {
    let mut roots = Vec::new();
    match degree(q) {
        0 => {}
        1 => push_ratio(&mut roots, q[0].negated(), q[1].clone()),
        _ => {
            let q = if q[2].sign() == Sign::Negative { q.each_ref().map(Whole::negated) } else { q.clone() };
            let discriminant = q[1].square().minus(&q[0].times(&q[2]).shift(2));
            match discriminant.sign() {
                Sign::Negative => {}
                Sign::Zero => push_ratio(&mut roots, q[1].negated(), q[2].shift(1)),
                Sign::Positive => {
                    // With g₂ > 0 a root is below t where g(t) > 0 right of the middle, and so on: by position of the
                    // middle −g₁/(2g₂) and the signs at 0 and 1.
                    let at_zero = q[0].sign();
                    let at_one = q[0].plus(&q[1]).plus(&q[2]).sign();
                    let middle_after_zero = q[1].sign() == Sign::Negative;
                    let middle_before_one = q[1].plus(&q[2].shift(1)).sign() == Sign::Positive;
                    let negative = |sign| sign == Sign::Negative;
                    let positive = |sign| sign == Sign::Positive;
                    // Lower root > 0: 0 lies left of it. Lower root < 1: 1 lies right of it.
                    let lower =
                        positive(at_zero) && middle_after_zero && (negative(at_one) || middle_before_one);
                    let upper =
                        positive(at_one) && middle_before_one && (negative(at_zero) || middle_after_zero);
                    for (wanted, upper) in [(lower, false), (upper, true)] {
                        if wanted {
                            let discriminant = discriminant.clone();
                            roots.push(Instant::surd(q.clone(), discriminant, upper));
                        }
                    }
                }
            }
        }
    }
    roots
}

fn push_ratio<W: Whole>(roots: &mut Vec<Instant<W>>, numerator: W, denominator: W) {
    let (numerator, denominator) = match denominator.sign() {
        Sign::Negative => (numerator.negated(), denominator.negated()),
        _ => (numerator, denominator),
    };
    if numerator.sign() == Sign::Positive && denominator.minus(&numerator).sign() == Sign::Positive {
        roots.push(Instant::ratio(numerator, denominator));
    }
}

/// The distinct roots in the open interval (0, 1) of a cubic that is not zero, increasing.
pub(super) fn inner_roots_of_cubic<W: Whole>(f: &Cubic<W>) -> Result<Vec<Instant<W>>, OutOfDigits> {
    let f = without_roots_at_ends(f);
    if degree(&f) <= 2 {
        let [a, b, c, _] = f;
        return Ok(inner_roots_of_quadratic(&[a, b, c]));
    }
    let bernstein = cubic_to_bernstein(&f);
    let changes = sign_changes(bernstein.each_ref().map(Whole::sign));
    if changes == 0 {
        return Ok(Vec::new());
    }
    if changes > 1
        && let Some(roots) = roots_if_repeated(&f)
    {
        return Ok(roots);
    }
    isolate(&f, bernstein)
}

/// f without its roots at 0 and 1.
fn without_roots_at_ends<W: Whole>(f: &Cubic<W>) -> Cubic<W> {
    let mut f = f.clone();
    for _ in 0..3 {
        if f[0].is_zero() {
            f = [f[1].clone(), f[2].clone(), f[3].clone(), W::zero()];
        }
    }
    for _ in 0..3 {
        let sum = f[0].plus(&f[1]).plus(&f[2]).plus(&f[3]);
        if degree(&f) == 0 || !sum.is_zero() {
            break;
        }
        // f = (1 − t)·g: gᵢ = f₀ + … + fᵢ.
        let g1 = f[0].plus(&f[1]);
        let g2 = g1.plus(&f[2]);
        f = [f[0].clone(), g1, g2, W::zero()];
    }
    f
}

/// The roots when two or three of them coincide, none when all are distinct.
///
/// Of f = at³ + bt² + ct + d a root ρ is repeated iff the discriminant is zero. With P = b² − 3ac: P = 0 means ρ threefold,
/// ρ = −b/(3a); else the double root is (9ad − bc)/(2P) and the third (4abc − 9a²d − b³)/(aP).
fn roots_if_repeated<W: Whole>(f: &Cubic<W>) -> Option<Vec<Instant<W>>> {
    let [d, c, b, a] = f;
    let p = b.square().minus(&a.times(c).multiple(3));
    let q = a.times(d).multiple(9).minus(&b.times(c));
    // Discriminant × −3 = q² − 4·p·(c² − 3bd).
    let r = c.square().minus(&b.times(d).multiple(3));
    if !q.square().minus(&p.times(&r).shift(2)).is_zero() {
        return None;
    }
    let mut roots = Vec::new();
    if p.is_zero() {
        push_ratio(&mut roots, b.negated(), a.multiple(3));
        return Some(roots);
    }
    push_ratio(&mut roots, q, p.shift(1));
    let abc = a.times(b).times(c).shift(2);
    let numerator = abc.minus(&a.square().times(d).multiple(9)).minus(&b.square().times(b));
    push_ratio(&mut roots, numerator, a.times(&p));
    if let [first, second] = roots.as_slice()
        && first.compare(second) == Ordering::Greater
    {
        roots.swap(0, 1);
    }
    Some(roots)
}

/// A piece of [0, 1] still to look at: its Bernstein coefficients times a positive number.
struct Piece<W> {
    coefficients: [W; 4],
    lo: Moment<W>,
    hi: Moment<W>,
}

/// Descartes' rule in the Bernstein basis: no sign change no root inside, one change one root inside; else halve. Ends, since
/// the roots are distinct (Vincent's theorem), unless a single change was seen at once.
fn isolate<W: Whole>(f: &Cubic<W>, bernstein: [W; 4]) -> Result<Vec<Instant<W>>, OutOfDigits> {
    let mut roots = Vec::new();
    let mut open =
        vec![Piece { coefficients: bernstein, lo: Moment { numerator: W::zero(), scale: 0 }, hi: one() }];
    while let Some(piece) = open.pop() {
        let signs = piece.coefficients.each_ref().map(Whole::sign);
        match sign_changes(signs) {
            0 => {}
            1 => roots.push(isolated(f, piece, signs)?),
            _ => {
                let middle = Moment::between(&piece.lo, &piece.hi);
                if middle.scale > W::DEPTH {
                    return Err(OutOfDigits);
                }
                let (left, right) = halves(&piece.coefficients);
                open.push(Piece { coefficients: right, lo: middle.clone(), hi: piece.hi });
                // The root in the middle comes after those on the left: a piece of no length in the stack's order.
                if left[3].is_zero() {
                    open.push(Piece { coefficients: exact_root(), lo: middle.clone(), hi: middle.clone() });
                }
                open.push(Piece { coefficients: left, lo: piece.lo, hi: middle });
            }
        }
    }
    Ok(roots)
}

fn one<W: Whole>() -> Moment<W> {
    Moment { numerator: W::shifted(1, 0), scale: 0 }
}

/// Coefficients with one sign change, for a piece of no length that is a root.
fn exact_root<W: Whole>() -> [W; 4] {
    [W::shifted(-1, 0), W::zero(), W::zero(), W::shifted(1, 0)]
}

/// The root of a piece with one sign change.
fn isolated<W: Whole>(f: &Cubic<W>, piece: Piece<W>, signs: [Sign; 4]) -> Result<Instant<W>, OutOfDigits> {
    if piece.hi.minus(&piece.lo) == Sign::Zero {
        return Ok(Instant::dyadic(piece.lo));
    }
    // Right of `lo` the sign is that of the first coefficient that has one.
    let sign_at_lo = signs.into_iter().find(|s| *s != Sign::Zero).unwrap_or(Sign::Zero);
    Ok(match Isolated::within(f, [piece.lo, piece.hi], sign_at_lo)? {
        Found::Root(root) => Instant::isolated(root),
        Found::Moment(moment) => Instant::dyadic(moment),
    })
}

/// De Casteljau at ½, all coefficients times 8.
fn halves<W: Whole>([a, b, c, d]: &[W; 4]) -> ([W; 4], [W; 4]) {
    let (ab, bc, cd) = (a.plus(b), b.plus(c), c.plus(d));
    let (abc, bcd) = (ab.plus(&bc), bc.plus(&cd));
    let abcd = abc.plus(&bcd);
    let left = [a.shift(3), ab.shift(2), abc.shift(1), abcd.clone()];
    (left, [abcd, bcd.shift(1), cd.shift(2), d.shift(3)])
}
