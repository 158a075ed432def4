//! The middle stage: roots of the volume bracketed by subdivision in doubles with proven error bounds, and the signs of the
//! weights over each bracket. Decides everything that is not degenerate, and says so when it is.

use crate::Kind;
use crate::doubles::{Doubles, Volume, Weights};
use crate::exact::{Carriers, carriers};
use kontakt_math::Sign;

/// Pieces of time looked at before giving up: a hard bound of the work.
const PIECES: usize = 40;
/// Pieces shorter than this are not split.
const SHORTEST: f64 = 1.0 / (1_u64 << 36) as f64;

/// What the middle stage found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Decision {
    /// Proven free of contact for all of [0, 1].
    Free,
    /// Proven: contact within [lo, hi], none before lo.
    Contact { lo: f64, hi: f64, carriers: Carriers },
    /// Neither is proven in doubles.
    Open,
}

/// What is known about the bodies over a piece of time.
enum Inside {
    /// Never in contact.
    Never,
    /// In contact whenever coplanar, carried by these points.
    Always(Carriers),
    Unknown,
}

/// Decides by subdivision. The pieces come in the order of time, so the first contact found is the first.
pub(crate) fn subdivide(doubles: &Doubles, weights: &Weights, volume: &Volume) -> Decision {
    let kind = doubles.kind;
    let mut open = [(0.0, 1.0); PIECES + 1];
    let mut count = 1;
    let mut looked_at = 0;
    while count > 0 {
        count -= 1;
        looked_at += 1;
        let (lo, hi) = open[count];
        let piece = volume.on(lo, hi);
        if piece.never_zero() {
            continue;
        }
        if piece.one_root() {
            let (lo, hi) = volume.narrowed(lo, hi, piece.coefficients[0] < 0.0);
            match weights.inside(kind, lo, hi) {
                Inside::Never => continue,
                Inside::Always(carriers) => return Decision::Contact { lo, hi, carriers },
                Inside::Unknown => return Decision::Open,
            }
        }
        if let Inside::Never = weights.inside(kind, lo, hi) {
            continue;
        }
        if hi - lo < SHORTEST || looked_at >= PIECES || piece.is_noise() {
            return Decision::Open;
        }
        let middle = piece.split_at(lo, hi);
        open[count] = (middle, hi);
        open[count + 1] = (lo, middle);
        count += 2;
    }
    Decision::Free
}

impl Volume {
    /// The Bernstein form over [lo, hi], with the errors of values.
    ///
    /// Coefficients are blossoms: three rounds of lerps of 3 roundings each, within the count of `value_error`.
    fn on(&self, lo: f64, hi: f64) -> Volume {
        let lerp = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
        let [a, b, c, d] = self.coefficients;
        let low = [lerp(a, b, lo), lerp(b, c, lo), lerp(c, d, lo)];
        let high = [lerp(a, b, hi), lerp(b, c, hi), lerp(c, d, hi)];
        let low_low = [lerp(low[0], low[1], lo), lerp(low[1], low[2], lo)];
        let high_high = [lerp(high[0], high[1], hi), lerp(high[1], high[2], hi)];
        let coefficients = [
            lerp(low_low[0], low_low[1], lo),
            lerp(low_low[0], low_low[1], hi),
            lerp(high_high[0], high_high[1], lo),
            lerp(high_high[0], high_high[1], hi),
        ];
        Volume { coefficients, error: self.value_error, value_error: self.value_error }
    }

    /// True when no coefficient has a certain sign: smaller pieces will not help.
    fn is_noise(&self) -> bool {
        self.coefficients.iter().all(|b| b.abs() <= self.error)
    }

    /// True when there is provably exactly one root inside: the ends differ in sign and the coefficients are monotone.
    fn one_root(&self) -> bool {
        let [a, b, c, d] = self.coefficients;
        let certain = |x: f64| x.abs() > self.error;
        // 2.5 instead of 2 covers the rounding of the difference.
        let step = 2.5 * self.error;
        let monotone =
            (b - a > step && c - b > step && d - c > step) || (a - b > step && b - c > step && c - d > step);
        // One sign change among coefficients of certain sign is as good (Descartes).
        let differ = |x: f64, y: f64| (x < 0.0) != (y < 0.0);
        let one_change = certain(b) && certain(c) && !(differ(a, b) && differ(b, c) && differ(c, d));
        certain(a) && certain(d) && differ(a, d) && (monotone || one_change)
    }

    /// Where to split a piece: near an end whose sign is unknown, so as to leave little around a root there; else halfway.
    fn split_at(&self, lo: f64, hi: f64) -> f64 {
        let [a, .., d] = self.coefficients;
        let unknown = |x: f64| x.abs() <= self.error;
        let near = 1.0 / 1024.0;
        let share = match (unknown(a), unknown(d)) {
            (true, false) => near,
            (false, true) => 1.0 - near,
            _ => 0.5,
        };
        lo + share * (hi - lo)
    }

    /// A narrow bracket around the only root in (lo, hi), at whose ends the sign is certain: `rising` from negative to positive.
    ///
    /// The ends only ever move to places where the computed sign is certain and right, so the root stays between.
    fn narrowed(&self, mut lo: f64, mut hi: f64, rising: bool) -> (f64, f64) {
        let mut t = 0.5 * (lo + hi);
        for _ in 0..40 {
            let value = self.value(t);
            if value.abs() <= self.value_error {
                break;
            }
            if (value < 0.0) == rising {
                lo = t;
            } else {
                hi = t;
            }
            let newton = t - value / self.slope(t);
            let next = if newton > lo && newton < hi { newton } else { 0.5 * (lo + hi) };
            if (next - t).abs() <= 2.0 * f64::EPSILON * t {
                break;
            }
            t = next;
        }
        let reach = 3.0 * self.value_error / self.slope(t).abs();
        let mut radius = if reach.is_finite() { reach.max(f64::EPSILON * t) } else { hi - lo };
        for _ in 0..6 {
            for end in [t - radius, t + radius] {
                if end > lo && end < hi {
                    let value = self.value(end);
                    if value.abs() > self.value_error {
                        if (value < 0.0) == rising { lo = end } else { hi = end }
                    }
                }
            }
            if hi - lo <= 2.5 * radius {
                break;
            }
            radius *= 4.0;
        }
        (lo, hi)
    }
}

impl Weights {
    /// What the signs of the weights over [lo, hi] say, given that contact needs coplanarity.
    ///
    /// Opposite certain signs, in any coordinate, of two weights on the same side exclude contact (see `exact::radon`); a
    /// coordinate with all signs certain and as contact wants them proves contact at every root of the volume inside.
    fn inside(&self, kind: Kind, lo: f64, hi: f64) -> Inside {
        let mut always = None;
        for weights in &self.coefficients {
            let mut signs = [None; 4];
            let mut sum = [0.0; 3];
            for i in 0..3 {
                let b = blossoms(&weights[i], lo, hi);
                signs[i + 1] = certain_sign(&b, self.value_errors[i]);
                for (total, x) in sum.iter_mut().zip(b) {
                    *total -= x;
                }
            }
            if kind == Kind::EdgeEdge {
                // λ₀ = −Σλᵢ: three errors and two sums, for which `value_errors` have room (26 + 4 of 32).
                signs[0] = certain_sign(&sum, self.value_errors.iter().sum());
            }
            let opposite = |i: usize, j: usize| matches!((signs[i], signs[j]), (Some(a), Some(b)) if a != b);
            let never = match kind {
                Kind::VertexFace => opposite(1, 2) || opposite(2, 3) || opposite(3, 1),
                Kind::EdgeEdge => opposite(0, 1) || opposite(2, 3),
            };
            if never {
                return Inside::Never;
            }
            if kind == Kind::VertexFace {
                signs[0] = signs[1].map(Sign::opposite);
            }
            if let [Some(a), Some(b), Some(c), Some(d)] = signs
                && always.is_none()
            {
                always = carriers(kind, [a, b, c, d]);
            }
        }
        always.map_or(Inside::Unknown, Inside::Always)
    }

    /// True when the signs exclude contact at all times in [0, 1].
    pub(crate) fn never_inside(&self, kind: Kind) -> bool {
        matches!(self.inside(kind, 0.0, 1.0), Inside::Never)
    }
}

/// Bernstein coefficients of a quadratic over [lo, hi].
fn blossoms(&[a, b, c]: &[f64; 3], lo: f64, hi: f64) -> [f64; 3] {
    let blossom = |x: f64, y: f64| {
        let (s, r) = (1.0 - x, 1.0 - y);
        a * (s * r) + b * (x * r + y * s) + c * (x * y)
    };
    [blossom(lo, lo), blossom(lo, hi), blossom(hi, hi)]
}

/// The sign all values share, where the coefficients prove one.
fn certain_sign(coefficients: &[f64; 3], error: f64) -> Option<Sign> {
    let [a, b, c] = *coefficients;
    if a.min(b).min(c) > error {
        Some(Sign::Positive)
    } else if a.max(b).max(c) < -error {
        Some(Sign::Negative)
    } else {
        None
    }
}
