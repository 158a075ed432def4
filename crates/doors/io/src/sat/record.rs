//! ACIS text cut into records, which are read where they are needed.

use crate::curved::budget::Budget;
use crate::curved::loss::{Miss, Why};
use crate::error::{Fault, Place, Problem};
use crate::number::{is_blank, number};
use kontakt_shapes::memory::reserve;
use memchr::{memchr_iter, memchr2, memmem};

/// Records from this version on have a number and a pattern after their attribute.
const TAGGED: u32 = 700;

/// A file whose records are known.
pub(super) struct Records<'a> {
    text: &'a [u8],
    /// Number and place of each record, ascending by number.
    entries: Vec<(u64, usize)>,
    pub(super) version: u32,
    budget: &'a Budget,
}

/// What stands at the next place of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// `$5`; none for `$-1`.
    Pointer(Option<u64>),
    Number(f64),
    Word(&'a [u8]),
    /// A string with its length before it.
    Text(&'a [u8]),
    Open,
    Close,
}

/// A record, read token by token.
#[derive(Clone)]
pub(super) struct Words<'a> {
    text: &'a [u8],
    at: usize,
    pub(super) id: u64,
    count: u32,
    budget: &'a Budget,
}

impl<'a> Records<'a> {
    /// Cuts what follows the header. An error where the file is not complete.
    pub(super) fn read(
        text: &'a [u8],
        start: usize,
        version: u32,
        budget: &'a Budget,
    ) -> Result<Records<'a>, Fault> {
        let mut records = Records { text, entries: Vec::new(), version, budget };
        let mut at = start;
        loop {
            at += text[at..].iter().take_while(|&&byte| is_blank(byte)).count();
            let rest = &text[at..];
            let ends = [&b"End-of-ACIS-data"[..], b"End-of-ASM-data"];
            if ends.iter().any(|end| rest.starts_with(end)) {
                break;
            }
            // Former states of the model: not part of it.
            if rest.starts_with(b"Begin-of-ACIS-History") {
                if ends.iter().any(|end| memmem::find(rest, end).is_some()) {
                    break;
                }
                return Err(cut_off(text));
            }
            let end = record_end(text, at).ok_or_else(|| cut_off(text))?;
            let explicit = explicit_number(rest);
            let number = explicit.map_or(records.entries.len() as u64, |(number, _)| number);
            reserve(&mut records.entries, 1)?;
            records.entries.push((number, at + explicit.map_or(0, |(_, length)| length)));
            at = end;
        }
        if !records.entries.is_sorted() {
            records.entries.sort_unstable();
        }
        records.entries.dedup_by_key(|entry| entry.0);
        Ok(records)
    }

    fn position(&self, id: u64) -> Option<usize> {
        let guess = usize::try_from(id).ok()?;
        if self.entries.get(guess).is_some_and(|entry| entry.0 == id) {
            return Some(guess);
        }
        self.entries.binary_search_by_key(&id, |entry| entry.0).ok()
    }

    /// Name of a record and what follows it, without what all records have in common.
    pub(super) fn get(&self, id: u64, from: u64) -> Result<(&'a [u8], Words<'a>), Miss> {
        self.budget.spend(1).map_err(|why| why.at(from))?;
        let position = self.position(id).ok_or(Why::Absent(id).at(from))?;
        let at = self.entries[position].1;
        let mut words = Words { text: self.text, at, id, count: 0, budget: self.budget };
        let Some(Token::Word(name)) = words.next() else { return Err(Why::Syntax.at(id)) };
        // The attribute.
        words.skip_if(|token| matches!(token, Token::Pointer(_)));
        if self.version >= TAGGED {
            words.skip_if(|token| matches!(token, Token::Number(_)));
            // Much newer versions have another number there.
            let mut ahead = words.clone();
            let another = ahead.skip_if(|token| matches!(token, Token::Number(_)));
            if another && ahead.skip_if(|token| matches!(token, Token::Pointer(None))) {
                return Ok((name, ahead));
            }
            words.skip_if(|token| matches!(token, Token::Pointer(_)));
        }
        Ok((name, words))
    }

    /// What follows the name of a record that must be of this kind.
    pub(super) fn words(&self, id: u64, from: u64, kind: &'static str) -> Result<Words<'a>, Miss> {
        let (name, words) = self.get(id, from)?;
        if name == kind.as_bytes() { Ok(words) } else { Err(Why::NotA(kind).at(id)) }
    }

    /// Everything a record says, with its attribute and the like.
    pub(super) fn whole(&self, id: u64) -> Option<(&'a [u8], Words<'a>)> {
        let at = self.entries[self.position(id)?].1;
        let mut words = Words { text: self.text, at, id, count: 0, budget: self.budget };
        match words.next()? {
            Token::Word(name) => Some((name, words)),
            _ => None,
        }
    }

    /// Numbers of all records.
    pub(super) fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.entries.iter().map(|entry| entry.0)
    }

    pub(super) fn name(&self, id: u64) -> String {
        let name =
            self.whole(id).map(|(name, _)| String::from_utf8_lossy(&name[..name.len().min(80)]).into_owned());
        name.unwrap_or_else(|| "nothing".into())
    }

    /// Where a record begins.
    pub(super) fn offset(&self, id: u64) -> Option<usize> {
        self.position(id).map(|position| self.entries[position].1)
    }

    /// The whole text, in which places are counted.
    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }
}

impl<'a> Words<'a> {
    /// The next token; none at the end of the record.
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        let blanks = self.text[self.at..].iter().take_while(|&&byte| is_blank(byte)).count();
        let start = self.at + blanks;
        let rest = &self.text[start..];
        let word = &rest[..rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len())];
        self.at = start + word.len();
        self.count += 1;
        match word {
            b"" | b"#" => {
                self.at = start;
                None
            }
            b"{" => Some(Token::Open),
            b"}" => Some(Token::Close),
            [b'$', digits @ ..] => {
                let value: i64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
                Some(Token::Pointer(u64::try_from(value).ok()))
            }
            [b'@', ..] if text_length(rest).is_some() => {
                let (skip, length) = text_length(rest)?;
                let text = rest.get(skip..skip + length)?;
                self.at = start + skip + length;
                Some(Token::Text(text))
            }
            [b'0'..=b'9' | b'-' | b'+' | b'.', ..] => Some(match number(word) {
                Ok(value) => Token::Number(value),
                Err(_) => Token::Word(word),
            }),
            _ => Some(Token::Word(word)),
        }
    }

    /// Passes over the next token if it is such a one.
    pub(super) fn skip_if(&mut self, which: impl FnOnce(Token<'a>) -> bool) -> bool {
        let mut ahead = self.clone();
        let passes = ahead.next().is_some_and(which);
        if passes {
            *self = ahead;
        }
        passes
    }

    fn wrong(&self) -> Miss {
        Why::Parameter(self.count).at(self.id)
    }

    /// A pointer to another record, or to none. Numbers before it (parameters of newer versions) are passed over.
    pub(super) fn pointer(&mut self) -> Result<Option<u64>, Miss> {
        while self.skip_if(|token| matches!(token, Token::Number(_))) {}
        match self.next() {
            Some(Token::Pointer(pointer)) => Ok(pointer),
            _ => Err(self.wrong()),
        }
    }

    pub(super) fn number(&mut self) -> Result<f64, Miss> {
        self.budget.spend(1).map_err(|why| why.at(self.id))?;
        match self.next() {
            Some(Token::Number(value)) => Ok(value),
            _ => Err(self.wrong()),
        }
    }

    pub(super) fn triple(&mut self) -> Result<[f64; 3], Miss> {
        Ok([self.number()?, self.number()?, self.number()?])
    }

    pub(super) fn count(&mut self) -> Result<usize, Miss> {
        let value = self.number()?;
        let whole = (0.0..=1e6).contains(&value) && value.fract() == 0.0;
        if whole { Ok(value as usize) } else { Err(self.wrong()) }
    }

    pub(super) fn word(&mut self) -> Result<&'a [u8], Miss> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            _ => Err(self.wrong()),
        }
    }

    /// `forward` or `reversed`, in old files 0 or 1: whether it is the first.
    pub(super) fn sense(&mut self) -> Result<bool, Miss> {
        match self.next() {
            Some(Token::Word(b"forward")) => Ok(true),
            Some(Token::Word(b"reversed")) => Ok(false),
            Some(Token::Number(value)) => Ok(value == 0.0),
            _ => Err(self.wrong()),
        }
    }

    /// An end of a range: `I`, or `F` and a number; passed over.
    pub(super) fn skip_bound(&mut self) {
        if self.skip_if(|token| token == Token::Word(b"F")) {
            self.skip_if(|token| matches!(token, Token::Number(_)));
        } else {
            self.skip_if(|token| token == Token::Word(b"I"));
        }
    }
}

/// Of `@5 `: how much is before the text, and how long that is.
fn text_length(rest: &[u8]) -> Option<(usize, usize)> {
    let digits = rest.get(1..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || digits > 9 || !rest.get(1 + digits).is_some_and(|&byte| is_blank(byte)) {
        return None;
    }
    let length = rest[1..=digits].iter().fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0'));
    Some((digits + 2, length))
}

/// Where the record that begins here ends: after a `#` on its own that is in no string.
fn record_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr2(b'#', b'@', &text[at..])?;
        let apart = at == 0 || is_blank(text[at - 1]);
        if apart && text[at] == b'#' && text.get(at + 1).is_none_or(|&byte| is_blank(byte)) {
            return Some(at + 1);
        }
        let skip = if apart && text[at] == b'@' { text_length(&text[at..]) } else { None };
        at += skip.map_or(1, |(before, length)| before + length);
        if at > text.len() {
            return None;
        }
    }
}

/// Of `-5 face`: the number, and where the name begins.
fn explicit_number(rest: &[u8]) -> Option<(u64, usize)> {
    let digits = rest.strip_prefix(b"-")?;
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if length == 0 || length > 18 || !digits.get(length).is_some_and(|&byte| is_blank(byte)) {
        return None;
    }
    Some((digits[..length].iter().fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0')), length + 1))
}

/// The error of a file that ends too early.
pub(super) fn cut_off(text: &[u8]) -> Fault {
    let what = "End-of-ACIS-data is missing";
    Problem::Truncated(what.into()).at(Place::Line(line_of(text, text.len())))
}

fn line_of(text: &[u8], at: usize) -> u64 {
    1 + memchr_iter(b'\n', &text[..at.min(text.len())]).count() as u64
}
