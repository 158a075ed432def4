//! Fit, merge, transform, reach and gap of boxes, slabs and k-DOPs against exact rational vertices.

use kontakt_bounds::{
    Aabb, Bound, DirectionSet, Dop6, Dop8, Dop10, Dop12, Dop14, Dop18, Dop24, Dop26, FitError, KDop, Obb,
    SlabVolume,
};
use kontakt_math::{DQuat, DVec3, Pose};
use std::sync::Arc;
use testkit::rational::{Vector, dot, exact, vector};
use testkit::{Generator, Parallelepiped, Rational, rotation, slabs};

/// The exact set of a volume, seen by its vertices and by membership.
trait ExactSet: Bound {
    fn holds(&self, point: &Vector) -> bool;
    fn vertices(&self) -> Vec<Vector>;
}

impl ExactSet for Aabb {
    fn holds(&self, p: &Vector) -> bool {
        (0..3).all(|i| exact(self.min[i]) <= p[i] && p[i] <= exact(self.max[i]))
    }
    fn vertices(&self) -> Vec<Vector> {
        self.corners().iter().map(|c| vector(c.to_array())).collect()
    }
}

fn parallelepiped(b: &Obb) -> Parallelepiped {
    Parallelepiped {
        centre: b.centre.to_array(),
        axes: [b.axes.x_axis, b.axes.y_axis, b.axes.z_axis].map(|a| a.to_array()),
        half: b.half_extents.to_array(),
    }
}

impl ExactSet for Obb {
    fn holds(&self, p: &Vector) -> bool {
        parallelepiped(self).contains(p)
    }
    fn vertices(&self) -> Vec<Vector> {
        parallelepiped(self).corners()
    }
}

fn slabs_hold(set: &DirectionSet, min: &[f64], max: &[f64], p: &Vector) -> bool {
    set.directions().iter().zip(min.iter().zip(max)).all(|(n, (min, max))| {
        let along = dot(&vector(n.to_array()), p);
        exact(*min) <= along && along <= exact(*max)
    })
}

fn slab_vertices(set: &DirectionSet, min: &[f64], max: &[f64]) -> Vec<Vector> {
    let directions: Vec<[f64; 3]> = set.directions().iter().map(DVec3::to_array).collect();
    slabs::vertices(&directions, min, max)
}

impl<const PAIRS: usize> ExactSet for KDop<PAIRS> {
    fn holds(&self, p: &Vector) -> bool {
        slabs_hold(Self::directions(), &self.min, &self.max, p)
    }
    fn vertices(&self) -> Vec<Vector> {
        slab_vertices(Self::directions(), &self.min, &self.max)
    }
}

impl ExactSet for SlabVolume {
    fn holds(&self, p: &Vector) -> bool {
        slabs_hold(self.directions(), self.min(), self.max(), p)
    }
    fn vertices(&self) -> Vec<Vector> {
        slab_vertices(self.directions(), self.min(), self.max())
    }
}

fn points(g: &mut Generator, n: usize, scale: f64, shift: f64) -> Vec<DVec3> {
    g.points(n).into_iter().map(|p| DVec3::from_array(p) * scale + shift).collect()
}

fn direction(g: &mut Generator) -> DVec3 {
    DVec3::from_array(g.point())
}

/// Everything the trait promises, for volumes made by `fit`.
fn promises<B: ExactSet>(fit: impl Fn(&[DVec3]) -> Result<B, FitError>, rounds: usize) {
    let places = [(1.0, 0.0), (1.0, 1e12), (1e300, 0.0), (1e-300, 0.0)];
    for (seed, (scale, shift)) in places.into_iter().enumerate() {
        for grid in [false, true] {
            let mut g = if grid { Generator::grid(seed as u64) } else { Generator::free(seed as u64) };
            for round in 0..rounds {
                let count = 1 + g.index(6);
                let (one, two) = (points(&mut g, count, scale, shift), points(&mut g, 3, scale, shift));
                let (a, b) = (fit(&one).expect("finite"), fit(&two).expect("finite"));
                let context = format!("{} scale {scale} shift {shift} grid {grid} round {round}", B::NAME);
                for p in &one {
                    assert!(a.holds(&vector(p.to_array())), "{context}: fit loses a point");
                    assert!(a.contains(*p), "{context}: contains denies a point of the fit");
                }
                let vertices = a.vertices();
                let others = b.vertices();
                let merged = a.merge(&b);
                assert!(vertices.iter().chain(&others).all(|v| merged.holds(v)), "{context}: merge");
                let pose =
                    Pose::new(DQuat::from_array(g.quaternion()), direction(&mut g) * scale).expect("unit");
                let image = a.transformed(&pose);
                let q = pose.rotation().to_array();
                let moved = |v: &Vector| rotation::moved(q, pose.translation().to_array(), v);
                assert!(vertices.iter().all(|v| image.holds(&moved(v))), "{context}: transform");
                reach_is_tight(&a, &vertices, direction(&mut g), scale + shift, &context);
                gap_is_below((&a, &vertices), (&b, &others), scale, &context);
            }
        }
    }
}

fn reach_is_tight<B: ExactSet>(a: &B, vertices: &[Vector], d: DVec3, size: f64, context: &str) {
    let along = |v: &Vector| dot(&vector(d.to_array()), v);
    let Some(largest) = vertices.iter().map(along).max() else { return };
    let reach = exact(a.reach(d));
    assert!(reach >= largest, "{context}: reach falls short");
    let slack = exact(1e-12 * size) * exact(1.0 + d.length());
    assert!(reach <= largest + slack, "{context}: reach is loose");
    let farthest = exact(a.reach(d)) - along(&vector(a.farthest(d).to_array()));
    assert!(farthest <= exact(1e-11 * size) * exact(1.0 + d.length()), "{context}: farthest is not");
}

fn gap_is_below<B: ExactSet>(
    (a, corners_a): (&B, &[Vector]),
    (b, corners_b): (&B, &[Vector]),
    scale: f64,
    context: &str,
) {
    let gap = a.gap_below(b);
    assert_eq!(gap > 0.0, !a.may_overlap(b), "{context}: gap and overlap disagree");
    assert!((gap - b.gap_below(a)).abs() <= 1e-12 * scale, "{context}: the gap depends on the order");
    let squared =
        |p: &Vector, q: &Vector| -> Rational { (0..3).map(|i| (&p[i] - &q[i]) * (&p[i] - &q[i])).sum() };
    let bound = exact(gap) * exact(gap);
    if gap > 0.0 {
        let close = corners_a.iter().any(|p| corners_b.iter().any(|q| squared(p, q) < bound));
        assert!(!close, "{context}: two corners are closer than the gap");
    }
}

#[test]
fn aabb_keeps_its_promises() {
    promises(Aabb::fit, 20);
}

#[test]
fn obb_keeps_its_promises() {
    promises(Obb::fit, 6);
}

#[test]
fn kdops_keep_their_promises() {
    promises(Dop6::fit, 6);
    promises(Dop8::fit, 4);
    promises(Dop10::fit, 2);
    promises(Dop12::fit, 1);
}

#[test]
fn large_kdops_keep_their_promises() {
    promises(Dop14::fit, 1);
    promises(Dop18::fit, 1);
}

#[test]
fn custom_slabs_keep_their_promises() {
    let skew = [DVec3::new(1.0, 0.1, 0.3), DVec3::new(-0.2, 1e3, 0.4), DVec3::new(0.3, 0.3, 7.0), DVec3::ONE];
    let set = Arc::new(DirectionSet::bounding(&skew).expect("independent"));
    promises(|points| SlabVolume::fit_along(Arc::clone(&set), points), 3);
}

#[test]
fn dops_24_and_26_hold_their_points() {
    let mut g = Generator::free(3);
    for _ in 0..50 {
        let cloud = points(&mut g, 10, 1.0, 0.0);
        let (a, b) = (Dop24::fit(&cloud).expect("finite"), Dop26::fit(&cloud).expect("finite"));
        assert!(cloud.iter().all(|p| a.holds(&vector(p.to_array())) && b.holds(&vector(p.to_array()))));
        // 26 directions include those of 14 and 18, so the volume is the least.
        assert!(b.measure().volume <= Dop14::fit(&cloud).expect("finite").measure().volume * (1.0 + 1e-9));
        assert!(b.measure().volume <= Dop18::fit(&cloud).expect("finite").measure().volume * (1.0 + 1e-9));
    }
}
