//! Several posed shapes taken as one body.

use crate::{Core, Shape, ShapeError};
use kontakt_math::Pose;

/// A shape at its pose in a union's frame.
#[derive(Clone, Debug)]
pub struct Part {
    /// What.
    pub shape: Shape,
    /// The union's frame from the shape's.
    pub pose: Pose,
}

/// Shapes taken together. Unions within are resolved when it is made: each leaf keeps the poses on its way, outermost
/// first, so that nothing is rounded and nothing recurses.
#[derive(Clone, Debug)]
pub struct Union {
    leaves: Vec<Leaf>,
}

/// A shape of a union that is no union itself.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// What.
    pub shape: Shape,
    /// Poses on the way from the union's frame to the shape's, outermost first.
    pub poses: Vec<Pose>,
    /// Margins of the unions on the way, outermost first.
    pub margins: Vec<f64>,
}

impl Union {
    /// From at least one part.
    pub fn new(parts: Vec<Part>) -> Result<Union, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::EmptyUnion);
        }
        let mut leaves = Vec::new();
        for part in parts {
            let [round, margin] = part.shape.radii();
            match part.shape.core() {
                Core::Union(inner) => leaves.extend(inner.leaves.iter().map(|leaf| Leaf {
                    shape: leaf.shape.clone(),
                    poses: std::iter::once(part.pose).chain(leaf.poses.iter().copied()).collect(),
                    margins: std::iter::once(round + margin).chain(leaf.margins.iter().copied()).collect(),
                })),
                _ => leaves.push(Leaf { shape: part.shape, poses: vec![part.pose], margins: Vec::new() }),
            }
        }
        Ok(Union { leaves })
    }

    /// All shapes that are no unions.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }
}
