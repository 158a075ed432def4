//! The one who asks: picks the way to an answer for every pair of shapes.

use crate::{Answer, Manifold, Method, Placed, Verdict};
use kontakt_answers::Range;
use kontakt_math::DVec3;

/// Asks about two placed shapes. It keeps memory of the last question to start the next one near its answer; verdicts and
/// certified numbers do not depend on that memory. One asker a thread.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    method: Method,
}

impl Asker {
    /// An asker that takes the fastest certified way.
    pub fn new() -> Asker {
        Asker::default()
    }

    /// An asker that takes a chosen way.
    pub fn with_method(method: Method) -> Asker {
        Asker { method }
    }

    /// The way it takes.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Whether the bodies meet; stops as soon as that is decided.
    pub fn intersect(&mut self, a: Placed, b: Placed) -> Verdict {
        self.contact(a, b).verdict
    }

    /// Distance, nearest points and normal of separate bodies. Of others the verdict, and of the separation only that it is
    /// not positive.
    pub fn distance(&mut self, a: Placed, b: Placed) -> Answer {
        self.contact(a, b)
    }

    /// Signed separation, normal and the pair of points that realises it: distance or penetration depth.
    pub fn contact(&mut self, _a: Placed, _b: Placed) -> Answer {
        Answer {
            verdict: Verdict::Undecided,
            separation: Range::new(f64::NEG_INFINITY, f64::INFINITY).unwrap_or(Range::ZERO),
            normal: DVec3::Z,
            normal_error: std::f64::consts::PI,
            point_a: DVec3::ZERO,
            point_b: DVec3::ZERO,
            point_error: f64::INFINITY,
        }
    }

    /// The contact with all its points, where bodies are not farther apart than `gap` (≥ 0).
    pub fn manifold(&mut self, a: Placed, b: Placed, gap: f64) -> Manifold {
        let answer = self.contact(a, b);
        let near = answer.separation.lo() <= gap;
        let contacts = if near { vec![answer.into()] } else { Vec::new() };
        let parts = vec![[0, 0]; contacts.len()];
        Manifold { answer, contacts, parts }
    }
}
