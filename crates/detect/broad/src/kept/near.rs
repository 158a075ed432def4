//! Near pairs, and which of them touch.

use super::base::Base;
use super::id::BoxId;
use super::lists::{Lists, MARK};
use super::places::Places;

/// Pairs of fat boxes that meet, and pairs of boxes that touch. Near pairs of boxes that have kept their fat boxes since all were
/// looked up are in `base`; those of a box that is *loose* since are in lists by id.
#[derive(Debug, Default)]
pub(super) struct Near {
    base: Base,
    /// Of pairs with a loose box: the larger ids by the smaller, marked if they touch.
    ahead: Lists,
    /// The smaller by the larger.
    behind: Lists,
    loose: Vec<u32>,
    is_loose: Vec<bool>,
    /// Those that touch, sorted.
    pub(super) pairs: Vec<[BoxId; 2]>,
    pub(super) new: Vec<[BoxId; 2]>,
    pub(super) lost: Vec<[BoxId; 2]>,
    /// The last `pairs`, or room for the next.
    spare: Vec<[BoxId; 2]>,
    /// Pairs of loose boxes that touch.
    extra: Vec<[BoxId; 2]>,
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
        self.is_loose.resize(ids, false);
    }

    /// Number of near pairs.
    pub(super) fn count(&self) -> usize {
        self.base.count() + self.ahead.count()
    }

    /// Takes these pairs in place of all.
    pub(super) fn fill(&mut self, ids: usize, pairs: &[[u32; 2]]) {
        self.base.fill(ids, pairs);
        self.ahead.clear(ids);
        self.behind.clear(ids);
        self.loose.clear();
        self.is_loose.fill(false);
    }

    /// Gives a box other near ones, sorted. It is loose from now on. Pairs that touched and are near no longer are lost.
    pub(super) fn replace(&mut self, id: u32, near: &[u32]) {
        if !std::mem::replace(&mut self.is_loose[id as usize], true) {
            self.loose.push(id);
            let (ahead, behind) = (&mut self.ahead, &mut self.behind);
            self.base.release(id, |smaller, marked_larger| {
                ahead.insert(smaller, marked_larger);
                behind.insert(marked_larger & !MARK, smaller);
            });
        }
        let (smaller, larger) = near.split_at(near.partition_point(|&other| other < id));
        self.replace_smaller(id, smaller);
        self.replace_larger(id, larger);
    }

    /// Marks of pairs with smaller ids are in the lists of those.
    fn replace_smaller(&mut self, id: u32, smaller: &[u32]) {
        self.old.clear();
        self.old.extend_from_slice(self.behind.of(id));
        if self.old == smaller {
            return;
        }
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

    fn replace_larger(&mut self, id: u32, larger: &[u32]) {
        self.old.clear();
        self.old.extend_from_slice(self.ahead.of(id));
        self.list.clear();
        self.list.extend_from_slice(larger);
        for &entry in &self.old {
            let other = entry & !MARK;
            if let Ok(at) = larger.binary_search(&other) {
                self.list[at] = entry;
                continue;
            }
            self.behind.remove(other, id);
            if entry & MARK != 0 {
                self.lost.push([BoxId(id), BoxId(other)]);
            }
        }
        for &other in larger {
            self.behind.insert(other, id);
        }
        self.ahead.set(id, &self.list);
    }

    /// Compares all near pairs, none of which is marked, and the result with that of the last time.
    pub(super) fn compare_anew(&mut self, places: Places<'_>) {
        std::mem::swap(&mut self.pairs, &mut self.spare);
        self.base.compare(places, &mut self.pairs, |_, _| {});
        difference(&self.spare, &self.pairs, &mut self.lost, &mut self.new);
    }

    /// Compares all near pairs.
    pub(super) fn compare_all(&mut self, places: Places<'_>) {
        let (new, lost) = (&mut self.new, &mut self.lost);
        let sorted = lost.is_empty() && self.loose.is_empty();
        self.base.compare(
            places,
            &mut self.pairs,
            |pair, touch| {
                if touch { new.push(pair) } else { lost.push(pair) }
            },
        );
        if sorted {
            return;
        }
        for at in 0..self.loose.len() {
            self.compare_lists(places, self.loose[at]);
        }
        self.new.sort_unstable();
        self.lost.sort_unstable();
        self.collect_extra();
        if !self.extra.is_empty() {
            self.spare.clear();
            patch(&self.pairs, &self.extra, &[], &mut self.spare);
            std::mem::swap(&mut self.pairs, &mut self.spare);
        }
    }

    /// Compares the near pairs of some boxes.
    pub(super) fn compare_some(&mut self, places: Places<'_>, moved: &[u32]) {
        for &id in moved {
            let (new, lost) = (&mut self.new, &mut self.lost);
            self.base.compare_one(
                places,
                id,
                |pair, touch| {
                    if touch { new.push(pair) } else { lost.push(pair) }
                },
            );
            self.compare_lists(places, id);
        }
        if self.new.is_empty() && self.lost.is_empty() {
            return;
        }
        self.new.sort_unstable();
        self.lost.sort_unstable();
        self.spare.clear();
        patch(&self.pairs, &self.new, &self.lost, &mut self.spare);
        std::mem::swap(&mut self.pairs, &mut self.spare);
    }

    /// Compares the near pairs that a box has in the lists.
    fn compare_lists(&mut self, places: Places<'_>, id: u32) {
        for entry in self.ahead.of_mut(id) {
            let other = *entry & !MARK;
            let next = other | mark(places.meet(id, other));
            if next != *entry {
                *entry = next;
                let list = if next & MARK != 0 { &mut self.new } else { &mut self.lost };
                list.push([BoxId(id), BoxId(other)]);
            }
        }
        for &other in self.behind.of(id) {
            let Ok(at) = self.ahead.find(other, id) else { continue };
            let entry = &mut self.ahead.of_mut(other)[at];
            let next = id | mark(places.meet(id, other));
            if next != *entry {
                *entry = next;
                let list = if next & MARK != 0 { &mut self.new } else { &mut self.lost };
                list.push([BoxId(other), BoxId(id)]);
            }
        }
    }

    /// The pairs in the lists that touch, each once: those of two loose boxes by the smaller.
    fn collect_extra(&mut self) {
        self.extra.clear();
        for &id in &self.loose {
            let touching = self.ahead.of(id).iter().filter(|&&entry| entry & MARK != 0);
            self.extra.extend(touching.map(|entry| [BoxId(id), BoxId(entry & !MARK)]));
            for &other in self.behind.of(id).iter().filter(|&&other| !self.is_loose[other as usize]) {
                if self.ahead.find(other, id).is_ok_and(|at| self.ahead.of(other)[at] & MARK != 0) {
                    self.extra.push([BoxId(other), BoxId(id)]);
                }
            }
        }
        self.extra.sort_unstable();
    }
}

fn mark(touch: bool) -> u32 {
    if touch { MARK } else { 0 }
}

/// Sorted pairs with some added and some taken away, both sorted; runs between changes are copied as they are.
fn patch(pairs: &[[BoxId; 2]], new: &[[BoxId; 2]], lost: &[[BoxId; 2]], into: &mut Vec<[BoxId; 2]>) {
    into.reserve(pairs.len() + new.len());
    let (mut new, mut lost) = (new.iter().peekable(), lost.iter().peekable());
    let mut from = 0;
    loop {
        let adds = match (new.peek(), lost.peek()) {
            (Some(a), Some(b)) => a < b,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        let Some(&pair) = (if adds { new.next() } else { lost.next() }) else { break };
        let to = from + pairs[from..].partition_point(|&p| p < pair);
        into.extend_from_slice(&pairs[from..to]);
        from = to;
        if adds {
            into.push(pair);
        } else if pairs.get(from) == Some(&pair) {
            from += 1;
        }
    }
    into.extend_from_slice(&pairs[from..]);
}

/// What only the first and only the second of two sorted lists have.
fn difference(
    a: &[[BoxId; 2]],
    b: &[[BoxId; 2]],
    only_a: &mut Vec<[BoxId; 2]>,
    only_b: &mut Vec<[BoxId; 2]>,
) {
    only_a.clear();
    only_b.clear();
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
