//! Volume, surface and diameter of the solid between slabs, to nearest, by clipping each face plane.

use super::extreme::Slabs;
use super::polygon;
use crate::bound::Measure;
use kontakt_math::{DVec2, DVec3};

/// A face plane unit · y = offset of the solid moved to its middle and scaled to unit size.
#[derive(Clone, Copy)]
struct Plane {
    unit: DVec3,
    offset: f64,
}

/// Sizes of the solid; infinite where the slabs leave space unbounded or their ends overflow.
pub(crate) fn measure(slabs: &Slabs) -> Measure {
    let bounded = slabs.set.bounds_space() && slabs.min.iter().chain(slabs.max).all(|end| end.is_finite());
    if !bounded {
        return Measure::INFINITE;
    }
    let ends = |d: DVec3| (slabs.farthest(-d), slabs.farthest(d));
    let [(x0, x1), (y0, y1), (z0, z1)] = [DVec3::X, DVec3::Y, DVec3::Z].map(ends);
    let (low, high) = (DVec3::new(x0.x, y0.y, z0.z), DVec3::new(x1.x, y1.y, z1.z));
    let middle = low * 0.5 + high * 0.5;
    let size = (high * 0.5 - low * 0.5).max_element();
    if !size.is_finite() {
        return Measure::INFINITE;
    }
    if size <= 0.0 {
        return Measure::default();
    }
    let planes = face_planes(slabs, middle, size);
    let mut vertices: Vec<DVec3> = slabs
        .set
        .directions()
        .iter()
        .flat_map(|d| [slabs.farthest(*d), slabs.farthest(-*d)])
        .map(|p| (p - middle) / size)
        .collect();
    let (mut volume, mut surface) = (0.0, 0.0);
    for (index, plane) in planes.iter().enumerate() {
        let (across, along) = plane.unit.any_orthonormal_pair();
        let foot = plane.unit * plane.offset;
        let face = clipped_face(&planes, index, across, along);
        let area = polygon::area(&face);
        surface += area;
        volume += area * plane.offset / 3.0;
        vertices.extend(face.iter().map(|q| foot + across * q.x + along * q.y));
    }
    let mut squared = 0.0_f64;
    for (i, p) in vertices.iter().enumerate() {
        squared = vertices[..i].iter().map(|q| p.distance_squared(*q)).fold(squared, f64::max);
    }
    // Factor by factor, so that 0 stays 0 where size³ overflows.
    Measure {
        volume: volume.max(0.0) * size * size * size,
        surface: surface * size * size,
        diameter: squared.sqrt() * size,
    }
}

fn face_planes(slabs: &Slabs, middle: DVec3, size: f64) -> Vec<Plane> {
    let mut planes = Vec::with_capacity(2 * slabs.set.len());
    for ((n, min), max) in slabs.set.directions().iter().zip(slabs.min).zip(slabs.max) {
        let (unit, length, at) = (n.normalize(), n.length(), n.dot(middle));
        planes.push(Plane { unit, offset: (max - at) / (length * size) });
        planes.push(Plane { unit: -unit, offset: (at - min) / (length * size) });
    }
    planes
}

/// The face in the plane's own coordinates: a square larger than the solid, cut by all planes but its pair.
fn clipped_face(planes: &[Plane], index: usize, across: DVec3, along: DVec3) -> Vec<DVec2> {
    let plane = planes[index];
    let mut face: Vec<DVec2> =
        [(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)].map(|(x, y)| DVec2::new(x, y)).to_vec();
    for (other, cut) in planes.iter().enumerate() {
        if other / 2 == index / 2 || face.is_empty() {
            continue;
        }
        let normal = DVec2::new(cut.unit.dot(across), cut.unit.dot(along));
        let offset = cut.offset - plane.offset * cut.unit.dot(plane.unit);
        face = polygon::cut_by_line(&face, normal, offset);
    }
    face
}
