//! A set of boxes that is kept from step to step.

mod base;
mod error;
mod fat;
mod id;
mod lists;
mod near;
mod places;
mod query;
mod way;

pub use error::{KeptError, TooManyPairs};
pub use id::BoxId;
pub use query::RayHit;
pub use way::Way;

use crate::Frame;
use crate::ends::Ends;
use crate::finder::Finder;
use fat::fatten;
use kontakt_bounds::Aabb;
use kontakt_math::DVec3;
use near::Near;
use places::{Places, meet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use way::Chooser;

/// Near pairs that a set may keep if nobody says otherwise: about a gigabyte.
const LIMIT: usize = 1 << 26;
/// Two bits of an id mean other things in lists.
const MOST_BOXES: usize = 1 << 30;
/// More cannot be addressed.
const MOST_PAIRS: usize = 1 << 30;
/// Where there is no box.
const NOTHING: Aabb = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
/// If one in so many has left its fat box since all were looked up, all are looked up anew: one by one costs about so many times
/// more, and leaves worse order behind.
const REBUILD: usize = 32;
/// And so many more, since looking up few has costs of its own.
const FEW: usize = 32;
/// If one in so many has moved, all near pairs are compared: in order, without looking for those of a box.
const COMPARE_ALL: usize = 8;

/// What has happened to a box since the last update.
const MOVED: u8 = 1;
const ESCAPED: u8 = 2;
/// It has left its fat box since all were looked up.
const LOOSE: u8 = 4;

/// A set of boxes that move, and the pairs of them that overlap or touch, **exactly** those: compared in double precision, closed
/// boxes. Boxes may be points and may reach to infinity.
///
/// A box is kept a little larger than it is, with room for some steps like its last. Pairs of these fat boxes, the near pairs, are
/// found by one of several ways ([`Way`]) and kept; as long as a box stays in its fat box, only its near pairs are compared. No pair
/// is lost: two boxes that meet lie in fat boxes that meet.
///
/// The pairs depend on the boxes alone, not on the way, on the order in which they came or on threads, and are sorted by id.
///
/// For continuous detection keep the box of the whole motion of a step: [`BroadPhase::move_swept`] takes the hull of the boxes at its
/// start and end, which encloses everything between only if the motion is a translation; for others pass a box that does.
///
/// ```
/// use kontakt_bounds::Aabb;
/// use kontakt_broad::BroadPhase;
/// use kontakt_math::DVec3;
/// let at = |x: f64| Aabb { min: DVec3::splat(x), max: DVec3::splat(x + 1.0) };
/// let mut boxes = BroadPhase::new();
/// let [a, b, c] = [boxes.insert(at(0.0))?, boxes.insert(at(1.0))?, boxes.insert(at(5.0))?];
/// assert_eq!(boxes.update()?.pairs, [[a, b]]);
/// boxes.move_to(c, at(1.5))?;
/// let step = boxes.update()?;
/// assert_eq!((step.pairs, step.new), (&[[a, b], [b, c]][..], &[[b, c]][..]));
/// boxes.remove(b)?;
/// assert_eq!(boxes.update()?.lost, [[a, b], [b, c]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BroadPhase {
    way: Chooser,
    finder: Box<dyn Finder>,
    /// That of the way that is not taken now, for a set that chooses.
    other: Option<Box<dyn Finder>>,
    /// By id, as given; `NOTHING` where there is no box.
    boxes: Vec<Aabb>,
    /// The same in `frame`.
    tight: Vec<Ends>,
    /// Last steps of the lower corners.
    steps: Vec<[f32; 3]>,
    /// The fat boxes, as the finder knows them; of boxes that have escaped, as it last knew them.
    fat: Vec<Ends>,
    frame: Frame,
    happened: Vec<u8>,
    moved: Vec<u32>,
    escaped: Vec<u32>,
    /// How many are `LOOSE`.
    loose: usize,
    free: BinaryHeap<Reverse<u32>>,
    /// Removed since the last update: their names are not free yet.
    leaving: Vec<u32>,
    near: Near,
    limit: usize,
    /// Nothing is known about pairs: the next update looks all up.
    stale: bool,
    /// Boxes are kept as they are and every move counts as an escape.
    lean: bool,
    /// Room for looking up.
    raw: Vec<[u32; 2]>,
    ids: Vec<u32>,
}

/// What an update has found. All lists are sorted.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// All pairs of boxes that overlap or touch, the smaller id first.
    pub pairs: &'a [[BoxId; 2]],
    /// Those that the last update did not have.
    pub new: &'a [[BoxId; 2]],
    /// Those that only the last update had; also of boxes removed since.
    pub lost: &'a [[BoxId; 2]],
}

/// A number of pairs, as far as it was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairCount {
    /// So many.
    Exactly(u64),
    /// More than the limit given.
    MoreThan(u64),
}

impl Default for BroadPhase {
    fn default() -> BroadPhase {
        BroadPhase::new()
    }
}

impl BroadPhase {
    /// An empty set that chooses its way by itself.
    pub fn new() -> BroadPhase {
        BroadPhase::with_way(Way::Auto)
    }

    /// An empty set that finds pairs this way.
    pub fn with_way(way: Way) -> BroadPhase {
        let way = Chooser::new(way);
        let finder = way.finder();
        BroadPhase::with(way, finder)
    }

    /// An empty set with a way of the caller's own.
    pub fn with_finder(finder: Box<dyn Finder>) -> BroadPhase {
        BroadPhase::with(Chooser::foreign(), finder)
    }

    fn with(way: Chooser, finder: Box<dyn Finder>) -> BroadPhase {
        BroadPhase {
            other: way.other_finder(),
            way,
            finder,
            boxes: Vec::new(),
            tight: Vec::new(),
            steps: Vec::new(),
            fat: Vec::new(),
            frame: Frame::around([]),
            happened: Vec::new(),
            moved: Vec::new(),
            escaped: Vec::new(),
            loose: 0,
            free: BinaryHeap::new(),
            leaving: Vec::new(),
            near: Near::default(),
            limit: LIMIT,
            stale: true,
            lean: false,
            raw: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// The same set, keeping at most so many near pairs (some more than those that touch); an update that finds more is refused.
    #[must_use]
    pub fn with_limit(self, limit: usize) -> BroadPhase {
        BroadPhase { limit: limit.min(MOST_PAIRS), ..self }
    }

    /// The way in use now; `None` for a way of the caller's own.
    pub fn way(&self) -> Option<Way> {
        self.way.current()
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.boxes.len() - self.free.len() - self.leaving.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The box with this id, if there is one.
    pub fn get(&self, id: BoxId) -> Option<Aabb> {
        self.boxes.get(id.index()).copied().filter(exists)
    }

    /// Adds a box.
    pub fn insert(&mut self, b: Aabb) -> Result<BoxId, KeptError> {
        check(&b)?;
        let id = if let Some(Reverse(id)) = self.free.pop() {
            id
        } else {
            if self.boxes.len() >= MOST_BOXES {
                return Err(KeptError::TooMany);
            }
            self.boxes.push(NOTHING);
            self.tight.push(Ends::NONE);
            self.steps.push([0.0; 3]);
            self.fat.push(Ends::NONE);
            self.happened.push(0);
            self.boxes.len() as u32 - 1
        };
        self.boxes[id as usize] = b;
        self.tight[id as usize] = Ends::of(self.frame, &b);
        self.steps[id as usize] = [0.0; 3];
        self.note(id, MOVED | ESCAPED);
        Ok(BoxId(id))
    }

    /// Gives a box another place or size.
    pub fn move_to(&mut self, id: BoxId, b: Aabb) -> Result<(), KeptError> {
        check(&b)?;
        let at = id.index();
        let old = self.boxes.get_mut(at).filter(|old| exists(old)).ok_or(KeptError::Unknown(id))?;
        let step = (b.min - old.min).to_array().map(|x| x as f32);
        *old = b;
        self.steps[at] = step;
        let ends = Ends::of(self.frame, &b);
        self.tight[at] = ends;
        let stays = !self.lean && self.fat[at].encloses(&ends);
        self.note(id.0, if stays { MOVED } else { MOVED | ESCAPED });
        Ok(())
    }

    /// Moves a box that stands for a whole motion: the hull of the boxes at its start and end. That holds what moves along a
    /// straight line without turning.
    pub fn move_swept(&mut self, id: BoxId, start: Aabb, end: Aabb) -> Result<(), KeptError> {
        check(&start)?;
        check(&end)?;
        self.move_to(id, Aabb { min: start.min.min(end.min), max: start.max.max(end.max) })
    }

    /// Takes a box out; its pairs are lost at the next update.
    pub fn remove(&mut self, id: BoxId) -> Result<(), KeptError> {
        let old = self.boxes.get_mut(id.index()).filter(|old| exists(old)).ok_or(KeptError::Unknown(id))?;
        *old = NOTHING;
        self.tight[id.index()] = Ends::NONE;
        self.leaving.push(id.0);
        self.note(id.0, MOVED | ESCAPED);
        Ok(())
    }

    #[inline]
    fn note(&mut self, id: u32, what: u8) {
        let happened = &mut self.happened[id as usize];
        let added = what & !*happened;
        *happened |= what;
        if added & MOVED != 0 {
            self.moved.push(id);
        }
        if added & ESCAPED != 0 {
            self.escaped.push(id);
        }
    }

    /// Finds all pairs after all changes since the last update. If they are too many to keep, none are given, the set stays as
    /// it is, and the next update compares with the last that succeeded.
    pub fn update(&mut self) -> Result<Step<'_>, TooManyPairs> {
        self.near.begin(self.boxes.len());
        self.way.saw_update();
        self.count_loose();
        if self.stale || self.loose > self.len() / REBUILD + FEW {
            self.look_up_all()?;
            self.near.compare_anew(Places { boxes: &self.boxes, tight: &self.tight });
        } else {
            self.settle()?;
            let places = Places { boxes: &self.boxes, tight: &self.tight };
            if self.moved.len() * COMPARE_ALL > self.len() {
                self.near.compare_all(places);
            } else {
                self.near.compare_some(places, &self.moved);
            }
        }
        self.forget_changes();
        Ok(Step { pairs: &self.near.pairs, new: &self.near.new, lost: &self.near.lost })
    }

    fn count_loose(&mut self) {
        for &id in &self.escaped {
            let happened = &mut self.happened[id as usize];
            self.loose += usize::from(*happened & LOOSE == 0);
            *happened |= LOOSE;
        }
    }

    fn forget_changes(&mut self) {
        for &id in &self.moved {
            self.happened[id as usize] &= LOOSE;
        }
        self.moved.clear();
        self.escaped.clear();
        self.free.extend(self.leaving.drain(..).map(Reverse));
    }

    /// Looks up the boxes that have left their fat boxes.
    fn settle(&mut self) -> Result<(), TooManyPairs> {
        for &id in &self.escaped {
            let ends = &self.tight[id as usize];
            if ends.exists() {
                let step = if self.lean { [0.0; 3] } else { self.steps[id as usize] };
                self.fat[id as usize] = fatten(ends, step, &self.frame);
                self.finder.put(id, &self.fat);
            } else {
                self.fat[id as usize] = Ends::NONE;
                self.finder.take_out(id);
            }
        }
        for &id in &self.escaped {
            self.ids.clear();
            if self.fat[id as usize].exists() {
                self.finder.partners(id, &self.fat, &mut self.ids);
                self.ids.sort_unstable();
            }
            self.near.replace(id, &self.ids);
            if self.near.count() > self.limit {
                return Err(self.give_up());
            }
        }
        Ok(())
    }

    /// Looks up all boxes.
    fn look_up_all(&mut self) -> Result<(), TooManyPairs> {
        if self.way.changes_before(self.len()) {
            self.change_finder();
        }
        self.frame = frame_for(&self.boxes);
        self.lean = false;
        self.fatten_all(self.way.fattens());
        if self.collect().is_break() {
            // Perhaps single precision cannot tell them apart, or fat boxes are too fat: only what touches now is near.
            self.lean = true;
            self.fatten_all(false);
            if self.collect().is_break() {
                return Err(self.give_up());
            }
        }
        self.near.fill(self.boxes.len(), &self.raw);
        self.stale = false;
        Ok(())
    }

    fn give_up(&mut self) -> TooManyPairs {
        self.stale = true;
        self.raw = Vec::new();
        TooManyPairs { limit: self.limit }
    }

    fn fatten_all(&mut self, more: bool) {
        self.loose = 0;
        for (at, b) in self.boxes.iter().enumerate() {
            if !exists(b) {
                self.fat[at] = Ends::NONE;
                self.tight[at] = Ends::NONE;
                self.happened[at] &= !LOOSE;
                continue;
            }
            let ends = Ends::of(self.frame, b);
            self.tight[at] = ends;
            if self.happened[at] & MOVED == 0 {
                self.steps[at] = [0.0; 3];
            }
            self.happened[at] &= !LOOSE;
            self.fat[at] = if more { fatten(&ends, self.steps[at], &self.frame) } else { ends };
        }
        self.finder.rebuild(&self.fat);
        if self.way.changes_after(self.finder.crowding()) {
            self.change_finder();
            self.finder.rebuild(&self.fat);
        }
    }

    fn change_finder(&mut self) {
        if let Some(other) = &mut self.other {
            std::mem::swap(&mut self.finder, other);
        }
    }

    /// All near pairs; in lean times, those of boxes that touch.
    fn collect(&mut self) -> ControlFlow<()> {
        self.raw.clear();
        let (raw, boxes, limit, lean) = (&mut self.raw, &self.boxes, self.limit, self.lean);
        self.finder.pairs(&self.fat, &mut |some| {
            if lean {
                raw.extend(some.iter().filter(|[a, b]| meet(&boxes[*a as usize], &boxes[*b as usize])));
            } else {
                raw.extend_from_slice(some);
            }
            if raw.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    /// Hands all pairs to `take` as they are found, in bunches and in no certain order, until told to stop. Needs memory for the boxes
    /// only, however many pairs there are.
    pub fn visit(&mut self, mut take: impl FnMut(&[[BoxId; 2]]) -> ControlFlow<()>) -> ControlFlow<()> {
        self.frame = frame_for(&self.boxes);
        self.stale = true;
        self.fatten_all(false);
        let boxes = &self.boxes;
        let mut bunch = Vec::new();
        self.finder.pairs(&self.fat, &mut |some| {
            bunch.clear();
            let touching = some.iter().filter(|[a, b]| meet(&boxes[*a as usize], &boxes[*b as usize]));
            bunch.extend(touching.map(|pair| pair.map(BoxId)));
            if bunch.is_empty() { ControlFlow::Continue(()) } else { take(&bunch) }
        })
    }

    /// Counts the pairs, up to a limit, without keeping them.
    pub fn count(&mut self, limit: u64) -> PairCount {
        let mut count = 0;
        let flow = self.visit(|some| {
            count += some.len() as u64;
            if count > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if flow.is_break() { PairCount::MoreThan(limit) } else { PairCount::Exactly(count) }
    }
}

/// The frame around the boxes in the middle: single precision is finest near its origin, and a few boxes far away shall not make
/// it coarse for all.
fn frame_for(boxes: &[Aabb]) -> Frame {
    const SAMPLE: usize = 128;
    let mut places = [[0.0_f64; SAMPLE]; 3];
    let mut count = 0;
    let step = boxes.len().div_ceil(SAMPLE).max(1);
    for b in boxes.iter().step_by(step).filter(|b| b.min.is_finite() && b.max.is_finite()) {
        for (k, list) in places.iter_mut().enumerate() {
            list[count] = b.min[k] * 0.5 + b.max[k] * 0.5;
        }
        count += 1;
    }
    if count == 0 {
        return Frame::around([]);
    }
    for list in &mut places {
        list[..count].sort_unstable_by(f64::total_cmp);
    }
    let at = |i: usize| DVec3::from_array(std::array::from_fn(|k| places[k][i]));
    Frame::around([Aabb { min: at(count / 16), max: at(count - 1 - count / 16) }])
}

#[inline]
fn exists(b: &Aabb) -> bool {
    b.min.x <= b.max.x
}

fn check(b: &Aabb) -> Result<(), KeptError> {
    if b.min.cmple(b.max).all() {
        // At one end of infinity there is no point.
        let nowhere = b.min.cmpeq(DVec3::INFINITY).any() || b.max.cmpeq(DVec3::NEG_INFINITY).any();
        return if nowhere { Err(KeptError::InsideOut) } else { Ok(()) };
    }
    Err(if b.min.is_nan() || b.max.is_nan() { KeptError::NotANumber } else { KeptError::InsideOut })
}
