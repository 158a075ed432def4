//! Bodies and the ways of writing them down that must not change an answer.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_shapes::FaceSet;
use testkit::Generator;

/// Vertices and triangles.
#[derive(Clone, Debug)]
pub struct Shape {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    pub fn new((vertices, triangles): (Vec<[f64; 3]>, Vec<[u32; 3]>)) -> Shape {
        Shape { vertices: vertices.into_iter().map(DVec3::from_array).collect(), triangles }
    }

    pub fn block(low: [f64; 3], high: [f64; 3]) -> Shape {
        let (l, h) = (DVec3::from_array(low), DVec3::from_array(high));
        let corner = |i: u32| {
            DVec3::new(
                if i & 1 == 0 { l.x } else { h.x },
                if i & 2 == 0 { l.y } else { h.y },
                if i & 4 == 0 { l.z } else { h.z },
            )
        };
        let quads: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        Shape { vertices: (0..8).map(corner).collect(), triangles }
    }

    pub fn tetrahedron(points: [[f64; 3]; 4]) -> Shape {
        Shape {
            vertices: points.map(DVec3::from_array).to_vec(),
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        }
    }

    /// A pyramid over a square of half width 1 at the height of `base`, with its tip at `tip`.
    pub fn pyramid(base: f64, tip: [f64; 3]) -> Shape {
        let corner = |x: f64, y: f64| DVec3::new(x, y, base);
        Shape {
            vertices: vec![
                corner(-1., -1.),
                corner(1., -1.),
                corner(1., 1.),
                corner(-1., 1.),
                DVec3::from_array(tip),
            ],
            triangles: vec![[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
        }
    }

    /// A sheet of one square in the plane z = `height`.
    pub fn square(low: [f64; 2], high: [f64; 2], height: f64) -> Shape {
        let corner = |x: f64, y: f64| DVec3::new(x, y, height);
        Shape {
            vertices: vec![
                corner(low[0], low[1]),
                corner(high[0], low[1]),
                corner(high[0], high[1]),
                corner(low[0], high[1]),
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    #[must_use]
    pub fn with(mut self, other: &Shape) -> Shape {
        let start = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + start)));
        self
    }

    #[must_use]
    pub fn map(&self, f: impl Fn(DVec3) -> DVec3) -> Shape {
        Shape { vertices: self.vertices.iter().map(|&v| f(v)).collect(), triangles: self.triangles.clone() }
    }

    #[must_use]
    pub fn moved(&self, x: f64, y: f64, z: f64) -> Shape {
        self.map(|v| v + DVec3::new(x, y, z))
    }

    /// Each triangle cut into four at the middles of its edges.
    #[must_use]
    pub fn refined(&self) -> Shape {
        let mut shape = Shape { vertices: self.vertices.clone(), triangles: Vec::new() };
        for t in &self.triangles {
            let [a, b, c] = t.map(|v| self.vertices[v as usize]);
            let first = shape.vertices.len() as u32;
            shape.vertices.extend([(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5]);
            let [ab, bc, ca] = [first, first + 1, first + 2];
            shape.triangles.extend([[t[0], ab, ca], [ab, t[1], bc], [ca, bc, t[2]], [ab, bc, ca]]);
        }
        shape
    }

    /// The same faces in another order, with other first corners, some turned round.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Shape {
        let mut random = Generator::grid(seed);
        let n = self.vertices.len();
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, random.index(i + 1));
        }
        let mut place = vec![0_u32; n];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new as u32);
        let mut triangles: Vec<[u32; 3]> = self
            .triangles
            .iter()
            .map(|t| {
                let mut t = t.map(|v| place[v as usize]);
                t.rotate_left(random.index(3));
                if random.index(2) == 0 {
                    t.swap(0, 1);
                }
                t
            })
            .collect();
        for i in (1..triangles.len()).rev() {
            triangles.swap(i, random.index(i + 1));
        }
        Shape { vertices: order.iter().map(|&old| self.vertices[old]).collect(), triangles }
    }

    pub fn mesh(&self) -> Mesh {
        Mesh::with_threads(FaceSet::from_triangles(self.vertices.clone(), self.triangles.clone()).unwrap(), 1)
            .unwrap()
    }
}

/// Rotations that are exact on doubles, with their images of axes.
pub fn exact_turns() -> Vec<DQuat> {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    vec![
        DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        DQuat::from_xyzw(-0.5, 0.5, -0.5, 0.5),
        DQuat::from_xyzw(0.0, 0.0, s, s),
        DQuat::from_xyzw(s, 0.0, 0.0, -s),
        DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
    ]
}

/// R(q)ᵀ·v for a turn that takes axes to axes, exactly.
pub fn turned_back(q: DQuat, v: DVec3) -> DVec3 {
    let rows = kontakt_math::DMat3::from_quat(q.conjugate().normalize());
    let clean = |x: f64| x.round();
    let m = kontakt_math::DMat3::from_cols(
        rows.x_axis.map(clean),
        rows.y_axis.map(clean),
        rows.z_axis.map(clean),
    );
    m * v
}

pub fn pose(q: DQuat, t: DVec3) -> Pose {
    Pose::new(q, t).unwrap()
}
