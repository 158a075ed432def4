//! Several face sets as one.

use super::{FaceSet, FaceSetError, Polygons, small};

impl FaceSet {
    /// All parts in one set, one after the other: vertices, triangles, faces and source faces keep their order and count on.
    pub fn joined(parts: &[&FaceSet]) -> Result<FaceSet, FaceSetError> {
        let count = |of: fn(&FaceSet) -> usize| parts.iter().map(|part| of(part)).sum::<usize>();
        let triangle_count = count(|part| part.triangles.len());
        small("vertices", count(|part| part.vertices.len()))?;
        small("triangles", triangle_count.saturating_mul(3))?;
        small("faces", count(FaceSet::source_count))?;
        if triangle_count == 0 {
            return Err(FaceSetError::NoFaces);
        }
        let mut vertices = Vec::with_capacity(count(|part| part.vertices.len()));
        let mut triangles = Vec::with_capacity(triangle_count);
        let plain = parts.iter().all(|part| part.is_plain_triangles());
        let mut kept = Polygons::with_capacity(if plain { 0 } else { count(FaceSet::face_count) }, 0);
        let mut shifted = Vec::new();
        for part in parts {
            let shift = vertices.len() as u32;
            if !plain {
                let first = kept.sources.len() as u32;
                kept.apart
                    .extend(part.apart_faces().iter().map(|apart| apart.start + first..apart.end + first));
                for face in 0..part.face_count() {
                    shifted.clear();
                    shifted.extend(part.face(face).iter().map(|corner| corner + shift));
                    let source = kept.source_count as usize + part.source_of_face(face);
                    kept.push_face(&shifted, part.triangles_of_face(face).len(), source);
                }
                kept.source_count += part.source_count() as u32;
                kept.triangulated += part.triangulated_count() as u32;
                kept.rough += part.rough_count() as u32;
            }
            vertices.extend_from_slice(&part.vertices);
            triangles.extend(part.triangles.iter().map(|t| t.map(|corner| corner + shift)));
        }
        let polygons = (!plain).then(|| Box::new(kept));
        Ok(FaceSet { vertices, triangles, polygons })
    }
}
