//! Work without the interpreter's lock, with all cores, in forked processes too.
//!
//! A process made by `fork` has one thread, so those of rayon's own pool are not there and whoever waited for them would wait for ever.
//! Python's `multiprocessing` forks; its processes get pools of their own.

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The process that has rayon's own pool: the one that loaded the module.
static HOME: OnceLock<u32> = OnceLock::new();

/// The pool of a forked process.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Called once, when the module is loaded.
pub(crate) fn settle() {
    let _ = HOME.set(process::id());
}

/// Does some work while other Python threads run.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| match own_pool() {
        Some(pool) => pool.install(work),
        None => work(),
    })
}

/// The pool of this process where it was forked. None at home, and where no thread can be had: rayon then says so itself.
fn own_pool() -> Option<Arc<ThreadPool>> {
    let here = process::id();
    if HOME.get().is_none_or(|home| *home == here) {
        return None;
    }
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, made)) = pool.as_ref().filter(|(of, _)| *of == here) {
        return Some(Arc::clone(made));
    }
    let made = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    // What was there is the parent's, whose threads are not here: waiting for their end would take for ever.
    std::mem::forget(pool.replace((here, Arc::clone(&made))));
    Some(made)
}
