//! The packed form of a tree that somebody else has built.

use super::Packed;
use super::error::BuildError;
use super::lane::STRAIGHT;
use super::node::{Child, WIDTH, WideNode};
use crate::faces::Faces;
use kontakt_math::DVec3;

impl Packed {
    /// A hierarchy of this shape: what the lanes of each node lead to, the root first and children after their parent, and the
    /// triangle of each slot. Boxes and axes are made from the vertices. A shape that is no tree over these faces is refused.
    pub fn from_shape(lanes: &[[Child; WIDTH]], order: Vec<u32>, faces: Faces) -> Result<Packed, BuildError> {
        let count = faces.triangles.len();
        if count == 0 {
            return Err(BuildError::NoTriangles);
        }
        if count > Child::MOST_SLOTS {
            return Err(BuildError::TooMany { count });
        }
        let wrong = |what| Err(BuildError::Mismatch { what });
        if lanes.is_empty() || order.len() != count {
            return wrong("another number of triangles");
        }
        let mut seen = vec![false; count];
        for &triangle in &order {
            match seen.get_mut(triangle as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return wrong("the order is not a permutation"),
            }
        }
        // A leaf of too many slots would be another one once it is encoded.
        if lanes.iter().flatten().any(|&child| Child::decode(child.encode()) != child) {
            return wrong("a leaf has too many triangles");
        }
        let node = |lanes: &[Child; WIDTH]| {
            let mut node = WideNode::empty(STRAIGHT, [0.0; 3]);
            node.child = lanes.map(Child::encode);
            node
        };
        let mut packed = Packed {
            origin: DVec3::ZERO,
            exponent: 0,
            nodes: lanes.iter().map(node).collect(),
            corners: order.iter().map(|&triangle| faces.triangles[triangle as usize]).collect(),
            order,
        };
        if packed.check_shape(|_, _| Ok(())).is_err() {
            return wrong("a triangle is in no leaf or in several");
        }
        packed.fit(faces);
        Ok(packed)
    }
}
