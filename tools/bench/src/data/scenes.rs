//! Pairs of meshes and poses for the questions between two bodies: the same for everybody, from fixed seeds.

use crate::data::files;
use crate::data::writers::raw_scene;
use crate::product;
use kontakt::math::DVec3;
use kontakt::shapes::{FaceSet, FaceSetError, make};
use std::path::Path;
use testkit::Generator;

/// Vertices and triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlainMesh {
    /// Coordinates in the body's frame.
    pub(crate) vertices: Vec<[f64; 3]>,
    /// Corners.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// A translation and a quaternion, x y z w.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainPose {
    /// Where the origin goes.
    pub(crate) translation: [f64; 3],
    /// Of unit length, up to rounding.
    pub(crate) rotation: [f64; 4],
}

/// A rests, B is asked about at each pose.
pub(crate) struct Scene {
    /// Name in tables.
    pub(crate) name: &'static str,
    /// The body at rest.
    pub(crate) a: PlainMesh,
    /// The body that is placed.
    pub(crate) b: PlainMesh,
    /// World from B.
    pub(crate) poses: Vec<PlainPose>,
}

/// How many poses a scene has.
pub(crate) const POSES: usize = 1000;

impl Scene {
    /// FCL's own pair in its own units: the robot's middle is anywhere in the inner part of the environment.
    pub(crate) fn of_fcl() -> Result<Scene, String> {
        let files = files::real_meshes()?;
        let mesh = |name: &str| {
            let path = files.iter().find(|path| files::short_name(path) == name);
            product::read::plain_mesh(path.ok_or_else(|| format!("{name} is not there"))?)
        };
        let (a, b) = (mesh("env.obj")?, mesh("rob.obj")?);
        let (low, high) = a.bounds();
        let middle = b.middle();
        let poses = poses(1, |u| {
            let place: [f64; 3] = std::array::from_fn(|k| {
                low[k].midpoint(high[k]) + ENVIRONMENT_REACH * (high[k] - low[k]) / 2.0 * u[k]
            });
            (place, middle)
        });
        Ok(Scene { name: "env × rob", a, b, poses })
    }

    /// Two figures of about 87k and 70k triangles with radius 1; the middles are at most `FIGURE_REACH` apart along each axis.
    pub(crate) fn figures() -> Result<Scene, FaceSetError> {
        let a = PlainMesh::unit(&make::knobbly(66, 24, 1)?);
        let b = PlainMesh::unit(&make::knobbly(59, 40, 2)?);
        let poses = poses(2, |u| (u.map(|x| FIGURE_REACH * x), [0.0; 3]));
        Ok(Scene { name: "figure × figure", a, b, poses })
    }

    /// A sheet of 200k triangles and a figure of 87k, both with radius 1.
    pub(crate) fn terrain() -> Result<Scene, FaceSetError> {
        let a = PlainMesh::unit(&make::terrain(316, 0.12)?);
        let b = PlainMesh::unit(&make::knobbly(66, 24, 1)?);
        let poses = poses(3, |[x, y, z]| ([0.8 * x, 0.8 * y, TERRAIN_LIFT * z], [0.0; 3]));
        Ok(Scene { name: "terrain × figure", a, b, poses })
    }

    /// Writes everything for drivers in other processes (format: `peers/mesh_server.hpp`).
    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        raw_scene(path, self).map_err(|problem| format!("{}: {problem}", path.display()))
    }

    /// "87120 × 69620 triangles".
    pub(crate) fn size(&self) -> String {
        format!("{} × {}", self.a.triangles.len(), self.b.triangles.len())
    }
}

/// Chosen so that about half of the poses collide.
const ENVIRONMENT_REACH: f64 = 0.7;
const FIGURE_REACH: f64 = 1.3;
const TERRAIN_LIFT: f64 = 1.5;

/// Uniform rotations; `place` turns three numbers in [−1, 1] into where B's `middle` goes.
fn poses(seed: u64, place: impl Fn([f64; 3]) -> ([f64; 3], [f64; 3])) -> Vec<PlainPose> {
    let mut generator = Generator::free(seed);
    let mut pose = || {
        let rotation = generator.quaternion();
        let (target, middle) = place(generator.point());
        let turned = turn(rotation, middle);
        PlainPose { translation: std::array::from_fn(|k| target[k] - turned[k]), rotation }
    };
    (0..POSES).map(|_| pose()).collect()
}

/// The vector turned by a unit quaternion, rounded: good enough to choose where to put a body.
pub(crate) fn turn([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let axis = [x, y, z];
    let side = cross(axis, v);
    let bent = cross(axis, side);
    std::array::from_fn(|k| v[k] + 2.0 * (w * side[k] + bent[k]))
}

impl PlainMesh {
    /// The mesh as it is.
    pub(crate) fn of(faces: &FaceSet) -> PlainMesh {
        PlainMesh {
            vertices: faces.vertices().iter().map(DVec3::to_array).collect(),
            triangles: faces.triangles().to_vec(),
        }
    }

    /// The mesh moved and scaled so that its box is centred and its farthest vertex has distance 1.
    pub(crate) fn unit(faces: &FaceSet) -> PlainMesh {
        let mut mesh = PlainMesh::of(faces);
        let middle = mesh.middle();
        let centred = |v: &[f64; 3]| -> [f64; 3] { std::array::from_fn(|k| v[k] - middle[k]) };
        let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let radius = mesh.vertices.iter().map(|v| length(centred(v))).fold(0.0, f64::max);
        for vertex in &mut mesh.vertices {
            *vertex = centred(vertex).map(|x| x / radius);
        }
        mesh
    }

    /// Least and largest coordinates.
    pub(crate) fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let mut bounds = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for vertex in &self.vertices {
            for (k, &x) in vertex.iter().enumerate() {
                bounds.0[k] = bounds.0[k].min(x);
                bounds.1[k] = bounds.1[k].max(x);
            }
        }
        bounds
    }

    /// Middle of the box along the axes.
    pub(crate) fn middle(&self) -> [f64; 3] {
        let (low, high) = self.bounds();
        std::array::from_fn(|k| low[k].midpoint(high[k]))
    }

    /// The corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [[f64; 3]; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }
}
