//! Triangles of leaves ready for the batch tests, kept within a question: a leaf meets many others.

use super::plan::Run;
use super::tray::Tray;
use crate::face::{Between, Octet};
use crate::mesh::Mesh;

/// Places on a shelf, a power of two.
const PLACES: usize = 64;
/// No slot: leaves have at most 2²⁸.
const NONE: u32 = u32::MAX;

/// The octets of one body's leaves, each at the place its first slot is hashed to.
#[derive(Clone, Debug)]
struct Shelf {
    first: [u32; PLACES],
    octets: Vec<Octet>,
}

impl Shelf {
    fn new() -> Shelf {
        Shelf { first: [NONE; PLACES], octets: vec![Octet::default(); PLACES] }
    }

    /// The octet of a leaf, filled if another leaf's or none was at its place.
    #[inline]
    fn get(&mut self, run: Run, fill: impl FnOnce(&mut Octet)) -> &Octet {
        // Fibonacci hashing: neighbouring leaves get distant places.
        let place = (run.first.wrapping_mul(0x9e37_79b9) >> 26) as usize % PLACES;
        let octet = &mut self.octets[place];
        if self.first[place] != run.first {
            self.first[place] = run.first;
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
}

impl Default for Shelves {
    fn default() -> Shelves {
        Shelves { a: Shelf::new(), b: Shelf::new() }
    }
}

impl Shelves {
    /// The triangles of a leaf of A and of one of B, in A's frame.
    #[inline]
    pub(super) fn octets(
        &mut self,
        between: &Between,
        (a, x): (&Mesh, Run),
        (b, y): (&Mesh, Run),
    ) -> (&Octet, &Octet) {
        let slots = |run: Run| run.first as usize..(run.first + run.count) as usize;
        let octet_a =
            self.a.get(x, |octet| octet.fill_a(a.faces().vertices(), &a.tree().corners()[slots(x)]));
        let octet_b =
            self.b.get(y, |octet| octet.fill_b(between, b.faces().vertices(), &b.tree().corners()[slots(y)]));
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
        self.shelves.a.first = [NONE; PLACES];
        self.shelves.b.first = [NONE; PLACES];
        self.tray.clear();
    }
}
