//! From a file to bodies.

use crate::bytes;
use crate::elements::Elements;
use crate::error::{Fault, Place, Problem, ReadError};
use crate::input::{Input, Parsed};
pub use crate::input::{ReadOptions, Split};
use crate::names::FileNames;
use crate::sniff::{Looks, cad_format};
use crate::watched::Watched;
use crate::{CurvedFile, Format, Loaded, gltf, kh, msh, obj, off, ply, stl, vtk, vtu};
use kontakt_shapes::Body;
use kontakt_shapes::components::Components;
use kontakt_shapes::tetrahedra::Tetrahedra;
use std::fs::File;
use std::path::Path;

/// Reads a file, its format told by its ending. Bodies are named `file:object` with the file's name without folders.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Loaded, ReadError> {
    let shown = path.display().to_string();
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    let named = |fault: Fault| fault.of(shown.clone());
    if path.is_dir() {
        return Err(named(Problem::Folder.into()));
    }
    let format = Format::of(path).ok_or_else(|| named(unknown(path).into()))?;
    let file = File::open(path).map_err(|error| named(Problem::Io(error).into()))?;
    let about = file.metadata().map_err(|error| named(Problem::Io(error).into()))?;
    let size = about.is_file().then_some(about.len());
    let mut reader = Watched::new(file, options.deadline);
    let mut input = Input { reader: &mut reader, size, directory: path.parent(), options };
    load(format, &mut input, &name).map_err(|fault| named(explained(fault, format, path)))
}

/// The tetrahedra of a file, as one body with the points they use; `None` where it has none, or is of a format without.
pub fn read_tetrahedra(path: &Path, options: &ReadOptions) -> Result<Option<Tetrahedra>, ReadError> {
    let Some(format) = Format::of(path) else { return Ok(None) };
    let read: fn(&[u8]) -> Result<Elements, Fault> = match format {
        Format::Msh => msh::read,
        Format::Vtk => vtk::read,
        Format::Vtu => vtu::read,
        _ => return Ok(None),
    };
    let file = path.display().to_string();
    let named = |fault: Fault| fault.of(file.clone());
    if path.is_dir() {
        return Err(named(Problem::Folder.into()));
    }
    let opened = File::open(path).map_err(|error| named(Problem::Io(error).into()))?;
    let about = opened.metadata().map_err(|error| named(Problem::Io(error).into()))?;
    let size = about.is_file().then_some(about.len());
    let mut reader = Watched::new(opened, options.deadline);
    let mut input = Input { reader: &mut reader, size, directory: None, options };
    let mut solid = || {
        let found = read(&bytes::all(&mut input)?)?;
        if found.tetrahedra.is_empty() { Ok(None) } else { found.body().map(|(body, _)| Some(body)) }
    };
    solid().map_err(|fault| named(explained(fault, format, path)))
}

/// Reads a file with curved bodies, its format told by its ending.
pub fn read_curved(path: &Path, options: &ReadOptions) -> Result<CurvedFile, ReadError> {
    let named = |fault: Fault| fault.of(path.display().to_string());
    let format = Format::of(path).filter(|format| format.is_curved());
    let format = format.ok_or_else(|| named(unknown(path).into()))?;
    let found = match format {
        Format::Sat => crate::sat::read_sat(path, options),
        _ => crate::step::read_step(path, options),
    };
    found.map_err(|ReadError { file, place, problem }| {
        explained(Fault { place, problem }, format, path).of(file)
    })
}

/// What to say of an ending that is not read.
fn unknown(path: &Path) -> Problem {
    let problem = Problem::UnknownFormat;
    match (cad_format(path), Looks::of(path)) {
        (Some(name), _) => Problem::OtherProgram(name),
        (None, Some(Looks::Like(looks))) => Problem::WrongEnding { looks, read: Box::new(problem) },
        (None, Some(Looks::Archive)) => Problem::OtherProgram("an archive"),
        (None, None) => problem,
    }
}

/// A fault whose cause may be that the file is not what its ending says.
fn explained(fault: Fault, format: Format, path: &Path) -> Fault {
    let Fault { place, problem } = fault;
    if matches!(problem, Problem::Io(_) | Problem::Expired(_) | Problem::OutOfMemory(_) | Problem::TooMany(_))
    {
        return problem.at(place);
    }
    match Looks::of(path) {
        Some(Looks::Like(looks)) if looks != format => {
            Problem::WrongEnding { looks, read: Box::new(problem) }.at(place)
        }
        _ => problem.at(place),
    }
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
    load(format, &mut input, name).map_err(|fault| fault.of(name.to_owned()))
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
        Format::Msh => msh::parse(input),
        Format::Vtk => vtk::parse(input),
        Format::Vtu => vtu::parse(input),
        Format::Step | Format::Sat => {
            Err(Problem::Unsupported("its bodies have curved faces, they are no meshes".into()).into())
        }
    }?;
    let mut names = FileNames::new(name, objects.iter().map(|(object, _)| object.as_deref()));
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
