//! Whether two bodies meet.

/// Whether two closed sets meet, and whether their insides do.
///
/// Of convex sets it is told by the difference A − B: the origin outside of it, on its boundary, or inside. So for bodies with volume
/// "overlapping" means that the interiors meet; a triangle through a box overlaps too (any small shift keeps them in
/// contact), two triangles in one plane only touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No common point.
    Separate,
    /// Common points, but the least shift that separates them is zero. For pairs with a curved core other than spheres and
    /// capsules: the certified bounds of the distance straddle zero.
    Touching,
    /// The least translation that separates them is longer than zero.
    Overlapping,
    /// The work allowed was not enough; the bounds say what is known.
    Undecided,
}

impl Verdict {
    /// What bounds of the separation tell by their signs; none where they straddle zero.
    #[inline]
    pub fn of_bounds(lo: f64, hi: f64) -> Option<Verdict> {
        if lo > 0.0 {
            Some(Verdict::Separate)
        } else if hi < 0.0 {
            Some(Verdict::Overlapping)
        } else {
            None
        }
    }

    /// Of two verdicts about parts the one about the whole: an overlap is one whatever else is unclear.
    #[must_use]
    pub fn graver(self, other: Verdict) -> Verdict {
        let rank = |verdict: Verdict| match verdict {
            Verdict::Separate => 0,
            Verdict::Touching => 1,
            Verdict::Undecided => 2,
            Verdict::Overlapping => 3,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn signs_tell_and_the_gravest_part_tells_of_the_whole() {
        assert_eq!(Verdict::of_bounds(0.5, 1.0), Some(Verdict::Separate));
        assert_eq!(Verdict::of_bounds(-1.0, -0.5), Some(Verdict::Overlapping));
        assert_eq!(Verdict::of_bounds(0.0, 1.0), None);
        assert_eq!(Verdict::Undecided.graver(Verdict::Touching), Verdict::Undecided);
        assert_eq!(Verdict::Undecided.graver(Verdict::Overlapping), Verdict::Overlapping);
    }
}
