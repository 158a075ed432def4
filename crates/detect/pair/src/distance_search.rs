//! The distance of two bodies, found bit by bit.

use crate::body::{Body, Placed};
use crate::query::{Proximity, Query};
use crate::slack::{slack, widened};
use kontakt_answers::Range;
use kontakt_math::Pose;
use kontakt_mesh::{self as mesh, PlacedMesh, any_piece_inside};
use kontakt_schedule::{Ledger, Task, Work};

/// What a distance that is found in one go counts for: of two shapes, and of a mesh and a shape.
const IN_ONE_GO: [u64; 2] = [4, 64];
/// What it counts for to look whether a body is inside another.
const INSIDE: u64 = 16;

/// The distance of two bodies at rest, found bit by bit: certified bounds at any moment, that only ever get narrower.
///
/// Meshes and curved bodies, by their triangles, are searched step by step; where a convex shape is asked about, it is answered in one
/// go. A search owns all that it knows and needs a [`Query`] for scratch memory only, any one at any time. What it knows after so many
/// units of work is the same to the last bit however they were portioned out.
#[derive(Clone, Debug)]
pub struct DistanceSearch {
    bodies: [(Body, Pose); 2],
    ledger: Ledger,
    /// Of triangles.
    faces: Option<Box<mesh::DistanceSearch>>,
    /// Whether one body is inside the other, as far as triangles tell.
    inside: Option<bool>,
    known: Proximity,
    done: bool,
}

impl DistanceSearch {
    /// Nothing is known yet.
    pub fn new(a: Placed, b: Placed) -> DistanceSearch {
        let mut search = DistanceSearch {
            bodies: [a, b].map(|placed| (placed.body.clone(), placed.pose)),
            ledger: Ledger::default(),
            faces: None,
            inside: None,
            known: Proximity::unknown(),
            done: false,
        };
        search.restart(a, b);
        search
    }

    /// Another question in the memory of this one.
    pub fn restart(&mut self, a: Placed, b: Placed) {
        self.bodies = [a, b].map(|placed| (placed.body.clone(), placed.pose));
        (self.ledger, self.inside) = (Ledger::default(), None);
        (self.known, self.done) = (Proximity::unknown(), false);
        self.faces = triangles([a, b]).map(|[x, y]| match self.faces.take() {
            Some(mut faces) => {
                faces.restart(x, y);
                faces
            }
            None => Box::new(mesh::DistanceSearch::new(x, y)),
        });
    }

    /// Goes on for so many units of work.
    pub fn work(&mut self, query: &mut Query, units: u64) -> Work {
        self.ledger.grant(units);
        while !self.done && !self.ledger.is_spent() {
            self.step(query);
        }
        self.ledger.settle(units, self.done)
    }

    /// Whether the answer is final. Its range is that of [`Query::distance`].
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// What is known of the distance. The lower end never falls and the upper end never rises.
    pub fn proximity(&self) -> Proximity {
        self.known
    }

    /// Whether the bodies have a common point, as soon as that is known; `None` as long as it is open.
    pub fn any_contact(&self) -> Option<bool> {
        let range = self.known.range;
        if range.lo() > 0.0 { Some(false) } else { (range.hi() <= 0.0).then_some(true) }
    }

    fn step(&mut self, query: &mut Query) {
        let DistanceSearch { bodies: [a, b], ledger, faces, inside, known, done } = self;
        let (a, b) = (Placed::new(&a.0, a.1), Placed::new(&b.0, b.1));
        let (Some(search), Some([x, y])) = (faces, triangles([a, b])) else {
            let shapes = [a, b].into_iter().all(|placed| matches!(placed.body, Body::Convex(_)));
            ledger.spend(IN_ONE_GO[usize::from(!shapes)]);
            (*known, *done) = (query.distance(a, b), true);
            return;
        };
        if search.faces_apart() == Some(true) && inside.is_none() {
            ledger.spend(INSIDE);
            *inside = Some(any_piece_inside(x, y) || any_piece_inside(y, x));
        } else {
            search.work_from(&mut query.faces, [x.mesh, y.mesh], ledger);
        }
        let found = search.distance();
        let range = widened(found.range, slack(a, b));
        *known = Proximity {
            range: with_inside(range, *inside, search.faces_apart()),
            point_a: found.point_a,
            point_b: found.point_b,
            feature_a: Some(a.body.face_of(x.mesh, found.pair.a)),
            feature_b: Some(b.body.face_of(y.mesh, found.pair.b)),
        };
        *done = search.is_done() || known.range.hi() <= 0.0;
    }
}

/// What the distance of surfaces says of that of the sets.
///
/// Surfaces that are apart, true ones included, leave a body all inside the other or all outside, in each of its pieces; until it is known
/// which, only that the sets are no farther apart than their surfaces.
fn with_inside(surfaces: Range, inside: Option<bool>, faces_apart: Option<bool>) -> Range {
    match (inside, faces_apart) {
        (Some(true), _) if surfaces.lo() > 0.0 => Range::ZERO,
        (None, Some(true)) | (_, None) => Range::new(0.0, surfaces.hi()).unwrap_or(surfaces),
        _ => surfaces,
    }
}

/// The triangles of two bodies that are asked about by them.
fn triangles(bodies: [Placed<'_>; 2]) -> Option<[PlacedMesh<'_>; 2]> {
    let [a, b] = bodies.map(|placed| match placed.body {
        Body::Mesh(_) | Body::Curved(_) => placed.surface(),
        Body::Convex(_) => None,
    });
    Some([a?, b?])
}

/// The wider the bounds beside the distance, the more urgent.
impl Task<Query> for DistanceSearch {
    fn work(&mut self, query: &mut Query, units: u64) -> Work {
        DistanceSearch::work(self, query, units)
    }

    fn urgency(&self) -> f64 {
        let range = self.known.range;
        let open = range.width() / range.hi();
        // Nothing is known, or all.
        if open.is_nan() { f64::from(range.hi() > 0.0) } else { open }
    }
}
