//! What one query leaves for the next one about the same pair of bodies.

use kontakt_math::DVec3;

/// The last separating direction. Only a hint: any content gives the same verdict, and
/// numbers that differ within their certified bounds. `Default` is cold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Warm {
    /// From the difference's nearest point to the origin, that is from A to B, in A's frame; zero when cold.
    pub direction: DVec3,
    /// How many queries so far had to be answered in exact numbers.
    pub exact: u32,
}
