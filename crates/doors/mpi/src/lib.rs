//! Ranks of an `mpirun`: [`Comm`] over Open MPI or MPICH, found at run time. Nothing of MPI is needed to build,
//! and nothing is loaded unless an `mpirun` started the process (decision 0024).

mod error;
#[cfg(unix)]
mod ffi;
mod launcher;
#[cfg(unix)]
mod mpi;

pub use error::MpiError;
pub use launcher::Launcher;

use kontakt_distributed::Comm;

/// The ranks that an `mpirun` started, this process one of them; `None` where there was no `mpirun`.
///
/// Call it once, and from the thread that will talk: MPI can be started once a process.
pub fn connect() -> Result<Option<Box<dyn Comm>>, MpiError> {
    match Launcher::find(|name| std::env::var(name).ok()) {
        Some(launcher) => attach(&launcher).map(Some),
        None => Ok(None),
    }
}

#[cfg(unix)]
fn attach(launcher: &Launcher) -> Result<Box<dyn Comm>, MpiError> {
    mpi::attach(launcher)
}

#[cfg(not(unix))]
fn attach(launcher: &Launcher) -> Result<Box<dyn Comm>, MpiError> {
    Err(MpiError::NoLibrary {
        said: launcher.said.clone(),
        tried: "only Linux and macOS are supported".into(),
    })
}
