//! A body ready to be asked: its boundary, and triangles for it with a certified deviation.

use crate::brep::Brep;
use crate::chords::Chords;
use crate::patch::{Carrier, Patch};
use crate::patches::Patches;
use crate::recognise::Simplified;
use crate::surface::Surface;
use crate::tessellate::{self, TessellateError, Tessellation, TessellationOptions};
use kontakt_math::DVec3;
use kontakt_mesh::{Mesh, MeshError};
use kontakt_schedule::Deadline;
use kontakt_shapes::{DisjointSets, FaceSet, FaceSetError};
use std::collections::HashSet;
use std::sync::OnceLock;

/// A body with curved faces and its triangles.
#[derive(Debug)]
pub struct Body {
    simplified: Simplified,
    tessellation: Tessellation,
    mesh: Mesh,
    /// Fewer triangles to begin searches on the true surfaces with; none where those are few already.
    coarse: OnceLock<Option<Tessellation>>,
    patches: OnceLock<Patches>,
    shells: OnceLock<Vec<DVec3>>,
    chords: OnceLock<Chords>,
}

/// Searches begin with patches that are this part of the body's size off.
const COARSE: f64 = 0.01;

/// Why a boundary makes no body.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// A face has no triangles.
    #[error(transparent)]
    Tessellation(#[from] TessellateError),
    /// The triangles are no faces.
    #[error(transparent)]
    Faces(#[from] FaceSetError),
    /// The triangles are no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The boundary closes and its triangles do not: a face was not covered, and nothing that they say would hold.
    #[error("the triangles of its closed boundary do not close")]
    Open,
}

impl Body {
    /// Triangulates a boundary.
    pub fn new(brep: &Brep, options: &TessellationOptions) -> Result<Body, BodyError> {
        Body::until(brep, options, Deadline::NEVER)
    }

    /// Triangulates a boundary before a deadline passes.
    pub fn until(brep: &Brep, options: &TessellationOptions, deadline: Deadline) -> Result<Body, BodyError> {
        let simplified = Simplified::of(brep);
        let tessellation = tessellate::of_simplified(&simplified, options, deadline)?;
        let faces = FaceSet::from_triangles(tessellation.points.clone(), tessellation.triangles.clone())?;
        let mesh = Mesh::new(faces)?;
        if brep.is_closed() && !mesh.is_closed() {
            return Err(BodyError::Open);
        }
        Ok(Body {
            simplified,
            tessellation,
            mesh,
            coarse: OnceLock::new(),
            patches: OnceLock::new(),
            shells: OnceLock::new(),
            chords: OnceLock::new(),
        })
    }

    /// Its boundary, with quadrics, circles and lines in place of B-splines that are such.
    pub fn brep(&self) -> &Brep {
        &self.simplified.brep
    }

    /// Its triangles with their deviations.
    pub fn tessellation(&self) -> &Tessellation {
        &self.tessellation
    }

    /// Its triangles as a mesh; triangle k is that of the tessellation.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The triangles that searches on the true surfaces begin with, made when first needed.
    pub(crate) fn carrier(&self) -> &Tessellation {
        let make = || {
            let most_triangles = self.tessellation.triangles.len();
            let deviation = COARSE * size(self.brep());
            let options = TessellationOptions { deviation, most_triangles };
            (deviation > 2.0 * self.tessellation.deviation)
                .then(|| tessellate::of_simplified(&self.simplified, &options, Deadline::NEVER).ok())
                .flatten()
        };
        self.coarse.get_or_init(make).as_ref().unwrap_or(&self.tessellation)
    }

    /// A point of each of its shells: of each part of the boundary that hangs together.
    pub fn shell_points(&self) -> &[DVec3] {
        self.shells.get_or_init(|| {
            let made = &self.tessellation;
            let mut sets = DisjointSets::new(made.points.len());
            for [a, b, c] in &made.triangles {
                sets.join(*a, *b);
                sets.join(*b, *c);
            }
            let used = made.triangles.iter().map(|corners| corners[0]);
            let mut seen = HashSet::new();
            used.filter(|&id| seen.insert(sets.root(id))).map(|id| made.points[id as usize]).collect()
        })
    }

    /// 1 where the normal of a face's domain points out of the body, else −1.
    pub(crate) fn outward_sign(&self, face: u32) -> f64 {
        if self.carrier().outward[face as usize] { 1.0 } else { -1.0 }
    }

    /// How far points over its faces' triangles may be from the faces.
    pub(crate) fn chords(&self) -> &Chords {
        self.chords.get_or_init(|| Chords::of(self.carrier(), self.brep()))
    }

    /// What its patches are pieces of.
    pub(crate) fn on(&self) -> Carrier<'_> {
        Carrier { made: self.carrier(), brep: self.brep() }
    }

    /// How far a point of the surface over a patch's triangle may be from its face.
    pub(crate) fn off_face(&self, patch: &Patch, point: DVec3) -> f64 {
        patch.floor + self.chords().beyond(self.carrier(), self.brep(), patch.face, point)
    }

    /// The same for a point at parameters that may be over any triangle of a patch's face, this one if need be; `None` where it is over none.
    pub(crate) fn off_face_at(&self, patch: &Patch, at: [f64; 2], point: DVec3) -> Option<f64> {
        let on = self.on();
        let leaves = self.patches().leaves.iter().filter(|leaf| leaf.face == patch.face);
        let over = std::iter::once(patch).chain(leaves).find(|leaf| leaf.covers(on, at, point))?;
        Some(self.off_face(over, point))
    }

    /// The boxes of its patches, made when first needed.
    pub(crate) fn patches(&self) -> &Patches {
        self.patches.get_or_init(|| Patches::of_carrier(self.on()))
    }

    /// **Never less** than the distance of any point of the mesh from the body's faces, and of any point of the faces from the mesh.
    pub fn deviation(&self) -> f64 {
        self.tessellation.deviation
    }
}

/// The length of the diagonal of the box about a boundary's vertices, middles of edges and whole surfaces without edges: a measure to
/// choose deviations by.
pub fn size(brep: &Brep) -> f64 {
    let middles = brep.edges().iter().map(|edge| edge.curve.point(0.5 * (edge.range[0] + edge.range[1])));
    let whole = brep.faces().iter().flat_map(|face| match &face.surface {
        Surface::Sphere { frame, radius } => vec![frame.origin - *radius, frame.origin + *radius],
        Surface::Torus { frame, major, minor } => {
            vec![frame.origin - (major + minor), frame.origin + (major + minor)]
        }
        Surface::Nurbs(nurbs) if brep.edges().is_empty() => nurbs.points().to_vec(),
        _ => Vec::new(),
    });
    let whole = whole.filter(|_| brep.edges().is_empty());
    let points = brep.vertices().iter().copied().chain(middles).chain(whole);
    let (low, high) =
        points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    (high - low).length()
}
