//! A mesh against a convex shape, or a union of them, at rest: do they meet, how far apart, how they lie to each other, where.
//!
//! A mesh is its faces and, when it is closed, its solid (see [`relation`](crate::relation())); a shape is a closed convex set. Every
//! face near the shape is asked about with the convex kernel, whose verdicts are exact for polytopal shapes (rounded ones too) and
//! half-spaces, and certified for curved ones. What is not near is ruled out by boxes and planes with certified errors.

mod depth;
mod local;
mod plain;
mod relation;
mod view;
mod walk;

use crate::asker::MeshQuery;
use crate::face_pair::{FacePair, NearPair};
use crate::inside::Location as Where;
use crate::manifold::FaceContact;
use crate::mesh::PlacedMesh;
use crate::walk::descent::corners;
use kontakt_answers::{Contact, Range, Verdict};
use kontakt_convex::{self as convex, Answer, Core, Shape, Want};
use kontakt_hierarchy::packed::Child;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{Between, DVec3};
use std::collections::HashSet;
use view::{Plane, View, each_view};
use walk::{Go, towards};

pub use relation::ShapeRelation;

/// The distance of a mesh and a convex shape, and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeDistance {
    /// **Certified**: contains the exact distance of the two sets, the mesh's solid included; [0, 0] when they are known to meet.
    pub range: Range,
    /// The point on the mesh, in world coordinates, rounded.
    pub point_a: DVec3,
    /// The point on the shape, in world coordinates, rounded.
    pub point_b: DVec3,
    /// Unit vector from the mesh to the shape, rounded.
    pub normal: DVec3,
    /// The triangle of the mesh.
    pub triangle: u32,
    /// The leaf of the shape, 0 for a shape that is no union.
    pub part: u32,
}

/// Asks about a mesh and shapes; the scratch memory of both kernels.
#[derive(Clone, Debug, Default)]
pub struct MeshShapeQuery {
    faces: MeshQuery,
    convex: convex::ConvexQuery,
    stack: Vec<(f32, Child)>,
}

/// What was found about one triangle and one leaf.
#[derive(Clone, Copy, Debug)]
struct Found {
    slot: u32,
    part: u32,
    answer: Answer,
}

impl MeshShapeQuery {
    /// An asker with empty memory.
    pub fn new() -> MeshShapeQuery {
        MeshShapeQuery::default()
    }

    /// Whether the sets have a common point; stops at the first one found. `None` where certified bounds leave that open.
    pub fn any_contact(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape) -> Option<bool> {
        let mut known = Some(false);
        each_view(mesh, shape, |_, view| {
            let meets = match self.leaf_meets(mesh, view, Verdict::Touching) {
                Verdict::Separate => self.is_inside(mesh, view, false),
                Verdict::Touching | Verdict::Overlapping => Some(true),
                Verdict::Undecided => None,
            };
            known = if meets == Some(true) { meets } else { known.and(meets) };
            known != Some(true)
        });
        known
    }

    /// Whether the sets meet, and whether in their insides. A face in the inside of the shape, or the shape in the inside of a closed
    /// mesh, is an overlap.
    pub fn intersect(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape) -> Verdict {
        let verdict = self.faces_meet(mesh, shape, Verdict::Overlapping);
        if verdict == Verdict::Overlapping {
            return verdict;
        }
        match self.any_inside(mesh, shape, verdict) {
            Some(true) => Verdict::Overlapping,
            Some(false) => verdict,
            None => Verdict::Undecided,
        }
    }

    /// The distance of the two sets and the points that realise it.
    pub fn distance(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape) -> ShapeDistance {
        let Some(found) = ball_distance(mesh, shape).or_else(|| self.nearest(mesh, shape)) else {
            return ShapeDistance::unknown();
        };
        let mut range = found.range;
        if range.lo() > 0.0 {
            match self.any_inside(mesh, shape, Verdict::Separate) {
                Some(true) => range = Range::ZERO,
                Some(false) => {}
                None => range = Range::new(0.0, range.hi()).unwrap_or(Range::ZERO),
            }
        }
        ShapeDistance { range, ..found }
    }

    /// The points of contact of every triangle and leaf not farther apart than `gap` (≥ 0): corners of common faces, ends of common edges,
    /// or one point, each with the corner, edge or face of the mesh that is there; by the numbers of the triangles, then of the leaves (in
    /// the place of the other body's triangle). The **certified** depth is that of the triangle in the leaf at that place, along the
    /// normal; negative means a gap. What triangles have in common is told once.
    pub fn contacts(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape, gap: f64) -> Vec<FaceContact> {
        let mut found: Vec<(FacePair, Contact)> = Vec::new();
        let MeshShapeQuery { faces, convex, stack } = self;
        each_view(mesh, shape, |part, view| {
            towards(mesh.mesh.tree(), view, gap, &mut None, stack, |slot, _| {
                let Ok(triangle) = Shape::triangle(corners(mesh.mesh, slot)) else { return Go::Within(gap) };
                faces.visits.face_tests += 1;
                let answer = view.ask(convex, &triangle, Want::Contact);
                if answer.verdict != Verdict::Separate || answer.separation.lo() <= gap {
                    let number = mesh.mesh.tree().order()[slot as usize];
                    let points = convex::ConvexQuery::contact_points(
                        &triangle,
                        view.shape(),
                        &view.between,
                        &answer,
                        gap,
                    );
                    let named = |contact: Contact| {
                        let feature_a = Some(mesh.mesh.feature_of(number, contact.feature_a));
                        (FacePair { a: number, b: part }, Contact { feature_a, ..contact })
                    };
                    found.extend(points.into_iter().map(named));
                }
                Go::Within(gap)
            });
            true
        });
        // Stable: the points of one triangle stay in their order.
        found.sort_by_key(|found| found.0);
        distinct(found)
    }

    /// Adds to `pairs` every triangle and leaf (its number in `b`) whose distance is at most `distance`, and some that are farther
    /// apart, sorted. **None is missed** if it answers `true`; `false` where there are more than `most`, and then those added are of
    /// no use.
    pub fn near_pairs(
        &mut self,
        mesh: PlacedMesh,
        shape: convex::PlacedShape,
        distance: f64,
        most: usize,
        pairs: &mut Vec<NearPair>,
    ) -> bool {
        let from = pairs.len();
        let mut all = true;
        each_view(mesh, shape, |part, view| {
            towards(mesh.mesh.tree(), view, distance, &mut None, &mut self.stack, |slot, _| {
                let pair = FacePair { a: mesh.mesh.tree().order()[slot as usize], b: part };
                pairs.push(NearPair { pair, gap: 0.0 });
                all = pairs.len() - from <= most;
                if all { Go::Within(distance) } else { Go::Stop }
            });
            all
        });
        pairs[from..].sort_unstable_by_key(|near| near.pair);
        all
    }

    /// How faces and shape lie to each other: the gravest verdict of all pairs; ends at the first that is as grave as `enough`.
    fn faces_meet(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape, enough: Verdict) -> Verdict {
        let mut worst = Verdict::Separate;
        each_view(mesh, shape, |_, view| {
            worst = worst.graver(self.leaf_meets(mesh, view, enough));
            worst != Verdict::Overlapping && worst != enough
        });
        worst
    }

    /// The same of one leaf.
    fn leaf_meets(&mut self, mesh: PlacedMesh, view: &View, enough: Verdict) -> Verdict {
        let MeshShapeQuery { faces, convex, stack } = self;
        let mut worst = Verdict::Separate;
        towards(mesh.mesh.tree(), view, 0.0, &mut None, stack, |slot, _| {
            let own = corners(mesh.mesh, slot);
            faces.visits.face_tests += 1;
            let mut ask =
                || Shape::triangle(own).map(|triangle| view.ask(convex, &triangle, Want::Verdict).verdict);
            let verdict = view.plain_verdict(own).or_else(|| ask().ok()).unwrap_or(Verdict::Undecided);
            worst = worst.graver(verdict);
            if worst == Verdict::Overlapping || worst == enough { Go::Stop } else { Go::Within(0.0) }
        });
        worst
    }

    /// The nearest triangle and leaf.
    fn nearest(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape) -> Option<ShapeDistance> {
        let tree = mesh.mesh.tree();
        let (mut best, mut lo): (Option<Found>, f64) = (None, f64::INFINITY);
        let MeshShapeQuery { faces, convex, stack } = self;
        let within = |best: &Option<Found>| best.map_or(f64::INFINITY, |best| best.answer.separation.hi());
        each_view(mesh, shape, |part, view| {
            let mut plane: Option<Plane> = None;
            towards(tree, view, within(&best), &mut plane, stack, |slot, plane| {
                let own = corners(mesh.mesh, slot);
                // What is proven to be farther than the best is not nearer than its upper end.
                if plane.is_some_and(|plane| View::above(&plane, &own) > within(&best)) {
                    return Go::Within(within(&best));
                }
                let gap = || view.local(&own).map_or(f64::NEG_INFINITY, |local| view.box_gap(&local));
                let far = || gap() > within(&best) || view.is_slow() && view.gap_below(own) > within(&best);
                if best.is_some() && far() {
                    return Go::Within(within(&best));
                }
                let Ok(triangle) = Shape::triangle(own) else { return Go::Within(within(&best)) };
                faces.visits.face_tests += 1;
                let answer = view.ask(convex, &triangle, Want::Distance);
                lo = lo.min(answer.separation.lo());
                if best.is_none_or(|best| answer.separation.hi() < best.answer.separation.hi()) {
                    best = Some(Found { slot, part, answer });
                    if answer.verdict == Verdict::Separate {
                        let direction = mesh.pose.matrix().transpose() * -answer.normal;
                        *plane = Some(view.plane(direction));
                    }
                }
                if answer.separation.hi() <= 0.0 { Go::Stop } else { Go::Within(within(&best)) }
            });
            within(&best) > 0.0
        });
        let Found { slot, part, answer } = best?;
        let hi = answer.separation.hi().max(0.0);
        Some(ShapeDistance {
            range: Range::new(lo.clamp(0.0, hi), hi).unwrap_or(Range::ZERO),
            point_a: answer.point_a,
            point_b: answer.point_b,
            normal: answer.normal,
            triangle: tree.order()[slot as usize],
            part,
        })
    }
}

/// The distance of a mesh's faces and a ball: that of its centre less its radius. None for other shapes.
///
/// The centre in the mesh's frame is off by at most `error`, so the distance is, too.
fn ball_distance(mesh: PlacedMesh, shape: convex::PlacedShape) -> Option<ShapeDistance> {
    if !matches!(shape.shape.core(), Core::Point) {
        return None;
    }
    let between = Between::new(mesh.pose, shape.pose);
    let (centre, error) = (between.b_in_a(DVec3::ZERO), between.error_at(DVec3::ZERO));
    let found = mesh.mesh.nearest(centre)?;
    let [round, margin] = shape.shape.radii();
    let lo = add_down(add_down(found.distance.lo(), -error), -add_up(round, margin)).max(0.0);
    let hi = add_up(add_up(found.distance.hi(), error), -add_down(round, margin)).max(0.0);
    let apart = centre - found.point;
    let normal = mesh.pose.rotate(apart.normalize_or(DVec3::Z));
    let point_a = mesh.pose.apply(found.point);
    Some(ShapeDistance {
        range: Range::new(lo.min(hi), hi).ok().filter(|range| range.lo().is_finite())?,
        point_a,
        point_b: if hi > 0.0 { mesh.pose.apply(centre) - normal * (round + margin) } else { point_a },
        normal,
        triangle: found.face,
        part: 0,
    })
}

/// Leaves out what repeats the place and normal of an earlier contact with the same leaf: points on edges that triangles share. Places
/// are compared after rounding to 2⁻²⁸ of the largest coordinate, so that a few next to a limit stay twice.
fn distinct(contacts: Vec<(FacePair, Contact)>) -> Vec<FaceContact> {
    let size =
        contacts.iter().fold(0.0, |most: f64, (_, contact)| most.max(contact.point_a.abs().max_element()));
    let fine = if size > 0.0 { 268_435_456.0 / size } else { 1.0 };
    let coarse = |v: DVec3, scale: f64| (v * scale).round().to_array().map(|x| x as i64);
    let mut seen = HashSet::new();
    let is_first = |(pair, contact): &(FacePair, Contact)| {
        seen.insert((pair.b, coarse(contact.point_a, fine), coarse(contact.normal, 1e6)))
    };
    let told = |(pair, contact)| FaceContact { contact, triangles: Some(pair) };
    contacts.into_iter().filter(is_first).map(told).collect()
}

impl ShapeDistance {
    /// Numbers beyond the doubles.
    fn unknown() -> ShapeDistance {
        ShapeDistance {
            range: Range::new(0.0, f64::INFINITY).unwrap_or(Range::ZERO),
            point_a: DVec3::ZERO,
            point_b: DVec3::ZERO,
            normal: DVec3::Z,
            triangle: 0,
            part: 0,
        }
    }
}
