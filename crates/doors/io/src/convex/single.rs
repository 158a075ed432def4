//! One convex shape in a file of its own.

use super::pairs::{line_of, text_of};
use super::shape::shape;
use crate::error::{Place, Problem, ReadError};
use crate::json::{Flaw, Reader, Tree};
use kontakt_convex::Shape;
use std::path::Path;

/// Reads a file that holds one SHAPE as in lists of pairs, such as `{"box": {"half": [1, 1, 1]}}`.
pub fn read_convex_shape(path: &Path) -> Result<Shape, ReadError> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => read_convex_shape_bytes(&bytes, &name),
        Err(error) => Err(ReadError { file: name, place: Place::Whole, problem: Problem::Io(error) }),
    }
}

/// The same from memory; `name` is what errors call the text.
pub fn read_convex_shape_bytes(bytes: &[u8], name: &str) -> Result<Shape, ReadError> {
    let text = text_of(bytes, name)?;
    let read = |text: &str| -> Result<Shape, Flaw> {
        let (mut reader, mut tree) = (Reader::new(text), Tree::new(text));
        reader.value(&mut tree)?;
        reader.end()?;
        shape(&tree, Tree::ROOT)
    };
    read(text).map_err(|flaw| ReadError {
        file: name.to_owned(),
        place: Place::Line(line_of(text.as_bytes(), flaw.at)),
        problem: Problem::Malformed(flaw.what),
    })
}
