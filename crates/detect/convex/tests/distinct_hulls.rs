//! Hulls take little memory, and what their narrow tables say is what the exact hull says; answers about them are held against
//! references in rationals and double-doubles.
//!
//! `KONTAKT_CASES` raises the number of random cases, `KONTAKT_SEED` takes others.

use kontakt_bounds::hull::convex_hull;
use kontakt_convex::{ConvexQuery, Core, PlacedShape, Polytope, Shape};
use kontakt_math::{DQuat, DVec3, Pose};
use std::collections::BTreeSet;
use testbodies::convex::claim;
use testkit::convex::certify::faults;
use testkit::convex::{Body, Side, truth};
use testkit::run_length::{cases, seed};

fn point(random: &mut fastrand::Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.f64() * 2.0 - 1.0))
}

fn on_ellipsoid(random: &mut fastrand::Rng, count: usize) -> Vec<DVec3> {
    let radii = DVec3::from_array(std::array::from_fn(|_| 0.4 + 0.6 * random.f64()));
    (0..count).map(|_| radii * point(random).normalize()).collect()
}

fn polytope(shape: &Shape) -> &Polytope {
    let Core::Hull(polytope) = shape.core() else { panic!("{shape:?}") };
    polytope
}

/// Grains are many: all that any query uses of a hull of 32 vertices fits into 4 kB, of one of 128 into 14 kB. Hulls of triangles
/// alone have the most faces and edges; one quadrilateral more, or inner points, cost no more than that saves.
#[test]
fn hulls_are_small() {
    let mut random = fastrand::Rng::with_seed(1);
    for (count, most) in [(32, 4000), (128, 14_000)] {
        let round = on_ellipsoid(&mut random, count);
        let inner = round.iter().chain(&vec![DVec3::ZERO; 100]).map(|x| *x * 0.5).collect::<Vec<_>>();
        // A square on top: four corners in one plane, above all others.
        let below = |x: DVec3| DVec3::new(x.x, x.y, x.z.min(0.9 + 1e-3 * x.x));
        let mut square: Vec<DVec3> = (4..count).map(|_| below(point(&mut random).normalize())).collect();
        let corner = |[x, y]: [f64; 2]| DVec3::new(0.05 * x, 0.05 * y, 0.99);
        square.extend([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner));
        for points in [round, inner, square] {
            let shape = Shape::hull(&points).unwrap();
            let (hull, counts) = (polytope(&shape), 16);
            assert!(hull.vertices().len() > count - count / 8, "{}", hull.vertices().len());
            assert!(
                hull.bytes() + counts <= most,
                "{} vertices take {}",
                hull.vertices().len(),
                hull.bytes()
            );
        }
    }
}

/// Points of many kinds: free, on small integers (coplanar, collinear, equal), on a prism, flat, on a line, huge and tiny.
fn cloud(random: &mut fastrand::Rng, kind: u64) -> Vec<DVec3> {
    let most = [1, 40, 300, 300][random.usize(0..4)];
    let count = random.usize(1..=most);
    let scale = [1.0, 1e-9, 1e9, 2.0_f64.powi(-300), 2.0_f64.powi(300)][random.usize(0..5)];
    let mut one = |_| match kind {
        0 => point(random),
        1 => point(random).normalize(),
        2 => DVec3::from_array(std::array::from_fn(|_| f64::from(random.i32(-3..=3)))),
        3 => {
            // Exact quarter turns of a few corners: polygons with many corners in one plane.
            let (x, y) = [(5.0, 0.0), (4.0, 3.0), (3.0, 4.0)][random.usize(0..3)];
            let (x, y) = [(x, y), (-y, x), (-x, -y), (y, -x)][random.usize(0..4)];
            DVec3::new(x, y, f64::from(random.i32(0..=1)))
        }
        4 => {
            let [x, y] = std::array::from_fn(|_| f64::from(random.i32(-4..=4)));
            DVec3::new(x, y, x - 2.0 * y)
        }
        _ => DVec3::new(1.0, -2.0, 0.5) * f64::from(random.i32(-4..=4)),
    };
    (0..count).map(|k| one(k) * scale).collect()
}

/// A loop of vertices from its least one on.
fn turned(mut loop_: Vec<u32>) -> Vec<u32> {
    let least = (0..loop_.len()).min_by_key(|&k| loop_[k]).unwrap_or(0);
    loop_.rotate_left(least);
    loop_
}

#[test]
fn narrow_tables_say_what_the_exact_hull_says() {
    let mut random = fastrand::Rng::with_seed(seed(2));
    let mut dimensions = [0; 4];
    let (mut wide, mut polygons) = (0, 0);
    for case in 0..cases(300) {
        let points = cloud(&mut random, case % 6);
        let hull = convex_hull(&points).unwrap();
        assert_eq!(hull.validate(&points), Ok(()), "{points:?}");
        let narrow = Polytope::new(&points).unwrap();
        dimensions[narrow.dimension() as usize] += 1;
        wide += usize::from(narrow.face_count() > 256);
        assert_eq!(narrow.dimension(), hull.dimension());
        let count = hull.vertices().len() as u32;
        assert_eq!(narrow.vertex_count(), count);
        for (vertex, &source) in (0..).zip(hull.vertices()) {
            assert_eq!(narrow.source(vertex), source);
            let place = points[source as usize];
            assert_eq!((narrow.vertex(vertex), narrow.vertices()[vertex as usize]), (place, place));
            let mut found = BTreeSet::new();
            narrow.neighbours(vertex, |other| assert!(found.insert(other)));
            assert_eq!(found, hull.neighbours(vertex as usize).iter().copied().collect());
        }
        let loops: BTreeSet<Vec<u32>> = hull.faces().map(|face| turned(face.to_vec())).collect();
        let found: Vec<Vec<u32>> = (0..narrow.face_count()).map(|face| narrow.face(face).collect()).collect();
        polygons += usize::from(found.iter().any(|face| face.len() > 3));
        assert_eq!(found.len(), hull.face_count());
        assert_eq!(found.iter().map(|face| turned(face.clone())).collect::<BTreeSet<_>>(), loops);
        assert_eq!(narrow.edges().len(), hull.edges().len());
        for edge in narrow.edges() {
            let [from, to] = edge.ends;
            for (face, [from, to]) in edge.faces.into_iter().zip([[from, to], [to, from]]) {
                let face = &found[face as usize];
                let at = face.iter().position(|corner| *corner == from).unwrap();
                assert_eq!(face[(at + 1) % face.len()], to, "{edge:?} {face:?}");
            }
        }
    }
    assert!(
        dimensions.iter().all(|seen| *seen > 5) && wide > 5 && polygons > 20,
        "{dimensions:?} {wide} {polygons}"
    );
}

/// The reference's body of a solid hull.
fn body(shape: &Shape, pose: &Pose) -> Body {
    let hull = polytope(shape);
    let index = |vertex: u32| vertex as usize;
    let fans = (0..hull.face_count()).flat_map(|face| {
        let face: Vec<usize> = hull.face(face).map(index).collect();
        (2..face.len()).map(move |k| [face[0], face[k - 1], face[k]])
    });
    let core = testkit::convex::Core::Points {
        points: hull.vertices().iter().map(DVec3::to_array).collect(),
        edges: hull.edges().map(|edge| edge.ends.map(index)).collect(),
        faces: fans.collect(),
    };
    Body {
        core,
        radii: [0.0; 2],
        rotation: pose.given_rotation().to_array(),
        translation: pose.translation().to_array(),
    }
}

fn pose(random: &mut fastrand::Rng, far: f64) -> Pose {
    let q = DQuat::from_array(std::array::from_fn(|_| random.f64() - 0.5));
    Pose::new(q.normalize(), point(random).normalize() * far).unwrap()
}

/// Hulls on both sides of the number of vertices from which a byte does not do, prisms with polygons for faces, and needles.
#[test]
fn answers_are_those_of_the_reference() {
    let mut random = fastrand::Rng::with_seed(seed(3));
    let (mut apart, mut deep) = (0, 0);
    for case in 0..cases(60) {
        let mut make = || {
            let count = [12, 32, 64, 128, 131, 140][random.usize(0..6)];
            let mut points = on_ellipsoid(&mut random, count);
            match case % 4 {
                0 => {}
                // Equal points, and points on edges and faces.
                1 => (0..count).for_each(|k| points.push(points[k].midpoint(points[(k * 7) % count]))),
                // A prism: two polygons of many corners.
                2 => {
                    points =
                        points.iter().flat_map(|p| [-0.5, 0.5].map(|z| DVec3::new(p.x, p.y, z))).collect();
                }
                _ => points.iter_mut().for_each(|p| p.z *= 1e-5),
            }
            Shape::hull(&points).unwrap()
        };
        let shapes = [make(), make()];
        let far = random.f64() * 1.6;
        let poses = [pose(&mut random, 0.3), pose(&mut random, far)];
        let bodies = [body(&shapes[0], &poses[0]), body(&shapes[1], &poses[1])];
        let Some(truth) = truth(&bodies[0], &bodies[1]) else { continue };
        match truth.side {
            Side::Apart => apart += 1,
            _ => deep += 1,
        }
        let [a, b] = [0, 1].map(|k| PlacedShape::new(&shapes[k], poses[k]));
        let answer = ConvexQuery::new().contact(a, b);
        let wrong = faults(&bodies[0], &bodies[1], &truth, &claim(&answer));
        assert!(wrong.is_empty(), "case {case}: {wrong}\n{answer:?}");
        assert_eq!(ConvexQuery::new().intersect(a, b), answer.verdict);
        assert_eq!(ConvexQuery::new().distance(a, b).verdict, answer.verdict);
    }
    assert!(apart > 5 && deep > 15, "generator drifted: {apart} {deep}");
}
