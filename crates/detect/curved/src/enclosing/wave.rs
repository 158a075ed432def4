//! The greatest value of a cos t + b sin t over a stretch of t.

use std::f64::consts::TAU;

/// A wave `a cos t + b sin t`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wave(pub(super) f64, pub(super) f64);

impl Wave {
    pub(super) fn at(self, t: f64) -> f64 {
        let (sin, cos) = t.sin_cos();
        self.0 * cos + self.1 * sin
    }

    /// The greatest value over a stretch and where it is, to rounding: at the crest if the stretch has one, else at an end.
    pub(super) fn most(self, [from, to]: [f64; 2]) -> (f64, f64) {
        let crest = self.1.atan2(self.0);
        let next = crest + ((from - crest) / TAU).ceil() * TAU;
        if next <= to {
            return (self.0.hypot(self.1), next);
        }
        let (one, other) = (self.at(from), self.at(to));
        if one >= other { (one, from) } else { (other, to) }
    }
}

#[cfg(test)]
mod tests {
    use super::Wave;

    #[test]
    fn nothing_is_greater() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2000 {
            let wave = Wave(random.f64() - 0.5, random.f64() - 0.5);
            let from = random.f64() * 20.0 - 10.0;
            let over = [from, from + random.f64() * 8.0];
            let (most, at) = wave.most(over);
            assert!(over[0] <= at && at <= over[1] && (wave.at(at) - most).abs() < 1e-14);
            for k in 0..=100 {
                let value = wave.at(over[0] + (over[1] - over[0]) * f64::from(k) / 100.0);
                assert!(value <= most + 1e-14);
            }
        }
    }
}
