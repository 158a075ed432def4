//! A body ready for queries: its faces and their hierarchy, and what is found out about it once.

mod around;
mod convex_parts;
mod near;
mod pieces;
mod solid;

pub(crate) use convex_parts::{Outline, Part};
pub(crate) use pieces::untouched_pieces;
pub(crate) use solid::Solid;

use kontakt_hierarchy::store::Stored;
use kontakt_hierarchy::{BuildError, Faces, Flaw, Packed};
use kontakt_math::Pose;
use kontakt_schedule::{Deadline, Expired};
use kontakt_shapes::FaceSet;
use kontakt_shapes::memory::{OutOfMemory, probe};
use std::sync::OnceLock;
use thiserror::Error;

/// About what building a hierarchy takes at its peak.
const BYTES_A_TRIANGLE: usize = 192;

/// Why faces do not make a mesh.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MeshError {
    /// The hierarchy would not fit into memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// No hierarchy can be built on the faces.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The hierarchy given is not one of these faces.
    #[error("the hierarchy does not belong to the faces: {0}")]
    Foreign(#[from] Flaw),
}

/// Faces and their packed hierarchy. Built once, shared by all queries.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(crate) faces: FaceSet,
    pub(crate) tree: Packed,
    /// What makes it a solid, found out when first asked for.
    solid: OnceLock<Solid>,
}

impl Mesh {
    /// Builds the default hierarchy of the faces with all threads of the machine.
    pub fn new(faces: FaceSet) -> Result<Mesh, MeshError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Mesh::with_threads(faces, threads)
    }

    /// Builds the default hierarchy of the faces with that many threads; the result does not depend on them.
    pub fn with_threads(faces: FaceSet, threads: usize) -> Result<Mesh, MeshError> {
        Mesh::with_threads_until(faces, threads, Deadline::NEVER)
    }

    /// The same, given up at a deadline. Small bodies are built in any case.
    pub fn with_threads_until(faces: FaceSet, threads: usize, deadline: Deadline) -> Result<Mesh, MeshError> {
        probe(faces.triangles().len().saturating_mul(BYTES_A_TRIANGLE))?;
        let tree = Packed::build_until(Faces::of(&faces), threads, deadline)?;
        Ok(Mesh { faces, tree, solid: OnceLock::new() })
    }

    /// Takes over a hierarchy made elsewhere, after checking every claim of it against the faces.
    pub fn from_parts(faces: FaceSet, tree: Packed) -> Result<Mesh, MeshError> {
        tree.validate(Faces::of(&faces))?;
        Ok(Mesh { faces, tree, solid: OnceLock::new() })
    }

    /// Takes over a body read from a file of saved hierarchies, whose reader has checked all but that boxes enclose their
    /// triangles; for that the file's checksum stands.
    pub fn from_stored(stored: Stored) -> Mesh {
        let (_, faces, tree, _) = stored.into_parts();
        Mesh { faces, tree, solid: OnceLock::new() }
    }

    /// The faces, in the body's frame.
    pub fn faces(&self) -> &FaceSet {
        &self.faces
    }

    /// The hierarchy.
    pub fn tree(&self) -> &Packed {
        &self.tree
    }

    /// Whether every edge has an even number of faces, all or those with an area, vertices at one place counting as one: inside and outside are
    /// defined then.
    pub fn is_closed(&self) -> bool {
        self.solid().closed
    }

    pub(crate) fn solid(&self) -> &Solid {
        self.solid.get_or_init(|| Solid::of(&self.faces))
    }

    /// The same, given up at a deadline.
    pub(crate) fn solid_until(&self, deadline: Deadline) -> Result<&Solid, Expired> {
        if let Some(solid) = self.solid.get() {
            return Ok(solid);
        }
        let made = Solid::in_steps(&self.faces, || deadline.check())?;
        Ok(self.solid.get_or_init(|| made))
    }
}

/// A mesh at a place in the world.
#[derive(Clone, Copy, Debug)]
pub struct PlacedMesh<'a> {
    /// The body.
    pub mesh: &'a Mesh,
    /// World from body.
    pub pose: Pose,
}

impl<'a> PlacedMesh<'a> {
    /// A mesh at a pose.
    pub fn new(mesh: &'a Mesh, pose: Pose) -> PlacedMesh<'a> {
        PlacedMesh { mesh, pose }
    }

    /// A mesh whose frame is the world's.
    pub fn at_rest(mesh: &'a Mesh) -> PlacedMesh<'a> {
        PlacedMesh { mesh, pose: Pose::IDENTITY }
    }

    /// Whether the balls around two bodies prove that they have no common point; quick, and silent where they do not.
    ///
    /// All vertices are within ±2^e of the hierarchy's origin on every axis, so in a ball of √3·2^e < 1.7321·2^e around it. Its centre in
    /// the world is off by no more than `apply_error`. The distance of two centres is known to 8u of itself where its squares neither
    /// overflow nor underflow; 2⁻⁴⁰ covers that and the roundings of the sum.
    pub fn is_far_from(&self, other: &PlacedMesh) -> bool {
        let ball = |body: &PlacedMesh| {
            let tree = body.mesh.tree();
            let radius = 1.7321 * 2.0_f64.powi(tree.exponent()) + f64::MIN_POSITIVE;
            (body.pose.apply(tree.origin()), radius + body.pose.apply_error(tree.origin()))
        };
        let ((a, around_a), (b, around_b)) = (ball(self), ball(other));
        let apart = a.distance(b);
        (1e-140..1e140).contains(&apart) && apart * (1.0 - 2.0_f64.powi(-40)) > around_a + around_b
    }
}
