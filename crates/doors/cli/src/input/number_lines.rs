//! Text files with a fixed count of numbers a line: spaces or commas between them, `#` starts a comment.

use crate::failure::Failure;
use kontakt::io::{Place, Problem, ReadError};
use kontakt::schedule::Deadline;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Files of so many bytes are read however short the time is.
const SMALL: usize = 1 << 17;

/// Reads the file and hands the `N` numbers of every line that holds any to `take`, whose words about a bad line are
/// reported with file and line. A file without a single line of numbers is an error, and one that the deadline comes before; small files are
/// read in any case.
pub(crate) fn read<const N: usize, T>(
    path: &Path,
    what: &str,
    deadline: Deadline,
    mut take: impl FnMut([f64; N]) -> Result<T, String>,
) -> Result<Vec<T>, Failure> {
    let refused = |line: usize, problem: String| Failure::Line { path: path.to_owned(), line, problem };
    let unreadable = |error| Failure::Unreadable { path: path.to_owned(), error };
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(unreadable)?);
    let mut taken = Vec::new();
    let mut bytes = Vec::new();
    let (mut done, mut pacer) = (0, deadline.pacer());
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 {
            break;
        }
        done += bytes.len();
        if done > SMALL {
            let late = |expired| ReadError {
                file: path.display().to_string(),
                place: Place::Whole,
                problem: Problem::Expired(expired),
            };
            pacer.tick().map_err(late)?;
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| refused(line, "this is no text".into()))?;
        let text = if line == 1 { text.trim_start_matches('\u{feff}') } else { text };
        let text = text.split('#').next().unwrap_or("").trim();
        if text.is_empty() {
            continue;
        }
        let value = numbers::<N>(text, what).and_then(&mut take).map_err(|problem| refused(line, problem))?;
        taken.push(value);
    }
    if taken.is_empty() {
        let problem = format!("there is not one line of {N} numbers ({what}) in this file");
        return Err(Failure::Unusable { path: path.to_owned(), problem });
    }
    Ok(taken)
}

/// Exactly `N` finite numbers, separated by blanks, or by a comma with or without blanks.
pub(crate) fn numbers<const N: usize>(text: &str, what: &str) -> Result<[f64; N], String> {
    let mut found = [0.0; N];
    let mut count = 0;
    let whole = text.trim();
    let whole = whole.strip_suffix(',').unwrap_or(whole);
    for field in whole.split(',') {
        if field.trim().is_empty() && !whole.is_empty() {
            return Err("a number is missing between two commas".into());
        }
        for word in field.split_whitespace() {
            let value: f64 = word.parse().map_err(|_| format!("`{}` is not a number", excerpt(word)))?;
            if !value.is_finite() {
                return Err(format!("`{}` is not a finite number", excerpt(word)));
            }
            if let Some(place) = found.get_mut(count) {
                *place = value;
            }
            count += 1;
        }
    }
    if count == N {
        return Ok(found);
    }
    let hint =
        if count == 2 * N && whole.contains(',') { "; write numbers with a decimal point" } else { "" };
    Err(format!("{count} numbers where {N} are needed ({what}){hint}"))
}

/// The beginning of a word, for messages.
fn excerpt(word: &str) -> String {
    const LENGTH: usize = 40;
    let short: String = word.chars().take(LENGTH).collect();
    if short.len() < word.len() { short + "…" } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_commas_separate() {
        for text in ["1 2 3", "1,2,3", " 1 ,2\t, 3 ", "1,2 3", "1, 2, 3,", "+1e0 2. 3"] {
            assert_eq!(numbers::<3>(text, "x y z"), Ok([1.0, 2.0, 3.0]), "{text:?}");
        }
    }

    #[test]
    fn the_culprit_is_named() {
        for (text, words) in [
            ("1 2", "2 numbers where 3"),
            ("1 2 3 4", "4 numbers where 3"),
            ("", "0 numbers"),
            ("1 two 3", "`two` is not a number"),
            ("1 NaN 3", "not a finite number"),
            ("1 1e999 3", "not a finite number"),
            ("1,,3", "between two commas"),
            ("0,5 1,5 2,5", "decimal point"),
        ] {
            let problem = numbers::<3>(text, "x y z").unwrap_err();
            assert!(problem.contains(words), "{text:?}: {problem}");
        }
    }
}
