//! The first three lines: version, who wrote it, units.

use super::record::cut_off;
use crate::error::{Fault, Place, Problem};
use crate::number::{is_blank, number, take_word};

/// What a file says of itself.
pub(super) struct Header {
    /// 100 times the version: 700 is 7.0.
    pub(super) version: u32,
    pub(super) writer: String,
    /// Millimetres per unit; none where the file does not say.
    pub(super) millimetres: Option<f64>,
    /// Below which two points are one, in units.
    pub(super) resolution: Option<f64>,
    /// Where records begin.
    pub(super) end: usize,
}

impl Header {
    pub(super) fn read(text: &[u8]) -> Result<Header, Fault> {
        let start = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let (first, rest) = take_word(&text[start..]);
        if first.is_empty() {
            return Err(cut_off(text));
        }
        let version = std::str::from_utf8(first).ok().and_then(|word| word.parse::<u32>().ok());
        let is_version = |version: &u32| (100..=100_000).contains(version);
        let Some(version) = version.filter(is_version) else {
            let what = "it does not begin with the version of ACIS that wrote it";
            return Err(Problem::malformed(what).at(Place::Line(1)));
        };
        if version < 200 {
            let what = format!("ACIS version {}.{:02}; 2.0 and later are read", version / 100, version % 100);
            return Err(Problem::Unsupported(what).at(Place::Line(1)));
        }
        let mut rest = rest;
        // Numbers of records, bodies and history.
        for _ in 0..3 {
            (_, rest) = take_word(rest);
        }
        let mut strings = Vec::new();
        for _ in 0..3 {
            let (string, after) = counted(rest).ok_or_else(|| unreadable(text))?;
            strings.push(String::from_utf8_lossy(string).trim().to_owned());
            rest = after;
        }
        let mut numbers = [0.0; 3];
        for value in &mut numbers {
            let (word, after) = take_word(rest);
            *value = number(word).map_err(|_| unreadable(text))?;
            rest = after;
        }
        let [millimetres, resolution, _] = numbers;
        Ok(Header {
            version,
            writer: strings[..2].join(", "),
            // The kernel's own word for unknown is -1.
            millimetres: (millimetres > 0.0).then_some(millimetres),
            resolution: (resolution > 0.0).then_some(resolution),
            end: text.len() - rest.len(),
        })
    }
}

fn unreadable(text: &[u8]) -> Fault {
    if memchr::memchr_iter(b'\n', text).count() < 3 {
        return cut_off(text);
    }
    Problem::malformed("its header is not three strings and three numbers").at(Place::Line(2))
}

/// A string with its length before it, `7 Unknown` or `@7 Unknown`, and what follows.
fn counted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (word, rest) = take_word(text);
    let digits = word.strip_prefix(b"@").unwrap_or(word);
    let length = std::str::from_utf8(digits).ok()?.parse::<usize>().ok()?;
    let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
    let rest = match rest.split_first() {
        Some((&byte, rest)) if is_blank(byte) => rest,
        _ => rest,
    };
    Some((rest.get(..length)?, rest.get(length..)?))
}
