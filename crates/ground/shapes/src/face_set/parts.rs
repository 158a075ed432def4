//! The lists a face set is made of, for saving it and putting it together again.

use super::{FaceSet, FaceSetError, Polygons};
use crate::polygon::{Shape, Triangulator, are_apart};
use kontakt_math::DVec3;

/// The polygons of a face set whose faces are not all plain triangles.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PolygonParts {
    /// Face `f` has the corners `corners[starts[f]..starts[f + 1]]`.
    pub starts: Vec<u32>,
    /// Vertices of all faces.
    pub corners: Vec<u32>,
    /// Face of the source that face `f` comes from; never falling.
    pub sources: Vec<u32>,
    /// How many faces the source had.
    pub source_count: u32,
    /// How many of them were cut into triangles.
    pub triangulated: u32,
    /// How many of these had no clean cut.
    pub rough: u32,
}

impl FaceSet {
    /// The polygons, or `None` when face = triangle = source face throughout.
    pub fn polygon_parts(&self) -> Option<PolygonParts> {
        let polygons = self.polygons.as_deref()?;
        Some(PolygonParts {
            starts: polygons.starts.clone(),
            corners: polygons.corners.clone(),
            sources: polygons.sources.clone(),
            source_count: polygons.source_count,
            triangulated: polygons.triangulated,
            rough: polygons.rough,
        })
    }

    /// Puts a face set together again. Everything that [`FaceSet`] promises is checked anew: coordinates, indices, that
    /// every polygon is exactly planar and convex, and that its triangles are the ones it is cut into.
    pub fn from_parts(
        vertices: Vec<DVec3>,
        triangles: Vec<[u32; 3]>,
        polygons: Option<PolygonParts>,
    ) -> Result<FaceSet, FaceSetError> {
        let mut faces = FaceSet::from_triangles(vertices, triangles)?;
        if let Some(parts) = polygons {
            faces.polygons = Some(Box::new(checked(&faces, &parts)?));
        }
        Ok(faces)
    }
}

fn checked(faces: &FaceSet, parts: &PolygonParts) -> Result<Polygons, FaceSetError> {
    let wrong = |what| Err(FaceSetError::Inconsistent { what });
    let count = parts.sources.len();
    if parts.starts.len() != count + 1 || parts.starts[0] != 0 {
        return wrong("faces, their corners and their sources are not equally many");
    }
    if parts.starts[count] as usize != parts.corners.len() || !parts.starts.is_sorted() {
        return wrong("the faces do not share out the corners");
    }
    let in_range = parts.sources.last().is_none_or(|&last| last < parts.source_count);
    if !parts.sources.is_sorted() || !in_range {
        return wrong("the source faces are not in order");
    }
    if parts.rough > parts.triangulated || parts.triangulated > parts.source_count {
        return wrong("more faces were cut than there are");
    }
    let mut kept = Polygons::with_capacity(count + 1, parts.corners.len());
    let mut triangulator = Triangulator::default();
    let mut triangles = faces.triangles.as_slice();
    for (face, &source) in parts.sources.iter().enumerate() {
        let corners = &parts.corners[parts.starts[face] as usize..parts.starts[face + 1] as usize];
        if corners.is_empty() {
            return Err(FaceSetError::NoCorners { face });
        }
        if let Some(&index) = corners.iter().find(|&&i| i as usize >= faces.vertices.len()) {
            return Err(FaceSetError::IndexOutOfRange { face, index, vertices: faces.vertices.len() });
        }
        let shape = triangulator.cut(&faces.vertices, corners);
        let cut = triangulator.triangles();
        let own = triangles.get(..cut.len());
        if !matches!(shape, Shape::Convex) || triangulator.corners() != corners || own != Some(cut) {
            return wrong("a face is not planar and convex, or its triangles are others");
        }
        triangles = &triangles[cut.len()..];
        kept.push_face(corners, cut.len(), source as usize);
    }
    if !triangles.is_empty() {
        return wrong("there are triangles without a face");
    }
    let mut next = 0;
    for same in parts.sources.chunk_by(|p, q| p == q) {
        let first = next;
        next += same.len();
        let own = kept.triangle_starts[first] as usize..kept.triangle_starts[first + same.len()] as usize;
        // Faces of one source that are triangles were cut from it; how long it was is not saved, nor what was known of them.
        if own.len() == same.len() && are_apart(&faces.vertices, &faces.triangles[own]) {
            kept.apart.push(first as u32..(first + same.len()) as u32);
        }
    }
    kept.source_count = parts.source_count;
    kept.triangulated = parts.triangulated;
    kept.rough = parts.rough;
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FaceList;

    /// A flat quadrilateral, a bent one (which is cut) and a triangle.
    fn mixed() -> FaceSet {
        let points = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 2.], [2., 2., 1.]];
        let mut list = FaceList::default();
        for face in [&[0, 1, 2, 3][..], &[0, 1, 5, 4], &[2, 3, 4]] {
            list.push(face).unwrap();
        }
        FaceSet::new(points.map(DVec3::from_array).to_vec(), list).unwrap()
    }

    #[test]
    fn parts_make_the_same_face_set() {
        let faces = mixed();
        let parts = faces.polygon_parts();
        assert!(parts.is_some());
        let again = FaceSet::from_parts(faces.vertices().to_vec(), faces.triangles().to_vec(), parts);
        assert_eq!(again, Ok(faces));
    }

    #[test]
    fn triangles_of_a_long_face_are_known_to_be_apart_again() {
        let mut points: Vec<DVec3> = (0..400)
            .map(|k| {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 400.0).sin_cos();
                let r = if k % 2 == 0 { 1.0 } else { 0.5 };
                DVec3::new(r * cos, r * sin, r * r * cos * sin)
            })
            .collect();
        points.push(DVec3::Z);
        let mut list = FaceList::default();
        list.push(&[0, 1, 400]).unwrap();
        list.push(&(0..400).collect::<Vec<_>>()).unwrap();
        let faces = FaceSet::new(points, list).unwrap();
        assert_eq!(faces.apart_faces(), std::slice::from_ref(&(1..399)));
        let (vertices, triangles) = (faces.vertices().to_vec(), faces.triangles().to_vec());
        assert_eq!(FaceSet::from_parts(vertices, triangles, faces.polygon_parts()), Ok(faces));
    }

    #[test]
    fn every_changed_number_is_noticed_or_keeps_the_promises() {
        let faces = mixed();
        let parts = faces.polygon_parts().unwrap();
        let lengths = [parts.starts.len(), parts.corners.len(), parts.sources.len()];
        let mut refused = 0;
        for (list, length) in lengths.into_iter().enumerate() {
            for place in 0..length {
                for value in [0, 1, 2, 3, 7, u32::MAX] {
                    let mut changed = parts.clone();
                    match list {
                        0 => changed.starts[place] = value,
                        1 => changed.corners[place] = value,
                        _ => changed.sources[place] = value,
                    }
                    let same = changed == parts;
                    let made = FaceSet::from_parts(
                        faces.vertices().to_vec(),
                        faces.triangles().to_vec(),
                        Some(changed),
                    );
                    assert!(!same || made.as_ref() == Ok(&faces));
                    refused += usize::from(made.is_err());
                }
            }
        }
        assert!(refused > 50, "{refused}");
    }
}
