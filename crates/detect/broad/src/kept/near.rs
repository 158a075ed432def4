//! Near pairs, and which of them touch.

use super::id::BoxId;
use super::lists::{Lists, MARK};
use super::meet;
use kontakt_bounds::Aabb;

/// Pairs of fat boxes that meet, and pairs of boxes that touch.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// Of each box, the near ones with larger ids; marked if they touch.
    ahead: Lists,
    /// Of each box, the near ones with smaller ids; made when first needed.
    behind: Lists,
    behind_known: bool,
    /// Those that touch, sorted.
    pub(super) pairs: Vec<[BoxId; 2]>,
    pub(super) new: Vec<[BoxId; 2]>,
    pub(super) lost: Vec<[BoxId; 2]>,
    /// The last `pairs`, or room for the next.
    spare: Vec<[BoxId; 2]>,
    /// Room for the changes of one list.
    old: Vec<u32>,
    list: Vec<u32>,
}

impl Near {
    /// Begins an update of so many ids.
    pub(super) fn begin(&mut self, ids: usize) {
        self.new.clear();
        self.lost.clear();
        self.ahead.grow(ids);
        self.behind.grow(ids);
    }

    /// Number of near pairs.
    pub(super) fn count(&self) -> usize {
        self.ahead.count()
    }

    /// Takes these pairs in place of all.
    pub(super) fn fill(&mut self, ids: usize, pairs: &[[u32; 2]]) {
        self.ahead.fill(ids, pairs, 0);
        self.behind_known = false;
    }

    fn know_behind(&mut self, ids: usize) {
        if self.behind_known {
            return;
        }
        self.behind_known = true;
        let ahead = &self.ahead;
        self.behind.fill_with(ids, |each| {
            for id in 0..ids as u32 {
                for other in ahead.of(id) {
                    each(other & !MARK, id);
                }
            }
        });
    }

    /// Gives a box other near ones, sorted. Pairs that touched and are near no longer are lost.
    pub(super) fn replace(&mut self, id: u32, near: &[u32]) {
        self.know_behind(self.ahead.ids());
        let split = near.partition_point(|&other| other < id);
        let (smaller, larger) = near.split_at(split);
        // Those with smaller ids: the mark is in their lists.
        self.old.clear();
        self.old.extend_from_slice(self.behind.of(id));
        if self.old != smaller {
            for &other in &self.old {
                if smaller.binary_search(&other).is_err()
                    && self.ahead.remove(other, id).is_some_and(|found| found & MARK != 0)
                {
                    self.lost.push([BoxId(other), BoxId(id)]);
                }
            }
            for &other in smaller {
                self.ahead.insert(other, id);
            }
            self.behind.set(id, smaller);
        }
        // Those with larger ids: the mark is here.
        self.old.clear();
        self.old.extend_from_slice(self.ahead.of(id));
        self.list.clear();
        self.list.extend_from_slice(larger);
        for &entry in &self.old {
            let other = entry & !MARK;
            match larger.binary_search(&other) {
                Ok(at) => self.list[at] = entry,
                Err(_) => {
                    self.behind.remove(other, id);
                    if entry & MARK != 0 {
                        self.lost.push([BoxId(id), BoxId(other)]);
                    }
                }
            }
        }
        for &other in larger {
            self.behind.insert(other, id);
        }
        self.ahead.set(id, &self.list);
    }

    /// Compares all near pairs, none of which is marked, and the result with that of the last time.
    pub(super) fn compare_anew(&mut self, boxes: &[Aabb]) {
        std::mem::swap(&mut self.pairs, &mut self.spare);
        self.new.clear();
        self.lost.clear();
        self.compare::<false>(boxes);
        difference(&self.spare, &self.pairs, &mut self.lost, &mut self.new);
    }

    /// Compares all near pairs.
    pub(super) fn compare_all(&mut self, boxes: &[Aabb]) {
        let lost_before = self.lost.len();
        self.compare::<true>(boxes);
        if lost_before > 0 {
            self.lost.sort_unstable();
        }
    }

    /// In the order of ids, so that everything comes out sorted. `TELL`: marks tell what was so before.
    fn compare<const TELL: bool>(&mut self, boxes: &[Aabb]) {
        self.pairs.clear();
        // One place more than can be needed: each pair is written, and kept by moving on.
        self.pairs.resize(self.ahead.count() + 1, [BoxId(0); 2]);
        let mut count = 0;
        for (id, b) in boxes.iter().enumerate() {
            let id = id as u32;
            for entry in self.ahead.of_mut(id) {
                let other = *entry & !MARK;
                let touch = meet(b, &boxes[other as usize]);
                let pair = [BoxId(id), BoxId(other)];
                self.pairs[count] = pair;
                count += usize::from(touch);
                let next = other | if touch { MARK } else { 0 };
                if TELL && next != *entry {
                    if touch { self.new.push(pair) } else { self.lost.push(pair) }
                }
                *entry = next;
            }
        }
        self.pairs.truncate(count);
    }

    /// Compares the near pairs of some boxes.
    pub(super) fn compare_some(&mut self, boxes: &[Aabb], moved: &[u32]) {
        self.know_behind(self.ahead.ids());
        for &id in moved {
            let b = &boxes[id as usize];
            for entry in self.ahead.of_mut(id) {
                let other = *entry & !MARK;
                let next = other | if meet(b, &boxes[other as usize]) { MARK } else { 0 };
                if next != *entry {
                    *entry = next;
                    let list = if next & MARK != 0 { &mut self.new } else { &mut self.lost };
                    list.push([BoxId(id), BoxId(other)]);
                }
            }
            for &other in self.behind.of(id) {
                let Ok(at) = self.ahead.find(other, id) else { continue };
                let entry = &mut self.ahead.of_mut(other)[at];
                let next = id | if meet(b, &boxes[other as usize]) { MARK } else { 0 };
                if next != *entry {
                    *entry = next;
                    let list = if next & MARK != 0 { &mut self.new } else { &mut self.lost };
                    list.push([BoxId(other), BoxId(id)]);
                }
            }
        }
        self.new.sort_unstable();
        self.lost.sort_unstable();
        self.patch();
    }

    /// Brings the pairs up to date with what is new and lost; runs between changes are copied as they are.
    fn patch(&mut self) {
        if self.new.is_empty() && self.lost.is_empty() {
            return;
        }
        self.spare.clear();
        self.spare.reserve(self.pairs.len() + self.new.len());
        let (mut new, mut lost) = (self.new.iter().peekable(), self.lost.iter().peekable());
        let mut from = 0;
        loop {
            let adds = match (new.peek(), lost.peek()) {
                (Some(a), Some(b)) => a < b,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let Some(&pair) = (if adds { new.next() } else { lost.next() }) else { break };
            let to = from + self.pairs[from..].partition_point(|&p| p < pair);
            self.spare.extend_from_slice(&self.pairs[from..to]);
            from = to;
            if adds {
                self.spare.push(pair);
            } else if self.pairs.get(from) == Some(&pair) {
                from += 1;
            }
        }
        self.spare.extend_from_slice(&self.pairs[from..]);
        std::mem::swap(&mut self.pairs, &mut self.spare);
    }
}

/// What only the first and only the second of two sorted lists have.
fn difference(a: &[[BoxId; 2]], b: &[[BoxId; 2]], only_a: &mut Vec<[BoxId; 2]>, only_b: &mut Vec<[BoxId; 2]>) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Equal => {
                i += 1;
                j += 1;
            }
            std::cmp::Ordering::Less => {
                only_a.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                only_b.push(b[j]);
                j += 1;
            }
        }
    }
    only_a.extend_from_slice(&a[i..]);
    only_b.extend_from_slice(&b[j..]);
}
