//! What can be counted in a world.

use super::contact::Touch;
use std::collections::BTreeMap;

/// Kinetic energy, and what it is small against.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of all free bodies.
    pub kinetic: f64,
    /// Σ mass × gravity × size of the same.
    pub scale: f64,
}

impl Energy {
    /// Kinetic energy in units of mass × gravity × size.
    pub fn relative(&self) -> f64 {
        if self.scale > 0.0 { self.kinetic / self.scale } else { self.kinetic }
    }
}

/// Contacts nearer than some gap, overlaps included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactCount {
    /// The gap, in units of the least size of all free bodies.
    pub within: f64,
    /// Pairs of bodies.
    pub pairs: u64,
    /// Pairs with several points.
    pub several: u64,
    /// Points.
    pub points: u64,
    /// The mean depth of pairs that overlap: of each its deepest point; 0 without any.
    pub mean_depth: f64,
    /// The greatest depth; 0 without overlaps.
    pub greatest_depth: f64,
}

impl ContactCount {
    pub(crate) fn of(touches: &[Touch], within: f64, size: f64) -> ContactCount {
        let mut pairs: BTreeMap<[u32; 2], (u64, f64)> = BTreeMap::new();
        for touch in touches.iter().filter(|touch| touch.gap <= within * size) {
            let entry = pairs.entry(touch.pair.slots).or_insert((0, f64::INFINITY));
            *entry = (entry.0 + 1, entry.1.min(touch.gap));
        }
        let depths: Vec<f64> = pairs.values().map(|(_, gap)| -gap).filter(|depth| *depth > 0.0).collect();
        ContactCount {
            within,
            pairs: pairs.len() as u64,
            several: pairs.values().filter(|(points, _)| *points > 1).count() as u64,
            points: pairs.values().map(|(points, _)| points).sum(),
            mean_depth: depths.iter().sum::<f64>() / depths.len().max(1) as f64,
            greatest_depth: depths.into_iter().fold(0.0, f64::max),
        }
    }
}
