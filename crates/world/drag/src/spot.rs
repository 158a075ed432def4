//! The dragged body at a pose, seen from a frame near it.

use crate::proxy::Proxy;
use kontakt_math::{Between, Chain, DMat3, DVec3, Pose};

/// The dragged body at a pose. Places are relative to an anchor, a point of the world near the body: there they have all their digits.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(crate) pose: Pose,
    between: Between,
    /// The body's centre, relative to the anchor.
    pub(crate) centre: DVec3,
    /// **Never too small**: how far placed points may be from their exact places.
    pub(crate) error: f64,
    /// At least every coordinate of a placed point.
    pub(crate) size: f64,
    /// The maps of the convex sets of a body without faces.
    leaves: Vec<Between>,
}

impl Spot {
    pub(crate) fn new(proxy: &Proxy, anchor: &Pose, pose: Pose) -> Spot {
        let between = Between::new(*anchor, pose);
        let centre = between.b_in_a(proxy.centre);
        let outside = Chain::new(*anchor);
        let leaf = |leaf: &kontakt_convex::Leaf| Between::of_chains(&outside, &leaf.chain().within(pose));
        let error = between.error_within(proxy.farthest);
        Spot {
            pose,
            centre,
            error,
            size: (centre.abs().max_element() + proxy.radius + error) * 1.001,
            leaves: proxy.leaves.iter().map(leaf).collect(),
            between,
        }
    }

    /// World from body, the turn alone.
    pub(crate) fn turn(&self) -> DMat3 {
        self.between.turn()
    }

    /// Points of the body.
    #[inline]
    pub(crate) fn place(&self, points: [DVec3; 3]) -> [DVec3; 3] {
        points.map(|x| self.between.b_in_a(x))
    }

    /// About how low points of the body reach along a direction: that is turned into its frame, and not they out of it.
    #[inline]
    pub(crate) fn lowest(&self, n: DVec3, points: &[DVec3; 3]) -> f64 {
        let own = self.turn().transpose() * n;
        let [a, b, c] = points.map(|x| own.dot(x));
        a.min(b).min(c) + n.dot(self.between.shift())
    }

    /// The map of one of the convex sets.
    pub(crate) fn leaf(&self, number: u32) -> &Between {
        &self.leaves[number as usize]
    }

    /// Where a place of another spot is at this one, if it is fixed to the body; rounded.
    pub(crate) fn carried(&self, from: &Spot, place: DVec3) -> DVec3 {
        self.centre + self.turn() * (from.turn().transpose() * (place - from.centre))
    }
}
