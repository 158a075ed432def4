//! Reading mesh files.

use crate::data::scenes::PlainMesh;
use kontakt::io::{ReadOptions, read};
use kontakt::math::DVec3;
use std::path::Path;

/// How large a mesh that was read is.
pub(crate) struct ReadMesh {
    /// Vertices of all bodies.
    pub(crate) vertices: usize,
    /// Triangles of all bodies.
    pub(crate) faces: usize,
    /// What the mesh itself needs: 24 bytes a vertex and 12 a triangle, without room to spare.
    pub(crate) bytes: u64,
}

/// Reads all bodies of a file.
pub(crate) fn read_mesh(path: &Path) -> Result<ReadMesh, String> {
    let loaded = read(path, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let vertices = loaded.bodies.iter().map(|body| body.faces.vertices().len()).sum();
    let faces = loaded.bodies.iter().map(|body| body.faces.triangles().len()).sum();
    Ok(ReadMesh { vertices, faces, bytes: (24 * vertices + 12 * faces) as u64 })
}

/// The vertices of all bodies of a file.
pub(crate) fn read_points(path: &Path) -> Result<Vec<[f64; 3]>, String> {
    let loaded = read(path, &ReadOptions::default()).map_err(|error| error.to_string())?;
    Ok(loaded.bodies.iter().flat_map(|body| body.faces.vertices()).map(DVec3::to_array).collect())
}

/// All bodies of a file as one mesh.
pub(crate) fn plain_mesh(path: &Path) -> Result<PlainMesh, String> {
    let loaded = read(path, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let mut whole = PlainMesh::default();
    for body in &loaded.bodies {
        let first = whole.vertices.len() as u32;
        let part = PlainMesh::of(&body.faces);
        whole.vertices.extend(part.vertices);
        whole.triangles.extend(part.triangles.iter().map(|corners| corners.map(|corner| first + corner)));
    }
    Ok(whole)
}
