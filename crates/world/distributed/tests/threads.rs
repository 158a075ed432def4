//! Threads as ranks: messages, and what happens when a rank is silent, ends, panics or gives up.

use kontakt_distributed::{Comm, CommError, ThreadComm, conformance};
use std::time::{Duration, Instant};

#[test]
fn all_calls_do_what_they_must_on_any_number_of_ranks() {
    for size in [1, 2, 3, 4, 7] {
        let ends = ThreadComm::run(size, |comm| conformance::check(comm, size as u64, 12));
        let first = ends[0].clone().unwrap().unwrap();
        assert!(ends.into_iter().all(|end| end.unwrap().unwrap() == first));
    }
}

/// Ranks of a group with little patience, one of which does something else.
fn with_one_odd(odd: impl Fn(ThreadComm) + Sync + Send) -> Vec<CommError> {
    let mut ranks = ThreadComm::patient_group(3, Duration::from_millis(300));
    let last = ranks.pop().unwrap();
    std::thread::scope(|scope| {
        let odd = scope.spawn(|| odd(last));
        let others: Vec<_> = ranks.into_iter().map(|comm| scope.spawn(move || comm.barrier())).collect();
        let errors = others.into_iter().map(|thread| thread.join().unwrap().unwrap_err()).collect();
        let _ = odd.join();
        errors
    })
}

#[test]
fn nobody_waits_for_ever() {
    let start = Instant::now();
    let silent = with_one_odd(|_comm| std::thread::sleep(Duration::from_millis(900)));
    assert!(silent.iter().any(|error| matches!(error, CommError::Timeout { .. })), "{silent:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    let gone = with_one_odd(drop);
    assert!(gone.iter().any(|error| matches!(error, CommError::Gone { gone: 2, .. })), "{gone:?}");
    let panicked = with_one_odd(|comm| {
        if comm.rank() == 2 {
            std::panic::resume_unwind(Box::new(()));
        }
    });
    assert!(panicked.iter().any(|error| matches!(error, CommError::Gone { gone: 2, .. })), "{panicked:?}");
    let aborted = with_one_odd(|comm| comm.abort("no more sand"));
    let meant = CommError::Aborted { by: 2, why: "no more sand".into() };
    assert!(aborted.contains(&meant), "{aborted:?}");
    let other_call = with_one_odd(|comm| {
        let out: Vec<(usize, Vec<u8>)> = (0..2).map(|to| (to, vec![1])).collect();
        let _ = comm.exchange(&out, &[]);
        std::thread::sleep(Duration::from_millis(50));
    });
    assert!(
        other_call.iter().any(|error| matches!(error, CommError::Garbled { from: 2, .. })),
        "{other_call:?}"
    );
}

#[test]
fn ranks_that_do_not_exist_are_named() {
    let alone = ThreadComm::group(1).remove(0);
    let nobody = CommError::NoSuchRank { rank: 1, size: 1 };
    assert_eq!(alone.exchange(&[(1, vec![])], &[]), Err(nobody.clone()));
    assert_eq!(alone.exchange(&[], &[1]), Err(nobody));
    assert_eq!(alone.max_f64(f64::NAN).map(f64::is_nan), Ok(true));
}
