//! What can be wrong with a file of moving queries.

use crate::fraction::FractionError;
use kontakt_soft_ccd::QueryError;
use thiserror::Error;

/// Points of a query: four at the start, then the same at the end.
pub(crate) const LINES: usize = 8;

/// What is wrong with a query, or with a file of them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MovingQueryError {
    /// A line that is no point with its truth.
    #[error("{0} fields instead of xnum,xden,ynum,yden,znum,zden,truth")]
    Fields(usize),
    /// A coordinate.
    #[error(transparent)]
    Fraction(#[from] FractionError),
    /// Neither yes nor no.
    #[error("`{0}` is no truth; it must be 0 or 1")]
    Truth(String),
    /// Two truths about one query.
    #[error("the truth differs from that of the query's first line")]
    TruthDiffers,
    /// Points that are no query.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The file ends within a query.
    #[error("the last query has {0} of its {LINES} lines")]
    Incomplete(usize),
    /// No query at all.
    #[error("there is not one query in this file")]
    Empty,
}
