//! How far two bodies are apart on their true surfaces, with certified ends.
//!
//! Best first: of all pairs of boxes and patches the one that may be nearest is opened next. Two patches are at least as far apart as
//! their triangles, less their radii; the points of the true surfaces that belong to the triangles' nearest points bound the distance from
//! above. Patches are halved where they bend most, so that radii fall to a quarter and bounds close in on each other.

use crate::body::Body;
use crate::coaxial::{self, Round};
use crate::facing::{Facing, Top};
use crate::patch::{Carrier, Patch};
use crate::patches::Patches;
use crate::pieces::Pieces;
use crate::polish::{self, Place};
use crate::spine::{self, Hull};
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
/// How often points that were found are moved to where surfaces are nearest.
const POLISHES: usize = 32;

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

    /// What its patches are pieces of, if they are not flat.
    fn carrier(self) -> Option<Carrier<'a>> {
        match self {
            Faces::Curved(body) => Some(body.on()),
            Faces::Mesh(_) | Faces::Segment(_) => None,
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
enum Pair {
    Nodes(u32, u32),
    Patches(u32, u32, Told),
}

/// How the distance of two patches is bounded from below.
#[derive(Clone, Copy, Debug)]
struct Told {
    /// Of which patches by what they are swept about, not by their triangles.
    by_spine: [bool; 2],
    /// How many planes between the bodies were known by then.
    planes: usize,
    /// By how much the bound is short of the distance of their triangles.
    short: f64,
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
    pieces: [Pieces<'a>; 2],
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
    /// How often points are still polished.
    polishes: usize,
    /// Planes between the nearest points found, and how many there were before.
    facing: Option<Facing>,
    planes: usize,
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
            pieces: [0, 1].map(|side| Pieces::new(faces[side].carrier(), patches[side])),
            between,
            turn,
            slack,
            stray,
            open: BinaryHeap::new(),
            known: HashMap::new(),
            best: None,
            upper: f64::INFINITY,
            pairs: 0,
            polishes: POLISHES,
            facing: None,
            planes: 0,
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
                Pair::Patches(a, b, told) => {
                    if !self.cut(a, b, told, next, &mut descents, tolerance) {
                        closed = closed.min(next.lower);
                    }
                }
            }
        }
        let best = self.best?;
        let lower = (lower.min(closed).min(self.upper) - gaps).max(0.0);
        Some(SurfaceDistance { range: Range::new(lower, self.upper + gaps).ok()?, pairs: self.pairs, ..best })
    }

    /// Cuts a pair of patches, or follows it down; not where that tells no more.
    fn cut(&mut self, a: u32, b: u32, told: Told, open: Open, descents: &mut usize, tolerance: f64) -> bool {
        let (one, other) = (self.pieces[0].get(a), self.pieces[1].get(b));
        if told.planes < self.planes {
            let lower = self.by_planes([one, other]);
            if lower > open.lower {
                let pair = Pair::Patches(a, b, Told { planes: self.planes, ..told });
                self.open.push(ByRank(Open { lower, pair, ..open }));
                return true;
            }
        }
        let by_triangles = [one.excess(), other.excess()];
        if by_triangles[0] + by_triangles[1] <= 0.5 * tolerance {
            return false;
        }
        let excess = [one.excess_by(told.by_spine[0]), other.excess_by(told.by_spine[1])];
        let has_spine = told.by_spine.contains(&true);
        let by_spine = has_spine && excess[0] + excess[1] > 0.5 * tolerance;
        // Where the bound is that of the triangles already, or of spines that no cutting makes nearer, many pairs may be as near as this one,
        // as of parallel faces: then it is the other end that has to come down.
        let is_tight = told.short <= one.floor + other.floor + 0.5 * tolerance || (has_spine && !by_spine);
        if is_tight && *descents > 0 {
            *descents -= 1;
            self.descend(a, b, tolerance);
            let told = Told { by_spine: [false; 2], short: f64::INFINITY, planes: self.planes };
            self.open.push(ByRank(Open { pair: Pair::Patches(a, b, told), ..open }));
        } else if by_spine {
            self.open_patches([a, b], usize::from(excess[0] < excess[1]), told.by_spine, open.lower);
        } else {
            self.open_patches([a, b], usize::from(by_triangles[0] < by_triangles[1]), [false; 2], open.lower);
        }
        true
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
                let (one, other) = (*self.pieces[0].get(x), *self.pieces[1].get(y));
                let known = self.faces_apart(&one, &other);
                self.enter_patches(x, y, known);
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
    fn descend(&mut self, a: u32, b: u32, tolerance: f64) {
        let mut pair = [a, b];
        for _ in 0..HALVINGS {
            let [a, b] = [0, 1].map(|side: usize| self.pieces[side].get(pair[side]).excess());
            let side = usize::from(a < b);
            if a + b <= 0.25 * tolerance || !matches!(self.faces[side], Faces::Curved(_)) {
                return;
            }
            let [first, second] = self.pieces[side].halves(pair[side], false).map(|half| {
                let mut pair = pair;
                pair[side] = half;
                let placed = self.pieces[1].get(pair[1]).corners.map(|x| self.between.b_in_a(x));
                (triangle_distance(self.pieces[0].get(pair[0]).corners, placed), pair)
            });
            let found = if first.0.squared <= second.0.squared { first.0 } else { second.0 };
            pair = if first.0.squared <= second.0.squared { first.1 } else { second.1 };
            self.pairs += 1;
            let (one, other) = (*self.pieces[0].get(pair[0]), *self.pieces[1].get(pair[1]));
            self.try_surfaces(&one, &other, found.point_a, found.point_b);
        }
    }

    /// Halves one of the patches, by its spine or by its triangle.
    fn open_patches(&mut self, pair: [u32; 2], side: usize, by_spine: [bool; 2], lower: f64) {
        for half in self.pieces[side].halves(pair[side], by_spine[side]) {
            let [a, b] = if side == 0 { [half, pair[1]] } else { [pair[0], half] };
            self.enter_patches(a, b, lower);
        }
    }

    /// Bounds the distance of two patches from below and above.
    fn enter_patches(&mut self, index_a: u32, index_b: u32, known: f64) {
        self.pairs += 1;
        let (a, b) = (self.pieces[0].get(index_a), self.pieces[1].get(index_b));
        let placed = b.corners.map(|x| self.between.b_in_a(x));
        let found = triangle_distance(a.corners, placed);
        let flat = found.squared.sqrt();
        if flat - a.radius - b.radius - self.slack - self.strays() >= self.upper {
            return;
        }
        let by_triangles = self.below(a, b, &placed, flat);
        let (below, by_spine) = self.by_spines([a, b], &placed, by_triangles);
        let own = below - self.strays();
        let lower = own.max(known).max(self.by_planes([a, b]));
        if lower < self.upper {
            let (a, b) = (*a, *b);
            self.try_surfaces(&a, &b, found.point_a, found.point_b);
            let told = Told { by_spine, short: flat - own, planes: self.planes };
            self.open.push(ByRank(Open { lower, own, pair: Pair::Patches(index_a, index_b, told) }));
        }
    }

    /// **Never more** than the distance of two patches, by the planes between the nearest points found.
    fn by_planes(&self, [a, b]: [&Patch; 2]) -> f64 {
        let Some(facing) = &self.facing else { return f64::NEG_INFINITY };
        let most = |side: usize, patch: &Patch| facing.most(side, patch, self.faces[side].carrier());
        let shift = self.between.shift().dot(facing.along[0]);
        shift - most(0, a) - most(1, b) - self.slack - self.strays()
    }

    /// What the spines of patches tell beyond what their triangles do, and of which patches.
    fn by_spines(&self, [a, b]: [&Patch; 2], placed: &[DVec3; 3], known: f64) -> (f64, [bool; 2]) {
        let mut best = (known, [false; 2]);
        if a.spine.is_none() && b.spine.is_none() {
            return best;
        }
        let flat = [Hull::flat(a.corners, a.radius), Hull::flat(*placed, b.radius)];
        let round = [
            a.spine.as_ref().map(Hull::spine),
            b.spine.as_ref().map(|spine| Hull::spine(&spine.placed(self.between))),
        ];
        for by in [[true, true], [true, false], [false, true]] {
            let hull = |side: usize| if by[side] { round[side] } else { Some(flat[side]) };
            if let (Some(one), Some(other)) = (hull(0), hull(1)) {
                let apart = spine::apart(&one, &other) - self.slack;
                if apart > best.0 {
                    best = (apart, by);
                }
            }
        }
        best
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
        if self.lower_upper([a, b], [on_a, on_b], off_a + off_b) && self.polishes > 0 {
            self.polishes -= 1;
            let own = own_b.map_or_else(|| self.between.swapped().b_in_a(on_b), |(_, own)| own);
            self.polish([a, b], [on_a, own]);
        }
    }

    /// Takes two points that are nearer than those known, if they are, with how far both may be from the faces.
    fn lower_upper(&mut self, [a, b]: [&Patch; 2], [on_a, on_b]: [DVec3; 2], off: f64) -> bool {
        let upper = (on_a - on_b).length() + self.slack + off;
        let is_nearer = upper < self.upper;
        if is_nearer {
            self.upper = upper;
            self.keep(a, b, on_a, on_b);
        }
        is_nearer
    }

    /// Goes on from two points, each in its own frame, to where the surfaces are nearest: if that is in the faces, best first has only the
    /// other end to bring up. Else one of the points stays.
    fn polish(&mut self, patches: [&Patch; 2], from: [DVec3; 2]) {
        let bodies = self.faces.map(|faces| if let Faces::Curved(body) = faces { Some(body) } else { None });
        let place = |side: usize| {
            let body = bodies[side]?;
            let domain = &body.carrier().domains[patches[side].face as usize];
            Some(Place::On(domain, patches[side].at_surface(body.on(), from[side])?))
        };
        let free = [place(0), place(1)];
        let fixed = from.map(|point| Some(Place::Fixed(point)));
        for [one, other] in [[free[0], free[1]], [free[0], fixed[1]], [fixed[0], free[1]]] {
            let (Some(one), Some(other)) = (one, other) else { continue };
            let at = polish::nearest(one, other, self.between);
            let found = [(0, one), (1, other)].map(|(side, place)| match (place, bodies[side]) {
                (Place::On(domain, _), Some(body)) => {
                    let point = domain.point(at[side]);
                    Some((point, body.off_face_at(patches[side], at[side], point)?))
                }
                _ => Some((
                    from[side],
                    bodies[side].map_or(0.0, |body| body.off_face(patches[side], from[side])),
                )),
            });
            if let [Some((on_a, off_a)), Some((on_b, off_b))] = found
                && self.lower_upper(patches, [on_a, self.between.b_in_a(on_b)], off_a + off_b)
            {
                let known = [one, other].map(|place| matches!(place, Place::On(..)));
                self.put_planes(patches, [0, 1].map(|side| known[side].then_some(at[side])));
                return;
            }
        }
    }

    /// Planes through the nearest points found, which are at parameters of their faces.
    fn put_planes(&mut self, patches: [&Patch; 2], at: [Option<[f64; 2]>; 2]) {
        let Some(best) = &self.best else { return };
        let Some(normal) = (best.point_b - best.point_a).try_normalize() else { return };
        let along = [normal, self.between.turn().transpose() * -normal];
        let little = self.slack;
        let top = |side: usize| {
            let on = self.faces[side].carrier()?;
            Top::of(patches[side], on, at[side]?, along[side], little)
        };
        self.facing = Some(Facing { along, tops: [top(0), top(1)] });
        self.planes += 1;
    }

    fn keep(&mut self, a: &Patch, b: &Patch, point_a: DVec3, point_b: DVec3) {
        let range = Range::ZERO;
        self.best =
            Some(SurfaceDistance { range, point_a, point_b, face_a: a.face, face_b: b.face, pairs: 0 });
    }
}
