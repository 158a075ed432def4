//! Triangles of leaves ready for the batch tests, kept within a question: a leaf meets many others.

use super::descent::corners;
use super::plan::Run;
use super::tray::Tray;
use crate::face::{Between, Octet};
use crate::mesh::Mesh;
use kontakt_math::DVec3;

/// Places on a shelf: 2 to this power.
const PLACES_LOG: u32 = 7;

/// The octets of one body's leaves, each at the place its first slot is hashed to.
#[derive(Clone, Debug, Default)]
struct Shelf {
    /// Which leaf is at a place: the question's number, then the leaf's first slot. Empty until asked for: who asks often about what is
    /// told without leaves makes askers often.
    labels: Vec<u64>,
    octets: Vec<Octet>,
}

impl Shelf {
    #[cold]
    fn make(&mut self) {
        let places = 1 << PLACES_LOG;
        (self.labels, self.octets) = (vec![0; places], vec![Octet::default(); places]);
    }

    /// The octet of a leaf, filled if another leaf's or none was at its place.
    #[inline]
    fn get(&mut self, question: u32, run: Run, fill: impl FnOnce(&mut Octet)) -> &Octet {
        // Fibonacci hashing: neighbouring leaves get distant places.
        let place = (run.first.wrapping_mul(0x9e37_79b9) >> (32 - PLACES_LOG)) as usize;
        let label = u64::from(question) << 32 | u64::from(run.first);
        if self.labels.is_empty() {
            self.make();
        }
        let octet = &mut self.octets[place];
        if self.labels[place] != label {
            self.labels[place] = label;
            fill(octet);
        }
        octet
    }
}

/// The leaves of two bodies at their poses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelves {
    a: Shelf,
    b: Shelf,
    /// Number of the question, never 0 while leaves are fetched.
    question: u32,
}

impl Shelves {
    /// Forgets all leaves.
    fn clear(&mut self) {
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            // Numbers start again: old labels must not be taken for new ones.
            self.a.labels.fill(0);
            self.b.labels.fill(0);
            self.question = 1;
        }
    }

    /// The triangles of a leaf of A and of one of B, in A's frame.
    #[inline]
    pub(super) fn octets(
        &mut self,
        between: &Between,
        (a, x): (&Mesh, Run),
        (b, y): (&Mesh, Run),
    ) -> (&Octet, &Octet) {
        let slots = |run: Run| run.first as usize..(run.first + run.count) as usize;
        let octet_a = self
            .a
            .get(self.question, x, |octet| octet.fill_a(a.faces().vertices(), &a.tree().corners()[slots(x)]));
        let octet_b = self.b.get(self.question, y, |octet| {
            octet.fill_b(between, b.faces().vertices(), &b.tree().corners()[slots(y)]);
        });
        (octet_a, octet_b)
    }
}

/// Triangles of B that few leaves of a body hold together.
const LANDED: usize = 64;

/// Triangles of B in A's frame where their corners are exact there, each at a place of its slot; kept within a question, since
/// round the hub of a fan each is asked for again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Landed {
    /// Empty until asked for, then the slot at each place.
    slots: Vec<u32>,
    corners: Vec<Option<[DVec3; 3]>>,
}

impl Landed {
    /// The corners of the triangle of B in a slot, where they are exact.
    #[inline]
    pub(super) fn corners(&mut self, between: &Between, b: &Mesh, slot: u32) -> Option<&[DVec3; 3]> {
        if self.slots.is_empty() {
            self.slots.resize(LANDED, u32::MAX);
            self.corners.resize(LANDED, None);
        }
        let place = slot as usize % LANDED;
        if self.slots[place] != slot {
            self.slots[place] = slot;
            let own = corners(b, slot);
            let exact = own.iter().all(|&x| between.error_at(x) == 0.0);
            self.corners[place] = exact.then(|| own.map(|x| between.b_in_a(x)));
        }
        self.corners[place].as_ref()
    }
}

/// Where triangles are compared: leaves at hand, and the tray that collects their pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk {
    pub(crate) shelves: Shelves,
    pub(super) tray: Tray,
    pub(super) landed: Landed,
}

impl Desk {
    /// Forgets everything: to be called for every question, since bodies and poses may be others.
    pub(crate) fn clear(&mut self) {
        self.shelves.clear();
        self.tray.clear();
        self.landed.slots.clear();
        self.landed.corners.clear();
    }
}
