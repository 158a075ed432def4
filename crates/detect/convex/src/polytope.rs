//! A convex polyhedron laid out for support queries.

use kontakt_bounds::FitError;
use kontakt_bounds::hull::{Hull, convex_hull};
use kontakt_math::DVec3;

/// The hull of points with its vertices, faces, edges and neighbours. Flat hulls, segments and points included.
#[derive(Clone, Debug)]
pub struct Polytope {
    hull: Hull,
    vertices: Vec<DVec3>,
    source: Vec<u32>,
}

impl Polytope {
    /// The hull of points, which may lie in any position.
    pub fn new(points: &[DVec3]) -> Result<Polytope, FitError> {
        let hull = convex_hull(points)?;
        let source = hull.vertices().to_vec();
        let vertices = source.iter().map(|&i| points[i as usize]).collect();
        Ok(Polytope { hull: hull.renumbered(), vertices, source })
    }

    /// Exactly the extreme points.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Faces, edges, neighbours; numbers are positions in [`vertices`](Self::vertices).
    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    /// For each vertex its number among the points given.
    pub fn source(&self) -> &[u32] {
        &self.source
    }
}
