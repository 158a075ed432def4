//! Bodies stop and slide where the closed form says.

mod help;

use help::{Stage, at, cube, mesh, obstacle};
use kontakt_convex::Shape;
use kontakt_drag::{Drag, DragOptions, Ending};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_pair::{Body, Query};
use kontakt_shapes::make;
use std::f64::consts::TAU;

/// A block of half size 1 above a floor whose top is z = 0.
fn runway() -> Stage {
    let floor = obstacle("floor", cube(DVec3::new(50.0, 50.0, 1.0)), at(0.0, 0.0, -1.0));
    Stage { body: cube(DVec3::ONE), start: at(0.0, 0.0, 1.5), obstacles: vec![floor] }
}

/// Lets the hand stay until the body comes no nearer.
fn settle(drag: &mut Drag, hand: Pose) -> Ending {
    let mut ending = drag.follow(hand).ending;
    for _ in 0..1000 {
        if ending != Ending::Lagging {
            break;
        }
        ending = drag.follow(hand).ending;
    }
    ending
}

/// The hand goes down through the floor while it goes along: the body stays on the floor under it, upright, and the floor pushes as hard
/// as the hand does.
#[test]
fn a_block_pushed_obliquely_onto_a_floor_slides_along_it() {
    let stage = runway();
    let mut drag = stage.drag(DragOptions { stiffness: 3.0, ..DragOptions::default() });
    let skin = drag.skin();
    for k in 1..=200 {
        let t = f64::from(k) / 200.0;
        drag.follow(at(10.0 * t, 3.0 * t, 1.5 - 4.0 * t));
        let place = drag.pose().translation();
        assert!((place.x - 10.0 * t).abs() < skin && (place.y - 3.0 * t).abs() < skin, "{k}: {place}");
    }
    let end = drag.pose().translation();
    assert!(end.z > 1.0 && end.z < 1.0 + skin, "{end}");
    assert!(drag.pose().axis_angle().1 < 1e-3);
    let sample = drag.sample();
    assert_eq!(sample.ending, Ending::Held);
    assert!(sample.contacts.iter().all(|touch| touch.normal.z > 0.999 && touch.force > 0.0));
    let push: DVec3 = sample.contacts.iter().map(|touch| touch.normal * touch.force).sum();
    assert!((push - DVec3::Z * (3.0 * (end.z + 2.5))).length() < 3.0 * skin, "{push}");
    // About the centre the forces do not turn it.
    let turn: DVec3 = sample.contacts.iter().map(|c| (c.point - end).cross(c.normal * c.force)).sum();
    assert!(turn.length() < 3.0 * 3.5 * skin, "{turn}");
}

/// Over the inner edges of a floor of many triangles, and along a wall too.
#[test]
fn a_block_slides_along_a_wall_over_a_floor_of_many_faces() {
    let n = 20;
    let corners =
        (0..=n).flat_map(|i| (0..=n).map(move |j| DVec3::new(f64::from(i) - 10.0, f64::from(j) - 10.0, 0.0)));
    let faces = (0..n).flat_map(|i| {
        (0..n).flat_map(move |j| {
            let at = |i: u32, j: u32| i * (n + 1) + j;
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
    });
    let sheet = kontakt_shapes::FaceSet::from_triangles(corners.collect(), faces.collect()).unwrap();
    let wall = obstacle("wall", cube(DVec3::new(20.0, 1.0, 5.0)), at(0.0, 3.0, 0.0));
    let stage = Stage {
        body: cube(DVec3::new(1.0, 0.7, 0.5)),
        start: at(-8.0, 0.0, 0.6),
        obstacles: vec![obstacle("floor", mesh(sheet), Pose::IDENTITY), wall],
    };
    let mut drag = stage.drag(DragOptions::default());
    let skin = drag.skin();
    let mut most = 0;
    for k in 1..=400 {
        let t = f64::from(k) / 400.0;
        let sample = drag.follow(at(-8.0 + 16.0 * t, 4.0 * t, 0.6 - 2.0 * t));
        most = most.max(sample.pieces.len());
    }
    let end = drag.pose().translation();
    assert!((end.x - 8.0).abs() < 2.0 * skin, "{end}");
    assert!(end.y < 1.3 && end.y > 1.3 - skin && end.z > 0.5 && end.z < 0.5 + skin, "{end}");
    assert!(most <= 8, "{most} pieces for a sample: it sticks");
    let named = |number: usize| drag.sample().contacts.iter().any(|touch| touch.obstacle == number);
    assert!(named(0) && named(1));
}

/// A hole 0.01 wider than the peg on every side; the hand goes straight in, a little off and a little askew.
#[test]
fn a_peg_slides_into_its_hole() {
    let side =
        |x: f64, y: f64, half: DVec3, k: usize| obstacle(&format!("side {k}"), cube(half), at(x, y, 0.0));
    let hole = 0.51;
    let obstacles = vec![
        side(hole + 1.0, 0.0, DVec3::new(1.0, 3.0, 1.0), 0),
        side(-hole - 1.0, 0.0, DVec3::new(1.0, 3.0, 1.0), 1),
        side(0.0, hole + 1.0, DVec3::new(hole, 1.0, 1.0), 2),
        side(0.0, -hole - 1.0, DVec3::new(hole, 1.0, 1.0), 3),
    ];
    let stage = Stage { body: cube(DVec3::new(0.5, 0.5, 1.5)), start: at(0.0, 0.0, 2.6), obstacles };
    let mut drag = stage.drag(DragOptions::default());
    for k in 1..=300 {
        let t = f64::from(k) / 300.0;
        // Down to z = 0, pressed to one side and turned by up to 0.02, more than the hole lets it.
        let hand = Pose::from_axis_angle(
            DVec3::new(1.0, 0.5, 0.2),
            0.02 * t,
            DVec3::new(0.05 * t, -0.03 * t, 2.6 - 2.6 * t),
        );
        drag.follow(hand.unwrap());
    }
    let end = drag.pose().translation();
    assert!(end.z.abs() < 0.03, "{end}");
    assert!(end.x.abs() < 0.011 && end.y.abs() < 0.011, "{end}");
    assert_eq!(drag.sample().ending, Ending::Held);
}

/// Turned about its axis while the hand stays where it is, a nut is moved along its rod by the thread: by the pitch every turn.
#[test]
fn a_nut_that_is_turned_goes_along_its_rod_by_the_pitch() {
    let pitch = 0.2;
    let rod = mesh(make::threaded_rod(6, pitch, 24).unwrap());
    let nut = mesh(make::threaded_nut(1, pitch, 0.03, 24).unwrap());
    let obstacles = vec![obstacle("rod", rod, Pose::IDENTITY)];
    let stage = Stage { body: nut, start: at(0.0, 0.0, 0.4), obstacles };
    let mut drag = stage.drag(DragOptions::default());
    let steps = 48;
    let mut turn = |number: i32| {
        for k in 1..=steps {
            let angle = TAU * f64::from(k + number * steps) / f64::from(steps);
            // The hand keeps its height: only the thread can move the nut along.
            let hand = Pose::new(DQuat::from_axis_angle(DVec3::Z, angle), DVec3::Z * 0.4).unwrap();
            settle(&mut drag, hand);
        }
        assert!(drag.sample().lag_angle < 0.05, "{}", drag.sample().lag_angle);
        drag.pose().translation().z
    };
    // The first turn uses up the play along the axis, the second does not.
    let (first, second) = (turn(0), turn(1));
    let moved = second - first;
    assert!(first > 0.4 + 0.5 * pitch && first < 0.4 + pitch, "{first}");
    assert!((moved - pitch).abs() < 0.05 * pitch, "{moved}");
}

/// However far the hand jumps, the body stays on its side of a thin wall, and the work is bounded.
#[test]
fn a_hand_that_jumps_a_kilometre_does_not_pull_the_body_through_a_wall() {
    let sheet = kontakt_shapes::FaceSet::from_triangles(
        vec![
            DVec3::new(0.0, -9.0, -9.0),
            DVec3::new(0.0, 9.0, -9.0),
            DVec3::new(0.0, 9.0, 9.0),
            DVec3::new(0.0, -9.0, 9.0),
        ],
        vec![[0, 1, 2], [0, 2, 3]],
    );
    let wall = obstacle("wall", mesh(sheet.unwrap()), Pose::IDENTITY);
    let stage = Stage { body: cube(DVec3::splat(0.3)), start: at(-1.0, 0.2, 0.1), obstacles: vec![wall] };
    let mut drag = stage.drag(DragOptions::default());
    let mut query = Query::new();
    for k in 0..200 {
        let far = [1000.0, 1e6, 3.0, 50.0][k % 4];
        let turned =
            Pose::from_axis_angle(DVec3::new(1.0, 2.0, f64::from(k as u32 % 7)), 3.0, DVec3::X * far)
                .unwrap();
        let sample = drag.follow(turned);
        assert!(sample.pieces.len() <= 24 && sample.work.pairs < 20_000);
        assert!(stage.is_free(&mut query, drag.pose()));
        assert!(drag.pose().translation().x < -0.3, "sample {k}: {}", drag.pose().translation());
    }
    // Back to where there is nothing: it goes there, and says when it lags.
    let home = at(-500.0, 0.0, 0.0);
    assert_eq!(settle(&mut drag, home), Ending::Arrived);
    assert_eq!(drag.pose(), home);
}

/// What lies flush can be lifted, and slides.
#[test]
fn a_block_that_lies_flush_slides_and_lifts() {
    let floor = obstacle("floor", cube(DVec3::new(50.0, 50.0, 1.0)), at(0.0, 0.0, -1.0));
    let turned = Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.6, 0.8), DVec3::Z).unwrap();
    for start in [at(0.0, 0.0, 1.0), turned] {
        let stage = Stage { body: cube(DVec3::ONE), start, obstacles: vec![floor.clone()] };
        let mut drag = stage.drag(DragOptions::default());
        let along = Pose::new(start.rotation(), DVec3::new(2.0, 1.0, 0.5)).unwrap();
        settle(&mut drag, along);
        let place = drag.pose().translation();
        assert!((place - DVec3::new(2.0, 1.0, 1.0)).length() < 2.0 * drag.skin(), "{place}");
        let up = Pose::new(start.rotation(), DVec3::new(2.0, 1.0, 4.0)).unwrap();
        assert_eq!(settle(&mut drag, up), Ending::Arrived);
    }
}

/// A ball on a plane, and a can on its rim: shapes without faces.
#[test]
fn round_shapes_slide_too() {
    let ground = obstacle("ground", Body::convex(Shape::half_space(DVec3::Z, 0.0).unwrap()), Pose::IDENTITY);
    for (body, height) in [(Shape::sphere(0.5).unwrap(), 0.5), (Shape::cylinder(0.4, 0.7).unwrap(), 0.4)] {
        let stage =
            Stage { body: Body::convex(body), start: at(0.0, 0.0, 2.0), obstacles: vec![ground.clone()] };
        let mut drag = stage.drag(DragOptions::default());
        for k in 1..=50 {
            let t = f64::from(k) / 50.0;
            drag.follow(at(3.0 * t, 0.0, 2.0 - 3.0 * t));
        }
        settle(&mut drag, at(3.0, 0.0, -1.0));
        let end = drag.pose().translation();
        assert!((end.x - 3.0).abs() < 2.0 * drag.skin(), "{end}");
        assert!(end.z > height && end.z < height + drag.skin(), "{end}");
        let push: f64 = drag.sample().contacts.iter().map(|c| c.force * c.normal.z).sum();
        assert!((push - (end.z + 1.0)).abs() < 0.1, "{push}");
    }
}

/// A body that may not turn keeps its orientation, whatever the hand and the contacts do.
#[test]
fn a_body_that_may_not_turn_does_not() {
    let stage = runway();
    let mut drag = stage.drag(DragOptions { turning: false, ..DragOptions::default() });
    for k in 0..50 {
        let hand = Pose::from_axis_angle(
            DVec3::X,
            0.1 * f64::from(k),
            DVec3::new(0.1 * f64::from(k), 0.0, 1.5 - 0.1 * f64::from(k)),
        );
        drag.follow(hand.unwrap());
        assert_eq!(drag.pose().rotation(), DQuat::IDENTITY);
    }
    assert!((drag.pose().translation().x - 4.9).abs() < drag.skin());
}
