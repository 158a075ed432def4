//! Fractions of decimal integers as the doubles they are exactly.

use crate::excerpt::excerpt;
use thiserror::Error;

/// Most digits of an integer that are read.
const MOST_DIGITS: usize = 1000;

/// Why a fraction is no double.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FractionError {
    /// Something else than up to 1000 digits, with a sign or without.
    #[error("`{0}` is not an integer")]
    NotAnInteger(String),
    /// Powers of two aside, it needs more bits than a double has.
    #[error("`{0}` has more digits than a double")]
    TooManyDigits(String),
    /// Division by zero.
    #[error("{0} has a denominator of 0")]
    ZeroDenominator(String),
    /// Between two doubles, or beyond them.
    #[error("{0} is not exactly a double")]
    Inexact(String),
}

/// numerator/denominator as the double it is **exactly**; both in decimal and, powers of two aside, doubles themselves.
pub(crate) fn fraction(numerator: &[u8], denominator: &[u8]) -> Result<f64, FractionError> {
    let shown = || format!("{}/{}", excerpt(numerator), excerpt(denominator));
    let (n, n_halvings) = integer(numerator)?;
    let (d, d_halvings) = integer(denominator)?;
    if d == 0.0 {
        return Err(FractionError::ZeroDenominator(shown()));
    }
    let quotient = n / d;
    // Exact when nothing is left over; a power of two then moves the point only, unless bits fall off the end.
    if !quotient.is_finite() || quotient.mul_add(d, -n) != 0.0 {
        return Err(FractionError::Inexact(shown()));
    }
    if quotient == 0.0 {
        return Ok(quotient);
    }
    let shift = n_halvings - d_halvings;
    let half = |e: i32| f64::powi(2.0, e / 2);
    let value = quotient * half(shift) * half(shift + shift % 2);
    let back = value * half(-shift) * half(-shift - shift % 2);
    if back == quotient && value.is_finite() { Ok(value) } else { Err(FractionError::Inexact(shown())) }
}

/// An integer in decimal as double·2^halvings, exactly.
fn integer(text: &[u8]) -> Result<(f64, i32), FractionError> {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if digits.is_empty() || digits.len() > MOST_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return Err(FractionError::NotAnInteger(excerpt(text)));
    }
    let mut digits: Vec<u8> = digits.iter().skip_while(|&&d| d == b'0').map(|d| d - b'0').collect();
    let mut halvings = 0;
    // Beyond 2¹⁰⁰⁰ a double might overflow: halve in decimal while that is exact.
    while digits.len() > 300 && digits.last().is_some_and(|d| d % 2 == 0) {
        halve(&mut digits);
        halvings += 1;
    }
    let shown: String = digits.iter().map(|d| char::from(d + b'0')).collect();
    let value: f64 = if shown.is_empty() { 0.0 } else { shown.parse().unwrap_or(f64::NAN) };
    if !value.is_finite() || (value != 0.0 && format!("{value:.0}") != shown) {
        return Err(FractionError::TooManyDigits(excerpt(text)));
    }
    Ok((if text.starts_with(b"-") { -value } else { value }, halvings))
}

/// Half of an even number in decimal digits.
fn halve(digits: &mut Vec<u8>) {
    let mut carry = 0;
    for digit in digits.iter_mut() {
        let value = 10 * carry + *digit;
        *digit = value / 2;
        carry = value % 2;
    }
    if digits.first() == Some(&0) {
        digits.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::rational::exact;

    fn value(numerator: &str, denominator: &str) -> Result<f64, FractionError> {
        fraction(numerator.as_bytes(), denominator.as_bytes())
    }

    /// 2^exponent in decimal.
    fn power(exponent: u32) -> String {
        let mut digits = vec![1_u8];
        for _ in 0..exponent {
            let mut carry = 0;
            for digit in digits.iter_mut().rev() {
                let value = 2 * *digit + carry;
                *digit = value % 10;
                carry = value / 10;
            }
            if carry > 0 {
                digits.insert(0, carry);
            }
        }
        digits.iter().map(|d| char::from(d + b'0')).collect()
    }

    #[test]
    fn fractions_are_exact_or_refused() {
        assert_eq!(value("-8388609", "8388608"), Ok(-8_388_609.0 / 8_388_608.0));
        assert_eq!(value("3", "6"), Ok(0.5));
        assert_eq!(value("0", "1"), Ok(0.0));
        assert!(value("1", "3").is_err() && value("1", "0").is_err());
        assert!(value("9007199254740993", "1").is_err(), "2⁵³ + 1");
        assert!(value("1e3", "1").is_err() && value("", "1").is_err());
        // 2¹⁰⁷⁴ as a denominator: the smallest double.
        assert_eq!(value("3", &power(1074)), Ok(f64::from_bits(3)));
    }

    #[test]
    fn powers_beyond_the_doubles_are_taken_where_the_fraction_is_one() {
        let huge = power(3300);
        assert_eq!(value("0", &huge), Ok(0.0));
        assert_eq!(value(&huge, &huge), Ok(1.0));
        assert_eq!(value(&power(3000), &format!("-{}", power(2000))), Ok(-f64::powi(2.0, 1000)));
        assert!(value("1", &huge).is_err() && value(&huge, "1").is_err());
        assert!(value("1", &power(1075)).is_err(), "half of the smallest double");
        assert!(value(&power(1024), "1").is_err());
    }

    /// Every double written as a fraction in lowest terms is read as itself.
    #[test]
    fn doubles_of_all_sizes_come_back() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut read = 0;
        for _ in 0..400 {
            let double = f64::from_bits(random.u64(..));
            if !double.is_finite() {
                continue;
            }
            let rational = exact(double);
            assert_eq!(value(&rational.numer().to_string(), &rational.denom().to_string()), Ok(double));
            read += 1;
        }
        assert!(read > 390, "{read}");
    }
}
