//! Pairs of triangles from many pairs of leaves, collected until a batch is full.

use kontakt_bounds::batch::Isa;
use std::cmp::Ordering;

use crate::face::{Batch, Close, Lengths, Octet, lengths_of, meetings};

/// Lanes of a ticket: two triangles of A with two of B.
const LANES: u32 = 4;

/// Where the pairs of four lanes come from.
#[derive(Clone, Copy, Debug, Default)]
struct Ticket {
    /// First slots of the couples.
    slot_a: u32,
    slot_b: u32,
    /// What lengths were multiplied with.
    scale: f64,
}

/// A batch and where its pairs come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tray {
    batch: Batch,
    tickets: [Ticket; 4],
    lengths: Lengths,
}

/// Slots of a triangle of A and of one of B.
pub(super) type Slots = (u32, u32);

impl Tray {
    /// Takes two triangles of a leaf of A and two of one of B; couples and the leaves' first slots are given. The tray must
    /// not be full.
    #[inline(always)]
    pub(super) fn add(&mut self, close: &Close, a: (&Octet, usize, u32), b: (&Octet, usize, u32)) {
        let ticket =
            Ticket { slot_a: a.2 + 2 * a.1 as u32, slot_b: b.2 + 2 * b.1 as u32, scale: close.scale };
        self.tickets[self.batch.lanes() / LANES as usize % 4] = ticket;
        self.batch.add(close, (a.0, a.1), (b.0, b.1));
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.batch.is_full()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.batch.clear();
    }

    #[inline]
    fn ticket(&self, lane: u32) -> &Ticket {
        &self.tickets[(lane / LANES) as usize % 4]
    }

    #[inline]
    fn slots(&self, lane: u32) -> Slots {
        let ticket = self.ticket(lane);
        (ticket.slot_a + (lane >> 1 & 1), ticket.slot_b + (lane & 1))
    }

    /// Empties the tray: the pairs not proven apart, and whether they are proven to cross.
    #[inline]
    pub(super) fn meetings(&mut self, isa: Isa) -> impl Iterator<Item = (Slots, bool)> + '_ {
        let found = meetings(isa, &self.batch);
        let mut left = self.batch.used() & !found.apart;
        self.batch.clear();
        std::iter::from_fn(move || {
            let lane = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some((self.slots(lane), found.crossing >> lane & 1 == 1))
        })
    }

    /// Measures the pairs of the tray, for [`nearest`](Tray::nearest).
    #[inline]
    pub(super) fn measure(&mut self, isa: Isa) {
        lengths_of(isa, &self.batch, &mut self.lengths);
    }

    /// Empties the tray: the pairs, after [`measure`](Tray::measure), not proven to be as far apart as `limit`, and lower bounds of
    /// their distances.
    #[inline]
    pub(super) fn below(&mut self, limit: f64) -> impl Iterator<Item = (Slots, f64)> + '_ {
        let mut left = self.batch.used();
        self.batch.clear();
        std::iter::from_fn(move || {
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                // As in `nearest`, no quotient rounds; NaN is not proven to be far.
                let lower = f64::from(self.lengths.lower[lane as usize]) / self.ticket(lane).scale;
                if !matches!(lower.partial_cmp(&limit), Some(Ordering::Greater | Ordering::Equal)) {
                    return Some((self.slots(lane), lower.max(0.0)));
                }
            }
            None
        })
    }

    /// Takes the pair out of the tray that looks nearest, among those that may be nearer than `limit`; lets go of the others.
    #[inline]
    pub(super) fn nearest(&mut self, limit: f64) -> Option<Slots> {
        let mut left = self.batch.used();
        let (mut below, mut best) = (0, None);
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            // A power of two between 2^±700: no quotient rounds.
            let scale = self.ticket(lane).scale;
            if f64::from(self.lengths.lower[lane as usize]) / scale < limit {
                below |= 1 << lane;
                let estimate = f64::from(self.lengths.estimate[lane as usize]) / scale;
                if best.is_none_or(|(least, _)| estimate < least) {
                    best = Some((estimate, lane));
                }
            }
        }
        let lane = best.map(|(_, lane)| lane);
        self.batch.keep(lane.map_or(0, |lane| below & !(1 << lane)));
        lane.map(|lane| self.slots(lane))
    }
}
