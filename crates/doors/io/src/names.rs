//! Names of bodies: `file:object`, each one once.
//!
//! One rule for all formats: what the format calls an object (an `o` line of OBJ, a solid of STL, a node of glTF) is a body, and
//! a name that is taken already gets a number, `bolt`, `bolt#2`, `bolt#3`: two objects are never one body because they are called
//! alike. Only a *group* of OBJ that is opened again within its object goes on, since exporters interleave groups.

use std::collections::{HashMap, HashSet};

/// Hands out names, each one once.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// Names that somebody has by right, now or later: no copy is called so.
    own: HashSet<String>,
    copies: HashMap<String, u32>,
}

impl Names {
    /// For those who will want these names: the second `c` is not called `c#2` where another is.
    pub fn among(own: impl IntoIterator<Item = String>) -> Names {
        Names { own: own.into_iter().collect(), ..Names::default() }
    }

    /// The name itself, or with `#2`, `#3`, … where that is taken.
    pub fn give(&mut self, wanted: String) -> String {
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let copy = self.copies.entry(wanted.clone()).or_insert(1);
        loop {
            *copy += 1;
            let name = format!("{wanted}#{copy}");
            if !self.own.contains(&name) && self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The names of the bodies of one file.
pub(crate) struct FileNames<'a> {
    file: &'a str,
    names: Names,
    /// Objects whose own name was taken.
    pub(crate) repeated: u64,
}

impl<'a> FileNames<'a> {
    /// For the objects of a file, all of which are known.
    pub(crate) fn new<'o>(file: &'a str, objects: impl Iterator<Item = Option<&'o str>>) -> Self {
        let own = objects.flatten().map(|object| format!("{file}:{}", object.trim()));
        FileNames { file, names: Names::among(own), repeated: 0 }
    }

    /// `file:object`, or `file` for an object without name.
    pub(crate) fn give(&mut self, object: Option<&str>) -> String {
        let object = object.map_or("", str::trim);
        if object.is_empty() {
            return self.names.give(self.file.to_owned());
        }
        let wanted = format!("{}:{object}", self.file);
        let given = self.names.give(wanted.clone());
        self.repeated += u64::from(given != wanted);
        given
    }

    /// The name of a further piece of an object that was taken apart.
    pub(crate) fn give_piece(&mut self, object: Option<&str>) -> String {
        let repeated = self.repeated;
        let name = self.give(object);
        self.repeated = repeated;
        name
    }
}

/// The object's part of a name `file:object`. A file name may hold colons as well; it ends where an ending that is read does.
pub(crate) fn object_part(name: &str) -> &str {
    const ENDINGS: [&str; 7] = [".obj", ".stl", ".ply", ".off", ".gltf", ".glb", ".kh"];
    let ends_file = |&at: &usize| {
        ENDINGS.iter().any(|ending| {
            let start = at.checked_sub(ending.len());
            start
                .and_then(|start| name.get(start..at))
                .is_some_and(|found| found.eq_ignore_ascii_case(ending))
        })
    };
    let colons = || name.match_indices(':').map(|(at, _)| at);
    if ENDINGS.iter().any(|ending| name.to_ascii_lowercase().ends_with(ending))
        && !colons().any(|at| ends_file(&at))
    {
        return "";
    }
    colons().find(ends_file).or_else(|| colons().next()).map_or("", |at| &name[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_given_once() {
        let objects = [Some("x"), Some("x"), None, Some(" "), Some("x#2"), Some("x")];
        let mut names = FileNames::new("a.obj", objects.into_iter());
        let given: Vec<String> = objects.map(|n| names.give(n)).into();
        // The second x is not called x#2, which is another's own name.
        assert_eq!(given, ["a.obj:x", "a.obj:x#3", "a.obj", "a.obj#2", "a.obj:x#2", "a.obj:x#4"]);
        assert_eq!(names.repeated, 2);
    }

    #[test]
    fn the_object_is_what_follows_the_file() {
        for (name, object) in [
            ("a.obj:x", "x"),
            ("a.obj", ""),
            ("a:b.obj:x", "x"),
            ("a:b.obj", ""),
            ("a.STL:ns:x.obj", "ns:x.obj"),
            ("memory:x", "x"),
            ("memory", ""),
        ] {
            assert_eq!(object_part(name), object, "{name}");
        }
    }
}
