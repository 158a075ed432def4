//! Part 21 text cut into statements: everything up to a semicolon that is in no string and no comment.

use crate::error::{Fault, Place, Problem};
use crate::number::is_blank;
use memchr::{memchr, memchr3, memmem};

/// Walks over statements.
pub(super) struct Statements<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Statements<'a> {
    pub(super) fn new(text: &'a [u8]) -> Statements<'a> {
        Statements { text, at: 0 }
    }

    /// Where the next statement begins and its text without the semicolon; `None` at the end of the file. Blanks and comments
    /// after the last semicolon are no statement; anything else there is.
    pub(super) fn next(&mut self) -> Result<Option<(usize, &'a [u8])>, Fault> {
        let start = skip_space(self.text, self.at);
        if start >= self.text.len() {
            return Ok(None);
        }
        let end = statement_end(self.text, start).ok_or_else(|| cut_off(self.text))?;
        self.at = end + 1;
        Ok(Some((start, &self.text[start..end])))
    }
}

/// The error of a file that ends within something.
pub(super) fn cut_off(text: &[u8]) -> Fault {
    let what = "END-ISO-10303-21 is missing, or a string or comment is not closed";
    Problem::Truncated(what.into()).at(Place::Line(line_of(text, text.len())))
}

/// The line of a byte, from 1.
pub(super) fn line_of(text: &[u8], at: usize) -> u64 {
    1 + memchr::memchr_iter(b'\n', &text[..at.min(text.len())]).count() as u64
}

/// Where the next byte is that is neither blank nor in a comment.
#[inline]
pub(super) fn skip_space(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(&byte) if is_blank(byte) => at += 1,
            Some(b'/') if text.get(at + 1) == Some(&b'*') => match memmem::find(&text[at + 2..], b"*/") {
                Some(length) => at += length + 4,
                None => return text.len(),
            },
            _ => return at,
        }
    }
}

fn statement_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr3(b';', b'\'', b'/', &text[at..])?;
        match text[at] {
            b';' => return Some(at),
            // A quote within a string is written twice: the string ends and another begins at once.
            b'\'' => at += memchr(b'\'', &text[at + 1..])? + 2,
            _ if text.get(at + 1) == Some(&b'*') => at += memmem::find(&text[at + 2..], b"*/")? + 4,
            _ => at += 1,
        }
    }
}
