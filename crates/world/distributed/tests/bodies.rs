//! Bodies over ranks against brute force on one.

mod balls;

use balls::{Ball, Part, hash};
use kontakt_distributed::{Comm, Cut, Extent, Grid, Placed, Record, Territory, ThreadComm};
use kontakt_math::DVec3;

/// Boxes of five octaves, also in whole numbers, so that faces lie on the borders of cells.
fn boxes(random: &mut fastrand::Rng, count: u64) -> Vec<Placed> {
    let whole = random.bool();
    let mut number = |most: f64| {
        let x = (random.f64() * 2.0 - 1.0) * most;
        if whole { x.round() } else { x }
    };
    (0..count)
        .map(|id| {
            let min = DVec3::new(number(12.0), number(12.0), number(3.0));
            let size = DVec3::new(number(1.0), number(1.0), number(1.0)).abs() * f64::from(1 << (id % 5));
            let extent = Extent::new(min, min + size).unwrap();
            Placed { extent, record: Record { id, bytes: min.x.to_le_bytes().to_vec() } }
        })
        .collect()
}

#[test]
fn every_pair_is_found_once_by_a_rank_that_has_bit_copies_of_both() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut pairs = 0;
    for round in 0..30 {
        let ranks = 1 + round % 5;
        let count = [0, 1, 3, 120][round % 4];
        let bodies = boxes(&mut random, count);
        let grid = Grid::new(0.5).unwrap();
        let found = ThreadComm::run(ranks, |comm| {
            // Any rank may hold any body at first.
            let mine: Vec<Placed> = bodies
                .iter()
                .filter(|body| body.record.id as usize % ranks == comm.rank())
                .cloned()
                .collect();
            let extents: Vec<Extent> = mine.iter().map(|body| body.extent).collect();
            let even = Territory::new(comm, grid, Cut::even(ranks), &extents).unwrap();
            let home = even.migrate(comm, mine).unwrap();
            let weights: Vec<(u64, u64)> = home
                .iter()
                .map(|body| {
                    (grid.cell(grid.level(&body.extent), (body.extent.min + body.extent.max) * 0.5).key(), 1)
                })
                .collect();
            let cut = even.cut.balanced(comm, &weights).unwrap();
            let mut territory = even;
            territory.cut = cut;
            let own = territory.migrate(comm, home).unwrap();
            let ghosts = territory.ghosts(comm, &own).unwrap();
            // Ghosts are what brute force over all bodies says, bit for bit.
            let meant: Vec<Placed> = bodies
                .iter()
                .filter(|body| territory.home(&body.extent) != comm.rank())
                .filter(|body| territory.readers(&body.extent).contains(&comm.rank()))
                .cloned()
                .collect();
            assert_eq!(ghosts, meant);
            let mut all: Vec<&Placed> = own.iter().chain(&ghosts).collect();
            all.sort_by_key(|body| body.record.id);
            let mut pairs = Vec::new();
            for (k, a) in all.iter().enumerate() {
                for b in &all[k + 1..] {
                    let cell = territory.cell_of_pair(&a.extent, &b.extent);
                    if cell.is_some_and(|cell| territory.owner(cell) == comm.rank()) {
                        pairs.push((a.record.id, b.record.id));
                    }
                }
            }
            (own.len(), pairs)
        });
        let found: Vec<(usize, Vec<(u64, u64)>)> = found.into_iter().map(Result::unwrap).collect();
        assert_eq!(found.iter().map(|(own, _)| own).sum::<usize>(), bodies.len());
        let mut all: Vec<(u64, u64)> = found.into_iter().flat_map(|(_, pairs)| pairs).collect();
        all.sort_unstable();
        let mut meant = Vec::new();
        for (k, a) in bodies.iter().enumerate() {
            let others = bodies[k + 1..].iter().filter(|b| a.extent.common(&b.extent).is_some());
            meant.extend(others.map(|b| (a.record.id, b.record.id)));
        }
        assert_eq!(all, meant);
        pairs += meant.len();
    }
    assert!(pairs > 1000, "generator drifted: {pairs}");
}

/// 60 steps of 150 balls that fly through the ranks' borders, are balanced again and again, and push each other in colours.
#[test]
fn one_hash_for_any_number_of_ranks() {
    let balls = Ball::some(&mut fastrand::Rng::with_seed(7), 150);
    let mut hashes = Vec::new();
    for ranks in [1, 2, 3, 4, 7] {
        let ends = ThreadComm::run(ranks, |comm| {
            let mine =
                balls.iter().filter(|ball| ball.id as usize / 3 % ranks == comm.rank()).copied().collect();
            let mut part = Part::new(comm, mine, 0);
            for _ in 0..60 {
                part.advance(comm).unwrap();
            }
            (hash(comm, &part.own).unwrap(), part.cuts, part.most_ghosts)
        });
        for end in ends {
            let (hash, cuts, ghosts) = end.unwrap();
            assert!(ranks == 1 || (cuts > 0 && ghosts > 10), "{cuts} cuts, {ghosts} ghosts");
            hashes.push(hash);
        }
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
}

/// More ranks than cells, ranks without bodies, no bodies at all, one far away.
#[test]
fn few_bodies_on_many_ranks() {
    for count in [0, 1, 2] {
        let mut balls = Ball::some(&mut fastrand::Rng::with_seed(8), count);
        if let Some(last) = balls.last_mut() {
            last.at = DVec3::splat(1e12);
        }
        let run = |ranks: usize| {
            let ends = ThreadComm::run(ranks, |comm| {
                let mine = if comm.rank() == ranks - 1 { balls.clone() } else { Vec::new() };
                let mut part = Part::new(comm, mine, 0);
                for _ in 0..9 {
                    part.advance(comm).unwrap();
                }
                hash(comm, &part.own).unwrap()
            });
            ends.into_iter().map(Result::unwrap).collect::<Vec<u64>>()
        };
        let alone = run(1)[0];
        assert_eq!(run(9), [alone; 9]);
    }
}
