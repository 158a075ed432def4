//! Binned cost for collision instead of rays: the volume of the child grown by the opponent's size.

use super::{Method, Rule, Split, SplitSet};
use crate::build::binned::split_by;
use crate::build::workpiece::{NOTHING, Workpiece, union};
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;
use std::f64::consts::PI;

pub(super) const METHODS: &[Method] = &[
    Method::new("steiner", "like sah, for an opponent of fixed size: volume of the box grown by it", |w| {
        Box::new(Steiner::new(w, Opponent::OfBody))
    }),
    Method::new("steiner-node", "like steiner, for an opponent that shrinks with the node", |w| {
        Box::new(Steiner::new(w, Opponent::OfNode))
    }),
];

/// Which size the opponent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opponent {
    /// The same at every node: a multiple of the body's size. What a tree meets that is descended alone.
    OfBody,
    /// A multiple of the node's size: two trees descended together.
    OfNode,
}

/// Like the surface-area heuristic, with the chance that an opponent of radius r meets the child: the volume of its box
/// grown by r, V + S·r + π(a+b+c)·r² + 4/3·π·r³ for edges a, b, c (Steiner's formula). The plan's `opponent` is r as a
/// multiple of half the diagonal of the body or of the node. With r = 0 volume counts, with large r the sum of the edges.
struct Steiner {
    opponent: Opponent,
    /// Half the diagonal of the body's box, in working coordinates.
    body: f64,
}

impl Steiner {
    /// For a body.
    fn new(workpiece: &Workpiece<'_>, opponent: Opponent) -> Steiner {
        let around = workpiece.boxes.iter().fold(NOTHING, |sum, b| union(&sum, b));
        Steiner { opponent, body: half_diagonal(&around) }
    }
}

impl Rule for Steiner {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        let own = match self.opponent {
            Opponent::OfBody => self.body,
            Opponent::OfNode => half_diagonal(&set.workpiece.box_around(set.faces)),
        };
        let radius = own * set.workpiece.plan.opponent;
        split_by(set, parts, |half| grown_volume(half, radius))
    }
}

fn half_diagonal(around: &Aabb) -> f64 {
    (around.max - around.min).length() * 0.5
}

/// Volume of a box of these half widths and of all that is within `radius` of it.
fn grown_volume(half: DVec3, radius: f64) -> f64 {
    let w = half * 2.0;
    let volume = w.x * w.y * w.z;
    let surface = 2.0 * (w.x * w.y + w.y * w.z + w.z * w.x);
    volume + radius * (surface + radius * PI * (w.element_sum() + 4.0 / 3.0 * radius))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box grown by r is the box, six slabs, twelve quarter cylinders and eight eighths of a ball.
    #[test]
    fn grown_volume_is_the_sum_of_its_pieces() {
        let (half, r) = (DVec3::new(1.0, 2.0, 3.0), 0.5);
        let quarter_cylinders = 4.0 * 0.25 * PI * r * r * (2.0 + 4.0 + 6.0);
        let pieces = 48.0 + 88.0 * r + quarter_cylinders + 4.0 / 3.0 * PI * r * r * r;
        assert!((grown_volume(half, r) - pieces).abs() < 1e-12);
        assert_eq!(grown_volume(DVec3::ZERO, 1.0), 4.0 / 3.0 * PI);
    }
}
