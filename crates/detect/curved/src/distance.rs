//! How far two bodies are apart on their true surfaces, with certified ends.
//!
//! Best first: of all pairs of boxes and patches the one that may be nearest is opened next. Two patches are at least as far apart as
//! their triangles, less their radii; the points of the true surfaces that belong to the triangles' nearest points bound the distance from
//! above. Patches are halved where they bend most, so that radii fall to a quarter and bounds close in on each other.

use crate::body::Body;
use crate::coaxial::{self, Round};
use crate::patch::Patch;
use crate::patches::Patches;
use crate::tree::{Block, Kind};
use kontakt_answers::Range;
use kontakt_math::order::{ByRank, Ranked, Total};
use kontakt_math::{Between, DMat3, DVec3};
use kontakt_mesh::Mesh;
use kontakt_mesh::face::distance as triangle_distance;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// How often pairs that can gain nothing from below are followed down, and how far.
const DESCENTS: usize = 64;
const HALVINGS: usize = 60;

/// One of two bodies that are asked for their distance.
#[derive(Clone, Copy, Debug)]
pub enum Faces<'a> {
    /// True surfaces.
    Curved(&'a Body),
    /// Flat faces, which are what they are.
    Mesh(&'a Mesh),
    /// The stretch between two points, or one point twice.
    Segment([DVec3; 2]),
}

/// What is asked of a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceOptions {
    /// The ends are wanted as near to each other as this.
    pub tolerance: f64,
    /// Most pairs of patches looked at; then the ends are as far apart as they are.
    pub most_pairs: usize,
    /// A search for no more than whether the distance is above zero may end as soon as that is known.
    pub only_sign: bool,
}

/// How far two bodies' surfaces are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// **Certified**, up to the gaps of the models, which are in it.
    pub range: Range,
    /// Nearest points found, in A's frame.
    pub point_a: DVec3,
    /// Nearest points found, in A's frame.
    pub point_b: DVec3,
    /// The face of A's boundary, or the triangle of its mesh.
    pub face_a: u32,
    /// The face of B's boundary, or the triangle of its mesh.
    pub face_b: u32,
    /// Pairs of patches looked at.
    pub pairs: usize,
}

/// The distance of the surfaces of two bodies; what is inside is not looked at. `None` where numbers overflow or a body has no face.
pub fn surface_distance(
    a: Faces,
    b: Faces,
    between: &Between,
    options: &DistanceOptions,
) -> Option<SurfaceDistance> {
    let (mut a_own, mut b_own) = (None, None);
    let patches = [a.patches(&mut a_own), b.patches(&mut b_own)];
    Search::new([a, b], patches, between, None)?.run(options)
}

impl<'a> Faces<'a> {
    /// How far its model's edges were found to be off their faces.
    fn gap(self) -> f64 {
        match self {
            Faces::Curved(body) => body.tessellation().gap.max(body.carrier().gap),
            Faces::Mesh(_) | Faces::Segment(_) => 0.0,
        }
    }

    /// The boxes of its patches: the body's own, or made for this question.
    fn patches<'b>(self, own: &'b mut Option<Patches>) -> &'b Patches
    where
        'a: 'b,
    {
        match self {
            Faces::Curved(body) => body.patches(),
            Faces::Mesh(mesh) => own.insert(Patches::of_mesh(mesh)),
            Faces::Segment([from, to]) => own.insert(Patches::of_segment([from, to])),
        }
    }
}

/// How two bodies move against each other about a placement.
#[derive(Clone, Copy, Debug)]
pub struct Stray<'a> {
    /// **Never less** than how far any two points of them come nearer or go apart than as they are placed.
    pub most: f64,
    /// Where the motion is a straight translation, both its ends, and how far it may leave the straight.
    pub straight: Option<([&'a Between; 2], f64)>,
}

/// Whether the surfaces of two bodies are **proven** to be apart all the time that they stray about a placement.
///
/// What is apart by more than they stray stays so. On a straight way the distance of a point from an axis or a centre is convex: what is known
/// of two whole round surfaces at both ends holds between.
pub fn stay_apart(a: Faces, b: Faces, between: &Between, stray: &Stray, most_pairs: usize) -> bool {
    let (mut a_own, mut b_own) = (None, None);
    let patches = [a.patches(&mut a_own), b.patches(&mut b_own)];
    let options = DistanceOptions { tolerance: 0.0, most_pairs, only_sign: true };
    let search = Search::new([a, b], patches, between, Some(*stray));
    search.and_then(|search| search.run(&options)).is_some_and(|found| found.range.lo() > 0.0)
}

/// What is still to be opened: nodes or patches of A and B.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "patches are the many; a box each would cost more than the space"
)]
enum Pair {
    Nodes(u32, u32),
    /// Two patches, and by how much the bound is short of the distance of their triangles.
    Patches(Patch, Patch, f64),
}

#[derive(Clone, Copy, Debug)]
struct Open {
    /// **Never more** than the distance of any two points of the pair.
    lower: f64,
    /// What the pair says itself, where more is known of its whole faces: among equals the nearest comes first.
    own: f64,
    pair: Pair,
}

impl Ranked for Open {
    type Rank = (Reverse<Total>, Reverse<Total>);

    fn rank(&self) -> Self::Rank {
        (Reverse(Total(self.lower)), Reverse(Total(self.own)))
    }
}

struct Search<'a> {
    faces: [Faces<'a>; 2],
    patches: [&'a Patches; 2],
    between: &'a Between,
    /// How a box of B is turned in A's frame: sizes of the entries.
    turn: DMat3,
    /// **Never less** than what places in A's frame and distances of them are off by.
    slack: f64,
    /// How the bodies move meanwhile.
    stray: Option<Stray<'a>>,
    open: BinaryHeap<ByRank<Open>>,
    /// What is known of two whole faces.
    known: HashMap<(u32, u32), f64>,
    best: Option<SurfaceDistance>,
    /// **Never less** than the distance.
    upper: f64,
    pairs: usize,
}

impl<'a> Search<'a> {
    fn new(
        faces: [Faces<'a>; 2],
        patches: [&'a Patches; 2],
        between: &'a Between,
        stray: Option<Stray<'a>>,
    ) -> Option<Search<'a>> {
        let farthest = patches[1].reach * 3.0_f64.sqrt();
        let size = patches[0].reach + farthest + between.shift().length();
        let slack = between.error_within(farthest) + 128.0 * f64::EPSILON * size;
        let turn = between.turn();
        let turn = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let roots = (patches[0].tree.root()?, patches[1].tree.root()?);
        let mut search = Search {
            faces,
            patches,
            between,
            turn,
            slack,
            stray,
            open: BinaryHeap::new(),
            known: HashMap::new(),
            best: None,
            upper: f64::INFINITY,
            pairs: 0,
        };
        search.enter_nodes(roots.0, roots.1);
        (slack.is_finite()).then_some(search)
    }

    fn run(mut self, options: &DistanceOptions) -> Option<SurfaceDistance> {
        // No pair that is still open, or was closed because halving it would not help, is nearer than this.
        let mut lower = f64::INFINITY;
        let mut closed = f64::INFINITY;
        let mut descents = DESCENTS;
        // The true boundaries are any that close within the models' gaps.
        let gaps = self.faces[0].gap() + self.faces[1].gap();
        // Points of edges are known to belong to the faces up to the gaps: no search brings the ends nearer than that.
        let tolerance = options.tolerance.max(4.0 * self.slack).max(1.5 * gaps);
        while let Some(ByRank(next)) = self.open.pop() {
            lower = next.lower;
            let enough = self.upper - lower.max(0.0) <= tolerance || (options.only_sign && lower > gaps);
            if enough || lower > closed || self.pairs >= options.most_pairs {
                break;
            }
            lower = f64::INFINITY;
            match next.pair {
                Pair::Nodes(a, b) => self.open_nodes(a, b),
                Pair::Patches(a, b, short) => {
                    let excess = [a.radius - a.floor, b.radius - b.floor];
                    if excess[0] + excess[1] <= 0.5 * tolerance {
                        closed = closed.min(next.lower);
                        continue;
                    }
                    // Where the bound is that of the triangles already, many pairs may be as near as this one, as of parallel faces: then it
                    // is the other end that has to come down.
                    if short <= a.floor + b.floor + 0.5 * tolerance && descents > 0 {
                        descents -= 1;
                        self.descend(a, b, tolerance);
                        self.open.push(ByRank(Open {
                            lower: next.lower,
                            own: next.own,
                            pair: Pair::Patches(a, b, f64::INFINITY),
                        }));
                    } else {
                        self.open_patches(&a, &b, excess[0] >= excess[1], next.lower);
                    }
                }
            }
        }
        let best = self.best?;
        let lower = (lower.min(closed).min(self.upper) - gaps).max(0.0);
        Some(SurfaceDistance { range: Range::new(lower, self.upper + gaps).ok()?, pairs: self.pairs, ..best })
    }

    fn enter_nodes(&mut self, a: u32, b: u32) {
        let (one, other) = (self.patches[0].tree.node(a).block, self.patches[1].tree.node(b).block);
        let placed = Block { middle: self.between.b_in_a(other.middle), half: self.turn * other.half };
        let apart = (placed.middle - one.middle).abs() - (one.half + placed.half);
        let lower = apart.max(DVec3::ZERO).length() - self.slack - self.strays();
        if lower < self.upper {
            self.open.push(ByRank(Open { lower, own: lower, pair: Pair::Nodes(a, b) }));
        }
    }

    fn open_nodes(&mut self, a: u32, b: u32) {
        let (one, other) = (*self.patches[0].tree.node(a), *self.patches[1].tree.node(b));
        let larger = one.block.half.length_squared() >= other.block.half.length_squared();
        match (one.kind, other.kind) {
            (Kind::Leaf(x), Kind::Leaf(y)) => {
                let (x, y) = (self.patches[0].leaves[x as usize], self.patches[1].leaves[y as usize]);
                let known = self.faces_apart(&x, &y);
                self.enter_patches(&x, &y, known);
            }
            (Kind::Inner(children), Kind::Inner(_)) if larger => {
                self.enter_children(children, |child| (child, b));
            }
            (Kind::Inner(children), Kind::Leaf(_)) => {
                self.enter_children(children, |child| (child, b));
            }
            (_, Kind::Inner(children)) => {
                self.enter_children(children, |child| (a, child));
            }
        }
    }

    fn enter_children(&mut self, children: [u32; 2], pair: impl Fn(u32) -> (u32, u32)) {
        for child in children {
            let (a, b) = pair(child);
            self.enter_nodes(a, b);
        }
    }

    /// **Never more** than the distance of the whole surfaces of two patches, less the models' gaps; zero where it is not known.
    fn faces_apart(&mut self, a: &Patch, b: &Patch) -> f64 {
        let known = (a.face, b.face);
        if !self.known.contains_key(&known) {
            let round = |side: usize, face: u32| self.patches[side].round.get(face as usize)?.as_ref();
            let pair = round(0, a.face).zip(round(1, b.face));
            let apart = pair.map_or(0.0, |(one, other)| self.rounds_apart(one, other));
            self.known.insert(known, apart);
        }
        let apart = self.known[&known];
        (apart - a.floor - b.floor - self.slack).max(0.0)
    }

    /// The same of two round surfaces, at rest or while they move.
    fn rounds_apart(&self, one: &Round, other: &Round) -> f64 {
        let here = coaxial::apart(one, other, self.between) - self.strays();
        let Some(Stray { straight: Some((ends, bow)), .. }) = self.stray else { return here };
        let at_ends = ends.map(|end| coaxial::apart(one, other, end));
        here.max(at_ends[0].min(at_ends[1]) - bow)
    }

    fn strays(&self) -> f64 {
        self.stray.map_or(0.0, |stray| stray.most)
    }

    /// Halves two patches towards their nearest points, to bring down the upper bound.
    fn descend(&mut self, mut a: Patch, mut b: Patch, tolerance: f64) {
        for _ in 0..HALVINGS {
            let excess = [a.radius - a.floor, b.radius - b.floor];
            if excess[0] + excess[1] <= 0.25 * tolerance {
                return;
            }
            let side = usize::from(excess[0] < excess[1]);
            let Faces::Curved(body) = self.faces[side] else { return };
            let nearest = |search: &Search, half: &Patch| {
                let (one, other) = if side == 0 { (half, &b) } else { (&a, half) };
                triangle_distance(one.corners, other.corners.map(|x| search.between.b_in_a(x)))
            };
            let halves = if side == 0 { a.halves(body.on()) } else { b.halves(body.on()) };
            let [first, second] = halves.map(|half| (nearest(self, &half), half));
            let (found, half) = if first.0.squared <= second.0.squared { first } else { second };
            if side == 0 {
                a = half;
            } else {
                b = half;
            }
            self.pairs += 1;
            self.try_surfaces(&a, &b, found.point_a, found.point_b);
        }
    }

    /// Halves one of the patches.
    fn open_patches(&mut self, a: &Patch, b: &Patch, first: bool, lower: f64) {
        let halves = |search: &Search, side: usize, patch: &Patch| match search.faces[side] {
            Faces::Curved(body) => patch.halves(body.on()),
            Faces::Mesh(_) | Faces::Segment(_) => [*patch, *patch],
        };
        if first {
            for half in halves(self, 0, a) {
                self.enter_patches(&half, b, lower);
            }
        } else {
            for half in halves(self, 1, b) {
                self.enter_patches(a, &half, lower);
            }
        }
    }

    /// Bounds the distance of two patches from below and above.
    fn enter_patches(&mut self, a: &Patch, b: &Patch, known: f64) {
        self.pairs += 1;
        let placed = b.corners.map(|x| self.between.b_in_a(x));
        let found = triangle_distance(a.corners, placed);
        let flat = found.squared.sqrt();
        if flat - a.radius - b.radius - self.slack - self.strays() >= self.upper {
            return;
        }
        let own = self.below(a, b, &placed, flat) - self.strays();
        let lower = own.max(known);
        if lower < self.upper {
            self.try_surfaces(a, b, found.point_a, found.point_b);
            self.open.push(ByRank(Open { lower, own, pair: Pair::Patches(*a, *b, flat - own) }));
        }
    }

    /// The least distance of parts of two patches, less their radii; the whole triangles' distance is known.
    fn parts_below(&self, a: &Patch, b: &Patch, flat: f64) -> f64 {
        let mut least = f64::INFINITY;
        for (i, (one, x)) in a.parts().enumerate() {
            for (j, (other, y)) in b.parts().enumerate() {
                // No part is nearer than the whole.
                if flat - x - y >= least {
                    continue;
                }
                let apart = if i == 0 && j == 0 {
                    flat
                } else {
                    triangle_distance(one, other.map(|p| self.between.b_in_a(p))).squared.sqrt()
                };
                least = least.min(apart - x - y);
            }
        }
        least - self.slack
    }

    /// **Never more** than the distance of two patches: by their parts, or along a direction in which one of them is straight.
    fn below(&self, a: &Patch, b: &Patch, placed: &[DVec3; 3], flat: f64) -> f64 {
        let mut best = self.parts_below(a, b, flat);
        let turn = self.between.turn();
        for (in_a, in_b) in [(a.straight, turn.transpose() * a.straight), (turn * b.straight, b.straight)] {
            if in_a == DVec3::ZERO {
                continue;
            }
            // The slack covers that the direction is a unit one to rounding only: it is for the whole size of both bodies.
            let [one, other] = [&a.corners, placed].map(|corners| {
                let heights = corners.map(|x| x.dot(in_a));
                let low = heights.into_iter().fold(f64::INFINITY, f64::min);
                [low, heights.into_iter().fold(f64::NEG_INFINITY, f64::max)]
            });
            let apart = (other[0] - one[1]).max(one[0] - other[1]);
            if apart > best {
                best = best.max(apart - self.reach(0, a, in_a) - self.reach(1, b, in_b) - self.slack);
            }
        }
        best
    }

    fn reach(&self, side: usize, patch: &Patch, direction: DVec3) -> f64 {
        match self.faces[side] {
            Faces::Curved(body) => patch.reach_along(direction, body.on()),
            Faces::Mesh(_) | Faces::Segment(_) => 0.0,
        }
    }

    /// The points of the true surfaces over two points of triangles.
    fn try_surfaces(&mut self, a: &Patch, b: &Patch, on_a: DVec3, on_b: DVec3) {
        let (on_a, own_a) = match self.faces[0] {
            Faces::Curved(body) => (a.on_surface(body.on(), on_a), Some(body)),
            Faces::Mesh(_) | Faces::Segment(_) => (on_a, None),
        };
        let (on_b, own_b) = match self.faces[1] {
            Faces::Curved(body) => {
                let own = b.on_surface(body.on(), self.between.swapped().b_in_a(on_b));
                (self.between.b_in_a(own), Some((body, own)))
            }
            Faces::Mesh(_) | Faces::Segment(_) => (on_b, None),
        };
        let apart = (on_a - on_b).length() + self.slack;
        if apart >= self.upper {
            return;
        }
        let off_a = own_a.map_or(0.0, |body| body.off_face(a, on_a));
        let off_b = own_b.map_or(0.0, |(body, own)| body.off_face(b, own));
        let upper = apart + off_a + off_b;
        if upper < self.upper {
            self.upper = upper;
            self.keep(a, b, on_a, on_b);
        }
    }

    fn keep(&mut self, a: &Patch, b: &Patch, point_a: DVec3, point_b: DVec3) {
        let range = Range::ZERO;
        self.best =
            Some(SurfaceDistance { range, point_a, point_b, face_a: a.face, face_b: b.face, pairs: 0 });
    }
}
