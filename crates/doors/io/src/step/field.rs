//! Parameters of an entity, read one after the other straight from the text.

use super::scan::skip_space;
use crate::curved::budget::Budget;
use crate::curved::loss::{Miss, Why};
use crate::number::{number, short_number};
use memchr::memchr;

/// The parameters within one pair of parentheses.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    text: &'a [u8],
    at: usize,
    /// Number of the entity, for messages.
    pub(super) id: u64,
    /// Number of the parameter, from 1, for messages.
    count: u32,
    /// How many lists around the next value.
    depth: u32,
    first: bool,
    budget: &'a Budget,
}

/// A keyword: letters, digits, underscores, and `!` before a user's own.
pub(super) fn keyword(text: &[u8], at: usize) -> &[u8] {
    let length = text[at..].iter().take_while(|&&byte| is_word(byte)).count();
    &text[at..at + length]
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'!' | b'-')
}

impl<'a> Fields<'a> {
    /// Begins at an opening parenthesis.
    pub(super) fn new(text: &'a [u8], at: usize, id: u64, budget: &'a Budget) -> Option<Fields<'a>> {
        let at = skip_space(text, at);
        (text.get(at) == Some(&b'(')).then_some(Fields {
            text,
            at: at + 1,
            id,
            count: 0,
            depth: 0,
            first: true,
            budget,
        })
    }

    fn wrong(&self) -> Miss {
        Why::Parameter(self.count).at(self.id)
    }

    fn peek(&mut self) -> Option<u8> {
        self.at = skip_space(self.text, self.at);
        self.text.get(self.at).copied()
    }

    /// Goes to the next parameter and says how it begins.
    fn step(&mut self) -> Result<u8, Miss> {
        self.count += u32::from(self.depth == 0);
        if !self.first {
            if self.peek() != Some(b',') {
                return Err(self.wrong());
            }
            self.at += 1;
        }
        self.first = false;
        match self.peek() {
            Some(byte) if !matches!(byte, b',' | b')' | b';') => Ok(byte),
            _ => Err(self.wrong()),
        }
    }

    /// Whether there is another parameter before the closing parenthesis.
    pub(super) fn more(&mut self) -> bool {
        !matches!(self.peek(), None | Some(b')' | b';'))
    }

    /// Into a list.
    pub(super) fn open(&mut self) -> Result<(), Miss> {
        if self.step()? != b'(' {
            return Err(self.wrong());
        }
        self.at += 1;
        self.depth += 1;
        self.first = true;
        Ok(())
    }

    /// Out of a list.
    pub(super) fn close(&mut self) -> Result<(), Miss> {
        if self.peek() != Some(b')') {
            return Err(self.wrong());
        }
        self.at += 1;
        self.depth = self.depth.saturating_sub(1);
        self.first = false;
        Ok(())
    }

    /// Passes over a parameter, whatever it is.
    pub(super) fn skip(&mut self) -> Result<(), Miss> {
        self.step()?;
        self.skip_value()
    }

    fn skip_value(&mut self) -> Result<(), Miss> {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'\'' | b'"' => {
                    let length = memchr(byte, &self.text[self.at + 1..]).ok_or(self.wrong())?;
                    self.at += length + 2;
                    continue;
                }
                b'(' => depth += 1,
                b')' | b',' if depth == 0 => return Ok(()),
                b')' => depth -= 1,
                b';' => break,
                _ => {}
            }
            self.at += 1;
        }
        Err(self.wrong())
    }

    /// To the end of the outermost list: where the text goes on.
    pub(super) fn rest(mut self) -> Option<usize> {
        while self.more() {
            self.skip().ok()?;
        }
        (self.peek() == Some(b')')).then_some(self.at + 1)
    }

    /// How many parameters are left.
    pub(super) fn left(&self) -> usize {
        let mut ahead = self.clone();
        let mut count = 0;
        while ahead.more() && ahead.skip().is_ok() {
            count += 1;
        }
        count
    }

    /// `$` or `*`, which is passed over; anything else is left where it is.
    pub(super) fn omitted(&mut self) -> bool {
        let mut ahead = self.clone();
        let omitted = matches!(ahead.step(), Ok(b'$' | b'*'));
        if omitted {
            ahead.at += 1;
            *self = ahead;
        }
        omitted
    }

    /// A reference, `#12`.
    pub(super) fn reference(&mut self) -> Result<u64, Miss> {
        let start = self.step()?;
        let (id, length) = read_id(&self.text[self.at..]).filter(|_| start == b'#').ok_or(self.wrong())?;
        self.at += length;
        self.budget.spend(1).map_err(|why| why.at(self.id))?;
        Ok(id)
    }

    /// A reference, or nothing.
    pub(super) fn maybe_reference(&mut self) -> Result<Option<u64>, Miss> {
        if self.omitted() { Ok(None) } else { self.reference().map(Some) }
    }

    /// A list of references.
    pub(super) fn references(&mut self) -> Result<Vec<u64>, Miss> {
        let mut list = Vec::new();
        self.open()?;
        while self.more() {
            list.push(self.reference()?);
        }
        self.close()?;
        Ok(list)
    }

    /// A number; one with its type around it, such as `LENGTH_MEASURE(2.5)`, is one as well.
    pub(super) fn number(&mut self) -> Result<f64, Miss> {
        let start = self.step()?;
        if start.is_ascii_alphabetic() {
            self.at += keyword(self.text, self.at).len();
            let mut inner = Fields::new(self.text, self.at, self.id, self.budget).ok_or(self.wrong())?;
            let value = inner.plain_number()?;
            self.skip_value()?;
            return Ok(value);
        }
        self.value()
    }

    fn plain_number(&mut self) -> Result<f64, Miss> {
        self.step()?;
        self.value()
    }

    fn value(&mut self) -> Result<f64, Miss> {
        let text = &self.text[self.at..];
        let ends = |at: usize| text.get(at).is_none_or(|&byte| !is_numeric(byte));
        if let Some((value, length)) = short_number(text).filter(|&(_, length)| ends(length)) {
            self.at += length;
            return Ok(value);
        }
        let length = text.iter().take_while(|&&byte| is_numeric(byte)).count();
        let value = number(&text[..length]).map_err(|_| self.wrong())?;
        self.at += length;
        Ok(value)
    }

    /// A list of numbers.
    pub(super) fn numbers(&mut self) -> Result<Vec<f64>, Miss> {
        let mut list = Vec::new();
        self.open()?;
        while self.more() {
            list.push(self.number()?);
        }
        self.close()?;
        self.budget.spend(list.len()).map_err(|why| why.at(self.id))?;
        Ok(list)
    }

    /// A count from 0 to a million.
    pub(super) fn count(&mut self) -> Result<usize, Miss> {
        let value = self.number()?;
        let whole = (0.0..=1e6).contains(&value) && value.fract() == 0.0;
        if whole { Ok(value as usize) } else { Err(self.wrong()) }
    }

    /// A list of counts.
    pub(super) fn counts(&mut self) -> Result<Vec<usize>, Miss> {
        let mut list = Vec::new();
        self.open()?;
        while self.more() {
            list.push(self.count()?);
        }
        self.close()?;
        self.budget.spend(list.len()).map_err(|why| why.at(self.id))?;
        Ok(list)
    }

    /// `.T.` or `.F.`; `.U.` and `$` are true, as the sense of most things is.
    pub(super) fn flag(&mut self) -> Result<bool, Miss> {
        if self.omitted() {
            return Ok(true);
        }
        Ok(!matches!(self.choice()?, b"F" | b"FALSE"))
    }

    /// What stands between two points: `.METRE.`.
    pub(super) fn choice(&mut self) -> Result<&'a [u8], Miss> {
        if self.step()? != b'.' {
            return Err(self.wrong());
        }
        let word = keyword(self.text, self.at + 1);
        let end = self.at + 1 + word.len();
        if self.text.get(end) != Some(&b'.') {
            return Err(self.wrong());
        }
        self.at = end + 1;
        Ok(word)
    }

    /// A string as it stands in the file, without its quotes; empty for anything else.
    pub(super) fn text(&mut self) -> Result<&'a [u8], Miss> {
        let start = self.step()?;
        let from = self.at;
        self.skip_value()?;
        if start != b'\'' {
            return Ok(b"");
        }
        let raw = self.text[from + 1..self.at].trim_ascii_end();
        Ok(raw.strip_suffix(b"'").unwrap_or(raw))
    }

    /// Everything this entity refers to, in order, at any depth of lists.
    pub(super) fn all_references(mut self) -> Vec<u64> {
        let mut list = Vec::new();
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'\'' => match memchr(b'\'', &self.text[self.at + 1..]) {
                    Some(length) => self.at += length + 1,
                    None => break,
                },
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                b';' => break,
                b'#' => match read_id(&self.text[self.at..]) {
                    Some((id, length)) if self.budget.spend(1).is_ok() => {
                        list.push(id);
                        self.at += length - 1;
                    }
                    _ => break,
                },
                _ => {}
            }
            self.at += 1;
        }
        list
    }
}

fn is_numeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-')
}

/// `#12` in front: the number, and how many bytes it takes.
pub(super) fn read_id(text: &[u8]) -> Option<(u64, usize)> {
    let digits = text.strip_prefix(b"#")?;
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // 19 digits cannot overflow.
    if length == 0 || length > 19 {
        return None;
    }
    let id = digits[..length].iter().fold(0, |id, digit| id * 10 + u64::from(digit - b'0'));
    Some((id, length + 1))
}
