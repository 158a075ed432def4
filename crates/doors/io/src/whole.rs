//! Small files of text, read as a whole.

use crate::error::{Place, Problem, ReadError};
use crate::watched::Watched;
use kontakt_schedule::Deadline;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A file as bytes, until a deadline.
pub(crate) fn read_whole(path: &Path, deadline: Deadline) -> Result<Vec<u8>, ReadError> {
    let read = || {
        let mut bytes = Vec::new();
        Watched::new(File::open(path)?, deadline).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error: io::Error| Problem::Io(error).at(Place::Whole).of(path.display().to_string()))
}
