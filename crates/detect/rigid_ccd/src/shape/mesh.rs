//! A mesh against a convex shape, both moving: when they first meet, never late.

// Never late: at every moment the heap and what is noted cover all triangles and all times that are not proven free. A part of the mesh
// (the ball around a box of its hierarchy) is replaced by what it holds, from the time on until which planes prove the ball apart
// from the shape; parts are taken in the order of these times.

use super::around::Parts;
use super::piece::Piece;
use super::pursuit::Pursuit;
use super::{MovingShape, resolved};
use crate::asker::MotionQuery;
use crate::budget::Budget;
use crate::leg::Leg;
use crate::legs::leg_of;
use crate::legs::{self, Before, Bodies, Entered, Reached, Start};
use crate::moving::{MotionOptions, MovingMesh};
use crate::normal::{Around, Site, slots_near};
use crate::outcome::Outcome;
use crate::report::source_face;
use crate::search::corners;
use crate::slab::ball_around;
use kontakt_answers::{Contact, Impact, Initial};
use kontakt_convex::{ConvexQuery as AtRest, Verdict};
use kontakt_hierarchy::packed::Child;
use kontakt_math::DVec3;
use kontakt_math::order::Total;
use kontakt_math::round::length_up;
use kontakt_mesh::{Mesh, PlacedMesh};
use kontakt_schedule::Ledger;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A ball nearer than this part of its radius is opened.
const OPEN: f64 = 0.25;
/// Most faces around a contact whose own normals are tried.
const MOST_TRIED: usize = 8;

/// A part of the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Child { node: u32, lane: u8 },
    Face(u32),
}

/// A time before which a part is free, and the part: the earliest is the greatest; of equals faces, which lead to an answer.
type Item = (Reverse<Total>, Part);

fn item(lo: f64, part: Part) -> Item {
    (Reverse(Total(lo)), part)
}

/// The earliest proven contact: the face's slot and the piece.
#[derive(Clone, Copy, Debug)]
struct Met {
    hi: f64,
    slot: u32,
    piece: usize,
}

/// A face and a piece that were not proven apart where the motion begins, and how they lie there.
#[derive(Clone, Copy, Debug)]
struct Close {
    slot: u32,
    piece: usize,
    verdict: Verdict,
}

/// One leg of the motion.
struct Hunt<'a> {
    mesh: MovingMesh<'a>,
    pieces: &'a [Piece<'a>],
    /// Seen from the mesh, and from the shape.
    legs: [Leg<'a>; 2],
    tolerance: f64,
    heap: BinaryHeap<Item>,
    met: Option<Met>,
    /// Free before this time, but for what is on the heap.
    noted: f64,
    close: Vec<Close>,
}

impl<'a> Hunt<'a> {
    fn new(
        mesh: MovingMesh<'a>,
        shape: MovingShape<'a>,
        pieces: &'a [Piece<'a>],
        span: [f64; 2],
        tolerance: f64,
    ) -> Hunt<'a> {
        let near = pieces.first().map_or(DVec3::ZERO, |piece| piece.centre);
        let origin = mesh.mesh.tree().origin();
        let legs = [
            leg_of([mesh.motion, shape.motion], span, [origin, near]),
            leg_of([shape.motion, mesh.motion], span, [near, origin]),
        ];
        let mut hunt = Hunt {
            mesh,
            pieces,
            legs,
            tolerance,
            heap: BinaryHeap::new(),
            met: None,
            noted: f64::INFINITY,
            close: Vec::new(),
        };
        hunt.open(Child::Inner(0), span[0]);
        hunt
    }

    /// A part of the mesh after a piece of the shape. Half-spaces are at rest in the frame of the pursuit.
    fn pursuit<'q>(&'q self, part: &'q Piece<'q>, piece: usize, enough: f64) -> Pursuit<'q> {
        let piece = &self.pieces[piece];
        let back = piece.wall.is_some();
        let [a, b] = if back { [piece, part] } else { [part, piece] };
        Pursuit { leg: &self.legs[usize::from(back)], a, b, tolerance: self.tolerance, enough }
    }

    /// Times after this one no longer matter.
    fn limit(&self) -> f64 {
        self.met.map_or(self.legs[0].end, |met| met.hi)
    }

    /// Puts what a child holds on the heap.
    fn open(&mut self, child: Child, lo: f64) {
        match child {
            Child::Inner(node) => {
                let Some(children) = self.mesh.mesh.tree().nodes().get(node as usize) else { return };
                for lane in 0..children.children().count() {
                    self.heap.push(item(lo, Part::Child { node, lane: lane as u8 }));
                }
            }
            Child::Leaf { first, count } => {
                self.heap.extend((first..first + count).map(|slot| item(lo, Part::Face(slot))));
            }
            Child::Empty => {}
        }
    }

    /// Takes what may meet up to a time, the earliest first. False where that ended early: the budget is spent, or an overlap
    /// at the beginning found.
    fn go_on(&mut self, at_rest: &mut AtRest, last: f64, budget: &mut Budget, looks: &mut u64) -> bool {
        while let Some((Reverse(Total(lo)), part)) = self.heap.pop() {
            if lo > last.min(self.limit()) || lo > self.noted + self.tolerance {
                self.heap.push(item(lo, part));
                return true;
            }
            if budget.is_spent() {
                self.noted = self.noted.min(lo);
                return false;
            }
            budget.spend(1);
            match part {
                Part::Child { node, lane } => {
                    self.child(at_rest, node, usize::from(lane), lo, budget, looks);
                }
                Part::Face(slot) => self.face(at_rest, slot, lo, budget, looks),
            }
            if self.overlaps() {
                return false;
            }
        }
        true
    }

    /// Whether a face passes through a piece at the beginning.
    fn overlaps(&self) -> bool {
        self.close.last().is_some_and(|close| close.verdict == Verdict::Overlapping)
    }

    /// Follows the ball around a child until it is near the shape, then opens it.
    fn child(
        &mut self,
        at_rest: &mut AtRest,
        node: u32,
        lane: usize,
        lo: f64,
        budget: &mut Budget,
        looks: &mut u64,
    ) {
        let tree = self.mesh.mesh.tree();
        let wide = &tree.nodes()[node as usize];
        let (centre, radius) = ball_around(tree, wide, lane);
        let (centre, mut near) = ([centre], f64::INFINITY);
        let ball = Piece::of_ball(&centre, radius);
        for piece in 0..self.pieces.len() {
            let pursuit = self.pursuit(&ball, piece, OPEN * radius);
            match pursuit.follow(at_rest, [lo, self.limit()], budget, looks).outcome {
                Outcome::Free => {}
                Outcome::Contact { lo, .. } | Outcome::Open { lo, .. } => near = near.min(lo),
            }
        }
        if near < f64::INFINITY {
            self.open(Child::decode(wide.child[lane]), near);
        }
    }

    /// Follows a triangle; pairs that do not begin apart wait until it is known how the motion starts.
    fn face(&mut self, at_rest: &mut AtRest, slot: u32, lo: f64, budget: &mut Budget, looks: &mut u64) {
        let triangle = corners(self.mesh.mesh, slot);
        let part = Piece::of_points(&triangle);
        for piece in 0..self.pieces.len() {
            let pursuit = self.pursuit(&part, piece, 0.0);
            let pursued = pursuit.follow(at_rest, [lo, self.limit()], budget, looks);
            if lo == 0.0 && !pursued.began_apart {
                let verdict = pursuit.at_start(at_rest).map_or(Verdict::Undecided, |answer| answer.verdict);
                self.close.push(Close { slot, piece, verdict });
                if verdict == Verdict::Overlapping {
                    return;
                }
                continue;
            }
            let outcome = pursuit.settled(at_rest, pursued.outcome, budget, looks);
            self.take(outcome, slot, piece);
        }
    }

    /// The pairs that did not begin apart, now that the motion is known not to start in overlap.
    fn after_touch(&mut self, at_rest: &mut AtRest, budget: &mut Budget, looks: &mut u64) {
        for Close { slot, piece, .. } in std::mem::take(&mut self.close) {
            let triangle = corners(self.mesh.mesh, slot);
            let part = Piece::of_points(&triangle);
            let pursuit = self.pursuit(&part, piece, 0.0);
            let wall = self.pieces[piece].wall.is_some();
            let other = Pursuit { leg: &self.legs[1], a: pursuit.b, b: pursuit.a, ..pursuit };
            let other = (!wall).then_some(&other);
            let outcome = pursuit.after_touch(other, at_rest, self.limit(), budget, looks);
            let outcome = pursuit.settled(at_rest, outcome, budget, looks);
            self.take(outcome, slot, piece);
        }
    }

    fn take(&mut self, outcome: Outcome, slot: u32, piece: usize) {
        match outcome {
            Outcome::Free => {}
            Outcome::Open { lo, .. } => self.noted = self.noted.min(lo),
            Outcome::Contact { lo, hi } => {
                self.noted = self.noted.min(lo);
                if self.met.is_none_or(|met| hi < met.hi) {
                    self.met = Some(Met { hi, slot, piece });
                }
            }
        }
    }

    /// What is found at the contact: the face, nearest points and normal at the beginning of its time, to rounding.
    fn contact(&self, at_rest: &mut AtRest, met: &Met, lo: f64) -> Option<Contact> {
        let triangle = corners(self.mesh.mesh, met.slot);
        let part = Piece::of_points(&triangle);
        let pursuit = self.pursuit(&part, met.piece, 0.0);
        let (found, _) = pursuit.contact_at(at_rest, lo)?;
        let feature_a = Some(source_face(self.mesh.mesh, met.slot));
        if self.pieces[met.piece].wall.is_some() {
            return Some(Contact { feature_a, ..found.swapped() });
        }
        let normal = self.normal(at_rest, met, lo).map_or(found.normal, |n| pursuit.leg.a.at(lo).turn * n);
        Some(Contact { feature_a, normal, ..found })
    }

    /// The normal at a contact with a piece that is no half-space, in the mesh's frame: see `normal`.
    fn normal(&self, at_rest: &mut AtRest, met: &Met, lo: f64) -> Option<DVec3> {
        let (mesh, piece, leg) = (self.mesh.mesh, &self.pieces[met.piece], &self.legs[0]);
        let near = |at_rest: &mut AtRest, slot: u32| {
            let triangle = corners(mesh, slot);
            let part = Piece::of_points(&triangle);
            self.pursuit(&part, met.piece, 0.0).nearest_at(at_rest, lo).map(|found| found.near)
        };
        let [own, other] = near(at_rest, met.slot)?.points;
        let size = piece.radius + piece.round[1];
        let triangle = corners(mesh, met.slot);
        let extent = triangle.iter().fold(size, |far, x| far.max(x.distance(triangle[0])));
        let reach = 3.0 * own.distance(other) + 1e-9 * extent;
        let slots = slots_near(mesh, own, reach, met.slot);
        let around = Around::of(own, reach, slots.iter().map(|&slot| corners(mesh, slot)));
        let relative = leg.relative(lo);
        let there = relative.a_in_b(other);
        let parts = Parts::new(at_rest, self.pieces, met.piece, (there, reach), relative.turn);
        let tried = slots.iter().take(MOST_TRIED);
        let mut candidates: Vec<DVec3> =
            tried.filter_map(|&slot| near(at_rest, slot)).map(|near| near.direction).collect();
        candidates.extend(around.normals());
        let facets = piece.facets().into_iter();
        candidates.extend(
            facets.flat_map(|facets| facets.normals().map(|n| relative.turn * n).collect::<Vec<_>>()),
        );
        let (above, below) = (|n: DVec3| around.above(n), |n: DVec3| parts.above(-n));
        Site { above: &above, below: &below, velocity: leg.velocity(there, lo) }.best(candidates.into_iter())
    }
}

/// Whether balls around a piece and the mesh leave room for the one in the other; `offset` is the piece's centre in the mesh's frame, with
/// a bound of its error.
fn may_be_inside(mesh: &Mesh, piece: &Piece, (offset, error): (DVec3, f64)) -> bool {
    let size = 1.7321 * 2.0_f64.powi(mesh.tree().exponent());
    let reach = (size + piece.radius + piece.round[1] + error) * (1.0 + 1e-9);
    let away = length_up(offset - mesh.tree().origin()) * (1.0 - 1e-12);
    away <= reach || away.is_nan() || reach.is_nan()
}

/// A mesh and a shape on a leg.
struct MeshAndShape<'q, 'a> {
    asker: &'q mut MotionQuery,
    mesh: MovingMesh<'a>,
    shape: MovingShape<'a>,
    pieces: &'a [Piece<'a>],
    tolerance: f64,
    hunt: Option<Hunt<'a>>,
    /// Whether everything that is near where the motion begins has been looked at.
    begun: bool,
}

impl Bodies for MeshAndShape<'_, '_> {
    fn enter(&mut self, span: [f64; 2], budget: &mut Budget, _: &mut Ledger) -> Entered {
        let hunt = self.hunt.insert(Hunt::new(self.mesh, self.shape, self.pieces, span, self.tolerance));
        if span[0] != 0.0 {
            return Entered::Apart(span[0]);
        }
        let mut looks = 0;
        self.begun = hunt.go_on(&mut self.asker.shapes_at_rest, 0.0, budget, &mut looks);
        self.asker.visits.volume_tests += looks;
        let relative = hunt.legs[0].relative(0.0);
        let offset = |piece: &Piece| (relative.b_in_a(piece.centre), relative.error_within(piece.far));
        let apart = self.begun
            && hunt.close.is_empty()
            && !self.pieces.iter().any(|piece| may_be_inside(self.mesh.mesh, piece, offset(piece)));
        if apart { Entered::Apart(span[0]) } else { Entered::Unknown }
    }

    fn start(&mut self, _: &Budget, _: &mut Ledger) -> Start {
        let Some(hunt) = &self.hunt else { return Start::Unknown };
        if hunt.overlaps() {
            return Start::Known(Initial::Overlapping);
        }
        if !self.begun {
            return Start::Unknown;
        }
        let mesh = PlacedMesh::new(self.mesh.mesh, self.mesh.motion.pose_at(0.0));
        match self.asker.mesh_and_shape_at_rest.intersect(mesh, self.shape.start()) {
            Verdict::Undecided => Start::Unknown,
            Verdict::Separate => Start::Known(Initial::Separate),
            Verdict::Touching => Start::Known(Initial::Touching),
            Verdict::Overlapping => Start::Known(Initial::Overlapping),
        }
    }

    fn first_contact(&mut self, _: Before, budget: &mut Budget, _: &mut Ledger) -> Reached {
        let Some(mut hunt) = self.hunt.take() else { return Reached::Open(0.0) };
        let at_rest = &mut self.asker.shapes_at_rest;
        let mut looks = 0;
        hunt.after_touch(at_rest, budget, &mut looks);
        hunt.go_on(at_rest, f64::INFINITY, budget, &mut looks);
        self.asker.visits.volume_tests += looks;
        match hunt.met {
            Some(met) if met.hi - hunt.noted <= 1.01 * self.tolerance => {
                let contact = hunt.contact(at_rest, &met, hunt.noted);
                Reached::Contact { lo: hunt.noted, hi: met.hi, contact }
            }
            _ if hunt.noted <= hunt.legs[0].end => Reached::Open(hunt.noted),
            _ => Reached::End,
        }
    }
}

impl MotionQuery {
    /// When the faces of a moving mesh and a moving convex shape (or union, or half-space) first meet. A start in overlap, or of one
    /// inside the other, is contact at 0. **Never late**; contact is proven by the end of the time's range.
    pub fn impact_of_mesh_and_shape(
        &mut self,
        mesh: MovingMesh,
        shape: MovingShape,
        options: &MotionOptions,
    ) -> Impact {
        let whole = resolved(shape.shape);
        let shape = MovingShape { shape: &whole, ..shape };
        let pieces = shape.pieces();
        let tolerance = options.sound_tolerance();
        let mut both =
            MeshAndShape { asker: self, mesh, shape, pieces: &pieces, tolerance, hunt: None, begun: false };
        legs::impact(&mut both, [mesh.motion, shape.motion], options)
    }
}
