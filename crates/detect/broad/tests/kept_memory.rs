//! A settled set takes no memory: every allocation of this process is counted.

use kontakt_bounds::Aabb;
use kontakt_broad::{BoxId, BroadPhase, Way};
use kontakt_math::DVec3;
use testkit::counting::{Counting, taken};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Cubes between walls, all or a few of them moving.
struct Crowd {
    set: BroadPhase,
    bodies: Vec<(BoxId, DVec3, DVec3)>,
    side: f64,
}

impl Crowd {
    fn new(way: Way, count: usize) -> Crowd {
        let mut random = fastrand::Rng::with_seed(3);
        let side = 2.0 * (count as f64).cbrt();
        let mut set = BroadPhase::with_way(way);
        let mut point = |size: f64| DVec3::new(random.f64(), random.f64(), random.f64()) * size;
        let bodies = (0..count)
            .map(|_| {
                let (at, velocity) = (point(side), point(0.2) - 0.1);
                (set.insert(Aabb { min: at - 0.5, max: at + 0.5 }).expect("a box"), at, velocity)
            })
            .collect();
        Crowd { set, bodies, side }
    }

    /// Number of new and lost pairs.
    fn step(&mut self, movers: usize) -> usize {
        for (id, at, velocity) in self.bodies.iter_mut().take(movers) {
            *at += *velocity;
            for k in 0..3 {
                if at[k] < 0.0 || at[k] > self.side {
                    velocity[k] = -velocity[k];
                }
            }
            self.set.move_to(*id, Aabb { min: *at - 0.5, max: *at + 0.5 }).expect("a box");
        }
        let step = self.set.update().expect("few pairs");
        step.new.len() + step.lost.len()
    }
}

#[test]
fn settled_steps_allocate_nothing() {
    for way in Way::ALL {
        for movers in [3_000, 100] {
            let mut crowd = Crowd::new(way, 3_000);
            for _ in 0..600 {
                crowd.step(movers);
            }
            let before = taken();
            let mut changes = 0;
            for _ in 0..60 {
                changes += crowd.step(movers);
            }
            assert_eq!(taken() - before, 0, "{way:?}, {movers} of 3000 moving");
            assert!(changes > 20, "nothing happened");
        }
    }
}
