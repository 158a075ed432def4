//! A world over ranks: every rank makes the same steps of its own bodies and of bit copies of those near, and solves the cells it owns.
//!
//! Before a substep every body goes to its home and to all who read it ([`Territory`]), every remembered impulse to who will solve
//! its pair, in one message a neighbour. What a contact changes is told after each colour ([`Plan`]), what contacts make of their
//! bodies at the end; so all copies of a body are the same bits at the end of the substep as at its beginning, and none of it depends on the cut.

mod meeting;
mod parcel;
mod region;

use super::body::Body;
use super::error::{StepError, WorldError};
use super::settings::Settings;
use super::state::State;
use super::world::{StepReport, World};
use kontakt_bounds::Aabb;
use kontakt_distributed::{Comm, CommError, Cut, Record};
use meeting::Meeting;
use parcel::Parcel;
use region::Region;
use std::collections::BTreeMap;
use thiserror::Error;

/// Why ranks did not make a step together. The group is lost then.
#[derive(Debug, Error)]
pub enum RankError {
    /// They could not talk.
    #[error(transparent)]
    Comm(#[from] CommError),
    /// A step failed on this rank; the others are told.
    #[error(transparent)]
    Step(StepError),
    /// Bytes that are no body and no impulse: ranks run different programs, or a checkpoint is of another one.
    #[error("a record of {bytes} bytes for body {id} is neither a body nor an impulse")]
    Record {
        /// Whose it should be.
        id: u64,
        /// Its length.
        bytes: usize,
    },
    /// There is no such world.
    #[error(transparent)]
    World(#[from] WorldError),
}

/// One rank's part of a world.
pub struct RankWorld<'c> {
    comm: &'c dyn Comm,
    /// Own bodies, copies of others, and all that contacts do not move.
    world: World,
    /// By slot: whether the body lives here. What contacts do not move lives everywhere.
    own: Vec<bool>,
    cut: Cut,
    /// As the whole world has them; this one's steps are single parts of them.
    settings: Settings,
}

/// Substeps between two looks at the balance.
const BALANCE: u64 = 16;

impl<'c> RankWorld<'c> {
    /// The part of a world that all ranks have whole, and alike.
    pub fn new(comm: &'c dyn Comm, whole: &World) -> Result<RankWorld<'c>, RankError> {
        let state = if comm.rank() == 0 { whole.state().clone() } else { immovable(whole.state()) };
        RankWorld::with(comm, whole, state)
    }

    /// The part of a world that is as these records say, which may lie on any ranks; `start` is the world as it began, `clock` what
    /// [`RankWorld::clock`] gave.
    pub fn resumed(
        comm: &'c dyn Comm,
        start: &World,
        clock: [u64; 2],
        records: &[Record],
    ) -> Result<RankWorld<'c>, RankError> {
        let mut state = State { steps: clock[0], changed: clock[1], ..State::default() };
        for bytes in comm.gather(&Record::write_all(records))? {
            state.take(Parcel::of_message(&bytes)?);
        }
        // Impulses lie with other ranks than their bodies: rank 0 brings all of it home in the first substep.
        let state = if comm.rank() == 0 { state } else { immovable(&state) };
        RankWorld::with(comm, start, state)
    }

    fn with(comm: &'c dyn Comm, whole: &World, state: State) -> Result<RankWorld<'c>, RankError> {
        let given = *whole.settings();
        // Copies serve for a single substep. The side of cells is that of the whole world.
        let settings = Settings {
            time_step: given.part(),
            substeps: 1,
            cell: Some(given.cell.unwrap_or_else(|| whole.fitting_cell())),
            ..given
        };
        let world = World::restore(settings, whole.forms().to_vec(), state)?;
        let own = vec![true; world.bodies().len()];
        Ok(RankWorld {
            comm,
            world,
            own,
            cut: Cut::even(comm.size()),
            settings: Settings { cell: settings.cell, ..given },
        })
    }

    /// Makes a step together with all ranks.
    pub fn step(&mut self) -> Result<StepReport, RankError> {
        let mut report = StepReport::default();
        for _ in 0..self.settings.substeps {
            report = self.substep().inspect_err(|error| {
                if !matches!(error, RankError::Comm(_)) {
                    self.comm.abort(&error.to_string());
                }
            })?;
        }
        Ok(report)
    }

    fn substep(&mut self) -> Result<StepReport, RankError> {
        let region = self.distribute()?;
        let mut meeting = Meeting::new(self.comm, &region);
        let report = self.world.step_with(&mut meeting).map_err(of_step)?;
        if self.world.state().steps.is_multiple_of(BALANCE)
            && let Some(cut) =
                self.cut.rebalanced(self.comm, &region.weights(self.world.state(), &self.own))?
        {
            self.cut = cut;
        }
        Ok(report)
    }

    /// Bodies go where they live and where they are read, impulses to who will solve their pairs.
    fn distribute(&mut self) -> Result<Region, RankError> {
        let (cells, periodic) = (self.world.cells()?, self.world.settings().periodic);
        let boxes = self.world.grown_boxes();
        let lives = |slot: &usize| self.own[*slot] && self.world.bodies()[*slot].is_free();
        let own = (0..boxes.len()).filter(lives).map(|slot| &boxes[slot]);
        let mut region = Region::new(self.comm, self.cut.clone(), cells, periodic, own)?;
        if self.comm.size() > 1 {
            let parcels = self.exchange(&region, &boxes)?;
            self.take_in(parcels);
            let boxes = self.world.grown_boxes();
            let here = |(body, b): (&Body, &Aabb)| !body.is_free() || region.home(b) == self.comm.rank();
            self.own = self.world.bodies().iter().zip(&boxes).map(here).collect();
            region.note(boxes);
        } else {
            region.note(boxes);
        }
        Ok(region)
    }

    /// What is to be here, own and foreign.
    fn exchange(&self, region: &Region, boxes: &[Aabb]) -> Result<Vec<Parcel>, RankError> {
        let state = self.world.state();
        let mut out: BTreeMap<usize, Vec<Parcel>> = BTreeMap::new();
        for (slot, body) in
            state.bodies.iter().enumerate().filter(|(slot, body)| self.own[*slot] && body.is_free())
        {
            for rank in region.holders(&boxes[slot]) {
                out.entry(rank).or_default().push(Parcel::Body(*body));
            }
        }
        for held in &state.held {
            let slots = held.ids.map(|id| state.bodies.binary_search_by_key(&id, |body| body.id));
            let [Ok(a), Ok(b)] = slots else { continue };
            let both = [a, b].map(|slot| &state.bodies[slot]);
            let (rank, meet) =
                region.solver([(both[0].is_free(), &boxes[a]), (both[1].is_free(), &boxes[b])]);
            let list = out.entry(rank).or_default();
            list.push(Parcel::Held(*held));
            if !meet {
                // Who tells that the contact has ended must know both bodies.
                list.extend(both.into_iter().filter(|body| body.is_free()).map(|body| Parcel::Body(*body)));
            }
        }
        for seen in &state.seen {
            let slots = seen.ids.map(|id| state.bodies.binary_search_by_key(&id, |body| body.id));
            let [Ok(a), Ok(b)] = slots else { continue };
            let item = |slot: usize| (state.bodies[slot].is_free(), &boxes[slot]);
            let (rank, _) = region.solver([item(a), item(b)]);
            out.entry(rank).or_default().push(Parcel::Seen(*seen));
        }
        let mut here = out.remove(&self.comm.rank()).unwrap_or_default();
        let out: Vec<(usize, Vec<u8>)> =
            out.into_iter().map(|(rank, parcels)| (rank, Parcel::message(&parcels))).collect();
        for (_, bytes) in self.comm.deliver(&out)? {
            here.extend(Parcel::of_message(&bytes)?);
        }
        Ok(here)
    }

    /// What came, and what contacts do not move.
    fn take_in(&mut self, parcels: Vec<Parcel>) {
        let mut state = immovable(self.world.state());
        state.take(parcels);
        state.sort();
        state.bodies.dedup_by_key(|body| body.id);
        self.world.replace(state);
    }

    /// The ranks.
    pub fn comm(&self) -> &'c dyn Comm {
        self.comm
    }

    /// Substeps made, and the last in which a contact began or ended: the same on all ranks.
    pub fn clock(&self) -> [u64; 2] {
        [self.world.state().steps, self.world.state().changed]
    }

    /// The time passed.
    pub fn time(&self) -> f64 {
        self.world.time()
    }

    /// This rank's part: own bodies, copies of others, and all that contacts do not move.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The bodies that move and live here.
    pub fn own_bodies(&self) -> impl Iterator<Item = &Body> {
        let all = self.own.iter().zip(self.world.bodies());
        all.filter(|(lives, body)| **lives && body.is_free()).map(|(_, body)| body)
    }

    /// How many bodies live here, and how many are copies.
    pub fn counts(&self) -> [usize; 2] {
        let free = self.own.iter().zip(self.world.bodies()).filter(|(_, body)| body.is_free());
        free.fold(
            [0, 0],
            |[own, copies], (lives, _)| if *lives { [own + 1, copies] } else { [own, copies + 1] },
        )
    }

    /// What this rank has to save: its bodies and the impulses of the pairs that it solved; rank 0 also what contacts do not move.
    pub fn records(&self) -> Vec<Record> {
        let first = self.comm.rank() == 0;
        let state = self.world.state();
        let own = self.own.iter().zip(&state.bodies).filter(|(own, body)| **own && (first || body.is_free()));
        let bodies: Vec<Body> = own.map(|(_, body)| *body).collect();
        Parcel::records(&bodies, state)
    }

    /// The whole world as it is now, on every rank.
    pub fn whole(&self) -> Result<World, RankError> {
        Ok(World::restore(self.settings, self.world.forms().to_vec(), self.gathered()?)?)
    }

    /// Whether all is at rest, as [`World::is_at_rest`] has it. Every rank calls it.
    pub fn is_at_rest(&self) -> Result<bool, RankError> {
        let [steps, changed] = self.clock();
        // Energies are summed over the whole world in one order; most of the time there is no need to.
        let calm = (steps - changed) as f64 * self.settings.part() >= 0.5;
        Ok(calm && self.whole()?.is_at_rest())
    }

    /// The whole state, on every rank.
    pub fn gathered(&self) -> Result<State, RankError> {
        let [steps, changed] = self.clock();
        let mut state = State { steps, changed, ..State::default() };
        if self.comm.size() == 1 {
            return Ok(self.world.state().clone());
        }
        for bytes in self.comm.gather(&Record::write_all(&self.records()))? {
            state.take(Parcel::of_message(&bytes)?);
        }
        state.sort();
        Ok(state)
    }
}

impl State {
    fn take(&mut self, parcels: Vec<Parcel>) {
        for parcel in parcels {
            match parcel {
                Parcel::Body(body) => self.bodies.push(body),
                Parcel::Held(held) => self.held.push(held),
                Parcel::Seen(seen) => self.seen.push(seen),
            }
        }
    }
}

/// What contacts do not move: it is on every rank, and every rank moves it alike.
fn immovable(state: &State) -> State {
    let bodies = state.bodies.iter().filter(|body| !body.is_free()).copied().collect();
    State { bodies, held: Vec::new(), seen: Vec::new(), ..*state }
}

/// Ranks that could not talk within a step failed for that reason.
fn of_step(error: StepError) -> RankError {
    match error {
        StepError::Share(why) => match why.downcast::<CommError>() {
            Ok(error) => RankError::Comm(*error),
            Err(why) => RankError::Step(StepError::Share(why)),
        },
        error => RankError::Step(error),
    }
}
