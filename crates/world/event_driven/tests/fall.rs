//! Rods that fall, against closed forms.

use kontakt_convex::Shape;
use kontakt_event_driven::{Bounce, Fall, FallError, Fell, Moving, Top};
use kontakt_math::{DVec3, Pose};
use kontakt_pair::Body;
use kontakt_schedule::Deadline;
use std::time::Duration;

const HALF: f64 = 0.5;
const RADIUS: f64 = 0.05;
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

fn rod() -> (Body, Top) {
    (Body::convex(Shape::capsule(HALF, RADIUS).unwrap()), Top::capsule(2.0, HALF, RADIUS).unwrap())
}

fn floor() -> Body {
    Body::convex(Shape::half_space(DVec3::Z, 0.0).unwrap())
}

/// Tilted against the vertical in the plane of x and z.
fn tilted(tilt: f64, height: f64, velocity: DVec3, momentum: DVec3) -> Moving {
    let pose = Pose::from_axis_angle(DVec3::Y, tilt, DVec3::Z * height).unwrap();
    Moving { pose, velocity, momentum }
}

/// Height of the lowest point above the floor.
fn lowest(state: &Moving) -> f64 {
    state.pose.translation().z - HALF * state.pose.rotate(DVec3::Z).z.abs() - RADIUS
}

fn bounces(fall: &mut Fall, count: usize) -> Vec<Bounce> {
    let next = |fall: &mut Fall| match fall.next(1e6).unwrap() {
        Fell::Bounced(bounce) => bounce,
        other => panic!("{other:?}"),
    };
    (0..count).map(|_| next(fall)).collect()
}

/// In a plane the rod turns evenly about a fixed axis: its lowest point is known at any time, and the first zero of its height is
/// found by halving. It lies within the certified time of contact, for every one of 60 bounces.
#[test]
fn times_of_contact_enclose_those_of_the_closed_form() {
    let ((rod, top), floor) = (rod(), floor());
    let start = tilted(0.6, 1.5, DVec3::X * 0.3, DVec3::Y * 0.2);
    let mut fall = Fall::new(&rod, top, &[(&floor, Pose::IDENTITY)], GRAVITY, 1.0, start).unwrap();
    for _ in 0..60 {
        let (before, clock) = (fall.clone(), fall.time());
        let bounce = bounces(&mut fall, 1)[0];
        let seconds = bounce.time - clock;
        let height = |s: f64| lowest(&before.after(s));
        // Above the floor all along, below it soon after: the fine search is independent of the product's.
        assert!((0..1000).all(|k| height(seconds * f64::from(k) / 1000.0) > -1e-12), "{bounce:?}");
        let (mut low, mut high) = (seconds - 1e-9, seconds + 1e-6);
        assert!(height(low) > -1e-13 && height(high) < 1e-13, "{} {}", height(low), height(high));
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if height(middle) > 0.0 { low = middle } else { high = middle }
        }
        assert!((low - seconds).abs() < bounce.doubt + 1e-10, "{low} {seconds} {}", bounce.doubt);
        assert!(bounce.point.z.abs() < 1e-9 && bounce.speed > 0.0 && bounce.impulse > 0.0);
    }
}

#[test]
fn an_elastic_rod_keeps_its_energy_and_what_gravity_does_not_change() {
    let ((rod, top), floor) = (rod(), floor());
    let start = tilted(1.1, 1.0, DVec3::new(0.2, -0.4, 0.0), DVec3::new(0.05, 0.1, 0.02));
    let mut fall = Fall::new(&rod, top, &[(&floor, Pose::IDENTITY)], GRAVITY, 1.0, start).unwrap();
    let energy = fall.energy();
    bounces(&mut fall, 200);
    assert!((fall.energy() / energy - 1.0).abs() < 1e-12, "{} {energy}", fall.energy());
    let state = fall.state();
    // No friction: nothing changes the velocity along the floor, nor the angular momentum about the vertical.
    assert!((state.velocity.truncate() - start.velocity.truncate()).length() < 1e-12);
    assert!((state.momentum.z - start.momentum.z).abs() < 1e-12);
}

/// A ball is a capsule of no length: heights of a bouncing ball are known.
#[test]
fn a_ball_loses_what_restitution_says_and_comes_to_rest() {
    let ball = Body::convex(Shape::sphere(0.1).unwrap());
    let top = Top::capsule(3.0, 0.0, 0.1).unwrap();
    let floor = floor();
    let start = Moving {
        pose: Pose::new(kontakt_math::DQuat::IDENTITY, DVec3::Z * 1.1).unwrap(),
        velocity: DVec3::ZERO,
        momentum: DVec3::ZERO,
    };
    let mut fall = Fall::new(&ball, top, &[(&floor, Pose::IDENTITY)], GRAVITY, 0.5, start).unwrap();
    let mut speed = (2.0 * 9.81_f64).sqrt();
    let mut time = speed / 9.81;
    let mut doubt = 1e-12;
    for bounce in bounces(&mut fall, 10) {
        // What is not known of a time is not known of all later ones either, twice where it is that of the flight before.
        doubt = 2.0 * (doubt + bounce.doubt);
        assert!(
            (bounce.time - time).abs() < doubt && (bounce.speed - speed).abs() < 10.0 * doubt,
            "{bounce:?} {time} {speed}"
        );
        assert!((bounce.impulse - 3.0 * 1.5 * bounce.speed).abs() < 1e-12 && bounce.doubt < 1e-6);
        speed *= 0.5;
        time += 2.0 * speed / 9.81;
    }
    // Infinitely many bounces end after finite time.
    let mut ended = Fell::Free;
    for _ in 0..10_000 {
        ended = fall.next(10.0).unwrap();
        if !matches!(ended, Fell::Bounced(_)) {
            break;
        }
    }
    assert_eq!(ended, Fell::AtRest);
    assert!((fall.time() - 3.0 * (2.0 / 9.81_f64).sqrt()).abs() < 1e-4, "{}", fall.time());
}

/// A top that spins and precesses between a floor and a block: the closed form of its flight against many small steps.
#[test]
fn flights_are_those_of_small_steps() {
    let (rod, top) = rod();
    let start = tilted(0.7, 0.0, DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.1, -0.3, 0.5));
    let fall = Fall::new(&rod, top, &[], GRAVITY, 1.0, start).unwrap();
    let h = 0.5;
    let (across, along) = {
        // Moments as the closed forms say, from thin discs.
        let (mut across, mut along, mut volume) = (0.0, 0.0, 0.0);
        let steps = 200_000;
        let full = HALF + RADIUS;
        for k in 0..steps {
            let z = -full + 2.0 * full * (f64::from(k) + 0.5) / f64::from(steps);
            let beyond = (z.abs() - HALF).max(0.0);
            let r2 = RADIUS * RADIUS - beyond * beyond;
            volume += r2;
            along += r2 * r2 / 2.0;
            across += r2 * (r2 / 4.0 + z * z);
        }
        (2.0 * across / volume, 2.0 * along / volume)
    };
    let mut q = start.pose.rotation();
    let steps = 200_000;
    let dt = h / f64::from(steps);
    for _ in 0..steps {
        let rate = |q: kontakt_math::DQuat| {
            let axis = q * DVec3::Z;
            start.momentum / across + axis * axis.dot(start.momentum) * (1.0 / along - 1.0 / across)
        };
        let half = (kontakt_math::DQuat::from_scaled_axis(rate(q) * (dt / 2.0)) * q).normalize();
        q = (kontakt_math::DQuat::from_scaled_axis(rate(half) * dt) * q).normalize();
    }
    let end = fall.after(h);
    for way in DVec3::AXES {
        assert!((end.pose.rotate(way) - q * way).length() < 1e-7, "{way}");
    }
}

#[test]
fn what_cannot_fall_is_refused() {
    let ((rod, top), floor) = (rod(), floor());
    let ground = [(&floor, Pose::IDENTITY)];
    let start = tilted(0.0, 2.0, DVec3::ZERO, DVec3::ZERO);
    assert!(Fall::new(&rod, top, &ground, GRAVITY, 1.5, start).is_err());
    assert!(Fall::new(&rod, top, &ground, DVec3::NAN, 1.0, start).is_err());
    assert!(Top::capsule(0.0, 1.0, 1.0).is_err() && Top::new(1.0, f64::INFINITY, 1.0).is_err());
    let inside = tilted(0.0, 0.1, DVec3::ZERO, DVec3::ZERO);
    let mut fall = Fall::new(&rod, top, &ground, GRAVITY, 1.0, inside).unwrap();
    assert_eq!(fall.next(1.0), Err(FallError::Overlap { ground: 0, time: 0.0 }));
    // Nothing to fall on, nowhere to fall to.
    let mut idle = Fall::new(&rod, top, &[], DVec3::ZERO, 1.0, start).unwrap();
    assert_eq!((idle.next(5.0), idle.time()), (Ok(Fell::Free), 5.0));
}

/// A rod that lands on one end: impulses there converge to a time while the other end still falls. It ends there, and at a deadline before.
#[test]
fn impulses_that_converge_end() {
    let rod = Body::convex(Shape::capsule(HALF, 0.02).unwrap());
    let floor = floor();
    let top = Top::capsule(1.0, HALF, 0.02).unwrap();
    let state = tilted(30_f64.to_radians(), 2.0, DVec3::ZERO, DVec3::ZERO);
    for restitution in [0.3, 0.5, 0.7] {
        let ground = [(&floor, Pose::IDENTITY)];
        let mut fall = Fall::new(&rod, top, &ground, GRAVITY, restitution, state).unwrap();
        let late = Deadline::after(Duration::ZERO);
        assert_eq!(fall.clone().next_until(5.0, late).unwrap(), Fell::Late);
        let before = fall.energy();
        let ended =
            (0..10_000).map(|_| fall.next(5.0).unwrap()).find(|fell| !matches!(fell, Fell::Bounced(_)));
        assert_eq!(ended, Some(Fell::AtRest));
        assert!(fall.time() < 5.0 && fall.energy() < before);
    }
}
