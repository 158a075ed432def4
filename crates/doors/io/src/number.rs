//! Numbers in text, correctly rounded.

use crate::error::Problem;
use crate::excerpt::excerpt;

/// Powers of ten that are doubles exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Space, tab, and the rest of what separates words within a line.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// The text without blanks in front.
#[inline]
pub(crate) fn skip_blanks(text: &[u8]) -> &[u8] {
    match text.iter().position(|&byte| !is_blank(byte)) {
        Some(0) => text,
        Some(at) => &text[at..],
        None => &[],
    }
}

/// The first word and what follows it; an empty word at the end.
#[inline]
pub(crate) fn take_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = skip_blanks(text);
    text.split_at(text.iter().position(|&byte| is_blank(byte)).unwrap_or(text.len()))
}

/// The finite number in front and what follows it.
#[inline]
pub(crate) fn take_number(text: &[u8]) -> Result<(f64, &[u8]), Problem> {
    let text = skip_blanks(text);
    if let Some((value, used)) = short_number(text)
        && text.get(used).is_none_or(|&byte| is_blank(byte))
    {
        return Ok((value, &text[used..]));
    }
    let (word, rest) = take_word(text);
    Ok((number(word)?, rest))
}

/// A finite number from a whole word.
pub(crate) fn number(word: &[u8]) -> Result<f64, Problem> {
    if word.is_empty() {
        return Err(Problem::malformed("a number is missing"));
    }
    match std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok()) {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err(Problem::NotFinite),
        None if word.contains(&b',') => Err(Problem::DecimalComma(excerpt(word))),
        None => Err(Problem::NotANumber(excerpt(word))),
    }
}

/// A whole number from a whole word.
pub(crate) fn integer(word: &[u8]) -> Result<i64, Problem> {
    let parsed = std::str::from_utf8(word).ok().and_then(|word| word.parse::<i64>().ok());
    parsed.ok_or_else(|| match word {
        [] => Problem::malformed("a number is missing"),
        _ if word.contains(&b',') => Problem::DecimalComma(excerpt(word)),
        _ => Problem::NotANumber(excerpt(word)),
    })
}

/// The common case: few digits, small exponent. With a mantissa m ≤ 2^53 and |e| ≤ 22, both m and 10^|e| are doubles, so
/// that one multiplication or division rounds correctly. Anything else is `None`.
#[inline]
pub(crate) fn short_number(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let mut at = usize::from(negative || text.first() == Some(&b'+'));
    let mut mantissa = 0_u64;
    let whole = digits(text, &mut at, &mut mantissa);
    let mut places = 0;
    if text.get(at) == Some(&b'.') {
        at += 1;
        places = digits(text, &mut at, &mut mantissa);
    }
    // 19 digits cannot overflow u64.
    if whole + places == 0 || whole + places > 19 || mantissa > 1 << 53 {
        return None;
    }
    let mut exponent = -i32::try_from(places).ok()?;
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        let sign = if text.get(at) == Some(&b'-') { -1 } else { 1 };
        at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
        let mut power = 0_u64;
        let count = digits(text, &mut at, &mut power);
        if count == 0 || count > 4 {
            return None;
        }
        exponent += sign * i32::try_from(power).ok()?;
    }
    let power = *EXACT_POWERS.get(exponent.unsigned_abs() as usize)?;
    let size = if exponent < 0 { mantissa as f64 / power } else { mantissa as f64 * power };
    Some((if negative { -size } else { size }, at))
}

/// Appends decimal digits to `value` (wrapping; the caller counts) and says how many there were.
#[inline]
fn digits(text: &[u8], at: &mut usize, value: &mut u64) -> usize {
    let start = *at;
    while let Some(digit) = text.get(*at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        *value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        *at += 1;
    }
    *at - start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_equal_the_standard_library() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut short = 0;
        for _ in 0..200_000 {
            let value = random.f64() * 10f64.powi(random.i32(-12..12));
            let text = match random.u32(..4) {
                0 => format!("{value}"),
                1 => format!("-{value:e}"),
                2 => format!("+{value:.6}"),
                _ => format!("{}", random.u64(..)),
            };
            let expected: f64 = text.parse().unwrap();
            let (value, rest) = take_number(text.as_bytes()).unwrap();
            assert_eq!((value.to_bits(), rest.len()), (expected.to_bits(), 0), "{text}");
            short += usize::from(short_number(text.as_bytes()).is_some());
        }
        assert!((50_000..190_000).contains(&short), "generator drifted: {short}");
    }

    #[test]
    fn words_that_are_no_numbers_say_so() {
        for word in ["", "-", ".", "e5", "1e", "1e+", "--1", "0x10", "1_000", "1.0f"] {
            let problem = take_number(word.as_bytes()).unwrap_err();
            assert!(matches!(problem, Problem::NotANumber(_) | Problem::Malformed(_)), "{word}: {problem}");
        }
        for word in ["nan", "inf", "-inf", "1e999"] {
            assert!(matches!(take_number(word.as_bytes()), Err(Problem::NotFinite)));
        }
        assert!(matches!(take_number(b"1,5"), Err(Problem::DecimalComma(_))));
        for (word, value) in [("1.", 1.0), (".5", 0.5), ("-0", -0.0), ("1e-320", 1e-320), ("5e22", 5e22)] {
            assert_eq!(take_number(word.as_bytes()).unwrap().0, value);
        }
    }
}
