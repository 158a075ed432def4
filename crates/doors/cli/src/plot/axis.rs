//! Where values lie along an axis, and where its marks are.

use super::Spacing;

/// An axis from `low` to `high`, drawn from `start` to `end` (pixels; `end` may be above `start`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    spacing: Spacing,
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// Around all values, widened to round numbers; an even axis of values that are not negative starts at 0.
    pub(super) fn around(values: impl Iterator<Item = f64>, spacing: Spacing, start: f64, end: f64) -> Axis {
        let usable = |v: &f64| v.is_finite() && (spacing == Spacing::Even || *v > 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(usable) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        match spacing {
            Spacing::Even => {
                if low >= 0.0 {
                    low = 0.0;
                }
                if high <= low {
                    high = low + 1.0;
                }
                let step = round_step((high - low) / 5.0);
                (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
            }
            Spacing::Logarithmic => {
                (low, high) = (low / 1.15, high * 1.15);
                if high < low * 4.0 {
                    (low, high) = (low / 2.0, high * 2.0);
                }
            }
        }
        Axis { spacing, low, high, start, end }
    }

    /// Exactly from `low` to `high`.
    pub(super) fn between(low: f64, high: f64, start: f64, end: f64) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        Axis { spacing: Spacing::Even, low, high, start, end }
    }

    /// Pixel of a value; `None` where it cannot be drawn.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let part = match self.spacing {
            Spacing::Even => (value - self.low) / (self.high - self.low),
            Spacing::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        part.is_finite().then_some(self.start + (self.end - self.start) * part)
    }

    /// Marks at just these values.
    pub(super) fn marks_at(values: impl Iterator<Item = f64>) -> Vec<(f64, String)> {
        let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values.into_iter().map(|value| (value, words(value))).collect()
    }

    /// Values to mark, with their words.
    pub(super) fn marks(&self) -> Vec<(f64, String)> {
        match self.spacing {
            Spacing::Even => {
                let step = round_step((self.high - self.low) / 6.0);
                let first = (self.low / step - 1e-9).ceil();
                (0..=12)
                    .map(|i| (first + f64::from(i)) * step)
                    .take_while(|v| *v <= self.high + 1e-9 * step)
                    .map(|v| (v, words(v)))
                    .collect()
            }
            Spacing::Logarithmic => {
                let decades = (self.high / self.low).log10();
                let mantissas: &[f64] = if decades > 3.0 {
                    &[1.0]
                } else if decades > 1.2 {
                    &[1.0, 3.0]
                } else {
                    &[1.0, 2.0, 5.0]
                };
                let first = self.low.log10().floor() as i32;
                (first..=first + 40)
                    .flat_map(|e| mantissas.iter().map(move |m| m * 10_f64.powi(e)))
                    .filter(|v| *v >= self.low && *v <= self.high)
                    .map(|v| (v, words(v)))
                    .collect()
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, at least `least`.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|step| *step >= least * 0.999).unwrap_or(10.0 * power)
}

fn words(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{value:.0e}");
    }
    let digits = format!("{value:.4}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_inside() {
        let axis = Axis::around([0.3, 7.2].into_iter(), Spacing::Even, 0.0, 100.0);
        let words: Vec<String> = axis.marks().into_iter().map(|(_, w)| w).collect();
        assert_eq!(words, ["0", "2", "4", "6", "8"]);
        assert_eq!((axis.at(0.0), axis.at(8.0)), (Some(0.0), Some(100.0)));
        let axis = Axis::around([0.002, 3.0].into_iter(), Spacing::Logarithmic, 0.0, 100.0);
        let words: Vec<String> = axis.marks().into_iter().map(|(_, w)| w).collect();
        assert_eq!(words, ["0.01", "0.1", "1"]);
        assert_eq!(axis.at(0.0), None);
    }

    #[test]
    fn nothing_to_draw_still_makes_an_axis() {
        for spacing in [Spacing::Even, Spacing::Logarithmic] {
            for values in [vec![], vec![0.0], vec![f64::NAN], vec![5.0, 5.0]] {
                let axis = Axis::around(values.into_iter(), spacing, 0.0, 10.0);
                assert!(axis.marks().len() < 20 && !axis.marks().is_empty());
            }
        }
    }
}
