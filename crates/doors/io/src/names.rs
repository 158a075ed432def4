//! Names of bodies: `file:object`, each one once.

use std::collections::{HashMap, HashSet};

/// Hands out names for the bodies of one file.
pub(crate) struct Names<'a> {
    file: &'a str,
    taken: HashSet<String>,
    copies: HashMap<String, u32>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(file: &'a str) -> Self {
        Names { file, taken: HashSet::new(), copies: HashMap::new() }
    }

    /// `file:object`, or `file` for an object without name; `#2`, `#3`, … where that is taken.
    pub(crate) fn give(&mut self, object: Option<&str>) -> String {
        let base = match object.map(str::trim) {
            None | Some("") => self.file.to_owned(),
            Some(object) => format!("{}:{object}", self.file),
        };
        let mut name = base.clone();
        while !self.taken.insert(name.clone()) {
            let copy = self.copies.entry(base.clone()).or_insert(1);
            *copy += 1;
            name = format!("{base}#{copy}");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_given_once() {
        let mut names = Names::new("a.obj");
        let given: Vec<String> =
            [Some("x"), Some("x"), None, Some(" "), Some("x#2")].map(|n| names.give(n)).into();
        assert_eq!(given, ["a.obj:x", "a.obj:x#2", "a.obj", "a.obj#2", "a.obj:x#2#2"]);
    }
}
