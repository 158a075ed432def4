//! Cells as VTK numbers their kinds, into elements.

use crate::elements::Elements;
use crate::error::{Fault, Place, Problem};

/// Takes a cell of a kind; `number` counts from 0, corners are among the points read.
pub(crate) fn push(found: &mut Elements, kind: i64, number: u64, corners: &[u32]) -> Result<(), Fault> {
    let here = Place::Element("cell", number);
    let exactly = |count: usize| {
        if corners.len() == count {
            return Ok(());
        }
        let what = format!("a cell of kind {kind} with {} corners", corners.len());
        Err(Problem::WrongCount(what).at(here))
    };
    match (kind, corners) {
        (10, &[a, b, c, d]) => found.push_tetrahedron(number, [a, b, c, d]),
        (5, &[a, b, c]) => Ok(found.faces.push_triangle([a, b, c])?),
        // A pixel's corners go along rows.
        (8, &[a, b, c, d]) => Ok(found.faces.push(&[a, b, d, c])?),
        (9, &[_, _, _, _]) | (7, &[_, _, _, ..]) => Ok(found.faces.push(corners)?),
        (5, _) => exactly(3),
        (8..=10, _) => exactly(4),
        // A kind whose last digit is lost is none of these.
        (1, corners) if corners.len() != 1 => exactly(1),
        (3, corners) if corners.len() != 2 => exactly(2),
        (7, _) => Err(Problem::WrongCount(format!("a polygon with {} corners", corners.len())).at(here)),
        // Points and lines, also of second and third order.
        (0..=4 | 21 | 35, _) => {
            found.ignored += 1;
            Ok(())
        }
        _ => Err(Problem::Unsupported(other(kind)).at(here)),
    }
}

/// The name of a kind that is not read.
fn other(kind: i64) -> String {
    let name = match kind {
        6 => "a strip of triangles",
        11 => "a voxel",
        12 => "a hexahedron",
        13 => "a wedge",
        14 => "a pyramid",
        15 | 16 => "a prism",
        22 | 34 => "a triangle of second order",
        23 | 28 | 30 | 36 | 37 => "a polygon of second order",
        24 => "a tetrahedron of second order",
        25 | 29 | 33 => "a hexahedron of second order",
        26 | 31 | 32 => "a wedge of second order",
        27 => "a pyramid of second order",
        42 => "a polyhedron",
        _ => {
            return format!(
                "a cell of kind {kind}; triangles, quadrilaterals, polygons and tetrahedra are read"
            );
        }
    };
    format!("{name}; triangles, quadrilaterals, polygons and tetrahedra of first order are read")
}
