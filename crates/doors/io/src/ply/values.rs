//! The numbers of a PLY file, one after the other.

use super::header::{Element, Encoding, Scalar};
use crate::error::{Fault, Place, Problem, excerpt};
use crate::number::number;
use crate::scanner::Scanner;

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

    /// The next number, which must be whole and not negative.
    #[inline]
    pub(super) fn whole(&mut self, kind: Scalar, element: &Element, row: u64) -> Result<u64, Fault> {
        let value = self.value(kind, element, row)?;
        if value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0 {
            return Ok(value as u64);
        }
        Err(Problem::WrongCount(format!("{value}")).at(self.place(element, row)))
    }

    /// The next number, which must be an index.
    #[inline]
    pub(super) fn index(&mut self, kind: Scalar, element: &Element, row: u64) -> Result<u32, Fault> {
        let value = self.value(kind, element, row)?;
        if value >= 0.0 && value < f64::from(u32::MAX) && value.fract() == 0.0 {
            return Ok(value as u32);
        }
        Err(Problem::malformed(format!("{value} is no index")).at(self.place(element, row)))
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
        if value >= 0.0 && value < f64::from(u32::MAX) && value.fract() == 0.0 {
            return Ok(Some(value as u32));
        }
        Err(Problem::malformed(format!("{value} is no index")).at(self.place(element, row)))
    }

    /// Passes over `count` numbers.
    pub(super) fn skip(
        &mut self,
        kind: Scalar,
        count: u64,
        element: &Element,
        row: u64,
    ) -> Result<(), Fault> {
        if self.encoding == Encoding::Text {
            for _ in 0..count {
                self.word(element, row)?;
            }
            return Ok(());
        }
        if self.scanner.skip(count * kind.bytes() as u64)? { Ok(()) } else { Err(self.cut_off(element, row)) }
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
        let mut raw = [0; 8];
        raw[..bytes].copy_from_slice(&self.scanner.window()[..bytes]);
        self.scanner.advance(bytes);
        if self.encoding == Encoding::BigEndian {
            raw[..bytes].reverse();
        }
        let [a, b, c, d, ..] = raw;
        Ok(match kind {
            Scalar::I8 => f64::from(i8::from_le_bytes([a])),
            Scalar::U8 => f64::from(a),
            Scalar::I16 => f64::from(i16::from_le_bytes([a, b])),
            Scalar::U16 => f64::from(u16::from_le_bytes([a, b])),
            Scalar::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Scalar::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Scalar::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Scalar::F64 => f64::from_le_bytes(raw),
        })
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
