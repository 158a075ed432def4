//! Bodies and motions for the tests and examples of `rigid_ccd`, and for `cargo xtask bench moving`.

pub mod flights;
pub mod hunt;

use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_shapes::FaceSet;

/// A mesh of sound faces.
pub fn mesh(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Mesh {
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

/// A closed sphere of radius about 1 with bumps, 4n(n − 1) triangles.
pub fn bumpy_sphere(n: usize, height: f64) -> Mesh {
    use std::f64::consts::{PI, TAU};
    let around = 2 * n;
    let mut vertices = vec![DVec3::Z];
    for ring in 1..n {
        let polar = PI * ring as f64 / n as f64;
        for step in 0..around {
            let azimuth = TAU * step as f64 / around as f64;
            let radius = 1.0 + height * (5.0 * azimuth).sin() * (7.0 * polar).sin();
            let (s, c) = polar.sin_cos();
            vertices.push(DVec3::new(radius * s * azimuth.cos(), radius * s * azimuth.sin(), radius * c));
        }
    }
    vertices.push(-DVec3::Z);
    let last = vertices.len() as u32 - 1;
    let at = |ring: usize, step: usize| (1 + (ring - 1) * around + step % around) as u32;
    let mut triangles = Vec::new();
    for step in 0..around {
        triangles.push([0, at(1, step), at(1, step + 1)]);
        triangles.push([last, at(n - 1, step + 1), at(n - 1, step)]);
        for ring in 1..n - 1 {
            let [a, b, c, d] =
                [at(ring, step), at(ring, step + 1), at(ring + 1, step), at(ring + 1, step + 1)];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    mesh(vertices, triangles)
}

/// A closed torus around z with a wavy tube, 2·n·m triangles.
pub fn wavy_torus(n: usize, m: usize, tube: f64, wave: f64) -> Mesh {
    use std::f64::consts::TAU;
    let mut vertices = Vec::new();
    for i in 0..n {
        let u = TAU * i as f64 / n as f64;
        for j in 0..m {
            let v = TAU * j as f64 / m as f64;
            let r = tube * (1.0 + wave * (9.0 * u).sin() * (3.0 * v).cos());
            let ring = 1.0 + r * v.cos();
            vertices.push(DVec3::new(ring * u.cos(), ring * u.sin(), r * v.sin()));
        }
    }
    let at = |i: usize, j: usize| ((i % n) * m + j % m) as u32;
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..m {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    mesh(vertices, triangles)
}

/// Random numbers for poses.
pub struct Dice(pub fastrand::Rng);

impl Dice {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Dice {
        Dice(fastrand::Rng::with_seed(seed))
    }

    /// In [−1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.0.f64() - 1.0
    }

    /// Each coordinate in [−1, 1).
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    /// A unit vector.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// By up to 180° about any axis.
    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.signed() * std::f64::consts::PI)
    }

    /// Turned somehow.
    pub fn pose(&mut self, place: DVec3) -> Pose {
        Pose::new(self.rotation(), place).expect("finite")
    }

    /// A turn of up to 170° on top of a pose, and a shift.
    pub fn moved(&mut self, pose: Pose, way: DVec3) -> Pose {
        let turn = DQuat::from_axis_angle(self.direction(), self.0.f64() * 2.96);
        Pose::new((turn * pose.rotation()).normalize(), pose.translation() + way).expect("finite")
    }

    /// The ends of a way through the middle from a distance, off by up to `scatter` along each axis and turned at the end.
    pub fn ends(&mut self, far: f64, scatter: f64) -> [Pose; 2] {
        let start = self.direction() * far;
        let pose = self.pose(start);
        let way = -start * 2.0 + self.vector() * scatter;
        [pose, self.moved(pose, way)]
    }

    /// Motions of all kinds: A in the middle, at rest or moving a little, and B on such a way.
    pub fn encounter(&mut self, far: f64, scatter: f64, both: bool) -> [Motion; 2] {
        let [start, end] = self.ends(far, scatter);
        let motion_b = self.motion(start, end);
        let pose_a = self.pose(DVec3::ZERO);
        if !both {
            return [Motion::Rest(pose_a), motion_b];
        }
        let shift = self.vector();
        let end_a = self.moved(pose_a, shift);
        [self.motion(pose_a, end_a), motion_b]
    }

    /// One of the kinds of motion between two poses.
    pub fn motion(&mut self, start: Pose, end: Pose) -> Motion {
        match self.0.u32(0..8) {
            0..=2 => Motion::slerp(start, end, DVec3::ZERO).expect("finite"),
            3 => Motion::slerp(start, end, self.vector() * 0.5).expect("finite"),
            4 => Motion::nlerp(start, end, DVec3::ZERO).expect("finite"),
            5 => Motion::nlerp(start, end, self.vector() * 0.5).expect("finite"),
            6 => Motion::screw(start, end),
            _ => {
                let way = end.translation() - start.translation();
                let axis = self.direction();
                Motion::helix(
                    start,
                    start.translation() + way * 0.5 + self.vector(),
                    axis,
                    self.signed() * 9.0,
                    way.length(),
                )
                .expect("finite")
            }
        }
    }
}
