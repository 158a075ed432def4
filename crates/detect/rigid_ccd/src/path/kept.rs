//! How long an allowance is kept.

/// How long that is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kept {
    /// **Proven** before this time of the motion; 1 where it is to the end.
    pub(crate) until: f64,
    /// A time at which more is **proven**.
    pub(crate) exceeded: Option<f64>,
}
