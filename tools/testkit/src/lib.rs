//! Exact oracles and seeded generators. Plain arrays in, plain arrays out: no product type is known here, and the
//! big-number crate is another one than the product's, so that an oracle does not share the product's bugs.

pub mod generate;
pub mod membership;
pub mod min_norm;
pub mod rational;
pub mod rigid;

pub use generate::Generator;
pub use rational::Rational;
