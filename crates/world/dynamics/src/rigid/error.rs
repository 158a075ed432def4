//! What can be wrong with bodies, settings and steps.

use kontakt_broad::{KeptError, TooManyPairs};
use kontakt_distributed::CellError;
use kontakt_math::DVec3;
use thiserror::Error;

/// Why something is no body that can move.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FormError {
    /// A body that shall move needs a mass.
    #[error("a body that moves needs a volume, this one has {0}")]
    NoVolume(f64),
    /// Faces that do not enclose anything.
    #[error("a mesh that moves must be closed and its faces must look outward")]
    Open,
    /// A mesh without faces.
    #[error("a body needs points")]
    Nothing,
    /// A half-space cannot move freely.
    #[error("a body without end cannot move")]
    Endless,
}

/// Why there is no such world.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WorldError {
    /// A setting out of its range.
    #[error("{what} is {value}; it must be {must}")]
    Setting {
        /// Which one.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        must: &'static str,
    },
    /// Ids name bodies.
    #[error("there are two bodies with the id {0}")]
    TwiceGiven(u64),
    /// A body of a form that was not handed over.
    #[error("body {id} has form {form}, of {count} forms")]
    NoSuchForm {
        /// The body.
        id: u64,
        /// The form asked for.
        form: u32,
        /// Forms there are.
        count: usize,
    },
    /// A body that shall move and has no mass.
    #[error(
        "the density of body {id} is {density}; it must be positive, or infinite for a body that never moves"
    )]
    Density {
        /// The body.
        id: u64,
        /// What was given.
        density: f64,
    },
    /// The form was made for what never moves.
    #[error("body {0} shall move but its form has no mass")]
    Massless(u64),
    /// A place or speed that is no number.
    #[error("the place, turn or speed of body {0} is not finite")]
    NotFinite(u64),
    /// A body that does not fit between the borders of a periodic box.
    #[error("body {id} is {size} wide, more than a quarter of the period {period}")]
    TooWide {
        /// The body.
        id: u64,
        /// Its width.
        size: f64,
        /// The period of the box.
        period: f64,
    },
    /// No cells.
    #[error(transparent)]
    Cells(#[from] CellError),
}

/// Why a step was not made. The world is as it was before it, unless the ranks could not talk.
#[derive(Debug, Error)]
pub enum StepError {
    /// A body has left the domain.
    #[error("body {id} has left the domain, at {at}")]
    Left {
        /// The body.
        id: u64,
        /// Where it is.
        at: DVec3,
    },
    /// A body moves without bounds.
    #[error("the motion of body {0} is not finite any more")]
    NotFinite(u64),
    /// More pairs than can be kept.
    #[error(transparent)]
    Pairs(#[from] TooManyPairs),
    /// A box that the search for pairs refuses.
    #[error("the box of body {id}: {error}")]
    Box {
        /// The body.
        id: u64,
        /// What is wrong with its box.
        error: KeptError,
    },
    /// Other ranks do not answer.
    #[error("between ranks: {0}")]
    Share(#[source] Box<dyn std::error::Error + Send + Sync>),
}
