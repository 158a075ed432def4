//! A vertex in motion.

use kontakt_math::DVec3;

/// A vertex at both ends of time: x, y, z at the start, x, y, z at the end, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Moved(pub(crate) [f64; 6]);

impl Moved {
    pub(crate) fn start(&self) -> DVec3 {
        DVec3::new(self.0[0], self.0[1], self.0[2])
    }

    pub(crate) fn end(&self) -> DVec3 {
        DVec3::new(self.0[3], self.0[4], self.0[5])
    }
}
