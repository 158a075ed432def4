//! Sweep-and-prune over three axes, kept by insertion [VR 6.2, Figures 6.3-6.9].
//!
//! The thesis keeps, for each axis, the set of intervals that overlap each interval; in space these sets grow like n^(5/3). Here, as is
//! usual today, the pairs that overlap on all three axes are kept; which lists are kept and how ends move is as in the thesis. One thing
//! it leaves open is decided: boxes that touch count, so of equal ends the lower ones come first.

use crate::each::existing;
use kontakt_broad::{Ends, Finder, Take};
use std::ops::ControlFlow;

/// An end of the interval of a box on an axis.
#[derive(Clone, Copy, Debug)]
struct End {
    value: f32,
    id: u32,
    is_upper: bool,
}

impl End {
    fn is_before(&self, other: &End) -> bool {
        self.value < other.value || self.value == other.value && !self.is_upper && other.is_upper
    }
}

const NOWHERE: u32 = u32::MAX;

/// Three sorted lists of ends, and the pairs of boxes that meet.
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    axes: [Vec<End>; 3],
    /// By axis and id: where the lower and the upper end are.
    places: [Vec<[u32; 2]>; 3],
    /// By id: the boxes that meet it.
    partners: Vec<Vec<u32>>,
    /// Boxes whose intervals have begun to overlap that of the box that moves.
    met: Vec<u32>,
}

impl SweepAndPrune {
    fn grow(&mut self, ids: usize) {
        for places in &mut self.places {
            if places.len() < ids {
                places.resize(ids, [NOWHERE; 2]);
            }
        }
        if self.partners.len() < ids {
            self.partners.resize(ids, Vec::new());
        }
    }

    fn note_places(&mut self, axis: usize, from: usize) {
        for (at, end) in self.axes[axis].iter().enumerate().skip(from) {
            self.places[axis][end.id as usize][usize::from(end.is_upper)] = at as u32;
        }
    }

    /// Moves an end to its new value, past one neighbour after the other. Where a lower end passes an upper one downwards, or an
    /// upper one a lower one upwards, two intervals begin to overlap.
    fn shift(&mut self, axis: usize, id: u32, is_upper: bool, value: f32) {
        let mut at = self.places[axis][id as usize][usize::from(is_upper)] as usize;
        let list = &mut self.axes[axis];
        let places = &mut self.places[axis];
        list[at].value = value;
        while at > 0 && list[at].is_before(&list[at - 1]) {
            let other = list[at - 1];
            if !is_upper && other.is_upper && other.id != id {
                self.met.push(other.id);
            }
            list.swap(at - 1, at);
            places[other.id as usize][usize::from(other.is_upper)] = at as u32;
            at -= 1;
        }
        while at + 1 < list.len() && list[at + 1].is_before(&list[at]) {
            let other = list[at + 1];
            if is_upper && !other.is_upper && other.id != id {
                self.met.push(other.id);
            }
            list.swap(at + 1, at);
            places[other.id as usize][usize::from(other.is_upper)] = at as u32;
            at += 1;
        }
        places[id as usize][usize::from(is_upper)] = at as u32;
    }

    /// The upper end first, so that it is never below the lower one, unless the new interval lies below the old [Figure 6.6].
    fn shift_interval(&mut self, axis: usize, id: u32, ends: &Ends) {
        let old_low = self.axes[axis][self.places[axis][id as usize][0] as usize].value;
        if ends.high[axis] < old_low {
            self.shift(axis, id, false, ends.low[axis]);
            self.shift(axis, id, true, ends.high[axis]);
        } else {
            self.shift(axis, id, true, ends.high[axis]);
            self.shift(axis, id, false, ends.low[axis]);
        }
    }

    /// A pair that meets now and did not before has begun to overlap on some axis, where its ends have passed each other: it is among
    /// those met. A pair that met before is among the partners.
    fn mend_partners(&mut self, id: u32, boxes: &[Ends]) {
        let ends = &boxes[id as usize];
        let mut partners = std::mem::take(&mut self.partners[id as usize]);
        partners.retain(|&other| {
            let stays = boxes[other as usize].meets(ends);
            if !stays {
                self.partners[other as usize].retain(|&back| back != id);
            }
            stays
        });
        for other in self.met.drain(..) {
            if boxes[other as usize].meets(ends) && !partners.contains(&other) {
                partners.push(other);
                self.partners[other as usize].push(id);
            }
        }
        self.partners[id as usize] = partners;
    }
}

impl Finder for SweepAndPrune {
    /// Sorts all ends, then one sweep along the first axis with the list of open intervals [Figures 6.3, 6.4].
    fn rebuild(&mut self, boxes: &[Ends]) {
        for axis in 0..3 {
            self.places[axis].clear();
            self.places[axis].resize(boxes.len(), [NOWHERE; 2]);
            self.axes[axis].clear();
            for id in existing(boxes) {
                let ends = &boxes[id as usize];
                self.axes[axis].push(End { value: ends.low[axis], id, is_upper: false });
                self.axes[axis].push(End { value: ends.high[axis], id, is_upper: true });
            }
            // −0 and 0 are one place.
            let value = |end: &End| end.value + 0.0;
            self.axes[axis].sort_by(|a, b| value(a).total_cmp(&value(b)).then(a.is_upper.cmp(&b.is_upper)));
            self.note_places(axis, 0);
        }
        for partners in &mut self.partners {
            partners.clear();
        }
        self.partners.resize(boxes.len(), Vec::new());
        let mut open: Vec<u32> = Vec::new();
        for at in 0..self.axes[0].len() {
            let end = self.axes[0][at];
            if end.is_upper {
                open.retain(|&id| id != end.id);
                continue;
            }
            for &other in &open {
                if boxes[other as usize].meets(&boxes[end.id as usize]) {
                    self.partners[other as usize].push(end.id);
                    self.partners[end.id as usize].push(other);
                }
            }
            open.push(end.id);
        }
    }

    fn pairs(&mut self, boxes: &[Ends], take: &mut Take<'_>) -> ControlFlow<()> {
        crate::each::each_with_its_partners(self, boxes, take)
    }

    fn put(&mut self, id: u32, boxes: &[Ends]) {
        self.grow(boxes.len());
        self.met.clear();
        let ends = boxes[id as usize];
        for axis in 0..3 {
            if self.places[axis][id as usize][0] == NOWHERE {
                // Above all others, from where it moves to its place.
                let list = &mut self.axes[axis];
                let from = list.len();
                list.push(End { value: f32::INFINITY, id, is_upper: false });
                list.push(End { value: f32::INFINITY, id, is_upper: true });
                self.note_places(axis, from);
                self.shift(axis, id, false, ends.low[axis]);
                self.shift(axis, id, true, ends.high[axis]);
            } else {
                self.shift_interval(axis, id, &ends);
            }
        }
        self.mend_partners(id, boxes);
    }

    fn take_out(&mut self, id: u32) {
        if self.places[0].get(id as usize).is_none_or(|places| places[0] == NOWHERE) {
            return;
        }
        for axis in 0..3 {
            let first = self.places[axis][id as usize][0] as usize;
            self.axes[axis].retain(|end| end.id != id);
            self.note_places(axis, first);
            self.places[axis][id as usize] = [NOWHERE; 2];
        }
        for other in std::mem::take(&mut self.partners[id as usize]) {
            self.partners[other as usize].retain(|&back| back != id);
        }
    }

    /// The lists know about boxes, not about places: every box is compared.
    fn meeting(&self, ends: &Ends, boxes: &[Ends], found: &mut Vec<u32>) {
        found.extend(existing(boxes).filter(|&id| boxes[id as usize].meets(ends)));
    }

    fn partners(&self, id: u32, _: &[Ends], found: &mut Vec<u32>) {
        found.extend_from_slice(&self.partners[id as usize]);
    }
}
