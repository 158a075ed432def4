//! The last stage: every verdict by signs of exact polynomials at exactly known times. No rounding anywhere; the work is
//! bounded, since the numbers of roots are and every bisection ends at the distance of distinct roots.

mod instant;
mod isolated;
mod polynomial;
mod radon;
mod roots;
mod rounded;
mod whole;

pub(crate) use radon::{Carriers, carriers};

use crate::Query;
use crate::doubles::Doubles;
use dashu_int::IBig;
use instant::{Instant, OutOfDigits};
use kontakt_math::Sign;
use polynomial::vanishes;
use radon::Radon;
use roots::{inner_roots_of_cubic, inner_roots_of_quadratic};
use std::cmp::Ordering;
use whole::Whole;

/// The first contact, exactly known, with the time as bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactContact {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) carriers: Carriers,
}

/// The first contact of a query; the bounds of its time are at most `width` apart or neighbouring doubles.
pub(crate) fn first_contact(query: &Query, width: f64) -> Option<ExactContact> {
    // Numbers of any size never run out of digits: every double fits, and depth exceeds the least distance of roots.
    decide::<IBig>(query, width).unwrap_or(None)
}

fn decide<W: Whole>(query: &Query, width: f64) -> Result<Option<ExactContact>, OutOfDigits> {
    let [start, end] = whole_coordinates::<W>(query)?;
    let radon = Radon::new(query.kind(), &start, &end, Doubles::new(query).weights());
    if vanishes(&radon.volume) {
        return Ok(always_coplanar(&radon, width));
    }
    if radon.volume[0].is_zero()
        && let Some(carriers) = radon.contact_at(&Instant::start())
    {
        return Ok(Some(ExactContact { lo: 0.0, hi: 0.0, carriers }));
    }
    for root in inner_roots_of_cubic(&radon.volume)? {
        if let Some(carriers) = radon.contact_at(&root) {
            let (lo, hi) = bounds(&root, width);
            return Ok(Some(ExactContact { lo, hi, carriers }));
        }
    }
    let at_end = radon.volume.iter().fold(W::zero(), |sum, c| sum.plus(c));
    if at_end.sign() == Sign::Zero
        && let Some(carriers) = radon.contact_at(&Instant::end())
    {
        return Ok(Some(ExactContact { lo: 1.0, hi: 1.0, carriers }));
    }
    Ok(None)
}

/// All points stay in one plane, which may turn. The signs that decide change only at roots of the quadratics, and contact is a
/// closed condition: the first one is at t = 0, at 1 or at such a root.
fn always_coplanar<W: Whole>(radon: &Radon<W>, width: f64) -> Option<ExactContact> {
    if let Some(carriers) = radon.contact_at(&Instant::start()) {
        return Some(ExactContact { lo: 0.0, hi: 0.0, carriers });
    }
    let quadratics = radon.all_quadratics();
    let roots = quadratics.iter().filter(|q| !vanishes(&q[..])).flat_map(inner_roots_of_quadratic);
    let mut candidates: Vec<Instant<W>> = roots.chain([Instant::end()]).collect();
    // Once a contact is found, most of what follows is seen to be later without exact arithmetic.
    candidates.sort_by(|a, b| a.bracket().0.total_cmp(&b.bracket().0));
    let mut first: Option<(Instant<W>, Carriers)> = None;
    for time in candidates {
        let earlier = first.as_ref().is_none_or(|(before, _)| time.compare(before) == Ordering::Less);
        if earlier && let Some(carriers) = radon.contact_at(&time) {
            first = Some((time, carriers));
        }
    }
    let (time, carriers) = first?;
    let (lo, hi) = bounds(&time, width);
    Some(ExactContact { lo, hi, carriers })
}

/// Doubles around a time in [0, 1], at most `width` apart, or the time itself twice, or neighbours.
fn bounds<W: Whole>(time: &Instant<W>, width: f64) -> (f64, f64) {
    const GRID: f64 = (1_u64 << 30) as f64;
    let (mut lo, mut hi) = time.bracket();
    // Times of few binary digits are often exact, as those of motions on a grid; chance puts none of them next to others.
    let short = (hi * GRID).floor() / GRID;
    if short >= lo && time.compare_to(short) == Ordering::Equal {
        return (short, short);
    }
    while hi - lo > width && lo.next_up() < hi {
        // Doubles from 0 to 1 are ordered like their bits; halving those also ends next to zero.
        let middle = f64::from_bits(lo.to_bits().midpoint(hi.to_bits()));
        match time.compare_to(middle) {
            Ordering::Equal => return (middle, middle),
            Ordering::Greater => lo = middle,
            Ordering::Less => hi = middle,
        }
    }
    (lo, hi)
}

/// All coordinates as integers over one power of two.
fn whole_coordinates<W: Whole>(query: &Query) -> Result<[[[W; 3]; 4]; 2], OutOfDigits> {
    let parts = [query.start(), query.end()].map(|points| points.map(|p| p.to_array().map(parts_of)));
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for &(mantissa, exponent) in parts.iter().flatten().flatten() {
        if mantissa != 0 {
            least = least.min(exponent);
            most = most.max(exponent + 64 - mantissa.unsigned_abs().leading_zeros().cast_signed());
        }
    }
    if most > least && (most - least).unsigned_abs() > W::COORDINATE_BITS {
        return Err(OutOfDigits);
    }
    let whole = |(mantissa, exponent): (i64, i32)| {
        if mantissa == 0 { W::zero() } else { W::shifted(mantissa, (exponent - least).unsigned_abs()) }
    };
    Ok(parts.map(|points| points.map(|p| p.map(whole))))
}

/// Odd mantissa and exponent of a finite double; zero for zero.
fn parts_of(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let biased = ((bits >> 52) as u32 & 0x7FF).cast_signed();
    let fraction = bits & ((1 << 52) - 1);
    let (magnitude, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    if magnitude == 0 {
        return (0, 0);
    }
    let drop = magnitude.trailing_zeros();
    let mantissa = (magnitude >> drop).cast_signed();
    (if value < 0.0 { -mantissa } else { mantissa }, exponent + drop.cast_signed())
}
