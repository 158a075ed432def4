//! Exact oracles and seeded generators. Plain arrays in, plain arrays out: no product type is known here, and the
//! big-number crate is another one than the product's, so that an oracle does not share the product's bugs.

pub mod arrangement;
pub mod ball;
pub mod clipping;
pub mod convex;
pub mod counting;
pub mod extreme;
pub mod generate;
pub mod membership;
pub mod min_norm;
pub mod moving_contact;
pub mod moving_pairs;
pub mod parallelepiped;
pub mod polycube;
pub mod polynomial;
pub mod predicate;
pub mod rational;
pub mod rigid;
pub mod rotation;
pub mod run_length;
pub mod series;
pub mod slabs;
pub mod triangle_meeting;
pub mod twin;

pub use extreme::extreme_points;
pub use generate::Generator;
pub use parallelepiped::Parallelepiped;
pub use rational::Rational;
