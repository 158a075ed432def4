//! Numbers and counts in sentences for people.

/// A count with its noun.
pub fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Six significant digits, with an exponent only where that is shorter to read.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs();
    if !(1e-4..1e7).contains(&magnitude) {
        return if value.is_finite() { format!("{value:.5e}") } else { format!("{value}") };
    }
    let digits_before = magnitude.log10().floor() as i32 + 1;
    let decimals = usize::try_from(6 - digits_before).unwrap_or(0);
    let fixed = format!("{value:.decimals$}");
    if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.').into() } else { fixed }
}

/// Three numbers in brackets.
pub fn triple(values: [f64; 3]) -> String {
    format!("({})", values.map(number).join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well_at_every_size() {
        for (value, shown) in [
            (0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (123_456.7, "123457"),
            (1_234_567.0, "1234567"),
            (0.001_234_567_8, "0.00123457"),
            (1e-300, "1.00000e-300"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(value), shown);
        }
    }
}
