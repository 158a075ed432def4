//! Searches with hardly any room for what is still to be looked at answer as those with plenty.

use crate::agenda::Room;
use crate::{MotionOptions, MotionQuery, MovingMesh};
use kontakt_answers::Impact;
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_shapes::make;
use std::f64::consts::TAU;

const PITCH: f64 = 0.2;
const TURNS: u32 = 1;

/// A rod in its nut, asked to go out by the whole length as one helix with `turns` turns for every pitch.
fn screwed_out(turns: f64, asker: &mut MotionQuery) -> Impact {
    let mesh = |faces| Mesh::with_threads(faces, 1).expect("mesh");
    let nut = mesh(make::threaded_nut(TURNS, PITCH, 0.06, 12).expect("faces"));
    let rod = mesh(make::threaded_rod(TURNS + 1, PITCH, 12).expect("faces"));
    let length = (f64::from(TURNS) + 1.1) * PITCH;
    let angle = TAU * turns * length / PITCH;
    let way = Motion::helix(Pose::IDENTITY, DVec3::ZERO, -DVec3::Z, angle, length).expect("finite");
    let rest = Motion::Rest(Pose::IDENTITY);
    let [nut, rod] = [MovingMesh { mesh: &nut, motion: &rest }, MovingMesh { mesh: &rod, motion: &way }];
    asker.impact(nut, rod, &MotionOptions::default())
}

/// Each of these bounds is reached over and over again.
const ROOMS: [Room; 3] = [
    Room { items: 1000, slabs: usize::MAX },
    Room { items: usize::MAX, slabs: 300 },
    Room { items: 300, slabs: 150 },
];

#[test]
fn a_helix_is_proven_free_with_little_room() {
    assert!(matches!(screwed_out(1.0, &mut MotionQuery::new()), Impact::Free { .. }));
    for room in ROOMS {
        let answer = screwed_out(1.0, &mut MotionQuery::with_room(room));
        assert!(matches!(answer, Impact::Free { .. }), "{room:?}: {answer:?}");
    }
}

/// The first contact must be the same with any of these rooms.
fn check_contact(turns: f64, rooms: &[Room]) {
    let Impact::Contact { time: plenty, .. } = screwed_out(turns, &mut MotionQuery::new()) else {
        panic!("{turns} turns: no contact")
    };
    for &room in rooms {
        let answer = screwed_out(turns, &mut MotionQuery::with_room(room));
        let Impact::Contact { time, .. } = answer else { panic!("{turns} turns, {room:?}: {answer:?}") };
        assert!(time.width() <= 1.01e-6, "{turns} turns, {room:?}: {time:?}");
        // Both hold the first contact.
        assert!(time.lo() <= plenty.hi() && plenty.lo() <= time.hi(), "{turns} turns, {room:?}: {time:?}");
    }
}

#[test]
fn a_late_contact_is_found_with_little_room() {
    for turns in [-1.0, 0.0, 0.8] {
        check_contact(turns, &ROOMS);
    }
}

/// So little room that more items begin at one time than there is room for: only a shorter time helps.
#[test]
fn a_contact_is_found_with_hardly_any_room() {
    for turns in [-1.0, 0.0] {
        check_contact(turns, &[Room { items: 130, slabs: 130 }]);
    }
}
