//! Where a function of time may be zero: the five approximations of the VR thesis (5.3.2–5.3.6), with its errors corrected.

/// How zeros of a distance over [0, 1] are approximated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots {
    /// The zero of the straight line through the values at 0 and 1; none without a change of sign.
    Linear,
    /// Iterated straight lines (regula falsi in the Illinois form, which cannot stick); none without a change of sign.
    RegulaFalsi,
    /// The zeros of the parabola through the values at 0, 1 and the linear zero (or ½).
    Quadratic,
    /// Straight lines between values at equal steps.
    Sampling {
        /// How many steps.
        steps: u32,
    },
    /// Regula falsi in the steps with a change of sign.
    SamplingRegulaFalsi {
        /// How many steps.
        steps: u32,
    },
}

/// Most rounds of regula falsi.
const MOST_ROUNDS: u32 = 60;

impl Roots {
    /// Approximate zeros of `f` within [0, 1], in order.
    pub fn of(self, f: impl Fn(f64) -> f64) -> Vec<f64> {
        match self {
            Roots::Linear => linear([0.0, 1.0], [f(0.0), f(1.0)]).into_iter().collect(),
            Roots::RegulaFalsi => regula_falsi(&f, [0.0, 1.0], [f(0.0), f(1.0)]).into_iter().collect(),
            Roots::Quadratic => quadratic(&f),
            Roots::Sampling { steps } => sampled(&f, steps, |_, ends, values| linear(ends, values)),
            Roots::SamplingRegulaFalsi { steps } => {
                sampled(&f, steps, |f, ends, values| regula_falsi(f, ends, values))
            }
        }
    }
}

/// The zero of the line through two values of different sign (or 0).
fn linear([t0, t1]: [f64; 2], [d0, d1]: [f64; 2]) -> Option<f64> {
    if d0 * d1 > 0.0 || d0.is_nan() || d1.is_nan() {
        return None;
    }
    Some(if d0 == d1 { t0 } else { t0 + (t1 - t0) * (d0 / (d0 - d1)) })
}

/// Illinois: the value at an end that stays is halved.
fn regula_falsi(
    f: &impl Fn(f64) -> f64,
    [mut t0, mut t1]: [f64; 2],
    [mut d0, mut d1]: [f64; 2],
) -> Option<f64> {
    let mut t = linear([t0, t1], [d0, d1])?;
    for _ in 0..MOST_ROUNDS {
        let d = f(t);
        if d == 0.0 || t1 - t0 <= 1e-15 {
            break;
        }
        if d * d0 > 0.0 {
            (t0, d0, d1) = (t, d, 0.5 * d1);
        } else {
            (t1, d1, d0) = (t, d, 0.5 * d0);
        }
        let next = linear([t0, t1], [d0, d1]).unwrap_or(t);
        if (next - t).abs() < 1e-16 {
            break;
        }
        t = next;
    }
    Some(t)
}

/// Zeros of the parabola through three values.
fn quadratic(f: &impl Fn(f64) -> f64) -> Vec<f64> {
    let (d0, d1) = (f(0.0), f(1.0));
    let inner = linear([0.0, 1.0], [d0, d1]).filter(|t| (1e-9..1.0 - 1e-9).contains(t)).unwrap_or(0.5);
    let y = f(inner);
    // α·t² + β·t + γ through (0, d₀), (inner, y), (1, d₁).
    let slope = (y - d0) / inner;
    let alpha = (d1 - d0 - slope) / (1.0 - inner);
    let beta = slope - alpha * inner;
    let mut zeros = if alpha == 0.0 {
        if beta == 0.0 { if d0 == 0.0 { vec![0.0] } else { vec![] } } else { vec![-d0 / beta] }
    } else {
        let discriminant = beta * beta - 4.0 * alpha * d0;
        if discriminant < 0.0 {
            return Vec::new();
        }
        // Without cancellation.
        let half = -0.5 * (beta + discriminant.sqrt().copysign(beta));
        if half == 0.0 { vec![0.0] } else { vec![half / alpha, d0 / half] }
    };
    zeros.retain(|t| (0.0..=1.0).contains(t));
    zeros.sort_by(f64::total_cmp);
    zeros
}

fn sampled<F: Fn(f64) -> f64>(
    f: &F,
    steps: u32,
    zero: impl Fn(&F, [f64; 2], [f64; 2]) -> Option<f64>,
) -> Vec<f64> {
    let steps = steps.max(1);
    let at = |i: u32| f64::from(i) / f64::from(steps);
    let mut zeros = Vec::new();
    let mut before = f(0.0);
    for i in 0..steps {
        let after = f(at(i + 1));
        zeros.extend(zero(f, [at(i), at(i + 1)], [before, after]));
        before = after;
    }
    zeros
}

#[cfg(test)]
mod tests {
    use super::Roots;

    #[test]
    fn each_method_finds_what_it_can() {
        let line = |t: f64| 0.25 - t;
        let dip = |t: f64| (t - 0.3) * (t - 0.6);
        for method in [
            Roots::Linear,
            Roots::RegulaFalsi,
            Roots::Quadratic,
            Roots::Sampling { steps: 5 },
            Roots::SamplingRegulaFalsi { steps: 5 },
        ] {
            let zeros = method.of(line);
            assert!(zeros.iter().any(|t| (t - 0.25).abs() < 1e-12), "{method:?} {zeros:?}");
        }
        assert!(Roots::Linear.of(dip).is_empty() && Roots::RegulaFalsi.of(dip).is_empty());
        let zeros = Roots::Quadratic.of(dip);
        assert!((zeros[0] - 0.3).abs() < 1e-12 && (zeros[1] - 0.6).abs() < 1e-12, "{zeros:?}");
        let zeros = Roots::SamplingRegulaFalsi { steps: 7 }.of(dip);
        assert!((zeros[0] - 0.3).abs() < 1e-12 && (zeros[1] - 0.6).abs() < 1e-12, "{zeros:?}");
        // The known miss: both zeros within one step.
        assert!(Roots::Sampling { steps: 2 }.of(|t| (t - 0.3) * (t - 0.4)).is_empty());
        // Where the thesis's regula falsi sticks at the beginning.
        let zeros = Roots::RegulaFalsi.of(|t| t.powi(9) - 0.001);
        assert!((zeros[0].powi(9) - 0.001).abs() < 1e-9, "{zeros:?}");
    }
}
