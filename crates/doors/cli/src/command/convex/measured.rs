//! Asking about all pairs, in blocks, with their times.

use super::found::{Found, Question};
use crate::clock::Clock;
use crate::progress;
use crate::timing::{Lap, SecondsPerQuery, reading_cost};
use kontakt::io::ConvexPair;
use kontakt::schedule::Deadline;
use kontakt_lab_convex::{StudyAsker, StudyMethod};
use rayon::prelude::*;

/// Pairs asked about between two looks at the processor's clock.
const BLOCK: usize = 1024;
/// Queries asked in vain first, so that code and data are in place when the clock starts.
const WARM_UP: usize = 32;

/// What is asked about which pairs.
#[derive(Clone, Copy)]
pub(crate) struct Series<'a> {
    pub(crate) pairs: &'a [ConvexPair],
    pub(crate) question: Question,
    pub(crate) method: StudyMethod,
    /// Nothing is asked after this moment, and what is being asked then ends with what is certain.
    pub(crate) deadline: Deadline,
    pub(crate) workers: usize,
}

/// What was found, in order, and what it cost.
pub(crate) struct Measured {
    pub(crate) found: Vec<Found>,
    pub(crate) times: Option<SecondsPerQuery>,
    /// How often a method for study contradicted the certified verdict.
    pub(crate) contradictions: u64,
    /// How often it ended with its last iterate only.
    pub(crate) failures: u64,
    /// Whether the time was up before the last pair found was answered.
    pub(crate) is_last_cut: bool,
}

struct Block {
    found: Vec<Found>,
    is_last_cut: bool,
    seconds: Vec<f32>,
    processor: f64,
    contradictions: u64,
    failures: u64,
}

impl Series<'_> {
    /// Asks about every pair. What is found does not depend on the number of workers: every block starts with a fresh asker.
    pub(crate) fn measure(&self) -> Measured {
        let cost = reading_cost();
        let mut asker = self.asker();
        for pair in self.pairs.iter().take(WARM_UP).take_while(|_| !self.is_late()) {
            self.question.ask(&mut asker, pair);
        }
        let blocks: Vec<Block> = progress::over("asking", self.pairs.len() as u64, |bar| {
            let run = |pairs: &[ConvexPair]| {
                let block = self.block(pairs, cost);
                bar.inc(pairs.len() as u64);
                block
            };
            if self.workers == 1 {
                self.pairs.chunks(BLOCK).map(run).collect()
            } else {
                self.pairs.par_chunks(BLOCK).map(run).collect()
            }
        });
        self.summed(blocks, cost)
    }

    fn asker(&self) -> StudyAsker {
        StudyAsker::new(self.method).with_deadline(self.deadline)
    }

    fn is_late(&self) -> bool {
        self.deadline.has_passed()
    }

    /// First all queries in one bracket of processor time and nothing else, since reading a clock may cost more than a
    /// query; then once more with a reading after each. With a deadline there is only the second pass.
    fn block(&self, pairs: &[ConvexPair], cost: f64) -> Block {
        let mut found = Vec::with_capacity(pairs.len());
        let mut seconds = Vec::with_capacity(pairs.len());
        let mut asker = self.asker();
        if self.deadline == Deadline::NEVER {
            let clock = Clock::start();
            found.extend(pairs.iter().map(|pair| self.question.ask(&mut asker, pair)));
            let processor = clock.seconds();
            let (contradictions, failures) = (asker.contradictions, asker.tally.failures());
            asker = StudyAsker::new(self.method);
            let mut lap = Lap::start();
            for pair in pairs {
                std::hint::black_box(self.question.ask(&mut asker, pair));
                seconds.push((lap.read().0 - cost).max(0.0) as f32);
            }
            return Block { found, is_last_cut: false, seconds, processor, contradictions, failures };
        }
        let mut is_last_cut = false;
        let clock = Clock::start();
        let mut lap = Lap::start();
        for pair in pairs {
            if self.is_late() {
                break;
            }
            found.push(self.question.ask(&mut asker, pair));
            is_last_cut = asker.was_cut();
            seconds.push((lap.read().0 - 2.0 * cost).max(0.0) as f32);
        }
        let processor = (clock.seconds() - 2.0 * cost * found.len() as f64).max(0.0);
        let (contradictions, failures) = (asker.contradictions, asker.tally.failures());
        Block { found, is_last_cut, seconds, processor, contradictions, failures }
    }

    /// The blocks up to the first that the deadline cut short, so that the answers are those of the first pairs.
    fn summed(&self, mut blocks: Vec<Block>, cost: f64) -> Measured {
        let full = |index: usize| BLOCK.min(self.pairs.len() - index * BLOCK);
        let cut = blocks
            .iter()
            .enumerate()
            .position(|(index, block)| block.found.len() < full(index) || block.is_last_cut);
        blocks.truncate(cut.map_or(blocks.len(), |index| index + 1));
        let processor: f64 = blocks.iter().map(|block| block.processor).sum();
        let contradictions = blocks.iter().map(|block| block.contradictions).sum();
        let failures = blocks.iter().map(|block| block.failures).sum();
        let is_last_cut = blocks.last().is_some_and(|block| block.is_last_cut);
        let mut found = Vec::new();
        let mut seconds = Vec::new();
        for mut block in blocks {
            found.append(&mut block.found);
            seconds.append(&mut block.seconds);
        }
        let mean = processor / seconds.len().max(1) as f64;
        let mut asker = self.asker();
        let times = SecondsPerQuery::of(mean, &mut seconds, self.deadline, |query| {
            let mut lap = Lap::start();
            std::hint::black_box(self.question.ask(&mut asker, &self.pairs[query]));
            (lap.read().0 - cost).max(0.0)
        });
        Measured { found, times, contradictions, failures, is_last_cut }
    }
}
