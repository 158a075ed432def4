//! Polytopal cores as numbered corners with a fast support map.

use crate::Polytope;
use kontakt_math::DVec3;

/// The corners of a convex polytope in its own frame. Corners may coincide, and need not be extreme.
pub trait Corners: Copy {
    /// How many there are; ids are below.
    fn count(&self) -> u32;

    /// A corner's place, exactly.
    fn corner(&self, id: u32) -> DVec3;

    /// A corner with the greatest `direction · x`, to rounding.
    fn farthest(&self, direction: DVec3) -> u32;

    /// Whether [`climb`](Self::climb) is quicker than `farthest` and less sure.
    #[inline]
    fn climbs(&self) -> bool {
        false
    }

    /// A corner far along `direction`, sought from another one: hardly ever another than `farthest`, but not surely.
    #[inline]
    fn climb(&self, direction: DVec3, _from: u32) -> u32 {
        self.farthest(direction)
    }

    /// Calls `visit` with the ids of other corners: the cone they span from this one holds the whole polytope.
    fn neighbours(&self, id: u32, visit: impl FnMut(u32));

    /// Some point well inside.
    fn middle(&self) -> DVec3;

    /// **Never less** than |x|₁ of any corner.
    fn reach(&self) -> f64;
}

/// The origin alone.
#[derive(Clone, Copy, Debug)]
pub struct Origin;

impl Corners for Origin {
    #[inline]
    fn count(&self) -> u32 {
        1
    }

    #[inline]
    fn corner(&self, _: u32) -> DVec3 {
        DVec3::ZERO
    }

    #[inline]
    fn farthest(&self, _: DVec3) -> u32 {
        0
    }

    #[inline]
    fn neighbours(&self, _: u32, _: impl FnMut(u32)) {}

    #[inline]
    fn middle(&self) -> DVec3 {
        DVec3::ZERO
    }

    #[inline]
    fn reach(&self) -> f64 {
        0.0
    }
}

/// One to three corners.
#[derive(Clone, Copy, Debug)]
pub struct Few<'a>(pub &'a [DVec3]);

impl Corners for Few<'_> {
    #[inline]
    fn count(&self) -> u32 {
        self.0.len() as u32
    }

    #[inline]
    fn corner(&self, id: u32) -> DVec3 {
        self.0[id as usize]
    }

    #[inline]
    fn farthest(&self, direction: DVec3) -> u32 {
        let mut best = (f64::NEG_INFINITY, 0);
        for (id, corner) in self.0.iter().enumerate() {
            let value = direction.dot(*corner);
            if value > best.0 {
                best = (value, id);
            }
        }
        best.1 as u32
    }

    #[inline]
    fn neighbours(&self, id: u32, visit: impl FnMut(u32)) {
        (0..self.count()).filter(|other| *other != id).for_each(visit);
    }

    #[inline]
    fn middle(&self) -> DVec3 {
        self.0.iter().sum::<DVec3>() / self.0.len() as f64
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.0.iter().fold(0.0, |most: f64, x| most.max(one_norm_up(*x)))
    }
}

/// A box by its half extents; bit i of a corner's id tells the sign along axis i.
#[derive(Clone, Copy, Debug)]
pub struct Cuboid(pub DVec3);

impl Corners for Cuboid {
    #[inline]
    fn count(&self) -> u32 {
        8
    }

    #[inline]
    fn corner(&self, id: u32) -> DVec3 {
        // By the sign bit: a branch would be guessed wrong every other time.
        let signed = |value: f64, bit: u32| f64::from_bits(value.to_bits() ^ u64::from(!id >> bit & 1) << 63);
        DVec3::new(signed(self.0.x, 0), signed(self.0.y, 1), signed(self.0.z, 2))
    }

    #[inline]
    fn farthest(&self, direction: DVec3) -> u32 {
        u32::from(direction.x >= 0.0)
            | u32::from(direction.y >= 0.0) << 1
            | u32::from(direction.z >= 0.0) << 2
    }

    #[inline]
    fn neighbours(&self, id: u32, visit: impl FnMut(u32)) {
        [1, 2, 4].map(|bit| id ^ bit).into_iter().for_each(visit);
    }

    #[inline]
    fn middle(&self) -> DVec3 {
        DVec3::ZERO
    }

    #[inline]
    fn reach(&self) -> f64 {
        one_norm_up(self.0)
    }
}

/// The vertices of a hull.
#[derive(Clone, Copy, Debug)]
pub struct Many<'a>(pub &'a Polytope);

impl Corners for Many<'_> {
    #[inline]
    fn count(&self) -> u32 {
        self.0.vertices().len() as u32
    }

    #[inline]
    fn corner(&self, id: u32) -> DVec3 {
        self.0.vertices()[id as usize]
    }

    #[inline]
    fn farthest(&self, direction: DVec3) -> u32 {
        self.0.farthest(direction)
    }

    #[inline]
    fn climbs(&self) -> bool {
        self.0.vertices().len() > Polytope::SCANNED
    }

    #[inline]
    fn climb(&self, direction: DVec3, from: u32) -> u32 {
        if self.climbs() { self.0.climb(direction, from) } else { self.0.farthest(direction) }
    }

    #[inline]
    fn neighbours(&self, id: u32, visit: impl FnMut(u32)) {
        self.0.hull().neighbours(id as usize).iter().copied().for_each(visit);
    }

    #[inline]
    fn middle(&self) -> DVec3 {
        self.0.middle()
    }

    #[inline]
    fn reach(&self) -> f64 {
        self.0.reach()
    }
}

/// **Never less** than |x| + |y| + |z|.
#[inline]
pub(crate) fn one_norm_up(v: DVec3) -> f64 {
    v.abs().element_sum() * (1.0 + 2.0 * f64::EPSILON)
}
