//! A hunt for missed contacts: random motions, grazes, spins and thin plates, held against exact tests at many times.

use super::{Dice, block, bumpy_sphere, wavy_torus};
use kontakt_answers::{Impact, Initial};
use kontakt_math::{DQuat, DVec3, Motion, Pose};
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_rigid_ccd::{MotionOptions, MotionQuery, MovingMesh};

/// Times at which contact is looked for before the time reported; more where the bodies come near.
const SAMPLES: u32 = 200;

/// A kind of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Through the middle or past it, turning.
    Random,
    /// Past each other at about the distance of contact.
    Grazing,
    /// Many turns on the spot.
    Spinning,
    /// A small body through a plate without thickness to speak of.
    ThinPlates,
    /// Grazing on ways that are rational in time.
    GrazingNlerp,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 5] =
        [Family::Random, Family::Grazing, Family::Spinning, Family::ThinPlates, Family::GrazingNlerp];

    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Family::Random => "random",
            Family::Grazing => "grazing",
            Family::Spinning => "spinning",
            Family::ThinPlates => "thin plates",
            Family::GrazingNlerp => "grazing, nlerp",
        }
    }
}

/// Two bodies on their way.
pub struct Scene<'a> {
    /// The first.
    pub a: (&'a Mesh, Motion),
    /// The second.
    pub b: (&'a Mesh, Motion),
}

impl Scene<'_> {
    /// Both, as the product takes them.
    pub fn moving(&self) -> [MovingMesh<'_>; 2] {
        [&self.a, &self.b].map(|body| MovingMesh { mesh: body.0, motion: &body.1 })
    }

    fn placed(&self, t: f64) -> [PlacedMesh<'_>; 2] {
        [&self.a, &self.b].map(|body| PlacedMesh::new(body.0, body.1.pose_at(t)))
    }
}

/// The bodies of the hunt.
pub struct Bodies {
    all: [Mesh; 5],
    plate: Mesh,
    bullet: Mesh,
}

impl Default for Bodies {
    fn default() -> Bodies {
        Bodies {
            all: [
                block(DVec3::new(0.5, 0.7, 0.3)),
                block(DVec3::new(1.2, 0.1, 0.1)),
                bumpy_sphere(6, 0.1),
                wavy_torus(12, 6, 0.3, 0.3),
                block(DVec3::new(1.0, 1.0, 1e-6)),
            ],
            plate: block(DVec3::new(2.0, 2.0, 1e-9)),
            bullet: block(DVec3::new(0.02, 0.01, 0.015)),
        }
    }
}

impl Bodies {
    /// A scene of the family; `at_rest` finds where a graze begins.
    pub fn scene(&self, family: Family, dice: &mut Dice, at_rest: &mut kontakt_mesh::MeshQuery) -> Scene<'_> {
        match family {
            Family::Random => random(dice, &self.all),
            Family::Grazing => grazing(dice, &self.all, at_rest, false),
            Family::GrazingNlerp => grazing(dice, &self.all, at_rest, true),
            Family::Spinning => spinning(dice, &self.all),
            Family::ThinPlates => thin(dice, &self.plate, &self.bullet),
        }
    }
}

fn random<'a>(dice: &mut Dice, bodies: &'a [Mesh]) -> Scene<'a> {
    let (a, b) = (dice.0.usize(0..bodies.len()), dice.0.usize(0..bodies.len()));
    let [start, end] = dice.ends(3.5, 3.0);
    let pose_a = dice.pose(DVec3::ZERO);
    let shift = dice.vector();
    let end_a = dice.moved(pose_a, shift);
    let motion_a = if dice.0.bool() { Motion::Rest(pose_a) } else { dice.motion(pose_a, end_a) };
    Scene { a: (&bodies[a], motion_a), b: (&bodies[b], dice.motion(start, end)) }
}

/// Passing by at about the distance of contact: from far too near to far too far, on a logarithmic scale down to 1e-9.
fn grazing<'a>(
    dice: &mut Dice,
    bodies: &'a [Mesh],
    asker: &mut kontakt_mesh::MeshQuery,
    rational: bool,
) -> Scene<'a> {
    let mut scene = random(dice, bodies);
    if rational && !matches!(scene.a.1, Motion::Rest(_)) {
        scene.a.1 =
            Motion::nlerp(scene.a.1.pose_at(0.0), scene.a.1.pose_at(1.0), DVec3::ZERO).expect("finite");
    }
    let distance = |motion: &Motion, asker: &mut kontakt_mesh::MeshQuery, scene: &Scene, t: f64| {
        asker.distance(
            PlacedMesh::new(scene.a.0, scene.a.1.pose_at(t)),
            PlacedMesh::new(scene.b.0, motion.pose_at(t)),
        )
    };
    let aside = dice.direction();
    let shifted = |by: f64| {
        let moved =
            |pose: Pose| Pose::new(pose.given_rotation(), pose.translation() + aside * by).expect("finite");
        let (start, end) = (moved(scene.b.1.pose_at(0.0)), moved(scene.b.1.pose_at(1.0)));
        if rational { Motion::nlerp(start, end, DVec3::ZERO) } else { Motion::slerp(start, end, DVec3::ZERO) }
            .expect("finite")
    };
    // The sideways shift at which the sampled way just clears, by halving.
    let clears = |by: f64, asker: &mut kontakt_mesh::MeshQuery| {
        let motion = shifted(by);
        (0..40).all(|i| distance(&motion, asker, &scene, f64::from(i) / 39.0).range.lo() > 0.0)
    };
    let (mut near, mut far) = (0.0, 12.0);
    for _ in 0..16 {
        let middle = 0.5 * (near + far);
        if clears(middle, asker) { far = middle } else { near = middle }
    }
    let offset = 10.0_f64.powf(-9.0 * dice.0.f64()) * if dice.0.bool() { 1.0 } else { -1.0 };
    let motion = shifted(far + offset);
    scene.b.1 = motion;
    scene
}

fn spinning<'a>(dice: &mut Dice, bodies: &'a [Mesh]) -> Scene<'a> {
    let (a, b) = (dice.0.usize(0..bodies.len()), dice.0.usize(0..bodies.len()));
    let place = dice.direction() * (1.2 + 1.3 * dice.0.f64());
    let pose_a = dice.pose(place);
    let pose_b = dice.pose(DVec3::ZERO);
    let turns = 1.0 + 5.0 * dice.0.f64();
    let spin = Motion::helix(pose_b, DVec3::ZERO, dice.direction(), turns * 6.3, 0.0).expect("finite");
    let motion_a = if dice.0.bool() {
        Motion::Rest(pose_a)
    } else {
        Motion::helix(pose_a, place, dice.direction(), -turns * 3.0, 0.0).expect("finite")
    };
    Scene { a: (&bodies[a], motion_a), b: (&bodies[b], spin) }
}

fn thin<'a>(dice: &mut Dice, plate: &'a Mesh, bullet: &'a Mesh) -> Scene<'a> {
    let far = 10.0_f64.powf(3.0 * dice.0.f64());
    let start = dice.direction() * far;
    let pose_b = dice.pose(start);
    let end_b =
        Pose::new(dice.rotation(), -start * (0.5 + dice.0.f64()) + dice.vector() * 2.0).expect("finite");
    let pose_a = dice.pose(DVec3::ZERO);
    let end_a = Pose::new(
        (DQuat::from_axis_angle(dice.direction(), 0.5) * pose_a.rotation()).normalize(),
        dice.vector(),
    )
    .expect("finite");
    let motion_a = if dice.0.bool() { Motion::Rest(pose_a) } else { dice.motion(pose_a, end_a) };
    Scene { a: (plate, motion_a), b: (bullet, dice.motion(pose_b, end_b)) }
}

/// The answer to a scene, and what is wrong with it.
pub struct Checked {
    /// What the product says.
    pub answer: Impact,
    /// A time before the one reported at which the bodies are in contact: a miss.
    pub missed: Option<f64>,
    /// The bodies are farther apart at the time reported than they move within the tolerance.
    pub early: bool,
    /// The time is wider than asked for.
    pub wide: bool,
}

/// Asks about a scene and looks for contact before the time reported: at many times, and in ever finer steps around the one at which
/// the bodies are nearest.
pub fn check(
    scene: &Scene,
    tolerance: f64,
    asker: &mut MotionQuery,
    at_rest: &mut kontakt_mesh::MeshQuery,
) -> Checked {
    let options = MotionOptions { tolerance, ..MotionOptions::default() };
    let [a, b] = scene.moving();
    let answer = asker.impact(a, b, &options);
    let mut checked = Checked { answer, missed: None, early: false, wide: false };
    let until = match answer {
        Impact::Free { .. } => 2.0,
        Impact::Contact { initial: Initial::Overlapping, .. } => return checked,
        Impact::Contact { time, .. } => {
            checked.wide = time.width() > 1.02 * tolerance;
            let [x, y] = scene.placed(time.lo());
            // Speeds here are below 6000.
            checked.early = at_rest.distance(x, y).range.lo() > 6000.0 * tolerance + 1e-9;
            time.lo()
        }
        Impact::Undecided { free_until, .. } => free_until,
    };
    checked.missed = contact_before(scene, until, at_rest);
    checked
}

/// A time before `until` at which the bodies are in contact, if one is found.
pub fn contact_before(scene: &Scene, until: f64, at_rest: &mut kontakt_mesh::MeshQuery) -> Option<f64> {
    let limit = until.min(1.0);
    let mut nearest = (f64::INFINITY, 0.0);
    for sample in 0..=SAMPLES {
        let t = f64::from(sample) / f64::from(SAMPLES) * limit;
        if t > until - 1e-12 {
            break;
        }
        let [x, y] = scene.placed(t);
        if at_rest.any_contact(x, y).is_some() {
            return Some(t);
        }
        if sample % 10 == 0 {
            let distance = at_rest.distance(x, y).range.hi();
            if distance < nearest.0 {
                nearest = (distance, t);
            }
        }
    }
    // Once more where they come nearest, in ever finer steps.
    let mut step = 10.0 * limit / f64::from(SAMPLES);
    for _ in 0..24 {
        for t in [nearest.1 - step, nearest.1 + step] {
            if !(0.0..=limit).contains(&t) || t > until - 1e-12 {
                continue;
            }
            let [x, y] = scene.placed(t);
            if at_rest.any_contact(x, y).is_some() {
                return Some(t);
            }
            let distance = at_rest.distance(x, y).range.hi();
            if distance < nearest.0 {
                nearest = (distance, t);
            }
        }
        step *= 0.6;
    }
    None
}
