//! The estimate of the chord error beside what it really is, for bodies whose true surface is known.

use kontakt_math::DVec3;
use kontakt_shapes::make::{Ends, loft, ring};
use kontakt_shapes::make::{bumpy_ball, hex_nut};
use kontakt_shapes::{FaceList, FaceSet, estimate_chord_error};
use std::f64::consts::{PI, TAU};

fn near(found: f64, truth: f64, slack: f64) {
    assert!((found - truth).abs() <= slack * truth, "{found} beside {truth}");
}

/// The profile (radius, height) turned about z, closed at its ends or, `joined`, into a ring.
fn turned(profile: &[(f64, f64)], around: u32, ends: Ends) -> FaceSet {
    let rings: Vec<_> = profile.iter().map(|&(r, z)| ring(around, z, |_| r)).collect();
    loft(&rings, ends).unwrap()
}

#[test]
fn prisms_in_cylinders_are_exact() {
    for n in [12, 24, 97, 400] {
        let truth = 2.5 * (1.0 - (PI / f64::from(n)).cos());
        // However the side is cut: long strips, or many small ones in a row.
        for bands in [1, 2, 30] {
            let profile: Vec<_> =
                (0..=bands).map(|k| (2.5, 40.0 / f64::from(bands) * f64::from(k))).collect();
            near(estimate_chord_error(&turned(&profile, n, Ends::Capped)), truth, 1e-9);
        }
    }
    // Whole polygons, and a bore: the nut's six sides are flat, its bore of radius ½ is not.
    near(estimate_chord_error(&hex_nut(2.0, 1.0, 1.0, 48).unwrap()), 0.5 * (1.0 - (PI / 48.0).cos()), 1e-6);
    near(estimate_chord_error(&prism_of_polygons(20)), 1.0 - (PI / 20.0).cos(), 1e-9);
}

/// Quadrilaterals around, two 20-gons as lids.
fn prism_of_polygons(n: u32) -> FaceSet {
    let vertices = [ring(n, 0.0, |_| 1.0), ring(n, 3.0, |_| 1.0)].concat();
    let mut faces = FaceList::default();
    for k in 0..n {
        let next = (k + 1) % n;
        faces.push(&[k, next, n + next, n + k]).unwrap();
    }
    faces.push(&(0..n).rev().collect::<Vec<_>>()).unwrap();
    faces.push(&(n..2 * n).collect::<Vec<_>>()).unwrap();
    FaceSet::new(vertices, faces).unwrap()
}

#[test]
fn cones() {
    for n in [16, 64] {
        // Half angle 45°: seen along the surface's normal, the rim's rise shows at cos 45°.
        let rise = 3.0 * (1.0 - (PI / f64::from(n)).cos()) * (PI / 4.0).cos();
        near(estimate_chord_error(&turned(&[(3.0, 0.0), (0.0, 3.0)], n, Ends::Capped)), rise, 0.03);
        let cut = turned(&[(3.0, 0.0), (1.0, 2.0)], n, Ends::Capped);
        near(estimate_chord_error(&cut), rise, 0.03);
    }
    // The point of a drill is no round tip, blunt as it is: its chords are those of its rim.
    let (n, blunt) = (48, 0.6);
    let drill = turned(&[(1.0, 10.0), (1.0, blunt), (0.0, 0.0)].map(|(r, z)| (r, -z)), n, Ends::Capped);
    near(estimate_chord_error(&drill), 1.0 - (PI / f64::from(n)).cos(), 1e-6);
}

/// A rim of less than 35° is meant, too, where the surface does not go on bending: it says nothing of chords, however long the faces are.
#[test]
fn rims_of_cones_and_chamfers_are_no_bends() {
    let n = 48;
    let truth = 3.0 * (1.0 - (PI / f64::from(n)).cos());
    for profile in [
        // A lead-in of half angle 31°; two chamfers of 30°; a long taper of 5° between cylinders; bands of one cylinder before it.
        vec![(3.0, 0.0), (3.0, 10.0), (1.8, 12.0)],
        vec![(2.5, 0.0), (3.0, 0.866), (3.0, 10.0), (2.5, 10.866)],
        vec![(3.0, 0.0), (3.0, 10.0), (2.0, 21.4), (2.0, 40.0)],
        vec![(3.0, 0.0), (3.0, 2.0), (3.0, 4.0), (3.0, 6.0), (1.0, 10.0)],
    ] {
        near(estimate_chord_error(&turned(&profile, n, Ends::Capped)), truth, 0.03);
        let upside_down: Vec<_> = profile.iter().rev().map(|&(r, z)| (r, -z)).collect();
        near(estimate_chord_error(&turned(&upside_down, n, Ends::Capped)), truth, 0.03);
    }
}

#[test]
fn balls() {
    // Geodesic: the truth is the depth of the deepest triangle's plane in the unit ball.
    for frequency in [4, 9, 20] {
        let ball = bumpy_ball(frequency, 0.0).unwrap();
        near(estimate_chord_error(&ball), deepest_plane(&ball), 0.05);
    }
    // By latitude and longitude, poles included.
    for n in [16, 60] {
        let half = n / 2;
        let profile: Vec<_> = (0..=half)
            .map(|k| {
                let latitude = PI * f64::from(k) / f64::from(half);
                (if k % half == 0 { 0.0 } else { latitude.sin() }, -latitude.cos())
            })
            .collect();
        let globe = turned(&profile, n, Ends::Capped);
        near(estimate_chord_error(&globe), deepest_plane(&globe), 0.05);
    }
}

/// How far a facet of a polyhedron inscribed in the unit ball dips below it at most, over its inner points.
fn deepest_plane(ball: &FaceSet) -> f64 {
    let dip = |t: usize| {
        let [a, b, c] = ball.triangle_points(t);
        let points =
            (0..=12).flat_map(|i| (0..=12 - i).map(move |j| (f64::from(i) / 12.0, f64::from(j) / 12.0)));
        points.map(|(u, v)| 1.0 - (a + (b - a) * u + (c - a) * v).length()).fold(0.0, f64::max)
    };
    (0..ball.triangles().len()).map(dip).fold(0.0, f64::max)
}

#[test]
fn tori() {
    let (n, m) = (64, 24);
    let tube: Vec<_> = (0..m)
        .map(|k| {
            let angle = TAU * f64::from(k) / f64::from(m);
            (5.0 + angle.cos(), angle.sin())
        })
        .collect();
    let torus = turned(&tube, n, Ends::Joined);
    // Outside, both directions add up.
    let truth = (1.0 - (PI / f64::from(m)).cos()) + 6.0 * (1.0 - (PI / f64::from(n)).cos());
    near(estimate_chord_error(&torus), truth, 0.02);
}

/// A long bar whose cross-section is a rectangle with corners rounded by `steps` chords each.
fn rounded_bar(steps: u32, radius: f64, half: [f64; 2]) -> FaceSet {
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let section = |z: f64| -> Vec<DVec3> {
        let corner = |q: usize| {
            let (x, y) = corners[q];
            (0..=steps).map(move |k| {
                let angle = PI / 2.0 * (q as f64 + f64::from(k) / f64::from(steps));
                DVec3::new(
                    x * (half[0] - radius) + radius * angle.cos(),
                    y * (half[1] - radius) + radius * angle.sin(),
                    z,
                )
            })
        };
        (0..4).flat_map(corner).collect()
    };
    loft(&[section(0.0), section(200.0)], Ends::Capped).unwrap()
}

/// The walls are fifty times as wide as the chords of the fillet between them and meet it at a small angle. Taken for chords, they would
/// rise by millimetres.
#[test]
fn walls_beside_fillets_are_flat() {
    for steps in [3, 4, 9] {
        let truth = 2.0 * (1.0 - (PI / 4.0 / f64::from(steps)).cos());
        let bar = rounded_bar(steps, 2.0, [100.0, 40.0]);
        near(estimate_chord_error(&bar), truth, 1e-6);
    }
}

#[test]
fn flat_bodies_have_none() {
    let cube = |n| turned(&[(1.0, 0.0), (1.0, 2.0)], n, Ends::Capped);
    assert_eq!(estimate_chord_error(&cube(4)), 0.0);
    assert_eq!(estimate_chord_error(&cube(6)), 0.0);
    // Turned and rounded to single precision, its sides are as flat as their numbers let them be.
    let turn = kontakt_math::DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    let single = |v: &DVec3| (turn * *v * 100.0).as_vec3().as_dvec3();
    let turned = cube(4).vertices().iter().map(single).collect();
    let turned = FaceSet::from_triangles(turned, cube(4).triangles().to_vec()).unwrap();
    assert_eq!(estimate_chord_error(&turned), 0.0);
    // Two panels of a roof at 20°: nothing goes on bending.
    let roof = FaceSet::from_triangles(
        vec![DVec3::ZERO, DVec3::Y, DVec3::new(1.0, 0.0, -0.18), DVec3::new(-1.0, 0.0, -0.18)],
        vec![[0, 2, 1], [0, 1, 3]],
    );
    assert_eq!(estimate_chord_error(&roof.unwrap()), 0.0);
}

#[test]
fn odd_bodies_give_a_number() {
    let odd = [
        vec![DVec3::ZERO, DVec3::X, DVec3::X, DVec3::Y],
        vec![DVec3::ZERO, DVec3::X * 1e300, DVec3::Y * 1e300, DVec3::Z * 1e300],
        vec![DVec3::ZERO, DVec3::X * 1e-300, DVec3::Y * 1e-300, DVec3::new(1e-300, 1e-300, 1e-301)],
        vec![DVec3::ZERO, DVec3::X, DVec3::X * 0.5, DVec3::X * 0.25],
    ];
    for points in odd {
        let faces =
            FaceSet::from_triangles(points, vec![[0, 1, 2], [2, 1, 3], [0, 3, 1], [0, 2, 3]]).unwrap();
        let found = estimate_chord_error(&faces);
        assert!(found.is_finite() && found >= 0.0);
    }
}

/// Sizes and places change nothing but the scale.
#[test]
fn follows_the_scale() {
    let ball = bumpy_ball(7, 0.1).unwrap();
    let found = estimate_chord_error(&ball);
    for (scale, shift) in [(1e-3, DVec3::ZERO), (25.4, DVec3::splat(100.0))] {
        let moved = ball.vertices().iter().map(|v| *v * scale + shift).collect();
        let moved = FaceSet::from_triangles(moved, ball.triangles().to_vec()).unwrap();
        near(estimate_chord_error(&moved), found * scale, 1e-6);
    }
}
