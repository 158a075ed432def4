//! Systems given by functions.

use crate::newton::{Cell, System};
use kontakt_math::Interval;

/// One equation in one unknown, narrowed until `small` says so, from the unknown and the value.
pub(super) struct One<F, G, S> {
    pub(super) value: F,
    pub(super) slope: G,
    pub(super) small: S,
}

impl<F, G, S> System<1, 1> for One<F, G, S>
where
    F: Fn(Interval) -> Interval,
    G: Fn(Interval) -> Interval,
    S: Fn(Interval, Interval) -> bool,
{
    fn value(&self, x: &Cell<1>) -> [Interval; 1] {
        [(self.value)(x[0])]
    }

    fn jacobian(&self, x: &Cell<1>) -> [[Interval; 1]; 1] {
        [[(self.slope)(x[0])]]
    }

    fn is_small(&self, x: &Cell<1>, value: &[Interval; 1]) -> bool {
        (self.small)(x[0], value[0])
    }
}

/// A gradient and its derivatives in two unknowns, narrowed until `small` says so.
pub(super) struct Two<F, G, S> {
    pub(super) gradient: F,
    pub(super) bends: G,
    pub(super) small: S,
}

impl<F, G, S> System<2, 2> for Two<F, G, S>
where
    F: Fn(&Cell<2>) -> [Interval; 2],
    G: Fn(&Cell<2>) -> [[Interval; 2]; 2],
    S: Fn(&Cell<2>, &[Interval; 2]) -> bool,
{
    fn value(&self, x: &Cell<2>) -> [Interval; 2] {
        (self.gradient)(x)
    }

    fn jacobian(&self, x: &Cell<2>) -> [[Interval; 2]; 2] {
        (self.bends)(x)
    }

    fn is_small(&self, x: &Cell<2>, value: &[Interval; 2]) -> bool {
        (self.small)(x, value)
    }
}
