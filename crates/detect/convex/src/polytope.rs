//! A convex polyhedron laid out for support queries.

mod fan;

use crate::difference::corners::one_norm_up;
use crate::difference::scan::Octets;
use crate::gauss::map::GaussMap;
use fan::Fans;
use kontakt_bounds::FitError;
use kontakt_bounds::hull::{Hull, convex_hull};
use kontakt_math::DVec3;
use std::sync::OnceLock;

/// The hull of points with its vertices, faces, edges and neighbours. Flat hulls, segments and points included.
#[derive(Clone, Debug)]
pub struct Polytope {
    hull: Hull,
    vertices: Vec<DVec3>,
    source: Vec<u32>,
    middle: DVec3,
    reach: f64,
    octets: Octets,
    fans: Fans,
    gauss_map: OnceLock<Option<Box<GaussMap>>>,
}

impl Polytope {
    /// The hull of points, which may lie in any position.
    pub fn new(points: &[DVec3]) -> Result<Polytope, FitError> {
        let hull = convex_hull(points)?;
        let source = hull.vertices().to_vec();
        let vertices: Vec<DVec3> = source.iter().map(|&i| points[i as usize]).collect();
        let (low, high) =
            vertices.iter().fold((vertices[0], vertices[0]), |(low, high), x| (low.min(*x), high.max(*x)));
        let reach = vertices.iter().fold(0.0, |most: f64, x| most.max(one_norm_up(*x)));
        let octets = Octets::new(&vertices);
        let hull = hull.renumbered();
        let fans = Fans::new(&vertices, &hull);
        let middle = low * 0.5 + high * 0.5;
        let gauss_map = OnceLock::new();
        Ok(Polytope { hull, vertices, source, middle, reach, octets, fans, gauss_map })
    }

    /// The edges from its vertices.
    #[inline]
    pub(crate) fn fans(&self) -> &Fans {
        &self.fans
    }

    /// Exactly the extreme points.
    #[inline]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Faces, edges, neighbours; numbers are positions in [`vertices`](Self::vertices).
    #[inline]
    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    /// For each vertex its number among the points given.
    pub fn source(&self) -> &[u32] {
        &self.source
    }

    /// The normals of its faces, made when first asked for; `None` unless it is solid.
    #[inline]
    pub(crate) fn gauss_map(&self) -> Option<&GaussMap> {
        let made = || GaussMap::new(&self.vertices, &self.hull).map(Box::new);
        self.gauss_map.get_or_init(made).as_deref()
    }

    /// A vertex with the greatest `direction · x`, of equal ones the first; each product is off by at most 3u·Σ|dᵢxᵢ|.
    #[inline(always)]
    pub fn farthest(&self, direction: DVec3) -> u32 {
        self.octets.farthest(direction)
    }

    /// The number and place of `farthest`.
    #[inline(always)]
    pub(crate) fn extreme(&self, direction: DVec3) -> (u32, DVec3) {
        let id = self.octets.farthest(direction);
        (id, self.octets.point(id))
    }

    /// Up to this many vertices a scan of all is as quick as a walk over edges.
    pub const SCANNED: usize = 300;

    /// Walks over edges from a vertex as long as `direction · x` grows. In exact numbers that ends at a farthest vertex; with
    /// rounding nearly always.
    pub fn climb(&self, direction: DVec3, from: u32) -> u32 {
        let mut best = from;
        let mut height = direction.dot(self.vertices[from as usize]);
        loop {
            let start = best;
            for &next in self.hull.neighbours(start as usize) {
                let value = direction.dot(self.vertices[next as usize]);
                if value > height {
                    (best, height) = (next, value);
                }
            }
            if best == start {
                return best;
            }
        }
    }

    /// The middle of the box around it.
    #[inline]
    pub fn middle(&self) -> DVec3 {
        self.middle
    }

    /// **Never less** than |x|₁ of any vertex.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.reach
    }
}
