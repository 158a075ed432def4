//! Bounds from above of the distance of the faces below two nodes: for early decisions.

use super::{NodePair, PlacedTree};
use crate::Tree;
use crate::measure::NodeMeasure;
use kontakt_bounds::Bound;
use kontakt_bounds::hausdorff::face_distance_above;
use kontakt_bounds::separation::nearest_point;
use kontakt_hierarchy::Faces;
use kontakt_math::DVec3;
use kontakt_math::round::{add_up, length_up};

/// What is stored with each node of both trees to bound the distance of their faces from above.
#[derive(Clone, Copy, Debug, Default)]
pub enum Above<'a> {
    /// Nothing: only faces bound from above.
    #[default]
    None,
    /// A vertex of the node's faces: see [`Tree::anchors`].
    Anchors {
        /// Of the first tree.
        a: &'a [DVec3],
        /// Of the second tree.
        b: &'a [DVec3],
    },
    /// The directed Hausdorff distance of the node's solid volume to its faces: see [`Tree::hausdorff_reaches`].
    Hausdorff {
        /// Of the first tree.
        a: &'a [f64],
        /// Of the second tree.
        b: &'a [f64],
    },
}

impl Above<'_> {
    /// **Never less** than the distance of the faces below the two nodes, in world coordinates.
    ///
    /// Proof for anchors: both are points of the faces; each image errs by at most `apply_error`, the difference by a
    /// rounding a component and the length upward. For Hausdorff: d(F₁,F₂) ≤ |p − q| + hd(h₁,F₁) + hd(h₂,F₂) for any p in h₁, q
    /// in h₂; p and q are support combinations, within the slack that [`Tree::hausdorff_reaches`] has added.
    pub(super) fn bound<B: Bound>(
        &self,
        a: &PlacedTree<B>,
        b: &PlacedTree<B>,
        pair: NodePair,
    ) -> Option<f64> {
        let at = |id: u32| id as usize;
        match self {
            Above::None => None,
            Above::Anchors { a: ones, b: twos } => Some(apart(a, ones[at(pair.a)], b, twos[at(pair.b)])),
            Above::Hausdorff { a: ones, b: twos } => {
                let (one, two) = (&a.tree.node(pair.a).volume, &b.tree.node(pair.b).volume);
                // Where to look is a guess and may be rounded.
                let goal = b.pose().apply(two.centre());
                let p = nearest_point(one, a.pose().inverse().apply(goal));
                let q = nearest_point(two, b.pose().inverse().apply(a.pose().apply(p)));
                Some(face_distance_above(apart(a, p, b, q), ones[at(pair.a)], twos[at(pair.b)]))
            }
        }
    }
}

/// **Never less** than the distance of a point of one body from a point of the other, in world coordinates.
fn apart<B: Bound>(a: &PlacedTree<B>, p: DVec3, b: &PlacedTree<B>, q: DVec3) -> f64 {
    let between = length_up(a.pose().apply(p) - b.pose().apply(q)) * (1.0 + 4.0 * f64::EPSILON);
    add_up(between, add_up(a.pose().apply_error(p), b.pose().apply_error(q)))
}

impl<B: Bound> Tree<B> {
    /// For every node the vertex of its faces that is nearest to its volume's centre. The work is triangles times depth.
    pub fn anchors(&self, faces: Faces) -> Vec<DVec3> {
        let anchor = |(node, slots): (&crate::Node<B>, std::ops::Range<u32>)| {
            let centre = node.volume.centre();
            let triangles = &self.order[slots.start as usize..slots.end as usize];
            let vertices = triangles.iter().flat_map(|t| faces.corners(*t));
            let by_distance = |v: &DVec3| v.distance_squared(centre);
            vertices.min_by(|v, w| by_distance(v).total_cmp(&by_distance(w))).unwrap_or(centre)
        };
        self.nodes.iter().zip(self.slots()).map(anchor).collect()
    }

    /// The Hausdorff distances of [`measure_all`](Tree::measure_all) with the rounding of support points added.
    ///
    /// Proof: a convex combination of support points is within 64ε of the set's largest coordinate of the set
    /// (`bounds::hausdorff` rests on the same slack).
    pub fn hausdorff_reaches(&self, measures: &[NodeMeasure]) -> Vec<f64> {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
        let reach = |(node, measure): (&crate::Node<B>, &NodeMeasure)| {
            let size = axes.iter().map(|axis| node.volume.reach(*axis).abs()).fold(0.0, f64::max);
            let slack = 64.0 * f64::EPSILON * 4.0 * size;
            add_up(measure.hausdorff.unwrap_or(measure.size.diameter * (1.0 + 1e-9)), slack)
        };
        self.nodes.iter().zip(measures).map(reach).collect()
    }
}
