//! Many tasks in one budget: more budget does the same and then more, for all policies, portions and numbers of threads.

use kontakt_schedule::{Budget, Ledger, Policy, Spent, Task, Work, nearness, run, run_parallel};
use std::time::{Duration, Instant};

const POLICIES: [Policy; 3] = [Policy::Even, Policy::Weighted, Policy::Queue];

/// Bounds that narrow step by step; steps cost different numbers of units.
#[derive(Clone, Debug, PartialEq)]
struct Narrowing {
    number: usize,
    steps: u64,
    of: u64,
    weight: f64,
    ledger: Ledger,
}

/// The order in which steps were done.
type Log = Vec<(usize, u64)>;

impl Narrowing {
    fn cost(&self) -> u64 {
        let mixed = (self.steps + 31 * self.number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        if mixed == 0 { 40 } else { 1 + mixed / 4 }
    }
}

impl Task<Log> for Narrowing {
    fn work(&mut self, log: &mut Log, units: u64) -> Work {
        self.ledger.grant(units);
        while self.steps < self.of && !self.ledger.is_spent() {
            self.ledger.spend(self.cost());
            self.steps += 1;
            log.push((self.number, self.steps));
        }
        self.ledger.settle(units, self.steps == self.of)
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn urgency(&self) -> f64 {
        1.0 / (1.0 + self.steps as f64) * (1 + self.number % 3) as f64
    }
}

fn tasks(count: usize, seed: u64) -> Vec<Narrowing> {
    let mut dice = fastrand::Rng::with_seed(seed);
    let task = |number| Narrowing {
        number,
        steps: 0,
        of: dice.u64(0..200),
        weight: dice.f64() * 10.0,
        ledger: Ledger::default(),
    };
    (0..count).map(task).collect()
}

fn ran(mut tasks: Vec<Narrowing>, policy: Policy, units: u64) -> (Vec<Narrowing>, Log, Spent) {
    let mut log = Log::new();
    let spent = run(&mut tasks, &mut log, policy, Budget::Units(units));
    (tasks, log, spent)
}

#[test]
fn a_smaller_budget_is_the_beginning_of_a_larger_one() {
    for policy in POLICIES {
        for seed in 0..20 {
            let (_, whole, spent) = ran(tasks(23, seed), policy, u64::MAX);
            assert!(spent.all_done());
            let mut shorter = 0;
            for units in (0..200).chain((200..9000).step_by(37)) {
                let (_, log, spent) = ran(tasks(23, seed), policy, units);
                assert_eq!(log[..], whole[..log.len()], "{policy:?}, {units} units");
                assert!(spent.units <= units && (spent.units == units || spent.all_done()));
                shorter += usize::from(log.len() < whole.len());
            }
            assert!(shorter > 200, "the budgets were never short");
        }
    }
}

#[test]
fn any_number_of_threads_does_the_same() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
    for policy in POLICIES {
        for seed in 0..10 {
            for units in [0, 1, 5, 63, 64, 65, 400, 1111, 3000, u64::MAX] {
                let (alone, _, expected) = ran(tasks(40, seed), policy, units);
                for desks in [1, 2, 3, 8] {
                    let mut together = tasks(40, seed);
                    let mut logs = vec![Log::new(); desks];
                    let spent =
                        pool.install(|| run_parallel(&mut together, &mut logs, policy, Budget::Units(units)));
                    assert_eq!((&together, &spent), (&alone, &expected), "{policy:?}, {desks}, {units}");
                }
            }
        }
    }
}

#[test]
fn even_shares_are_even_and_weighted_ones_go_by_weight() {
    let mut all = tasks(10, 1);
    for task in &mut all {
        (task.of, task.weight) = (u64::MAX, (1 + task.number) as f64);
    }
    let granted = |policy: Policy, units: u64| -> Vec<f64> {
        // What was spent is what was granted and less than a step more.
        ran(all.clone(), policy, units).0.iter().map(|task| task.ledger.spent() as f64).collect()
    };
    for units in [300, 3_000, 30_000] {
        for share in granted(Policy::Even, units) {
            assert!((share - units as f64 / 10.0).abs() <= 104.0, "{share} of {units}");
        }
    }
    for (k, share) in granted(Policy::Weighted, 55_000).into_iter().enumerate() {
        let fair = 1000.0 * (1 + k) as f64;
        assert!((share - fair).abs() <= 168.0, "{k}: {share} instead of {fair}");
    }
}

#[test]
fn weights_that_are_none_come_last_and_all_of_them_together_evenly() {
    let with = |weights: [f64; 4], units: u64| {
        let mut all = tasks(4, 3);
        for (task, weight) in all.iter_mut().zip(weights) {
            (task.of, task.weight) = (100, weight);
        }
        ran(all, Policy::Weighted, units).0.iter().map(|task| task.steps).collect::<Vec<_>>()
    };
    for none in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        let some = with([none, 1.0, none, 2.0], 400);
        assert!(some[0] == 0 && some[2] == 0 && some[1] > 0 && some[3] > some[1], "{some:?}");
        assert_eq!(with([none, 1.0, none, 2.0], u64::MAX), [100; 4]);
        let evenly = with([none; 4], 200);
        assert_eq!(evenly, with([1.0; 4], 200));
        assert!(evenly.iter().all(|&steps| steps > 0), "{evenly:?}");
    }
    let infinite = with([f64::INFINITY, 1.0, 1e-300, 1.0], 150);
    assert!(infinite[0] > 10 && infinite[1] == 0, "{infinite:?}");
    assert_eq!(with([f64::INFINITY, 1.0, 1e-300, 1.0], u64::MAX), [100; 4]);
    assert_eq!(nearness(f64::INFINITY, 1.0), 0.0);
    assert_eq!([nearness(1.0, 0.0), nearness(0.0, 0.0), nearness(1.0, f64::NAN)], [0.0; 3]);
    assert_eq!(nearness(-1.0, 1.0), 1.0);
}

#[test]
fn no_tasks_no_desks_no_budget_and_an_hour() {
    for policy in POLICIES {
        for budget in [Budget::Units(0), Budget::Time(Duration::ZERO)] {
            let mut all = tasks(5, 2);
            all[0].of = 9;
            let spent = run(&mut all, &mut Log::new(), policy, budget);
            assert!(spent.units == 0 && all.iter().all(|task| task.steps == 0));
        }
        for budget in [Duration::from_secs(3600), Duration::MAX].map(Budget::Time) {
            let mut all = tasks(5, 2);
            assert!(run(&mut all, &mut Log::new(), policy, budget).all_done());
            let mut all = tasks(5, 2);
            assert!(run_parallel(&mut all, &mut [Log::new(), Log::new()], policy, budget).all_done());
            assert!(all.iter().all(|task| task.steps == task.of));
        }
        assert!(run::<Log, Narrowing>(&mut [], &mut Log::new(), policy, Budget::Units(9)).all_done());
        let idle = run_parallel::<Log, _>(&mut tasks(5, 2), &mut [], policy, Budget::Units(9));
        assert_eq!(idle, Spent { units: 0, done: vec![false; 5] });
    }
}

/// Spins for a microsecond a unit.
struct Spinning(u64);

impl Task<u64> for Spinning {
    fn work(&mut self, desk: &mut u64, units: u64) -> Work {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(units) {}
        self.0 += units;
        *desk += units;
        Work { units, done: false }
    }
}

/// The clock of a loaded machine jumps, so not time is asserted but how much was asked for after the end.
#[test]
fn a_budget_of_time_ends_soon_after_its_end() {
    for policy in POLICIES {
        let limit = Duration::from_millis(5);
        let (mut tasks, mut units) = ((0..50).map(|_| Spinning(0)).collect::<Vec<_>>(), 0);
        let start = Instant::now();
        let spent = run(&mut tasks, &mut units, policy, Budget::Time(limit));
        assert!(start.elapsed() >= limit);
        assert!(spent.units == units && units > 0);
        // A unit lasts a microsecond or longer: no more than fit, and one interval.
        assert!(units <= 5000 + 80, "{units} units in {limit:?}");
    }
}
