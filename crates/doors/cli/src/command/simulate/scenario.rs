//! A scenario file: read once, and turned into the tables that its kind asks for. What is wrong is told with its line, and an
//! unknown key or word with the nearest one that is known.

use crate::failure::Failure;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The text of a scenario, which is TOML.
#[derive(Debug)]
pub(super) struct Scenario {
    path: PathBuf,
    text: String,
}

/// What every scenario has; all else is for its kind to read.
#[derive(Debug, Deserialize)]
struct Head {
    kind: Option<Spanned<String>>,
}

impl Scenario {
    pub(super) fn read(path: &Path) -> Result<Scenario, Failure> {
        let unreadable = |error| Failure::Unreadable { path: path.to_owned(), error };
        let bytes = std::fs::read(path).map_err(unreadable)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let line = line_at(&error.as_bytes()[..valid]);
            Failure::Line { path: path.to_owned(), line, problem: "the text is not UTF-8".into() }
        })?;
        Ok(Scenario { path: path.to_owned(), text })
    }

    /// The value of `kind`, one of those known.
    pub(super) fn kind<'a>(&self, known: impl Iterator<Item = &'a str>) -> Result<String, Failure> {
        let known: Vec<&str> = known.collect();
        let head: Head = self.parse()?;
        let Some(kind) = head.kind else {
            return Err(self.wrong(&format!("it needs a `kind`; {}", listed("kind", &known))));
        };
        if known.contains(&kind.get_ref().as_str()) {
            return Ok(kind.into_inner());
        }
        let hint =
            nearest(kind.get_ref(), &known).map_or(String::new(), |near| format!(", nearest is `{near}`"));
        let problem = format!("there is no kind `{}`{hint}; {}", kind.get_ref(), listed("kind", &known));
        Err(self.fault(kind.span(), &problem))
    }

    /// The whole file as the tables of its kind. These should deny unknown fields (and so have a field `kind`, which may be ignored):
    /// an unknown one is then told with the nearest known one.
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        toml::from_str(&self.text).map_err(|error| {
            let problem = with_nearest(error.message());
            match error.span() {
                Some(span) => self.fault(span, &problem),
                None => self.wrong(&problem),
            }
        })
    }

    /// A number that stands for every letter of the file (FNV-1a).
    pub(super) fn hash(&self) -> u64 {
        let bytes = self.text.bytes();
        bytes
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// A file that the scenario names, beside the scenario.
    pub(super) fn beside(&self, file: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(file)
    }

    /// All that the file says but for some keys, in an order of its own: without comments and blanks.
    pub(super) fn without(&self, keys: &[&str]) -> Result<String, Failure> {
        let mut table: toml::Table = self.parse()?;
        for key in keys {
            table.remove(*key);
        }
        Ok(format!("{table:?}"))
    }

    /// Something is wrong at a place of the file.
    pub(super) fn fault(&self, at: Range<usize>, problem: &str) -> Failure {
        let before = &self.text.as_bytes()[..at.start.min(self.text.len())];
        Failure::Line { path: self.path.clone(), line: line_at(before), problem: problem.into() }
    }

    /// Something is wrong with the whole.
    pub(super) fn wrong(&self, problem: &str) -> Failure {
        Failure::Unusable { path: self.path.clone(), problem: problem.into() }
    }
}

/// The line, from 1, that follows these bytes.
fn line_at(before: &[u8]) -> usize {
    before.split(|byte| *byte == b'\n').count()
}

fn listed(what: &str, known: &[&str]) -> String {
    format!("known {what}s: {}", known.join(", "))
}

/// The reader's words about an unknown key or word, which name in backticks what was found and then all that could stand there, with
/// the nearest of these added.
fn with_nearest(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    match quoted.split_first().filter(|_| unknown) {
        Some((found, known)) => match nearest(found, known) {
            Some(near) => {
                let what = if message.starts_with("unknown field") { "key" } else { "word" };
                format!("unknown {what} `{found}`, nearest is `{near}`; {}", listed(what, known))
            }
            None => message.to_owned(),
        },
        None => message.to_owned(),
    }
}

/// The known word with the fewest letters to change; the first of several.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known.iter().copied().min_by_key(|other| letters_changed(word, other))
}

/// Letters to insert, remove, replace or swap with their neighbour to get from one word to the other.
fn letters_changed(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Rows of the table for the letters of `a` read so far: two back, one back.
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        (before, last) = (last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted() {
        for (a, b, changed) in [
            ("", "", 0),
            ("", "abc", 3),
            ("radius", "radius", 0),
            ("raduis", "radius", 1),
            ("radii", "radius", 2),
        ] {
            assert_eq!((letters_changed(a, b), letters_changed(b, a)), (changed, changed), "{a} {b}");
        }
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Form {
        #[serde(rename = "kind")]
        _kind: serde::de::IgnoredAny,
        _walls: Option<Walls>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Walls {
        Periodic,
        Hard,
    }

    #[test]
    fn unknown_keys_and_words_are_told_with_their_line_and_the_nearest_known() {
        let scenario = |text: &str| Scenario { path: "a.toml".into(), text: text.into() };
        let message = |text: &str| scenario(text).parse::<Form>().unwrap_err().to_string();
        let said = message("kind = \"x\"\n_wals = \"hard\"\n");
        assert_eq!(
            said,
            "a.toml, line 2: unknown key `_wals`, nearest is `_walls`; known keys: kind, _walls"
        );
        let said = message("kind = \"x\"\n\n_walls = \"perodic\"\n");
        assert!(said.contains("line 3: unknown word `perodic`, nearest is `periodic`"), "{said}");
        assert!(message("kind = [").contains("line 1"));
        let said = scenario("\nkind = \"gsa\"").kind(["gas", "rigid"].into_iter()).unwrap_err().to_string();
        assert_eq!(said, "a.toml, line 2: there is no kind `gsa`, nearest is `gas`; known kinds: gas, rigid");
        let said = scenario("a = 1").kind(["gas"].into_iter()).unwrap_err().to_string();
        assert_eq!(said, "a.toml: it needs a `kind`; known kinds: gas");
    }
}
