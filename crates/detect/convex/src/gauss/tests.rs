//! The facets against the grown surface, which knows nothing of faces and edges.

use super::hulls;
use super::sieve::{Limits, Side, View, any_below_portable, edges_portable, masks_portable, place_portable};
use crate::Polytope;
use crate::difference::corners::Many;
use crate::polytope::gauss_map::Mapped;
use crate::polytope::tables::WIDE;
use kontakt_math::{Between, DMat3, DQuat, DVec3, Pose};
use testkit::rational::{cross, dot, exact, sign, sub, vector};

fn point(random: &mut fastrand::Rng) -> DVec3 {
    DVec3::new(random.f64(), random.f64(), random.f64()) * 2.0 - 1.0
}

fn hull(random: &mut fastrand::Rng, count: usize) -> Polytope {
    let points: Vec<DVec3> = (0..count).map(|_| point(random).normalize()).collect();
    Polytope::new(&points).unwrap()
}

fn pose(random: &mut fastrand::Rng) -> Pose {
    let q = DQuat::from_xyzw(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5);
    Pose::new(q.normalize(), point(random) * 0.7).unwrap()
}

/// Every direction's reach is at least the depth, and the one found reaches no farther than it says.
#[test]
fn no_direction_reaches_less() {
    let mut random = fastrand::Rng::with_seed(3);
    let (mut found, mut asked) = (0, 0);
    for k in 0..400 {
        let (a, b) = (hull(&mut random, 8 + k % 40), hull(&mut random, 6 + k % 23));
        let between = Between::new(pose(&mut random), pose(&mut random));
        let reach = |n: DVec3| {
            let most = |hull: &Polytope, n: DVec3| {
                hull.vertices().iter().map(|x| n.dot(*x)).fold(f64::NEG_INFINITY, f64::max)
            };
            most(&a, n) + most(&b, between.turn().transpose() * -n) - n.dot(between.shift())
        };
        let directions: Vec<DVec3> = (0..300).map(|_| point(&mut random).normalize()).collect();
        let least = directions.iter().map(|n| reach(*n)).fold(f64::INFINITY, f64::min);
        asked += usize::from(least > 0.05);
        let Some(facet) = hulls(Many(&a), Many(&b), &between, DVec3::ZERO) else { continue };
        found += 1;
        assert!(facet.low <= facet.high && facet.high - facet.low < 2e-13, "{facet:?}");
        assert!((reach(facet.normal) - facet.low).abs() < 2e-13, "{facet:?}");
        // Near the normal as well, where a missed facet would show.
        let near = (0..300).map(|_| (facet.normal + point(&mut random) * 0.05).normalize());
        assert!(near.map(reach).fold(least, f64::min) >= facet.low, "{facet:?}");
        let apart = facet.point_a - between.b_in_a(facet.point_b) - facet.normal * facet.low;
        assert!(apart.length() < 1e-12 && facet.point_error < 1e-10, "{facet:?}");
    }
    assert!(asked > 250 && found * 100 > asked * 95, "{found} of {asked}");
}

/// Equal boxes face to face: the surface has to tell.
#[test]
fn level_faces_are_left_to_others() {
    let corners: Vec<DVec3> =
        (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))).collect();
    let cube = Polytope::new(&corners).unwrap();
    let moved = Pose::new(DQuat::IDENTITY, DVec3::new(0.75, 0.25, 0.25)).unwrap();
    let between = Between::new(Pose::IDENTITY, moved);
    assert!(hulls(Many(&cube), Many(&cube), &between, DVec3::ZERO).is_none());
}

/// Single precision knows nothing of the small one: no panic, and no answer that is wrong.
#[test]
fn a_speck_in_a_planet() {
    let mut random = fastrand::Rng::with_seed(5);
    for exponent in [9, 30, 60, 90] {
        let scaled = |hull: &Polytope, by: f64| {
            Polytope::new(&hull.vertices().iter().map(|x| *x * by).collect::<Vec<_>>()).unwrap()
        };
        let (a, b) = (hull(&mut random, 13), hull(&mut random, 9));
        let (a, b) = (scaled(&a, 10_f64.powi(exponent)), scaled(&b, 10_f64.powi(-exponent)));
        let between = Between::new(Pose::IDENTITY, pose(&mut random));
        for (one, other) in [(&a, &b), (&b, &a)] {
            if let Some(facet) = hulls(Many(one), Many(other), &between, DVec3::ZERO) {
                assert!(facet.low > 0.0 && facet.high < 10_f64.powi(exponent), "{facet:?}");
            }
        }
    }
}

#[test]
fn all_units_rule_out_the_same() {
    let mut random = fastrand::Rng::with_seed(8);
    // The last one has more than 256 faces: shorts instead of bytes.
    for count in [5, 20, 33, 90, 200] {
        let (a, b) = (hull(&mut random, count), hull(&mut random, 40));
        let (body, other) = (Mapped::of(&a).unwrap(), Mapped::of(&b).unwrap());
        let (planes, size, bound) = (body.map.planes(), 4.0, 1.5);
        let view = View { turn: DMat3::IDENTITY, shift: DVec3::ZERO, size };
        let (lookouts, _) = other.lookouts();
        let points = lookouts.map(|octet| place_portable(&octet, &view, 1.0 / size));
        let limits = Limits { unit: (body.map.unit() / size) as f32, bound: (bound / size + 2e-6) as f32 };
        let (mut portable, mut faces) = (vec![0; planes.len() * WIDE], Vec::new());
        masks_portable(planes, &points, limits, &mut portable, &mut faces);
        assert!(portable.iter().any(|mask| *mask != 0 && mask.count_ones() < 16));
        let mut edges = Vec::new();
        edges_portable(a.tables().sides(), &portable, &mut edges);
        let mut alike = 0;
        for edge in 0..a.tables().edge_count() {
            let sides = body.sides_of(edge);
            let ruled_out =
                |x: DVec3| sides.iter().all(|&k| body.face(k).normal.dot(x) <= body.face(k).height - bound);
            let corners = lookouts
                .iter()
                .flat_map(|octet| (0..8).map(|k| DVec3::new(octet.x[k], octet.y[k], octet.z[k])));
            let any = corners.into_iter().any(ruled_out);
            // What single precision rules out, double precision does.
            assert!(any || edges.contains(&edge));
            alike += usize::from(any != edges.contains(&edge));
            #[cfg(target_arch = "x86_64")]
            for octet in &points {
                let sides = sides.map(|face| Side::of(planes, face, limits));
                let portable = any_below_portable(octet, sides);
                assert_eq!(super::sieve_x86::any_below(octet, sides).unwrap_or(portable), portable);
            }
        }
        assert!(alike + 1 >= a.tables().edge_count() as usize, "{alike}");
        #[cfg(target_arch = "x86_64")]
        {
            let (mut wide, mut few) = (vec![1; portable.len()], Vec::new());
            if super::sieve_x86::masks(planes, &points, limits, &mut wide, &mut few) {
                assert_eq!((&wide, &few), (&portable, &faces));
                few.clear();
                super::sieve_x86::edges(&body, &wide, &mut few);
                assert_eq!(few, edges);
            }
        }
    }
}

/// A face's normal errs by less than it says: against the cross product in rationals, of needles and polygons too.
#[test]
fn normals_err_by_less_than_they_say() {
    let (mut random, mut checked) = (fastrand::Rng::with_seed(12), 0);
    for k in 0..60 {
        let flat = DVec3::new(1.0, 10_f64.powi(-k % 7), 10_f64.powi(-k % 3));
        let points: Vec<DVec3> = (0..8 + k as usize).map(|_| point(&mut random).normalize() * flat).collect();
        let hull = Polytope::new(&points).unwrap();
        let Some(body) = Mapped::of(&hull) else { continue };
        for number in 0..hull.face_count() {
            let face = body.face(number);
            let [p, q, r]: [DVec3; 3] =
                std::array::from_fn(|k| hull.vertex(hull.face(number).nth(k).unwrap()));
            let [p, q, r] = [p, q, r].map(|corner| vector(corner.to_array()));
            let normal = cross(&sub(&q, &p), &sub(&r, &p));
            let given = vector(face.normal.to_array());
            // sin² of the angle between them.
            let across = cross(&normal, &given);
            let sine_squared = dot(&across, &across) / (dot(&normal, &normal) * dot(&given, &given));
            assert_eq!(sign(&dot(&normal, &given)), 1);
            assert!(sine_squared <= exact(face.error) * exact(face.error), "{face:?}");
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}
