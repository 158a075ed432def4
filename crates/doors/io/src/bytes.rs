//! A whole file in memory, read from front to back as words, lines or numbers.

use crate::error::{Fault, Place, Problem};
use crate::input::Input;
use crate::number::{integer, is_blank, number};
use kontakt_shapes::memory::reserve;

/// The rest of the input. Memory grows with what was read, not with what a header says.
pub(crate) fn all(input: &mut Input<'_>) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    reserve(&mut bytes, usize::try_from(input.size.unwrap_or(0)).unwrap_or(0))?;
    let read = input.reader.read_to_end(&mut bytes);
    read.map_err(|error| Problem::Io(error).at(Place::Whole))?;
    Ok(bytes)
}

/// A place in such a file.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes { bytes, at: 0 }
    }

    /// What was not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next byte's.
    pub(crate) fn byte_place(&self) -> Place {
        Place::Byte(self.at as u64)
    }

    /// The line of the byte read last.
    pub(crate) fn line_place(&self) -> Place {
        let before = &self.bytes[..self.at.saturating_sub(1)];
        Place::Line(1 + memchr::memchr_iter(b'\n', before).count() as u64)
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let taken = self.rest().get(..count);
        let short = || Problem::Truncated("in the middle of its numbers".into()).at(self.byte_place());
        let taken = taken.ok_or_else(short)?;
        self.at += count;
        Ok(taken)
    }

    /// The next line without blanks around it; `None` at the end.
    pub(crate) fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += (length + 1).min(rest.len());
        Some(rest[..length].trim_ascii())
    }

    /// The next word; an error at the end.
    pub(crate) fn word(&mut self) -> Result<&'a [u8], Fault> {
        let rest = self.rest();
        let start = rest.iter().position(|&byte| !is_blank(byte)).unwrap_or(rest.len());
        let length = rest[start..].iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len() - start);
        self.at += start + length;
        if length == 0 {
            return Err(Problem::Truncated("in the middle of its numbers".into()).at(self.line_place()));
        }
        Ok(&rest[start..start + length])
    }

    pub(crate) fn integer(&mut self) -> Result<i64, Fault> {
        let word = self.word()?;
        integer(word).map_err(|problem| problem.at(self.line_place()))
    }

    pub(crate) fn number(&mut self) -> Result<f64, Fault> {
        let word = self.word()?;
        number(word).map_err(|problem| problem.at(self.line_place()))
    }

    /// Passes over everything up to and with this text; `false` where it does not come.
    pub(crate) fn pass(&mut self, text: &[u8]) -> bool {
        let found = memchr::memmem::find(self.rest(), text);
        self.at = found.map_or(self.bytes.len(), |at| self.at + at + text.len());
        found.is_some()
    }
}
