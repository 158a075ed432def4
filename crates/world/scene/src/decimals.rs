//! To how many digits the numbers of a text were rounded.
//!
//! Programs that print coordinates with six decimals, or with six digits, round them; faces that were flush are so no more. Nobody
//! says so in the file, but it shows: nearly all numbers use the last digit there is. Numbers that somebody chose do not.

use crate::scene::Precision;
use kontakt_math::DVec3;

/// As many digits programs print that count digits.
const PRINTED_DIGITS: std::ops::RangeInclusive<i32> = 6..=7;
/// Numbers with fewer decimals were chosen, not rounded.
const LEAST_DECIMALS: i32 = 5;
/// Numbers of which none has so many digits were chosen, too: small parts written in metres.
const LEAST_DIGITS: i32 = 5;
/// Numbers with more digits were not rounded to a number of decimals on the way.
const MOST_DIGITS: i32 = 12;
/// Numbers of single precision have this many digits at least, where they use them all,
const SINGLE_DIGITS: i32 = 7;
/// and printed with nine are off by this share at most.
const NEAR_SINGLE: f64 = 5e-9;
/// This share of the numbers uses the last digit, at least.
const SHARE: f64 = 0.5;
/// So many points are looked at, at most.
const SAMPLE: usize = 2_000;

impl Precision {
    /// What the points of a body look like that were read from text: rounded to decimals, or to single precision and printed with as
    /// many digits as that takes. `None` for others.
    pub fn of_text(points: &[DVec3]) -> Option<Precision> {
        let step = (points.len() / SAMPLE).max(1);
        let numbers: Vec<Written> = points
            .iter()
            .step_by(step)
            .flat_map(DVec3::to_array)
            .filter(|x| *x != 0.0)
            .map(Written::of)
            .collect();
        let uses = |last: &dyn Fn(&Written) -> bool| {
            numbers.iter().filter(|number| last(number)).count() as f64 >= SHARE * numbers.len() as f64
        };
        let digits = numbers.iter().map(|number| number.digits).max()?;
        let decimals = numbers.iter().map(|number| number.decimals).max()?;
        if (LEAST_DIGITS..=MOST_DIGITS).contains(&digits)
            && decimals >= LEAST_DECIMALS
            && uses(&|number| number.decimals == decimals)
        {
            return Some(Precision::Decimal(10.0_f64.powi(-decimals)));
        }
        if uses(&|number| number.digits >= SINGLE_DIGITS && number.decimals > 0)
            && numbers.iter().all(|number| number.single)
        {
            return Some(Precision::Single);
        }
        let largest = numbers.iter().map(|number| number.digits - number.decimals).max()?;
        (decimals > 0 && PRINTED_DIGITS.contains(&digits) && uses(&|number| number.digits == digits))
            .then(|| Precision::Decimal(10.0_f64.powi(largest - digits)))
    }
}

/// A number as the shortest text that means it.
struct Written {
    /// Significant digits.
    digits: i32,
    /// Digits behind the point; negative where zeros end it before.
    decimals: i32,
    /// Whether it is the shortest text of a single, or one with nine digits.
    single: bool,
}

impl Written {
    fn of(x: f64) -> Written {
        let single = x as f32;
        let (text, short) = (format!("{x:e}"), format!("{single}"));
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).fold(0, |count, _| count + 1);
        Written {
            digits,
            decimals: digits - 1 - exponent.parse::<i32>().unwrap_or(0),
            single: short.parse() == Ok(x) || (x - f64::from(single)).abs() <= NEAR_SINGLE * x.abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(round: impl Fn(f64) -> f64) -> Vec<DVec3> {
        let number = |k: u32| round((f64::from(k) * 0.734_521_9).sin() * 12.0);
        (0..40).map(|k| DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2))).collect()
    }

    #[test]
    fn rounded_numbers_show_their_last_digit() {
        let six = |x: f64| format!("{x:.6}").parse::<f64>().unwrap();
        assert_eq!(Precision::of_text(&points(six)), Some(Precision::Decimal(1e-6)));
        let digits = |x: f64| format!("{x:.5e}").parse::<f64>().unwrap();
        assert_eq!(Precision::of_text(&points(digits)), Some(Precision::Decimal(1e-4)));
        assert_eq!(Precision::of_text(&points(|x| x)), None, "doubles");
        assert_eq!(Precision::of_text(&points(f64::round)), None, "whole numbers");
        assert_eq!(Precision::of_text(&points(|x| (x * 100.0).round() / 100.0)), None, "chosen ones");
        let single = |x: f64| format!("{}", x as f32).parse::<f64>().unwrap();
        assert_eq!(Precision::of_text(&points(single)), Some(Precision::Single));
        assert_eq!(Precision::of_text(&points(|x| f64::from(x as f32))), Some(Precision::Single));
        let metres = |x: f64| (x * 10.0).round() / 100_000.0;
        assert_eq!(
            Precision::of_text(&points(metres)),
            None,
            "a part of a millimetre on a grid of ten micrometres"
        );
        assert_eq!(Precision::of_text(&[]), None);
    }
}
