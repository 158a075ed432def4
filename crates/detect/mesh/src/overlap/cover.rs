//! Triangles that cover the polygons of a face.
//!
//! The view of the face is cut into vertical slabs at the corners. In a slab no two sides cross, so at the slab's middle they
//! have an order, and the polygons are between the first and the second, the third and the fourth, and so on.
//!
//! **What is covered.** Sides are off by the error e of their corners. Where two are so near that e may change their order at the
//! middle, they are within 2e of each other all through the slab, because they do not cross there. So each point of the polygons that
//! is not covered is within a few e of a side that has the other body on its border, or of the face's own edge, which is covered.

use super::outward;
use super::skeleton::{Bound, Corner};
use crate::space::Space;
use kontakt_answers::Side;
use kontakt_math::{DVec2, DVec3};

pub(super) type Triangle = [DVec3; 3];

/// A part of a face's polygons, in A's frame, and a corner of each of the two sides it lies between.
pub(super) struct Strip {
    pub(super) triangle: Triangle,
    pub(super) corners: [u32; 2],
}

/// A face seen along an axis that keeps an area.
struct Plan {
    axis: usize,
}

impl Plan {
    /// `None` for a face without an area in doubles.
    fn of(space: &Space, side: Side, face: u32) -> Option<Plan> {
        let mesh = space.mesh(side);
        let vertices = mesh.faces().vertices();
        let place = |v: u32| space.spot(side, vertices[v as usize]).rounded().0;
        let [a, b, c] = outward::corners(mesh, outward::turns(mesh)?, face).map(place);
        let normal = (b - a).cross(c - a);
        (normal.length_squared() > 0.0 && normal.is_finite())
            .then(|| Plan { axis: normal.abs().max_position() })
    }

    fn view(&self, x: DVec3) -> DVec2 {
        DVec2::new(x[(self.axis + 1) % 3], x[(self.axis + 2) % 3])
    }
}

/// A side of a polygon from left to right, and one of its corners.
#[derive(Clone, Copy)]
struct Line {
    ends: [DVec3; 2],
    corner: u32,
}

/// The polygons of one face in strips.
pub(super) fn strips(space: &Space, corners: &[Corner], bounds: &[Bound]) -> Vec<Strip> {
    let at = |corner: u32| corners[corner as usize].at;
    if let [p, q, r] = bounds
        && [p.from, q.from, r.from].iter().all(|corner| [p.to, q.to, r.to].contains(corner))
    {
        // Sides of one triangle, in whatever order.
        let triangle = [p, q, r].map(|bound| at(bound.from));
        return vec![Strip { triangle, corners: [p.from, q.from] }];
    }
    let Some(plan) = Plan::of(space, bounds[0].side, bounds[0].face) else {
        return whole_face(space, bounds);
    };
    let line =
        |bound: &Bound| Line { ends: upward(&plan, [at(bound.from), at(bound.to)]), corner: bound.from };
    let mut lines: Vec<Line> = bounds.iter().map(line).collect();
    lines.sort_by(|s, t| plan.view(s.ends[0]).x.total_cmp(&plan.view(t.ends[0]).x));
    let mut borders: Vec<f64> = lines.iter().flat_map(|line| line.ends).map(|x| plan.view(x).x).collect();
    borders.sort_by(f64::total_cmp);
    borders.dedup();
    let mut found = Vec::new();
    let (mut next, mut active): (usize, Vec<Line>) = (0, Vec::new());
    for slab in borders.windows(2) {
        let (left, right) = (slab[0], slab[1]);
        active.retain(|line| plan.view(line.ends[1]).x > left);
        while let Some(line) = lines.get(next).filter(|line| plan.view(line.ends[0]).x <= left) {
            if plan.view(line.ends[1]).x > left {
                active.push(*line);
            }
            next += 1;
        }
        let middle = 0.5 * (left + right);
        let mut order: Vec<(f64, &Line)> =
            active.iter().map(|line| (plan.view(point_at(&plan, &line.ends, middle)).y, line)).collect();
        order.sort_by(|s, t| s.0.total_cmp(&t.0));
        for strip in order.chunks_exact(2) {
            let [below, above] = [strip[0].1, strip[1].1];
            let [a, b] = [left, right].map(|x| point_at(&plan, &below.ends, x));
            let [d, c] = [left, right].map(|x| point_at(&plan, &above.ends, x));
            let corners = [below.corner, above.corner];
            found.push(Strip { triangle: [a, b, c], corners });
            if a != d {
                found.push(Strip { triangle: [a, c, d], corners });
            }
        }
    }
    found
}

/// A face without an area in doubles, in place of what of it lies in the other body.
fn whole_face(space: &Space, bounds: &[Bound]) -> Vec<Strip> {
    let Some(&Bound { side, face, from, .. }) = bounds.first() else { return Vec::new() };
    let triangle = space.corners(side, face).map(|spot| spot.rounded().0);
    vec![Strip { triangle, corners: [from, from] }]
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
