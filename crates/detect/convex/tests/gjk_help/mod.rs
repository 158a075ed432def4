//! Bodies for the tests of GJK, kept beside the plain numbers that oracles need.

#![allow(dead_code, reason = "each test file uses a part")]

use kontakt_convex::Shape;
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::generate::Generator;
use testkit::rational::{Vector, sub};

/// A polytopal body: the shape, its pose, its corners as plain numbers.
pub(crate) struct Body {
    pub(crate) shape: Shape,
    pub(crate) corners: Vec<[f64; 3]>,
    pub(crate) quaternion: [f64; 4],
    pub(crate) translation: [f64; 3],
}

impl Body {
    pub(crate) fn pose(&self) -> Pose {
        Pose::new(DQuat::from_array(self.quaternion), DVec3::from_array(self.translation)).expect("a pose")
    }

    /// Exact corners in the world.
    pub(crate) fn exact_corners(&self) -> Vec<Vector> {
        self.corners.iter().map(|x| testkit::rigid::apply(self.quaternion, self.translation, *x)).collect()
    }

    pub(crate) fn radius(&self) -> f64 {
        self.shape.radii().iter().sum()
    }
}

/// All differences of exact corners.
pub(crate) fn differences(a: &Body, b: &Body) -> Vec<Vector> {
    let b = b.exact_corners();
    a.exact_corners().iter().flat_map(|p| b.iter().map(|q| sub(p, q)).collect::<Vec<_>>()).collect()
}

/// A body of a random kind, coordinates multiplied by `stretch`; `shift` moves it along x.
pub(crate) fn body(random: &mut Generator, stretch: [f64; 3], shift: f64, margin: f64) -> Body {
    let stretched = |x: [f64; 3]| -> [f64; 3] { std::array::from_fn(|i| x[i] * stretch[i]) };
    let vectors = |xs: &[[f64; 3]]| xs.iter().map(|x| DVec3::from_array(*x)).collect::<Vec<_>>();
    let (shape, corners) = match [0, 1, 2, 3, 3, 4, 4, 4][random.index(8)] {
        0 => (Shape::point(), vec![[0.0; 3]]),
        1 => {
            let ends = [stretched(random.point()), stretched(random.point())];
            (Shape::segment(ends.map(DVec3::from_array)).expect("finite"), ends.to_vec())
        }
        2 => {
            let corners: [[f64; 3]; 3] = std::array::from_fn(|_| stretched(random.point()));
            (Shape::triangle(corners.map(DVec3::from_array)).expect("finite"), corners.to_vec())
        }
        3 => {
            let half = stretched(random.point()).map(f64::abs);
            let corner =
                |id: usize| std::array::from_fn(|i| if id >> i & 1 == 1 { half[i] } else { -half[i] });
            (Shape::cuboid(DVec3::from_array(half)).expect("finite"), (0..8).map(corner).collect())
        }
        _ => {
            let count = 1 + random.index(16);
            let points: Vec<[f64; 3]> = random.points(count).into_iter().map(stretched).collect();
            (Shape::hull(&vectors(&points)).expect("finite"), points)
        }
    };
    let mut translation = stretched(random.point()).map(|x| 0.5 * x);
    translation[0] += shift;
    let quaternion = random.quaternion();
    Body { shape: shape.with_margin(margin).expect("a margin"), corners, quaternion, translation }
}
