//! What stands around.

use crate::proxy::{leaf_box, leaves_of};
use kontakt_convex::Leaf;
use kontakt_math::round::length_up;
use kontakt_math::{DVec3, Pose};
use kontakt_pair::Body;

/// A body at rest that the dragged one must not enter.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// Its name in reports.
    pub name: String,
    /// What.
    pub body: Body,
    /// World from body.
    pub pose: Pose,
}

/// An obstacle with what is asked of it often.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) given: Obstacle,
    /// Its place in the list that was given.
    pub(crate) number: usize,
    /// A box around it in the world.
    low: DVec3,
    high: DVec3,
    /// The convex sets of a body without faces, in the world.
    pub(crate) leaves: Vec<Leaf>,
}

impl Standing {
    pub(crate) fn new(given: Obstacle, number: usize) -> Standing {
        let leaves = leaves_of(&given.body, given.pose);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        if let Some(mesh) = given.body.surface() {
            let mut error: f64 = 0.0;
            for x in mesh.faces().vertices() {
                let at = given.pose.apply(*x);
                (low, high) = (low.min(at), high.max(at));
                error = error.max(given.pose.apply_error(*x));
            }
            let error = (error + given.body.deviation()) * (1.0 + 1e-9);
            (low, high) = (low - error, high + error);
        }
        for leaf in &leaves {
            let (l, h) = leaf_box(leaf, Pose::IDENTITY);
            (low, high) = (low.min(l), high.max(h));
        }
        Standing { given, number, low, high, leaves }
    }

    /// Whether it may be within `distance` of a ball; `false` is a proof.
    ///
    /// The components of the vector from the box are rounded by u of the coordinates each, lengths by a few u of themselves: 1e-14 of
    /// both is more.
    pub(crate) fn may_be_within(&self, distance: f64, centre: DVec3, radius: f64) -> bool {
        let apart = (self.low - centre).max(centre - self.high).max(DVec3::ZERO);
        if !apart.is_finite() {
            // A box without end on the other sides still tells something on this one.
            return !apart.to_array().contains(&f64::INFINITY);
        }
        let rounding = 1e-14 * (length_up(centre) + length_up(apart) + radius + distance);
        apart.length() <= distance + radius + rounding
    }
}
