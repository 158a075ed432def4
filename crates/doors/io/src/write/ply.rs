//! PLY out, with doubles.

use super::{WriteError, write_point};
use kontakt_shapes::{Body, FaceSet};
use std::io::Write;

pub(super) fn write(out: &mut impl Write, bodies: &[Body], text: bool) -> Result<(), WriteError> {
    let sum = |count: fn(&FaceSet) -> usize| bodies.iter().map(|body| count(&body.faces)).sum::<usize>();
    let (vertices, faces) = (sum(|faces| faces.vertices().len()), sum(FaceSet::face_count));
    if u32::try_from(vertices).is_err() {
        return Err(WriteError::TooMany { what: "vertices", count: vertices });
    }
    // Lists are counted in one byte where that is enough, which more readers understand.
    let longest = (bodies.iter())
        .flat_map(|body| (0..body.faces.face_count()).map(|face| body.faces.face(face).len()))
        .max()
        .unwrap_or(0);
    let wide = longest > usize::from(u8::MAX);
    let encoding = if text { "ascii" } else { "binary_little_endian" };
    let count = if wide { "uint" } else { "uchar" };
    write!(
        out,
        "ply\nformat {encoding} 1.0\ncomment written by kontakt\nelement vertex {vertices}\n\
         property double x\nproperty double y\nproperty double z\n\
         element face {faces}\nproperty list {count} uint vertex_indices\nend_header\n"
    )?;
    for point in bodies.iter().flat_map(|body| body.faces.vertices()) {
        if text {
            write_point(out, "", *point)?;
        } else {
            for number in point.to_array() {
                out.write_all(&number.to_le_bytes())?;
            }
        }
    }
    let mut first = 0;
    for body in bodies {
        for face in 0..body.faces.face_count() {
            write_face(out, body.faces.face(face), first, text, wide)?;
        }
        first += body.faces.vertices().len() as u32;
    }
    Ok(())
}

fn write_face(
    out: &mut impl Write,
    corners: &[u32],
    first: u32,
    text: bool,
    wide: bool,
) -> std::io::Result<()> {
    if text {
        write!(out, "{}", corners.len())?;
        for corner in corners {
            write!(out, " {}", first + corner)?;
        }
        return out.write_all(b"\n");
    }
    if wide {
        out.write_all(&(corners.len() as u32).to_le_bytes())?;
    } else {
        out.write_all(&[corners.len() as u8])?;
    }
    for corner in corners {
        out.write_all(&(first + corner).to_le_bytes())?;
    }
    Ok(())
}
