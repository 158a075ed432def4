//! Where two meshes first meet: features, points, normal and gap at the time until which they are proven apart.

use crate::leg::{Leg, Relative};
use crate::normal::{self, Around, slots_near};
use crate::search::{Met, corners};
use kontakt_answers::{Contact, Feature, Range};
use kontakt_math::DVec3;
use kontakt_math::round::length_up;
use kontakt_mesh::Mesh;
use kontakt_mesh::face::distance;

/// Corners of a triangle no farther than this part of its size below its highest are as high.
const LEVEL: f64 = 1e-6;

/// A direction between two bodies and points of them that are nearest, all in A's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facing {
    /// From A to B; of any length.
    pub(crate) normal: DVec3,
    pub(crate) points: [DVec3; 2],
}

/// The contact of bodies that a plane keeps apart until then.
pub(crate) fn at_plane(leg: &Leg, meshes: [&Mesh; 2], met: &Met, facing: &Facing) -> Contact {
    let slots = met.slots.map(|slot| vec![slot]);
    told(leg, meshes, met.lo, &slots, facing)
}

/// The contact of bodies whose triangles in two slots meet first.
pub(crate) fn contact(leg: &Leg, meshes: [&Mesh; 2], met: &Met) -> Contact {
    let relative = leg.relative(met.lo);
    let own = corners(meshes[0], met.slots[0]);
    let other = corners(meshes[1], met.slots[1]).map(|x| relative.b_in_a(x));
    let near = distance(own, other);
    let (points, gap) = ([near.point_a, near.point_b], near.point_b - near.point_a);
    let reach = 3.0 * gap.length() + 1e-9 * size(&own).max(size(&other));
    let there = relative.a_in_b(points[1]);
    let slots = [
        slots_near(meshes[0], points[0], reach, met.slots[0]),
        slots_near(meshes[1], there, reach, met.slots[1]),
    ];
    let a = Around::of(points[0], reach, slots[0].iter().map(|&slot| corners(meshes[0], slot)));
    let seen = |slot: &u32| corners(meshes[1], *slot).map(|x| relative.b_in_a(x));
    let b = Around::of(points[1], reach, slots[1].iter().map(seen));
    let normal = normal::between(&a, &b, gap, leg.velocity(there, met.lo)).unwrap_or(gap);
    told(leg, meshes, met.lo, &slots, &Facing { normal, points })
}

/// The largest coordinate of a triangle relative to its first corner.
fn size(t: &[DVec3; 3]) -> f64 {
    t.iter().fold(0.0, |size, x| size.max((*x - t[0]).abs().max_element()))
}

fn told(leg: &Leg, [a, b]: [&Mesh; 2], lo: f64, slots: &[Vec<u32>; 2], facing: &Facing) -> Contact {
    let relative = leg.relative(lo);
    let normal = facing.normal.normalize_or(DVec3::X);
    let [point_a, point_b] = facing.points;
    let world = leg.a.at(lo);
    let place = |x: DVec3| world.turn * x + world.shift;
    let there = relative.turn.transpose() * -normal;
    Contact {
        point_a: place(point_a),
        point_b: place(point_b),
        normal: world.turn * normal,
        depth: gap(&relative, [a, b], slots.each_ref().map(|slots| slots[0]), facing.points),
        feature_a: feature(a, &slots[0], normal),
        feature_b: feature(b, &slots[1], there),
    }
}

/// Minus the distance of the bodies at that time, **certified**: they are apart or touch, and no farther from each other than two points
/// of theirs.
///
/// Proof: both points are mixtures of corners of triangles (or of bodies as small as these), with weights that sum to 1 up to a few
/// roundings; 64u of all sizes covers them, and the place of B's is off as told.
fn gap(relative: &Relative, meshes: [&Mesh; 2], slots: [u32; 2], [x, y]: [DVec3; 2]) -> Range {
    let [far_a, far_b] = [0, 1].map(|k: usize| {
        let far = |far: f64, corner: &DVec3| far.max(length_up(*corner));
        corners(meshes[k], slots[k]).iter().fold(0.0, far)
    });
    let sizes = far_a + far_b + length_up(x) + length_up(y);
    let error = relative.error_within(far_b + length_up(x - y)) + 64.0 * f64::EPSILON * sizes;
    let most = (length_up(y - x) + error) * (1.0 + 1e-12) + f64::MIN_POSITIVE;
    Range::new(-most, 0.0).unwrap_or(Range::ZERO)
}

/// What of a body is farthest along a direction of its frame, at the place of contact: of the triangles there the one that reaches
/// highest with most of its corners tells. Names are those of the file.
fn feature(mesh: &Mesh, slots: &[u32], direction: DVec3) -> Option<Feature> {
    let highest = |slot: &u32| {
        let t = corners(mesh, *slot);
        let heights = t.map(|x| direction.dot(x - t[0]));
        let top = heights.iter().fold(f64::NEG_INFINITY, |top, h| top.max(*h));
        heights.map(|height| top - height <= LEVEL * size(&t))
    };
    let count = |level: [bool; 3]| level.iter().filter(|level| **level).count();
    let best = slots
        .iter()
        .map(|slot| (*slot, highest(slot)))
        .reduce(|best, next| if count(next.1) > count(best.1) { next } else { best });
    let (slot, level) = best?;
    let ids = mesh.tree().corners()[slot as usize];
    Some(match level {
        [true, true, true] => source_face(mesh, slot),
        [true, true, false] => Feature::edge(ids[0], ids[1]),
        [false, true, true] => Feature::edge(ids[1], ids[2]),
        [true, false, true] => Feature::edge(ids[2], ids[0]),
        [false, true, false] => Feature::Vertex(ids[1]),
        [false, false, true] => Feature::Vertex(ids[2]),
        _ => Feature::Vertex(ids[0]),
    })
}

/// The face of the file that the triangle in a slot is part of.
pub(crate) fn source_face(mesh: &Mesh, slot: u32) -> Feature {
    let triangle = mesh.tree().order()[slot as usize];
    Feature::Face(mesh.faces().source_of_triangle(triangle as usize) as u32)
}
