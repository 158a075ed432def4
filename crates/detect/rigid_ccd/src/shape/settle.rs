//! What doubles leave open of two pieces, decided exactly where that is possible.

// Planes in doubles prove two pieces free until some time `lo`. What comes then is asked in exact numbers:
// - at single times, where both bodies keep their orientation: contact at one of them is contact by then;
// - by the polynomials of `rational`, for polytopes whose places are rational in time, over a window of time: either a contact is found, or
//   the window is free and planes go on behind it. Windows grow, so that pieces that stay as near as doubles tell do
//   not take forever.

use super::piece::Piece;
use super::pursuit::Pursuit;
use crate::budget::Budget;
use crate::exact;
use crate::outcome::Outcome;
use crate::rational::{ExactCorners, Meetings, applies, first_contact_of_polytopes};
use kontakt_convex::{ConvexQuery, Verdict, Want};
use kontakt_math::round::length_up;
use kontakt_math::{Between, Chain, DVec3, Dyadic, Pose};

/// Windows grow by this factor.
const GROWTH: f64 = 16.0;
/// The product of two edges tells a direction to 10⁻¹³ if it is at least this part of the product of their lengths.
const CLEAR: f64 = 1e-2;
/// Units of work of an exact look, and of every pair of features in it.
const LOOK: u64 = 20;
const PAIR: u64 = 50;

impl Pursuit<'_> {
    /// What planes have left open, decided in exact numbers and by more planes.
    pub(crate) fn settled(
        &self,
        asker: &mut ConvexQuery,
        mut outcome: Outcome,
        budget: &mut Budget,
        looks: &mut u64,
    ) -> Outcome {
        let mut window = 2.0 * self.tolerance;
        while let Outcome::Open { lo, hi } = outcome {
            if budget.is_spent() {
                break;
            }
            if let Some(contact) = self.contact_exactly(asker, [lo, hi], budget) {
                return contact;
            }
            let end = hi.min(lo + window);
            match self.window([lo, end], budget) {
                None => break,
                Some(Outcome::Free) if end >= hi => return Outcome::Free,
                Some(Outcome::Free) => {
                    window *= GROWTH;
                    outcome = self.follow(asker, [end, hi], budget, looks).outcome;
                }
                Some(other) => return other,
            }
        }
        outcome
    }

    /// A contact within the tolerance, by exact tests at single times.
    fn contact_exactly(
        &self,
        asker: &mut ConvexQuery,
        [lo, hi]: [f64; 2],
        budget: &mut Budget,
    ) -> Option<Outcome> {
        let exact = |piece: &Piece| piece.is_polytopal() || piece.wall.is_some();
        if !(exact(self.a) && exact(self.b)) {
            return None;
        }
        let ((a, _), (b, _)) = (self.a.placed()?, self.b.placed()?);
        let soon = hi.min(lo + 0.5 * self.tolerance);
        for t in [soon, lo, 0.5 * (lo + soon)] {
            budget.spend(LOOK);
            let within = [self.a.chain(), self.b.chain()];
            let (between, t) = exact::between_at(&self.leg.a, &self.leg.b, within, t)?;
            let verdict = asker.convex(&a, &b, &between, Want::Verdict).verdict;
            if t <= hi && matches!(verdict, Verdict::Touching | Verdict::Overlapping) {
                return Some(Outcome::Contact { lo, hi: t.max(lo) });
            }
        }
        None
    }

    /// What happens in a window of time, decided by exact polynomials; `None` where they do not apply.
    fn window(&self, [lo, hi]: [f64; 2], budget: &mut Budget) -> Option<Outcome> {
        if !applies(self.leg) {
            return None;
        }
        let facets = [self.a.facets()?, self.b.facets()?];
        if facets.iter().all(|facets| facets.triangles.is_empty()) {
            // Two segments that are parallel meet in no corner on a face and no crossing.
            return None;
        }
        let meetings = self.meetings(&facets, [lo, hi]);
        let pairs = meetings.on_faces.iter().map(Vec::len).sum::<usize>() + meetings.crossings.len();
        budget.spend(LOOK + PAIR * pairs as u64);
        let [(a, weight_a), (b, weight_b)] =
            [(self.a, &facets[0]), (self.b, &facets[1])].map(|(piece, facets)| exact_corners(piece, facets));
        let corners = [grown(&a, &weight_b), grown(&b, &weight_a)];
        let weight = &weight_a * &weight_b;
        first_contact_of_polytopes(self.leg, &corners, &weight, &meetings, [lo, hi], self.tolerance)
    }

    /// The pairs of features that are not **proven** too far from each other to meet in a span of time.
    ///
    /// Proof: in A's frame B's points move by less than speed·span + acceleration·span², the speed being that at the
    /// beginning; a corner farther from a plane than that does not reach it, nor do edges whose lines, or boxes, are farther apart. All
    /// that with a millionth of the way and the errors of all places to spare.
    fn meetings(&self, facets: &[Facets; 2], [lo, hi]: [f64; 2]) -> Meetings {
        let first = self.leg.relative(lo);
        let span = (hi - lo).next_up();
        let bend = self.leg.bend_of_b(self.b.centre, self.b.radius, &first, span).acceleration;
        let speed = self.leg.speed(self.b.centre, self.b.radius, &first);
        let sizes = self.a.far + self.b.far + length_up(first.shift);
        let error = self.a.error + self.b.error + first.error_within(self.b.far) + 1e-12 * sizes;
        let way = (speed * span + bend * span * span) * (1.0 + 1e-6) + 2.0 * error;
        let at = |k: usize, i: usize| {
            let x = facets[k].corners[i];
            if k == 0 { x } else { first.b_in_a(x) }
        };
        let mut meetings = Meetings::default();
        for viewer in 0..2 {
            for &face in &facets[viewer].triangles {
                let t = face.map(|i| at(viewer, i));
                for corner in 0..facets[1 - viewer].corners.len() {
                    let x = at(1 - viewer, corner);
                    if !(far_from_box(&t, &[x], way) || far_from_plane(t, x, way)) {
                        meetings.on_faces[viewer].push((face, corner));
                    }
                }
            }
        }
        for &edge in &facets[0].edges {
            let e = edge.map(|i| at(0, i));
            for &other in &facets[1].edges {
                let f = other.map(|i| at(1, i));
                let across = (e[1] - e[0]).cross(f[1] - f[0]);
                let clear = across.length() > CLEAR * e[0].distance(e[1]) * f[0].distance(f[1]);
                let far = clear && across.dot(f[0] - e[0]).abs() > way * across.length() * (1.0 + 1e-9);
                if !far && !far_from_box(&e, &f, way) {
                    meetings.crossings.push([edge, other]);
                }
            }
        }
        meetings
    }
}

/// Whether the boxes around some points are farther apart than a way.
fn far_from_box(a: &[DVec3], b: &[DVec3], way: f64) -> bool {
    let around = |points: &[DVec3]| {
        let all = |f: fn(DVec3, DVec3) -> DVec3| points.iter().copied().reduce(f).unwrap_or(DVec3::ZERO);
        (all(DVec3::min), all(DVec3::max))
    };
    let ((low, high), (other_low, other_high)) = (around(a), around(b));
    (other_low - high).max(low - other_high).max_element() > way
}

/// Whether a point is farther from a triangle's plane than a way.
fn far_from_plane(t: [DVec3; 3], x: DVec3, way: f64) -> bool {
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let length = n.length();
    length > CLEAR * (t[1] - t[0]).length() * (t[2] - t[0]).length()
        && n.dot(x - t[0]).abs() > way * length * (1.0 + 1e-9)
}

/// Corners, triangles and edges of a polytope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facets {
    /// In the body's frame, rounded; and in the core's own.
    pub(crate) corners: Vec<DVec3>,
    pub(crate) own: Vec<DVec3>,
    pub(crate) triangles: Vec<[usize; 3]>,
    pub(crate) edges: Vec<[usize; 2]>,
}

impl Facets {
    /// Across the triangles, of any length.
    pub(super) fn normals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.triangles.iter().map(|t| {
            let [p, q, r] = t.map(|i| self.corners[i]);
            (q - p).cross(r - p)
        })
    }

    /// Along the edges.
    pub(super) fn ways(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.edges.iter().map(|[i, j]| self.corners[*j] - self.corners[*i])
    }
}

/// The exact corners in the body's frame, times a weight.
fn exact_corners(piece: &Piece, facets: &Facets) -> (ExactCorners, Dyadic) {
    let one = Chain::new(Pose::IDENTITY);
    let between = Between::of_chains(&one, piece.chain().unwrap_or(&one));
    let mut weight = Dyadic::new(1.0).unwrap_or(Dyadic::ZERO);
    let mut corners = Vec::with_capacity(facets.own.len());
    for x in &facets.own {
        let [x, y, z, w] = between.exact_b(*x);
        corners.push([x, y, z]);
        // The map is one, and so is the weight.
        weight = w;
    }
    (corners, weight)
}

fn grown(corners: &ExactCorners, by: &Dyadic) -> ExactCorners {
    corners.iter().map(|x| x.each_ref().map(|c| c * by)).collect()
}
