//! All roots of a polynomial in [0, 1], isolated with proof: first by Bernstein subdivision in intervals, which
//! decides nearly everything, then, for what it leaves open (multiple roots, roots at the ends or at a split), by
//! Sturm's theorem in integers.
//!
//! ```
//! use kontakt_math::{ExactPolynomial, Sign, roots::roots_in_unit_interval};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // 2t² − 1 vanishes at √½; t² − ½ is zero there exactly, t − 0.7071 is not.
//! let of = |c: &[f64]| ExactPolynomial::from_doubles(c).ok_or("coefficients must be finite");
//! let roots = roots_in_unit_interval(&of(&[-1.0, 0.0, 2.0])?, 1e-12)?;
//! assert_eq!(roots.len(), 1);
//! assert!(roots[0].bounds().width() <= 1e-12);
//! assert_eq!(roots[0].sign_of(&of(&[-0.5, 0.0, 1.0])?), Sign::Zero);
//! assert_eq!(roots[0].sign_of(&of(&[-0.7071, 1.0])?), Sign::Positive);
//! # Ok(())
//! # }
//! ```

use crate::integer_polynomial::{IntegerPolynomial, RemainderChain};
use crate::{AlgebraicNumber, Bernstein, Dyadic, ExactPolynomial, Interval, Polynomial, Sign};
use std::sync::Arc;
use thiserror::Error;

/// Every number is a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the polynomial is zero everywhere")]
pub struct ZeroPolynomial;

/// How many roots a bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootCount {
    /// Exactly one, simple, strictly inside.
    One,
    /// Not known: none, one or several.
    Undecided,
}

/// A part of [0, 1] that may hold roots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootBracket {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// What is known about it.
    pub count: RootCount,
}

/// When subdivision gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubdivisionLimit {
    /// Halvings of [0, 1], at most 50 (ends stay exact doubles).
    pub depth: u32,
    /// Pieces looked at.
    pub pieces: u32,
}

impl Default for SubdivisionLimit {
    fn default() -> Self {
        SubdivisionLimit { depth: 24, pieces: 128 }
    }
}

/// Brackets, in increasing order, that hold all roots in [0, 1] of every polynomial of the form. **No root is
/// missed**; a bracket marked `One` holds exactly one root of each of them.
pub fn isolate(form: &Bernstein, limit: &SubdivisionLimit) -> Vec<RootBracket> {
    let mut brackets: Vec<RootBracket> = Vec::new();
    let mut pieces = 0;
    // Depth first, left before right, so that brackets come out in order.
    let mut open = vec![(form.clone(), 0.0, 1.0, 0)];
    while let Some((piece, lo, hi, depth)) = open.pop() {
        pieces += 1;
        if piece.has_no_root() {
            continue;
        }
        if piece.has_one_root() {
            brackets.push(RootBracket { lo, hi, count: RootCount::One });
            continue;
        }
        // When no coefficient has a sign any more, the enclosure is noise and halving cannot help.
        let noise = piece.coefficients().iter().all(|b| b.contains(0.0));
        if noise || depth >= limit.depth.min(50) || pieces >= limit.pieces {
            push_undecided(&mut brackets, lo, hi);
            continue;
        }
        let middle = 0.5 * (lo + hi);
        let (left, right) = piece.split();
        open.push((right, middle, hi, depth + 1));
        open.push((left, lo, middle, depth + 1));
    }
    brackets
}

/// Joins touching undecided brackets.
fn push_undecided(brackets: &mut Vec<RootBracket>, lo: f64, hi: f64) {
    match brackets.last_mut() {
        Some(last) if last.count == RootCount::Undecided && last.hi == lo => last.hi = hi,
        _ => brackets.push(RootBracket { lo, hi, count: RootCount::Undecided }),
    }
}

/// All distinct real roots in [0, 1], in increasing order, each with bounds of at most `width` (or two neighbouring
/// doubles if that is wider). Multiple roots appear once; `AlgebraicNumber::multiplicity_in` counts.
pub fn roots_in_unit_interval(
    p: &ExactPolynomial,
    width: f64,
) -> Result<Vec<AlgebraicNumber>, ZeroPolynomial> {
    if p.is_zero() {
        return Err(ZeroPolynomial);
    }
    let enclosure = Arc::new(p.enclosure());
    let brackets = isolate(&enclosure.to_bernstein(), &SubdivisionLimit::default());
    if brackets.is_empty() {
        return Ok(Vec::new());
    }
    let mut roots = if brackets.iter().all(|bracket| bracket.count == RootCount::One) {
        let polynomial = Arc::new(IntegerPolynomial::of(p));
        let number = |bracket: &RootBracket| {
            let bracket = narrowed(&enclosure, bracket, width);
            let (lo, hi) = (Dyadic::of_finite(bracket.lo), Dyadic::of_finite(bracket.hi));
            AlgebraicNumber::bracketed(polynomial.clone(), enclosure.clone(), lo, hi)
        };
        brackets.iter().map(number).collect()
    } else {
        isolate_exactly(p)
    };
    for root in &mut roots {
        root.refine(width);
    }
    Ok(roots)
}

/// Halves a bracket with exactly one root in plain doubles, as long as intervals can tell the sign at the middle.
fn narrowed(p: &Polynomial, bracket: &RootBracket, width: f64) -> RootBracket {
    let mut narrow = *bracket;
    let sign_at = |t: f64| p.evaluate(Interval::point(t)).sign();
    let Some(sign_at_lo) = sign_at(narrow.lo) else { return narrow };
    while narrow.hi - narrow.lo > width {
        let middle = 0.5 * (narrow.lo + narrow.hi);
        match sign_at(middle) {
            Some(sign) if middle > narrow.lo && middle < narrow.hi && sign != Sign::Zero => {
                if sign == sign_at_lo { narrow.lo = middle } else { narrow.hi = middle }
            }
            _ => break,
        }
    }
    narrow
}

/// Sturm's theorem on the square-free part, by bisection of (0, 1] down to one root each.
fn isolate_exactly(p: &ExactPolynomial) -> Vec<AlgebraicNumber> {
    let square_free = IntegerPolynomial::of(p).square_free();
    let chain = RemainderChain::sturm(&square_free);
    let enclosure = Arc::new(square_free.enclosure());
    let polynomial = Arc::new(square_free);
    let one = Dyadic::from_parts(1.into(), 0);
    let mut roots = Vec::new();
    if polynomial.sign_at(&Dyadic::ZERO) == Sign::Zero {
        roots.push(AlgebraicNumber::point(Dyadic::ZERO));
    }
    let changes = |t: &Dyadic| chain.sign_changes(t);
    let mut open = vec![(Dyadic::ZERO, changes(&Dyadic::ZERO), one.clone(), changes(&one))];
    while let Some((lo, at_lo, hi, at_hi)) = open.pop() {
        // Roots in (lo, hi]; distinct roots are apart by a bound that depends on the coefficients, so this ends.
        let count = at_lo - at_hi;
        if count <= 0 {
            continue;
        }
        let vanishes = |t: &Dyadic| polynomial.sign_at(t) == Sign::Zero;
        if count == 1 && vanishes(&hi) {
            roots.push(AlgebraicNumber::point(hi));
            continue;
        }
        if count == 1 && !vanishes(&lo) {
            roots.push(AlgebraicNumber::bracketed(polynomial.clone(), enclosure.clone(), lo, hi));
            continue;
        }
        let middle = (&lo + &hi).half();
        let at_middle = changes(&middle);
        open.push((middle.clone(), at_middle, hi, at_hi));
        open.push((lo, at_lo, middle, at_middle));
    }
    roots
}
