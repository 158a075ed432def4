//! What is said of a span of time.

/// What came out of a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// Proven free.
    Free,
    /// Proven free before `lo`, proven to meet at some time in [`lo`, `hi`].
    Contact { lo: f64, hi: f64 },
    /// Proven free before `lo`; what comes then cannot be told in doubles.
    Open { lo: f64, hi: f64 },
}
