//! Scenes and hands that the tests share.
#![allow(dead_code, reason = "each test binary uses some of these")]

use kontakt_drag::{Drag, DragOptions, Obstacle};
use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::{Body, Moving, Placed, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_shapes::FaceSet;
use testbodies::moving::block;

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).unwrap()
}

pub(crate) fn obstacle(name: &str, body: Body, pose: Pose) -> Obstacle {
    Obstacle { name: name.into(), body, pose }
}

pub(crate) fn mesh(faces: FaceSet) -> Body {
    Body::mesh(Mesh::with_threads(faces, 1).unwrap())
}

pub(crate) fn cube(half: DVec3) -> Body {
    Body::mesh(block(half))
}

/// Bodies of a scene, kept beside the drag so that tests can ask exactly.
pub(crate) struct Stage {
    pub(crate) body: Body,
    pub(crate) start: Pose,
    pub(crate) obstacles: Vec<Obstacle>,
}

impl Stage {
    pub(crate) fn drag(&self, options: DragOptions) -> Drag {
        Drag::new(self.body.clone(), self.start, self.obstacles.clone(), options).unwrap()
    }

    /// Whether the body is proven to meet nothing at a pose: exact for meshes.
    pub(crate) fn is_free(&self, query: &mut Query, pose: Pose) -> bool {
        let own = Placed::new(&self.body, pose);
        self.obstacles.iter().all(|o| query.any_contact(own, Placed::new(&o.body, o.pose)) == Some(false))
    }

    /// Whether another method than the drag's own proves the way between two poses free.
    pub(crate) fn way_is_free(&self, query: &mut Query, drag: &Drag, from: Pose, to: Pose) -> bool {
        let motion = Motion::slerp(from, to, drag.pivot()).unwrap();
        self.obstacles.iter().all(|o| {
            let rest = Motion::Rest(o.pose);
            let (own, other) = (Moving::new(&self.body, &motion), Moving::new(&o.body, &rest));
            query.first_contact(own, other, &MotionOptions::default()).free_until() >= 1.0
        })
    }
}
