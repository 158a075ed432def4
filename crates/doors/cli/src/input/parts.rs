//! The bodies of several files, each with a name of its own.

use super::load::Remarks;
use super::ready::{self, Ready};
use crate::failure::Failure;
use crate::reading::Reading;
use crate::units;
use kontakt::io::Names;
use kontakt::math::Pose;
use kontakt::pair::Body;
use kontakt::scene::{BodyName, Scene, SceneBody};
use kontakt::schedule::Deadline;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Bodies of all files, in the order given.
pub(crate) struct Parts {
    pub(crate) scene: Scene,
    /// How many bodies each file has.
    pub(crate) counts: Vec<usize>,
    pub(crate) remarks: Remarks,
    pub(crate) warnings: Vec<String>,
}

impl Parts {
    /// Reads the files and builds the hierarchies of their bodies, until a deadline.
    pub(crate) fn load(files: &[PathBuf], reading: &Reading, deadline: Deadline) -> Result<Parts, Failure> {
        let mut namer = Namer::new(files);
        let mut remarks = Remarks::default();
        let mut named = Vec::new();
        let mut counts = Vec::with_capacity(files.len());
        for path in files {
            let (bodies, report) = ready::load(path, reading, deadline)?;
            remarks.add(path, report);
            counts.push(bodies.len());
            named.extend(bodies.into_iter().map(|body| (namer.name(path, &body.name), body)));
        }
        let sizes: Vec<_> = named.iter().map(|(name, body)| (name.full.as_str(), body.size())).collect();
        let warnings = units::warning(sizes.into_iter()).into_iter().collect();
        let scene = named.into_iter().map(|(name, body)| scene_body(name, body)).collect();
        Ok(Parts { scene, counts, remarks, warnings })
    }
}

/// A body where its file has it.
fn scene_body(name: BodyName, Ready { mesh, before, .. }: Ready) -> SceneBody {
    SceneBody { name, body: Body::mesh(mesh), pose: Pose::IDENTITY, faces_before: before.faces }
}

/// Bodies made by hand, each a file of its own.
pub(crate) fn scene_of(bodies: Vec<Ready>) -> Scene {
    let named = |body: Ready| scene_body(body.name.as_str().into(), body);
    bodies.into_iter().map(named).collect()
}

/// Gives every body a name of its own: `file:object`; where two folders have files of one name, with the path as typed; a
/// file named twice has its bodies again as `file:object#2`.
struct Namer {
    /// How many different paths end in this file name.
    paths: HashMap<String, usize>,
    names: Names,
}

impl Namer {
    fn new(files: &[PathBuf]) -> Namer {
        let mut seen: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        seen.sort_unstable();
        seen.dedup();
        let mut paths = HashMap::new();
        for path in seen {
            *paths.entry(file_name(path)).or_insert(0) += 1;
        }
        Namer { paths, names: Names::default() }
    }

    /// `given` is the reader's name: that of the file without folders, then the object's.
    fn name(&mut self, path: &Path, given: &str) -> BodyName {
        let short = file_name(path);
        let object = given.strip_prefix(short.as_str()).unwrap_or("");
        let file = if self.paths.get(&short).is_some_and(|&count| count > 1) {
            path.display().to_string()
        } else {
            short
        };
        BodyName { full: self.names.give(format!("{file}{object}")), file: file.len() }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_has_a_name_of_its_own() {
        let files = ["a/part.obj", "b/part.obj", "c.stl", "c.stl"].map(PathBuf::from);
        let mut namer = Namer::new(&files);
        let mut name = |file: usize, given: &str| namer.name(&files[file], given).full;
        assert_eq!(name(0, "part.obj:x"), "a/part.obj:x");
        assert_eq!(name(1, "part.obj:x"), "b/part.obj:x");
        assert_eq!(name(2, "c.stl"), "c.stl");
        assert_eq!(name(3, "c.stl"), "c.stl#2");
        assert_eq!(name(3, "c.stl#2"), "c.stl#2#2", "numbers of the file and of its copy");
    }
}
