//! JSON read into a flat list of nodes: no recursion, so that no depth of nesting can overflow the stack, and every node
//! knows its place in the text.

use crate::error::Problem;
use kontakt_schedule::{Deadline, Pacer};
use std::borrow::Cow;

/// What is wrong at which byte.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub(crate) at: usize,
    pub(crate) problem: Problem,
}

impl Flaw {
    pub(crate) fn new(at: usize, what: impl Into<String>) -> Flaw {
        Flaw { at, problem: Problem::malformed(what) }
    }
}

/// What a node holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Null,
    Bool,
    /// Any value of the grammar rounded to a double; beyond the range of doubles infinite.
    Number(f64),
    Text,
    List,
    Record,
}

impl Kind {
    /// For messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool => "true or false",
            Kind::Number(_) => "a number",
            Kind::Text => "a text",
            Kind::List => "a list",
            Kind::Record => "an object",
        }
    }
}

/// Marks "none" among node numbers.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// First byte.
    at: usize,
    /// First byte of the key's text, its quotation mark; 0 outside of records.
    key_at: usize,
    first: u32,
    next: u32,
}

/// A value and all below it.
pub(crate) struct Tree<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

/// Number of a node; the root is 0.
pub(crate) type Id = u32;

impl<'t> Tree<'t> {
    pub(crate) const ROOT: Id = 0;

    pub(crate) fn new(text: &'t str) -> Tree<'t> {
        Tree { text, nodes: Vec::new() }
    }

    pub(crate) fn kind(&self, id: Id) -> Kind {
        self.nodes[id as usize].kind
    }

    /// Where the value starts in the text.
    pub(crate) fn at(&self, id: Id) -> usize {
        self.nodes[id as usize].at
    }

    /// Values of a list or record, in order; none of anything else.
    pub(crate) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let existing = |id: Id| (id != NONE).then_some(id);
        let first = existing(self.nodes[id as usize].first);
        std::iter::successors(first, move |&id| existing(self.nodes[id as usize].next))
    }

    /// The key under which a record holds this value.
    pub(crate) fn key(&self, id: Id) -> Cow<'t, str> {
        let start = self.nodes[id as usize].key_at;
        let mut reader = Reader::new(self.text, Deadline::NEVER);
        reader.at = start;
        reader.string().unwrap_or(Cow::Borrowed(""))
    }
}

/// Reads a text from a place on.
pub(crate) struct Reader<'t> {
    text: &'t str,
    at: usize,
    pacer: Pacer,
}

impl<'t> Reader<'t> {
    /// Values are read until the deadline.
    pub(crate) fn new(text: &'t str, deadline: Deadline) -> Reader<'t> {
        Reader { text, at: 0, pacer: deadline.pacer() }
    }

    /// Where it is: at the next byte that is no blank.
    pub(crate) fn place(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        self.at
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes this sign if it comes next.
    pub(crate) fn take(&mut self, sign: u8) -> bool {
        self.place();
        let found = self.byte() == Some(sign);
        self.at += usize::from(found);
        found
    }

    /// Passes this sign, which must come next.
    pub(crate) fn need(&mut self, sign: u8, what: &str) -> Result<(), Flaw> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(what)) }
    }

    fn unexpected(&self, wanted: &str) -> Flaw {
        match self.text[self.at..].chars().next() {
            None => Flaw::new(self.at, format!("the text ends where {wanted} should be")),
            Some(found) => Flaw::new(self.at, format!("{found:?} where {wanted} should be")),
        }
    }

    /// Nothing but blanks may follow.
    pub(crate) fn end(&mut self) -> Result<(), Flaw> {
        self.place();
        if self.byte().is_none() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    /// A key and its colon.
    pub(crate) fn key(&mut self) -> Result<Cow<'t, str>, Flaw> {
        self.place();
        let key = self.string()?;
        self.need(b':', "a colon")?;
        Ok(key)
    }

    /// Reads one value with all below it; what `tree` held is dropped.
    pub(crate) fn value(&mut self, tree: &mut Tree<'t>) -> Result<(), Flaw> {
        tree.nodes.clear();
        // Lists and records not yet closed, each with its last child.
        let mut open: Vec<(Id, Id)> = Vec::new();
        loop {
            self.pacer.tick().map_err(|expired| Flaw { at: self.at, problem: expired.into() })?;
            let key_at = self.key_of_next(tree, &open)?;
            let id = self.start_value(tree, key_at)?;
            if let Some((parent, last)) = open.last_mut() {
                if *last == NONE {
                    tree.nodes[*parent as usize].first = id;
                } else {
                    tree.nodes[*last as usize].next = id;
                }
                *last = id;
            }
            let is_open = match tree.kind(id) {
                Kind::List => !self.take(b']'),
                Kind::Record => !self.take(b'}'),
                _ => false,
            };
            if is_open {
                open.push((id, NONE));
                continue;
            }
            // Close all that end here; a comma goes on with the next child.
            loop {
                let Some(&(parent, _)) = open.last() else { return Ok(()) };
                if self.take(b',') {
                    break;
                }
                match tree.kind(parent) {
                    Kind::List => self.need(b']', "a comma or ]")?,
                    _ => self.need(b'}', "a comma or }")?,
                }
                open.pop();
            }
        }
    }

    /// Inside a record: where the next key is, read together with its colon.
    fn key_of_next(&mut self, tree: &Tree<'t>, open: &[(Id, Id)]) -> Result<usize, Flaw> {
        let in_record = open.last().is_some_and(|&(parent, _)| tree.kind(parent) == Kind::Record);
        let at = self.place();
        if in_record {
            self.key()?;
        }
        Ok(at)
    }

    /// Reads a value, of a list or record only the opening sign.
    fn start_value(&mut self, tree: &mut Tree<'t>, key_at: usize) -> Result<Id, Flaw> {
        let at = self.place();
        let kind = match self.byte() {
            Some(b'{') => self.after(1, Kind::Record),
            Some(b'[') => self.after(1, Kind::List),
            Some(b'"') => {
                self.string()?;
                Kind::Text
            }
            Some(b'-' | b'0'..=b'9') => Kind::Number(self.number()?),
            _ => {
                let words = [("true", Kind::Bool), ("false", Kind::Bool), ("null", Kind::Null)];
                let rest = &self.text[at..];
                match words.into_iter().find(|(word, _)| rest.starts_with(word)) {
                    Some((word, kind)) => self.after(word.len(), kind),
                    None => return Err(self.no_value()),
                }
            }
        };
        if tree.nodes.len() >= NONE as usize {
            return Err(Flaw::new(at, "more than 4 billion values in one pair"));
        }
        let id = tree.nodes.len() as Id;
        tree.nodes.push(Node { kind, at, key_at, first: NONE, next: NONE });
        Ok(id)
    }

    fn after(&mut self, bytes: usize, kind: Kind) -> Kind {
        self.at += bytes;
        kind
    }

    fn no_value(&self) -> Flaw {
        let word: String =
            self.text[self.at..].chars().take_while(|c| c.is_alphanumeric()).take(20).collect();
        if word.is_empty() {
            self.unexpected("a value")
        } else {
            Flaw::new(
                self.at,
                format!("`{word}` is no value; numbers are written in digits and must be finite"),
            )
        }
    }

    /// A number by the grammar of JSON.
    fn number(&mut self) -> Result<f64, Flaw> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            let rest = &reader.text.as_bytes()[reader.at..];
            let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            reader.at += count;
            count
        };
        let sign = |reader: &mut Self, signs: &[u8]| {
            let found = reader.byte().is_some_and(|byte| signs.contains(&byte));
            reader.at += usize::from(found);
            found
        };
        sign(self, b"-");
        let leading_zero = self.byte() == Some(b'0');
        let whole = digits(self);
        let mut good = whole > 0 && !(leading_zero && whole > 1);
        if sign(self, b".") {
            good &= digits(self) > 0;
        }
        if sign(self, b"eE") {
            sign(self, b"+-");
            good &= digits(self) > 0;
        }
        let word = &self.text[start..self.at];
        match word.parse() {
            Ok(value) if good => Ok(value),
            _ => {
                let rest = self.text[self.at..].chars().take_while(|c| c.is_alphanumeric()).take(20);
                let word: String = word.chars().take(40).chain(rest).collect();
                Err(Flaw::new(start, format!("`{word}` is not a number")))
            }
        }
    }

    /// A text in quotation marks, its escapes resolved.
    fn string(&mut self) -> Result<Cow<'t, str>, Flaw> {
        if self.byte() != Some(b'"') {
            return Err(self.unexpected("a text in quotation marks"));
        }
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut escaped = false;
        let mut end = start;
        loop {
            match bytes.get(end) {
                None => return Err(Flaw::new(self.at, "a text without its closing quotation mark")),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    end += 2;
                }
                Some(byte) if *byte < 0x20 => return Err(Flaw::new(end, "a control character in a text")),
                Some(_) => end += 1,
            }
        }
        self.at = end + 1;
        if !escaped {
            return Ok(Cow::Borrowed(&self.text[start..end]));
        }
        // Texts with escapes are rare; serde_json knows them all, surrogates included.
        serde_json::from_str::<String>(&self.text[start - 1..=end])
            .map(Cow::Owned)
            .map_err(|_| Flaw::new(start, "a text with a malformed escape"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The tree as a `Value`, for shallow trees.
    fn value_of(tree: &Tree<'_>, id: Id) -> Value {
        match tree.kind(id) {
            Kind::Null => Value::Null,
            Kind::Bool => json!("bool"),
            Kind::Number(value) => json!(value),
            Kind::Text => json!("text"),
            Kind::List => tree.children(id).map(|child| value_of(tree, child)).collect(),
            Kind::Record => {
                let pairs = tree.children(id).map(|c| (tree.key(c).into_owned(), value_of(tree, c)));
                Value::Object(pairs.collect())
            }
        }
    }

    fn read(text: &str) -> Result<Value, Flaw> {
        let mut tree = Tree::new(text);
        let mut reader = Reader::new(text, Deadline::NEVER);
        reader.value(&mut tree)?;
        reader.end()?;
        Ok(value_of(&tree, Tree::ROOT))
    }

    #[test]
    fn reads_what_json_allows() {
        for (text, value) in [
            ("[]", json!([])),
            (" { } ", json!({})),
            ("[[1,-2.5e3],{}, {\"a\":[],\"b\":null}]", json!([[1.0, -2500.0], {}, {"a": [], "b": null}])),
            (r#"{"a\u0062\n": {"c": 0.1}}"#, json!({"ab\n": {"c": 0.1}})),
            ("0", json!(0.0)),
            (r#"[true, false, null, "é\\", 1E+2]"#, json!(["bool", "bool", null, "text", 100.0])),
        ] {
            assert_eq!(read(text).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn refuses_the_rest_and_says_where() {
        for (text, at, words) in [
            ("", 0, "ends where a value"),
            ("[1,]", 3, "']' where a value"),
            ("[1 2]", 3, "'2' where a comma"),
            ("{\"a\" 1}", 5, "a colon"),
            ("{a: 1}", 1, "quotation marks"),
            ("{\"a\":1,}", 7, "quotation marks"),
            ("[NaN]", 1, "`NaN` is no value"),
            ("[-Infinity]", 1, "`-Infinity` is not a number"),
            ("[01]", 1, "not a number"),
            ("[1.]", 1, "not a number"),
            ("[.5]", 1, "'.' where a value"),
            ("[1e]", 1, "not a number"),
            ("[+1]", 1, "'+' where a value"),
            ("[1", 2, "ends where"),
            ("\"abc", 0, "closing"),
            ("\"a\\", 0, "closing"),
            ("\"\\q\"", 1, "escape"),
            ("\"a\nb\"", 2, "control"),
            ("[] []", 3, "the end"),
            ("{\"a\":1]", 6, "a comma or }"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error:?}");
            assert!(error.problem.to_string().contains(words), "{text}: {error:?}");
        }
    }

    #[test]
    fn a_million_brackets_are_no_matter() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        let mut tree = Tree::new(&deep);
        Reader::new(&deep, Deadline::NEVER).value(&mut tree).unwrap();
        assert_eq!(tree.nodes.len(), 1_000_000);
    }
}
