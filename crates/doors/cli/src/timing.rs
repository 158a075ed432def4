//! Times of many short queries: their mean from processor time, their spread from a cheap clock.

use crate::text::{self, Table};
use kontakt::schedule::Deadline;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Instant;

/// The cheap clock of a run of queries: one reading a query.
pub(crate) struct Lap {
    last: Instant,
}

impl Lap {
    pub(crate) fn start() -> Lap {
        Lap { last: Instant::now() }
    }

    /// Seconds since the last reading, and that reading.
    pub(crate) fn read(&mut self) -> (f64, Instant) {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        (seconds, now)
    }
}

/// Seconds that one reading of the clock costs: the least mean of several runs.
pub(crate) fn reading_cost() -> f64 {
    const READINGS: u32 = 2000;
    const RUNS: u32 = 5;
    let run = || {
        let mut lap = Lap::start();
        let total: f64 = (0..READINGS).map(|_| std::hint::black_box(lap.read().0)).sum();
        total / f64::from(READINGS)
    };
    (0..RUNS).map(|_| run()).fold(f64::INFINITY, f64::min)
}

/// Seconds a query, without reading files and building hierarchies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct SecondsPerQuery {
    /// Processor time of the whole batch, divided.
    pub(crate) mean: f64,
    pub(crate) median: f64,
    pub(crate) p99: f64,
    /// The slowest query, each taken at the least of three repeats.
    pub(crate) max: f64,
}

impl SecondsPerQuery {
    /// From the seconds of each query. `again` repeats a query and measures it: a query that seems the slowest is repeated
    /// and counts with the least of three, because a single reading may hold an interruption; then the next one, until
    /// none is left that seems slower than the slowest so far, or the deadline has passed. `None` without queries.
    pub(crate) fn of(
        mean: f64,
        seconds: &mut [f32],
        deadline: Deadline,
        mut again: impl FnMut(usize) -> f64,
    ) -> Option<SecondsPerQuery> {
        const REPEATS: usize = 2;
        if seconds.is_empty() {
            return None;
        }
        let mut by_time: Vec<usize> = (0..seconds.len()).collect();
        by_time.sort_unstable_by(|&x, &y| seconds[y].total_cmp(&seconds[x]).then(x.cmp(&y)));
        let mut slowest = 0.0;
        // On a machine so busy that a tenth of all queries was interrupted, times mean little anyway.
        for query in by_time.into_iter().take(64 + seconds.len() / 10) {
            if seconds[query] <= slowest || deadline.has_passed() {
                break;
            }
            let mut least = f64::from(seconds[query]);
            for _ in 0..REPEATS {
                let repeated = again(query);
                // A query that the deadline cut short is no measure.
                if deadline.has_passed() {
                    break;
                }
                least = least.min(repeated);
            }
            seconds[query] = least as f32;
            slowest = seconds[query].max(slowest);
        }
        let mut sorted = seconds.to_vec();
        sorted.sort_unstable_by(f32::total_cmp);
        let rank = |percent: usize| f64::from(sorted[(percent * sorted.len()).div_ceil(100) - 1]);
        Some(SecondsPerQuery { mean, median: rank(50), p99: rank(99), max: rank(100) })
    }

    /// A table of one row; `query` is what one of them is called.
    pub(crate) fn text(&self, query: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new([&format!("time a {query}"), "mean", "median", "p99", "max"]);
        let [mean, median, p99, max] = [self.mean, self.median, self.p99, self.max].map(text::duration);
        table.row([String::new(), mean, median, p99, max]);
        table.write(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_query_is_not_the_slowest() {
        let mut seconds: Vec<f32> = (1..=100_u8).map(f32::from).collect();
        seconds[10] = 5000.0;
        let times =
            SecondsPerQuery::of(
                50.0,
                &mut seconds,
                Deadline::NEVER,
                |query| if query == 10 { 11.0 } else { 1000.0 },
            )
            .unwrap();
        assert_eq!(times, SecondsPerQuery { mean: 50.0, median: 50.0, p99: 99.0, max: 100.0 });
    }

    #[test]
    fn one_query_has_one_time_and_none_has_none() {
        let times = SecondsPerQuery::of(1.0, &mut [2.0], Deadline::NEVER, |_| 1.5).unwrap();
        assert_eq!((times.median, times.p99, times.max), (1.5, 1.5, 1.5));
        assert_eq!(SecondsPerQuery::of(1.0, &mut [], Deadline::NEVER, |_| 1.5), None);
    }

    #[test]
    fn reading_the_clock_costs_little() {
        assert!((0.0..1e-4).contains(&reading_cost()));
    }
}
