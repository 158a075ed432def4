//! Contacts that go with bodies which hardly move are those that a look would find.

use kontakt_convex::Shape;
use kontakt_dynamics::rigid::arrange::{Arrangement, Drop, Grain};
use kontakt_dynamics::rigid::{Form, Seen, Settings, World};
use kontakt_math::{DQuat, DVec3};
use std::collections::BTreeMap;

fn pile() -> World {
    let mut scene = Arrangement::default();
    scene.container(4.0).unwrap();
    let shapes = [
        Shape::cuboid(DVec3::splat(0.5)).unwrap(),
        Shape::cuboid(DVec3::new(0.6, 0.4, 0.3)).unwrap(),
        Shape::cylinder(0.5, 0.4).unwrap(),
        Shape::ellipsoid(DVec3::new(0.6, 0.4, 0.4)).unwrap(),
        Shape::sphere(0.4).unwrap(),
    ];
    let grain = |shape| Grain { form: Form::solid(shape).unwrap(), part: 1, density: 1.0 };
    let grains = shapes.map(grain);
    let drop = Drop { count: 100, from: DVec3::ZERO, base: 4.0, spacing: 1.02, seed: 5 };
    scene.rain(&grains, &drop).unwrap();
    let mut world = World::new(Settings::default(), scene.forms.clone()).unwrap();
    for body in &scene.bodies {
        world.add(*body).unwrap();
    }
    world
}

/// The least gap of a pair's remembered contacts, where the bodies are now, and how far they moved since, in sizes.
fn recalled(world: &World, seen: &[Seen]) -> Option<(f64, f64)> {
    let bodies = seen.first()?.ids.map(|id| world.bodies()[id as usize]);
    let [a, b] = bodies;
    let gap = |seen: &Seen| {
        let at = |k: usize| bodies[k].place + bodies[k].turn * seen.points[k];
        (at(1) - at(0)).dot(a.turn * seen.normal)
    };
    let least = seen.iter().filter(|seen| seen.normal != DVec3::ZERO).map(gap).fold(f64::INFINITY, f64::min);
    let (place, turn): (DVec3, DQuat) =
        (a.turn.conjugate() * (b.place - a.place), a.turn.conjugate() * b.turn);
    let turned = (seen[0].turn.conjugate() * turn).xyz().length();
    Some((least, place.distance(seen[0].place) + 2.0 * turned))
}

#[test]
fn contacts_that_are_remembered_are_those_that_are_there() {
    let mut world = pile();
    let (mut compared, mut near, mut moved_ones, mut none) = (0, 0, 0, 0);
    for step in 0..1200 {
        world.step().unwrap();
        if step % 40 != 39 {
            continue;
        }
        let mut there: BTreeMap<[u64; 2], f64> = BTreeMap::new();
        for touch in world.touches(0.02) {
            let ids = touch.slots().map(|slot| world.bodies()[slot].id);
            let least = there.entry(ids).or_insert(f64::INFINITY);
            *least = least.min(touch.gap);
        }
        let seen = world.state().seen.clone();
        for pair in seen.chunk_by(|p, q| p.ids == q.ids) {
            let Some((least, moved)) = recalled(&world, pair) else { continue };
            // Those that moved farther are looked up in the next step.
            if moved > 1.4e-3 {
                continue;
            }
            let truth = there.get(&pair[0].ids).copied().unwrap_or(f64::INFINITY);
            if least == f64::INFINITY {
                // Nothing was near; nothing has come to touch.
                assert!(truth > 0.0, "step {step}, {:?}: {truth}", pair[0].ids);
                none += 1;
            } else if truth < 5e-3 || least < 4e-3 {
                // Both were equal, and neither changes by more than the surfaces have moved on each other.
                let off = (truth - least).abs();
                assert!(off < 2.0 * moved + 1e-9, "step {step}, {:?}: {truth} {least} {moved}", pair[0].ids);
                compared += 1;
                // Mostly by far less: only where an edge ends at the rim of a face, at a slope, it is not a matter of squares.
                near += usize::from(off < 0.05 * moved + 1e-6);
                moved_ones += usize::from(moved > 1e-5);
            }
        }
    }
    assert!(50 * near > 49 * compared, "{near} of {compared}");
    assert!(compared > 1000 && moved_ones > 100 && none > 100, "{compared} {moved_ones} {none}");
}
