//! Polytopal cores as numbered corners with a fast support map.

use crate::Polytope;
use crate::polytope::one_norm_up;
use kontakt_math::DVec3;

/// The corners of a convex polytope in its own frame. Corners may coincide, and need not be extreme.
pub(crate) trait Corners: Copy {
    /// How many there are; ids are below.
    fn count(&self) -> u32;

    /// A corner's place, exactly.
    fn corner(&self, id: u32) -> DVec3;

    /// A corner with the greatest `direction · x`, to rounding.
    fn farthest(&self, direction: DVec3) -> u32;

    /// The number and place of `farthest`.
    #[inline(always)]
    fn extreme(&self, direction: DVec3) -> (u32, DVec3) {
        let id = self.farthest(direction);
        (id, self.corner(id))
    }

    /// Whether [`climb`](Self::climb) is quicker than `farthest` and less sure.
    #[inline(always)]
    fn climbs(&self) -> bool {
        false
    }

    /// A corner far along `direction`, sought from another one: hardly ever another than `farthest`, but not surely.
    #[inline(always)]
    fn climb(&self, direction: DVec3, _from: u32) -> u32 {
        self.farthest(direction)
    }

    /// Calls `visit` with the ids of other corners: the cone they span from this one holds the whole polytope.
    fn neighbours(&self, id: u32, visit: impl FnMut(u32));

    /// **Never less** than the greatest |E|/(up·E) of all edges E from one corner but that to another, where a computed up·E may
    /// be off by `doubt`·|E|₁; infinite when some edge does not surely rise, 0 without edges.
    #[inline(always)]
    fn steepness(&self, [from, spared]: [u32; 2], up: DVec3, doubt: f64) -> f64 {
        let start = self.corner(from);
        let mut most = 0.0_f64;
        self.neighbours(from, |to| {
            let steepness = steepness_squared(self.corner(to) - start, up, doubt);
            most = most.max(if to == spared { 0.0 } else { steepness });
        });
        // 1 % covers the roundings.
        1.01 * most.sqrt()
    }

    /// Of a box.
    #[inline(always)]
    fn half_extents(&self) -> Option<DVec3> {
        None
    }

    /// Some point well inside.
    fn middle(&self) -> DVec3;

    /// **Never less** than |x|₁ of any corner.
    fn reach(&self) -> f64;
}

/// (|E|/(up·E))² to rounding, or infinite when E does not surely rise.
#[inline(always)]
fn steepness_squared(edge: DVec3, up: DVec3, doubt: f64) -> f64 {
    let size = edge.abs().element_sum();
    let rise = up.dot(edge) - doubt * size;
    if rise > 0.0 {
        edge.length_squared() / (rise * rise)
    } else if size == 0.0 {
        0.0
    } else {
        f64::INFINITY
    }
}

/// One to three corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few<'a>(pub &'a [DVec3]);

impl Corners for Few<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.len() as u32
    }

    #[inline(always)]
    fn corner(&self, id: u32) -> DVec3 {
        self.0[id as usize]
    }

    #[inline(always)]
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

    #[inline(always)]
    fn neighbours(&self, id: u32, mut visit: impl FnMut(u32)) {
        for other in 0..self.count() {
            if other != id {
                visit(other);
            }
        }
    }

    #[inline(always)]
    fn middle(&self) -> DVec3 {
        self.0.iter().sum::<DVec3>() / self.0.len() as f64
    }

    #[inline(always)]
    fn reach(&self) -> f64 {
        self.0.iter().fold(0.0, |most: f64, x| most.max(one_norm_up(*x)))
    }
}

/// A box by its half extents; bit i of a corner's id tells the sign along axis i.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuboid(pub DVec3);

impl Corners for Cuboid {
    #[inline(always)]
    fn count(&self) -> u32 {
        8
    }

    #[inline(always)]
    fn corner(&self, id: u32) -> DVec3 {
        // By the sign bit: a branch would be guessed wrong every other time.
        let signed = |value: f64, bit: u32| f64::from_bits(value.to_bits() ^ u64::from(!id >> bit & 1) << 63);
        DVec3::new(signed(self.0.x, 0), signed(self.0.y, 1), signed(self.0.z, 2))
    }

    #[inline(always)]
    fn farthest(&self, direction: DVec3) -> u32 {
        let direction = without_negative_zeros(direction);
        let bit = |value: f64, axis: u32| u32::from(value.is_sign_positive()) << axis;
        bit(direction.x, 0) | bit(direction.y, 1) | bit(direction.z, 2)
    }

    #[inline(always)]
    fn extreme(&self, direction: DVec3) -> (u32, DVec3) {
        (self.farthest(direction), self.0.copysign(without_negative_zeros(direction)))
    }

    #[inline(always)]
    fn neighbours(&self, id: u32, mut visit: impl FnMut(u32)) {
        for bit in [1, 2, 4] {
            visit(id ^ bit);
        }
    }

    #[inline(always)]
    fn half_extents(&self) -> Option<DVec3> {
        Some(self.0)
    }

    /// An edge along axis i rises by |upᵢ| of its length, or falls by that. Edges without length do not count.
    #[inline(always)]
    fn steepness(&self, [from, spared]: [u32; 2], up: DVec3, doubt: f64) -> f64 {
        let rise = |axis: usize| {
            let bit = 1 << axis;
            if self.0[axis] == 0.0 || from ^ spared == bit {
                f64::INFINITY
            } else {
                (if from & bit == 0 { up[axis] } else { -up[axis] }) - doubt
            }
        };
        let least = rise(0).min(rise(1)).min(rise(2));
        if least > 0.0 { 1.01 / least } else { f64::INFINITY }
    }

    #[inline(always)]
    fn middle(&self) -> DVec3 {
        DVec3::ZERO
    }

    #[inline(always)]
    fn reach(&self) -> f64 {
        one_norm_up(self.0)
    }
}

/// The vertices of a hull.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Many<'a>(pub &'a Polytope);

impl Corners for Many<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.vertex_count()
    }

    #[inline(always)]
    fn corner(&self, id: u32) -> DVec3 {
        self.0.vertex(id)
    }

    #[inline(always)]
    fn farthest(&self, direction: DVec3) -> u32 {
        self.0.farthest(direction)
    }

    #[inline(always)]
    fn extreme(&self, direction: DVec3) -> (u32, DVec3) {
        self.0.extreme(direction)
    }

    #[inline(always)]
    fn climbs(&self) -> bool {
        self.0.vertex_count() as usize > Polytope::SCANNED
    }

    #[inline(always)]
    fn climb(&self, direction: DVec3, from: u32) -> u32 {
        if self.climbs() { self.0.climb(direction, from) } else { self.0.farthest(direction) }
    }

    #[inline(always)]
    fn neighbours(&self, id: u32, visit: impl FnMut(u32)) {
        self.0.neighbours(id, visit);
    }

    #[inline(always)]
    fn steepness(&self, from_and_spared: [u32; 2], up: DVec3, doubt: f64) -> f64 {
        // 1 % covers the roundings.
        1.01 * self.0.steepness_squared(from_and_spared, up, doubt).sqrt()
    }

    #[inline(always)]
    fn middle(&self) -> DVec3 {
        self.0.middle()
    }

    #[inline(always)]
    fn reach(&self) -> f64 {
        self.0.reach()
    }
}

/// The same vector. Signs then tell the corner of a box, and of level edges both boxes of a pair take the same end, so that the
/// vertices of their difference along the axes are not all one corner.
#[inline(always)]
fn without_negative_zeros(direction: DVec3) -> DVec3 {
    direction + DVec3::ZERO
}
