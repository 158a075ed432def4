//! Many tasks in one budget.

use crate::budget::Budget;
use crate::meter::Meter;
use crate::policy::{Dealer, Policy, Slice};
use crate::task::Task;
use std::sync::{Mutex, PoisonError};

/// What a budget was spent on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Units of work of all tasks together.
    pub units: u64,
    /// Which tasks are done.
    pub done: Vec<bool>,
}

impl Spent {
    /// Whether all tasks are done.
    pub fn all_done(&self) -> bool {
        self.done.iter().all(|&done| done)
    }
}

/// Works on many tasks until all are done or the budget is used up.
///
/// **Prefix monotone**: what a smaller budget does is exactly the beginning of what a larger one does, so more budget never makes
/// an answer worse; in units that is exact to the last bit. A budget of time reads the clock every few units.
pub fn run<D, T: Task<D>>(tasks: &mut [T], desk: &mut D, policy: Policy, budget: Budget) -> Spent {
    let mut meter = Meter::new(budget);
    let mut spent = Spent { units: 0, done: vec![false; tasks.len()] };
    let mut dealer = Dealer::new(policy, tasks);
    let mut round = Vec::new();
    loop {
        dealer.deal(tasks, &spent.done, &mut round);
        if round.is_empty() {
            return spent;
        }
        for slice in &round {
            if spent.done[slice.task] {
                continue;
            }
            if meter.is_spent() {
                return spent;
            }
            let work = meter.work(&mut tasks[slice.task], desk, slice.units);
            spent.units = spent.units.saturating_add(work.units);
            spent.done[slice.task] = work.done;
        }
    }
}

/// The same with one thread of the current `rayon` pool for each desk. With a budget in units the result is that of [`run`], to the
/// last bit, for any number of desks and threads. Without a desk nothing is done.
pub fn run_parallel<D: Send, T: Task<D> + Send>(
    tasks: &mut [T],
    desks: &mut [D],
    policy: Policy,
    budget: Budget,
) -> Spent {
    match desks {
        [] => return Spent { units: 0, done: vec![false; tasks.len()] },
        [only] => return run(tasks, only, policy, budget),
        _ => {}
    }
    let mut meter = Meter::new(budget);
    let mut spent = Spent { units: 0, done: vec![false; tasks.len()] };
    let mut dealer = Dealer::new(policy, tasks);
    let mut round = Vec::new();
    loop {
        dealer.deal(tasks, &spent.done, &mut round);
        if round.is_empty() {
            return spent;
        }
        let mut left = &round[..];
        while !left.is_empty() {
            if meter.is_spent() {
                return spent;
            }
            let count = affordable(left, &meter);
            let (now, later) = left.split_at(count);
            at_once(now, tasks, desks, &mut meter, &mut spent);
            left = later;
        }
    }
}

/// How many portions the budget lasts for even if all of them are used up; at least one, which may be cut short.
///
/// Why that is the sequence of [`run`]: portions that are all paid for are all worked off whole there as well, in some order, and
/// tasks know nothing of each other. What tasks that are done give back is counted before the next ones are looked at.
fn affordable(slices: &[Slice], meter: &Meter) -> usize {
    let Meter::Units(budget) = meter else { return slices.len() };
    let mut sum = 0_u64;
    let fits = |slice: &&Slice| {
        sum = sum.saturating_add(slice.units);
        sum <= *budget
    };
    slices.iter().take_while(fits).count().max(1)
}

/// A task's portions of a round.
struct Job<'t, T> {
    task: &'t mut T,
    slices: &'t [Slice],
}

/// Works off portions, each task's one after the other: what a task owes when it is done is then the same as in [`run`].
fn at_once<D: Send, T: Task<D> + Send>(
    slices: &[Slice],
    tasks: &mut [T],
    desks: &mut [D],
    meter: &mut Meter,
    spent: &mut Spent,
) {
    let mut by_task: Vec<Slice> = slices.iter().filter(|slice| !spent.done[slice.task]).copied().collect();
    by_task.sort_by_key(|slice| slice.task);
    let mut groups = by_task.chunk_by(|one, other| one.task == other.task).peekable();
    let job = |(number, task)| {
        let slices = groups.next_if(|slices| slices[0].task == number)?;
        Some(Job { task, slices })
    };
    let jobs: Vec<Job<T>> = tasks.iter_mut().enumerate().filter_map(job).collect();
    let queue = Mutex::new(jobs.into_iter());
    let ended = Mutex::new((0_u64, Vec::new()));
    let shared = &*meter;
    rayon::scope(|scope| {
        for desk in desks.iter_mut() {
            scope.spawn(|_| {
                let mut own = shared.clone();
                let (mut used, mut done) = (0_u64, Vec::new());
                // A thread that panicked has no job left in its hands.
                while let Some(job) = queue.lock().unwrap_or_else(PoisonError::into_inner).next() {
                    for slice in job.slices {
                        if matches!(own, Meter::Clock(_)) && own.is_spent() {
                            break;
                        }
                        let work = own.work(job.task, desk, slice.units);
                        used = used.saturating_add(work.units);
                        if work.done {
                            done.push(slice.task);
                            break;
                        }
                    }
                }
                let mut all = ended.lock().unwrap_or_else(PoisonError::into_inner);
                all.0 = all.0.saturating_add(used);
                all.1.append(&mut done);
            });
        }
    });
    let (used, done) = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    spent.units = spent.units.saturating_add(used);
    for task in done {
        spent.done[task] = true;
    }
    if let Meter::Units(left) = meter {
        *left = left.saturating_sub(used);
    }
}
