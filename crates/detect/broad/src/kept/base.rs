//! Near pairs as they were when all boxes were looked up.

use super::id::BoxId;
use super::lists::MARK;
use super::places::{Outcome, Places};
use crate::ends::Ends;

/// No longer here: one of the boxes is loose.
const GONE: u32 = 1 << 30;

/// Pairs in the order of ids; nothing is ever added. All are compared in the order in which they were found, which is that of space:
/// boxes are first copied in that order, since the ids of neighbours are anything, and to fetch the boxes of every pair from all over
/// the memory was most of the time of a million boxes.
#[derive(Debug, Default)]
pub(super) struct Base {
    /// Ids in the order of space, of boxes that have a near one.
    order: Vec<u32>,
    /// The pairs as found, as places in `order`.
    found: Vec<[u32; 2]>,
    /// For each pair in the order of ids, its place in `found`.
    place: Vec<u32>,
    /// Copies of the boxes, by place in `order`; what came of each pair found.
    copies: Vec<Ends>,
    outcomes: Vec<Outcome>,
    /// Places in `order` by id while filling.
    slots: Vec<u32>,
    /// The pairs with the smaller id i are at `starts[i]..starts[i + 1]`.
    starts: Vec<u32>,
    smaller: Vec<u32>,
    /// The larger id and the place in `found` while filling.
    keyed: Vec<u64>,
    /// Marked if they touch; `GONE`.
    larger: Vec<u32>,
    /// The same by the larger id: places of pairs. Made when first needed.
    back_starts: Vec<u32>,
    back: Vec<u32>,
    back_known: bool,
    gone: usize,
}

impl Base {
    /// Number of pairs.
    pub(super) fn count(&self) -> usize {
        self.larger.len() - self.gone
    }

    /// Takes these pairs, [smaller, larger] id, in place of all.
    pub(super) fn fill(&mut self, ids: usize, pairs: &[[u32; 2]]) {
        self.gone = 0;
        self.back_known = false;
        count_into(&mut self.starts, ids, pairs.iter().map(|pair| pair[0]));
        self.find_order(ids, pairs);
        self.keyed.clear();
        self.keyed.resize(pairs.len(), 0);
        for (at, pair) in pairs.iter().enumerate() {
            let place = &mut self.starts[pair[0] as usize];
            self.keyed[*place as usize] = u64::from(pair[1]) << 32 | at as u64;
            *place += 1;
        }
        shift_back(&mut self.starts);
        self.smaller.clear();
        for (id, ends) in self.starts.windows(2).enumerate() {
            let list = &mut self.keyed[ends[0] as usize..ends[1] as usize];
            if list.len() > 1 {
                list.sort_unstable();
            }
            self.smaller.extend(std::iter::repeat_n(id as u32, list.len()));
        }
        self.larger.clear();
        self.larger.extend(self.keyed.iter().map(|key| (key >> 32) as u32));
        self.place.clear();
        self.place.extend(self.keyed.iter().map(|&key| key as u32));
    }

    fn find_order(&mut self, ids: usize, pairs: &[[u32; 2]]) {
        const NONE: u32 = u32::MAX;
        self.slots.clear();
        self.slots.resize(ids, NONE);
        self.order.clear();
        self.found.clear();
        for pair in pairs {
            self.found.push(pair.map(|id| {
                let slot = &mut self.slots[id as usize];
                if *slot == NONE {
                    *slot = self.order.len() as u32;
                    self.order.push(id);
                }
                *slot
            }));
        }
    }

    /// Compares all pairs in single precision, in the order of space.
    fn compare_found(&mut self, tight: &[Ends]) {
        self.copies.clear();
        self.copies.extend(self.order.iter().map(|&id| tight[id as usize]));
        self.outcomes.clear();
        let copies = &self.copies;
        let compare = |&[a, b]: &[u32; 2]| Outcome::of(&copies[a as usize], &copies[b as usize]);
        self.outcomes.extend(self.found.iter().map(compare));
    }

    fn know_back(&mut self) {
        if std::mem::replace(&mut self.back_known, true) {
            return;
        }
        let plain = |entry: u32| entry & !(MARK | GONE);
        let ids = self.starts.len().saturating_sub(1);
        count_into(&mut self.back_starts, ids, self.larger.iter().map(|&entry| plain(entry)));
        self.back.clear();
        self.back.resize(self.larger.len(), 0);
        for (place, &entry) in self.larger.iter().enumerate() {
            let slot = &mut self.back_starts[plain(entry) as usize];
            self.back[*slot as usize] = place as u32;
            *slot += 1;
        }
        shift_back(&mut self.back_starts);
    }

    /// Takes out the pairs of a box and hands them over: the smaller id, and the larger with its mark.
    pub(super) fn release(&mut self, id: u32, mut take: impl FnMut(u32, u32)) {
        if id as usize + 1 >= self.starts.len() {
            return;
        }
        self.know_back();
        let id = id as usize;
        let own = (self.starts[id]..self.starts[id + 1]).map(|place| place as usize);
        let others = self.back[self.back_starts[id] as usize..self.back_starts[id + 1] as usize].iter();
        for place in own.chain(others.map(|&place| place as usize)) {
            let entry = &mut self.larger[place];
            if *entry & GONE == 0 {
                take(self.smaller[place], *entry);
                *entry = (*entry | GONE) & !MARK;
                self.gone += 1;
            }
        }
    }

    /// Compares all pairs, leaves those that touch in `touching` and marks them; tells which were marked otherwise before.
    pub(super) fn compare(
        &mut self,
        places: Places<'_>,
        touching: &mut Vec<[BoxId; 2]>,
        mut changed: impl FnMut([BoxId; 2], bool),
    ) {
        touching.clear();
        // One place more than can be needed: each pair is written, and kept by moving on.
        touching.resize(self.larger.len() + 1, [BoxId(0); 2]);
        let mut count = 0;
        self.compare_found(places.tight);
        for ((&id, entry), &place) in self.smaller.iter().zip(&mut self.larger).zip(&self.place) {
            let other = *entry & !(MARK | GONE);
            let outcome = self.outcomes[place as usize];
            let touch = *entry & GONE == 0
                && (outcome == Outcome::Meet || outcome == Outcome::Unclear && places.meet(id, other));
            let pair = [BoxId(id), BoxId(other)];
            touching[count] = pair;
            count += usize::from(touch);
            if touch != (*entry & MARK != 0) {
                *entry ^= MARK;
                changed(pair, touch);
            }
        }
        touching.truncate(count);
    }

    /// Compares the pairs of one box.
    pub(super) fn compare_one(
        &mut self,
        places: Places<'_>,
        id: u32,
        mut changed: impl FnMut([BoxId; 2], bool),
    ) {
        if id as usize + 1 >= self.starts.len() {
            return;
        }
        self.know_back();
        let at = id as usize;
        let own = (self.starts[at]..self.starts[at + 1]).map(|place| place as usize);
        let others = self.back[self.back_starts[at] as usize..self.back_starts[at + 1] as usize].iter();
        for place in own.chain(others.map(|&place| place as usize)) {
            let entry = &mut self.larger[place];
            let (a, b) = (self.smaller[place], *entry & !(MARK | GONE));
            let touch = *entry & GONE == 0 && places.meet(a, b);
            if touch != (*entry & MARK != 0) {
                *entry ^= MARK;
                changed([BoxId(a), BoxId(b)], touch);
            }
        }
    }
}

/// Where the list of each id starts, if it has as many members as `ids` names it.
fn count_into(starts: &mut Vec<u32>, count: usize, ids: impl Iterator<Item = u32>) {
    starts.clear();
    starts.resize(count + 1, 0);
    for id in ids {
        starts[id as usize + 1] += 1;
    }
    for id in 1..starts.len() {
        starts[id] += starts[id - 1];
    }
}

/// Undoes that each start has moved on to the next.
fn shift_back(starts: &mut [u32]) {
    let count = starts.len();
    starts.copy_within(..count - 1, 1);
    starts[0] = 0;
}
