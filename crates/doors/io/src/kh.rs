//! Saved hierarchies (`.kh`): bodies that carry their trees.

use crate::atomic::write_atomically;
use crate::error::{Fault, Problem, ReadError};
use crate::input::{Input, Parsed};
use crate::names::{FileNames, object_part};
use crate::watched::Watched;
use crate::write_error::WriteError;
use kontakt_hierarchy::store::{self, Entry, Facts, StoreError, Stored};
use kontakt_hierarchy::{Faces, Packed};
use kontakt_schedule::Deadline;
use kontakt_shapes::Body;
use kontakt_shapes::memory::probe;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

/// The meshes alone.
pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    let mut parsed = Parsed::default();
    for body in stored(input.reader, input.size)? {
        let (name, faces, ..) = body.into_parts();
        parsed.objects.push(((!name.is_empty()).then_some(name), faces));
    }
    Ok(parsed)
}

fn stored(reader: &mut dyn Read, size: Option<u64>) -> Result<Vec<Stored>, Fault> {
    let fault = |error| match error {
        StoreError::Io(error) => Fault::from(Problem::Io(error)),
        error => Problem::Hierarchy(error).into(),
    };
    if let Some(size) = size {
        // Lists are as long as in the file, and what is made of them beside is less than that.
        probe(usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(2))?;
        return store::read(reader, size).map_err(fault);
    }
    // A pipe does not say how much is coming.
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|error| Fault::from(Problem::Io(error)))?;
    store::read(&mut bytes.as_slice(), bytes.len() as u64).map_err(fault)
}

/// Reads a saved hierarchy with its trees. The names are those that [`read`](crate::read()) gives the bodies.
pub fn read_stored(path: &Path) -> Result<Vec<(String, Stored)>, ReadError> {
    read_stored_until(path, Deadline::NEVER)
}

/// The same, given up at a deadline. Small files are read in any case.
pub fn read_stored_until(path: &Path, deadline: Deadline) -> Result<Vec<(String, Stored)>, ReadError> {
    let shown = path.display().to_string();
    let named = |fault: Fault| fault.of(shown.clone());
    let file = File::open(path).map_err(|error| named(Problem::Io(error).into()))?;
    let about = file.metadata().map_err(|error| named(Problem::Io(error).into()))?;
    let size = about.is_file().then_some(about.len());
    let bodies = stored(&mut Watched::new(file, deadline), size).map_err(named)?;
    let file_name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let object = |body: &Stored| (!body.name().is_empty()).then(|| body.name().to_owned());
    let objects: Vec<Option<String>> = bodies.iter().map(object).collect();
    let mut names = FileNames::new(&file_name, objects.iter().map(Option::as_deref));
    let give = |body: Stored| (names.give(object(&body).as_deref()), body);
    Ok(bodies.into_iter().map(give).collect())
}

/// Writes bodies with their trees; returns how many bytes. Of each name the object's part is kept.
pub fn write_stored(path: &Path, bodies: &[Entry<'_>]) -> Result<u64, WriteError> {
    write_stored_until(path, bodies, Deadline::NEVER)
}

/// The same, given up at a deadline.
pub fn write_stored_until(path: &Path, bodies: &[Entry<'_>], deadline: Deadline) -> Result<u64, WriteError> {
    if bodies.is_empty() {
        return Err(WriteError::NoBodies);
    }
    let named: Vec<Entry> =
        bodies.iter().map(|entry| Entry { name: object_part(entry.name), ..*entry }).collect();
    let mut bytes = 0;
    write_atomically(path, deadline, |out| {
        bytes = store::write(out, &named)?;
        Ok::<_, WriteError>(())
    })?;
    Ok(bytes)
}

/// Builds the default hierarchy of each body and writes all.
pub(crate) fn write_built(path: &Path, bodies: &[Body], deadline: Deadline) -> Result<(), WriteError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut built = Vec::with_capacity(bodies.len());
    for body in bodies {
        let start = Instant::now();
        let tree = Packed::build_until(Faces::of(&body.faces), threads, deadline)
            .map_err(|error| WriteError::Build { body: body.name.clone(), error })?;
        let facts = Facts::of_packed(&tree, start.elapsed().as_secs_f64());
        built.push((tree, facts));
    }
    let entries: Vec<Entry> = bodies
        .iter()
        .zip(&built)
        .map(|(body, (tree, facts))| Entry { name: &body.name, faces: &body.faces, tree, facts })
        .collect();
    write_stored_until(path, &entries, deadline).map(|_| ())
}
