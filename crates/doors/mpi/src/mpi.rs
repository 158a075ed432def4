//! Ranks over MPI: what is begun in `ffi` is waited for here, with a limit.

use crate::error::MpiError;
use crate::ffi::{Constants, Mpi, Opened, Pending};
use crate::launcher::Launcher;
use kontakt_distributed::{Comm, CommError, PATIENCE};
use std::cell::Cell;
use std::time::{Duration, Instant};

struct MpiComm<H: Copy> {
    mpi: Mpi<H>,
    rank: usize,
    size: usize,
    patience: Duration,
    /// Something went wrong: ranks no longer make the same calls, and a friendly end would hang.
    broken: Cell<bool>,
}

/// Loads the first library that is there and starts it.
pub(crate) fn attach(launcher: &Launcher) -> Result<Box<dyn Comm>, MpiError> {
    let mut tried = Vec::new();
    for name in &launcher.libraries {
        match Opened::new(name) {
            Ok(library) if library.is_open_mpi() => {
                let unknown = || MpiError::Unknown { library: name.clone(), symbol: "ompi_mpi_byte".into() };
                let handles = Constants::of_open_mpi(&library).ok_or_else(unknown)?;
                return start(launcher, name, library, handles);
            }
            Ok(library) => return start(launcher, name, library, Constants::of_mpich()),
            Err(why) => tried.push(why),
        }
    }
    Err(MpiError::NoLibrary { said: launcher.said.clone(), tried: tried.join("; ") })
}

fn start<H: Copy + 'static>(
    launcher: &Launcher,
    name: &str,
    library: Opened,
    handles: Constants<H>,
) -> Result<Box<dyn Comm>, MpiError> {
    let started = Mpi::start(library, handles);
    let mpi = started.map_err(|symbol| MpiError::Unknown { library: name.into(), symbol })??;
    let (rank, size) = mpi.place()?;
    if launcher.size.is_some_and(|meant| meant != size) {
        let library = mpi.version();
        return Err(MpiError::OtherLauncher { said: launcher.said.clone(), library, size });
    }
    let seconds = std::env::var("KONTAKT_PATIENCE").ok().and_then(|text| text.parse().ok());
    let patience = seconds.map_or(PATIENCE, Duration::from_secs);
    Ok(Box::new(MpiComm { mpi, rank, size, patience, broken: Cell::new(false) }))
}

impl<H: Copy> MpiComm<H> {
    /// Asks again until it is so. Ranks may be more than cores: whoever waits lets others run.
    fn wait(&self, what: &str, mut ask: impl FnMut() -> Result<bool, CommError>) -> Result<(), CommError> {
        let start = Instant::now();
        let mut asked = 0_u32;
        while !ask()? {
            if start.elapsed() > self.patience {
                let seconds = self.patience.as_secs();
                return Err(CommError::Timeout { rank: self.rank, what: what.into(), seconds });
            }
            asked = asked.saturating_add(1);
            match asked {
                0..64 => std::hint::spin_loop(),
                64..4096 => std::thread::yield_now(),
                _ => std::thread::sleep(Duration::from_micros(100)),
            }
        }
        Ok(())
    }

    fn exchange_all(&self, out: &[(usize, Vec<u8>)], from: &[usize]) -> Result<Vec<Vec<u8>>, CommError> {
        let bad = out.iter().map(|(to, _)| to).chain(from).find(|&&rank| rank >= self.size);
        if let Some(&rank) = bad {
            return Err(CommError::NoSuchRank { rank, size: self.size });
        }
        let begun = out.iter().map(|(to, bytes)| self.mpi.send(*to, bytes.clone()));
        let mut sent = begun.collect::<Result<Vec<Pending<H>>, CommError>>()?;
        let mut came = Vec::with_capacity(from.len());
        for &from in from {
            let mut pending = None;
            let what = format!("rank {from}");
            self.wait(&what, || {
                pending = self.mpi.receive(from)?;
                Ok(pending.is_some())
            })?;
            if let Some(mut pending) = pending {
                self.wait(&what, || self.mpi.is_done(&mut pending))?;
                came.push(pending.into_received());
            }
        }
        for pending in &mut sent {
            self.wait("a message to be taken", || self.mpi.is_done(pending))?;
        }
        Ok(came)
    }

    fn gather_all(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError> {
        let lengths = self.gather_bytes(&(own.len() as u64).to_le_bytes(), &vec![8; self.size])?;
        let counts: Vec<usize> =
            lengths.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word) as usize).collect();
        let all = self.gather_bytes(own, &counts)?;
        let mut rest = all.as_slice();
        let mut parts = Vec::with_capacity(self.size);
        for (from, count) in counts.into_iter().enumerate() {
            let (part, behind) =
                rest.split_at_checked(count).ok_or(CommError::Garbled { from, what: "gathered part" })?;
            parts.push(part.to_vec());
            rest = behind;
        }
        Ok(parts)
    }

    fn gather_bytes(&self, own: &[u8], counts: &[usize]) -> Result<Vec<u8>, CommError> {
        let mut pending = self.mpi.gather(own.to_vec(), counts)?;
        self.wait("all ranks", || self.mpi.is_done(&mut pending))?;
        Ok(pending.into_received())
    }

    fn noted<T>(&self, outcome: Result<T, CommError>) -> Result<T, CommError> {
        if outcome.is_err() {
            self.broken.set(true);
        }
        outcome
    }
}

impl<H: Copy> Comm for MpiComm<H> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&self, out: &[(usize, Vec<u8>)], from: &[usize]) -> Result<Vec<Vec<u8>>, CommError> {
        self.noted(self.exchange_all(out, from))
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError> {
        self.noted(self.gather_all(own))
    }

    fn abort(&self, why: &str) {
        eprintln!("rank {}: {why}", self.rank);
        self.mpi.abort();
    }
}

impl<H: Copy> Drop for MpiComm<H> {
    /// A friendly end waits for all ranks without limit: so first see that all are here.
    fn drop(&mut self) {
        if self.broken.get() || std::thread::panicking() || self.barrier().is_err() {
            self.mpi.abort();
        } else {
            self.mpi.finalize();
        }
    }
}
