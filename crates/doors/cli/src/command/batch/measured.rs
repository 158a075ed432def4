//! Asking at all poses, in blocks, with their times.

use super::answer::{Answer, Question};
use crate::clock::Clock;
use crate::progress;
use crate::timing::{Lap, SecondsPerQuery, reading_cost};
use kontakt::answers::Visits;
use kontakt::math::Pose;
use kontakt::mesh::{FacePair, Mesh, MeshQuery, PlacedMesh};
use kontakt::schedule::Deadline;
use rayon::prelude::*;
use std::time::Duration;

/// Poses asked between two looks at the processor's clock.
const BLOCK: usize = 1024;
/// Queries asked in vain first, so that code, data and scratch memory are in place when the clock starts.
const WARM_UP: usize = 32;

/// Two bodies, the one at rest, and what is asked about them.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) a: &'a Mesh,
    pub(crate) b: &'a Mesh,
    pub(crate) poses: &'a [Pose],
    pub(crate) question: Question,
    /// Nothing is asked after this moment.
    pub(crate) deadline: Deadline,
    /// Pairs of triangles counted at a pose.
    pub(crate) max_pairs: usize,
    pub(crate) workers: usize,
}

/// Answers of a run of poses, in order.
pub(crate) struct Block {
    pub(crate) answers: Vec<Answer>,
    pub(crate) list: Vec<FacePair>,
    seconds: Vec<f32>,
    processor: f64,
    visits: Visits,
}

impl Block {
    /// Drops all but the first `room` pairs of the list.
    fn keep(&mut self, room: usize) {
        self.list.truncate(room);
        let end = self.list.len();
        for answer in &mut self.answers {
            if let Answer::Pairs { kept, .. } = answer {
                *kept = kept.start.min(end)..kept.end.min(end);
            }
        }
    }
}

/// All answers and what they cost.
pub(crate) struct Measured {
    pub(crate) blocks: Vec<Block>,
    pub(crate) visits: Visits,
    pub(crate) times: Option<SecondsPerQuery>,
}

impl Scene<'_> {
    fn ask(&self, asker: &mut MeshQuery, pose: Pose, list: &mut Vec<FacePair>) -> Option<Answer> {
        self.question.ask(asker, PlacedMesh::at_rest(self.a), PlacedMesh::new(self.b, pose), list)
    }

    fn asker(&self) -> MeshQuery {
        let mut asker = MeshQuery::new();
        (asker.deadline, asker.max_pairs) = (self.deadline, self.max_pairs);
        asker
    }

    /// Asks at every pose. Answers and counters do not depend on the number of workers.
    pub(crate) fn measure(&self) -> Measured {
        let cost = reading_cost();
        let mut asker = self.asker();
        // Where queries take long there is no need to warm up, and maybe no time.
        let warm = Deadline::after(Duration::from_millis(10));
        for &pose in self.poses.iter().take(WARM_UP).take_while(|_| !warm.has_passed()) {
            asker.deadline = warm;
            self.ask(&mut asker, pose, &mut Vec::new());
        }
        asker.deadline = self.deadline;
        asker.visits = Visits::default();
        let blocks: Vec<Block> = progress::over("asking", self.poses.len() as u64, |bar| {
            let run = |asker: &mut MeshQuery, poses: &[Pose]| {
                let block = self.block(asker, poses, cost);
                bar.inc(poses.len() as u64);
                block
            };
            if self.workers == 1 {
                self.poses.chunks(BLOCK).map(|poses| run(&mut asker, poses)).collect()
            } else {
                self.poses
                    .par_chunks(BLOCK)
                    .map_init(|| self.asker(), |asker, poses| run(asker, poses))
                    .collect()
            }
        });
        self.summed(blocks, cost)
    }

    fn block(&self, asker: &mut MeshQuery, poses: &[Pose], cost: f64) -> Block {
        let mut answers = Vec::with_capacity(poses.len());
        let mut seconds = Vec::with_capacity(poses.len());
        let mut list = Vec::new();
        asker.visits = Visits::default();
        if self.deadline.has_passed() {
            return Block { answers, list, seconds, processor: 0.0, visits: asker.visits };
        }
        let clock = Clock::start();
        let mut lap = Lap::start();
        for &pose in poses {
            let Some(answer) = self.ask(asker, pose, &mut list) else { break };
            answers.push(answer);
            let (taken, _) = lap.read();
            seconds.push((taken - cost).max(0.0) as f32);
            if self.deadline.has_passed() {
                break;
            }
        }
        let processor = (clock.seconds() - cost * answers.len() as f64).max(0.0);
        Block { answers, list, seconds, processor, visits: asker.visits }
    }

    /// The blocks up to the first that the deadline cut short, so that the answers are those of the first poses.
    fn summed(&self, mut blocks: Vec<Block>, cost: f64) -> Measured {
        let full = |index: usize| BLOCK.min(self.poses.len() - index * BLOCK);
        let cut = blocks.iter().enumerate().position(|(index, block)| block.answers.len() < full(index));
        blocks.truncate(cut.map_or(blocks.len(), |index| index + 1));
        let mut room = self.question.listed;
        for block in &mut blocks {
            block.keep(room);
            room -= block.list.len();
        }
        let mut visits = Visits::default();
        let mut seconds = Vec::new();
        for block in &mut blocks {
            visits += block.visits;
            seconds.append(&mut block.seconds);
        }
        let processor: f64 = blocks.iter().map(|block| block.processor).sum();
        let mean = processor / seconds.len().max(1) as f64;
        let mut asker = self.asker();
        let times = SecondsPerQuery::of(mean, &mut seconds, self.deadline, |query| {
            let mut lap = Lap::start();
            self.ask(&mut asker, self.poses[query], &mut Vec::new());
            (lap.read().0 - cost).max(0.0)
        });
        Measured { blocks, visits, times }
    }
}
