//! From a file to bodies.

use crate::error::{Fault, Place, Problem, ReadError};
use crate::names::FileNames;
use crate::scanner::Scanner;
use crate::{Format, Loaded, ReadReport, gltf, kh, obj, off, ply, stl};
use kontakt_shapes::components::Components;
use kontakt_shapes::{Body, FaceSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How a file is taken apart into bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// As the format says: OBJ objects, STL solids, glTF nodes, whole PLY and OFF files. Every `o` line of an OBJ begins one.
    #[default]
    Objects,
    /// OBJ groups within objects, each the whole of what goes by its name there; other formats have none.
    Groups,
    /// Connected pieces of each object.
    Components,
}

/// How to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// What one body is.
    pub split: Split,
    /// Vertices and corners that a glTF scene may unfold to: a small file can use one mesh very often.
    pub most_elements: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { split: Split::default(), most_elements: 1 << 30 }
    }
}

/// What a reader is given.
pub(crate) struct Input<'a> {
    pub(crate) reader: &'a mut dyn Read,
    /// Length of the whole file, where known.
    pub(crate) size: Option<u64>,
    /// Where files named by this file are found.
    pub(crate) directory: Option<&'a Path>,
    pub(crate) options: &'a ReadOptions,
}

impl Input<'_> {
    pub(crate) fn scanner(&mut self) -> Scanner<'_> {
        Scanner::new(&mut *self.reader)
    }
}

/// Room to reserve for `count` elements of at least `bytes` bytes each in a file of that size: never more than it can hold.
pub(crate) fn room(size: Option<u64>, count: u64, bytes: u64) -> usize {
    let held = size.unwrap_or(1 << 16) / bytes.max(1);
    usize::try_from(count.min(held)).unwrap_or(0)
}

/// What a reader gives: objects with their names, not yet put together with the file's.
#[derive(Default)]
pub(crate) struct Parsed {
    pub(crate) objects: Vec<(Option<String>, FaceSet)>,
    pub(crate) report: ReadReport,
}

/// Reads a file, its format told by its ending. Bodies are named `file:object` with the file's name without folders.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Loaded, ReadError> {
    let shown = path.display().to_string();
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    let named = |fault: Fault| ReadError { file: shown.clone(), place: fault.place, problem: fault.problem };
    let format = Format::of(path).ok_or_else(|| named(Problem::UnknownFormat.into()))?;
    let mut file = File::open(path).map_err(|error| named(Problem::Io(error).into()))?;
    let about = file.metadata().map_err(|error| named(Problem::Io(error).into()))?;
    let size = about.is_file().then_some(about.len());
    let mut input = Input { reader: &mut file, size, directory: path.parent(), options };
    load(format, &mut input, &name).map_err(named)
}

/// Reads bytes in memory. Files that a glTF names beside itself are not found.
pub fn read_bytes(
    format: Format,
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Result<Loaded, ReadError> {
    let mut reader = bytes;
    let mut input = Input { reader: &mut reader, size: Some(bytes.len() as u64), directory: None, options };
    load(format, &mut input, name).map_err(|fault| ReadError {
        file: name.to_owned(),
        place: fault.place,
        problem: fault.problem,
    })
}

fn load(format: Format, input: &mut Input<'_>, name: &str) -> Result<Loaded, Fault> {
    let split = input.options.split;
    let Parsed { objects, mut report } = match format {
        Format::Obj => obj::parse(input),
        Format::Stl => stl::parse(input),
        Format::Ply => ply::parse(input),
        Format::Off => off::parse(input),
        Format::Gltf => gltf::parse(input),
        Format::Kh => kh::parse(input),
    }?;
    let mut names = FileNames::new(name);
    let mut bodies = Vec::with_capacity(objects.len());
    for (object, faces) in objects {
        report.triangulated_polygons += faces.triangulated_count() as u64;
        report.rough_polygons += faces.rough_count() as u64;
        if split == Split::Components {
            let pieces = Components::of(&faces);
            if pieces.count > 1 {
                let name = names.give(object.as_deref());
                let further = std::iter::from_fn(|| Some(names.give_piece(object.as_deref())));
                let given = std::iter::once(name).chain(further);
                bodies.extend(given.zip(pieces.split(&faces)?).map(|(name, faces)| Body { name, faces }));
                continue;
            }
        }
        bodies.push(Body { name: names.give(object.as_deref()), faces });
    }
    report.repeated_names = names.repeated;
    if bodies.is_empty() { Err(Problem::NoFaces.at(Place::Whole)) } else { Ok(Loaded { bodies, report }) }
}
