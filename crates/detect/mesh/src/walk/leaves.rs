//! Two leaves: which pairs of their triangles have a common point.

use std::ops::ControlFlow;

use kontakt_answers::Visits;
use kontakt_bounds::batch::Isa;
use kontakt_math::DVec3;

use super::batch::Batch;
use super::descent::{Run, corners};
use super::kernel::{self, Judge, PlanesOf};
use super::piercing::Planes;
use crate::face::{Between, meeting};
use crate::mesh::Mesh;
use crate::pairs::FacePair;

/// Triangles of two leaves side by side, kept from one pair of leaves to the next.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    a: Batch,
    b: Batch,
    planes_a: Planes,
    planes_b: Planes,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk { a: Batch::EMPTY, b: Batch::EMPTY, planes_a: Planes::EMPTY, planes_b: Planes::EMPTY }
    }
}

/// Compares triangles of two bodies, leaf by leaf.
pub(crate) struct Leaves<'a> {
    desk: &'a mut Desk,
    between: &'a Between,
    a: &'a Mesh,
    b: &'a Mesh,
    judge: Judge,
    planes: PlanesOf,
    /// 2^−exponent of A.
    unit: f64,
    /// Error of a placed corner of B, in A's packed units.
    placing: f32,
    /// First slot of A's leaf on the desk.
    on_desk: u32,
    /// Origin of local coordinates in A's frame.
    origin: DVec3,
}

impl<'a> Leaves<'a> {
    /// For two bodies at their poses.
    pub(crate) fn new(desk: &'a mut Desk, between: &'a Between, a: &'a Mesh, b: &'a Mesh) -> Leaves<'a> {
        let unit = 2.0_f64.powi(-a.tree().exponent());
        // Packed coordinates are within ±1.
        let farthest = b.tree().origin().abs().element_sum() + 3.0 * 2.0_f64.powi(b.tree().exponent());
        let error = between.error_within(1.001 * farthest) * unit;
        let (judge, planes) = kernel::judge(Isa::best());
        Leaves {
            desk,
            between,
            a,
            b,
            judge,
            planes,
            unit,
            // Rounding to single precision goes up or down by less than this factor.
            placing: (1.001 * error) as f32 + f32::MIN_POSITIVE,
            on_desk: u32::MAX,
            origin: DVec3::ZERO,
        }
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
        let (a, b, between, unit) = (self.a, self.b, self.between, self.unit);
        if self.on_desk != x.first {
            self.on_desk = x.first;
            let origin = corners(a, x.first)[0];
            self.origin = origin;
            self.desk.a.fill(a, x, |p| (p - origin) * unit);
            (self.planes)(&self.desk.a, &mut self.desk.planes_a);
        }
        let origin = self.origin;
        self.desk.b.fill(b, y, |p| (between.b_in_a(p) - origin) * unit);
        (self.planes)(&self.desk.b, &mut self.desk.planes_b);
        visits.face_tests += u64::from(x.count * y.count);
        let used = (1 << y.count) - 1;
        for i in 0..x.count {
            let desk = &*self.desk;
            let one = (&desk.a, &desk.planes_a);
            let verdicts = (self.judge)(one, i as usize, (&desk.b, &desk.planes_b), self.placing);
            let mut left = used & !verdicts.apart;
            while left != 0 {
                let j = left.trailing_zeros();
                left &= left - 1;
                let (slot_a, slot_b) = (x.first + i, y.first + j);
                if verdicts.meet >> j & 1 != 0 || exactly(between, a, slot_a, b, slot_b, visits) {
                    let (order_a, order_b) = (a.tree().order(), b.tree().order());
                    let pair = FacePair { a: order_a[slot_a as usize], b: order_b[slot_b as usize] };
                    found(pair)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether two triangles have a common point, where single precision cannot tell.
#[cold]
fn exactly(between: &Between, a: &Mesh, slot_a: u32, b: &Mesh, slot_b: u32, visits: &mut Visits) -> bool {
    let mut own = Visits::default();
    let meets = meeting(between, corners(a, slot_a), corners(b, slot_b), &mut own).meets();
    visits.exact_tests += own.exact_tests;
    meets
}
