//! How long one fifteen-axis test of two oriented boxes takes, on every instruction set this processor has.
//!
//! Each figure is the least of many short runs, so a busy machine does little harm. The boxes fit the first-level
//! cache; spreading their centres decides how many pairs overlap.

use kontakt_bounds::batch::{Hits, Isa, ObbBatch};
use kontakt_bounds::{Obb, SquareObb};
use kontakt_math::{DMat3, DQuat, DVec3};
use std::hint::black_box;
use std::time::Instant;
use testkit::Generator;

/// Pairs for the batches: 2 × 256 packed boxes are 32 KiB.
const PAIRS: usize = 256;
/// Pairs for the test in doubles, whose boxes are twice as large.
const SCALAR_PAIRS: usize = 128;
/// Runs of which the least counts.
const RUNS: usize = 3000;

fn main() {
    for spread in [2.9, 4.9, 12.0] {
        let (ones, others) = (boxes(11, spread), boxes(12, spread));
        let (first, second) = ObbBatch::pair(&ones, &others);
        let mut hits = Hits::new();
        first.pair_hits(&second, &mut hits);
        println!(
            "{:.2} GHz, {:.0} % of the pairs overlap",
            gigahertz(),
            100.0 * hits.count() as f64 / PAIRS as f64
        );
        for isa in Isa::available() {
            let pairs = least(PAIRS, || {
                first.pair_hits_with(isa, &second, &mut hits);
                hits.count()
            });
            let mut at = 0;
            let many = least(PAIRS, || {
                at = (at + 1) % 16;
                second.hits_with(isa, &ones[at], &mut hits);
                hits.count()
            });
            println!("  {isa:?}: pairs {pairs:.2}, one to many {many:.2}");
        }
        let square = |boxes: &[Obb]| boxes.iter().take(SCALAR_PAIRS).map(SquareObb::of).collect::<Vec<_>>();
        let (ones, others) = (square(&ones), square(&others));
        let scalar =
            least(SCALAR_PAIRS, || ones.iter().zip(&others).filter(|(a, b)| a.may_overlap(b)).count());
        println!("  scalar, in doubles: {scalar:.2}");
    }
}

/// Nanoseconds of one test, from the fastest run.
fn least(tests: usize, mut run: impl FnMut() -> usize) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        for _ in 0..16 {
            black_box(run());
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / (16 * tests) as f64
}

/// The clock rate, from a chain of dependent integer operations, one a cycle.
fn gigahertz() -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        let mut sum = 0_u64;
        for _ in 0..10_000 {
            sum = mixed(sum);
        }
        black_box(sum);
        best = best.min(start.elapsed().as_secs_f64());
    }
    10_000.0 * 8.0 / best * 1e-9
}

/// Eight dependent operations of one cycle each, which no compiler folds.
#[inline(always)]
fn mixed(x: u64) -> u64 {
    let mut x = x | 1;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    x.wrapping_add(3)
}

fn boxes(seed: u64, spread: f64) -> Vec<Obb> {
    let mut g = Generator::free(seed);
    (0..PAIRS)
        .map(|_| Obb {
            centre: DVec3::from_array(g.point()) * (spread / 2.0),
            axes: DMat3::from_quat(DQuat::from_array(g.quaternion())),
            half_extents: DVec3::splat(0.7) + DVec3::from_array(g.point()) * 0.5,
        })
        .collect()
}
