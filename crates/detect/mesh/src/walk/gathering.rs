//! Down two trees to all faces within a distance of each other.

use kontakt_answers::Visits;
use std::ops::ControlFlow;

use super::agenda::Agenda;
use super::descent::Bodies;
use super::nearing::{Step, Walk};
use super::plan::Run;
use super::shelf::Desk;
use crate::face::Close;
use crate::face_pair::NearPair;

/// The state of a walk.
pub(crate) struct Gathering<'a> {
    pub(crate) bodies: Bodies<'a>,
    pub(crate) agenda: &'a mut Agenda,
    pub(crate) desk: &'a mut Desk,
    pub(crate) visits: &'a mut Visits,
}

impl Gathering<'_> {
    /// Calls `found` with every pair of triangles that is not proven to be as far apart as `distance`, in any order, until it breaks.
    ///
    /// None is missed: a pair of boxes is left out only where its lower bound is not below the limit, which is never less than
    /// `distance` in the bounds' units; a pair of triangles only where its own lower bound is not below `distance`.
    pub(crate) fn gather(
        &mut self,
        distance: f64,
        mut found: impl FnMut(NearPair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.desk.clear();
        let (walk, measure, remote) = Walk::of(&self.bodies);
        if remote && walk.remote_distance() >= distance {
            return ControlFlow::Continue(());
        }
        let limit = measure.limit(distance);
        self.agenda.clear();
        walk.open((0, u32::MAX), (0, u32::MAX), limit, self.agenda, self.visits);
        while let Some(next) = self.agenda.next(limit) {
            match walk.step(&next) {
                Step::Open(a, b) => walk.open(a, b, limit, self.agenda, self.visits),
                Step::Leaves(x, y) => self.leaves(x, y, distance, &mut found)?,
                Step::Nothing => {}
            }
        }
        self.measured(distance, &mut found)
    }

    /// Takes all pairs of triangles of two leaves; measures when there are enough.
    fn leaves(
        &mut self,
        x: Run,
        y: Run,
        distance: f64,
        found: &mut impl FnMut(NearPair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visits.face_tests += u64::from(x.count * y.count);
        let Bodies { isa, between, a, b } = self.bodies;
        let Desk { shelves, tray, .. } = &mut *self.desk;
        let (octet_a, octet_b) = shelves.octets(between, (a, x), (b, y));
        let Some(close) = Close::new(octet_a, octet_b) else {
            // Sizes beyond single precision: nothing is proven of these.
            return x
                .with(y)
                .try_for_each(|slots| found(NearPair { pair: self.bodies.pair(slots), gap: 0.0 }));
        };
        for i in 0..octet_a.couples() {
            for j in 0..octet_b.couples() {
                tray.add(&close, (octet_a, i, x.first), (octet_b, j, y.first));
                if tray.is_full() {
                    tray.measure(isa);
                    let pairs = &self.bodies;
                    tray.below(distance)
                        .try_for_each(|(slots, gap)| found(NearPair { pair: pairs.pair(slots), gap }))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// What was taken and not yet measured.
    fn measured(
        &mut self,
        distance: f64,
        found: &mut impl FnMut(NearPair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let tray = &mut self.desk.tray;
        if tray.is_empty() {
            return ControlFlow::Continue(());
        }
        tray.measure(self.bodies.isa);
        let bodies = &self.bodies;
        tray.below(distance).try_for_each(|(slots, gap)| found(NearPair { pair: bodies.pair(slots), gap }))
    }
}
