//! Motions that graze to the last bit: a sideways shift is halved between one that is free and one that is not until nothing is
//! left between them. On the way every answer is told; ways that are rational in time are never undecided.

use kontakt_answers::Impact;
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingMesh};
use testbodies::moving::{Dice, block, wavy_torus};

struct Scene<'a> {
    bodies: [&'a Mesh; 2],
    still: Motion,
    ends: [Pose; 2],
    aside: DVec3,
    rational: bool,
}

impl Scene<'_> {
    fn ask(&self, asker: &mut MotionQuery, by: f64) -> Impact {
        let [start, end] = self.ends.map(|pose| {
            Pose::new(pose.given_rotation(), pose.translation() + self.aside * by).expect("finite")
        });
        let motion = if self.rational { Motion::nlerp } else { Motion::slerp };
        let motion = motion(start, end, DVec3::ZERO).expect("finite");
        let [a, b] = [
            MovingMesh { mesh: self.bodies[0], motion: &self.still },
            MovingMesh { mesh: self.bodies[1], motion: &motion },
        ];
        asker.impact(a, b, &MotionOptions { tolerance: 1e-6, ..MotionOptions::default() })
    }
}

/// How many answers of how many were undecided, of those within 1e-12 of the edge.
fn halve(scene: &Scene, asker: &mut MotionQuery) -> Option<[u32; 2]> {
    let (mut near, mut far) = (0.0, 8.0);
    let starts = [scene.ask(asker, near), scene.ask(asker, far)];
    if !matches!(starts, [Impact::Contact { .. }, Impact::Free { .. }]) {
        return None;
    }
    let (mut open, mut asked) = (0, 0);
    loop {
        let middle = 0.5 * (near + far);
        if middle <= near || middle >= far {
            return Some([open, asked]);
        }
        let close = far - near < 1e-12;
        asked += u32::from(close);
        match scene.ask(asker, middle) {
            Impact::Free { .. } => far = middle,
            Impact::Contact { .. } => near = middle,
            Impact::Undecided { .. } => {
                if !close {
                    eprintln!("undecided at {middle}, {near} and {far} being told");
                }
                open += 1;
                // Go on towards the free side.
                near = middle;
            }
        }
    }
}

fn count(rational: bool, scenes: u32) -> [u32; 2] {
    let mut dice = Dice::new(12);
    let mut asker = MotionQuery::new();
    let bodies =
        [block(DVec3::new(0.5, 0.7, 0.3)), block(DVec3::new(0.9, 0.2, 0.2)), wavy_torus(10, 5, 0.3, 0.3)];
    let mut sum = [0; 2];
    for round in 0..scenes {
        let start = dice.direction() * 3.0;
        let pose = dice.pose(start);
        let ends = [pose, dice.moved(pose, -start * 2.0)];
        let pose = dice.pose(DVec3::ZERO);
        let still = if round % 2 == 0 {
            Motion::Rest(pose)
        } else {
            let end = dice.moved(pose, DVec3::X * 0.3);
            let motion = if rational { Motion::nlerp } else { Motion::slerp };
            motion(pose, end, DVec3::ZERO).expect("finite")
        };
        let bodies = [&bodies[dice.0.usize(0..3)], &bodies[dice.0.usize(0..3)]];
        let scene = Scene { bodies, still, ends, aside: dice.direction(), rational };
        if let Some([open, asked]) = halve(&scene, &mut asker) {
            sum = [sum[0] + open, sum[1] + asked];
        }
    }
    sum
}

#[test]
fn rational_ways_are_told_to_the_last_bit() {
    let [open, asked] = count(true, 8);
    eprintln!("nlerp: {open} of {asked} undecided within 1e-12 of the edge");
    assert!(open == 0 && asked > 15, "{open} of {asked}");
}

#[test]
fn turns_at_constant_speed_are_told_but_for_rounding() {
    let [open, asked] = count(false, 4);
    eprintln!("slerp: {open} of {asked} undecided within 1e-12 of the edge");
    assert!(asked > 15 && open < asked, "{open} of {asked}");
}
