//! Random meshes, polytopes and poses.

#![allow(dead_code, reason = "each test uses a part of it")]

use kontakt_convex::{Core, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_shapes::FaceSet;

/// Random sets in two modes: small whole numbers, so that touching, flat and equal things arise by themselves, and any numbers.
pub(crate) struct Generator(pub(crate) fastrand::Rng);

impl Generator {
    /// A coordinate: a small integer or any number of that size.
    pub(crate) fn number(&mut self, grid: bool, size: i32) -> f64 {
        if grid { f64::from(self.0.i32(-size..=size)) } else { (self.0.f64() * 2.0 - 1.0) * f64::from(size) }
    }

    pub(crate) fn point(&mut self, grid: bool, size: i32) -> DVec3 {
        DVec3::new(self.number(grid, size), self.number(grid, size), self.number(grid, size))
    }

    /// A sharp polytope: box, hull, triangle, segment or point; also without an inside.
    pub(crate) fn polytope(&mut self, grid: bool) -> Shape {
        match self.0.u32(0..8) {
            0 => Shape::point(),
            1 => Shape::segment([self.point(grid, 2), self.point(grid, 2)]).unwrap(),
            2 => Shape::triangle([0; 3].map(|_| self.point(grid, 2))).unwrap(),
            3..=5 => Shape::cuboid(self.point(grid, 2).abs()).unwrap(),
            _ => {
                let points: Vec<DVec3> = (0..self.0.usize(4..9)).map(|_| self.point(grid, 2)).collect();
                Shape::hull(&points).unwrap()
            }
        }
    }

    /// Surfaces of one to three polytopes (disjoint, nested, crossing), or open triangles.
    pub(crate) fn faces(&mut self, grid: bool) -> FaceSet {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        let mut add = |corners: Vec<DVec3>, faces: Vec<[u32; 3]>| {
            let first = vertices.len() as u32;
            vertices.extend(corners);
            triangles.extend(faces.into_iter().map(|t| t.map(|v| v + first)));
        };
        if self.0.u32(0..5) == 0 {
            for _ in 0..self.0.u32(1..4) {
                add([0; 3].map(|_| self.point(grid, 2)).to_vec(), vec![[0, 1, 2]]);
            }
        } else {
            for _ in 0..self.0.u32(1..4) {
                let surface = self.polytope(grid).surface().unwrap();
                let offset = self.point(grid, 2);
                add(surface.vertices.into_iter().map(|x| x + offset).collect(), surface.triangles);
            }
        }
        FaceSet::from_triangles(vertices, triangles).unwrap()
    }

    /// A mesh, a shape and their poses: nearly always close to each other; now and then the mesh is the shape's own boundary.
    pub(crate) fn scene(&mut self, grid: bool) -> (Mesh, Shape, [Pose; 2]) {
        let shape = self.polytope(grid);
        let poses = [self.pose(grid), self.pose(grid)];
        if self.0.u32(0..20) == 0 {
            return (as_mesh(&shape), shape, [poses[0]; 2]);
        }
        (Mesh::with_threads(self.faces(grid), 1).unwrap(), shape, poses)
    }

    pub(crate) fn pose(&mut self, grid: bool) -> Pose {
        let turns = [
            DQuat::IDENTITY,
            DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0),
            DQuat::from_xyzw(1.0, 2.0, 2.0, 4.0),
        ];
        let turn = if grid {
            turns[self.0.usize(0..turns.len())]
        } else {
            let [x, y, z, w] = [0; 4].map(|_| self.number(false, 1));
            DQuat::from_xyzw(x, y, z, w + 1.5)
        };
        Pose::new(turn.normalize(), self.point(grid, 1)).unwrap()
    }
}

/// The boundary of a sharp polytope.
pub(crate) fn as_mesh(shape: &Shape) -> Mesh {
    let surface = shape.surface().unwrap();
    Mesh::with_threads(FaceSet::from_triangles(surface.vertices, surface.triangles).unwrap(), 1).unwrap()
}

/// How many random cases; `KONTAKT_CASES` for long runs.
pub(crate) fn cases() -> u64 {
    std::env::var("KONTAKT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(4000)
}

/// Whether a polytope has an inside.
pub(crate) fn has_volume(shape: &Shape) -> bool {
    match shape.core() {
        Core::Hull(hull) => hull.dimension() == 3,
        Core::Box(half) => half.min_element() > 0.0,
        _ => false,
    }
}
