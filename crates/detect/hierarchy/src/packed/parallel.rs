//! Work in pieces on several threads, results in the order of the pieces.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// 0..count in `parts` nearly equal pieces, at least one; fewer if there is little to do.
pub(crate) fn chunks(count: usize, parts: usize) -> Vec<Range<usize>> {
    let parts = parts.clamp(1, count.div_ceil(4096).max(1));
    (0..parts).map(|p| count * p / parts..count * (p + 1) / parts).collect()
}

/// `work` of every piece, on that many threads at most; each takes the next piece when it is done with one.
pub(crate) fn run<P: Sync, R: Send>(threads: usize, pieces: &[P], work: impl Fn(&P) -> R + Sync) -> Vec<R> {
    let threads = threads.min(pieces.len());
    if threads <= 1 {
        return pieces.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(pieces.len()));
    let take = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(index) else { break };
            let result = work(piece);
            lock(&done).push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be had is one less; this one works in any case.
            if std::thread::Builder::new().spawn_scoped(scope, take).is_err() {
                break;
            }
        }
        take();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Locks; a lock whose owner has panicked ends with that panic anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
