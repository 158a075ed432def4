//! Convex bodies, each at a pose: do they meet, how far apart, how deep, where.
//!
//! A [`Shape`] is a core grown by a ball: a sphere is a point, a capsule a segment, with a radius. The verdict of every
//! query is the same and final; every number comes with certified ends. The truth is the exact image of the given doubles
//! under R(q/|q|)·x + t of both poses.

pub mod analytic;
mod answer;
pub mod asker;
mod balls;
pub mod depth;
mod difference;
mod exact;
mod facet;
mod gauss;
pub mod gjk;
pub mod half_space;
mod manifold;
mod method;
mod point_and_box;
mod polytope;
mod radius;
mod sat;
mod shape;
#[doc(hidden)]
pub mod simplex;
pub mod smooth;
mod surface;
mod two_points;
mod warm;

pub use answer::{Answer, Verdict};
pub use asker::ConvexQuery;
#[doc(hidden)]
pub use difference::Spot;
pub use manifold::Manifold;
pub use method::Method;
pub use polytope::Polytope;
pub use shape::{Convex, Core, Hull, Leaf, Part, PlacedShape, Shape, ShapeError, Union};
pub use smooth::Want;
pub use surface::Surface;
pub use warm::Warm;
