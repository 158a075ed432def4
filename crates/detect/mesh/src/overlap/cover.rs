//! Triangles that cover the polygons of a face.
//!
//! The view of the face is cut into vertical slabs at the corners. In a slab no two sides cross, so at the slab's middle they
//! have an order, and the polygons are between the first and the second, the third and the fourth, and so on.
//!
//! **What is covered.** Sides are off by the error e of their corners. Where two are so near that e may change their order at the
//! middle, they are within 2e of each other all through the slab, because they do not cross there. So each point of the polygons that
//! is not covered is within a few e of a side that has the other body on its border, or of the face's own edge, which is covered.

use super::region::{Patch, Plan, plan_of};
use super::skeleton::Corner;
use crate::relation::Space;
use kontakt_math::DVec3;

pub(super) type Triangle = [DVec3; 3];

/// Triangles in A's frame.
pub(super) fn triangles(space: &Space, corners: &[Corner], patch: &Patch) -> Vec<Triangle> {
    let at = |corner: u32| corners[corner as usize].at;
    if let &[[p, q], [r, s], [t, u]] = patch.bounds.as_slice() {
        // Sides of one triangle, in whatever order.
        if [p, r, t].iter().all(|corner| [q, s, u].contains(corner)) {
            return vec![[at(p), at(r), at(t)]];
        }
    }
    let Some((plan, _)) = plan_of(space, patch.side, patch.face) else { return Vec::new() };
    let mut sides: Vec<[DVec3; 2]> =
        patch.bounds.iter().map(|&[p, q]| upward(&plan, [at(p), at(q)])).collect();
    sides.sort_by(|s, t| plan.view(s[0]).x.total_cmp(&plan.view(t[0]).x));
    let mut borders: Vec<f64> = sides.as_flattened().iter().map(|&x| plan.view(x).x).collect();
    borders.sort_by(f64::total_cmp);
    borders.dedup();
    let mut found = Vec::new();
    let (mut next, mut active): (usize, Vec<[DVec3; 2]>) = (0, Vec::new());
    for slab in borders.windows(2) {
        let (left, right) = (slab[0], slab[1]);
        active.retain(|side| plan.view(side[1]).x > left);
        while let Some(side) = sides.get(next).filter(|side| plan.view(side[0]).x <= left) {
            if plan.view(side[1]).x > left {
                active.push(*side);
            }
            next += 1;
        }
        let middle = 0.5 * (left + right);
        let mut order: Vec<(f64, &[DVec3; 2])> =
            active.iter().map(|side| (plan.view(point_at(&plan, side, middle)).y, side)).collect();
        order.sort_by(|s, t| s.0.total_cmp(&t.0));
        for strip in order.chunks_exact(2) {
            let [below, above] = [strip[0].1, strip[1].1];
            let [a, b] = [left, right].map(|x| point_at(&plan, below, x));
            let [d, c] = [left, right].map(|x| point_at(&plan, above, x));
            found.push([a, b, c]);
            if a != d {
                found.push([a, c, d]);
            }
        }
    }
    found
}

fn upward(plan: &Plan, [p, q]: [DVec3; 2]) -> [DVec3; 2] {
    if plan.view(p).x <= plan.view(q).x { [p, q] } else { [q, p] }
}

/// The point of a side above a place of the view.
fn point_at(plan: &Plan, [p, q]: &[DVec3; 2], x: f64) -> DVec3 {
    let (from, to) = (plan.view(*p).x, plan.view(*q).x);
    let part = (x - from) / (to - from);
    if part <= 0.0 {
        *p
    } else if part >= 1.0 {
        *q
    } else {
        *p + (*q - *p) * part
    }
}
