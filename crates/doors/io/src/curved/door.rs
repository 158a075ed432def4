//! From a path to a reader of whole files.

use super::body::CurvedFile;
use crate::error::{Fault, Problem, ReadError};
use crate::input::ReadOptions;
use crate::watched::Watched;
use kontakt_shapes::memory::reserve;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What makes bodies of bytes and the file's name.
pub(crate) type Parse = fn(&[u8], &str, &ReadOptions) -> Result<CurvedFile, Fault>;

/// Reads a file into memory and makes bodies of it.
pub(crate) fn read(path: &Path, options: &ReadOptions, parse: Parse) -> Result<CurvedFile, ReadError> {
    let shown = path.display().to_string();
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    let bytes = load(path, options);
    bytes.and_then(|bytes| parse(&bytes, &name, options)).map_err(|fault| fault.of(shown))
}

fn load(path: &Path, options: &ReadOptions) -> Result<Vec<u8>, Fault> {
    if path.is_dir() {
        return Err(Problem::Folder.into());
    }
    let file = File::open(path).map_err(Problem::Io)?;
    let about = file.metadata().map_err(Problem::Io)?;
    let mut bytes = Vec::new();
    if about.is_file() {
        reserve(&mut bytes, usize::try_from(about.len()).unwrap_or(usize::MAX))?;
    }
    Watched::new(file, options.deadline).read_to_end(&mut bytes).map_err(Problem::Io)?;
    Ok(bytes)
}
