//! Tetrahedra inside a closed mesh.

use kontakt_math::DVec3;
use kontakt_mesh::{Location, Mesh};
use kontakt_shapes::tetrahedra::{StuffError, Tetrahedra, stuff};
use thiserror::Error;

/// Why a mesh was not filled.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum FillError {
    /// An open surface has no inside.
    #[error("the surface is not closed: nothing is inside it")]
    Open,
    /// The lattice and the body do not fit together.
    #[error(transparent)]
    Stuff(#[from] StuffError),
}

/// Fills a closed mesh on a lattice of these cells. Its surface is that of the mesh where this bends little over a cell; what is thinner
/// than a cell is lost.
pub fn fill(mesh: &Mesh, cell: f64) -> Result<Tetrahedra, FillError> {
    if !mesh.is_closed() {
        return Err(FillError::Open);
    }
    let places = || mesh.faces().vertices().iter();
    let low = places().fold(DVec3::INFINITY, |low, p| low.min(*p));
    let high = places().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
    Ok(stuff([low, high], cell, |p| height(mesh, p))?)
}

/// The distance from the surface, negative inside.
fn height(mesh: &Mesh, p: DVec3) -> f64 {
    let Some(near) = mesh.nearest(p) else { return f64::INFINITY };
    let distance = near.distance.hi();
    match mesh.inside(p).verdict {
        Location::Inside => -distance,
        Location::OnBoundary => 0.0,
        Location::Outside | Location::Unclear => distance,
    }
}
