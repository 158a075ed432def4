//! Blocks and poses for the tests of this crate.
#![allow(unreachable_pub, reason = "a module of a test has no outside")]

use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_shapes::FaceSet;

fn mesh(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::with_threads(FaceSet::from_triangles(vertices, triangles).expect("sound faces"), 1).expect("mesh")
}

/// A box around the origin with these half extents.
pub fn block(half: DVec3) -> Mesh {
    let corner = |i: u32| {
        let sign = |bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        half * DVec3::new(sign(1), sign(2), sign(4))
    };
    let quads: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    mesh((0..8).map(corner).collect(), triangles)
}

/// Random numbers for poses.
pub struct Dice(pub fastrand::Rng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(fastrand::Rng::with_seed(seed))
    }

    pub fn signed(&mut self) -> f64 {
        2.0 * self.0.f64() - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.signed() * std::f64::consts::PI)
    }

    pub fn pose(&mut self, place: DVec3) -> Pose {
        Pose::new(self.rotation(), place).expect("finite")
    }

    /// A turn of up to 170° on top of a pose, and a shift.
    pub fn moved(&mut self, pose: Pose, way: DVec3) -> Pose {
        let turn = DQuat::from_axis_angle(self.direction(), self.0.f64() * 2.96);
        Pose::new((turn * pose.rotation()).normalize(), pose.translation() + way).expect("finite")
    }
}
