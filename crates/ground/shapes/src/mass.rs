//! Volume, surface and extent of a face set.

use crate::FaceSet;
use kontakt_math::DVec3;

/// Size of a body at unit density. Rounded to nearest at every step: for reports, not for proofs. Never NaN; what exceeds the
/// range of doubles is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Signed volume: positive when faces are counter-clockwise seen from outside. Means something only for a closed, oriented
    /// surface; see [`crate::Topology`].
    pub volume: f64,
    /// Sum of the areas of all triangles.
    pub surface: f64,
    /// Least coordinates of the vertices that faces use.
    pub low: DVec3,
    /// Greatest coordinates of the vertices that faces use.
    pub high: DVec3,
}

impl MassProperties {
    /// Sums over the triangles, about the middle of the extent and scaled by a power of two, so that neither far-away bodies
    /// lose digits nor 1e300 overflows on the way.
    pub fn of(faces: &FaceSet) -> Self {
        let used = || faces.triangles().as_flattened().iter().map(|&i| faces.vertices()[i as usize]);
        let (low, high) =
            used().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        let middle = low * 0.5 + high * 0.5;
        let reach = (high * 0.5 - low * 0.5).max_element();
        let scale = power_of_two_near(reach);
        let (mut volume, mut surface) = (Sum::default(), Sum::default());
        for triangle in 0..faces.triangles().len() {
            let [a, b, c] = faces.triangle_points(triangle).map(|p| (p - middle) / scale);
            volume.add(a.dot(b.cross(c)));
            surface.add((b - a).cross(c - a).length());
        }
        let surface = surface.total() / 2.0 * scale * scale;
        MassProperties { volume: volume.total() / 6.0 * scale * scale * scale, surface, low, high }
    }

    /// Extent along each axis.
    pub fn size(&self) -> DVec3 {
        self.high - self.low
    }
}

/// A power of two within a factor of 2 of `value`; 1 for 0.
fn power_of_two_near(value: f64) -> f64 {
    if value < f64::MIN_POSITIVE {
        return if value > 0.0 { f64::MIN_POSITIVE } else { 1.0 };
    }
    f64::from_bits(value.to_bits() & 0x7FF0_0000_0000_0000)
}

/// Kahan–Neumaier summation.
#[derive(Default)]
struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        let total = self.high + x;
        self.low +=
            if self.high.abs() >= x.abs() { (self.high - total) + x } else { (x - total) + self.high };
        self.high = total;
    }

    fn total(&self) -> f64 {
        self.high + self.low
    }
}
