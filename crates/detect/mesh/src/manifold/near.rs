//! Where the distance of two surfaces without a common interior has a local minimum.
//!
//! Such a minimum is between a corner of one body and a point of the other, or between two edges. It is one where no face about either
//! point turns towards the other: the cosine of the angle between the way across and any side there is not positive, up to
//! roundings. Faces that lie before each other at one distance are told by the corners of what they have in common: corners over the
//! face, and crossing edges.

use super::FaceContact;
use crate::asker::MeshQuery;
use crate::face_pair::{FacePair, NearPair};
use crate::mesh::{Mesh, PlacedMesh};
use crate::overlap::outward_normal;
use crate::space::Space;
use kontakt_answers::{Contact, Feature, Range, Side};
use kontakt_bounds::hausdorff::distance_to_triangle;
use kontakt_math::DVec3;
use std::collections::BTreeMap;

/// A cosine up to this is not positive, but for roundings.
const LEVEL: f64 = 1e-7;
/// Edges whose sine is below this run alongside each other: the corners tell.
const PARALLEL: f64 = 1e-7;

/// All local minima of the distance that may be no larger than `gap`, by their features.
pub(super) fn contacts(
    query: &mut MeshQuery,
    space: &Space,
    [a, b]: [PlacedMesh; 2],
    gap: f64,
) -> Vec<FaceContact> {
    let mut pairs = Vec::new();
    let most = query.max_pairs;
    if !query.near_pairs(a, b, gap, most, &mut pairs) {
        return Vec::new();
    }
    let scene = Scene { space, gap };
    let mut minima = Minima::default();
    for &NearPair { pair, .. } in &pairs {
        scene.corners_of(Side::A, pair, &mut minima.corners[0]);
        scene.corners_of(Side::B, pair, &mut minima.corners[1]);
        scene.edges_of(pair, &mut minima.edges);
    }
    let [of_a, of_b] = minima.corners;
    let all = of_a.into_values().chain(of_b.into_values()).chain(minima.edges.into_values());
    let mut seen = std::collections::BTreeSet::new();
    let told = all.filter_map(|minimum| scene.contact(a, minimum));
    told.filter(|found| seen.insert((found.contact.feature_a, found.contact.feature_b))).collect()
}

/// A pair of nearest points in A's frame.
#[derive(Clone, Copy)]
struct Minimum {
    points: [DVec3; 2],
    features: [Feature; 2],
    triangles: FacePair,
    distance: Range,
}

#[derive(Default)]
struct Minima {
    /// The nearest place of the other body, by corners of A and of B.
    corners: [BTreeMap<u32, Minimum>; 2],
    /// By edges of A and of B.
    edges: BTreeMap<[[u32; 2]; 2], Minimum>,
}

struct Scene<'a> {
    space: &'a Space<'a>,
    gap: f64,
}

impl Scene<'_> {
    fn mesh(&self, side: Side) -> &Mesh {
        self.space.mesh(side)
    }

    /// A vertex in A's frame and **never less** than its error.
    fn place(&self, side: Side, vertex: u32) -> (DVec3, f64) {
        self.space.spot(side, self.mesh(side).faces().vertices()[vertex as usize]).rounded()
    }

    /// The corners of a triangle in A's frame and **never less** than their error.
    fn triangle(&self, side: Side, triangle: u32) -> ([DVec3; 3], f64) {
        let ids = self.mesh(side).faces().triangles()[triangle as usize];
        let places = ids.map(|v| self.place(side, v));
        (places.map(|place| place.0), places.iter().fold(0.0, |most: f64, place| most.max(place.1)))
    }

    /// Takes the corners of one triangle of a pair that are nearer to the other one than to any before.
    ///
    /// Both are off by at most their errors, and so is the distance.
    fn corners_of(&self, side: Side, pair: FacePair, nearest: &mut BTreeMap<u32, Minimum>) {
        let [own, other] = match side {
            Side::A => [pair.a, pair.b],
            Side::B => [pair.b, pair.a],
        };
        let (corners, off) = self.triangle(side.other(), other);
        for vertex in self.mesh(side).faces().triangles()[own as usize] {
            let (place, error) = self.place(side, vertex);
            let found = distance_to_triangle(place, corners);
            let slack = (error + off).next_up();
            let lo = (found.lower - slack).next_down().max(0.0);
            let hi = (found.upper + slack).next_up();
            let Ok(distance) = Range::new(lo.min(hi), hi) else { continue };
            if distance.lo() > self.gap {
                continue;
            }
            let key = self.mesh(side).solid().place(vertex);
            // What is nearest is no nearer than any of them may be.
            let lo = nearest.get(&key).map_or(lo, |best| best.distance.lo().min(lo));
            if let Some(best) = nearest.get_mut(&key).filter(|best| best.distance.hi() <= hi) {
                best.distance = Range::new(lo, best.distance.hi()).unwrap_or(best.distance);
                continue;
            }
            let distance = Range::new(lo.min(hi), hi).unwrap_or(distance);
            let there = self.feature_there(side.other(), other, found.place);
            let (mut points, mut features) = ([place, found.place], [Feature::Vertex(key), there]);
            if side == Side::B {
                points.reverse();
                features.reverse();
            }
            nearest.insert(key, Minimum { points, features, triangles: pair, distance });
        }
    }

    /// What of a body a point of A's frame on one of its triangles is on.
    fn feature_there(&self, side: Side, triangle: u32, point: DVec3) -> Feature {
        let own = match side {
            Side::A => point,
            Side::B => self.space.to_b(point).map_or(point, |(own, _)| own),
        };
        let mesh = self.mesh(side);
        match mesh.feature_at(triangle, own) {
            Feature::Vertex(v) => Feature::Vertex(mesh.solid().place(v)),
            Feature::Edge(p, q) => {
                let [p, q] = named(mesh, [p, q]);
                Feature::Edge(p, q)
            }
            face @ Feature::Face(_) => face,
        }
    }

    /// Takes the sides of two triangles whose nearest points are inside both.
    fn edges_of(&self, pair: FacePair, found: &mut BTreeMap<[[u32; 2]; 2], Minimum>) {
        let (ids_a, ids_b) = (
            self.mesh(Side::A).faces().triangles()[pair.a as usize],
            self.mesh(Side::B).faces().triangles()[pair.b as usize],
        );
        let ((a, off_a), (b, off_b)) = (self.triangle(Side::A, pair.a), self.triangle(Side::B, pair.b));
        for i in 0..3 {
            for k in 0..3 {
                let (j, l) = ((i + 1) % 3, (k + 1) % 3);
                let Some(points) = crossing([a[i], a[j]], [b[k], b[l]]) else { continue };
                let ends = [[a[i], a[j]], [b[k], b[l]]];
                let Some(distance) = distance_of(points, ends, off_a + off_b) else { continue };
                if distance.lo() > self.gap {
                    continue;
                }
                let key = [
                    named(self.mesh(Side::A), [ids_a[i], ids_a[j]]),
                    named(self.mesh(Side::B), [ids_b[k], ids_b[l]]),
                ];
                let features = key.map(|[p, q]| Feature::edge(p, q));
                found.entry(key).or_insert(Minimum { points, features, triangles: pair, distance });
            }
        }
    }

    /// The contact at a minimum; `None` if it is none, or an edge is a cut through a flat face. Where the surfaces may have a common point
    /// there is no lower distance.
    fn contact(&self, a: PlacedMesh, minimum: Minimum) -> Option<FaceContact> {
        let Minimum { points, features, triangles, distance } = minimum;
        let normal = self.normal(&minimum);
        let across = points[1] - points[0];
        let across = if distance.lo() > 0.0 { across } else { normal };
        let sides = [(Side::A, across), (Side::B, -across)];
        let turns_away = |&(side, way): &(Side, DVec3)| {
            self.turns_away(side, features[side as usize], points[side as usize], way)
        };
        let is_flat = |&(side, way): &(Side, DVec3)| {
            self.is_flat(side, features[side as usize], points[side as usize], way)
        };
        let edges = matches!(features, [Feature::Edge(..), Feature::Edge(..)]);
        let is_minimum = distance.lo() <= 0.0 || sides.iter().all(turns_away);
        if !is_minimum || edges && sides.iter().any(is_flat) {
            return None;
        }
        let contact = Contact {
            point_a: a.pose.apply(points[0]),
            point_b: a.pose.apply(points[1]),
            normal: a.pose.rotate(normal),
            depth: distance.negated(),
            feature_a: Some(features[0]),
            feature_b: Some(features[1]),
        };
        Some(FaceContact { contact, triangles: Some(triangles) })
    }

    /// The unit normal from A to B in A's frame: that of a face or across two edges, which does not suffer where the way across is short,
    /// else along the way across. Where there is none, faces tell which way is out of the bodies.
    fn normal(&self, minimum: &Minimum) -> DVec3 {
        let Minimum { points, features, triangles, distance } = *minimum;
        let middle = |side: Side| -> DVec3 {
            self.sides_at(side, features[side as usize], points[side as usize])
                .sum::<DVec3>()
                .normalize_or_zero()
        };
        let ends = |side: Side, [p, q]: [u32; 2]| self.place(side, q).0 - self.place(side, p).0;
        let across = points[1] - points[0];
        let turn = self.space.between.turn();
        let towards = if distance.lo() > 0.0 { across } else { middle(Side::B) - middle(Side::A) };
        let aligned = |n: DVec3| if n.dot(towards) < 0.0 { -n } else { n };
        let known = match features {
            [_, Feature::Face(_)] => -(turn * outward_normal(self.mesh(Side::B), triangles.b)),
            [Feature::Face(_), _] => outward_normal(self.mesh(Side::A), triangles.a),
            [Feature::Edge(p, q), Feature::Edge(r, s)] => {
                aligned(ends(Side::A, [p, q]).cross(ends(Side::B, [r, s])).normalize_or_zero())
            }
            _ => DVec3::ZERO,
        };
        // A sheet has no outside.
        let known = if distance.lo() > 0.0 { aligned(known) } else { known };
        if known == DVec3::ZERO { towards.normalize_or(DVec3::X) } else { known }
    }

    /// Whether no face at a feature goes on towards `way` from a point there.
    fn turns_away(&self, side: Side, feature: Feature, point: DVec3, way: DVec3) -> bool {
        self.sides_at(side, feature, point).all(|along| {
            let level = LEVEL * along.length() * way.length();
            along.dot(way) <= level
        })
    }

    /// Whether all faces at an edge are at right angles to `way`: a cut through something flat.
    fn is_flat(&self, side: Side, edge: Feature, point: DVec3, way: DVec3) -> bool {
        let level = |along: DVec3| along.dot(way).abs() <= LEVEL * along.length() * way.length();
        let Feature::Edge(p, q) = edge else { return false };
        self.mesh(side).triangles_at([p, q]).nth(1).is_some() && self.sides_at(side, edge, point).all(level)
    }

    /// From a point to all corners of the faces at a feature it is on; none at a face.
    fn sides_at(&self, side: Side, feature: Feature, point: DVec3) -> impl Iterator<Item = DVec3> {
        let mesh = self.mesh(side);
        let triangles: Vec<u32> = match feature {
            Feature::Vertex(v) => mesh.solid().around(mesh).of(mesh.solid().place(v)).to_vec(),
            Feature::Edge(p, q) => mesh.triangles_at([p, q]).collect(),
            Feature::Face(_) => Vec::new(),
        };
        triangles
            .into_iter()
            .flat_map(move |triangle| self.triangle(side, triangle).0)
            .map(move |corner| corner - point)
    }
}

/// An edge by the vertices that stand for its ends' places.
fn named(mesh: &Mesh, ends: [u32; 2]) -> [u32; 2] {
    let [p, q] = ends.map(|v| mesh.solid().place(v));
    [p.min(q), p.max(q)]
}

/// The nearest points of two segments where they are inside both, strictly.
fn crossing([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> Option<[DVec3; 2]> {
    let (d, e, from) = (q - p, s - r, r - p);
    let normal = d.cross(e);
    let squared = normal.length_squared();
    if squared <= PARALLEL * PARALLEL * d.length_squared() * e.length_squared() {
        return None;
    }
    let inside = 1e-9..1.0 - 1e-9;
    let (t, u) = (from.cross(e).dot(normal) / squared, from.cross(d).dot(normal) / squared);
    (inside.contains(&t) && inside.contains(&u)).then(|| [p + d * t, r + e * u])
}

/// **Certified** bounds of the distance of two segments in given ends with points found on them; ends are off by `off` together.
///
/// Proof. Upper: a point found is a mixture of its ends but for a few roundings, of which 16u of all coordinates are more. Lower: along
/// any direction n all of the one is below max n·p over its ends and all of the other above min n·q, so the distance is at least the
/// difference over |n|; each product errs by less than 4u of the sizes.
fn distance_of([p, q]: [DVec3; 2], [a, b]: [[DVec3; 2]; 2], off: f64) -> Option<Range> {
    let size = a.iter().chain(&b).fold(0.0, |size: f64, x| size.max(x.abs().element_sum()));
    let hi = p.distance(q) * (1.0 + 8.0 * f64::EPSILON) + 64.0 * f64::EPSILON * size + off;
    let n = (q - p).normalize_or_zero();
    let top = a.iter().map(|x| n.dot(*x)).fold(f64::NEG_INFINITY, f64::max);
    let bottom = b.iter().map(|x| n.dot(*x)).fold(f64::INFINITY, f64::min);
    let lo = (bottom - top - 32.0 * f64::EPSILON * size) * (1.0 - 8.0 * f64::EPSILON) - off;
    Range::new(lo.next_down().max(0.0).min(hi), hi.next_up()).ok()
}
