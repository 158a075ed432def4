//! What a format could not keep.

use super::object_name;
use crate::names::object_part;
use kontakt_math::DVec3;
use kontakt_shapes::point_index::PointIndex;
use kontakt_shapes::topology::has_area;
use kontakt_shapes::{Body, FaceSet};

/// Everything that reading the file again will not bring back; all zero when nothing is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Coordinates that are no 32-bit floats and were rounded (binary STL).
    pub rounded_coordinates: u64,
    /// Vertices that are at the place of another one in the file, and one with it when that is read (STL).
    pub merged_vertices: u64,
    /// Triangles that had an area and have none after rounding (binary STL).
    pub collapsed_triangles: u64,
    /// Vertices that no face uses (STL).
    pub dropped_vertices: u64,
    /// Faces of more than three corners that were cut (STL).
    pub cut_polygons: u64,
    /// Bodies that became one (PLY, binary STL): how many there were, if more than one.
    pub joined_bodies: u64,
    /// Names that the format has no place for (PLY, binary STL).
    pub dropped_names: u64,
    /// Names that had to be changed, as they are no single line.
    pub changed_names: u64,
}

impl Losses {
    /// OBJ keeps vertices, polygons and bodies.
    pub(super) fn of_obj(bodies: &[Body]) -> Losses {
        Losses { changed_names: changed_names(bodies), ..Losses::default() }
    }

    /// PLY keeps vertices and polygons.
    pub(super) fn of_ply(bodies: &[Body]) -> Losses {
        Losses { joined_bodies: joined(bodies), dropped_names: names(bodies), ..Losses::default() }
    }

    /// STL is a soup of triangles, in doubles only as text, and several solids only as text.
    pub(super) fn of_stl(bodies: &[Body], text: bool) -> Losses {
        let mut losses = Losses { cut_polygons: bodies.iter().map(cut_polygons).sum(), ..Losses::default() };
        if text {
            losses.changed_names = changed_names(bodies);
            for body in bodies {
                losses.weld(&[&body.faces], |vertex| vertex);
            }
            return losses;
        }
        let all: Vec<&FaceSet> = bodies.iter().map(|body| &body.faces).collect();
        let numbers = || all.iter().flat_map(|faces| faces.vertices()).flat_map(DVec3::to_array);
        losses.rounded_coordinates = numbers().filter(|&x| single(x) != x).count() as u64;
        losses.weld(&all, |vertex| DVec3::from_array(vertex.to_array().map(single)));
        if losses.rounded_coordinates > 0 {
            losses.collapsed_triangles = all.iter().map(|faces| collapsed_triangles(faces)).sum();
        }
        losses.joined_bodies = joined(bodies);
        losses.dropped_names = names(bodies);
        losses
    }

    /// Counts vertices that a reader finds at one place, and those it never sees.
    fn weld(&mut self, solid: &[&FaceSet], written: impl Fn(DVec3) -> DVec3) {
        let mut places = Vec::new();
        let mut index = PointIndex::default();
        let mut used = Vec::new();
        for faces in solid {
            used.clear();
            used.resize(faces.vertices().len(), false);
            for &corner in faces.triangles().as_flattened() {
                used[corner as usize] = true;
            }
            for (&vertex, &used) in faces.vertices().iter().zip(&used) {
                if !used {
                    self.dropped_vertices += 1;
                    continue;
                }
                let (place, new) = (written(vertex), places.len() as u32);
                if index.find_or_enter(&places, place, new) == new {
                    places.push(place);
                } else {
                    self.merged_vertices += 1;
                }
            }
        }
    }
}

/// The nearest 32-bit float.
fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

fn collapsed_triangles(faces: &FaceSet) -> u64 {
    let rounded = |p: DVec3| DVec3::from_array(p.to_array().map(single));
    let collapses = |&triangle: &usize| {
        let points = faces.triangle_points(triangle);
        !has_area(points.map(rounded)) && has_area(points)
    };
    (0..faces.triangles().len()).filter(collapses).count() as u64
}

fn cut_polygons(body: &Body) -> u64 {
    if body.faces.is_plain_triangles() {
        return 0;
    }
    (0..body.faces.face_count()).filter(|&face| body.faces.face(face).len() > 3).count() as u64
}

fn joined(bodies: &[Body]) -> u64 {
    if bodies.len() > 1 { bodies.len() as u64 } else { 0 }
}

fn names(bodies: &[Body]) -> u64 {
    bodies.iter().filter(|body| !object_part(&body.name).is_empty()).count() as u64
}

fn changed_names(bodies: &[Body]) -> u64 {
    let changes = |body: &&Body| {
        let object = object_part(&body.name);
        !object.is_empty() && object_name(body) != object
    };
    bodies.iter().filter(changes).count() as u64
}
