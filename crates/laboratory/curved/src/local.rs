//! Descent without derivatives in three dimensions, calls counted: the thesis' two methods, and annealing as its chapter 4 has it.

use fastrand::Rng;
use kontakt_math::DVec3;

/// What a descent found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descended {
    /// The best place.
    pub place: DVec3,
    /// Its value.
    pub value: f64,
    /// Times the function was called.
    pub calls: usize,
}

/// A function with its calls counted.
struct Counted<F>(F, usize);

impl<F: FnMut(DVec3) -> f64> Counted<F> {
    fn at(&mut self, x: DVec3) -> (DVec3, f64) {
        self.1 += 1;
        (x, (self.0)(x))
    }
}

/// The relative difference of values at which to stop.
const ENOUGH: f64 = 1e-9;
/// Most calls.
const MOST: usize = 5000;

/// Nelder and Mead's simplex, until its values differ by less than a billionth.
pub fn nelder_mead(f: impl FnMut(DVec3) -> f64, start: DVec3, size: f64) -> Descended {
    let mut f = Counted(f, 0);
    let mut simplex = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|way| f.at(start + way * size));
    while f.1 < MOST {
        simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
        let [best, .., third, worst] = simplex;
        if worst.1 - best.1 <= ENOUGH * best.1.abs() {
            break;
        }
        let middle = (simplex[0].0 + simplex[1].0 + simplex[2].0) / 3.0;
        let mut at = |t: f64| f.at(middle + (worst.0 - middle) * t);
        let reflected = at(-1.0);
        simplex[3] = if reflected.1 < best.1 {
            let expanded = at(-2.0);
            if expanded.1 < reflected.1 { expanded } else { reflected }
        } else if reflected.1 < third.1 {
            reflected
        } else {
            let inner = at(if reflected.1 < worst.1 { -0.5 } else { 0.5 });
            if inner.1 >= worst.1.min(reflected.1) {
                for corner in &mut simplex[1..] {
                    *corner = f.at(best.0 + (corner.0 - best.0) * 0.5);
                }
                continue;
            }
            inner
        };
    }
    let best =
        simplex.into_iter().reduce(|a, b| if b.1 < a.1 { b } else { a }).unwrap_or((start, f64::INFINITY));
    Descended { place: best.0, value: best.1, calls: f.1 }
}

/// Powell's conjugate directions with golden-section searches.
pub fn powell(f: impl FnMut(DVec3) -> f64, start: DVec3, size: f64) -> Descended {
    let mut f = Counted(f, 0);
    let mut best = f.at(start);
    let mut ways = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut reach = size;
    while f.1 < MOST && reach > 1e-6 * size {
        let before = best;
        let mut steepest = (0.0, 0);
        for (k, way) in ways.into_iter().enumerate() {
            let found = along(&mut f, best, way, reach);
            if best.1 - found.1 > steepest.0 {
                steepest = (best.1 - found.1, k);
            }
            best = found;
        }
        if let Some(way) = (best.0 - before.0).try_normalize() {
            best = along(&mut f, best, way, reach);
            ways[steepest.1] = way;
        }
        if before.1 - best.1 <= ENOUGH * best.1.abs() {
            reach *= 0.1;
        }
    }
    Descended { place: best.0, value: best.1, calls: f.1 }
}

/// The best of a golden-section search within ±reach.
fn along<F: FnMut(DVec3) -> f64>(
    f: &mut Counted<F>,
    start: (DVec3, f64),
    way: DVec3,
    reach: f64,
) -> (DVec3, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (-reach, reach);
    let mut one = (high - GOLDEN * (high - low), f.at(start.0 + way * (high - GOLDEN * (high - low))));
    let mut two = (low + GOLDEN * (high - low), f.at(start.0 + way * (low + GOLDEN * (high - low))));
    let mut best = start;
    while high - low > 1e-2 * reach {
        if one.1.1 <= two.1.1 {
            (high, two) = (two.0, one);
            let t = high - GOLDEN * (high - low);
            one = (t, f.at(start.0 + way * t));
        } else {
            (low, one) = (one.0, two);
            let t = low + GOLDEN * (high - low);
            two = (t, f.at(start.0 + way * t));
        }
        for found in [one.1, two.1] {
            if found.1 < best.1 {
                best = found;
            }
        }
    }
    best
}

/// Simulated annealing: steps that shrink and a temperature that falls by a tenth every fifty calls.
pub fn anneal(f: impl FnMut(DVec3) -> f64, start: DVec3, size: f64, random: &mut Rng) -> Descended {
    let mut f = Counted(f, 0);
    let mut here = f.at(start);
    let mut best = here;
    let (mut heat, mut step) = (0.1 * here.1.abs(), size);
    while heat > ENOUGH * best.1.abs() && f.1 < MOST {
        for _ in 0..50 {
            let way = DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5);
            let next = f.at(here.0 + way * (2.0 * step));
            if next.1 <= here.1 || random.f64() < ((here.1 - next.1) / heat).exp() {
                here = next;
            }
            if here.1 < best.1 {
                best = here;
            }
        }
        heat *= 0.8;
        step = (step * 0.9).max(1e-6 * size);
    }
    Descended { place: best.0, value: best.1, calls: f.1 }
}
