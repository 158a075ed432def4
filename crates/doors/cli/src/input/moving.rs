//! Files of moving vertex–face and edge–edge queries: fractions, eight lines a query.

use crate::failure::Failure;
use kontakt::math::DVec3;
use kontakt::soft_ccd::{Kind, Query};
use std::path::Path;

/// A query and what the file says about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) query: Query,
    pub(crate) touches: bool,
}

/// Points of a query.
const LINES: usize = 8;

/// Reads all queries of a file.
pub(crate) fn read(path: &Path, kind: Option<Kind>) -> Result<Vec<Case>, Failure> {
    let unusable = |problem: String| Failure::Unusable { path: path.to_owned(), problem };
    let kind = kind.or_else(|| kind_of(path)).ok_or_else(|| {
        unusable("neither vertex-face nor edge-edge is in the path; say which with --kind".into())
    })?;
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Unreadable { path: path.to_owned(), error })?;
    let mut cases = Vec::new();
    let mut rows: Vec<(DVec3, bool)> = Vec::with_capacity(LINES);
    let mut last = 0;
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        last = index + 1;
        let refused = |problem: String| Failure::Line { path: path.to_owned(), line: index + 1, problem };
        let row = row(line).map_err(refused)?;
        if rows.first().is_some_and(|first| first.1 != row.1) {
            return Err(refused("the truth differs from that of the query's first line".into()));
        }
        rows.push(row);
        if rows.len() == LINES {
            let point = |i: usize| rows[i].0;
            let query = Query::new(kind, [0, 1, 2, 3].map(point), [4, 5, 6, 7].map(point))
                .map_err(|error| refused(error.to_string()))?;
            cases.push(Case { query, touches: rows[0].1 });
            rows.clear();
        }
    }
    if !rows.is_empty() {
        let problem = format!("the last query has {} of its {LINES} lines", rows.len());
        return Err(Failure::Line { path: path.to_owned(), line: last, problem });
    }
    if cases.is_empty() {
        return Err(unusable("there is not one query in this file".into()));
    }
    Ok(cases)
}

/// The kind that the nearest folder with such a name, or the file's own name, tells.
fn kind_of(path: &Path) -> Option<Kind> {
    let full = std::path::absolute(path).ok()?;
    full.ancestors().filter_map(|part| part.file_name()?.to_str()).find_map(|name| {
        if name.contains("vertex-face") {
            Some(Kind::VertexFace)
        } else if name.contains("edge-edge") {
            Some(Kind::EdgeEdge)
        } else {
            None
        }
    })
}

/// One point and the truth.
fn row(line: &str) -> Result<(DVec3, bool), String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let [xn, xd, yn, yd, zn, zd, truth] = fields[..] else {
        return Err(format!("{} fields instead of xnum,xden,ynum,yden,znum,zden,truth", fields.len()));
    };
    let point = DVec3::new(fraction(xn, xd)?, fraction(yn, yd)?, fraction(zn, zd)?);
    match truth {
        "0" => Ok((point, false)),
        "1" => Ok((point, true)),
        other => Err(format!("`{other}` is no truth; it must be 0 or 1")),
    }
}

/// numerator/denominator as the double it is exactly.
fn fraction(numerator: &str, denominator: &str) -> Result<f64, String> {
    let inexact = || format!("{numerator}/{denominator} is not exactly a double");
    let (n, n_halvings) = integer(numerator)?;
    let (d, d_halvings) = integer(denominator)?;
    if d == 0.0 {
        return Err(format!("{numerator}/{denominator} has a denominator of 0"));
    }
    let quotient = n / d;
    // Exact when nothing is left over; a power of two then moves the point only, unless bits fall off the end.
    if !quotient.is_finite() || quotient.mul_add(d, -n) != 0.0 {
        return Err(inexact());
    }
    let shift = n_halvings - d_halvings;
    let half = |e: i32| f64::powi(2.0, e / 2);
    let value = quotient * half(shift) * half(shift + shift % 2);
    let back = value * half(-shift) * half(-shift - shift % 2);
    if back == quotient && value.is_finite() { Ok(value) } else { Err(inexact()) }
}

/// An integer in decimal as double·2^halvings, exactly.
fn integer(text: &str) -> Result<(f64, i32), String> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || digits.len() > 1000 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("`{}` is not an integer", text.chars().take(40).collect::<String>()));
    }
    let mut digits: Vec<u8> = digits.trim_start_matches('0').bytes().map(|b| b - b'0').collect();
    let mut halvings = 0;
    // Beyond 2¹⁰⁰⁰ a double might overflow: halve in decimal while that is exact.
    while digits.len() > 300 && digits.last().is_some_and(|d| d % 2 == 0) {
        halve(&mut digits);
        halvings += 1;
    }
    let shown: String = digits.iter().map(|d| char::from(d + b'0')).collect();
    let value: f64 = if shown.is_empty() { 0.0 } else { shown.parse().unwrap_or(f64::NAN) };
    if !value.is_finite() || (value != 0.0 && format!("{value:.0}") != shown) {
        return Err(format!("`{}` has more digits than a double", text.chars().take(40).collect::<String>()));
    }
    Ok((if text.starts_with('-') { -value } else { value }, halvings))
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

    #[test]
    fn fractions_are_exact_or_refused() {
        assert_eq!(fraction("-8388609", "8388608"), Ok(-8_388_609.0 / 8_388_608.0));
        assert_eq!(fraction("3", "6"), Ok(0.5));
        assert_eq!(fraction("0", "1"), Ok(0.0));
        assert!(fraction("1", "3").is_err() && fraction("1", "0").is_err());
        assert!(fraction("9007199254740993", "1").is_err(), "2⁵³ + 1");
        assert!(fraction("1e3", "1").is_err() && fraction("", "1").is_err());
        // 2¹⁰⁷⁴ as a denominator: the smallest double.
        let mut digits = vec![1_u8];
        for _ in 0..1074 {
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
        let denominator: String = digits.iter().map(|d| char::from(d + b'0')).collect();
        assert_eq!(fraction("3", &denominator), Ok(f64::from_bits(3)));
    }
}
