//! How far two bodies are apart on their true surfaces, with certified ends.
//!
//! Best first: of all pairs of boxes and patches the one that may be nearest is opened next. Two patches are at least as far apart as
//! their triangles, less their radii; the points of the true surfaces that belong to the triangles' nearest points bound the distance from
//! above. Patches are halved where they bend most, so that radii fall to a quarter and bounds close in on each other.

use crate::body::Body;
use crate::patch::Patch;
use crate::tree::{Block, Kind, Tree};
use kontakt_answers::Range;
use kontakt_math::order::{ByRank, Ranked};
use kontakt_math::{Between, DMat3, DVec3};
use kontakt_mesh::Mesh;
use kontakt_mesh::face::distance as triangle_distance;
use std::collections::BinaryHeap;

/// One of two bodies that are asked for their distance.
#[derive(Clone, Copy, Debug)]
pub enum Faces<'a> {
    /// True surfaces.
    Curved(&'a Body),
    /// Flat faces, which are what they are.
    Mesh(&'a Mesh),
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
    let (a_own, b_own);
    let a_patches = match a {
        Faces::Curved(body) => body.patches(),
        Faces::Mesh(mesh) => {
            a_own = Patches::of_mesh(mesh);
            &a_own
        }
    };
    let b_patches = match b {
        Faces::Curved(body) => body.patches(),
        Faces::Mesh(mesh) => {
            b_own = Patches::of_mesh(mesh);
            &b_own
        }
    };
    Search::new([a, b], [a_patches, b_patches], between)?.run(options)
}

/// The boxes of a body's patches.
#[derive(Debug)]
pub(crate) struct Patches {
    tree: Tree,
    /// No coordinate is larger.
    reach: f64,
}

impl Patches {
    pub(crate) fn of_body(body: &Body) -> Patches {
        let made = body.tessellation();
        let boxes: Vec<[DVec3; 2]> = made
            .triangles
            .iter()
            .zip(&made.deviations)
            .map(|(ids, deviation)| {
                grown(ids.map(|id| made.points[id as usize]), deviation + 2.0 * made.chord_deviation)
            })
            .collect();
        Patches::new(&boxes)
    }

    fn of_mesh(mesh: &Mesh) -> Patches {
        let boxes: Vec<[DVec3; 2]> =
            (0..mesh.faces().triangles().len()).map(|k| grown(corners(mesh, k), 0.0)).collect();
        Patches::new(&boxes)
    }

    fn new(boxes: &[[DVec3; 2]]) -> Patches {
        let reach = boxes.iter().flatten().fold(0.0, |reach: f64, x| reach.max(x.abs().max_element()));
        Patches { tree: Tree::new(boxes), reach }
    }
}

fn corners(mesh: &Mesh, triangle: usize) -> [DVec3; 3] {
    mesh.faces().triangles()[triangle].map(|id| mesh.faces().vertices()[id as usize])
}

fn grown([a, b, c]: [DVec3; 3], by: f64) -> [DVec3; 2] {
    [a.min(b).min(c) - by, a.max(b).max(c) + by]
}

/// What is still to be opened: nodes or patches of A and B.
#[derive(Clone, Copy, Debug)]
enum Pair {
    Nodes(u32, u32),
    Patches(Patch, Patch),
}

#[derive(Clone, Copy, Debug)]
struct Open {
    /// **Never more** than the distance of any two points of the pair.
    lower: f64,
    pair: Pair,
}

impl Ranked for Open {
    type Rank = std::cmp::Reverse<kontakt_math::order::Total>;

    fn rank(&self) -> Self::Rank {
        std::cmp::Reverse(kontakt_math::order::Total(self.lower))
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
    open: BinaryHeap<ByRank<Open>>,
    best: Option<SurfaceDistance>,
    /// **Never less** than the distance.
    upper: f64,
    pairs: usize,
}

impl<'a> Search<'a> {
    fn new(faces: [Faces<'a>; 2], patches: [&'a Patches; 2], between: &'a Between) -> Option<Search<'a>> {
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
            open: BinaryHeap::new(),
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
        let tolerance = options.tolerance.max(4.0 * self.slack);
        while let Some(ByRank(next)) = self.open.pop() {
            lower = next.lower;
            let enough = self.upper - lower <= tolerance || (options.only_sign && lower > 0.0);
            if enough || lower >= closed || self.pairs >= options.most_pairs {
                break;
            }
            lower = f64::INFINITY;
            match next.pair {
                Pair::Nodes(a, b) => self.open_nodes(a, b),
                Pair::Patches(a, b) if a.excess() + b.excess() <= 0.5 * tolerance => {
                    closed = closed.min(next.lower)
                }
                Pair::Patches(a, b) => self.open_patches(&a, &b, next.lower),
            }
        }
        let best = self.best?;
        let lower = lower.min(closed).min(self.upper).max(0.0);
        Some(SurfaceDistance { range: Range::new(lower, self.upper).ok()?, pairs: self.pairs, ..best })
    }

    fn enter_nodes(&mut self, a: u32, b: u32) {
        let (one, other) = (self.patches[0].tree.node(a).block, self.patches[1].tree.node(b).block);
        let placed = Block { middle: self.between.b_in_a(other.middle), half: self.turn * other.half };
        let apart = (placed.middle - one.middle).abs() - (one.half + placed.half);
        let lower = apart.max(DVec3::ZERO).length() - self.slack;
        if lower < self.upper {
            self.open.push(ByRank(Open { lower, pair: Pair::Nodes(a, b) }));
        }
    }

    fn open_nodes(&mut self, a: u32, b: u32) {
        let (one, other) = (*self.patches[0].tree.node(a), *self.patches[1].tree.node(b));
        let larger = one.block.half.length_squared() >= other.block.half.length_squared();
        match (one.kind, other.kind) {
            (Kind::Leaf(x), Kind::Leaf(y)) => {
                let (x, y) = (self.patch(0, x), self.patch(1, y));
                self.enter_patches(x, y, 0.0);
            }
            (Kind::Inner(children), Kind::Inner(_)) if larger => {
                children.into_iter().for_each(|child| self.enter_nodes(child, b))
            }
            (Kind::Inner(children), Kind::Leaf(_)) => {
                children.into_iter().for_each(|child| self.enter_nodes(child, b))
            }
            (_, Kind::Inner(children)) => children.into_iter().for_each(|child| self.enter_nodes(a, child)),
        }
    }

    fn patch(&self, side: usize, index: u32) -> Patch {
        match self.faces[side] {
            Faces::Curved(body) => Patch::of(body, index as usize),
            Faces::Mesh(mesh) => Patch::flat(corners(mesh, index as usize), index),
        }
    }

    /// Halves the patch with the larger radius.
    fn open_patches(&mut self, a: &Patch, b: &Patch, lower: f64) {
        let halves = |search: &Search, side: usize, patch: &Patch| match search.faces[side] {
            Faces::Curved(body) => patch.halves(body),
            Faces::Mesh(_) => [*patch, *patch],
        };
        if a.radius >= b.radius {
            for half in halves(self, 0, a) {
                self.enter_patches(half, *b, lower);
            }
        } else {
            for half in halves(self, 1, b) {
                self.enter_patches(*a, half, lower);
            }
        }
    }

    /// Bounds the distance of two patches from below and above.
    fn enter_patches(&mut self, a: Patch, b: Patch, known: f64) {
        self.pairs += 1;
        let found = triangle_distance(a.corners, b.corners.map(|x| self.between.b_in_a(x)));
        let flat = found.squared.sqrt();
        let lower = (flat - a.radius - b.radius - self.slack).max(known);
        let upper = flat + a.radius + b.radius + self.slack;
        if upper < self.upper {
            self.upper = upper;
            self.keep(&a, &b, found.point_a, found.point_b);
        }
        if lower < self.upper {
            self.try_surfaces(&a, &b, found.point_a, found.point_b);
            self.open.push(ByRank(Open { lower, pair: Pair::Patches(a, b) }));
        }
    }

    /// The points of the true surfaces over two points of triangles.
    fn try_surfaces(&mut self, a: &Patch, b: &Patch, on_a: DVec3, on_b: DVec3) {
        let on_a = match self.faces[0] {
            Faces::Curved(body) => a.on_surface(body, on_a),
            Faces::Mesh(_) => on_a,
        };
        let on_b = match self.faces[1] {
            Faces::Curved(body) => {
                let own = self.between.swapped().b_in_a(on_b);
                self.between.b_in_a(b.on_surface(body, own))
            }
            Faces::Mesh(_) => on_b,
        };
        let upper = (on_a - on_b).length() + a.sliver + b.sliver + self.slack;
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
