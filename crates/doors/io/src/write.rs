//! From bodies to a file.

mod array;
mod losses;
mod msh;
mod obj;
mod ply;
mod series;
mod stl;
mod vtk;
mod vtu;
mod xml;

use crate::atomic::write_atomically;
use crate::names::object_part;
pub use crate::write_error::WriteError;
use crate::{Format, kh};
use kontakt_schedule::Deadline;
use kontakt_shapes::Body;
use std::io::Write;
use std::path::Path;

pub use losses::Losses;
pub use msh::{MshOptions, MshVersion, write_msh};
pub use series::{Series, write_pvd, write_pvtu};
pub use vtk::write_vtk;
pub use vtu::{Encoding, VtuOptions, write_vtu};

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// STL and PLY as text instead of binary. OBJ is always text.
    pub text: bool,
    /// When to give up.
    pub deadline: Deadline,
}

/// Writes bodies in the format that the ending names, and says what the format could not keep. OBJ and PLY keep every double
/// exactly, text STL too; binary STL rounds to 32-bit floats. OBJ keeps bodies apart as objects, text STL as solids; PLY and
/// binary STL join them. STL has triangles only. A saved hierarchy (.kh) keeps everything and is built on the way.
pub fn write(path: &Path, bodies: &[Body], options: &WriteOptions) -> Result<Losses, WriteError> {
    if bodies.is_empty() {
        return Err(WriteError::NoBodies);
    }
    let format = Format::of(path);
    if format == Some(Format::Kh) {
        return kh::write_built(path, bodies, options.deadline).map(|()| Losses::default());
    }
    if !matches!(format, Some(Format::Obj | Format::Stl | Format::Ply)) {
        return Err(WriteError::UnknownFormat);
    }
    write_atomically(path, options.deadline, |out| match format {
        Some(Format::Stl) if options.text => stl::write_text(out, bodies),
        Some(Format::Stl) => stl::write_binary(out, bodies),
        Some(Format::Ply) => ply::write(out, bodies, options.text),
        _ => obj::write(out, bodies),
    })?;
    Ok(match format {
        Some(Format::Stl) => Losses::of_stl(bodies, options.text),
        Some(Format::Ply) => Losses::of_ply(bodies),
        _ => Losses::of_obj(bodies),
    })
}

/// The object's part of a body's name on one line; a backslash at its end would continue the line in OBJ.
fn object_name(body: &Body) -> String {
    let object = object_part(&body.name);
    let name = if object.is_empty() { body.name.as_str() } else { object };
    name.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect::<String>()
        .trim()
        .trim_end_matches(|letter: char| letter == '\\' || letter.is_whitespace())
        .to_owned()
}

/// One line of text with a point: the shortest digits that give the same doubles when read back.
fn write_point(out: &mut impl Write, keyword: &str, point: kontakt_math::DVec3) -> std::io::Result<()> {
    writeln!(out, "{keyword}{:?} {:?} {:?}", point.x, point.y, point.z)
}
