//! The farthest of many points by brute force, eight at a time.

use kontakt_math::DVec3;
use std::sync::Arc;

/// Eight points by coordinate.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Octet {
    pub(crate) x: [f64; 8],
    pub(crate) y: [f64; 8],
    pub(crate) z: [f64; 8],
}

impl Octet {
    /// At least one point in octets; the last one is filled up with the first point.
    fn fill(points: &[DVec3]) -> Arc<[Octet]> {
        let octet = |chunk: &[DVec3]| {
            let point = |lane: usize| chunk.get(lane).copied().unwrap_or(points[0]);
            let lanes: [DVec3; 8] = std::array::from_fn(point);
            Octet { x: lanes.map(|p| p.x), y: lanes.map(|p| p.y), z: lanes.map(|p| p.z) }
        };
        points.chunks(8).map(octet).collect()
    }
}

/// Points in octets; the last one is filled up with the first point. A clone has the same memory.
#[derive(Clone, Debug)]
pub(crate) struct Octets(Arc<[Octet]>);

impl Octets {
    /// Of at least one point.
    pub(crate) fn new(points: &[DVec3]) -> Octets {
        Octets(Octet::fill(points))
    }

    /// All octets.
    pub(crate) fn all(&self) -> &[Octet] {
        &self.0
    }

    /// What they take on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[_]>(&self.0)
    }

    /// The point of this number.
    #[inline(always)]
    pub(crate) fn point(&self, number: u32) -> DVec3 {
        let (octet, lane) = (&self.0[number as usize / 8], number as usize % 8);
        DVec3::new(octet.x[lane], octet.y[lane], octet.z[lane])
    }

    /// The number of a point with the greatest `direction · x`, each product off by at most 3u·Σ|dᵢxᵢ|; of equal ones the
    /// first.
    #[inline(always)]
    pub(crate) fn farthest(&self, direction: DVec3) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if let Some(found) = super::scan_x86::farthest(&self.0, direction) {
            // A filler stands for the first point.
            return found;
        }
        farthest_portable(&self.0, direction)
    }
}

/// Asks for the memory of a list ahead of its use.
#[inline(always)]
pub(crate) fn prefetch<T>(list: &[T]) {
    #[cfg(target_arch = "x86_64")]
    super::scan_x86::prefetch(list);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = list;
}

/// In plain Rust.
pub(crate) fn farthest_portable(octets: &[Octet], direction: DVec3) -> u32 {
    let (mut best, mut found) = (f64::NEG_INFINITY, 0);
    for (block, octet) in octets.iter().enumerate() {
        for lane in 0..8 {
            let value =
                octet.x[lane] * direction.x + octet.y[lane] * direction.y + octet.z[lane] * direction.z;
            if value > best {
                (best, found) = (value, block * 8 + lane);
            }
        }
    }
    found as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_units_find_a_farthest_point() {
        let mut random = fastrand::Rng::with_seed(5);
        for count in (1..40).chain([127, 128, 129, 1000]) {
            let mut coordinate = || f64::from(random.i32(-9..=9));
            let points: Vec<DVec3> =
                (0..count).map(|_| DVec3::new(coordinate(), coordinate(), coordinate())).collect();
            let octets = Octets::new(&points);
            for direction in [DVec3::X, DVec3::new(-1.0, 2.0, 3.0), DVec3::new(0.25, -0.5, -1.0), DVec3::ZERO]
            {
                let most = points.iter().map(|p| direction.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
                let first = points.iter().position(|p| direction.dot(*p) == most);
                assert_eq!(Some(farthest_portable(&octets.0, direction) as usize), first);
                assert_eq!(Some(octets.farthest(direction) as usize), first);
                #[cfg(target_arch = "x86_64")]
                for found in super::super::scan_x86::every_variant(&octets.0, direction) {
                    assert_eq!(Some(found as usize), first);
                }
            }
        }
    }
}
