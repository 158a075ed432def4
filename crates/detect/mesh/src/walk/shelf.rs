//! Triangles of leaves ready for the batch tests, kept within a question: a leaf meets many others.

use super::plan::Run;
use super::tray::Tray;
use crate::face::{Between, Octet};
use crate::mesh::Mesh;

/// Places on a shelf: 2 to this power.
const PLACES_LOG: u32 = 7;

/// The octets of one body's leaves, each at the place its first slot is hashed to.
#[derive(Clone, Debug)]
struct Shelf {
    /// Which leaf is at a place: the question's number, then the leaf's first slot.
    labels: Vec<u64>,
    octets: Vec<Octet>,
}

impl Shelf {
    fn new() -> Shelf {
        let places = 1 << PLACES_LOG;
        Shelf { labels: vec![0; places], octets: vec![Octet::default(); places] }
    }

    /// The octet of a leaf, filled if another leaf's or none was at its place.
    #[inline]
    fn get(&mut self, question: u32, run: Run, fill: impl FnOnce(&mut Octet)) -> &Octet {
        // Fibonacci hashing: neighbouring leaves get distant places.
        let place = (run.first.wrapping_mul(0x9e37_79b9) >> (32 - PLACES_LOG)) as usize;
        let label = u64::from(question) << 32 | u64::from(run.first);
        let octet = &mut self.octets[place];
        if self.labels[place] != label {
            self.labels[place] = label;
            fill(octet);
        }
        octet
    }
}

/// The leaves of two bodies at their poses.
#[derive(Clone, Debug)]
pub(crate) struct Shelves {
    a: Shelf,
    b: Shelf,
    /// Number of the question, never 0 while leaves are fetched.
    question: u32,
}

impl Default for Shelves {
    fn default() -> Shelves {
        Shelves { a: Shelf::new(), b: Shelf::new(), question: 0 }
    }
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

/// Where triangles are compared: leaves at hand, and the tray that collects their pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk {
    pub(super) shelves: Shelves,
    pub(super) tray: Tray,
}

impl Desk {
    /// Forgets everything: to be called for every question, since bodies and poses may be others.
    pub(super) fn clear(&mut self) {
        self.shelves.clear();
        self.tray.clear();
    }
}
