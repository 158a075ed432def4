//! Pairs of bodies by name: `A:B`, where names may themselves hold colons.

use crate::pattern::{Fit, Pattern};

/// A body's name and how many of its first bytes name the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyName {
    /// As it is shown: `file:object`.
    pub full: String,
    /// How many of its first bytes name the file.
    pub file: usize,
}

impl BodyName {
    /// The object's part, without the colon; empty where the file is the body. A further body without a name has its number, `#2`.
    pub fn object(&self) -> &str {
        let back = self.full.get(self.file..).unwrap_or("");
        back.strip_prefix(':').unwrap_or(back)
    }
}

impl From<&str> for BodyName {
    /// A name without a file.
    fn from(name: &str) -> BodyName {
        BodyName { full: name.to_owned(), file: name.len() }
    }
}

/// The pairs that `text` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedPairs {
    first: Vec<bool>,
    second: Vec<bool>,
}

impl NamedPairs {
    /// Reads `A:B`. Any colon may be the one between A and B, since names are `file:object`: the reading counts in which both
    /// sides fit a body. Whole names go before patterns; among the rest, two readings are an error rather than a guess.
    pub(crate) fn parse(text: &str, names: &[BodyName]) -> Result<NamedPairs, String> {
        let colons: Vec<usize> = text.match_indices(':').map(|(at, _)| at).collect();
        if colons.is_empty() {
            return Err(format!("`{text}` names no pair; write A:B"));
        }
        let mut readings: Vec<(Fit, usize, NamedPairs)> = Vec::new();
        for at in colons {
            let (a, b) = (Pattern(&text[..at]), Pattern(&text[at + 1..]));
            let first: Vec<Option<Fit>> = names.iter().map(|name| a.fit(&name.full, name.file)).collect();
            let second: Vec<Option<Fit>> = names.iter().map(|name| b.fit(&name.full, name.file)).collect();
            let (Some(best_a), Some(best_b)) = (first.iter().max().copied(), second.iter().max().copied())
            else {
                continue;
            };
            let (Some(best_a), Some(best_b)) = (best_a, best_b) else { continue };
            // A whole name means that body, not others that its letters happen to fit as a pattern.
            let chosen =
                |fits: &[Option<Fit>], best: Fit| fits.iter().map(|fit| *fit == Some(best)).collect();
            let pairs = NamedPairs { first: chosen(&first, best_a), second: chosen(&second, best_b) };
            readings.push((best_a.min(best_b), at, pairs));
        }
        let Some(best) = readings.iter().map(|(fit, ..)| *fit).max() else {
            return Err(unknown(text, names));
        };
        readings.retain(|(fit, ..)| *fit == best);
        readings.dedup_by(|x, y| x.2 == y.2);
        match readings.as_slice() {
            [(.., pairs)] => Ok(pairs.clone()),
            several => {
                let said: Vec<String> = several
                    .iter()
                    .map(|(_, at, _)| format!("`{}` and `{}`", &text[..*at], &text[at + 1..]))
                    .collect();
                Err(format!("`{text}` can mean {}; write whole names", said.join(", or ")))
            }
        }
    }

    /// Whether the pair is named, in either order.
    pub(crate) fn names(&self, a: usize, b: usize) -> bool {
        let both = |i: usize, j: usize| {
            self.first.get(i).copied().unwrap_or(false) && self.second.get(j).copied().unwrap_or(false)
        };
        both(a, b) || both(b, a)
    }
}

/// What to say when nothing fits: which bodies there are.
fn unknown(text: &str, names: &[BodyName]) -> String {
    const SHOWN: usize = 12;
    let mut known: Vec<&str> = names.iter().take(SHOWN).map(|name| name.full.as_str()).collect();
    if names.len() > SHOWN {
        known.push("…");
    }
    format!("`{text}` fits no two bodies; there are: {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies() -> Vec<BodyName> {
        ["a.obj:x", "a.obj:y", "b.obj:x", "c.stl", "d.glb:x:y"]
            .map(|full| BodyName { full: full.into(), file: full.find(':').unwrap_or(full.len()) })
            .into()
    }

    fn pairs(text: &str) -> Result<Vec<(usize, usize)>, String> {
        let names = bodies();
        let found = NamedPairs::parse(text, &names)?;
        let all = (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| (a, b)));
        Ok(all.filter(|&(a, b)| found.names(a, b)).collect())
    }

    #[test]
    fn whole_names_objects_files_and_stars() {
        assert_eq!(pairs("a.obj:x:b.obj:x"), Ok(vec![(0, 2)]));
        assert_eq!(pairs("b.obj:x:a.obj:x"), Ok(vec![(0, 2)]), "either order");
        assert_eq!(pairs("c.stl:a.obj:y"), Ok(vec![(1, 3)]));
        assert_eq!(pairs("y:c.stl"), Ok(vec![(1, 3)]));
        assert_eq!(pairs("a.obj:c.stl"), Ok(vec![(0, 3), (1, 3)]));
        assert_eq!(pairs("*:c.stl"), Ok(vec![(0, 3), (1, 3), (2, 3), (3, 4)]));
        assert_eq!(pairs("d.glb:x:y:c.stl"), Ok(vec![(3, 4)]));
    }

    #[test]
    fn what_names_nothing_or_two_things_is_an_error() {
        assert!(pairs("c.stl").unwrap_err().contains("A:B"));
        assert!(pairs("c.stl:none").unwrap_err().contains("a.obj:x"));
        // Object x against object `y:c`? No: only readings that fit count. This one fits twice.
        assert!(pairs("a.obj:x:y").unwrap_err().contains("can mean"), "{:?}", pairs("a.obj:x:y"));
        assert!(pairs(":").is_err());
    }
}
