//! Triangles for a body: watertight, with a certified distance from the true surfaces.
//!
//! Edges are cut into chains of points once, and both faces of an edge use the same chain: where the body's faces close, so do the
//! triangles. Each face is mapped to a plane (`chart`), its borders and points are joined to a constrained Delaunay triangulation there,
//! and triangles that lie too far from the surface get another point (`face`).
//!
//! **What is certified**: every point of a triangle is no farther than its [`deviation`](Tessellation::deviations) from the point of the
//! surface at the same parameters, and those parameters are inside the face or between one of its edges and a chord of it. So the
//! triangles are within [`Tessellation::deviation`] of the face, and the face within that of the triangles; the argument is in
//! `domain`.

mod border;
mod chains;
mod chart;
mod domain;
mod face;
mod flood;
mod lattice;
mod refine;
mod whole;

pub use domain::Domain;

use crate::brep::{Brep, Loop};
use crate::recognise::Simplified;
use crate::sliver::Sliver;
use crate::stretch::Stretch;
use chains::Chains;
use face::{FaceMesh, Trouble};
use kontakt_math::DVec3;
use kontakt_schedule::{Deadline, Expired};
use std::collections::HashMap;

/// What is asked of a tessellation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TessellationOptions {
    /// How far triangles may lie from the true surfaces, beyond the gaps that the model has itself. Above zero.
    pub deviation: f64,
    /// Most triangles made.
    pub most_triangles: usize,
}

/// Triangles for a body.
#[derive(Clone, Debug)]
pub struct Tessellation {
    /// Points that triangles share.
    pub points: Vec<DVec3>,
    /// Corners, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The face of the body that each triangle stands for.
    pub faces: Vec<u32>,
    /// Parameters of each triangle's corners in its face's domain.
    pub parameters: Vec<[[f64; 2]; 3]>,
    /// **Never less** than the distance of any point of the triangle from the point of the surface at the same parameters.
    pub deviations: Vec<f64>,
    /// How each face is parametrised.
    pub domains: Vec<Domain>,
    /// Whether the normal of each face's domain points out of the body.
    pub outward: Vec<bool>,
    /// How far the surface of each face's domain may be from the one that was given.
    pub residuals: Vec<f64>,
    /// **Never less** than the distance of any edge from its chords.
    pub chord_deviation: f64,
    /// Pieces of faces about a pole, whose triangles have no area and are left out.
    pub(crate) pinched: Vec<Pinched>,
    /// The plane that each edge lies in: its unit normal and how far the edge may leave it; zero for one in no plane.
    pub(crate) edge_planes: Vec<(DVec3, f64)>,
    /// Which stretches of edges lie between two neighbouring points of chains, the lesser index first.
    chords: HashMap<(u32, u32), Vec<Stretch>>,
    /// **Never less** than the distance of any point of the triangles from the body's faces, and of any point of the faces from the
    /// triangles.
    pub deviation: f64,
    /// The largest distance found between an edge and a face that it borders, or a vertex and an edge that ends there.
    pub gap: f64,
    /// Where that is.
    pub gap_at: DVec3,
}

/// A piece of a face with one corner twice in space, not in the parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pinched {
    pub(crate) corners: [u32; 3],
    pub(crate) face: u32,
    pub(crate) parameters: [[f64; 2]; 3],
}

impl Tessellation {
    /// All stretches of edges with the points that they lie between.
    pub(crate) fn stretches(&self) -> impl Iterator<Item = ((u32, u32), &Stretch)> {
        self.chords.iter().flat_map(|(ids, stretches)| stretches.iter().map(move |stretch| (*ids, stretch)))
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|id| self.points[id as usize])
    }

    /// The stretch of an edge of a face that the side from one point to another is a chord of.
    pub(crate) fn stretch(&self, face: u32, from: u32, to: u32, brep: &Brep) -> Option<Stretch> {
        let stretches = self.chords.get(&(from.min(to), from.max(to)))?;
        let borders = |edge: u32| {
            brep.faces()[face as usize].loops.iter().any(|border| match border {
                Loop::Edges(uses) => uses.iter().any(|used| used.0 == edge),
                Loop::Vertex(_) => false,
            })
        };
        let found = stretches.iter().find(|stretch| borders(stretch.edge))?;
        let sliver = match &self.domains[face as usize] {
            Domain::Surface { surface, .. } => Sliver::of(surface, &brep.edges()[found.edge as usize]),
            Domain::Sphere { .. } => Sliver::USUAL,
        };
        let found = Stretch { sliver, ..*found };
        Some(if from < to { found } else { Stretch { from: found.to, to: found.from, ..found } })
    }
}

/// Why a body has no tessellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TessellateError {
    /// A face that cannot be triangulated.
    #[error("face {face}: {problem}")]
    Face {
        /// Which one.
        face: u32,
        /// What is wrong with it.
        problem: FaceProblem,
    },
    /// More triangles would be needed than allowed.
    #[error("more than {0} triangles would be needed")]
    TooMany(usize),
    /// The time is over.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// The deviation is not a number above zero.
    #[error("the deviation must be a number above zero")]
    Deviation,
}

/// What is wrong with a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaceProblem {
    /// A point of a border has no parameters on the surface.
    #[error("a border leaves the surface")]
    OffSurface,
    /// Borders cross each other.
    #[error("its borders cross")]
    Crossing,
    /// The borders leave the face without end.
    #[error("its borders do not bound it")]
    Unbounded,
    /// Borders run around both ways of a torus.
    #[error("a border runs around both ways")]
    Winding,
    /// Nothing is inside the borders.
    #[error("its borders enclose nothing")]
    Empty,
    /// Numbers beyond what can be handled.
    #[error("its numbers are too large or too small")]
    Numbers,
}

/// How often edges are refined for faces that ask for it.
const ROUNDS: usize = 24;
/// Pieces of borders that cross after some rounds, if they only come near each other; where these lie on each other they become ever more.
const FEW: usize = 200;

/// What a face's triangles must keep to.
#[derive(Clone, Copy, Debug)]
struct Limits {
    deviation: f64,
    most: usize,
    deadline: Deadline,
}

/// Makes triangles for a body.
pub fn tessellate(brep: &Brep, options: &TessellationOptions) -> Result<Tessellation, TessellateError> {
    tessellate_until(brep, options, Deadline::NEVER)
}

/// Makes triangles for a body, or none once a deadline has passed.
pub fn tessellate_until(
    brep: &Brep,
    options: &TessellationOptions,
    deadline: Deadline,
) -> Result<Tessellation, TessellateError> {
    of_simplified(&Simplified::of(brep), options, deadline)
}

/// The same for a boundary that is simplified already.
pub(crate) fn of_simplified(
    simplified: &Simplified,
    options: &TessellationOptions,
    deadline: Deadline,
) -> Result<Tessellation, TessellateError> {
    if !(options.deviation > 0.0 && options.deviation.is_finite()) {
        return Err(TessellateError::Deviation);
    }
    let brep = &simplified.brep;
    let limits = Limits { deviation: options.deviation / 4.0, most: options.most_triangles, deadline };
    let mut chains = Chains::new(brep, limits)?;
    let mut meshes: Vec<Option<FaceMesh>> = brep.faces().iter().map(|_| None).collect();
    for round in 0.. {
        let mut finer = Vec::new();
        let mut left = options.most_triangles;
        for (index, slot) in meshes.iter_mut().enumerate() {
            if let Some(mesh) = slot {
                left = left.saturating_sub(mesh.triangles.len());
                continue;
            }
            deadline.check()?;
            let limits = Limits { deviation: options.deviation / 2.0, most: left, deadline };
            match FaceMesh::new(brep, index, &chains, limits) {
                Ok(mesh) => {
                    left = left.saturating_sub(mesh.triangles.len());
                    *slot = Some(mesh);
                }
                Err(Trouble::Finer(pieces)) if round < ROUNDS => finer.extend(pieces),
                Err(Trouble::Crossing(pieces)) if round < ROUNDS && (round < 8 || pieces.len() <= FEW) => {
                    finer.extend(pieces);
                }
                Err(Trouble::Finer(_) | Trouble::Crossing(_)) => {
                    return Err(face_error(index, FaceProblem::Crossing));
                }
                Err(Trouble::Problem(problem)) => return Err(face_error(index, problem)),
                Err(Trouble::Expired(expired)) => return Err(expired.into()),
                Err(Trouble::TooMany) => return Err(TessellateError::TooMany(options.most_triangles)),
            }
        }
        if finer.is_empty() {
            break;
        }
        for face in chains.refine(brep, &finer) {
            meshes[face as usize] = None;
        }
        if chains.positions().len() > options.most_triangles {
            return Err(TessellateError::TooMany(options.most_triangles));
        }
    }
    let edge_planes = brep.edges().iter().map(|edge| edge.curve.plane()).collect();
    let outward = brep.faces().iter().map(|face| face.outward).collect();
    Ok(Tessellation { outward, edge_planes, ..joined(&chains, meshes, simplified) })
}

fn face_error(face: usize, problem: FaceProblem) -> TessellateError {
    TessellateError::Face { face: face as u32, problem }
}

/// The triangles of all faces over one list of points.
fn joined(chains: &Chains, meshes: Vec<Option<FaceMesh>>, simplified: &Simplified) -> Tessellation {
    let residuals = &simplified.faces;
    let mut all = Tessellation {
        points: chains.positions().to_vec(),
        triangles: Vec::new(),
        faces: Vec::new(),
        parameters: Vec::new(),
        deviations: Vec::new(),
        domains: Vec::new(),
        outward: Vec::new(),
        residuals: residuals.clone(),
        chord_deviation: chains.deviation() + simplified.edges,
        pinched: Vec::new(),
        edge_planes: Vec::new(),
        chords: chains.chords(),
        deviation: 0.0,
        gap: chains.gap().0,
        gap_at: chains.gap().1,
    };
    let mut worst: f64 = 0.0;
    for (face, mesh) in (0..).zip(meshes.into_iter().flatten()) {
        let ids: Vec<u32> = mesh
            .corners
            .iter()
            .map(|corner| {
                corner.id.unwrap_or_else(|| {
                    all.points.push(corner.position);
                    all.points.len() as u32 - 1
                })
            })
            .collect();
        for triangle in &mesh.triangles {
            let corners = triangle.corners.map(|corner| ids[corner]);
            let deviation = triangle.deviation + residuals[face as usize];
            worst = worst.max(deviation);
            // A triangle with one point twice stands for a piece of a face about a pole: it has no area, its neighbours close without it.
            if corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0] {
                all.pinched.push(Pinched { corners, face, parameters: triangle.parameters });
                continue;
            }
            all.triangles.push(corners);
            all.faces.push(face);
            all.parameters.push(triangle.parameters);
            all.deviations.push(deviation);
        }
        if mesh.gap > all.gap {
            (all.gap, all.gap_at) = (mesh.gap, mesh.gap_at);
        }
        all.domains.push(mesh.domain);
    }
    all.gap += simplified.edges;
    all.deviation = worst + all.chord_deviation;
    all
}
