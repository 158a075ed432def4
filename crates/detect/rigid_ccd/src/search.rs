//! The search for the first contact: pairs of boxes and triangles in the order of time.

// Never late. At every moment the agenda and the spans left open cover all times and all pairs of triangles that are not proven
// free: an item is replaced by items that cover it (its time divided, its boxes opened) except where a proof
// (`sweep`, `Moved::rest`, `Pair::first_contact`) says that they are apart. Items are taken in the order of their beginnings, so
// everything before the beginning of the next item is proven free, but for contacts and open spans noted before, whose
// beginnings are kept. So the least of these three times is certified free.
//
// Memory is bounded: where there is no room for more items the later ones are dropped, and the time from which on they (and all that
// may come of the others) can matter is kept: `rest`. When nothing before it is left, both bodies are asked about from then on anew.

#[cfg(test)]
mod tests;

use crate::agenda::{Agenda, Item, Room, What};
use crate::budget::Budget;
use crate::exact;
use crate::leave::Leaving;
use crate::leaves::{Around, Moved, Run};
use crate::leg::Leg;
use crate::outcome::Outcome;
use crate::pair::{Pair, Spot};
use crate::slab::{Sizes, Slab, ball_around};
use crate::sweep::{Question, Spans, Sweep};
use kontakt_answers::Visits;
use kontakt_hierarchy::packed::Child;
use kontakt_hierarchy::{Packed, WideNode};
use kontakt_math::DVec3;
use kontakt_mesh::Mesh;
use kontakt_schedule::Ledger;

/// A box this many times larger than the other is opened alone.
const SKEW: f32 = 2.5;
/// Time is divided rather than boxes where ways bend by more than this part of the larger box.
const BLUR: f64 = 0.25;
/// Most pieces that time is divided into at once.
const MOST_PIECES: f64 = 16.0;
/// Around whole turns boxes are opened as long as they are larger than this part of the orbit.
const WIDE: f64 = 0.125;
/// A span shorter than this part of its slab gets a slab of its own.
const NARROW: f64 = 0.6;

/// What a leg of the motion brought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Nothing before this time.
    pub(crate) free_until: f64,
    /// The earliest time by which a contact is proven, and the slots of its triangles.
    pub(crate) contact: Option<Met>,
    /// Whether something is left open before the contact, or the end, by more than the tolerance.
    pub(crate) open: bool,
}

/// A proven contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) slots: [u32; 2],
}

/// All that a search on a leg knows: it may be left and taken up again.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    /// Nothing before this time; the agenda, once there is one, covers what comes then.
    from: f64,
    begun: bool,
    tolerance: f64,
    agenda: Agenda,
    slabs: Vec<Slab>,
    /// The agenda covers the times before this one; from then on everything is to be asked anew.
    rest: Option<f64>,
    /// For bodies that touch at the beginning of the leg.
    leaving: Option<Leaving>,
    /// Triangles that may well meet: they are looked at first, so that nothing later need be.
    expected: Option<[u32; 2]>,
    /// The earliest proven contact.
    contact: Option<Met>,
    /// The earliest time that could not be decided.
    undecided: f64,
    /// Spans of a pair of triangles.
    room: Vec<[Spot; 2]>,
}

impl Default for Front {
    fn default() -> Front {
        Front {
            from: 0.0,
            begun: false,
            tolerance: 0.0,
            agenda: Agenda::default(),
            slabs: Vec::new(),
            rest: None,
            leaving: None,
            expected: None,
            room: Vec::new(),
            contact: None,
            undecided: f64::INFINITY,
        }
    }
}

impl Front {
    /// A leg that is proven free before `from`; what was known before is forgotten.
    pub(crate) fn restart(&mut self, from: f64, tolerance: f64, leaving: Option<Leaving>) {
        (self.from, self.begun, self.tolerance, self.leaving) = (from, false, tolerance, leaving);
        (self.rest, self.contact, self.undecided) = (None, None, f64::INFINITY);
        self.expected = None;
    }

    /// What may well meet.
    pub(crate) fn expect(&mut self, slots: Option<[u32; 2]>) {
        self.expected = slots;
    }

    /// What is proven to meet first, as far as that is known.
    pub(crate) fn met(&self) -> Option<[u32; 2]> {
        self.contact.map(|met| met.slots)
    }

    /// **Proven** free before this time, as far as the leg goes. It never falls: what items are replaced by begins no earlier than they
    /// do, and so does what is noted.
    pub(crate) fn free_until(&self) -> f64 {
        let next = if self.begun {
            self.agenda.beginning().or(self.rest).unwrap_or(f64::INFINITY)
        } else {
            self.from
        };
        next.min(self.undecided)
    }
}

/// One leg being searched.
pub(crate) struct Search<'a> {
    pub(crate) leg: &'a Leg<'a>,
    pub(crate) a: &'a Mesh,
    pub(crate) b: &'a Mesh,
    pub(crate) sizes: Option<Sizes>,
    pub(crate) sweep: Sweep,
    pub(crate) room: Room,
    pub(crate) front: &'a mut Front,
    pub(crate) visits: &'a mut Visits,
    /// All work that may be spent on the question: units are a pair of nodes or a look at a pair of triangles.
    pub(crate) budget: &'a mut Budget,
    /// The work that may be spent on it now.
    pub(crate) ledger: &'a mut Ledger,
}

/// How far the items of an agenda led.
enum Went {
    /// None is left that matters.
    Through,
    /// The budget, or the room, is used up: nothing before this time.
    Open(f64),
    /// To be continued.
    Paused,
}

/// Corners of the triangle in a slot, in its body's frame.
pub(crate) fn corners(mesh: &Mesh, slot: u32) -> [DVec3; 3] {
    mesh.tree().corners()[slot as usize].map(|vertex| mesh.faces().vertices()[vertex as usize])
}

impl Search<'_> {
    /// Until the first contact is found, the leg is proven free, or the work is used up; `None` where that is to be continued.
    pub(crate) fn go_on(&mut self) -> Option<Found> {
        loop {
            if !self.front.begun {
                let from = self.front.from;
                if let Some([a, b]) = self.front.expected.take() {
                    self.look_at_expected(from, [a, b]);
                }
                self.begin(from, self.leg.end);
                self.front.begun = true;
            }
            match self.go_through() {
                Went::Paused => return None,
                Went::Open(time) => return Some(self.found(Some(time))),
                Went::Through => {}
            }
            // Nothing before the rest, which is before the end, is left but contacts and open spans noted.
            let last = self.front.undecided + self.front.tolerance;
            match self.front.rest.filter(|&rest| rest < self.limit() && rest <= last) {
                Some(rest) => (self.front.from, self.front.begun) = (rest, false),
                None => return Some(self.found(None)),
            }
        }
    }

    fn found(&self, first_open: Option<f64>) -> Found {
        let end = self.leg.end;
        let Front { contact, undecided, tolerance, .. } = *self.front;
        let lo = undecided.min(first_open.unwrap_or(f64::INFINITY));
        let free_until = contact.map_or(lo.min(end), |met| lo.min(met.lo));
        let open = match contact {
            Some(met) => met.hi - free_until > 1.01 * tolerance,
            None => lo <= end,
        };
        Found { free_until, contact, open }
    }

    /// Both bodies from one time to another, and nothing else.
    fn begin(&mut self, lo: f64, hi: f64) {
        self.front.agenda.clear();
        self.front.slabs.clear();
        self.front.rest = None;
        let hi = hi.min(self.limit());
        let slab = self.new_slab(lo, hi);
        self.add(Item { lo, hi, what: What::Whole, slab, depth: 0 });
    }

    /// Takes item after item.
    fn go_through(&mut self) -> Went {
        loop {
            let Some(lo) = self.front.agenda.beginning() else { return Went::Through };
            // All others begin later still.
            if lo > self.limit() || lo > self.front.undecided + self.front.tolerance {
                return Went::Through;
            }
            // Before an item is taken: put back it might stand elsewhere among its equals.
            if self.ledger.is_spent() {
                return Went::Paused;
            }
            let Some(item) = self.front.agenda.next() else { return Went::Through };
            if self.budget.is_spent() {
                return Went::Open(item.lo);
            }
            self.spend(1);
            if self.front.agenda.len() >= self.room.items || self.front.slabs.len() >= self.room.slabs {
                self.add(item);
                if !self.make_room(item.lo) {
                    return Went::Open(item.lo);
                }
                continue;
            }
            self.take(Item { hi: item.hi.min(self.limit()), ..item });
        }
    }

    fn spend(&mut self, units: u64) {
        self.budget.spend(units);
        self.ledger.spend(units);
    }

    /// Room for as many items and slabs again as are left, by dropping what is later; false where that is not possible.
    ///
    /// Where all begin at the same time, `first`, a shorter time is asked about, from then on: boxes sweep over less in it.
    /// It goes on beyond the rest by the tolerance, so that a contact before the rest can be proven.
    fn make_room(&mut self, first: f64) -> bool {
        self.front.agenda.drop_unused(&mut self.front.slabs);
        while self.front.agenda.len() > self.room.items / 2 || self.front.slabs.len() > self.room.slabs / 2 {
            if let Some(rest) = self.front.agenda.drop_later_half(self.leg.end) {
                self.front.agenda.drop_unused(&mut self.front.slabs);
                self.front.rest = Some(rest);
                continue;
            }
            let rest = first + 0.5 * (self.front.rest.unwrap_or(self.leg.end) - first);
            if rest - first <= 0.5 * self.front.tolerance || rest.is_nan() {
                return false;
            }
            self.begin(first, rest + self.front.tolerance);
            self.front.rest = Some(rest);
        }
        true
    }

    /// Onto the agenda, unless everything is to be asked anew from its beginning on.
    fn add(&mut self, item: Item) {
        if self.front.rest.is_none_or(|rest| item.lo < rest) {
            self.front.agenda.add(item);
        }
    }

    /// Times after this one no longer matter.
    fn limit(&self) -> f64 {
        self.front.contact.map_or(self.leg.end, |met| met.hi)
    }

    fn new_slab(&mut self, lo: f64, hi: f64) -> u32 {
        let slab = Slab::new(self.leg, self.sizes.as_ref(), lo, hi);
        self.front.slabs.push(slab);
        self.front.slabs.len() as u32 - 1
    }

    /// The item's slab, or a new one where its span is much shorter.
    fn slab_of(&mut self, item: &Item) -> u32 {
        let slab = &self.front.slabs[item.slab as usize];
        if item.hi - item.lo < NARROW * (slab.end - slab.start) {
            self.new_slab(item.lo, item.hi)
        } else {
            item.slab
        }
    }

    fn take(&mut self, item: Item) {
        match item.what {
            What::Whole => self.open_whole(&item),
            What::Boxes { a, b, lanes } => self.boxes(&item, a, b, lanes.map(usize::from)),
            What::Faces { a, b } => self.faces(&item, a, b),
        }
    }

    /// The roots, opened after time has been divided so far that their ways hardly bend.
    fn open_whole(&mut self, item: &Item) {
        let slab = &self.front.slabs[item.slab as usize];
        let (tree_a, tree_b) = (self.a.tree(), self.b.tree());
        let whole = |tree: &Packed| (tree.origin(), 1.7321 * 2.0_f64.powi(tree.exponent()));
        let blur = self.blur(slab, whole(tree_a), whole(tree_b));
        let size = whole(tree_a).1.max(whole(tree_b).1);
        if blur.orbit && self.leg.orbits_apart(whole(tree_a), whole(tree_b), &slab.relative) {
            return;
        }
        if !(blur.orbit && size > WIDE * blur.sum) && self.divided(item, blur.sum, size) {
            return;
        }
        self.open((0, u32::MAX), (0, u32::MAX), item, item.slab, blur);
    }

    /// Bows of the points of two balls over a slab.
    fn blur(&self, slab: &Slab, (a, radius_a): (DVec3, f64), (b, radius_b): (DVec3, f64)) -> Blur {
        let span = slab.span();
        let start = &slab.relative[0];
        let times = [slab.start, slab.end];
        let bends =
            [self.leg.bend_of_a(a, radius_a, start, span), self.leg.bend_of_b(b, radius_b, start, span)];
        let of_a = bends[0].bow(span) + self.leg.blur_of_a(a, radius_a, start, times);
        let of_b = bends[1].bow(span) + self.leg.blur_of_b(b, radius_b, start, times);
        let orbit = bends.iter().any(|bend| bend.is_bounded_only(span / MOST_PIECES));
        Blur { of_a, of_b, sum: of_a.max(of_b), orbit }
    }

    /// Divides the item's time if ways bend too much beside a size; false if that is not needed or not possible.
    fn divided(&mut self, item: &Item, blur: f64, size: f64) -> bool {
        if blur <= BLUR * size || blur.is_nan() || size.is_nan() {
            return false;
        }
        let pieces = (blur / (0.5 * BLUR * size)).sqrt().ceil().clamp(2.0, MOST_PIECES);
        let step = (item.hi - item.lo) / pieces;
        if step <= 64.0 * f64::EPSILON * item.hi || step.is_nan() {
            return false;
        }
        let mut lo = item.lo;
        for piece in 1..=pieces as u32 {
            let hi = if f64::from(piece) == pieces { item.hi } else { item.lo + step * f64::from(piece) };
            let slab = self.new_slab(lo, hi);
            self.add(Item { lo, hi, slab, ..*item });
            lo = hi;
        }
        true
    }

    fn boxes(&mut self, item: &Item, a: u32, b: u32, [i, j]: [usize; 2]) {
        let slab_id = self.slab_of(item);
        let item = &Item { slab: slab_id, ..*item };
        let (tree_a, tree_b) = (self.a.tree(), self.b.tree());
        let (in_a, in_b) = (&tree_a.nodes()[a as usize], &tree_b.nodes()[b as usize]);
        let (ball_a, ball_b) = (ball_around(tree_a, in_a, i), ball_around(tree_b, in_b, j));
        let blur = self.blur(&self.front.slabs[slab_id as usize], ball_a, ball_b);
        let (child_a, child_b) = (Child::decode(in_a.child[i]), Child::decode(in_b.child[j]));
        let (size_a, size_b) = (ball_a.1, ball_b.1);
        let size = size_a.max(size_b);
        if blur.orbit && self.leg.orbits_apart(ball_a, ball_b, &self.front.slabs[slab_id as usize].relative) {
            return;
        }
        if let (Child::Leaf { first, count }, Child::Leaf { first: first_b, count: count_b }) =
            (child_a, child_b)
        {
            let runs = [Run { first, count }, Run { first: first_b, count: count_b }];
            if blur.orbit && self.orbits_miss(runs, slab_id) {
                return;
            }
            // Triangles are followed at any speed, but not around whole turns.
            if self.divided(item, 0.1 * blur.sum, size) {
                return;
            }
            return self.leaves(item, runs, ball_b);
        }
        // Where only whole orbits are known, and for many turns, smaller boxes tell more than shorter times.
        if !(blur.orbit && size > WIDE * blur.sum) && self.divided(item, blur.sum, size) {
            return;
        }
        let skew = f64::from(SKEW);
        match (child_a, child_b) {
            (Child::Inner(x), Child::Inner(y)) => {
                if size_a > skew * size_b {
                    self.open((x, u32::MAX), (b, 1 << j), item, slab_id, blur);
                } else if size_b > skew * size_a {
                    self.open((a, 1 << i), (y, u32::MAX), item, slab_id, blur);
                } else {
                    self.open((x, u32::MAX), (y, u32::MAX), item, slab_id, blur);
                }
            }
            (Child::Inner(x), Child::Leaf { .. }) => {
                self.open((x, u32::MAX), (b, 1 << j), item, slab_id, blur);
            }
            (Child::Leaf { .. }, Child::Inner(y)) => {
                self.open((a, 1 << i), (y, u32::MAX), item, slab_id, blur);
            }
            _ => {}
        }
    }

    /// Puts the pairs of children that may meet on the agenda.
    fn open(
        &mut self,
        (a, rows): (u32, u32),
        (b, columns): (u32, u32),
        item: &Item,
        slab_id: u32,
        blur: Blur,
    ) {
        let slab = &self.front.slabs[slab_id as usize];
        let (node_a, node_b) = (&self.a.tree().nodes()[a as usize], &self.b.tree().nodes()[b as usize]);
        let span = slab.end - slab.start;
        let mut spans = Spans::NONE;
        let pairs = match (&slab.sight, &self.sizes) {
            (Some(sight), Some(sizes)) if span > 0.0 => {
                let clip = [(item.lo - slab.start) / span, (item.hi - slab.start) / span];
                let question = Question {
                    sight,
                    a: node_a,
                    b: node_b,
                    rows,
                    columns,
                    bow_a: (blur.of_a / sizes.unit_b) as f32,
                    bow_b: (blur.of_b / sizes.unit_a) as f32,
                    // A little wider than asked: rounding must not cut anything off.
                    clip: [(clip[0] - 1e-6) as f32, (clip[1] + 1e-6) as f32],
                };
                (self.sweep)(&question, &mut spans)
            }
            _ => {
                spans = Spans::WHOLE;
                all_pairs(node_a, node_b, rows, columns)
            }
        };
        self.visits.volume_tests += u64::from(rows.count_ones().min(8) * columns.count_ones().min(8));
        let (start, end) = (slab.start, slab.end);
        let mut left = pairs;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let [enter, leave] = spans.of(bit).map(f64::from);
            // Shares beyond the ends only say that they are not cut; two steps cover the rounding of the sum.
            let lo = if enter <= 0.0 { start } else { (start + enter * span).next_down().next_down() };
            let hi = if leave >= 1.0 { end } else { (start + leave * span).next_up().next_up() };
            let (lo, hi) = (lo.max(item.lo), hi.min(item.hi));
            if lo <= hi {
                let what = What::Boxes { a, b, lanes: [(bit >> 3) as u8, (bit & 7) as u8] };
                self.add(Item { lo, hi, what, slab: slab_id, depth: item.depth + 1 });
            }
        }
    }

    /// Whether all triangles of two leaves are proven apart by their orbits.
    fn orbits_miss(&self, [x, y]: [Run; 2], slab_id: u32) -> bool {
        let ends = &self.front.slabs[slab_id as usize].relative;
        (0..x.count).all(|i| {
            let a = corners(self.a, x.first + i);
            (0..y.count).all(|j| self.leg.orbits_miss(a, corners(self.b, y.first + j), ends))
        })
    }

    /// Pairs of triangles of two leaves that are not kept apart by the obvious planes.
    fn leaves(&mut self, item: &Item, [x, y]: [Run; 2], (centre, radius): (DVec3, f64)) {
        let slab = &self.front.slabs[item.slab as usize];
        let span = slab.span();
        let first = &slab.relative[0];
        let acceleration = self.leg.bend_of_b(centre, radius, first, span).acceleration;
        let blur = self.leg.blur_of_b(centre, radius, first, [slab.start, slab.end]);
        let bow = [acceleration * span * span * (1.0 + 1e-15), blur];
        let moved = Moved::new(slab, (0..y.count).map(|j| corners(self.b, y.first + j)), bow);
        self.visits.face_tests += u64::from(x.count * y.count);
        let (start, length) = (slab.start, slab.end - slab.start);
        for i in 0..x.count {
            let a = corners(self.a, x.first + i);
            let around = Around::of(&a);
            for j in 0..y.count {
                if !moved.may_reach(j as usize, &around) {
                    continue;
                }
                let Some(rest) = moved.rest(a, j as usize) else { continue };
                let lo = (start + rest.from * length).next_down().next_down().max(item.lo);
                let hi = (start + rest.to * length).next_up().next_up().min(item.hi);
                if lo <= hi {
                    let what = What::Faces { a: x.first + i, b: y.first + j };
                    self.add(Item { lo, hi, what, depth: item.depth + 1, slab: item.slab });
                }
            }
        }
    }

    /// Two triangles that may well meet, from the beginning on; for bodies that touch there it is not they who tell.
    fn look_at_expected(&mut self, from: f64, [a, b]: [u32; 2]) {
        let slots = [self.a, self.b].map(|mesh| mesh.tree().order().len() as u32);
        if self.front.leaving.is_none() && a < slots[0] && b < slots[1] {
            let what = What::Faces { a, b };
            self.faces(&Item { lo: from, hi: self.leg.end, what, slab: 0, depth: 0 }, a, b);
        }
    }

    fn faces(&mut self, item: &Item, a: u32, b: u32) {
        let pair = Pair { leg: self.leg, a: corners(self.a, a), b: corners(self.b, b) };
        let mut looks = 0;
        let mut lo = item.lo;
        if lo <= self.leg.start
            && let Some(leaving) = &mut self.front.leaving
            && exact::meet(leaving.between(), pair.a, pair.b, self.visits)
            && let Some(until) = leaving.free_until(self.leg, pair.a, pair.b)
        {
            lo = until;
            if lo >= item.hi {
                return;
            }
        }
        let room = &mut self.front.room;
        let outcome = pair.first_contact([lo, item.hi], self.front.tolerance, room, &mut looks);
        self.spend(looks);
        self.visits.face_tests += looks;
        match outcome {
            Outcome::Free => {}
            Outcome::Contact { lo, hi } => {
                let earlier =
                    self.front.contact.is_none_or(|met| hi < met.hi || (hi == met.hi && lo < met.lo));
                self.front.undecided = self.front.undecided.min(lo);
                if earlier {
                    self.front.contact = Some(Met { lo, hi, slots: [a, b] });
                }
            }
            Outcome::Open { lo, .. } => self.front.undecided = self.front.undecided.min(lo),
        }
    }
}

/// Bows of the points of A in B's frame and of B in A's.
#[derive(Clone, Copy, Debug)]
struct Blur {
    of_a: f64,
    of_b: f64,
    sum: f64,
    /// The span is so long that whole orbits are all that is known.
    orbit: bool,
}

/// The pairs of all used lanes.
fn all_pairs(a: &WideNode, b: &WideNode, rows: u32, columns: u32) -> u64 {
    let used = |node: &WideNode| (0..8).fold(0, |bits, i| bits | u32::from(node.half[0][i] >= 0.0) << i);
    let (rows, columns) = (rows & used(a), columns & used(b));
    (0..8).map(|i| if rows >> i & 1 == 0 { 0 } else { u64::from(columns) << (8 * i) }).sum()
}
