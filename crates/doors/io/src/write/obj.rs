//! OBJ out.

use super::{WriteError, object_name, write_point};
use crate::names::object_part;
use kontakt_shapes::Body;
use std::io::Write;

pub(super) fn write(out: &mut impl Write, bodies: &[Body]) -> Result<(), WriteError> {
    let mut first = 1;
    for body in bodies {
        // A single body without object name stays what it is: the whole file.
        if bodies.len() > 1 || !object_part(&body.name).is_empty() {
            writeln!(out, "o {}", object_name(body))?;
        }
        for &vertex in body.faces.vertices() {
            write_point(out, "v ", vertex)?;
        }
        for face in 0..body.faces.face_count() {
            out.write_all(b"f")?;
            for &corner in body.faces.face(face) {
                write!(out, " {}", first + corner as usize)?;
            }
            out.write_all(b"\n")?;
        }
        first += body.faces.vertices().len();
    }
    Ok(())
}
