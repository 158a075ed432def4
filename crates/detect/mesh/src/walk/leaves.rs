//! Pairs of leaves: which pairs of their triangles have a common point.

use std::ops::ControlFlow;

use kontakt_answers::Visits;

use super::descent::{Bodies, corners};
use super::plan::Run;
use super::shelf::{Desk, Landed};
use super::tray::{Slots, Tray};
use crate::face::{Close, Meeting, Touch, meeting};
use crate::face_pair::FacePair;

/// Compares triangles of two bodies, many at once.
pub(crate) struct Leaves<'a> {
    desk: &'a mut Desk,
    bodies: Bodies<'a>,
}

impl<'a> Leaves<'a> {
    /// For two bodies at their poses.
    pub(crate) fn new(bodies: &Bodies<'a>, desk: &'a mut Desk) -> Leaves<'a> {
        desk.clear();
        Leaves { desk, bodies: *bodies }
    }

    /// Takes the pairs of triangles of two leaves. Calls `found` for some of the pairs taken so far that have a common point,
    /// and with what they have in common, until it breaks; [`decide`](Leaves::decide) does so for the others.
    #[inline]
    pub(crate) fn add<T>(
        &mut self,
        x: Run,
        y: Run,
        visits: &mut Visits,
        mut found: impl FnMut(FacePair, Touch) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        visits.face_tests += u64::from(x.count * y.count);
        let bodies = &self.bodies;
        let Desk { shelves, tray, landed } = &mut *self.desk;
        let (octet_a, octet_b) = shelves.octets(bodies.between, (bodies.a, x), (bodies.b, y));
        let Some(close) = Close::new(octet_a, octet_b) else {
            return bodies.one_by_one(x, y, landed, visits, found);
        };
        for i in 0..octet_a.couples() {
            for j in 0..octet_b.couples() {
                tray.add(&close, (octet_a, i, x.first), (octet_b, j, y.first));
                if tray.is_full() {
                    bodies.decide(tray, landed, visits, &mut found)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `found` for every pair taken and not yet told that has a common point, until it breaks.
    #[inline]
    pub(crate) fn decide<T>(
        &mut self,
        visits: &mut Visits,
        mut found: impl FnMut(FacePair, Touch) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let Desk { tray, landed, .. } = &mut *self.desk;
        self.bodies.decide(tray, landed, visits, &mut found)
    }
}

impl Bodies<'_> {
    /// The pairs of a tray.
    #[inline]
    fn decide<T>(
        &self,
        tray: &mut Tray,
        landed: &mut Landed,
        visits: &mut Visits,
        found: &mut impl FnMut(FacePair, Touch) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        for (slots, certain) in tray.meetings(self.isa) {
            // Faces that cross have more than a corner in common.
            let touch = if certain {
                Some(Touch::More(Some(Meeting::Crossing)))
            } else {
                self.touch(slots, landed, visits)
            };
            if let Some(touch) = touch {
                found(self.pair(slots), touch)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The pairs of two leaves whose sizes or places are out of reach of single precision.
    #[cold]
    fn one_by_one<T>(
        &self,
        x: Run,
        y: Run,
        landed: &mut Landed,
        visits: &mut Visits,
        mut found: impl FnMut(FacePair, Touch) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        for slots in x.with(y) {
            if let Some(touch) = self.touch(slots, landed, visits) {
                found(self.pair(slots), touch)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// What two triangles have in common, where single precision cannot tell; `None` if nothing.
    #[cold]
    fn touch(&self, (slot_a, slot_b): Slots, landed: &mut Landed, visits: &mut Visits) -> Option<Touch> {
        let a = corners(self.a, slot_a);
        let at_corner = landed.corners(self.between, self.b, slot_b).and_then(|b| Touch::at_corner(&a, b));
        if at_corner.is_some() {
            return at_corner;
        }
        let mut own = Visits::default();
        let how = meeting(self.between, a, corners(self.b, slot_b), &mut own);
        visits.exact_tests += own.exact_tests;
        how.meets().then_some(Touch::More(Some(how)))
    }

    /// The triangles in two slots.
    #[inline]
    pub(super) fn pair(&self, (slot_a, slot_b): Slots) -> FacePair {
        let (order_a, order_b) = (self.a.tree().order(), self.b.tree().order());
        FacePair { a: order_a[slot_a as usize], b: order_b[slot_b as usize] }
    }
}
