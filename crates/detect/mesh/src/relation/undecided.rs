//! What is certain about two bodies whose class is not.

use crate::space::Space;
use kontakt_answers::{Range, Relation, Side};
use kontakt_math::DVec3;
use kontakt_math::round::{add_up, length_up};

/// Undecided, with certified bounds of the signed distance: negative for overlap, which no more than the least translation along
/// an axis that separates boxes around the bodies undoes; not above 0 where the faces `met`, and never above the distance
/// of two points of the bodies.
pub(super) fn without_class(space: &Space, met: bool) -> Relation {
    let [(low_a, high_a), (low_b, high_b)] = [Side::A, Side::B].map(|side| extent(space, side));
    let out = |i: usize| add_up(high_a[i], -low_b[i]).min(add_up(high_b[i], -low_a[i])).max(0.0);
    let deepest = out(0).min(out(1)).min(out(2));
    let apart = |i: usize| add_up(high_a[i].max(high_b[i]), -low_a[i].min(low_b[i]));
    // No two points are farther apart than the corners of a box around both bodies.
    let farthest = if met { 0.0 } else { length_up(DVec3::new(apart(0), apart(1), apart(2))) };
    Relation::Undecided { bounds: Range::new(-deepest, farthest).unwrap_or(Range::ZERO) }
}

/// A box around the faces, in A's frame.
fn extent(space: &Space, side: Side) -> (DVec3, DVec3) {
    let faces = space.mesh(side).faces();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &v in faces.triangles().as_flattened() {
        let near = space.spot(side, faces.vertices()[v as usize]).near;
        low = low.min(DVec3::new(near.x.lo(), near.y.lo(), near.z.lo()));
        high = high.max(DVec3::new(near.x.hi(), near.y.hi(), near.z.hi()));
    }
    (low, high)
}
