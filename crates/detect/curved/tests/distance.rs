//! Distances of true surfaces against closed forms and sampled points.

mod bodies;

use bodies::Solid;
use kontakt_curved::{Body, DistanceOptions, Faces, SurfaceDistance, TessellationOptions, surface_distance};
use kontakt_math::{Between, DVec3, Pose};

const TIGHT: DistanceOptions = DistanceOptions { tolerance: 1e-7, most_pairs: 400_000, only_sign: false };

fn body(solid: &Solid, deviation: f64) -> Body {
    let options = TessellationOptions { deviation, most_triangles: 1_000_000 };
    Body::new(&solid.brep, &options).expect("a body")
}

fn ask(a: &Body, b: &Body, pose: Pose, options: &DistanceOptions) -> SurfaceDistance {
    let between = Between::new(Pose::IDENTITY, pose);
    surface_distance(Faces::Curved(a), Faces::Curved(b), &between, options).expect("an answer")
}

fn moved(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_axis_angle(DVec3::Z, 0.0, DVec3::new(x, y, z)).expect("a pose")
}

#[track_caller]
fn assert_is(found: &SurfaceDistance, exact: f64, wide: f64) {
    let (lo, hi) = (found.range.lo(), found.range.hi());
    assert!(lo <= exact + 1e-12 && exact - 1e-12 <= hi, "{exact} is not in [{lo}, {hi}]");
    assert!(hi - lo <= wide, "[{lo}, {hi}] is {} wide after {} pairs", hi - lo, found.pairs);
}

#[test]
fn balls() {
    let (a, b) = (body(&bodies::ball(3.0, true), 0.05), body(&bodies::ball(2.0, false), 0.05));
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..50 {
        let way = DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5).normalize()
            * (5.0 + 5.0 * random.f64());
        let found = ask(&a, &b, moved(way.x, way.y, way.z), &TIGHT);
        assert_is(&found, way.length() - 5.0, 2e-7);
    }
}

/// The farthest down a tilted cylinder reaches is a point of its rim: edges are followed, not their chords.
#[test]
fn a_rim_above_a_disc() {
    let (a, b) =
        (body(&bodies::cylinder(20.0, 1.0, false), 0.2), body(&bodies::cylinder(2.0, 5.0, true), 0.05));
    for angle in [0.1, 0.4, 0.9, 1.3] {
        let pose = Pose::from_axis_angle(DVec3::X, angle, DVec3::new(0.0, 0.0, 6.0)).expect("a pose");
        // The bottom rim about the origin of the tilted frame.
        let exact = 6.0 - 2.0 * f64::sin(angle) - 1.0;
        assert_is(&ask(&a, &b, pose, &TIGHT), exact, 2e-7);
    }
}

/// A ball at a place off a torus: its distance from the circle of centres tells.
#[test]
fn a_ball_beside_a_torus() {
    let (a, b) = (body(&bodies::torus(5.0, 2.0), 0.05), body(&bodies::ball(0.5, true), 0.02));
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..50 {
        let at = DVec3::new(random.f64() * 20.0 - 10.0, random.f64() * 20.0 - 10.0, random.f64() * 8.0 - 4.0);
        let out = at.truncate().length() - 5.0;
        let exact = out.hypot(at.z) - 2.0 - 0.5;
        if exact > 0.01 {
            assert_is(&ask(&a, &b, moved(at.x, at.y, at.z), &TIGHT), exact, 2e-7);
        }
    }
}

/// A ball off a cone with a tip, written with a seam and without: about the tip all parameters along a turn are one point, and no part of
/// the face may be left out there. The distance is that of a point and a triangle in the plane through the axis.
#[test]
fn a_ball_beside_a_cone() {
    let from_segment = |p: [f64; 2], a: [f64; 2], b: [f64; 2]| {
        let way = [b[0] - a[0], b[1] - a[1]];
        let share = ((p[0] - a[0]) * way[0] + (p[1] - a[1]) * way[1]) / (way[0] * way[0] + way[1] * way[1]);
        let share = share.clamp(0.0, 1.0);
        (a[0] + share * way[0] - p[0]).hypot(a[1] + share * way[1] - p[1])
    };
    let ball = body(&bodies::ball(0.1, true), 0.005);
    let mut random = fastrand::Rng::with_seed(11);
    for seam in [false, true] {
        let cone = body(&bodies::cone(2.0, 0.0, 3.0, seam), 0.05);
        for _ in 0..150 {
            // Near the side, anywhere along it.
            let (share, angle) = (random.f64(), random.f64() * std::f64::consts::TAU);
            let out = 0.11 + 0.3 * random.f64() * random.f64();
            let normal = [3.0 / 13.0_f64.sqrt(), 2.0 / 13.0_f64.sqrt()];
            let p = [2.0 * (1.0 - share) + out * normal[0], 3.0 * share + out * normal[1]];
            let exact =
                from_segment(p, [2.0, 0.0], [0.0, 3.0]).min(from_segment(p, [0.0, 0.0], [2.0, 0.0])) - 0.1;
            let found = ask(&cone, &ball, moved(p[0] * angle.cos(), p[0] * angle.sin(), p[1]), &TIGHT);
            assert_is(&found, exact, 2e-6);
        }
    }
}

/// Surfaces that pass through each other are nowhere apart, and the answer says how near that is known.
#[test]
fn crossing_surfaces_have_no_distance() {
    let (a, b) = (body(&bodies::torus(5.0, 2.0), 0.05), body(&bodies::cylinder(2.0, 5.0, true), 0.05));
    let found = ask(&a, &b, moved(5.0, 0.0, 0.0), &TIGHT);
    assert_is(&found, 0.0, 2e-7);
}

/// Nearest points all along a line, a ring, a disc.
#[test]
fn families_of_nearest_points() {
    let (wide, thin) =
        (body(&bodies::cylinder(2.0, 5.0, true), 0.02), body(&bodies::cylinder(1.0, 5.0, false), 0.02));
    // Side by side, on top of each other.
    assert_is(&ask(&wide, &thin, moved(4.0, 0.0, 0.0), &TIGHT), 1.0, 2e-7);
    assert_is(&ask(&wide, &thin, moved(0.0, 0.0, 5.5), &TIGHT), 0.5, 2e-7);
    // One in the bore of the other: a ring all round.
    let bead = body(&bodies::bead(3.0, 1.5), 0.02);
    let loose = DistanceOptions { tolerance: 1e-4, ..TIGHT };
    assert_is(&ask(&bead, &thin, moved(0.0, 0.0, -2.5), &loose), 0.5, 2e-4);
}
