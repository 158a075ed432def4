//! Interval Newton methods: all zeros of m equations in n unknowns within a box, none missed.
//!
//! Operators as the seed thesis names them, with its Krawczyk operator put right: it needs a preconditioner. Each contracts a box X with
//! middle m by the mean value theorem: for every x in X there is a matrix A in J(X) with f(x) = f(m) + A(x − m), so that zeros satisfy
//! A(x − m) = −f(m).

pub mod linear;
pub mod operator;
pub mod search;
pub mod split;

pub use operator::Operator;
pub use search::{Known, Options, Place, Searched, search};
pub use split::Split;

use kontakt_math::Interval;

/// A box of unknowns.
pub type Cell<const N: usize> = [Interval; N];

/// m equations in n unknowns, as enclosures.
pub trait System<const M: usize, const N: usize> {
    /// Contains f(x) for every x of the box. Equations that need only hold to within something add it here.
    fn value(&self, x: &Cell<N>) -> [Interval; M];

    /// Contains the derivatives at every x of the box: a row an equation.
    fn jacobian(&self, x: &Cell<N>) -> [[Interval; N]; M];

    /// Whether a box, with these values, need not be narrowed further.
    fn is_small(&self, x: &Cell<N>, value: &[Interval; M]) -> bool;
}
