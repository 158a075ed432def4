//! Walks over one packed tree against exact arithmetic on every triangle.

use kontakt_bounds::hausdorff::{Faces as BruteFaces, Nearest};
use kontakt_hierarchy::{Faces, Packed, PackedFaces};
use kontakt_math::DVec3;
use std::ops::ControlFlow;
use testkit::Generator;
use testkit::min_norm::hull_distance_squared;
use testkit::rational::{exact, orient3d};

struct Case {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    from: Generator,
}

fn cases(count: u64) -> impl Iterator<Item = (u64, Case)> {
    (0..count).map(|seed| {
        let mut from = if seed % 2 == 0 { Generator::free(seed) } else { Generator::grid(seed) };
        let vertices: Vec<DVec3> = from.points(30).into_iter().map(DVec3::from_array).collect();
        let triangles = (0..60).map(|_| std::array::from_fn(|_| from.index(30) as u32)).collect();
        (seed, Case { vertices, triangles, from })
    })
}

impl Case {
    fn faces(&self) -> Faces<'_> {
        Faces { vertices: &self.vertices, triangles: &self.triangles }
    }

    fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize].to_array())
    }
}

#[test]
fn nearest_is_that_of_all_faces() {
    for (seed, mut case) in cases(40) {
        let to = DVec3::from_array(case.from.point()) * 1.5;
        let tree = Packed::build(case.faces(), 1).unwrap();
        let found = PackedFaces { tree: &tree, faces: case.faces() }.nearest(to).unwrap();
        let brute = BruteFaces::new(&case.vertices, &case.triangles).unwrap().nearest(to).unwrap();
        assert_eq!(found.upper, brute.upper, "case {seed}");
        assert!(found.lower >= brute.lower && found.lower <= found.upper, "case {seed}");
        let exactly =
            (0..60).map(|t| hull_distance_squared(&case.corners(t), &[to.to_array()])).min().unwrap();
        assert!(found.lower <= 0.0 || exact(found.lower) * exact(found.lower) <= exactly, "case {seed}");
        assert!(exact(found.upper) * exact(found.upper) >= exactly, "case {seed}");
    }
}

#[test]
fn balls_miss_nothing() {
    let (mut inside, mut all, mut visited) = (0, 0, 0);
    for (seed, mut case) in cases(40) {
        let centre = DVec3::from_array(case.from.point());
        let radius = if seed % 2 == 0 { case.from.unit() * 0.5 } else { case.from.index(2) as f64 };
        let tree = Packed::build(case.faces(), 1).unwrap();
        let mut seen = [false; 60];
        tree.visit_ball(centre, radius, |slots| {
            slots.for_each(|s| seen[tree.order()[s as usize] as usize] = true);
            radius
        });
        for (t, &seen) in seen.iter().enumerate() {
            let met = hull_distance_squared(&case.corners(t), &[centre.to_array()])
                <= exact(radius) * exact(radius);
            assert!(seen || !met, "case {seed}, triangle {t}");
            inside += usize::from(met);
            visited += usize::from(seen);
            all += 1;
        }
    }
    assert!(inside * 20 > all && visited * 4 < all * 3, "{inside} of {visited} of {all}");
}

#[test]
fn boxes_miss_nothing() {
    let (mut inside, mut all, mut visited) = (0, 0, 0);
    for (seed, mut case) in cases(400) {
        let (a, b) = (DVec3::from_array(case.from.point()), DVec3::from_array(case.from.point()));
        let b = if seed % 2 == 0 { a + (b - a) * 0.3 } else { a + DVec3::X };
        let (low, high) = (a.min(b), a.max(b));
        let tree = Packed::build(case.faces(), 1).unwrap();
        let mut seen = [false; 60];
        tree.visit_box(low, high, |slots| {
            slots.for_each(|s| seen[tree.order()[s as usize] as usize] = true);
            ControlFlow::Continue(())
        });
        for (t, &seen) in seen.iter().enumerate() {
            let met = samples(case.corners(t)).any(|p| p.cmpge(low).all() && p.cmple(high).all());
            assert!(seen || !met, "case {seed}, triangle {t}");
            inside += usize::from(met);
            visited += usize::from(seen);
            all += 1;
        }
    }
    assert!(inside * 50 > all && visited * 4 < all * 3, "{inside} of {visited} of {all}");
}

#[test]
fn rays_miss_nothing() {
    let (mut hits, mut all, mut visited) = (0, 0, 0);
    for (seed, mut case) in cases(80) {
        let start = DVec3::from_array(case.from.point());
        let mut end = DVec3::from_array(case.from.point());
        if end == start {
            end.x += 1.0;
        }
        let tree = Packed::build(case.faces(), 1).unwrap();
        // The ray as the segment from `start` to `start + t·direction` for t of 0 to 1: the end is given exactly by t = 1
        // when the difference is exact, which it is for small integers, and to rounding otherwise.
        let direction = end - start;
        let mut seen = [false; 60];
        tree.visit_ray(start, direction, 1.0, |slots| {
            slots.for_each(|s| seen[tree.order()[s as usize] as usize] = true);
            1.0
        });
        for (t, &seen) in seen.iter().enumerate() {
            let met = if seed % 2 == 1 {
                let segment = [start.to_array(), end.to_array()];
                hull_distance_squared(&case.corners(t), &segment) == exact(0.0)
            } else {
                crosses(start.to_array(), end.to_array(), case.corners(t))
            };
            assert!(seen || !met, "case {seed}, triangle {t}");
            hits += usize::from(met);
            visited += usize::from(seen);
            all += 1;
        }
    }
    assert!(hits * 100 > all && visited * 4 < all * 3, "{hits} of {visited} of {all}");
}

/// Points of a triangle, exact for small integers.
fn samples(corners: [[f64; 3]; 3]) -> impl Iterator<Item = DVec3> {
    let [a, b, c] = corners.map(DVec3::from_array);
    (0..=8).flat_map(move |i| {
        (0..=8 - i).map(move |j| (a * f64::from(i) + b * f64::from(j) + c * f64::from(8 - i - j)) / 8.0)
    })
}

/// Whether a segment in general position crosses a triangle.
fn crosses(p: [f64; 3], q: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> bool {
    let sides = [orient3d(p, q, a, b), orient3d(p, q, b, c), orient3d(p, q, c, a)];
    orient3d(a, b, c, p) * orient3d(a, b, c, q) < 0 && (sides == [1; 3] || sides == [-1; 3])
}

#[test]
fn far_and_odd_questions_are_answered() {
    let (_, case) = cases(1).next().unwrap();
    let tree = Packed::build(case.faces(), 1).unwrap();
    let packed = PackedFaces { tree: &tree, faces: case.faces() };
    for place in [1e12, 1e155, 1e200, -1e300, 1e307] {
        let found = packed.nearest(DVec3::new(place, 0.0, 0.0)).unwrap();
        assert!(found.lower <= found.upper && found.upper.is_finite(), "{found:?}");
        assert!((found.upper / place.abs() - 1.0).abs() < 1e-9, "{found:?}");
    }
    assert!(packed.nearest(DVec3::NAN).is_err());
    let mut count = 0;
    tree.visit_ray(DVec3::ZERO, DVec3::ZERO, 1.0, |_| {
        count += 1;
        1.0
    });
    tree.visit_box(DVec3::ONE, DVec3::NEG_ONE, |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    tree.visit_ball(DVec3::ZERO, -1.0, |_| {
        count += 1;
        1.0
    });
    assert_eq!(count, 0);
    tree.visit_ray(DVec3::new(-1e300, 0.0, 0.0), DVec3::X * 1e-300, f64::INFINITY, |slots| {
        count += slots.len();
        f64::INFINITY
    });
    assert_eq!(count, 60);
}
