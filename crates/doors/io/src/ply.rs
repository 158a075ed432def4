//! PLY: elements with named properties, as text or binary of either byte order.

mod header;
mod values;

use crate::error::{Fault, Problem};
use crate::input::{Input, Parsed, room};
use header::{Element, Header, Kind, Property};
use kontakt_math::DVec3;
use kontakt_shapes::memory::reserve;
use kontakt_shapes::{FaceList, FaceSet};
use values::Values;

/// Names under which files keep the corners of a face.
const CORNERS: [&str; 2] = ["vertex_indices", "vertex_index"];

pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    let size = input.size;
    let mut scanner = input.scanner();
    let Header { encoding, elements } = Header::read(&mut scanner)?;
    let mut values = Values::new(scanner, encoding);
    let mut vertices = None;
    let mut faces = FaceList::default();
    let mut parsed = Parsed::default();
    for element in &elements {
        match element.name.as_str() {
            "vertex" if vertices.is_some() => {
                return Err(Problem::malformed("two lists of vertices").into());
            }
            "vertex" => vertices = Some(read_vertices(element, &mut values, size)?),
            "face" => {
                if faces.is_empty() {
                    faces = FaceList::with_capacity(room(size, element.count, 7))?;
                }
                read_faces(element, &mut values, &mut faces)?;
            }
            "tristrips" => read_strips(element, &mut values, &mut faces)?,
            _ => {
                parsed.report.ignored_elements += element.count;
                skip_rows(element, &mut values)?;
            }
        }
    }
    values.expect_end()?;
    if faces.is_empty() {
        return Err(Problem::NoFaces.into());
    }
    faces.shrink_to_fit();
    parsed.objects.push((None, FaceSet::new(vertices.unwrap_or_default(), faces)?));
    Ok(parsed)
}

fn read_vertices(element: &Element, values: &mut Values<'_>, size: Option<u64>) -> Result<Vec<DVec3>, Fault> {
    let axis = |property: &Property| {
        let axis = ["x", "y", "z"].iter().position(|&name| name == property.name)?;
        matches!(property.kind, Kind::Scalar(_)).then_some(axis)
    };
    let axes: Vec<Option<usize>> = element.properties.iter().map(axis).collect();
    if let Some(name) = ["x", "y", "z"].iter().enumerate().find(|(i, _)| !axes.contains(&Some(*i))) {
        return Err(Problem::malformed(format!("vertices have no {}", name.1)).into());
    }
    let mut vertices = Vec::new();
    reserve(&mut vertices, room(size, element.count, element.least_bytes()))?;
    let columns = [0, 1, 2].map(|axis| axes.iter().position(|&found| found == Some(axis)).unwrap_or(0));
    let packed = values.packed_points(element, columns, |point| {
        reserve(&mut vertices, 1)?;
        vertices.push(DVec3::from(point));
        if point.iter().all(|coordinate| coordinate.is_finite()) { Ok(()) } else { Err(Problem::NotFinite) }
    })?;
    let rows = if packed { 0 } else { element.count };
    for row in 0..rows {
        let mut point = [0.0; 3];
        for (property, axis) in element.properties.iter().zip(&axes) {
            match (property.kind, axis) {
                (Kind::Scalar(kind), Some(axis)) => point[*axis] = values.finite(kind, element, row)?,
                _ => skip_property(property, values, element, row)?,
            }
        }
        reserve(&mut vertices, 1)?;
        vertices.push(DVec3::from(point));
    }
    Ok(vertices)
}

/// The property that lists corners; an element without rows need not have one.
fn corner_list(element: &Element) -> Result<Option<usize>, Fault> {
    let found = element.properties.iter().position(|property| {
        matches!(property.kind, Kind::List { item, .. } if item.is_whole())
            && CORNERS.contains(&property.name.as_str())
    });
    match found {
        None if element.count > 0 => {
            let what = format!("element {:?} has no list of whole numbers vertex_indices", element.name);
            Err(Problem::malformed(what).into())
        }
        found => Ok(found),
    }
}

fn read_faces(element: &Element, values: &mut Values<'_>, faces: &mut FaceList) -> Result<(), Fault> {
    let Some(list) = corner_list(element)? else { return Ok(()) };
    let mut corners = Vec::new();
    let mut row = 0;
    while row < element.count {
        row += values
            .packed_triangles(element, element.count - row, |triangle| Ok(faces.push_triangle(triangle)?))?;
        if row == element.count {
            break;
        }
        for (i, property) in element.properties.iter().enumerate() {
            let (true, Kind::List { count, item }) = (i == list, property.kind) else {
                skip_property(property, values, element, row)?;
                continue;
            };
            corners.clear();
            for _ in 0..values.length(count, element, row)? {
                let corner = values.index(item, element, row)?;
                reserve(&mut corners, 1)?;
                corners.push(corner);
            }
            if corners.is_empty() {
                return Err(Problem::malformed("a face without corners").at(values.place(element, row)));
            }
            faces.push(&corners)?;
        }
        row += 1;
    }
    Ok(())
}

/// Triangle strips in one list, separated by −1.
fn read_strips(element: &Element, values: &mut Values<'_>, faces: &mut FaceList) -> Result<(), Fault> {
    let Some(list) = corner_list(element)? else { return Ok(()) };
    for row in 0..element.count {
        for (i, property) in element.properties.iter().enumerate() {
            let (true, Kind::List { count, item }) = (i == list, property.kind) else {
                skip_property(property, values, element, row)?;
                continue;
            };
            let mut last: [Option<u32>; 2] = [None; 2];
            let mut flipped = false;
            for _ in 0..values.length(count, element, row)? {
                let Some(corner) = values.index_or_break(item, element, row)? else {
                    last = [None; 2];
                    flipped = false;
                    continue;
                };
                if let [Some(a), Some(b)] = last {
                    faces.push(&if flipped { [b, a, corner] } else { [a, b, corner] })?;
                    flipped = !flipped;
                }
                last = [last[1], Some(corner)];
            }
        }
    }
    Ok(())
}

fn skip_rows(element: &Element, values: &mut Values<'_>) -> Result<(), Fault> {
    // Rows without properties take no room in the file, so that nothing bounds their number.
    if element.properties.is_empty() {
        return Ok(());
    }
    for row in 0..element.count {
        for property in &element.properties {
            skip_property(property, values, element, row)?;
        }
    }
    Ok(())
}

fn skip_property(
    property: &Property,
    values: &mut Values<'_>,
    element: &Element,
    row: u64,
) -> Result<(), Fault> {
    match property.kind {
        Kind::Scalar(kind) => values.skip(kind, 1, element, row),
        Kind::List { count, item } => {
            let count = values.length(count, element, row)?;
            values.skip(item, count, element, row)
        }
    }
}
