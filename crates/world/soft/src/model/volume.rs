//! A tetrahedron that keeps its volume.

use super::colour::Element;
use super::{Substep, energy};
use kontakt_math::DVec3;

/// Energy ½ K (V − V₀)² / V₀ with the bulk modulus K, V with its sign: turned inside out, it is pushed back. Reckoned as C = 6 V.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volume {
    pub(crate) corners: [u32; 4],
    /// 6 V₀, m³.
    rest: f64,
    /// Of C: 36 V₀ / K, m³/Pa.
    compliance: f64,
    damping: f64,
}

impl Element for Volume {
    fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        self.corners.iter().copied()
    }
}

/// Six times the volume and its derivatives by the corners.
#[inline(always)]
fn sixfold([a, b, c, d]: [DVec3; 4]) -> (f64, [DVec3; 4]) {
    let (u, v, w) = (b - a, c - a, d - a);
    let (by_b, by_c, by_d) = (v.cross(w), w.cross(u), u.cross(v));
    (by_b.dot(u), [-(by_b + by_c + by_d), by_b, by_c, by_d])
}

impl Volume {
    /// `None` where nothing keeps the volume.
    pub(crate) fn new(corners: [u32; 4], volume: f64, modulus: f64, damping: f64) -> Option<Volume> {
        let compliance = 36.0 * volume / modulus;
        compliance.is_finite().then_some(Volume { corners, rest: 6.0 * volume, compliance, damping })
    }

    #[inline(always)]
    fn mobility(&self, by: &[DVec3; 4], mobility: &[f64]) -> f64 {
        let of = |i: usize| mobility[self.corners[i] as usize] * by[i].length_squared();
        of(0) + of(1) + of(2) + of(3)
    }

    #[inline(always)]
    pub(crate) fn solve(&self, at: &Substep<'_>) {
        let places = self.corners.map(|v| at.places.get(v));
        let (volume, by) = sixfold(places);
        let mobility = self.mobility(&by, at.mobility);
        if mobility.is_nan() || mobility <= 0.0 {
            return;
        }
        let swelling = |i: usize| by[i].dot(places[i] - at.before[self.corners[i] as usize]);
        let swelling = swelling(0) + swelling(1) + swelling(2) + swelling(3);
        let push = at.push(volume - self.rest, swelling, mobility, self.compliance, self.damping);
        for i in 0..4 {
            let v = self.corners[i];
            at.places.set(v, places[i] + by[i] * (push * at.mobility[v as usize]));
        }
    }

    pub(crate) fn energy(&self, places: &[DVec3], mobility: &[f64], seconds: f64) -> f64 {
        let (volume, by) = sixfold(self.corners.map(|v| places[v as usize]));
        energy(volume - self.rest, self.compliance, self.mobility(&by, mobility), seconds)
    }

    /// Of a body whose vertices begin at this number.
    pub(crate) fn shifted(self, base: u32) -> Volume {
        Volume { corners: self.corners.map(|v| v + base), ..self }
    }
}
