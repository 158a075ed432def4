//! What is asked: four points on straight paths, as a vertex and a face or as two edges.

use kontakt_math::DVec3;
use thiserror::Error;

/// Which points form what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Point 0 is a vertex, points 1, 2, 3 a triangle.
    VertexFace,
    /// Points 0, 1 are an edge, points 2, 3 another.
    EdgeEdge,
}

/// Why points are no query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QueryError {
    /// A coordinate is NaN or infinite.
    #[error("point {point} at {} has a coordinate that is not finite", if *.at_end { "the end" } else { "the start" })]
    NotFinite {
        /// Index of the point, 0 to 3.
        point: usize,
        /// At t = 1, else at t = 0.
        at_end: bool,
    },
}

/// Four points that move from `start` at t = 0 to `end` at t = 1, each on a straight line at constant speed:
/// xᵢ(t) = (1 − t)·startᵢ + t·endᵢ, exactly. All coordinates are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    kind: Kind,
    start: [DVec3; 4],
    end: [DVec3; 4],
}

impl Query {
    /// Checks that all coordinates are finite.
    pub fn new(kind: Kind, start: [DVec3; 4], end: [DVec3; 4]) -> Result<Query, QueryError> {
        for (at_end, points) in [(false, &start), (true, &end)] {
            if let Some(point) = points.iter().position(|p| !p.is_finite()) {
                return Err(QueryError::NotFinite { point, at_end });
            }
        }
        Ok(Query { kind, start, end })
    }

    /// Vertex–face or edge–edge.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The points at t = 0.
    pub fn start(&self) -> [DVec3; 4] {
        self.start
    }

    /// The points at t = 1.
    pub fn end(&self) -> [DVec3; 4] {
        self.end
    }
}
