//! What the fuzz targets of `tools/fuzz` found, one test a finding: each failed before its fix.

use kontakt_bounds::{
    AnyVolume, Bound, Cylinder, Shell, Sphere, Support, VolumeKind, Zonotope, min_ball_of_balls,
};
use kontakt_math::{DQuat, DVec3, Pose};
use testkit::membership::{image, in_shell};
use testkit::rational::{dot, exact, vector};

/// A ball alone was given the least normal double as its weight, and the products of the certificate then underflowed:
/// the "lower bound" of the radius came out some 10⁻¹⁴ above the radius itself.
#[test]
fn the_lower_bound_of_a_single_ball_is_its_radius() {
    let ball = Sphere { centre: DVec3::new(-0.9, -0.4, -0.2), radius: 0.003_454_241_755_120_324 };
    let found = min_ball_of_balls(&[ball]).expect("a ball");
    assert_eq!(found.radius_below, ball.radius);
    assert!(found.sphere.radius >= ball.radius);
}

/// The bound of a pose's rounding was relative only; of a centre at the least doubles it underflowed to nothing, and the
/// image of a point was not where the volume said.
#[test]
fn volumes_of_the_least_doubles_are_turned_with_room_for_rounding() {
    let point = DVec3::new(23.0, 0.0, 0.0) * f64::from_bits(1);
    let turn = DQuat::from_xyzw(0.125, 0.125, 0.0, 1.0).normalize();
    let pose = Pose::new(turn, DVec3::ZERO).expect("unit");
    let exact_image = image(&vector(point.to_array()), turn.to_array(), [0.0; 3]);
    let shell = Shell::fit(&[point]).expect("a point").transformed(&pose);
    assert!(in_shell(
        &exact_image,
        shell.middle().to_array(),
        [shell.inner_radius(), shell.outer_radius()],
        shell.axis().to_array(),
        shell.cos_half_angle(),
    ));
    for kind in VolumeKind::all() {
        let volume = kind.fit(&[point], &[]).expect("a point").transformed(&pose);
        for d in [DVec3::X, DVec3::NEG_X, DVec3::NEG_Y, DVec3::new(-3.0, 1.0, 2.0) * 1e200] {
            let reach = exact(volume.reach(d));
            assert!(reach >= dot(&vector(d.to_array()), &exact_image), "{} along {d}", kind.name);
        }
    }
}

/// Halving odd multiples of the least double rounds, so the middle of two equal points is another point; the merger then
/// called the set a point because its size was not normal.
#[test]
fn a_merger_of_zonotopes_at_the_least_doubles_holds_both() {
    let point = DVec3::new(251.0, 0.0, 0.0) * f64::from_bits(1);
    let one = Zonotope::fit(&[point]).expect("a point");
    let both = one.merge(&one);
    let d = DVec3::splat(-1e200);
    assert!(exact(both.reach(d)) >= dot(&vector(d.to_array()), &vector(point.to_array())));
}

/// The sum of two radii overflowed on the way to their mean.
#[test]
fn a_huge_shell_has_a_centre() {
    let shell = Shell::in_cone(DVec3::new(7e305, 7.3e307, 7e307), 1e308, 1.1e308, DVec3::NEG_Y, 0.99);
    assert!(shell.expect("a shell").centre().is_finite());
}

/// Sizes of flat things overflowed to ∞ · 0, which is NaN, and a NaN cost makes a search
/// keep anything.
#[test]
fn sizes_of_huge_flat_things_are_numbers() {
    let disc = Cylinder::new(DVec3::ZERO, DVec3::Z, 0.0, 1e200).expect("a disc");
    assert!(disc.measure().volume == 0.0 && disc.measure().surface == f64::INFINITY);
    let ends = [f64::MAX, -f64::MAX];
    let plane: Vec<DVec3> = ends.iter().flat_map(|x| ends.map(|y| DVec3::new(*x, y, 0.0))).collect();
    for scale in [1.0, 1e-8, 1e-100] {
        let points: Vec<DVec3> = plane.iter().map(|p| *p * scale).collect();
        for kind in VolumeKind::all() {
            let Ok(volume) = kind.fit(&points, &[]) else { continue };
            let size = AnyVolume::measure(&volume);
            assert!(
                size.volume >= 0.0 && size.surface >= 0.0 && size.diameter >= 0.0,
                "{}: {size:?}",
                kind.name
            );
        }
    }
}
