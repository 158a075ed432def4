//! A cut through bodies, for a drawing of a scene.

use kontakt::math::{DVec3, Pose};
use kontakt::shapes::FaceSet;

/// A plane with its own axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) origin: DVec3,
    /// Perpendicular unit vectors.
    pub(super) right: DVec3,
    pub(super) up: DVec3,
}

impl Plane {
    /// Through a point, seen along y: x to the right, z up.
    pub(super) fn upright(origin: DVec3) -> Plane {
        Plane { origin, right: DVec3::X, up: DVec3::Z }
    }

    /// Through a point, seen from above.
    pub(super) fn level(origin: DVec3) -> Plane {
        Plane { origin, right: DVec3::X, up: DVec3::Y }
    }

    /// Where the faces of a placed body meet the plane, in the plane's axes. Rounded: for a picture.
    pub(super) fn cut(&self, faces: &FaceSet, pose: &Pose) -> Vec<[[f64; 2]; 2]> {
        let normal = self.right.cross(self.up);
        let placed: Vec<(f64, DVec3)> = faces
            .vertices()
            .iter()
            .map(|&vertex| {
                let from_origin = pose.apply(vertex) - self.origin;
                (from_origin.dot(normal), from_origin)
            })
            .collect();
        let segment = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|i| placed[i as usize]);
            let mut met = [(a, b), (b, c), (c, a)].into_iter().filter_map(|((h, p), (k, q))| {
                let crosses = (h < 0.0) != (k < 0.0);
                crosses.then(|| p.lerp(q, h / (h - k)))
            });
            let (from, to) = (met.next()?, met.next()?);
            Some([from, to].map(|p| [p.dot(self.right), p.dot(self.up)]))
        };
        faces.triangles().iter().filter_map(segment).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt::shapes::make;

    #[test]
    fn a_cut_through_a_nut_shows_its_wall_twice() {
        let nut = make::hex_nut(2.0, 1.0, 1.0, 24).unwrap();
        let cut = Plane::upright(DVec3::Y * 0.01).cut(&nut, &Pose::IDENTITY);
        let xs = || cut.iter().flatten().map(|p| p[0]);
        // Wall from the bore's radius ½ to the corner's 1, on either side; nothing in the bore.
        assert!(xs().all(|x| (0.49..=1.0).contains(&x.abs())), "{cut:?}");
        assert!(xs().any(|x| x > 0.9) && xs().any(|x| x < -0.9));
        assert!(cut.iter().flatten().all(|p| p[1].abs() <= 0.5 + 1e-12));
    }
}
