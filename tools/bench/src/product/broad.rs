//! kontakt's side of the questions about many boxes.

use crate::clock::timed;
use crate::contest::{Contender, Sample};
use kontakt::broad::{BoxId, BroadPhase, Way};
use kontakt_lab_broad::{Crowd, Other};

/// A set that follows a crowd.
pub(crate) struct Follower {
    crowd: Crowd,
    set: BroadPhase,
    ids: Vec<BoxId>,
    steps: usize,
}

impl Follower {
    /// The first search is made here, outside of what is measured.
    fn new(crowd: Crowd, mut set: BroadPhase, steps: usize) -> Follower {
        let ids: Vec<BoxId> = crowd.boxes().iter().filter_map(|b| set.insert(*b).ok()).collect();
        let _ = set.update();
        Follower { crowd, set, ids, steps }
    }

    /// Mean CPU seconds of a step over several, and the pairs after the last.
    fn run(&mut self) -> Result<Sample<usize>, String> {
        let (mut seconds, mut pairs) = (0.0, 0);
        for _ in 0..self.steps {
            self.crowd.advance();
            let (spent, found) = timed(|| self.step());
            pairs = found?;
            seconds += spent;
        }
        Ok((seconds / self.steps as f64, pairs))
    }

    fn step(&mut self) -> Result<usize, String> {
        for (id, b) in self.ids.iter().zip(self.crowd.boxes()).take(self.crowd.movers()) {
            self.set.move_to(*id, *b).map_err(|problem| problem.to_string())?;
        }
        Ok(self.set.update().map_err(|problem| problem.to_string())?.pairs.len())
    }
}

/// A way of the product on a crowd; a call is `steps` steps, its time the mean of one.
pub(crate) fn way(name: &'static str, way: Way, crowd: Crowd, steps: usize) -> Contender<'static, usize> {
    let mut follower = Follower::new(crowd, BroadPhase::with_way(way), steps);
    Contender::new(name, move || follower.run())
}

/// A way of the laboratory.
pub(crate) fn other(other: Other, crowd: Crowd, steps: usize) -> Contender<'static, usize> {
    let mut follower = Follower::new(crowd, BroadPhase::with_finder(other.finder()), steps);
    Contender::new(other.name(), move || follower.run())
}
