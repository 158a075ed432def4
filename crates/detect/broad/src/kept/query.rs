//! Questions about the boxes as they are, updated or not.

use super::places::meet;
use super::{BoxId, BroadPhase, KeptError, check};
use crate::ends::Ends;
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;

/// A box that a ray may hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Which.
    pub id: BoxId,
    /// Never later than the ray enters the box, as a multiple of its direction; 0 if it starts inside.
    pub enter: f64,
}

impl BroadPhase {
    /// The boxes that overlap or touch this one, exactly, sorted.
    pub fn meeting(&self, b: Aabb) -> Result<Vec<BoxId>, KeptError> {
        check(&b)?;
        let ends = Ends::of(self.frame, &b);
        let mut ids = self.candidates(|found| self.finder.meeting(&ends, &self.fat, found));
        ids.retain(|&id| meet(&self.boxes[id as usize], &b));
        Ok(ids.into_iter().map(BoxId).collect())
    }

    /// The boxes that the points `origin + t·direction`, 0 ≤ t ≤ `longest`, pass, in the order of entry, then of ids. No box is missed;
    /// one that the ray misses by rounding may be named.
    pub fn ray(&self, origin: DVec3, direction: DVec3, longest: f64) -> Result<Vec<RayHit>, KeptError> {
        if !origin.is_finite() {
            return Err(KeptError::NoRay("its origin is not finite"));
        }
        if !direction.is_finite() || direction == DVec3::ZERO {
            return Err(KeptError::NoRay("its direction is zero or not finite"));
        }
        if longest.is_nan() || longest < 0.0 {
            return Err(KeptError::NoRay("its length is negative or NaN"));
        }
        let hit = |b: &Aabb| b.ray_entry(origin, direction, longest);
        // What lies in a box that is missed is missed.
        let wanted = |ends: &Ends| hit(&self.frame.around_ends(ends.low, ends.high)).is_some();
        let ids = self.candidates(|found| self.finder.reached(&self.fat, &wanted, found));
        let passed = |id: u32| Some(RayHit { id: BoxId(id), enter: hit(&self.boxes[id as usize])?.enter });
        let mut hits: Vec<RayHit> = ids.into_iter().filter_map(passed).collect();
        hits.sort_by(|a, b| a.enter.total_cmp(&b.enter).then(a.id.cmp(&b.id)));
        Ok(hits)
    }

    /// Ids of boxes, sorted: those the finder finds and those it does not know the place of.
    fn candidates(&self, find: impl FnOnce(&mut Vec<u32>)) -> Vec<u32> {
        let mut ids = Vec::new();
        if self.stale {
            ids.extend(0..self.boxes.len() as u32);
        } else {
            find(&mut ids);
            ids.extend_from_slice(&self.escaped);
            ids.sort_unstable();
            ids.dedup();
        }
        ids.retain(|&id| super::exists(&self.boxes[id as usize]));
        ids
    }
}
