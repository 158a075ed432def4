//! The discrete method finds what there is to find at the end of a step, and loses what the thesis says it loses.

use kontakt_lab_soft::discrete::{self, Hash, penetrations};
use kontakt_lab_soft::freeze;
use kontakt_lab_soft::passage::Passage;
use kontakt_math::{DVec3, Sign, predicates::orient3d};
use kontakt_shapes::tetrahedra::{bear, slab, tetrahedron};
use kontakt_soft::{Body, Forces, Loose, Material, free::meetings};

fn solid(solid: &kontakt_shapes::tetrahedra::Tetrahedra) -> Body {
    Body::solid(solid, Material::rubber()).expect("a body")
}

fn membrane() -> Body {
    let body = solid(&slab([10, 10, 1], DVec3::new(1.0, 1.0, 0.05)).expect("a slab"));
    body.pinned(|p| p.x.abs() > 0.49 || p.y.abs() > 0.49)
}

/// Above the slab by a few steps of its flight, no less than it takes to be clear of it.
fn stone(speed: f64) -> Body {
    let high = f64::max(0.1, speed * 0.035);
    let body = solid(&tetrahedron(0.1).expect("one")).moved(DVec3::new(0.013, 0.017, high));
    body.at_velocity(DVec3::Z * -speed)
}

/// Strictly inside, exactly.
fn holds(at: [DVec3; 4], p: DVec3) -> bool {
    let [a, b, c, d] = at;
    let all = [
        orient3d(a, b, c, d),
        orient3d(p, b, c, d),
        orient3d(a, p, c, d),
        orient3d(a, b, p, d),
        orient3d(a, b, c, p),
    ];
    all[0] != Sign::Zero && all.iter().all(|sign| *sign == all[0])
}

#[test]
fn hashing_finds_what_comparing_everything_finds() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut count = 0;
    for _ in 0..20 {
        let bodies: Vec<Body> = (0..4)
            .map(|_| {
                let at = DVec3::new(rng.f64(), rng.f64(), rng.f64()) * 0.15;
                solid(&slab([2, 1, 2], DVec3::splat(0.2)).expect("a slab")).moved(at)
            })
            .collect();
        let world = Loose::new(&bodies).expect("a world");
        let at = |t: [u32; 4]| t.map(|v| world.places[v as usize]);
        let mut expected = Vec::new();
        for (t, corners) in (0..).zip(world.tetrahedra()) {
            let inside = |v: &u32| !corners.contains(v) && holds(at(*corners), world.places[*v as usize]);
            expected.extend((0..world.places.len() as u32).filter(inside).map(|v| (v, t)));
        }
        count += expected.len();
        let default = Hash::of(&world);
        let finer = Hash { cell: 0.01, slots: 7 };
        let coarse = Hash { cell: 3.0, slots: 1 };
        for hash in [default, finer, coarse, Hash { cell: 1e-9, slots: 100 }] {
            let (found, lookups) = hash.vertices_inside(&world);
            let found: Vec<(u32, u32)> = found.iter().map(|one| (one.vertex, one.tetrahedron)).collect();
            assert_eq!(found, expected, "{hash:?}");
            assert!(lookups.met >= lookups.tested);
        }
    }
    assert!(count > 200, "generator drifted: {count} vertices inside");
}

/// A tip that has gone into a block from above: out is up, as deep as it went; vertices without a way out are told nothing.
#[test]
fn depths_are_those_of_a_flat_side() {
    let block = solid(&slab([1, 1, 1], DVec3::splat(1.0)).expect("a block"));
    let tip =
        solid(&slab([1, 1, 2], DVec3::new(0.2, 0.2, 0.4)).expect("a pin")).moved(DVec3::new(0.01, 0.02, 0.6));
    let world = Loose::new(&[block.clone(), tip]).expect("a world");
    let (inside, _) = Hash::of(&world).vertices_inside(&world);
    let found = penetrations(&world, &inside);
    assert_eq!(found.len(), 4);
    for one in &found {
        assert!((one.depth - 0.1).abs() < 1e-9 && one.direction.distance(DVec3::Z) < 1e-9, "{one:?}");
    }
    let swallowed = solid(&tetrahedron(0.1).expect("one")).moved(DVec3::new(0.1, 0.1, 0.1));
    let world = Loose::new(&[block, swallowed]).expect("a world");
    let (inside, _) = Hash::of(&world).vertices_inside(&world);
    assert_eq!((inside.len(), penetrations(&world, &inside).len()), (4, 0));
}

/// Steps; how many vertices went through, whether anything was found at all.
fn fall(speed: f64, steps: usize) -> (usize, bool) {
    let mut world = Loose::new(&[membrane(), stone(speed)]).expect("a world");
    let mut passage = Passage::new(world.surface(), &world.places, 0);
    let hash = Hash::of(&world);
    let mut found = false;
    for _ in 0..steps {
        let before = world.places.clone();
        found |= discrete::step(&mut world, 0.01, &Forces::none(), 10, &hash).inside > 0;
        passage.follow(world.surface(), &before, &world.places).expect("a step");
    }
    (passage.passed(), found)
}

/// The thesis: slow stones are held, very fast ones are not even seen.
#[test]
fn what_is_between_two_looks_is_lost() {
    let (passed, found) = fall(0.4, 40);
    assert!(passed == 0 && found, "slow: {passed} {found}");
    let (passed, found) = fall(100.0, 6);
    assert!(passed == 4 && !found, "very fast: {passed} {found}");
}

#[test]
fn frozen_bodies_stop_before_their_contact_and_stay() {
    for speed in [0.5, 5.0, 100.0] {
        let mut world = Loose::new(&[membrane(), stone(speed)]).expect("a world");
        let mut stopped = Vec::new();
        for _ in 0..60 {
            stopped.extend(freeze::continuous(&mut world, 0.01, &Forces::none(), 10).bodies);
            assert!(meetings(world.surface(), &world.places, 1).expect("places").is_empty());
        }
        assert_eq!(stopped[..2], [0, 1], "{speed} m/s");
        assert!(freeze::centre(&world, 1).z > 0.0, "on top of the slab");
    }
    let teddy = solid(&bear(0.4).expect("a bear"));
    let heap: Vec<Body> =
        (0..3).map(|k| teddy.clone().moved(DVec3::new(0.05, 0.03, 2.2) * f64::from(k))).collect();
    let heap = [vec![heap[0].clone().pinned(|_| true)], heap[1..].to_vec()].concat();
    let mut world = Loose::new(&heap).expect("a world");
    let hash = Hash::of(&world);
    let stopped: usize =
        (0..40).map(|_| freeze::discrete(&mut world, 0.02, &Forces::default(), 4, &hash).bodies.len()).sum();
    assert!(stopped > 0 && !meetings(world.surface(), &world.places, 1).expect("places").is_empty());
}
