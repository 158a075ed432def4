//! A piston in its bore: nearly parallel all round, with a clearance that no tessellation resolves.

mod bodies;

use kontakt_curved::{
    Body, DistanceOptions, Faces, MovingFaces, TessellationOptions, apart_during, common_point,
    surface_distance,
};
use kontakt_math::{Between, DVec3, Motion, Pose};

fn body(solid: &bodies::Solid) -> Body {
    let options = TessellationOptions { deviation: 0.05, most_triangles: 1_000_000 };
    Body::new(&solid.brep, &options).expect("a body")
}

fn pose(axis: DVec3, angle: f64, at: DVec3) -> Pose {
    Pose::from_axis_angle(axis, angle, at).expect("a pose")
}

#[test]
fn a_micrometre_and_a_nanometre() {
    let bore = body(&bodies::tube(60.0, 40.0, 300.0));
    for clearance in [1e-3, 1e-6] {
        let piston = body(&bodies::cylinder(40.0 - clearance, 60.0, true));
        for offset in [0.0, 0.5, 0.9] {
            let at = DVec3::new(offset * clearance, 0.0, 100.0);
            let between = Between::new(Pose::IDENTITY, pose(DVec3::Z, 0.3, at));
            let options =
                DistanceOptions { tolerance: 0.1 * clearance, most_pairs: 20_000, only_sign: false };
            let found = surface_distance(Faces::Curved(&bore), Faces::Curved(&piston), &between, &options)
                .expect("an answer");
            let exact = clearance * (1.0 - offset);
            // Off its axis it is nearest along one line only: closely bounded from below, from above by the patches that were looked at.
            assert!(
                found.range.lo() > 0.8 * exact && found.range.lo() <= exact + 1e-12,
                "{exact}: {found:?}"
            );
            assert!(
                found.range.hi() >= exact - 1e-12 && found.range.hi() < exact + 2.0 * clearance,
                "{exact}: {found:?}"
            );
        }
    }
}

/// Tilted by 1e-4 over 60 mm it is 6 µm wider than its bore: it jams, and that is proven.
#[test]
fn tilted_it_jams() {
    let bore = body(&bodies::tube(60.0, 40.0, 300.0));
    let piston = body(&bodies::cylinder(40.0 - 1e-3, 60.0, true));
    let tilted = pose(DVec3::X, 1e-4, DVec3::new(0.0, 3e-3, 100.0));
    let between = Between::new(Pose::IDENTITY, tilted);
    let options = DistanceOptions { tolerance: 1e-6, most_pairs: 200_000, only_sign: true };
    let found = surface_distance(Faces::Curved(&bore), Faces::Curved(&piston), &between, &options)
        .expect("an answer");
    assert!(found.range.lo() == 0.0, "{found:?}");
    let common = common_point(&bore, &piston, &between, &found, 100).expect("a proof that it jams");
    assert!(common.depth.lo() > 0.0 && common.depth.lo() < 4e-3, "{common:?}");
}

/// A stroke of 200 mm is proven free, in few pieces of time; in one that is tilted nothing is.
#[test]
fn a_stroke_is_free() {
    let bore = body(&bodies::tube(60.0, 40.0, 300.0));
    let rest = Motion::Rest(Pose::IDENTITY);
    for (clearance, tilt, free) in [(1e-3, 0.0, true), (1e-6, 0.0, true), (1e-3, 1e-4, false)] {
        let piston = body(&bodies::cylinder(40.0 - clearance, 60.0, true));
        let place = |z: f64| pose(DVec3::X, tilt, DVec3::new(0.0, 0.0, z));
        let motion = Motion::slerp(place(20.0), place(220.0), DVec3::ZERO).expect("a motion");
        let ball = |faces, motion, height: f64, radius: f64| MovingFaces {
            faces,
            motion,
            centre: DVec3::Z * (0.5 * height),
            radius: (0.5 * height).hypot(radius),
        };
        let a = ball(Faces::Curved(&bore), &rest, 300.0, 60.0);
        let b = ball(Faces::Curved(&piston), &motion, 60.0, 40.0);
        let mut open = vec![(0.0, 1.0)];
        let mut pieces = 0;
        let mut proven = true;
        while let Some((from, to)) = open.pop() {
            pieces += 1;
            if apart_during(&a, &b, from, to, 2_000) {
                continue;
            }
            if pieces > 500 {
                proven = false;
                break;
            }
            let middle = 0.5 * (from + to);
            open.extend([(middle, to), (from, middle)]);
        }
        assert_eq!(proven, free, "clearance {clearance}, tilt {tilt}: {pieces} pieces");
        assert!(!free || pieces < 100, "{pieces} pieces");
    }
}

/// A pin right through a plate: the plate's faces end in the hole's edges, and are as far from the pin as the hole is.
#[test]
fn a_pin_through_a_hole_keeps_clear_of_the_faces_about_it() {
    let plate = body(&bodies::tube(60.0, 10.0, 8.0));
    for clearance in [1e-3, 1e-6] {
        let pin = body(&bodies::cylinder(10.0 - clearance, 60.0, true));
        for shift in [DVec3::new(0.0, 0.0, -20.0), DVec3::new(0.4 * clearance, 0.0, -31.0)] {
            let between = Between::new(Pose::IDENTITY, pose(DVec3::Z, 0.0, shift));
            let options =
                DistanceOptions { tolerance: 0.1 * clearance, most_pairs: 20_000, only_sign: false };
            let found =
                surface_distance(Faces::Curved(&plate), Faces::Curved(&pin), &between, &options).unwrap();
            let exact = clearance - shift.x;
            let lower = found.range.lo();
            assert!(0.5 * exact < lower && lower <= exact * (1.0 + 1e-9), "{clearance}: {lower}, {exact}");
        }
    }
}
