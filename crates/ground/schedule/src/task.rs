//! Work that can be stopped at any moment and continued.

/// Work that is done bit by bit, with a sound answer at any moment. `D` is scratch memory that many tasks share, one per thread:
/// nothing a task knows may depend on it.
///
/// **Portions do not matter**: what a task knows after `k` units is the same to the last bit however these were handed out. A step
/// that cannot be divided is begun as soon as one unit is left for it; what it costs more is owed, and paid from later portions.
pub trait Task<D> {
    /// Works for so many units, at least one.
    fn work(&mut self, desk: &mut D, units: u64) -> Work;

    /// Its share under [`Policy::Weighted`](crate::Policy::Weighted), beside the others'; asked once, at the beginning.
    fn weight(&self) -> f64 {
        1.0
    }

    /// How much it wants to be next under [`Policy::Queue`](crate::Policy::Queue); asked after every portion.
    fn urgency(&self) -> f64 {
        0.0
    }
}

impl<D, T: Task<D> + ?Sized> Task<D> for &mut T {
    fn work(&mut self, desk: &mut D, units: u64) -> Work {
        (**self).work(desk, units)
    }

    fn weight(&self) -> f64 {
        (**self).weight()
    }

    fn urgency(&self) -> f64 {
        (**self).urgency()
    }
}

/// What a portion of work came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Units used of those given; fewer only where the task is done.
    pub units: u64,
    /// Nothing is left to do.
    pub done: bool,
}

impl Work {
    /// There was nothing to do.
    pub const NONE: Work = Work { units: 0, done: true };
}

/// A weight that falls with the distance to a viewer: 1 beside them, a half at `reach`. 0, which is *after all others*, where that
/// is no number.
///
/// ```
/// # use kontakt_schedule::nearness;
/// assert_eq!([nearness(0.0, 2.0), nearness(2.0, 2.0), nearness(f64::NAN, 2.0)], [1.0, 0.5, 0.0]);
/// ```
#[must_use]
pub fn nearness(distance: f64, reach: f64) -> f64 {
    let weight = reach / (reach + distance.max(0.0));
    // `max` takes a distance of NaN to 0.
    if weight.is_finite() && !distance.is_nan() { weight.clamp(0.0, 1.0) } else { 0.0 }
}
