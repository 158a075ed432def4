//! Two leaves: which pairs of their triangles have a common point.

use std::ops::ControlFlow;

use kontakt_answers::Visits;
use kontakt_bounds::batch::Isa;

use super::descent::{Bodies, Run, corners};
use super::shelf::Desk;
use crate::face::{Between, Verdicts, meet_batch, meeting};
use crate::mesh::Mesh;
use crate::pairs::FacePair;

/// Compares triangles of two bodies, leaf by leaf.
pub(crate) struct Leaves<'a> {
    desk: &'a mut Desk,
    between: &'a Between,
    a: &'a Mesh,
    b: &'a Mesh,
    isa: Isa,
}

impl<'a> Leaves<'a> {
    /// For two bodies at their poses.
    pub(crate) fn new(bodies: &Bodies<'a>, desk: &'a mut Desk) -> Leaves<'a> {
        desk.clear();
        let &Bodies { isa, between, a, b } = bodies;
        Leaves { desk, between, a, b, isa }
    }

    /// Calls `found` for every pair of triangles of two leaves with a common point, in the order of slots, until it breaks.
    #[inline]
    pub(crate) fn meetings<T>(
        &mut self,
        x: Run,
        y: Run,
        visits: &mut Visits,
        mut found: impl FnMut(FacePair) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        visits.face_tests += u64::from(x.count * y.count);
        let (octet_a, octet_b) = self.desk.octets(self.between, (self.a, x), (self.b, y));
        let verdicts = meet_batch(self.isa, octet_a, octet_b);
        if verdicts.all_apart() {
            return ControlFlow::Continue(());
        }
        for ((i, j), certain) in in_order(&verdicts) {
            let (slot_a, slot_b) = (x.first + i as u32, y.first + j as u32);
            if certain || self.exactly(slot_a, slot_b, visits) {
                let (order_a, order_b) = (self.a.tree().order(), self.b.tree().order());
                found(FacePair { a: order_a[slot_a as usize], b: order_b[slot_b as usize] })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether two triangles have a common point, where single precision cannot tell.
    #[cold]
    fn exactly(&self, slot_a: u32, slot_b: u32, visits: &mut Visits) -> bool {
        let mut own = Visits::default();
        let (a, b) = (corners(self.a, slot_a), corners(self.b, slot_b));
        let meets = meeting(self.between, a, b, &mut own).meets();
        visits.exact_tests += own.exact_tests;
        meets
    }
}

/// The pairs not proven apart in the order of slots, and whether they are proven to cross.
fn in_order(verdicts: &Verdicts) -> impl Iterator<Item = ((usize, usize), bool)> {
    let mut crossing = verdicts.crossing().peekable();
    let mut undecided = verdicts.undecided().peekable();
    std::iter::from_fn(move || match (crossing.peek(), undecided.peek()) {
        (Some(one), Some(other)) if other < one => undecided.next().map(|pair| (pair, false)),
        (Some(_), _) => crossing.next().map(|pair| (pair, true)),
        (None, _) => undecided.next().map(|pair| (pair, false)),
    })
}
