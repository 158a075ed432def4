//! A distance kept by a spring.

use super::colour::Element;
use super::{Substep, energy};
use kontakt_math::DVec3;

/// Energy ½ k (|q − p| − rest)².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    pub(crate) ends: [u32; 2],
    pub(crate) rest: f64,
    /// 1/k, in m/N.
    pub(crate) compliance: f64,
    /// Seconds in which a Kelvin–Voigt spring relaxes.
    pub(crate) damping: f64,
}

impl Element for Spring {
    fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        self.ends.iter().copied()
    }
}

impl Spring {
    #[inline(always)]
    pub(crate) fn solve(&self, at: &Substep<'_>) {
        let [a, b] = self.ends;
        let (wa, wb) = (at.mobility[a as usize], at.mobility[b as usize]);
        let (p, q) = (at.places.get(a), at.places.get(b));
        let between = q - p;
        let square = between.length_squared();
        if !(wa + wb > 0.0 && square > 0.0) {
            return;
        }
        // Everything times the length, so that one division does.
        let stretching = between.dot((q - at.before[b as usize]) - (p - at.before[a as usize]));
        let [resistance, gamma] = at.resistance(wa + wb, self.compliance, self.damping);
        let off = square - self.rest * square.sqrt();
        let push = between * (-(off + gamma * stretching) / (square * resistance));
        at.places.set(a, p - push * wa);
        at.places.set(b, q + push * wb);
    }

    pub(crate) fn energy(&self, places: &[DVec3], mobility: &[f64], seconds: f64) -> f64 {
        let [a, b] = self.ends.map(|v| v as usize);
        let stretch = places[a].distance(places[b]) - self.rest;
        energy(stretch, self.compliance, mobility[a] + mobility[b], seconds)
    }
}
