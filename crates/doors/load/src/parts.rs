//! The bodies of several files, each with a name of its own.

use crate::address::Address;
use crate::before::Before;
use crate::error::LoadError;
use crate::options::LoadOptions;
use crate::ready::{self, Ready};
use crate::remarks::Remarks;
use crate::units;
use kontakt_io::Format;
use kontakt_io::Names;
use kontakt_math::DVec3;
use kontakt_scene::{BodyName, Missing, Precision, Scene, SceneBody};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Bodies of all files, in the order given.
pub struct Parts {
    /// The bodies.
    pub scene: Scene,
    /// How many of the first bodies move.
    pub movers: usize,
    /// Where each body begins in its file.
    pub before: Vec<Before>,
    /// What there is to say about the files.
    pub remarks: Remarks,
    /// Sentences for people.
    pub warnings: Vec<String>,
}

impl Parts {
    /// Reads the bodies that are meant, `FILE` or `FILE:NAME`, and builds their hierarchies, until a deadline.
    pub fn load(files: &[PathBuf], options: &LoadOptions) -> Result<Parts, LoadError> {
        let mut gathered = Gathered::default();
        for address in files.iter().map(|typed| Address::of(typed)) {
            gathered.add(&address, options)?;
        }
        Ok(gathered.named(0))
    }

    /// The same for bodies that move, which come first, and those that stand around. Where the latter are not named, all other bodies
    /// of the files that movers were picked from stand around. A body that moves does not stand in its own way: it is left out of a
    /// file it was picked from.
    pub fn in_motion(
        moving: &[PathBuf],
        against: &[PathBuf],
        options: &LoadOptions,
    ) -> Result<Parts, LoadError> {
        let moving: Vec<Address> = moving.iter().map(|typed| Address::of(typed)).collect();
        let mut against: Vec<Address> = against.iter().map(|typed| Address::of(typed)).collect();
        if against.is_empty() {
            against = rest_of(&moving);
        }
        if against.is_empty() {
            let problem = "nothing stands around: name it with --against FILE, or name the body that moves, FILE:NAME, and \
                           the others of its file stand still";
            return Err(LoadError::Usage(problem.into()));
        }
        let mut gathered = Gathered::default();
        for address in &moving {
            gathered.add(address, options)?;
        }
        gathered.once_each();
        let movers = gathered.bodies.len();
        let picked_from: Vec<PathBuf> = moving.iter().filter(|address| address.picks()).map(real).collect();
        for address in &against {
            gathered.add(address, options)?;
            if picked_from.contains(&real(address)) {
                gathered.leave_out_movers(movers);
            }
        }
        if gathered.bodies.len() == movers {
            return Err(LoadError::Usage("all bodies move, and none stands around".into()));
        }
        Ok(gathered.named(movers))
    }
}

/// The files that bodies were picked from, each once and whole.
fn rest_of(moving: &[Address]) -> Vec<Address> {
    let mut files: Vec<Address> = Vec::new();
    for address in moving.iter().filter(|address| address.picks()) {
        if !files.iter().any(|file| real(file) == real(address)) {
            files.push(address.whole());
        }
    }
    files
}

/// The file whatever way led to it.
fn real(address: &Address) -> PathBuf {
    address.file.canonicalize().unwrap_or_else(|_| address.file.clone())
}

/// Bodies that were read.
#[derive(Default)]
struct Gathered {
    bodies: Vec<Found>,
    remarks: Remarks,
    missing: Vec<Missing>,
}

/// A body and its file, as typed and whatever way led to it.
struct Found {
    file: PathBuf,
    real: PathBuf,
    body: Ready,
}

impl Found {
    /// What tells it from others.
    fn identity(&self) -> (&Path, &str) {
        (&self.real, &self.body.name)
    }
}

impl Gathered {
    fn add(&mut self, address: &Address, options: &LoadOptions) -> Result<(), LoadError> {
        let (bodies, about) = ready::load(address, options)?;
        self.missing.extend(about.model.iter().flat_map(|model| model.missing.iter().cloned()));
        self.remarks.add(&address.file, about);
        let real = real(address);
        let found = |body| Found { file: address.file.clone(), real: real.clone(), body };
        self.bodies.extend(bodies.into_iter().map(found));
        Ok(())
    }

    /// A body that two patterns name moves once.
    fn once_each(&mut self) {
        let mut seen = HashSet::new();
        let first: Vec<bool> = self.bodies.iter().map(|found| seen.insert(found.identity())).collect();
        let mut first = first.into_iter();
        self.bodies.retain(|_| first.next().unwrap_or(true));
    }

    /// Drops bodies behind the movers that are one of these.
    fn leave_out_movers(&mut self, movers: usize) {
        let still = self.bodies.split_off(movers.min(self.bodies.len()));
        let moving: HashSet<(&Path, &str)> = self.bodies.iter().map(Found::identity).collect();
        let still: Vec<Found> =
            still.into_iter().filter(|found| !moving.contains(&found.identity())).collect();
        self.bodies.extend(still);
    }

    /// Every body with a name of its own.
    fn named(self, movers: usize) -> Parts {
        let given: Vec<(&Path, &str)> =
            self.bodies.iter().map(|found| (found.file.as_path(), found.body.name.as_str())).collect();
        let names = names_of(&given);
        let sizes: Vec<_> = names
            .iter()
            .zip(&self.bodies)
            .map(|(name, found)| (name.full.as_str(), found.body.size()))
            .collect();
        let warnings = units::warning(sizes.into_iter()).into_iter().collect();
        let before = self.bodies.iter().map(|found| found.body.before).collect();
        let mut scene: Scene = names
            .into_iter()
            .zip(self.bodies)
            .map(|(name, found)| of_file(name, &found.file, &found.body))
            .collect();
        for missing in self.missing {
            scene.miss(missing);
        }
        Parts { scene, movers, before, remarks: self.remarks, warnings }
    }
}

/// A body where its file has it.
fn of_file(name: BodyName, file: &Path, body: &Ready) -> SceneBody {
    SceneBody { precision: precision(file, body), ..scene_body(name, body) }
}

/// In which numbers a file has a body.
pub fn precision(file: &Path, body: &Ready) -> Precision {
    if body.is_curved() {
        return Precision::Double;
    }
    let points = body.mesh().faces().vertices();
    let stored = Format::of(file).and_then(Format::is_single);
    let single = stored.unwrap_or_else(|| points.iter().all(|&x| is_single(x)));
    let plain = if single { Precision::Single } else { Precision::Double };
    Precision::of_text(points).unwrap_or(plain)
}

/// Whether a point is one of single precision.
fn is_single(x: DVec3) -> bool {
    x.as_vec3().as_dvec3() == x
}

fn scene_body(name: BodyName, body: &Ready) -> SceneBody {
    SceneBody {
        name,
        body: body.body(),
        pose: body.pose(),
        faces_before: body.before.faces,
        precision: Precision::Double,
    }
}

/// Bodies made by hand, each a file of its own.
pub fn scene_of(bodies: &[Ready]) -> Scene {
    let named = |body: &Ready| scene_body(body.name.as_str().into(), body);
    bodies.iter().map(named).collect()
}

/// A name of its own for every body, from its file and the reader's name for it (that of the file without folders, then the object's):
/// `file:object`; where two folders have files of one name, with the path as typed. The bodies of a file named twice get a number,
/// `file:object#2`, which is no other body's own name.
pub fn names_of(bodies: &[(&Path, &str)]) -> Vec<BodyName> {
    let files: HashSet<&Path> = bodies.iter().map(|(path, _)| *path).collect();
    let mut paths: HashMap<String, usize> = HashMap::new();
    for path in files {
        *paths.entry(file_name(path)).or_insert(0) += 1;
    }
    let wanted = |(path, given): &(&Path, &str)| {
        let short = file_name(path);
        let object = given.strip_prefix(short.as_str()).unwrap_or("");
        let alone = paths.get(&short).is_none_or(|&count| count < 2);
        let file = if alone { short } else { path.display().to_string() };
        BodyName { full: format!("{file}{object}"), file: file.len() }
    };
    let wanted: Vec<BodyName> = bodies.iter().map(wanted).collect();
    let mut names = Names::among(wanted.iter().map(|name| name.full.clone()));
    wanted.into_iter().map(|BodyName { full, file }| BodyName { full: names.give(full), file }).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_has_a_name_of_its_own() {
        let bodies = [
            ("a/part.obj", "part.obj:x"),
            ("b/part.obj", "part.obj:x"),
            ("c.stl", "c.stl"),
            ("c.stl", "c.stl#2"),
            ("c.stl", "c.stl"),
            ("c.stl", "c.stl#2"),
        ]
        .map(|(path, given)| (Path::new(path), given));
        let names: Vec<String> = names_of(&bodies).into_iter().map(|name| name.full).collect();
        // The copy of `c.stl` is not called like the file's second body.
        assert_eq!(names, ["a/part.obj:x", "b/part.obj:x", "c.stl", "c.stl#2", "c.stl#3", "c.stl#2#2"]);
    }
}
