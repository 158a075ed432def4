//! In which order many tasks get their portions of work.

// All policies are *prefix monotone*: the sequence of portions depends on the tasks alone and not on the budget, which only says where
// it is cut off. So a larger budget does all that a smaller one does, and then more: no answer gets worse by it.

use crate::task::Task;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// In which order many tasks get their portions of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Round after round the same for each that is not done.
    #[default]
    Even,
    /// Portions in proportion to [`weights`](Task::weight) (stride scheduling). A weight of 0, or less, or NaN comes after all
    /// others; where all are so, they are served evenly.
    Weighted,
    /// The most [urgent](Task::urgency) first, of equals the first; NaN last. The few most urgent get a portion each before the
    /// urgencies are asked for again.
    Queue,
}

/// A task's first portion; the next is twice as large, and so on, so that small budgets are spread as evenly as large ones.
const FIRST: u64 = 4;
/// The largest portion: worth the change from one task to the other.
const LARGEST: u64 = 64;
/// How many of a queue get a portion before urgencies are asked for again.
const TOGETHER: usize = 8;
/// How many portions by weight are dealt at once.
const DEALT: usize = 64;
/// Weights below this part of the largest are taken for it.
const LEAST_SHARE: f64 = 1e-9;

/// A portion of work for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) task: usize,
    pub(crate) units: u64,
}

/// The sequence of portions under a policy.
#[derive(Debug)]
pub(crate) struct Dealer {
    way: Way,
    /// How many portions each task got.
    portions: Vec<u32>,
}

#[derive(Debug)]
enum Way {
    Even,
    Weighted(Strides),
    Queue { waiting: BinaryHeap<Ranked>, dealt: Vec<usize> },
}

impl Dealer {
    pub(crate) fn new<D, T: Task<D>>(policy: Policy, tasks: &[T]) -> Dealer {
        let way = match policy {
            Policy::Even => Way::Even,
            Policy::Weighted => Way::Weighted(Strides::new(tasks.iter().map(Task::weight))),
            Policy::Queue => Way::Queue { waiting: BinaryHeap::new(), dealt: (0..tasks.len()).collect() },
        };
        Dealer { way, portions: vec![0; tasks.len()] }
    }

    /// The next portions, none of a task that is done; all of them are to be worked off before the next call. Empty when all are done.
    pub(crate) fn deal<D, T: Task<D>>(&mut self, tasks: &[T], done: &[bool], round: &mut Vec<Slice>) {
        round.clear();
        let portions = &mut self.portions;
        match &mut self.way {
            Way::Even => round.extend(everyone(done, portions)),
            Way::Weighted(strides) => {
                strides.deal(done, portions, round);
                if round.is_empty() {
                    round.extend(everyone(done, portions));
                }
            }
            Way::Queue { waiting, dealt } => {
                let back = dealt.drain(..).filter(|&task| !done[task]);
                waiting.extend(back.map(|task| Ranked { urgency: sound(tasks[task].urgency()), task }));
                for _ in 0..TOGETHER {
                    let Some(Ranked { task, .. }) = waiting.pop() else { break };
                    dealt.push(task);
                    round.push(next_slice(task, portions));
                }
            }
        }
    }
}

/// The next portion of a task.
fn next_slice(task: usize, portions: &mut [u32]) -> Slice {
    let units = portion(portions[task]);
    portions[task] = portions[task].saturating_add(1);
    Slice { task, units }
}

/// The size of a portion by its number.
fn portion(number: u32) -> u64 {
    if number < 8 { (FIRST << number).min(LARGEST) } else { LARGEST }
}

/// A portion for each task that is not done.
fn everyone(done: &[bool], portions: &mut [u32]) -> impl Iterator<Item = Slice> {
    (0..done.len()).filter(|&task| !done[task]).map(|task| next_slice(task, portions))
}

/// NaN last.
fn sound(urgency: f64) -> f64 {
    if urgency.is_nan() { f64::NEG_INFINITY } else { urgency }
}

/// A task and how much it wants to be next.
#[derive(Debug)]
struct Ranked {
    urgency: f64,
    task: usize,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.urgency.total_cmp(&other.urgency).then(other.task.cmp(&self.task))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

/// Stride scheduling (Waldspurger and Weihl 1995): a portion of u units moves a task u/weight forward; the one whose next portion ends
/// first is served.
#[derive(Debug)]
struct Strides {
    /// Shares of the largest weight; 0 for those that come last.
    shares: Vec<f64>,
    /// Where each task's next portion ends, ranked so that the nearest end is the most urgent.
    waiting: BinaryHeap<Ranked>,
}

impl Strides {
    fn new(weights: impl Iterator<Item = f64>) -> Strides {
        let weights: Vec<f64> = weights.map(|w| if w > 0.0 { w.min(f64::MAX) } else { 0.0 }).collect();
        let most = weights.iter().fold(0.0_f64, |most, &w| most.max(w));
        let share = |w: f64| if w > 0.0 { (w / most).max(LEAST_SHARE) } else { 0.0 };
        let shares: Vec<f64> = weights.into_iter().map(share).collect();
        let first = |(task, share): (usize, &f64)| {
            (*share > 0.0).then(|| Ranked { urgency: -(portion(0) as f64 / share), task })
        };
        let waiting = shares.iter().enumerate().filter_map(first).collect();
        Strides { shares, waiting }
    }

    fn deal(&mut self, done: &[bool], portions: &mut [u32], round: &mut Vec<Slice>) {
        while round.len() < DEALT {
            let Some(Ranked { urgency, task }) = self.waiting.pop() else { break };
            if done[task] {
                continue;
            }
            round.push(next_slice(task, portions));
            let urgency = urgency - portion(portions[task]) as f64 / self.shares[task];
            self.waiting.push(Ranked { urgency, task });
        }
    }
}
