//! The numbers of a PLY file, one after the other.

use super::header::{Element, Encoding, Kind, Property, Scalar};
use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use crate::number::number;
use crate::scanner::Scanner;

/// One byte that says 3, and three indices of four bytes.
const TRIANGLE_BYTES: usize = 1 + 3 * 4;

/// Hands out numbers in the order of the file.
pub(super) struct Values<'a> {
    scanner: Scanner<'a>,
    encoding: Encoding,
}

impl<'a> Values<'a> {
    pub(super) fn new(scanner: Scanner<'a>, encoding: Encoding) -> Self {
        Values { scanner, encoding }
    }

    /// Where the last number was: the line of a text, else the element.
    pub(super) fn place(&self, element: &Element, row: u64) -> Place {
        match (self.encoding, element.name.as_str()) {
            (Encoding::Text, _) => self.scanner.line_place(),
            (_, "vertex") => Place::Element("vertex", row),
            (_, "face") => Place::Element("face", row),
            _ => self.scanner.byte_place(),
        }
    }

    /// The next number, which must be finite.
    #[inline]
    pub(super) fn finite(&mut self, kind: Scalar, element: &Element, row: u64) -> Result<f64, Fault> {
        let value = self.value(kind, element, row)?;
        if value.is_finite() { Ok(value) } else { Err(Problem::NotFinite.at(self.place(element, row))) }
    }

    /// The next number, which must be the length of a list.
    #[inline]
    pub(super) fn length(&mut self, kind: Scalar, element: &Element, row: u64) -> Result<u32, Fault> {
        let value = self.value(kind, element, row)?;
        as_id(value).ok_or_else(|| Problem::WrongCount(format!("{value}")).at(self.place(element, row)))
    }

    /// The next number, which must be an index.
    #[inline]
    pub(super) fn index(&mut self, kind: Scalar, element: &Element, row: u64) -> Result<u32, Fault> {
        let value = self.value(kind, element, row)?;
        as_id(value).ok_or_else(|| self.no_index(value, element, row))
    }

    /// The next number, which must be an index, or −1 for none.
    pub(super) fn index_or_break(
        &mut self,
        kind: Scalar,
        element: &Element,
        row: u64,
    ) -> Result<Option<u32>, Fault> {
        let value = self.value(kind, element, row)?;
        if value == -1.0 {
            return Ok(None);
        }
        as_id(value).map(Some).ok_or_else(|| self.no_index(value, element, row))
    }

    fn no_index(&self, value: f64, element: &Element, row: u64) -> Fault {
        Problem::malformed(format!("{value} is no index")).at(self.place(element, row))
    }

    /// Passes over `count` numbers.
    pub(super) fn skip(
        &mut self,
        kind: Scalar,
        count: u32,
        element: &Element,
        row: u64,
    ) -> Result<(), Fault> {
        if self.encoding == Encoding::Text {
            for _ in 0..count {
                self.word(element, row)?;
            }
            return Ok(());
        }
        if self.scanner.skip(u64::from(count) * kind.bytes() as u64)? {
            Ok(())
        } else {
            Err(self.cut_off(element, row))
        }
    }

    /// Reads all rows of an element of scalars from a binary file and gives the numbers at the three offsets of each to
    /// `give`, which says what is wrong with them. `false` when the rows are not of that kind and nothing was read.
    pub(super) fn packed_points(
        &mut self,
        element: &Element,
        axes: [usize; 3],
        mut give: impl FnMut([f64; 3]) -> Result<(), Problem>,
    ) -> Result<bool, Fault> {
        let Some(bytes) = element.packed_bytes().filter(|_| self.encoding != Encoding::Text) else {
            return Ok(false);
        };
        let big = self.encoding == Encoding::BigEndian;
        let columns = axes.map(|axis| element.column(axis));
        let mut done = 0;
        while done < element.count {
            let there = (self.scanner.ensure(bytes)? / bytes) as u64;
            if there == 0 {
                return Err(self.cut_off(element, done));
            }
            let rows = there.min(element.count - done) as usize;
            for (i, row) in self.scanner.window()[..rows * bytes].chunks_exact(bytes).enumerate() {
                give(columns.map(|(at, kind)| decode(kind, &row[at..], big)))
                    .map_err(|problem| problem.at(self.place(element, done + i as u64)))?;
            }
            self.scanner.advance(rows * bytes);
            done += rows as u64;
        }
        Ok(true)
    }

    /// Takes as many rows as lie in memory that are triangles of 32-bit indices and nothing else, at most `most`, and gives
    /// them to `give`; says how many.
    pub(super) fn packed_triangles(
        &mut self,
        element: &Element,
        most: u64,
        mut give: impl FnMut([u32; 3]) -> Result<(), Fault>,
    ) -> Result<u64, Fault> {
        let [Property { kind: Kind::List { count, item }, .. }] = element.properties[..] else {
            return Ok(0);
        };
        if self.encoding == Encoding::Text || count.bytes() != 1 || item.bytes() != 4 {
            return Ok(0);
        }
        self.scanner.ensure(TRIANGLE_BYTES)?;
        let big = self.encoding == Encoding::BigEndian;
        let mut done = 0;
        for row in self
            .scanner
            .window()
            .chunks_exact(TRIANGLE_BYTES)
            .take(usize::try_from(most).unwrap_or(usize::MAX))
        {
            let triangle = [1, 5, 9].map(|at| u32::from_le_bytes(front(&row[at..], big)));
            // Negative or too large: the slow way says what is wrong.
            if row[0] != 3 || triangle.iter().any(|&corner| corner > i32::MAX as u32) {
                break;
            }
            give(triangle)?;
            done += 1;
        }
        self.scanner.advance(done * TRIANGLE_BYTES);
        Ok(done as u64)
    }

    /// Anything but blanks after the last element means that the counts in the header are too small.
    pub(super) fn expect_end(&mut self) -> Result<(), Fault> {
        if self.scanner.has_word()? {
            let place = match self.encoding {
                Encoding::Text => self.scanner.line_place(),
                _ => self.scanner.byte_place(),
            };
            return Err(Problem::WrongCount("there are data after the last element".into()).at(place));
        }
        Ok(())
    }

    #[inline]
    fn value(&mut self, kind: Scalar, element: &Element, row: u64) -> Result<f64, Fault> {
        if self.encoding == Encoding::Text {
            return self.text_value(kind, element, row);
        }
        let bytes = kind.bytes();
        if self.scanner.ensure(bytes)? < bytes {
            return Err(self.cut_off(element, row));
        }
        let value = decode(kind, self.scanner.window(), self.encoding == Encoding::BigEndian);
        self.scanner.advance(bytes);
        Ok(value)
    }

    fn text_value(&mut self, kind: Scalar, element: &Element, row: u64) -> Result<f64, Fault> {
        let word = self.word(element, row)?;
        let value = number(word);
        let whole = !kind.is_whole() || value.as_ref().is_ok_and(|value| value.fract() == 0.0);
        let value = if whole { value } else { value.and(Err(Problem::NotANumber(excerpt(word)))) };
        value.map_err(|problem| problem.at(self.scanner.line_place()))
    }

    fn word(&mut self, element: &Element, row: u64) -> Result<&[u8], Fault> {
        if !self.scanner.has_word()? {
            return Err(self.cut_off(element, row));
        }
        Ok(self.scanner.word()?.unwrap_or(&[]))
    }

    fn cut_off(&self, element: &Element, row: u64) -> Fault {
        let what = format!("{row} of {} rows of element {:?} are there", element.count, element.name);
        let place = match self.encoding {
            Encoding::Text => self.scanner.line_place(),
            _ => self.scanner.byte_place(),
        };
        Problem::Truncated(what).at(place)
    }
}

/// The number that `raw`, which is long enough, starts with.
#[inline]
fn decode(kind: Scalar, raw: &[u8], big: bool) -> f64 {
    match kind {
        Scalar::I8 => f64::from(i8::from_le_bytes(front(raw, big))),
        Scalar::U8 => f64::from(u8::from_le_bytes(front(raw, big))),
        Scalar::I16 => f64::from(i16::from_le_bytes(front(raw, big))),
        Scalar::U16 => f64::from(u16::from_le_bytes(front(raw, big))),
        Scalar::I32 => f64::from(i32::from_le_bytes(front(raw, big))),
        Scalar::U32 => f64::from(u32::from_le_bytes(front(raw, big))),
        Scalar::F32 => f64::from(f32::from_le_bytes(front(raw, big))),
        Scalar::F64 => f64::from_le_bytes(front(raw, big)),
    }
}

/// The first N bytes, least significant first.
#[inline]
fn front<const N: usize>(raw: &[u8], big: bool) -> [u8; N] {
    let mut bytes = raw.first_chunk().copied().unwrap_or([0; N]);
    if big {
        bytes.reverse();
    }
    bytes
}

/// The value as a whole number that ids can have.
#[inline]
#[expect(clippy::cast_sign_loss, reason = "checked on the same line")]
fn as_id(value: f64) -> Option<u32> {
    (value >= 0.0 && value < f64::from(u32::MAX) && value.fract() == 0.0).then_some(value as u32)
}
