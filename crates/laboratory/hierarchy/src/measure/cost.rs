//! What a test of two volumes costs, by kinds (VR thesis 3.4.3): measured on this machine.

use super::Summary;
use kontakt_bounds::{AnyVolume, FitError, VolumeKind};
use kontakt_math::DVec3;
use std::hint::black_box;

/// Seconds of one overlap test for every pair of kinds; symmetric.
#[derive(Clone, Debug, PartialEq)]
pub struct CostMatrix {
    names: Vec<&'static str>,
    /// Row by row.
    seconds: Vec<f64>,
}

/// Volumes of each kind that are tested against each other: every pair of them is one test.
const BODIES: usize = 6;
/// Rounds of which the least time counts.
const ROUNDS: usize = 5;
/// A round runs at least so long, so that the clock's own steps do not count.
const LEAST_SECONDS: f64 = 2e-5;

impl CostMatrix {
    /// Every test costs the same: 1.
    pub fn uniform() -> CostMatrix {
        CostMatrix { names: Vec::new(), seconds: Vec::new() }
    }

    /// Known costs: `cost(i, j)` for the kinds i and j of `names`, made symmetric by taking i ≤ j.
    pub fn of(names: &[&'static str], mut cost: impl FnMut(usize, usize) -> f64) -> CostMatrix {
        let n = names.len();
        let mut seconds = vec![0.0; n * n];
        for i in 0..n {
            for j in i..n {
                seconds[i * n + j] = cost(i, j);
                seconds[j * n + i] = seconds[i * n + j];
            }
        }
        CostMatrix { names: names.to_vec(), seconds }
    }

    /// Measures the overlap test of every pair of kinds on bodies of which about half the pairs overlap.
    ///
    /// `now` reads a clock in seconds, best the thread's own processor time: this room knows no clock.
    pub fn measured(kinds: &[&VolumeKind], now: &mut dyn FnMut() -> f64) -> Result<CostMatrix, FitError> {
        let bodies: Vec<Vec<AnyVolume>> = kinds
            .iter()
            .map(|kind| (0..BODIES).map(|i| kind.fit(&body(i), &[])).collect())
            .collect::<Result<_, _>>()?;
        let names: Vec<&'static str> = kinds.iter().map(|kind| kind.name).collect();
        Ok(CostMatrix::of(&names, |i, j| seconds_per_test(&bodies[i], &bodies[j], now)))
    }

    /// Names of the kinds, in the order of rows and columns.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Place of a kind; `None` for one that was not measured.
    pub fn index(&self, kind: &str) -> Option<usize> {
        self.names.iter().position(|name| *name == kind)
    }

    /// Seconds of one test of kinds by their places; 1 where they are not known.
    pub fn seconds(&self, a: Option<usize>, b: Option<usize>) -> f64 {
        match (a, b) {
            (Some(a), Some(b)) => self.seconds[a * self.names.len() + b],
            _ => 1.0,
        }
    }

    /// What a kind costs on the whole, the thesis's *collision quality*: mean or maximum of its row. 1 for a kind that was
    /// not measured.
    pub fn weight(&self, kind: &str, by: Summary) -> f64 {
        let Some(row) = self.index(kind) else { return 1.0 };
        let n = self.names.len();
        by.of(self.seconds[row * n..(row + 1) * n].iter().copied())
    }
}

/// Least mean time of one test over several rounds.
fn seconds_per_test(ones: &[AnyVolume], others: &[AnyVolume], now: &mut dyn FnMut() -> f64) -> f64 {
    let tests = (ones.len() * others.len()) as f64;
    let mut repeats = 1_u32;
    let mut least = f64::INFINITY;
    let mut rounds = 0;
    while rounds < ROUNDS {
        let start = now();
        for _ in 0..repeats {
            for one in ones {
                for other in others {
                    black_box(black_box(one).may_overlap(black_box(other)));
                }
            }
        }
        let seconds = now() - start;
        if seconds < LEAST_SECONDS && repeats < 1 << 14 {
            repeats *= 2;
            continue;
        }
        least = least.min(seconds.max(0.0) / (tests * f64::from(repeats)));
        rounds += 1;
    }
    least
}

/// Twelve points around a place on a small spiral: bodies of one size, of which about half the pairs overlap.
fn body(index: usize) -> Vec<DVec3> {
    // Multiples of irrational numbers modulo 1 spread evenly and repeat on every machine.
    let spread = |k: usize, step: f64| 2.0 * (k as f64 * step).fract() - 1.0;
    let at =
        |k: usize| DVec3::new(spread(k, 0.618_033_988), spread(k, 0.754_877_666), spread(k, 0.569_840_291));
    let centre = 1.3 * at(index + 1);
    (0..12).map(|k| centre + at(17 + 12 * index + k) * DVec3::new(1.0, 0.6, 0.4)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_counts_makes_a_symmetric_matrix() {
        let kinds: Vec<&VolumeKind> =
            ["sphere", "aabb", "obb"].iter().filter_map(|name| VolumeKind::named(name)).collect();
        let mut time = 0.0;
        let matrix = CostMatrix::measured(&kinds, &mut || {
            time += 1e-3;
            time
        })
        .unwrap();
        // Every round takes one tick, whatever is tested.
        let each = 1e-3 / (BODIES * BODIES) as f64;
        for i in 0..3 {
            for j in 0..3 {
                assert!((matrix.seconds(Some(i), Some(j)) / each - 1.0).abs() < 1e-9);
            }
        }
        assert_eq!(matrix.index("obb"), Some(2));
    }

    #[test]
    fn a_clock_that_stands_still_ends_too() {
        let kinds: Vec<&VolumeKind> = VolumeKind::named("aabb").into_iter().collect();
        let matrix = CostMatrix::measured(&kinds, &mut || 7.0).unwrap();
        assert_eq!(matrix.seconds(Some(0), Some(0)), 0.0);
    }

    #[test]
    fn weights_are_mean_or_maximum_of_the_row() {
        let matrix = CostMatrix::of(&["a", "b"], |i, j| [[1.0, 3.0], [9.0, 5.0]][i][j]);
        assert_eq!(matrix.weight("a", Summary::Mean), 2.0);
        assert_eq!(matrix.weight("b", Summary::Mean), 4.0);
        assert_eq!(matrix.weight("b", Summary::Max), 5.0);
        assert_eq!(matrix.weight("c", Summary::Max), 1.0);
        assert_eq!(CostMatrix::uniform().seconds(None, None), 1.0);
    }

    #[test]
    fn about_half_of_the_pairs_overlap() {
        let kind = VolumeKind::named("obb").unwrap();
        let bodies: Vec<AnyVolume> = (0..BODIES).map(|i| kind.fit(&body(i), &[]).unwrap()).collect();
        let hits = bodies.iter().flat_map(|a| bodies.iter().map(|b| a.may_overlap(b))).filter(|h| *h).count();
        assert!((BODIES * BODIES / 3..BODIES * BODIES * 3 / 4).contains(&hits), "{hits}");
    }
}
