//! The cut: every cell owned once, stretches of the curve, weights in balance, the same whoever asks.

use kontakt_distributed::{Cell, Cut, IMBALANCE, ThreadComm};

/// Cells of a blob, heavier towards its middle; some weigh nothing.
fn blob(random: &mut fastrand::Rng, count: usize) -> Vec<(u64, u64)> {
    let mut cells: Vec<(u64, u64)> = (0..count)
        .map(|_| {
            let at = [(); 3].map(|()| random.i64(-6..7));
            let weight = random.u64(0..40) / (1 + at.iter().map(|x| x.unsigned_abs()).sum::<u64>());
            (Cell { level: random.u32(0..3), at }.key(), weight)
        })
        .collect();
    cells.sort_unstable();
    cells.dedup_by_key(|cell| cell.0);
    cells
}

fn weights(cut: &Cut, cells: &[(u64, u64)]) -> Vec<u64> {
    let mut all = vec![0; cut.ranks()];
    for (key, weight) in cells {
        all[cut.owner(*key)] += weight;
    }
    all
}

/// The new cut, found by as many ranks as it has, each with its own cells by the old one.
fn cut_by_ranks(old: &Cut, cells: &[(u64, u64)]) -> Cut {
    let ends = ThreadComm::run(old.ranks(), |comm| {
        let rank = kontakt_distributed::Comm::rank(comm);
        let own: Vec<(u64, u64)> = cells.iter().filter(|cell| old.owner(cell.0) == rank).copied().collect();
        old.balanced(comm, &own)
    });
    let cuts: Vec<Cut> = ends.into_iter().map(|end| end.unwrap().unwrap()).collect();
    assert!(cuts.iter().all(|cut| *cut == cuts[0]), "ranks do not agree");
    cuts[0].clone()
}

#[test]
fn stretches_are_in_order_and_balanced_whatever_the_cut_before() {
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..60 {
        let count = [0, 1, 2, 5, 300][round % 5];
        let cells = blob(&mut random, count);
        let ranks = random.usize(1..9);
        let cut = cut_by_ranks(&Cut::even(ranks), &cells);
        assert_eq!(cut.ranks(), ranks);
        let owners: Vec<usize> = cells.iter().map(|cell| cut.owner(cell.0)).collect();
        assert!(owners.is_sorted() && owners.iter().all(|&owner| owner < ranks));

        let (whole, most) =
            (cells.iter().map(|cell| cell.1).sum::<u64>(), cells.iter().map(|cell| cell.1).max());
        let heaviest = weights(&cut, &cells).into_iter().max().unwrap_or(0);
        let bound = whole as f64 / ranks as f64 + most.unwrap_or(0) as f64;
        assert!(heaviest as f64 <= bound, "{heaviest} > {bound}");
        // Found from this cut, or any other, it is the same again.
        if whole > 0 {
            assert_eq!(cut_by_ranks(&cut, &cells), cut);
        }
    }
}

#[test]
fn only_what_is_out_of_balance_is_cut_again() {
    let cells: Vec<(u64, u64)> = (0..1000).map(|key| (key, 10)).collect();
    let ask = |old: &Cut, cells: &[(u64, u64)]| {
        let ends = ThreadComm::run(old.ranks(), |comm| {
            let rank = kontakt_distributed::Comm::rank(comm);
            let own: Vec<(u64, u64)> =
                cells.iter().filter(|cell| old.owner(cell.0) == rank).copied().collect();
            old.rebalanced(comm, &own)
        });
        ends[0].clone().unwrap().unwrap()
    };
    let first = ask(&Cut::even(4), &cells).expect("all on one rank");
    assert_eq!(weights(&first, &cells), [2500; 4]);
    let grown = |factor: f64| -> Vec<(u64, u64)> {
        cells
            .iter()
            .map(|&(key, weight)| (key, if key < 250 { (weight as f64 * factor) as u64 } else { weight }))
            .collect()
    };
    assert_eq!(ask(&first, &grown(1.1)), None, "7 % is below {IMBALANCE}");
    let again = ask(&first, &grown(1.5)).expect("33 % over the mean");
    let most = weights(&again, &grown(1.5)).into_iter().max().unwrap();
    assert!((most as f64) < 1.01 * 11250.0 / 4.0, "{most}");
    // One cell with all the weight cannot be cut: it is not moved to and fro.
    let lump = [(77, 1000)];
    let cut = ask(&Cut::even(4), &lump).expect("once");
    assert_eq!(ask(&cut, &lump), None);
}
