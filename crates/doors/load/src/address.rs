//! Which bodies are meant: `FILE`, or `FILE:NAME` for some of its bodies.

use crate::error::LoadError;
use kontakt_io::Format;
use kontakt_scene::{self as scene, BodyName};
use std::path::{Path, PathBuf};

/// A file as typed, and which of its bodies are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The file itself.
    pub file: PathBuf,
    /// The name or pattern of the bodies meant; all of them where there is none.
    bodies: Option<String>,
}

impl Address {
    /// What is typed is a file if there is one of that name, however many colons it has. Otherwise it is cut at the last colon, or
    /// the `#` of a further body without a name, before which there is a file; and where there is none, behind an ending that is read,
    /// so that the message names the file that is missing.
    pub fn of(typed: &Path) -> Address {
        let whole = || Address { file: typed.to_owned(), bodies: None };
        let (false, Some(text)) = (typed.exists(), typed.to_str()) else { return whole() };
        let cut = |at: usize| (Path::new(&text[..at]), text[at..].strip_prefix(':').unwrap_or(&text[at..]));
        let cuts = || text.rmatch_indices([':', '#']).map(|(at, _)| cut(at));
        let is_file = |(file, _): &(&Path, &str)| file.is_file();
        let is_read = |(file, _): &(&Path, &str)| Format::of(file).is_some();
        match cuts().find(is_file).or_else(|| cuts().find(is_read)) {
            Some((file, bodies)) => Address { file: file.to_owned(), bodies: Some(bodies.to_owned()) },
            None => whole(),
        }
    }

    /// Whether only some bodies of the file are meant.
    pub fn picks(&self) -> bool {
        self.bodies.is_some()
    }

    /// Whether a body whose name is not known may be meant: all are, or those of a pattern.
    pub fn may_mean_nameless(&self) -> bool {
        self.bodies.as_ref().is_none_or(|bodies| bodies.contains(['*', '?']))
    }

    /// All bodies of the file.
    #[must_use]
    pub fn whole(&self) -> Address {
        Address { file: self.file.clone(), bodies: None }
    }

    /// The places of the bodies meant, of which the file has these names.
    pub fn pick<'a>(&self, names: impl Iterator<Item = &'a str>) -> Result<Vec<usize>, LoadError> {
        let file = self.file_name().len();
        let names: Vec<BodyName> = names.map(|full| BodyName { full: full.to_owned(), file }).collect();
        match &self.bodies {
            None => Ok((0..names.len()).collect()),
            Some(wanted) => scene::pick(&names, wanted)
                .map_err(|error| LoadError::Unusable { path: self.file.clone(), problem: error.to_string() }),
        }
    }

    /// The file's name without folders, as names of bodies begin.
    pub fn file_name(&self) -> String {
        self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy().into_owned()
    }

    /// What bodies taken together are called.
    pub fn name(&self) -> String {
        match &self.bodies {
            None => self.file_name(),
            Some(bodies) => format!("{}:{bodies}", self.file_name()),
        }
    }
}

/// Those of a list at places in order.
pub fn chosen<T>(list: impl Iterator<Item = T>, places: &[usize]) -> Vec<T> {
    let mut places = places.iter().copied().peekable();
    list.enumerate().filter_map(|(place, item)| places.next_if_eq(&place).map(|_| item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_that_name_wins_and_the_longest_one_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a.obj", "a.obj:x", "co:lon.obj"] {
            std::fs::write(path(name), "").unwrap();
        }
        let address = |typed: &str| {
            let Address { file, bodies } = Address::of(&path(typed));
            (file.file_name().unwrap().to_str().unwrap().to_owned(), bodies.unwrap_or_default())
        };
        for (typed, file, bodies) in [
            ("a.obj", "a.obj", ""),
            ("a.obj:x", "a.obj:x", ""),
            ("a.obj:y", "a.obj", "y"),
            ("a.obj:x:y", "a.obj:x", "y"),
            ("a.obj#2", "a.obj", "#2"),
            ("a.obj:y#2", "a.obj", "y#2"),
            ("co:lon.obj:a:b", "co:lon.obj", "a:b"),
            ("missing.glb:plug", "missing.glb", "plug"),
            ("missing", "missing", ""),
        ] {
            assert_eq!(address(typed), (file.to_owned(), bodies.to_owned()), "{typed}");
        }
    }
}
