//! The sign of an exact value.

/// Sign of an exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Below zero.
    Negative,
    /// Exactly zero.
    Zero,
    /// Above zero.
    Positive,
}

impl Sign {
    /// Sign of a double that is known to carry the right sign.
    pub fn of(value: f64) -> Sign {
        if value > 0.0 {
            Sign::Positive
        } else if value < 0.0 {
            Sign::Negative
        } else {
            Sign::Zero
        }
    }

    /// Sign of the opposite value.
    #[must_use]
    pub fn opposite(self) -> Sign {
        match self {
            Sign::Negative => Sign::Positive,
            Sign::Zero => Sign::Zero,
            Sign::Positive => Sign::Negative,
        }
    }

    /// Sign of the product of two values.
    #[must_use]
    pub fn times(self, other: Sign) -> Sign {
        match self {
            Sign::Negative => other.opposite(),
            Sign::Zero => Sign::Zero,
            Sign::Positive => other,
        }
    }
}
