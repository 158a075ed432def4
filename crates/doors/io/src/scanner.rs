//! A file seen through a buffer of fixed size: by lines, by words, or by bytes.

use crate::error::{Fault, Place, Problem};
use crate::number::is_blank;
use kontakt_shapes::memory::reserve;
use std::io::Read;
use std::ops::Range;

/// Bytes asked for at a time.
const CHUNK: usize = 1 << 17;
/// The longest line or word kept in memory; a polygon with a million corners fits.
const LONGEST: usize = 1 << 26;

/// Reads ahead in chunks and remembers where it is.
pub(crate) struct Scanner<'a> {
    reader: &'a mut dyn Read,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset in the file of `buffer[0]`.
    before: u64,
    /// Line of the last line or word handed out, from 1.
    line: u64,
    /// Line of the next byte.
    next_line: u64,
    finished: bool,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(reader: &'a mut dyn Read) -> Self {
        Scanner {
            reader,
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            before: 0,
            line: 1,
            next_line: 1,
            finished: false,
        }
    }

    /// Place of the last line handed out.
    pub(crate) fn line_place(&self) -> Place {
        Place::Line(self.line)
    }

    /// Place of the next byte.
    pub(crate) fn byte_place(&self) -> Place {
        Place::Byte(self.before + self.start as u64)
    }

    /// What has been read and not consumed.
    pub(crate) fn window(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Consumes so many bytes of the window.
    #[inline]
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.start = (self.start + bytes).min(self.end);
    }

    /// Reads until the window has `bytes` bytes or the file ends; says how many it has.
    #[inline]
    pub(crate) fn ensure(&mut self, bytes: usize) -> Result<usize, Fault> {
        while self.end - self.start < bytes && self.fill()? {}
        Ok(self.end - self.start)
    }

    /// Consumes so many bytes, however many; `false` when the file has fewer.
    pub(crate) fn skip(&mut self, bytes: u64) -> Result<bool, Fault> {
        let mut left = bytes;
        while left > 0 {
            let have = self.ensure(1)? as u64;
            if have == 0 {
                return Ok(false);
            }
            self.advance(have.min(left) as usize);
            left -= have.min(left);
        }
        Ok(true)
    }

    /// Passes over a byte order mark; text in UTF-16 is refused.
    pub(crate) fn skip_byte_order_mark(&mut self) -> Result<(), Fault> {
        self.ensure(3)?;
        if self.window().starts_with(b"\xEF\xBB\xBF") {
            self.advance(3);
        }
        if self.window().starts_with(b"\xFF\xFE") || self.window().starts_with(b"\xFE\xFF") {
            return Err(Problem::Unsupported("text in UTF-16".into()).at(Place::Line(1)));
        }
        Ok(())
    }

    /// The next line without its end; `None` when the file is over.
    #[inline]
    pub(crate) fn line(&mut self) -> Result<Option<&[u8]>, Fault> {
        let line = self.take_line()?;
        Ok(line.map(|line| &self.buffer[line]))
    }

    /// What follows the last word on its line.
    pub(crate) fn rest_of_line(&mut self) -> Result<&[u8], Fault> {
        let rest = self.take_line()?;
        Ok(rest.map_or(&[], |rest| &self.buffer[rest]))
    }

    #[inline]
    fn take_line(&mut self) -> Result<Option<Range<usize>>, Fault> {
        let mut searched = 0;
        self.line = self.next_line;
        let length = loop {
            match memchr::memchr(b'\n', &self.buffer[self.start + searched..self.end]) {
                Some(at) => break searched + at,
                None => searched = self.end - self.start,
            }
            if !self.fill()? {
                if searched == 0 {
                    return Ok(None);
                }
                break searched;
            }
        };
        let line = self.start..self.start + length;
        self.advance(length + 1);
        self.next_line += 1;
        let carriage_return = self.buffer[line.clone()].ends_with(b"\r");
        Ok(Some(line.start..line.end - usize::from(carriage_return)))
    }

    /// Whether there is another word; afterwards the next byte is its first.
    #[inline]
    pub(crate) fn has_word(&mut self) -> Result<bool, Fault> {
        loop {
            let blanks = self.window().iter().take_while(|&&byte| is_blank(byte)).count();
            self.next_line += memchr::memchr_iter(b'\n', &self.window()[..blanks]).count() as u64;
            self.line = self.next_line;
            self.advance(blanks);
            if self.start < self.end {
                return Ok(true);
            }
            if !self.fill()? {
                return Ok(false);
            }
        }
    }

    /// The next word, across lines; `None` when the file is over.
    #[inline]
    pub(crate) fn word(&mut self) -> Result<Option<&[u8]>, Fault> {
        if !self.has_word()? {
            return Ok(None);
        }
        let mut length = 0;
        loop {
            let more = self.window()[length..].iter().position(|&byte| is_blank(byte));
            length = more.map_or(self.end - self.start, |more| length + more);
            if more.is_some() || !self.fill()? {
                break;
            }
        }
        let word = self.start..self.start + length;
        self.advance(length);
        Ok(Some(&self.buffer[word]))
    }

    /// Moves the window to the front of the buffer and reads on; `false` at the end of the file.
    fn fill(&mut self) -> Result<bool, Fault> {
        if self.finished {
            return Ok(false);
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.before += self.start as u64;
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            if self.buffer.len() >= LONGEST {
                return Err(Problem::malformed("a line of more than 64 MB").at(self.line_place()));
            }
            let longer = self.buffer.len();
            reserve(&mut self.buffer, longer).map_err(|error| Problem::from(error).at(self.line_place()))?;
            self.buffer.resize(2 * longer, 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.finished = true;
                    return Ok(false);
                }
                Ok(count) => {
                    self.end += count;
                    return Ok(true);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Problem::Io(error).at(self.byte_place())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, and is interrupted now and then.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(5) {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            let count = (self.1 % 7 + 1).min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    /// Longer than the buffer, with one line longer than it, too.
    fn text() -> String {
        let lines = (0..20_000).map(|i| format!("line {i} {}", "x".repeat(i % 17)));
        let long = "y".repeat(2 * CHUNK);
        lines.chain([long, "end".into()]).collect::<Vec<_>>().join("\r\n")
    }

    #[test]
    fn lines_and_words_do_not_depend_on_where_the_buffer_ends() {
        let text = text();
        let mut drip = Drip(text.as_bytes(), 0);
        let mut scanner = Scanner::new(&mut drip);
        for (number, expected) in text.split("\r\n").enumerate() {
            assert_eq!(scanner.line().unwrap(), Some(expected.as_bytes()));
            assert_eq!(scanner.line_place(), Place::Line(number as u64 + 1));
        }
        assert_eq!(scanner.line().unwrap(), None);
        assert_eq!(scanner.byte_place(), Place::Byte(text.len() as u64));

        let mut whole = text.as_bytes();
        let mut scanner = Scanner::new(&mut whole);
        for (number, line) in text.lines().enumerate() {
            for expected in line.split_whitespace() {
                assert_eq!(scanner.word().unwrap(), Some(expected.as_bytes()));
                assert_eq!(scanner.line_place(), Place::Line(number as u64 + 1));
            }
        }
        assert!(!scanner.has_word().unwrap());
    }

    #[test]
    fn skipping_goes_beyond_the_buffer_but_not_the_file() {
        let bytes = vec![7; 3 * CHUNK];
        let mut reader = &bytes[..];
        let mut scanner = Scanner::new(&mut reader);
        assert!(scanner.skip(2 * CHUNK as u64 + 5).unwrap());
        assert_eq!(scanner.byte_place(), Place::Byte(2 * CHUNK as u64 + 5));
        assert!(!scanner.skip(u64::MAX).unwrap());
    }
}
