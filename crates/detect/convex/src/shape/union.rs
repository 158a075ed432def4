//! Several posed shapes taken as one body.

use super::extent::{Ball, ball_of, reach_between};
use super::{Core, PlacedShape, Shape, ShapeError};
use kontakt_math::round::{add_up, length_up, mul_up};
use kontakt_math::{Between, Chain, DVec3, Pose};

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
    pub(crate) radius_error: f64,
    pub(crate) ball: Option<Ball>,
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
    pub(crate) fn placed(&self) -> PlacedShape<'_> {
        PlacedShape::new(&self.shape, *self.chain.composed())
    }

    /// What it is, with the margins of all unions around it.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The poses on the way from the union's frame to the shape's.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// **Never less** than the maximum of `direction`·y over its points y in frame A of `between`, whose frame B is the shape's;
    /// infinite for half-spaces.
    pub fn reach(&self, between: &Between, direction: DVec3) -> f64 {
        let reach = reach_between(&self.shape, between, direction);
        if self.radius_error == 0.0 {
            return reach;
        }
        add_up(reach, mul_up(self.radius_error, length_up(direction)))
    }
}

impl PlacedShape<'_> {
    /// All shapes that are no unions, placed in the world; a shape that is no union is its own leaf.
    pub fn leaves(&self) -> Vec<Leaf> {
        match self.shape.core() {
            Core::Union(union) => {
                union.leaves.iter().map(|leaf| leaf.within(self.shape, self.pose)).collect()
            }
            _ => vec![Leaf::new(self.shape.clone(), self.pose)],
        }
    }

    /// Whether verdicts about it and another such shape, or a mesh, are exact: no core is curved, and no radius of a leaf is off.
    pub fn has_exact_verdicts(&self) -> bool {
        let is_flat = |core: &Core| core.is_polytopal() || matches!(core, Core::HalfSpace { .. });
        self.leaves().iter().all(|leaf| is_flat(leaf.shape.core()) && leaf.radius_error == 0.0)
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
