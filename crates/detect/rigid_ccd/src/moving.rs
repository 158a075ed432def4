//! The question: what moves, and how exactly to answer.

use kontakt_math::Motion;
use kontakt_mesh::Mesh;
use kontakt_schedule::Deadline;

/// A mesh and how it moves in the world over t in [0, 1].
#[derive(Clone, Copy, Debug)]
pub struct MovingMesh<'a> {
    /// The body.
    pub mesh: &'a Mesh,
    /// World from body at every time.
    pub motion: &'a Motion,
}

/// How exactly and with how much work to answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionOptions {
    /// Largest width of the time of contact; at least a few units in the last place are used.
    pub tolerance: f64,
    /// Most units of work (a pair of nodes opened or a look at a pair of triangles each, some 0.5 µs) before the answer is
    /// undecided.
    pub most_work: u64,
    /// A moment after which the answer is undecided, with what is certified by then.
    pub deadline: Deadline,
}

impl Default for MotionOptions {
    fn default() -> MotionOptions {
        MotionOptions { tolerance: 1e-6, most_work: 5_000_000, deadline: Deadline::NEVER }
    }
}

impl MotionOptions {
    /// At least a few units in the last place, also for NaN.
    pub(crate) fn sound_tolerance(&self) -> f64 {
        #[expect(clippy::manual_clamp, reason = "takes NaN to the least")]
        let tolerance = self.tolerance.max(8.0 * f64::EPSILON).min(1.0);
        tolerance
    }
}
