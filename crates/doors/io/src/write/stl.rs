//! STL out.

use super::{WriteError, object_name, write_point};
use kontakt_math::DVec3;
use kontakt_shapes::Body;
use std::io::Write;

pub(super) fn write_text(out: &mut impl Write, bodies: &[Body]) -> Result<(), WriteError> {
    for body in bodies {
        let name = object_name(body);
        writeln!(out, "solid {name}")?;
        for triangle in 0..body.faces.triangles().len() {
            let points = body.faces.triangle_points(triangle);
            write_point(out, "facet normal ", normal(points))?;
            out.write_all(b"outer loop\n")?;
            for point in points {
                write_point(out, "vertex ", point)?;
            }
            out.write_all(b"endloop\nendfacet\n")?;
        }
        writeln!(out, "endsolid {name}")?;
    }
    Ok(())
}

pub(super) fn write_binary(out: &mut impl Write, bodies: &[Body]) -> Result<(), WriteError> {
    let count = bodies.iter().map(|body| body.faces.triangles().len()).sum();
    let small = u32::try_from(count).map_err(|_| WriteError::TooMany { what: "triangles", count })?;
    for body in bodies {
        let fits = |vertex: &DVec3| vertex.abs().max_element() <= f64::from(f32::MAX);
        if let Some(vertex) = body.faces.vertices().iter().position(|vertex| !fits(vertex)) {
            return Err(WriteError::OutOfRange { body: body.name.clone(), vertex });
        }
    }
    // Not starting with "solid", which readers take for text.
    let mut header = [0; 80];
    let title = b"binary STL written by kontakt";
    header[..title.len()].copy_from_slice(title);
    out.write_all(&header)?;
    out.write_all(&small.to_le_bytes())?;
    for body in bodies {
        for triangle in 0..body.faces.triangles().len() {
            let points = body.faces.triangle_points(triangle);
            let mut record = [0; 50];
            let numbers = [normal(points)].into_iter().chain(points).flat_map(|point| point.to_array());
            for (bytes, number) in record.chunks_exact_mut(4).zip(numbers) {
                bytes.copy_from_slice(&(number as f32).to_le_bytes());
            }
            out.write_all(&record)?;
        }
    }
    Ok(())
}

/// Unit normal, or zero for a triangle without area.
fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).normalize_or_zero().cross((c - a).normalize_or_zero()).normalize_or_zero()
}
