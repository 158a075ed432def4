//! Where the vertices of a surface are before and after a step.

use super::Surface;
use crate::moved::Moved;
use crate::{Kind, Query};
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;
use thiserror::Error;

/// Why places are no step of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StepError {
    /// There must be one place for each vertex at either end.
    #[error("{given} places at {} for {vertices} vertices", end_name(*.at_end))]
    Count {
        /// How many places.
        given: usize,
        /// How many vertices there are.
        vertices: usize,
        /// At t = 1, else at t = 0.
        at_end: bool,
    },
    /// There must be one mark for each vertex.
    #[error("{given} marks of changed vertices for {vertices} vertices")]
    Changed {
        /// How many marks.
        given: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} at {} has a coordinate that is not finite", end_name(*.at_end))]
    NotFinite {
        /// 0-based.
        vertex: usize,
        /// At t = 1, else at t = 0.
        at_end: bool,
    },
}

fn end_name(at_end: bool) -> &'static str {
    if at_end { "the end" } else { "the start" }
}

/// A step of a surface: every vertex moves on a straight line at constant speed from its start at t = 0 to its end at t = 1.
/// All coordinates are finite.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    surface: &'a Surface,
    moved: Vec<Moved>,
}

impl<'a> Step<'a> {
    /// Checks the places: one for each vertex, finite (those of unused vertices too).
    pub fn new(surface: &'a Surface, start: &[DVec3], end: &[DVec3]) -> Result<Step<'a>, StepError> {
        let vertices = surface.vertex_count();
        for (places, at_end) in [(start, false), (end, true)] {
            if places.len() != vertices {
                return Err(StepError::Count { given: places.len(), vertices, at_end });
            }
            if let Some(vertex) = places.iter().position(|p| !p.is_finite()) {
                return Err(StepError::NotFinite { vertex, at_end });
            }
        }
        let both = start.iter().zip(end);
        let moved = both.map(|(p, q)| Moved([p.x, p.y, p.z, q.x, q.y, q.z])).collect();
        Ok(Step { surface, moved })
    }

    /// The surface that moves.
    pub fn surface(&self) -> &'a Surface {
        self.surface
    }

    /// The query of a pair: vertex `a` and face `b`, or edges `a` and `b`. `None` where one of them does not exist.
    pub fn query(&self, kind: Kind, a: u32, b: u32) -> Option<Query> {
        let vertices = match kind {
            Kind::VertexFace => {
                let [p, q, r] = *self.surface.triangles().get(b as usize)?;
                [a, p, q, r]
            }
            Kind::EdgeEdge => {
                let edge = |e: u32| self.surface.edges().get(e as usize);
                let ([p, q], [r, s]) = (edge(a)?, edge(b)?);
                [*p, *q, *r, *s]
            }
        };
        if a as usize >= self.moved.len() && kind == Kind::VertexFace {
            return None;
        }
        let at = |v: u32| self.moved[v as usize];
        let query = Query::new(kind, vertices.map(|v| at(v).start()), vertices.map(|v| at(v).end()));
        query.ok()
    }

    pub(crate) fn all_moved(&self) -> &[Moved] {
        &self.moved
    }

    #[inline(always)]
    pub(crate) fn moved(&self, vertex: u32) -> &Moved {
        &self.moved[vertex as usize]
    }

    /// The box around the ways of some vertices. It holds everything they span at any time: convex at each time, and its corners
    /// move straight.
    #[inline(always)]
    pub(crate) fn swept_box<const N: usize>(&self, vertices: [u32; N]) -> Aabb {
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for v in vertices {
            let (p, q) = (self.moved(v).start(), self.moved(v).end());
            min = min.min(p.min(q));
            max = max.max(p.max(q));
        }
        Aabb { min, max }
    }

    /// Swept boxes of the used vertices, of the edges and of the faces.
    pub(crate) fn vertex_boxes(&self) -> impl ExactSizeIterator<Item = Aabb> + '_ {
        self.surface.used_vertices().iter().map(|&v| self.swept_box([v]))
    }

    pub(crate) fn edge_boxes(&self) -> impl ExactSizeIterator<Item = Aabb> + '_ {
        self.surface.edges().iter().map(|&edge| self.swept_box(edge))
    }

    pub(crate) fn face_boxes(&self) -> impl ExactSizeIterator<Item = Aabb> + '_ {
        self.surface.triangles().iter().map(|&face| self.swept_box(face))
    }
}
