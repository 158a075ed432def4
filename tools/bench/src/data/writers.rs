//! Plain writers of binary PLY, binary STL and OBJ, and of raw points for the peers. Kept apart from the product's, so
//! that what is read was not written by the code under test.

use crate::data::bodies::Bodies;
use crate::data::scenes::{PlainMesh, PlainPose, Scene};
use crate::data::surfaces::Surface;
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Raw little-endian f64 x y z.
pub(crate) fn raw_points(path: &Path, points: &[[f64; 3]]) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for coordinate in points.iter().flatten() {
        file.write_all(&coordinate.to_le_bytes())?;
    }
    file.flush()
}

/// Two meshes and poses, as `peers/mesh_server.hpp` describes.
pub(crate) fn raw_scene(path: &Path, scene: &Scene) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let meshes = [&scene.a, &scene.b];
    let counts = meshes.iter().flat_map(|mesh| [mesh.vertices.len(), mesh.triangles.len()]);
    for count in counts.chain([scene.poses.len()]) {
        file.write_all(&(count as u64).to_le_bytes())?;
    }
    for PlainMesh { vertices, triangles } in meshes {
        for coordinate in vertices.iter().flatten() {
            file.write_all(&coordinate.to_le_bytes())?;
        }
        for corner in triangles.iter().flatten() {
            file.write_all(&corner.to_le_bytes())?;
        }
    }
    for pose in &scene.poses {
        for number in pose.translation.iter().chain(&pose.rotation) {
            file.write_all(&number.to_le_bytes())?;
        }
    }
    file.flush()
}

/// Convex bodies and queries, as `peers/convex_server.hpp` describes.
pub(crate) fn raw_bodies(path: &Path, bodies: &Bodies) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let count = |file: &mut BufWriter<File>, value: usize| file.write_all(&(value as u64).to_le_bytes());
    count(&mut file, bodies.kind as usize)?;
    count(&mut file, bodies.shapes.len())?;
    for PlainMesh { vertices, triangles } in &bodies.shapes {
        count(&mut file, vertices.len())?;
        count(&mut file, triangles.len())?;
        for coordinate in vertices.iter().flatten() {
            file.write_all(&coordinate.to_le_bytes())?;
        }
        for corner in triangles.iter().flatten() {
            file.write_all(&corner.to_le_bytes())?;
        }
    }
    count(&mut file, bodies.queries.len())?;
    for shape in bodies.queries.iter().flat_map(|query| query.shapes) {
        file.write_all(&(shape as u32).to_le_bytes())?;
    }
    for pose in bodies.queries.iter().flat_map(|query| &query.poses) {
        for number in pose.translation.iter().chain(&pose.rotation) {
            file.write_all(&number.to_le_bytes())?;
        }
    }
    file.flush()
}

/// Two shapes and motions between poses, as `peers/fcl_moving.cpp` describes.
pub(crate) fn raw_flights(
    path: &Path,
    kind: u64,
    shapes: &[PlainMesh; 2],
    motions: &[[[PlainPose; 2]; 2]],
) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(&kind.to_le_bytes())?;
    for PlainMesh { vertices, triangles } in shapes {
        for count in [vertices.len(), triangles.len()] {
            file.write_all(&(count as u64).to_le_bytes())?;
        }
        for coordinate in vertices.iter().flatten() {
            file.write_all(&coordinate.to_le_bytes())?;
        }
        for corner in triangles.iter().flatten() {
            file.write_all(&corner.to_le_bytes())?;
        }
    }
    file.write_all(&(motions.len() as u64).to_le_bytes())?;
    for pose in motions.as_flattened().as_flattened() {
        for number in pose.translation.iter().chain(&pose.rotation) {
            file.write_all(&number.to_le_bytes())?;
        }
    }
    file.flush()
}

/// Binary little-endian PLY.
pub(crate) fn ply(path: &Path, surface: &Surface) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write!(
        file,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\n\
         property float z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        surface.vertices.len(),
        surface.triangles.len()
    )?;
    for coordinate in surface.vertices.iter().flatten() {
        file.write_all(&coordinate.to_le_bytes())?;
    }
    for triangle in &surface.triangles {
        file.write_all(&[3])?;
        for corner in triangle {
            file.write_all(&corner.to_le_bytes())?;
        }
    }
    file.flush()
}

/// Binary STL; normals are left zero, as many exporters do.
pub(crate) fn stl(path: &Path, surface: &Surface) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(&[b' '; 80])?;
    file.write_all(&(surface.triangles.len() as u32).to_le_bytes())?;
    for triangle in &surface.triangles {
        file.write_all(&[0; 12])?;
        for corner in triangle {
            for coordinate in surface.vertices[*corner as usize] {
                file.write_all(&coordinate.to_le_bytes())?;
            }
        }
        file.write_all(&[0; 2])?;
    }
    file.flush()
}

/// OBJ with `v` and `f` lines, coordinates as short as they read back.
pub(crate) fn obj(path: &Path, surface: &Surface) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for [x, y, z] in &surface.vertices {
        writeln!(file, "v {x} {y} {z}")?;
    }
    for triangle in &surface.triangles {
        let [a, b, c] = triangle.map(|corner| corner + 1);
        writeln!(file, "f {a} {b} {c}")?;
    }
    file.flush()
}
