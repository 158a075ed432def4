//! Several posed shapes taken as one body.

mod query;
mod shift;

pub(crate) use query::UnionQuery;

use crate::extent::{Ball, ball_of};
use crate::{Core, Placed, Shape, ShapeError};
use kontakt_math::round::add_up;
use kontakt_math::{Chain, Pose};

/// The most leaves a union may unfold to: a small program can put one union into another very often.
const MOST_LEAVES: usize = 1 << 20;

/// A shape at its pose in a union's frame.
#[derive(Clone, Debug)]
pub struct Part {
    /// What.
    pub shape: Shape,
    /// The union's frame from the shape's.
    pub pose: Pose,
}

/// Shapes taken together. Unions within are resolved when it is made: each leaf keeps the poses on its way, so that nothing is
/// rounded and nothing recurses, whatever the depth of nesting.
#[derive(Clone, Debug)]
pub struct Union {
    leaves: Vec<Leaf>,
}

/// A shape of a union that is no union itself.
#[derive(Clone, Debug)]
pub struct Leaf {
    shape: Shape,
    chain: Chain,
    radius_error: f64,
    ball: Option<Ball>,
}

impl Leaf {
    fn new(shape: Shape, pose: Pose) -> Leaf {
        let ball = ball_of(&shape);
        Leaf { shape, chain: Chain::new(pose), radius_error: 0.0, ball }
    }

    /// Grown as the union is that it is in, and seen from outside of `pose`.
    fn within(&self, union: &Shape, pose: Pose) -> Leaf {
        let chain = self.chain.within(pose);
        if union.radii() == [0.0; 2] {
            return Leaf { chain, ..self.clone() };
        }
        let (shape, error) = self.shape.grown(union.radii());
        let ball = ball_of(&shape);
        let radius_error = if error == 0.0 { self.radius_error } else { add_up(self.radius_error, error) };
        Leaf { shape, chain, radius_error, ball }
    }

    /// At its composed pose, rounded.
    fn placed(&self) -> Placed<'_> {
        Placed::new(&self.shape, *self.chain.composed())
    }

    /// What it is, with the margins of all unions around it.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The poses on the way from the union's frame to the shape's.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }
}

impl Union {
    /// From at least one part.
    pub fn new(parts: Vec<Part>) -> Result<Union, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::EmptyUnion);
        }
        let mut leaves = Vec::new();
        for part in parts {
            let Part { shape, pose } = part;
            if let Core::Union(inner) = shape.core() {
                if inner.leaves.len() > MOST_LEAVES - leaves.len() {
                    return Err(ShapeError::TooManyParts { most: MOST_LEAVES });
                }
                leaves.extend(inner.leaves.iter().map(|leaf| leaf.within(&shape, pose)));
            } else {
                leaves.push(Leaf::new(shape, pose));
            }
        }
        if leaves.iter().any(|leaf| !leaf.chain.composed().translation().is_finite()) {
            return Err(ShapeError::NotFinite { what: "the place of a part in its union" });
        }
        Ok(Union { leaves })
    }

    /// All shapes that are no unions, in the order of the parts.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }
}
