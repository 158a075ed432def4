//! A settled step of a world takes no memory: every allocation of the thread is counted.

use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::Body;
use kontakt_scene::{NodeId, StepOptions, StepReport, World};
use kontakt_shapes::make;
use testkit::counting::{Counting, taken};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn pose(angle: f64, at: DVec3) -> Pose {
    Pose::from_axis_angle(DVec3::new(0.3, 1.0, 0.2), angle, at).expect("finite")
}

/// A ball among eight, so near that their boxes overlap, and one in the bore of a nut, where no plane is between all corners. Both hang in
/// groups, turn and swing.
struct Swings {
    world: World,
    movers: Vec<(NodeId, DVec3)>,
    report: StepReport,
    step: u32,
}

impl Swings {
    fn new() -> Swings {
        let mesh = |faces| Body::mesh(Mesh::with_threads(faces, 1).expect("faces"));
        let ball = mesh(make::bumpy_ball(4, 0.2).expect("a ball"));
        let nut = mesh(make::hex_nut(6.0, 2.0, 3.0, 48).expect("a nut"));
        let (mut world, mut movers) = (World::new(), Vec::new());
        for k in 0..8 {
            let corner = DVec3::new(f64::from(k % 2), f64::from(k / 2 % 2), f64::from(k / 4)) * 2.0 - 1.0;
            world
                .add_body(&format!("ball {k}"), None, ball.clone(), pose(0.0, corner * 1.4))
                .expect("a name");
        }
        world.add_body("nut", None, nut, pose(0.0, DVec3::X * 20.0)).expect("a name");
        for (name, at) in [("middle", DVec3::ZERO), ("bore", DVec3::X * 20.0)] {
            let group = world.add_group(&format!("group {name}"), None, pose(0.0, at)).expect("a name");
            let place = pose(0.0, DVec3::ZERO);
            world.add_body(name, Some(group), ball.clone(), place).expect("a name");
            movers.push((group, at));
        }
        Swings { world, movers, report: StepReport::default(), step: 0 }
    }

    /// How many pairs were near, and how many of them were followed.
    fn step(&mut self) -> [usize; 2] {
        self.step += 1;
        let t = f64::from(self.step) * 0.3;
        for &(node, home) in &self.movers {
            let start = self.world.pose(node).expect("there");
            let end = pose(0.2 * t.sin(), home + DVec3::new(0.02 * t.sin(), 0.01 * t.cos(), 0.0));
            let motion = Motion::slerp(start, end, DVec3::ZERO).expect("finite");
            self.world.set_motion(node, &motion).expect("starts where it is");
        }
        self.world.step_into(&StepOptions::default(), &mut self.report).expect("few pairs");
        assert!(self.report.contacts().is_empty(), "nothing meets in this test");
        let counts = self.report.counts;
        [counts.candidates, counts.candidates - counts.kept_apart]
    }
}

#[test]
fn settled_steps_take_nothing() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one.install(|| {
        let mut swings = Swings::new();
        for _ in 0..120 {
            swings.step();
        }
        let before = taken();
        let mut seen = [0; 2];
        for _ in 0..40 {
            let [near, followed] = swings.step();
            seen = [seen[0] + near, seen[1] + followed];
        }
        assert_eq!(taken() - before, 0, "{seen:?} pairs near and followed");
        assert!(seen[0] >= 200 && seen[1] >= 40, "generator drifted: {seen:?}");
    });
}
