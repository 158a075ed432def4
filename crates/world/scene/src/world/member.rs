//! A body of a world, and what many pairs need to know of it in a step: computed once.

use super::filter::Layers;
use crate::extent::Extent;
use kontakt_bounds::Aabb;
use kontakt_broad::BoxId;
use kontakt_math::round::{add_up, length_up};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_pair::{Body, Placed};

/// A body that hangs in the tree.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) body: Body,
    /// Its place in the tree.
    pub(super) slot: u32,
    pub(super) layers: Layers,
    pub(super) box_id: BoxId,
    /// Around it where it is.
    pub(super) around: Aabb,
    /// A ball around it, in its own frame; the radius is infinite for unbounded bodies.
    ball: (DVec3, f64),
    /// The vertex of its faces farthest from its origin, where faces use all vertices there are.
    farthest: Option<DVec3>,
    /// It was put elsewhere, or its rules changed, since the last step.
    pub(super) changed: bool,
    /// Its place among the bodies that move in this step.
    pub(super) mover: Option<u32>,
}

/// Room beyond what is computed, as a part of a box's size: a motion that is cut short is rounded anew.
const ROOM: f64 = 1e-9;

impl Member {
    /// A body at a pose; `None` where it has no box in the doubles.
    pub(super) fn new(body: Body, slot: u32, pose: Pose, box_id: BoxId) -> Member {
        let own = Extent::of(&Placed::at_rest(&body)).aabb();
        let around = Extent::of(&Placed::new(&body, pose)).aabb();
        let (ball, farthest) = (ball_around(&own), farthest_vertex(&body));
        Member {
            body,
            slot,
            layers: Layers::default(),
            box_id,
            around,
            ball,
            farthest,
            changed: true,
            mover: None,
        }
    }

    /// A ball around it, in its own frame.
    pub(super) fn ball(&self) -> (DVec3, f64) {
        self.ball
    }

    /// The radius of a ball around it; infinite for unbounded bodies.
    pub(super) fn radius(&self) -> f64 {
        self.ball.1
    }

    /// The box of the body at a pose.
    ///
    /// Proof for faces: the rounding of a vertex's image grows with its distance from the origin, so that of the farthest covers all.
    pub(super) fn box_at(&self, pose: Pose) -> Aabb {
        let (Some(farthest), Some(mesh)) = (self.farthest, self.body.surface()) else {
            return Extent::of(&Placed::new(&self.body, pose)).aabb();
        };
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &vertex in mesh.faces().vertices() {
            let there = pose.apply(vertex);
            (min, max) = (min.min(there), max.max(there));
        }
        grown(&Aabb { min, max }, add_up(pose.apply_error(farthest), self.body.deviation()))
    }

    /// **Never less** than the way any of its points travels between two times of a motion, or from its beginning to the pose that
    /// is stored at its end, which is rounded.
    pub(super) fn travel(&self, motion: &Motion) -> f64 {
        if matches!(motion, Motion::Rest(_)) {
            return 0.0;
        }
        let (centre, radius) = self.ball;
        add_up(motion.displacement_bound(centre, radius, 0.0, 1.0), motion.rounding_at(1.0, centre, radius))
    }

    /// A box that holds the body at every time of a motion that begins where it is.
    ///
    /// Proof: between two knots every point lies within the bow bound of the segment between its places at the knots, and both places lie
    /// in the hull of the boxes there.
    pub(super) fn swept_box(&self, motion: &Motion) -> Aabb {
        let mut hull = self.around;
        let mut extend = |pose: Pose| {
            let there = self.box_at(pose);
            hull = Aabb { min: hull.min.min(there.min), max: hull.max.max(there.max) };
        };
        let bow = |motion: &Motion| motion.bow_bound(self.ball.0, self.ball.1, 0.0, 1.0);
        let bow = match motion {
            Motion::Rest(_) => 0.0,
            Motion::Path(path) => {
                path.poses().iter().skip(1).copied().for_each(&mut extend);
                let pieces = 0..path.poses().len().saturating_sub(1);
                pieces.filter_map(|piece| path.segment(piece)).map(|piece| bow(&piece)).fold(0.0, f64::max)
            }
            motion => {
                extend(motion.pose_at(1.0));
                bow(motion)
            }
        };
        grown(&hull, bow)
    }

    /// The same with room for roundings of a motion that is cut short.
    pub(super) fn roomy_box(&self, motion: &Motion) -> Aabb {
        let swept = self.swept_box(motion);
        let size = (swept.max - swept.min).max_element() + swept.min.abs().max(swept.max.abs()).max_element();
        grown(&swept, if size.is_finite() { ROOM * size } else { 0.0 })
    }
}

/// The vertex farthest from the origin of a body of faces; none where some vertices belong to no face, or there are none.
fn farthest_vertex(body: &Body) -> Option<DVec3> {
    let faces = match body {
        Body::Mesh(mesh) => mesh.faces(),
        Body::Curved(body) => body.mesh().faces(),
        Body::Convex(_) => return None,
    };
    let mut used = vec![false; faces.vertices().len()];
    faces.triangles().as_flattened().iter().for_each(|&vertex| used[vertex as usize] = true);
    let all_used = used.iter().all(|&used| used);
    let length = |vertex: &DVec3| length_up(*vertex);
    let farthest = faces.vertices().iter().max_by(|x, y| length(x).total_cmp(&length(y)));
    farthest.copied().filter(|_| all_used)
}

/// Whether one box lies in another.
pub(super) fn holds(outer: &Aabb, inner: &Aabb) -> bool {
    outer.min.cmple(inner.min).all() && inner.max.cmple(outer.max).all()
}

fn grown(b: &Aabb, by: f64) -> Aabb {
    let up = |x: DVec3| DVec3::new(add_up(x.x, by), add_up(x.y, by), add_up(x.z, by));
    Aabb { min: -up(-b.min), max: up(b.max) }
}

/// A ball around a box.
fn ball_around(own: &Aabb) -> (DVec3, f64) {
    if !(own.min.is_finite() && own.max.is_finite()) {
        return (DVec3::ZERO, f64::INFINITY);
    }
    let centre = 0.5 * own.min + 0.5 * own.max;
    // Each difference is rounded once; 1e-15 of the corners covers that.
    let far = (own.max - centre).abs().max((centre - own.min).abs());
    let size = own.min.abs().max(own.max.abs());
    (centre, add_up(length_up(far), 4.0 * f64::EPSILON * length_up(size)))
}
