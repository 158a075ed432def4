//! On how many ranks a scenario runs: those that an `mpirun` started, threads as ranks, or one.

use crate::args::Simulate;
use crate::failure::Failure;
use crate::quiet;
use crate::report::{Hidden, Report};
use kontakt::distributed::{Alone, CheckpointError, Comm, CommError, ThreadComm};
use kontakt::dynamics::rigid::RankError;
use kontakt_mpi::Launcher;

/// Does the work on every rank; the report is that of rank 0. What fails must have failed on all ranks, by [`together`], or in talking.
pub(super) fn on_ranks<R: Report + Send + 'static>(
    asked: &Simulate,
    work: impl Fn(&dyn Comm) -> Result<R, Failure> + Sync,
) -> Result<Box<dyn Report>, Failure> {
    let mpirun = Launcher::find(|name| std::env::var(name).ok());
    if let (Some(launcher), Some(_)) = (&mpirun, asked.ranks) {
        let said = &launcher.said;
        return Err(Failure::Usage(format!(
            "--ranks: there is an mpirun ({said}), which says how many there are"
        )));
    }
    match kontakt_mpi::connect().map_err(|error| Failure::Usage(error.to_string()))? {
        Some(comm) => as_process(comm.as_ref(), work),
        None => as_threads(asked.ranks.map_or(1, std::num::NonZeroUsize::get), work),
    }
}

/// What fails on all ranks alike, before they can talk, is told by rank 0.
pub(super) fn told_once<T>(outcome: Result<T, Failure>) -> Result<T, Failure> {
    let another =
        || Launcher::find(|name| std::env::var(name).ok()).is_some_and(|launcher| launcher.rank != Some(0));
    match outcome {
        Err(_) if another() => Err(Failure::Several(Vec::new())),
        outcome => outcome,
    }
}

/// This process is a rank among others.
fn as_process<R: Report + 'static>(
    comm: &dyn Comm,
    work: impl Fn(&dyn Comm) -> Result<R, Failure>,
) -> Result<Box<dyn Report>, Failure> {
    let first = comm.rank() == 0;
    if !first {
        quiet::be_quiet();
    }
    match work(comm) {
        Err(failure) if lost(&failure).is_some() => {
            comm.abort(&failure.to_string());
            Err(failure)
        }
        Ok(report) if first => Ok(Box::new(report)),
        Err(failure) if first => Err(failure),
        Ok(_) => Ok(Box::new(Hidden)),
        // Rank 0 says it.
        Err(_) => Err(Failure::Several(Vec::new())),
    }
}

fn as_threads<R: Report + Send + 'static>(
    ranks: usize,
    work: impl Fn(&dyn Comm) -> Result<R, Failure> + Sync,
) -> Result<Box<dyn Report>, Failure> {
    if ranks == 1 {
        return Ok(Box::new(work(&Alone)?));
    }
    let ends = ThreadComm::run(ranks, |comm| work(comm));
    let mut ends: Vec<Result<R, Failure>> =
        ends.into_iter().map(|end| end.unwrap_or_else(|gone| Err(gone.into()))).collect();
    // A rank that only says that another is gone knows less than that one.
    let cause = ends.iter().position(|end| matches!(end, Err(failure) if lost(failure).is_none()));
    let gone = || ends.iter().position(Result::is_err);
    let told = cause.or_else(gone).unwrap_or(0);
    Ok(Box::new(ends.swap_remove(told)?))
}

/// Why ranks could not talk, if that is what failed.
fn lost(failure: &Failure) -> Option<&CommError> {
    match failure {
        Failure::Ranks(error)
        | Failure::Checkpoint(CheckpointError::Comm(error))
        | Failure::Pile(RankError::Comm(error)) => Some(error),
        _ => None,
    }
}

/// All ranks succeed or all fail: those that did not fail themselves with the words of the first that did.
pub(super) fn together<T>(comm: &dyn Comm, own: Result<T, Failure>) -> Result<T, Failure> {
    if comm.size() == 1 || own.as_ref().is_err_and(|failure| lost(failure).is_some()) {
        return own;
    }
    let words = own.as_ref().err().map_or(String::new(), ToString::to_string);
    let all = comm.gather(words.as_bytes())?;
    let own = own?;
    match all.iter().position(|words| !words.is_empty()) {
        Some(rank) => {
            let words = String::from_utf8_lossy(&all[rank]);
            Err(Failure::Several(vec![format!("rank {rank}: {words}")]))
        }
        None => Ok(own),
    }
}

/// What rank 0 says: clocks differ, and all ranks must go the same way.
pub(super) fn as_first(comm: &dyn Comm, own: bool) -> Result<bool, Failure> {
    if comm.size() == 1 {
        return Ok(own);
    }
    Ok(comm.gather_u64(u64::from(own))?.first() == Some(&1))
}
