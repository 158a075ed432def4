//! Pairs of children still to be looked at in a search for the nearest faces, the nearest first or nearly so.

use super::cross::Bounds;
use super::plan::{Nodes, Plan};

/// Boxes of two nodes to be looked at together, with a lower bound of their distances: one box of the one node and one or more
/// of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) bound: f32,
    /// Nodes.
    pub(super) a: u32,
    pub(super) b: u32,
    /// Lanes of A's node.
    pub(super) rows: u8,
    /// Lanes of B's node.
    pub(super) columns: u8,
}

/// Most entries in the queue; what does not fit is looked at depth first.
const LONGEST_QUEUE: usize = 1 << 14;
/// Bounds are sorted into so many heaps, equally wide.
const HEAPS: usize = 512;
const WORDS: usize = HEAPS / 64;
/// No entry.
const NONE: u32 = u32::MAX;

/// Entries in many heaps by their bounds, each a linked list. What is taken is among the least up to a heap's width: exact
/// order would cost more than it saves.
#[derive(Clone, Debug)]
struct Queue {
    /// The last entry of each heap.
    last: [u32; HEAPS],
    /// Bits of the heaps with entries.
    filled: [u64; WORDS],
    /// With the next of the same heap, or of the unused ones.
    entries: Vec<(Waiting, u32)>,
    unused: u32,
    count: usize,
    /// Heaps a unit of bounds.
    density: f32,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            last: [NONE; HEAPS],
            filled: [0; WORDS],
            entries: Vec::new(),
            unused: NONE,
            count: 0,
            density: 0.0,
        }
    }
}

impl Queue {
    /// Empty, for bounds below `limit`.
    fn restart(&mut self, limit: f32) {
        self.last = [NONE; HEAPS];
        self.filled = [0; WORDS];
        self.entries.clear();
        self.unused = NONE;
        self.count = 0;
        let density = HEAPS as f32 / limit;
        self.density = if density.is_finite() { density } else { 0.0 };
    }

    /// The heap of a bound: never decreases when bounds grow. Casts saturate; NaN goes to the first.
    #[inline]
    fn heap(&self, bound: f32) -> usize {
        ((bound * self.density) as usize).min(HEAPS - 1)
    }

    #[inline]
    fn push(&mut self, waiting: Waiting) {
        let heap = self.heap(waiting.bound);
        let entry = (waiting, self.last[heap]);
        self.last[heap] = if let Some(place) = self.entries.get_mut(self.unused as usize) {
            let at = self.unused;
            self.unused = place.1;
            *place = entry;
            at
        } else {
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        };
        self.filled[heap / 64] |= 1 << (heap % 64);
        self.count += 1;
    }

    /// The least bound.
    fn least(&self) -> f32 {
        let Some(word) = self.filled.iter().position(|&word| word != 0) else { return f32::INFINITY };
        let mut at = self.last[64 * word + self.filled[word].trailing_zeros() as usize];
        let mut least = f32::INFINITY;
        while at != NONE {
            let (waiting, next) = self.entries[at as usize];
            (least, at) = (least.min(waiting.bound), next);
        }
        least
    }

    /// An entry of the first heap that has any.
    #[inline]
    fn pop(&mut self) -> Option<Waiting> {
        let word = self.filled.iter().position(|&word| word != 0)?;
        let heap = 64 * word + self.filled[word].trailing_zeros() as usize;
        let at = self.last[heap];
        let (waiting, next) = self.entries[at as usize];
        self.last[heap] = next;
        if next == NONE {
            self.filled[word] &= self.filled[word] - 1;
        }
        self.entries[at as usize].1 = self.unused;
        self.unused = at;
        self.count -= 1;
        Some(waiting)
    }
}

/// Boxes to be looked at: a stack until the first faces are reached, so that there soon is a limit, then a queue
/// by bound, so that hardly any leaves are looked at whose bound is above the distance found in the end. The queue's length is
/// limited; beyond that the stack serves, which never holds more than 64 entries a level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    stack: Vec<Waiting>,
    queue: Queue,
    queueing: bool,
}

impl Agenda {
    pub(super) fn clear(&mut self) {
        self.stack.clear();
        self.queueing = false;
    }

    /// Whether the queue is in use.
    pub(super) fn queueing(&self) -> bool {
        self.queueing
    }

    /// From the stack to the queue, now that there is a limit.
    pub(super) fn line_up(&mut self, limit: f32) {
        self.queueing = true;
        self.queue.restart(limit);
        for waiting in self.stack.drain(..).filter(|waiting| waiting.bound < limit) {
            self.queue.push(waiting);
        }
    }

    /// The next entry below the limit.
    pub(super) fn next(&mut self, limit: f32) -> Option<Waiting> {
        while let Some(next) = self.stack.pop() {
            if next.bound < limit {
                return Some(next);
            }
        }
        if !self.queueing {
            return None;
        }
        let last = self.queue.heap(limit);
        while let Some(next) = self.queue.pop() {
            if next.bound < limit {
                return Some(next);
            }
            // All in later heaps are not below the limit.
            if self.queue.heap(next.bound) > last {
                return None;
            }
        }
        None
    }

    /// **Never more** than the bound of any entry; infinity where there is none.
    ///
    /// Heaps are in the order of bounds, so of the queue the first heap with entries has the least.
    pub(super) fn least(&self) -> f32 {
        let stacked = self.stack.iter().fold(f32::INFINITY, |least, waiting| least.min(waiting.bound));
        if self.queueing { stacked.min(self.queue.least()) } else { stacked }
    }

    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        self.stack.len() + if self.queueing { self.queue.count } else { 0 }
    }

    /// Adds the pairs of children of two nodes: one entry for one box and all those it is to be opened with.
    pub(super) fn add(&mut self, a: u32, b: u32, nodes: &Nodes, mut pairs: u64, bounds: &Bounds) {
        let mut entries =
            Entries { a, b, room: self.queueing && self.queue.count + 64 <= LONGEST_QUEUE, agenda: self };
        let from = entries.agenda.stack.len();
        let (mut with_a, mut with_b) = ([Group::NONE; 8], [Group::NONE; 8]);
        while pairs != 0 {
            let bit = pairs.trailing_zeros();
            pairs &= pairs - 1;
            let (i, j) = (bit >> 3, bit & 7);
            let bound = bounds.of(bit);
            match nodes.plan(i, j) {
                Plan::OnlyA(_) => with_a[i as usize & 7].take(j, bound),
                Plan::OnlyB(_) => with_b[j as usize & 7].take(i, bound),
                Plan::Both(..) | Plan::Leaves(..) => entries.push(bound, 1 << i, 1 << j),
                Plan::Nothing => {}
            }
        }
        for lane in 0..8 {
            let (in_a, in_b) = (with_a[lane], with_b[lane]);
            if in_a.lanes != 0 {
                entries.push(in_a.bound, 1 << lane, in_a.lanes);
            }
            if in_b.lanes != 0 {
                entries.push(in_b.bound, in_b.lanes, 1 << lane);
            }
        }
        // The nearest on top.
        self.stack[from..].sort_unstable_by(|x, y| y.bound.total_cmp(&x.bound));
    }
}

/// Lanes of one node that go with one of the other, and the least of their bounds.
#[derive(Clone, Copy)]
struct Group {
    lanes: u8,
    bound: f32,
}

impl Group {
    const NONE: Group = Group { lanes: 0, bound: f32::INFINITY };

    #[inline]
    fn take(&mut self, lane: u32, bound: f32) {
        self.lanes |= 1 << lane;
        self.bound = self.bound.min(bound);
    }
}

/// Entries of two nodes on their way to the queue or the stack.
struct Entries<'a> {
    agenda: &'a mut Agenda,
    a: u32,
    b: u32,
    room: bool,
}

impl Entries<'_> {
    #[inline]
    fn push(&mut self, bound: f32, rows: u8, columns: u8) {
        let waiting = Waiting { bound, a: self.a, b: self.b, rows, columns };
        if self.room {
            self.agenda.queue.push(waiting);
        } else {
            self.agenda.stack.push(waiting);
        }
    }
}
