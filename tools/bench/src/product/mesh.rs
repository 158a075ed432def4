//! Questions between two meshes, and building their hierarchies.

use crate::clock::{timed, wall_timed};
use crate::data::scenes::{PlainMesh, Scene};
use crate::product::vectors;
use kontakt::bounds::hausdorff::{HausdorffLimit, directed_hausdorff};
use kontakt::bounds::{Aabb, Bound};
use kontakt::io::{ReadError, read_stored, write_stored};
use kontakt::math::{DQuat, DVec3, Pose};
use kontakt::shapes::FaceSet;
use kontakt_hierarchy::store::{Entry, Facts};
use kontakt_hierarchy::{Faces, Packed, PackedFaces};
use kontakt_mesh::{Mesh, MeshQuery, PlacedMesh};
use std::path::Path;

/// Both meshes with their hierarchies, and the poses of B.
pub(crate) struct Meshes {
    a: Mesh,
    b: Mesh,
    poses: Vec<Pose>,
}

/// The faces as kontakt takes them.
pub(crate) fn faces(mesh: &PlainMesh) -> Result<FaceSet, String> {
    FaceSet::from_triangles(vectors(&mesh.vertices), mesh.triangles.clone())
        .map_err(|error| error.to_string())
}

impl Meshes {
    /// Builds both hierarchies with one thread.
    pub(crate) fn of(scene: &Scene) -> Result<Meshes, String> {
        let mesh = |plain| Mesh::with_threads(faces(plain)?, 1).map_err(|error| error.to_string());
        let mut poses = Vec::with_capacity(scene.poses.len());
        for pose in &scene.poses {
            let rotation = DQuat::from_array(pose.rotation);
            let pose = Pose::new(rotation, DVec3::from_array(pose.translation));
            poses.push(pose.map_err(|error| error.to_string())?);
        }
        Ok(Meshes { a: mesh(&scene.a)?, b: mesh(&scene.b)?, poses })
    }

    /// Asks at all poses; seconds a query.
    fn ask<T>(&self, mut question: impl FnMut(&mut MeshQuery, PlacedMesh, PlacedMesh) -> T) -> (f64, Vec<T>) {
        let mut asker = MeshQuery::default();
        let a = PlacedMesh::at_rest(&self.a);
        let (seconds, answers) = timed(|| {
            self.poses.iter().map(|&pose| question(&mut asker, a, PlacedMesh::new(&self.b, pose))).collect()
        });
        (seconds / self.poses.len() as f64, answers)
    }

    /// Any contact at each pose; seconds a query.
    pub(crate) fn contact(&self) -> (f64, Vec<bool>) {
        self.ask(|asker, a, b| asker.any_contact(a, b).is_some())
    }

    /// All pairs at each pose; seconds a query.
    pub(crate) fn pairs(&self) -> (f64, Vec<Vec<[u32; 2]>>) {
        self.ask(|asker, a, b| asker.all_pairs(a, b).iter().map(|pair| [pair.a, pair.b]).collect())
    }

    /// Middle of the certified bounds of the distance at each pose, NaN where they are wider than
    /// `width` × (size + distance); seconds a query.
    pub(crate) fn distance(&self, width: f64, size: f64) -> (f64, Vec<f64>) {
        let (seconds, ranges) = self.ask(|asker, a, b| asker.distance(a, b).range);
        let middle = |range: kontakt::answers::Range| {
            if range.width() <= width * (size + range.hi()) {
                range.lo().midpoint(range.hi())
            } else {
                f64::NAN
            }
        };
        (seconds, ranges.into_iter().map(middle).collect())
    }
}

/// Builds the default hierarchy; CPU seconds, seconds on the wall, bytes.
pub(crate) fn build(faces: &FaceSet, threads: usize) -> Result<(f64, f64, usize), String> {
    let (wall, (cpu, tree)) = wall_timed(|| timed(|| Packed::build(Faces::of(faces), threads)));
    Ok((cpu, wall, tree.map_err(|error| error.to_string())?.heap_bytes()))
}

/// Builds the default hierarchy and saves it; returns the file's length.
pub(crate) fn save(mesh: &PlainMesh, file: &Path) -> Result<u64, String> {
    let faces = faces(mesh)?;
    let tree = Packed::build(Faces::of(&faces), 1).map_err(|error| error.to_string())?;
    let facts = Facts::of_packed(&tree, 0.0);
    let entry = Entry { name: "body", faces: &faces, tree: &tree, facts: &facts };
    write_stored(file, &[entry]).map_err(|error| error.to_string())
}

/// Loads a saved hierarchy as a mesh; CPU seconds and triangles.
pub(crate) fn load(file: &Path) -> Result<(f64, usize), String> {
    let (seconds, bodies) = timed(|| {
        let bodies = read_stored(file)?;
        Ok::<Vec<Mesh>, ReadError>(bodies.into_iter().map(|(_, stored)| Mesh::from_stored(stored)).collect())
    });
    let bodies = bodies.map_err(|error| error.to_string())?;
    Ok((seconds, bodies.iter().map(|mesh| mesh.faces().triangles().len()).sum()))
}

/// Directed Hausdorff distance from the box along the axes to the faces, to the relative gap; CPU seconds and bounds.
pub(crate) fn hausdorff(faces: &FaceSet, tree: &Packed, relative: f64) -> Result<(f64, [f64; 2]), String> {
    let around = Aabb::fit(faces.vertices()).map_err(|error| error.to_string())?;
    let limit = HausdorffLimit { absolute: 0.0, relative, max_cells: 100_000_000 };
    let (seconds, found) =
        timed(|| directed_hausdorff(&around, &PackedFaces { tree, faces: Faces::of(faces) }, limit));
    let found = found.map_err(|error| error.to_string())?;
    Ok((seconds, [found.lower, found.upper]))
}
