//! The little of XML that VTK's files use: tags with attributes, and text between them.

use crate::error::Place;
use crate::error::{Fault, Problem};
use crate::excerpt::excerpt;

/// A tag.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a [u8],
    pub(super) kind: Kind,
    attributes: Vec<(&'a [u8], &'a [u8])>,
    /// The line it stands on.
    pub(super) line: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    /// Opened and closed at once.
    Empty,
}

impl Tag<'_> {
    pub(super) fn attribute(&self, name: &str) -> Option<&[u8]> {
        self.attributes.iter().find(|(own, _)| *own == name.as_bytes()).map(|(_, value)| *value)
    }

    pub(super) fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// A whole number of an attribute.
    pub(super) fn count(&self, name: &str) -> Result<Option<u64>, Fault> {
        let Some(value) = self.attribute(name) else { return Ok(None) };
        let number = std::str::from_utf8(value.trim_ascii()).ok().and_then(|word| word.parse().ok());
        let wrong = || Problem::WrongCount(format!("{name}={:?}", excerpt(value))).at(self.place());
        number.map(Some).ok_or_else(wrong)
    }
}

/// A text read tag by tag.
pub(super) struct Tags<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// Lines up to this place.
    line: u64,
    counted: usize,
}

impl<'a> Tags<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Tags<'a> {
        Tags { bytes, at: 0, line: 1, counted: 0 }
    }

    fn line(&mut self) -> u64 {
        self.line += memchr::memchr_iter(b'\n', &self.bytes[self.counted..self.at]).count() as u64;
        self.counted = self.at;
        self.line
    }

    /// The next tag and the text in front of it; `None` at the end. Comments and declarations are passed over.
    pub(super) fn next(&mut self) -> Result<Option<(&'a [u8], Tag<'a>)>, Fault> {
        let start = self.at;
        loop {
            let Some(open) = memchr::memchr(b'<', &self.bytes[self.at..]) else { return Ok(None) };
            let text = start..self.at + open;
            self.at += open;
            let line = self.line();
            let cut = || Problem::Truncated("in the middle of a tag".into()).at(Place::Line(line));
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                let end = memchr::memmem::find(rest, b"-->").ok_or_else(cut)?;
                self.at += end + 3;
                continue;
            }
            let end = end_of_tag(rest).ok_or_else(cut)?;
            self.at += end + 1;
            let inner = &rest[1..end];
            if inner.starts_with(b"?") || inner.starts_with(b"!") {
                continue;
            }
            return Ok(Some((&self.bytes[text], tag(inner, line)?)));
        }
    }
}

/// The closing bracket, which may also stand within quotes.
fn end_of_tag(rest: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (i, &byte) in rest.iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(i),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn tag(inner: &[u8], line: u64) -> Result<Tag<'_>, Fault> {
    let (inner, kind) = match (inner.strip_prefix(b"/"), inner.strip_suffix(b"/")) {
        (Some(inner), _) => (inner, Kind::Close),
        (None, Some(inner)) => (inner, Kind::Empty),
        (None, None) => (inner, Kind::Open),
    };
    let is_end = |byte: &u8| byte.is_ascii_whitespace();
    let length = inner.iter().position(is_end).unwrap_or(inner.len());
    let (name, mut rest) = inner.split_at(length);
    let wrong = || Problem::malformed(format!("the tag {:?}", excerpt(inner))).at(Place::Line(line));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_ascii();
        if rest.is_empty() {
            return Ok(Tag { name, kind, attributes, line });
        }
        let equals = memchr::memchr(b'=', rest).ok_or_else(wrong)?;
        let key = rest[..equals].trim_ascii();
        let value = rest[equals + 1..].trim_ascii_start();
        let quote = *value.first().filter(|&&byte| byte == b'"' || byte == b'\'').ok_or_else(wrong)?;
        let end = memchr::memchr(quote, &value[1..]).ok_or_else(wrong)?;
        attributes.push((key, &value[1..=end]));
        rest = &value[end + 2..];
    }
}
