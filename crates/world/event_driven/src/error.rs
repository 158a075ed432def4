//! What a gas cannot be made of.

use thiserror::Error;

/// Why there is no gas; spheres count from 0 in the order given.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GasError {
    /// No sphere at all.
    #[error("there is no sphere")]
    Empty,
    /// More than can be counted.
    #[error("{0} spheres: at most 2^31")]
    TooMany(usize),
    /// A number of the domain is unusable.
    #[error("the domain's side along {axis} is {side}; it must lie between 1e-100 and 1e100")]
    Side {
        /// x, y or z.
        axis: char,
        /// Its length.
        side: f64,
    },
    /// A number of a sphere is unusable.
    #[error("sphere {sphere}: its {what} is {value}; {wanted}")]
    Value {
        /// Which.
        sphere: usize,
        /// Of what.
        what: &'static str,
        /// The number.
        value: f64,
        /// What it must be.
        wanted: &'static str,
    },
    /// A coefficient of restitution is not between 0 and 1.
    #[error("the restitution {0} does not lie between 0 and 1")]
    Restitution(f64),
    /// A sphere begins outside.
    #[error("sphere {sphere} is not wholly inside the domain along {axis}: {low} to {high} of {side}")]
    Outside {
        /// Which.
        sphere: usize,
        /// x, y or z.
        axis: char,
        /// Its least coordinate (its centre's, where the domain is periodic).
        low: f64,
        /// Its greatest.
        high: f64,
        /// The domain's.
        side: f64,
    },
    /// A periodic domain in which spheres would see their own images.
    #[error(
        "the periodic side along {axis} is {side}: it must be at least three times the largest diameter, {diameter}"
    )]
    TooNarrow {
        /// x, y or z.
        axis: char,
        /// Its length.
        side: f64,
        /// Of the largest sphere.
        diameter: f64,
    },
    /// Two spheres begin one in the other.
    #[error("spheres {a} and {b} overlap at the start, by {depth}")]
    Overlap {
        /// One.
        a: usize,
        /// The other.
        b: usize,
        /// How deep.
        depth: f64,
    },
    /// A state that no gas of this domain can have.
    #[error("sphere {sphere}: its state is none of a gas in this domain")]
    State {
        /// Which.
        sphere: usize,
    },
}

/// Why a body does not fall.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum FallError {
    /// A number that cannot be.
    #[error(
        "the {what} is {value}: masses and moments must lie between 1e-100 and 1e100, the restitution between 0 and 1, vectors within ±1e100"
    )]
    Value {
        /// Of what.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// It begins inside another.
    #[error("the body overlaps body {ground} at {time}")]
    Overlap {
        /// Which of those at rest.
        ground: usize,
        /// When.
        time: f64,
    },
    /// The search for the next contact came to no end.
    #[error(
        "it is not decided when the body meets body {ground} after {time}: it starts in contact, or its motion is too wild"
    )]
    Undecided {
        /// Which of those at rest.
        ground: usize,
        /// The last time that is known.
        time: f64,
    },
}
