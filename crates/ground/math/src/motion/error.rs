//! What is wrong with the numbers given for a motion.

use thiserror::Error;

/// Why a motion could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MotionError {
    /// A number is NaN or infinite.
    #[error("{what} of the motion is not finite")]
    NotFinite {
        /// Name of the argument.
        what: &'static str,
    },
    /// The axis of a turn has no direction.
    #[error("axis of the motion has length zero")]
    ZeroAxis,
    /// A path needs at least one pose.
    #[error("path has no poses")]
    EmptyPath,
    /// As many times as poses are needed.
    #[error("path has {times} times but {poses} poses")]
    CountMismatch {
        /// Number of times.
        times: usize,
        /// Number of poses.
        poses: usize,
    },
    /// A time is NaN or infinite, or the whole span overflows.
    #[error("time {index} of the path, {time}, is not finite or too far from the first")]
    BadTime {
        /// 0-based place in the path.
        index: usize,
        /// The time found.
        time: f64,
    },
    /// Times must grow from pose to pose, also after division by the path's whole span.
    #[error("time {index} of the path, {time}, does not come after the one before it")]
    TimesNotIncreasing {
        /// 0-based place in the path.
        index: usize,
        /// The time found.
        time: f64,
    },
}
