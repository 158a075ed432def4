//! Threads as ranks.

use crate::comm::{Comm, CommError};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a rank waits for another unless told otherwise.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// One rank of a group within this process.
#[derive(Debug)]
pub struct ThreadComm {
    rank: usize,
    boxes: Arc<[Mailbox]>,
    patience: Duration,
}

/// What a call is, so that ranks that make different calls are told instead of misled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Exchange,
    Gather,
}

#[derive(Debug)]
struct Mailbox {
    inside: Mutex<Inside>,
    changed: Condvar,
}

#[derive(Debug)]
struct Inside {
    /// By sender.
    queues: Vec<VecDeque<(Call, Vec<u8>)>>,
    gone: Vec<bool>,
    aborted: Option<CommError>,
}

impl Mailbox {
    fn new(size: usize) -> Mailbox {
        let inside = Inside { queues: vec![VecDeque::new(); size], gone: vec![false; size], aborted: None };
        Mailbox { inside: Mutex::new(inside), changed: Condvar::new() }
    }

    /// A rank that panicked leaves whole messages behind, so a poisoned lock does no harm.
    fn open(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ThreadComm {
    /// Ranks of one group, to be given to threads.
    pub fn group(size: usize) -> Vec<ThreadComm> {
        ThreadComm::patient_group(size, PATIENCE)
    }

    /// The same with another patience.
    pub fn patient_group(size: usize, patience: Duration) -> Vec<ThreadComm> {
        let boxes: Arc<[Mailbox]> = (0..size).map(|_| Mailbox::new(size)).collect();
        (0..size).map(|rank| ThreadComm { rank, boxes: Arc::clone(&boxes), patience }).collect()
    }

    /// Runs a function on as many ranks as asked for, each a thread, and returns what they return in the order of ranks. A rank that
    /// panicked is [`CommError::Gone`].
    pub fn run<T: Send, F: Fn(&ThreadComm) -> T + Sync>(size: usize, work: F) -> Vec<Result<T, CommError>> {
        std::thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> =
                ThreadComm::group(size).into_iter().map(|comm| scope.spawn(move || work(&comm))).collect();
            let ends = threads.into_iter().enumerate();
            ends.map(|(gone, thread)| thread.join().map_err(|_| CommError::Gone { rank: gone, gone }))
                .collect()
        })
    }

    fn send(&self, to: usize, call: Call, bytes: Vec<u8>) -> Result<(), CommError> {
        let post = self.boxes.get(to).ok_or(CommError::NoSuchRank { rank: to, size: self.size() })?;
        post.open().queues[self.rank].push_back((call, bytes));
        post.changed.notify_one();
        Ok(())
    }

    fn receive(&self, from: usize, call: Call) -> Result<Vec<u8>, CommError> {
        if from >= self.size() {
            return Err(CommError::NoSuchRank { rank: from, size: self.size() });
        }
        let start = Instant::now();
        let own = &self.boxes[self.rank];
        let mut inside = own.open();
        loop {
            if let Some(why) = &inside.aborted {
                return Err(why.clone());
            }
            if let Some((sent, bytes)) = inside.queues[from].pop_front() {
                let same = sent == call;
                return if same {
                    Ok(bytes)
                } else {
                    Err(CommError::Garbled { from, what: "answer to this call" })
                };
            }
            if inside.gone[from] {
                return Err(CommError::Gone { rank: self.rank, gone: from });
            }
            let Some(left) = self.patience.checked_sub(start.elapsed()) else {
                let seconds = self.patience.as_secs();
                return Err(CommError::Timeout { rank: self.rank, what: format!("rank {from}"), seconds });
            };
            inside = own.changed.wait_timeout(inside, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn tell_all(&self, change: impl Fn(&mut Inside)) {
        for post in self.boxes.iter() {
            change(&mut post.open());
            post.changed.notify_all();
        }
    }
}

impl Comm for ThreadComm {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.boxes.len()
    }

    fn exchange(&self, out: &[(usize, Vec<u8>)], from: &[usize]) -> Result<Vec<Vec<u8>>, CommError> {
        for (to, bytes) in out {
            self.send(*to, Call::Exchange, bytes.clone())?;
        }
        from.iter().map(|&from| self.receive(from, Call::Exchange)).collect()
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError> {
        for to in 0..self.size() {
            self.send(to, Call::Gather, own.to_vec())?;
        }
        (0..self.size()).map(|from| self.receive(from, Call::Gather)).collect()
    }

    fn abort(&self, why: &str) {
        let why = CommError::Aborted { by: self.rank, why: why.into() };
        self.tell_all(|inside| {
            inside.aborted.get_or_insert_with(|| why.clone());
        });
    }
}

impl Drop for ThreadComm {
    /// Who still waits for this rank is told at once.
    fn drop(&mut self) {
        self.tell_all(|inside| inside.gone[self.rank] = true);
    }
}
