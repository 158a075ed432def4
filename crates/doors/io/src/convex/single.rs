//! One convex shape in a file of its own.

use super::pairs::{line_of, text_of};
use super::shape::shape;
use crate::error::{Place, ReadError};
use crate::json::{Flaw, Reader, Tree};
use crate::watched;
use crate::whole::read_whole;
use kontakt_convex::Shape;
use kontakt_schedule::Deadline;
use std::path::Path;

/// Reads a file that holds one SHAPE as in lists of pairs, such as `{"box": {"half": [1, 1, 1]}}`.
pub fn read_convex_shape(path: &Path) -> Result<Shape, ReadError> {
    read_convex_shape_until(path, Deadline::NEVER)
}

/// The same until a deadline; small files are read in any case.
pub fn read_convex_shape_until(path: &Path, deadline: Deadline) -> Result<Shape, ReadError> {
    read_text(&read_whole(path, deadline)?, &path.display().to_string(), deadline)
}

/// The same from memory; `name` is what errors call the text.
pub fn read_convex_shape_bytes(bytes: &[u8], name: &str) -> Result<Shape, ReadError> {
    read_text(bytes, name, Deadline::NEVER)
}

fn read_text(bytes: &[u8], name: &str, deadline: Deadline) -> Result<Shape, ReadError> {
    let text = text_of(bytes, name)?;
    let stop = watched::unless_small(bytes, deadline);
    let read = || -> Result<Shape, Flaw> {
        let (mut reader, mut tree) = (Reader::new(text, stop), Tree::new(text));
        reader.value(&mut tree)?;
        reader.end()?;
        shape(&tree, Tree::ROOT, stop)
    };
    read().map_err(|flaw| ReadError {
        file: name.to_owned(),
        place: Place::Line(line_of(text.as_bytes(), flaw.at)),
        problem: flaw.problem,
    })
}
