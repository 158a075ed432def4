//! Random sequences of operations on a kept set of boxes, against comparing all. `KONTAKT_CASES` sets how many operations.

use kontakt_bounds::Aabb;
use kontakt_broad::{BoxId, BroadPhase, KeptError};
use kontakt_math::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// Operations in all, shared out to the ways and the kinds of scenes.
fn operations() -> usize {
    std::env::var("KONTAKT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(40_000)
}

/// What boxes look like.
#[derive(Clone, Copy, Debug)]
enum Scene {
    /// Corners are small integers: touching, equal and flat boxes abound.
    Integers,
    /// Cubes of about one size that mostly go straight on.
    Cubes,
    /// Sizes over ten octaves, in clusters.
    Mixed,
    /// Anything: points, planes, boxes without end, far away, tiny.
    Wild,
}

struct Body {
    at: Aabb,
    velocity: DVec3,
}

struct Trial {
    random: fastrand::Rng,
    scene: Scene,
    set: BroadPhase,
    bodies: BTreeMap<BoxId, Body>,
    /// Pairs of the last update.
    pairs: BTreeSet<[BoxId; 2]>,
    removed: Vec<BoxId>,
    touched: usize,
}

fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

impl Trial {
    fn new(scene: Scene, set: BroadPhase, seed: u64) -> Trial {
        let random = fastrand::Rng::with_seed(seed);
        let (bodies, pairs) = (BTreeMap::new(), BTreeSet::new());
        Trial { random, scene, set, bodies, pairs, removed: Vec::new(), touched: 0 }
    }

    fn point(&mut self, size: f64) -> DVec3 {
        let mut one = || (self.random.f64() * 2.0 - 1.0) * size;
        DVec3::new(one(), one(), one())
    }

    fn body(&mut self) -> Body {
        let velocity = self.point(0.1);
        let at = match self.scene {
            Scene::Integers => {
                let mut corner =
                    || DVec3::from_array(std::array::from_fn(|_| f64::from(self.random.i32(-4..=4))));
                let (a, b) = (corner(), corner());
                Aabb { min: a.min(b), max: (a.max(b)).min(a.min(b) + DVec3::splat(2.0)) }
            }
            Scene::Cubes => {
                let (centre, half) = (self.point(4.0), self.random.f64() * 0.5 + 0.25);
                Aabb { min: centre - half, max: centre + half }
            }
            Scene::Mixed => {
                let cluster = f64::from(self.random.i32(-2..=2)) * 20.0;
                let half = 0.01 * 2.0_f64.powf(self.random.f64() * 10.0);
                let centre = DVec3::splat(cluster) + self.point(2.0);
                Aabb { min: centre - half, max: centre + half * self.random.f64() }
            }
            Scene::Wild => self.wild(),
        };
        Body { at, velocity }
    }

    fn wild(&mut self) -> Aabb {
        let end = |random: &mut fastrand::Rng| match random.u8(0..12) {
            0 => [f64::NEG_INFINITY, f64::INFINITY],
            1 => [f64::NEG_INFINITY, random.f64()],
            2 => [random.f64(), f64::INFINITY],
            3 => [0.5; 2],
            4 => [-0.0, 0.0],
            5 => [1e12 + random.f64(), 1e12 + 1.5],
            6 => [-f64::MAX, f64::MAX],
            7 => [1e-300 * random.f64(), 1e-300],
            8 => [0.5, 0.5 + f64::EPSILON * f64::from(random.u8(0..3))],
            _ => {
                let low = random.f64();
                [low, low + random.f64() * 0.3]
            }
        };
        let ends: [[f64; 2]; 3] = std::array::from_fn(|_| end(&mut self.random));
        Aabb { min: DVec3::from_array(ends.map(|e| e[0])), max: DVec3::from_array(ends.map(|e| e[1])) }
    }

    fn any(&mut self) -> Option<BoxId> {
        let count = self.bodies.len();
        (count > 0).then(|| self.random.usize(..count)).and_then(|n| self.bodies.keys().nth(n).copied())
    }

    fn insert(&mut self) {
        let body = self.body();
        let id = self.set.insert(body.at).expect("a box");
        assert!(self.bodies.insert(id, body).is_none(), "a name given twice");
    }

    fn advance(&mut self, id: BoxId) {
        let Some(body) = self.bodies.get_mut(&id) else { return };
        if matches!(self.scene, Scene::Cubes | Scene::Mixed) {
            if body.at.min.abs().max_element() > 50.0 || self.random.u8(0..100) == 0 {
                body.velocity = -body.velocity;
            }
            let at = Aabb { min: body.at.min + body.velocity, max: body.at.max + body.velocity };
            // Now and then as the box of the motion.
            if self.random.u8(0..8) == 0 {
                let hull = Aabb { min: body.at.min.min(at.min), max: body.at.max.max(at.max) };
                self.set.move_swept(id, body.at, at).expect("boxes");
                body.at = hull;
            } else {
                self.set.move_to(id, at).expect("a box");
                body.at = at;
            }
        } else {
            let next = self.body();
            self.set.move_to(id, next.at).expect("a box");
            self.bodies.insert(id, next);
        }
    }

    fn remove(&mut self) {
        let Some(id) = self.any() else { return };
        self.set.remove(id).expect("it is there");
        self.bodies.remove(&id);
        self.removed.push(id);
        assert_eq!(self.set.remove(id), Err(KeptError::Unknown(id)), "removed twice");
        let body = self.body();
        assert_eq!(self.set.move_to(id, body.at), Err(KeptError::Unknown(id)), "moved after removal");
    }

    /// Refused, and as if it had not been asked.
    fn nonsense(&mut self) {
        let id = self.any();
        let nan = Aabb { min: DVec3::splat(f64::NAN), max: DVec3::ONE };
        let turned = Aabb { min: DVec3::ONE, max: DVec3::ZERO };
        let nowhere = Aabb { min: DVec3::splat(f64::INFINITY), max: DVec3::splat(f64::INFINITY) };
        assert_eq!(self.set.insert(nan), Err(KeptError::NotANumber));
        assert_eq!(self.set.insert(turned), Err(KeptError::InsideOut));
        assert_eq!(self.set.insert(nowhere), Err(KeptError::InsideOut));
        if let Some(id) = id {
            assert_eq!(self.set.move_to(id, nan), Err(KeptError::NotANumber));
            assert_eq!(self.set.get(id), Some(self.bodies[&id].at));
        }
        assert!(self.set.ray(DVec3::ZERO, DVec3::ZERO, 1.0).is_err());
        assert!(self.set.meeting(nan).is_err());
    }

    fn update(&mut self) {
        let list: Vec<(BoxId, Aabb)> = self.bodies.iter().map(|(id, body)| (*id, body.at)).collect();
        let mut expected = Vec::new();
        for (i, (a, first)) in list.iter().enumerate() {
            expected.extend(
                list[i + 1..].iter().filter(|(_, second)| meet(first, second)).map(|(b, _)| [*a, *b]),
            );
        }
        let step = self.set.update().expect("few pairs");
        assert_eq!(step.pairs, expected, "{:?}", self.scene);
        let now: BTreeSet<[BoxId; 2]> = expected.into_iter().collect();
        assert!(step.new.iter().eq(now.difference(&self.pairs)), "new pairs");
        assert!(step.lost.iter().eq(self.pairs.difference(&now)), "lost pairs");
        self.touched += now.len();
        self.pairs = now;
        assert_eq!(self.set.len(), self.bodies.len());
    }

    fn ask(&mut self) {
        let wanted = self.body().at;
        let found = self.set.meeting(wanted).expect("a box");
        let expected: Vec<BoxId> =
            self.bodies.iter().filter(|(_, body)| meet(&body.at, &wanted)).map(|(id, _)| *id).collect();
        assert_eq!(found, expected, "{wanted:?}");
        let (origin, direction) = (self.point(3.0), self.point(1.0));
        let hits = self.set.ray(origin, direction, 5.0).expect("a ray");
        let mut named: Vec<BoxId> = hits.iter().map(|hit| hit.id).collect();
        named.sort_unstable();
        let expected: Vec<BoxId> = self
            .bodies
            .iter()
            .filter(|(_, body)| body.at.ray_entry(origin, direction, 5.0).is_some())
            .map(|(id, _)| *id)
            .collect();
        assert_eq!(named, expected);
        assert!(hits.is_sorted_by(|a, b| (a.enter, a.id) < (b.enter, b.id)));
    }

    fn run(&mut self, operations: usize) {
        let mut done = 0;
        while done < operations {
            let target = 20 + self.random.usize(..100);
            match self.random.u8(0..20) {
                0 => self.nonsense(),
                1..=3 => self.remove(),
                4 => self.ask(),
                5 => {
                    // A step in which all move.
                    for id in self.bodies.keys().copied().collect::<Vec<_>>() {
                        self.advance(id);
                        done += 1;
                    }
                    self.update();
                }
                6..=8 => self.update(),
                _ if self.bodies.len() < target => self.insert(),
                _ => {
                    if let Some(id) = self.any() {
                        self.advance(id);
                    }
                }
            }
            done += 1;
        }
        self.update();
    }
}

/// Runs every kind of scene on a set of each way, and says what differs from comparing all.
pub fn check_all<W: Copy + std::fmt::Debug>(ways: &[W], set: impl Fn(W) -> BroadPhase) {
    let scenes = [Scene::Integers, Scene::Cubes, Scene::Mixed, Scene::Wild];
    let share = operations() / (scenes.len() * ways.len());
    for (n, scene) in scenes.into_iter().enumerate() {
        for &way in ways {
            let mut trial = Trial::new(scene, set(way), n as u64);
            trial.run(share);
            assert!(trial.touched > share / 4, "{scene:?} {way:?}: hardly any pairs, {}", trial.touched);
        }
    }
}
