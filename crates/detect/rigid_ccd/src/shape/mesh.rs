//! A mesh against a convex shape, both moving: when they first meet, never late.

// Never late: at every moment the heap and what is noted cover all triangles and all times that are not proven free. A part of the mesh
// (the ball around a box of its hierarchy) is replaced by what it holds, from the time on until which planes prove the ball apart
// from the shape; parts are taken in the order of these times.

use super::MovingShape;
use super::piece::Piece;
use super::pursuit::Pursuit;
use crate::asker::{Asker, Moving, Options, leg_of, times};
use crate::leg::Leg;
use crate::pair::Outcome;
use crate::search::corners;
use crate::shape::leave::free_until;
use crate::slab::ball_around;
use kontakt_answers::{Contact, Feature, Impact, Initial, Range};
use kontakt_convex::{Asker as AtRest, Shape, Verdict, Want};
use kontakt_hierarchy::packed::Child;
use kontakt_math::{Between, Chain, DVec3};
use kontakt_mesh::{Placed, Verdict as Where};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A ball nearer than this part of its radius is opened.
const OPEN: f64 = 0.25;
/// Most planes for a triangle that leaves a touch.
const MOST_AFTER_TOUCH: u64 = 100_000;

/// A part of the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Child { node: u32, lane: u8 },
    Face(u32),
}

/// Free before `lo`.
#[derive(Clone, Copy, Debug)]
struct Item {
    lo: f64,
    part: Part,
}

impl PartialEq for Item {
    fn eq(&self, other: &Item) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Item {}

impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Item) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The earliest is the greatest; of equals faces, which lead to an answer.
impl Ord for Item {
    fn cmp(&self, other: &Item) -> Ordering {
        other.lo.total_cmp(&self.lo).then(self.part.cmp(&other.part))
    }
}

/// The earliest proven contact: the face's slot and the piece.
#[derive(Clone, Copy, Debug)]
struct Met {
    hi: f64,
    slot: u32,
    piece: usize,
}

/// One leg of the motion.
struct Hunt<'a> {
    mesh: Moving<'a>,
    shape: MovingShape<'a>,
    pieces: &'a [Piece<'a>],
    /// Seen from the mesh, and from the shape.
    legs: [Leg<'a>; 2],
    tolerance: f64,
    heap: BinaryHeap<Item>,
    met: Option<Met>,
    /// Free before this time, but for what is on the heap.
    noted: f64,
}

/// A pair that could not be proven apart where the motion starts.
enum Start {
    Overlaps,
    /// What comes then.
    Touches(Outcome),
}

impl<'a> Hunt<'a> {
    fn new(
        mesh: Moving<'a>,
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
            shape,
            pieces,
            legs,
            tolerance,
            heap: BinaryHeap::new(),
            met: None,
            noted: f64::INFINITY,
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
                    self.heap.push(Item { lo, part: Part::Child { node, lane: lane as u8 } });
                }
            }
            Child::Leaf { first, count } => {
                self.heap.extend((first..first + count).map(|slot| Item { lo, part: Part::Face(slot) }));
            }
            Child::Empty => {}
        }
    }

    /// Follows the ball around a child until it is near the shape, then opens it.
    fn child(&mut self, at_rest: &mut AtRest, node: u32, lane: usize, lo: f64, work: &mut u64) {
        let tree = self.mesh.mesh.tree();
        let wide = &tree.nodes()[node as usize];
        let (centre, radius) = ball_around(tree, wide, lane);
        let (centre, mut near) = ([centre], f64::INFINITY);
        let ball = Piece::of_ball(&centre, radius);
        for piece in 0..self.pieces.len() {
            let mut looks = 0;
            let pursuit = self.pursuit(&ball, piece, OPEN * radius);
            match pursuit.follow(at_rest, [lo, self.limit()], *work, &mut looks).outcome {
                Outcome::Free => {}
                Outcome::Contact { lo, .. } | Outcome::Open { lo, .. } => near = near.min(lo),
            }
            *work = work.saturating_sub(looks);
        }
        if near < f64::INFINITY {
            self.open(Child::decode(wide.child[lane]), near);
        }
    }

    /// Follows a triangle; true where it overlaps the shape at the start of the motion.
    fn face(
        &mut self,
        at_rest: &mut AtRest,
        slot: u32,
        lo: f64,
        work: &mut u64,
        touching: &mut bool,
    ) -> bool {
        let triangle = corners(self.mesh.mesh, slot);
        let part = Piece::of_points(&triangle);
        for piece in 0..self.pieces.len() {
            let mut looks = 0;
            let until = self.limit();
            let pursuit = self.pursuit(&part, piece, 0.0);
            let pursued = pursuit.follow(at_rest, [lo, until], *work, &mut looks);
            let mut outcome = pursued.outcome;
            if lo == 0.0 && !pursued.began_apart && looks < *work {
                match self.start(at_rest, &pursuit, triangle, piece, until, touching) {
                    Start::Overlaps => return true,
                    Start::Touches(then) => outcome = then,
                }
            }
            *work = work.saturating_sub(looks);
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
        false
    }

    /// A triangle and a piece at the start of the motion, decided at rest.
    fn start(
        &self,
        at_rest: &mut AtRest,
        pursuit: &Pursuit,
        triangle: [DVec3; 3],
        piece: usize,
        until: f64,
        touching: &mut bool,
    ) -> Start {
        let open = Start::Touches(Outcome::Open { lo: 0.0, hi: until });
        let Ok(face) = Shape::triangle(triangle) else { return open };
        let Some((shape, chain)) = self.shape.placed_leaf(piece) else { return open };
        let pose = self.mesh.motion.pose_at(0.0);
        let between = Between::of_chains(&Chain::new(pose), &chain);
        let answer = at_rest.convex(&face, shape, &between, Want::Contact);
        match answer.verdict {
            Verdict::Overlapping => return Start::Overlaps,
            Verdict::Touching => *touching = true,
            Verdict::Separate | Verdict::Undecided => {}
        }
        let back = self.pieces[piece].wall.is_some();
        let (viewer, normal) =
            if back { (self.shape.motion, -answer.normal) } else { (self.mesh.motion, answer.normal) };
        let normal = viewer.pose_at(0.0).rotation().conjugate() * normal;
        if let Some(from) = free_until(pursuit, &answer, normal) {
            let mut looks = 0;
            return Start::Touches(
                pursuit.follow(at_rest, [from.min(until), until], MOST_AFTER_TOUCH, &mut looks).outcome,
            );
        }
        Start::Touches(
            pursuit.contact_soon(at_rest, [0.0, until]).unwrap_or(Outcome::Open { lo: 0.0, hi: until }),
        )
    }

    /// What is found at the contact: the face, nearest points and normal at the beginning of its time, to rounding.
    fn contact(&self, at_rest: &mut AtRest, met: &Met, lo: f64) -> Option<Contact> {
        let triangle = corners(self.mesh.mesh, met.slot);
        let part = Piece::of_points(&triangle);
        let pursuit = self.pursuit(&part, met.piece, 0.0);
        let back = self.pieces[met.piece].wall.is_some();
        let found = pursuit.contact_at(at_rest, lo)?;
        let found = if back { found.swapped() } else { found };
        let face = self.mesh.mesh.tree().order()[met.slot as usize];
        Some(Contact { feature_a: Some(Feature::Face(face)), ..found })
    }
}

impl Asker {
    /// When the faces of a moving mesh and a moving convex shape (or union, or half-space) first meet. A start in overlap, or of one
    /// inside the other, is contact at 0. **Never late**; contact is proven by the end of the time's range.
    pub fn impact_of_mesh_and_shape(
        &mut self,
        mesh: Moving,
        shape: MovingShape,
        options: &Options,
    ) -> Impact {
        let tolerance = options.sound_tolerance();
        let pieces = shape.pieces();
        let mut work = options.most_work;
        let mut touching = false;
        for span in times([mesh.motion, shape.motion]).windows(2) {
            let mut hunt = Hunt::new(mesh, shape, &pieces, [span[0], span[1]], tolerance);
            let at_rest = self.shapes_at_rest();
            let mut first_open = f64::INFINITY;
            while let Some(Item { lo, part }) = hunt.heap.pop() {
                if lo > hunt.limit() || lo > hunt.noted + tolerance {
                    break;
                }
                if work == 0 {
                    first_open = lo;
                    break;
                }
                work -= 1;
                match part {
                    Part::Child { node, lane } => hunt.child(at_rest, node, usize::from(lane), lo, &mut work),
                    Part::Face(slot) => {
                        if hunt.face(at_rest, slot, lo, &mut work, &mut touching) {
                            let initial = Initial::Overlapping;
                            return Impact::Contact { initial, time: Range::ZERO, contact: None };
                        }
                    }
                }
            }
            if span[0] == 0.0 && is_inside(mesh, shape, &pieces) {
                return Impact::Contact { initial: Initial::Overlapping, time: Range::ZERO, contact: None };
            }
            let initial = if touching { Initial::Touching } else { Initial::Separate };
            let free_until = hunt.noted.min(first_open);
            match hunt.met {
                Some(met) if met.hi - free_until <= 1.01 * tolerance => {
                    let time = Range::new(free_until, met.hi).unwrap_or(Range::ZERO);
                    return Impact::Contact {
                        initial,
                        time,
                        contact: hunt.contact(at_rest, &met, free_until),
                    };
                }
                _ if free_until <= span[1] => {
                    return Impact::Undecided { initial: Some(initial), free_until };
                }
                _ => {}
            }
        }
        Impact::Free { initial: if touching { Initial::Touching } else { Initial::Separate } }
    }
}

/// Whether a point of the shape is inside a closed mesh at the start: where no face overlaps the shape, that tells of all of it.
fn is_inside(mesh: Moving, shape: MovingShape, pieces: &[Piece]) -> bool {
    let Some(piece) = pieces.first().filter(|piece| piece.wall.is_none() && mesh.mesh.is_closed()) else {
        return false;
    };
    let point = shape.motion.pose_at(0.0).apply(piece.farthest(DVec3::X));
    Placed::new(mesh.mesh, mesh.motion.pose_at(0.0)).inside(point).verdict == Where::Inside
}
