//! Why there are no ranks.

use kontakt_distributed::CommError;
use thiserror::Error;

/// Why an `mpirun` cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MpiError {
    /// Started as a rank, but there is no library to talk with.
    #[error(
        "started as a rank ({said}), but no MPI library can be loaded: {tried}. Install Open MPI (Debian: openmpi-bin) or MPICH, or name the library in KONTAKT_MPI"
    )]
    NoLibrary {
        /// What the environment says.
        said: String,
        /// Which libraries were tried, and why not.
        tried: String,
    },
    /// A library that is neither of the two.
    #[error("{library} is neither Open MPI nor MPICH: it has no {symbol}")]
    Unknown {
        /// Its name.
        library: String,
        /// What it lacks.
        symbol: String,
    },
    /// The library that was loaded belongs to another `mpirun`: every process would think it is alone.
    #[error(
        "{said}, but {library} sees {size} ranks: mpirun and library do not belong together; name the right one in KONTAKT_MPI"
    )]
    OtherLauncher {
        /// What the environment says.
        said: String,
        /// What was loaded.
        library: String,
        /// How many ranks it knows.
        size: usize,
    },
    /// It does not start.
    #[error(transparent)]
    Comm(#[from] CommError),
}
