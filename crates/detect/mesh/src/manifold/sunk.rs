//! Contacts of solids with a common interior: places of one surface inside the other solid.

use super::FaceContact;
use crate::face::Between;
use crate::face_pair::FacePair;
use crate::mesh::PlacedMesh;
use crate::overlap::{Region, outward_normal};
use crate::space::{Space, is_odd};
use kontakt_answers::{Contact, Feature, Range, Side};
use kontakt_math::DVec3;

/// Most contacts of a region.
const MOST: usize = 4;
/// So many corners of a body in a region are looked at, evenly picked from all.
const MOST_ASKED: usize = 256;
/// A place this near to the other surface, in parts of the coordinates, is as good as on it: the way there has no certain direction.
const FLAT: f64 = 1e-9;

/// The contacts of regions, up to four each: the deepest first, then always the one farthest from those before.
pub(super) fn contacts(a: PlacedMesh, b: PlacedMesh, regions: &[Region]) -> Vec<FaceContact> {
    let solids = Solids { space: Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh), bodies: [a, b] };
    regions.iter().flat_map(|region| solids.of_region(region)).collect()
}

struct Solids<'a> {
    space: Space<'a>,
    bodies: [PlacedMesh<'a>; 2],
}

/// A place of a surface and the nearest one of the other.
struct Place {
    /// Whose surface it is on.
    side: Side,
    /// In the world, rounded.
    own: DVec3,
    feature: Feature,
    triangle: u32,
    /// **Certified**.
    depth: Range,
}

impl Solids<'_> {
    fn body(&self, side: Side) -> PlacedMesh<'_> {
        self.bodies[side as usize]
    }

    fn of_region(&self, region: &Region) -> Vec<FaceContact> {
        let mut places: Vec<Place> = self.deepest(region).into_iter().collect();
        for side in [Side::A, Side::B] {
            places.extend(self.corners_in(side, &region.triangles[side as usize]));
        }
        let Some(first) = (0..places.len())
            .max_by(|&i, &k| places[i].depth.lo().total_cmp(&places[k].depth.lo()).then(k.cmp(&i)))
        else {
            return Vec::new();
        };
        let mut chosen = vec![first];
        let mut gaps: Vec<f64> =
            places.iter().map(|place| place.own.distance_squared(places[first].own)).collect();
        // What is nearer than roundings is the same place.
        let size = places.iter().fold(0.0, |size: f64, place| size.max(place.own.abs().max_element()));
        let same = (FLAT * size).powi(2);
        while chosen.len() < MOST {
            let farthest = (0..places.len()).max_by(|&i, &k| gaps[i].total_cmp(&gaps[k]).then(k.cmp(&i)));
            let Some(next) = farthest.filter(|&k| gaps[k] > same) else { break };
            chosen.push(next);
            for (gap, place) in gaps.iter_mut().zip(&places) {
                *gap = gap.min(place.own.distance_squared(places[next].own));
            }
        }
        chosen.into_iter().filter_map(|k| self.contact(&places[k])).collect()
    }

    /// The point that lies deepest: on the surface that reaches farther into the other solid.
    fn deepest(&self, region: &Region) -> Option<Place> {
        let [a, b] = region.interference;
        let side = if b.hi() > a.hi() { Side::B } else { Side::A };
        let body = self.body(side);
        let near = body.nearest(region.deepest)?;
        let feature = body.mesh.feature_at(near.face, body.to_body(near.point)?.0);
        let depth = region.interference[side as usize];
        Some(Place { side, own: near.point, feature, triangle: near.face, depth })
    }

    /// The corners of some triangles of one body that are inside the other: **exact**, with certified depths.
    fn corners_in(&self, side: Side, triangles: &[u32]) -> Vec<Place> {
        let mesh = self.body(side).mesh;
        let mut corners: Vec<(u32, u32)> = triangles
            .iter()
            .flat_map(|&triangle| mesh.faces().triangles()[triangle as usize].map(|v| (v, triangle)))
            .collect();
        corners.sort_unstable();
        corners.dedup_by_key(|corner| mesh.solid().place(corner.0));
        let step = corners.len().div_ceil(MOST_ASKED).max(1);
        let place = |&(vertex, triangle): &(u32, u32)| {
            let own = mesh.faces().vertices()[vertex as usize];
            let depth = self.depth_at(side, own)?;
            Some(Place {
                side,
                own: self.body(side).pose.apply(own),
                feature: Feature::Vertex(vertex),
                triangle,
                depth,
            })
        };
        corners.iter().step_by(step).filter_map(place).collect()
    }

    /// How deep a point of one body is in the other, `None` unless it is inside.
    ///
    /// The point in the other's frame is off by at most `error`, and so is its distance.
    fn depth_at(&self, side: Side, own: DVec3) -> Option<Range> {
        let spot = self.space.spot(side, own);
        let (place, error) = match side {
            Side::A => self.space.to_b(own)?,
            Side::B => spot.rounded(),
        };
        let distance = self.body(side.other()).mesh.nearest(place)?.distance;
        let (lo, hi) = ((distance.lo() - error).next_down(), (distance.hi() + error).next_up());
        if lo <= 0.0 || !is_odd(&self.space, side.other(), &spot) {
            return None;
        }
        Range::new(lo, hi).ok()
    }

    fn contact(&self, place: &Place) -> Option<FaceContact> {
        let other = self.body(place.side.other());
        let near = other.nearest(place.own)?;
        let feature = other.mesh.feature_at(near.face, other.to_body(near.point)?.0);
        // From the place inside to the surface: out of the other body.
        let out = near.point - place.own;
        let size = near.point.abs().max(place.own.abs()).max_element();
        let along_face = matches!(feature, Feature::Face(_)) || out.length() <= FLAT * size;
        let out = if along_face {
            other.pose.rotate(outward_normal(other.mesh, near.face))
        } else {
            out.normalize_or(DVec3::X)
        };
        let contact = Contact {
            point_a: place.own,
            point_b: near.point,
            normal: -out,
            depth: place.depth,
            feature_a: Some(place.feature),
            feature_b: Some(feature),
        };
        let pair = FacePair { a: place.triangle, b: near.face };
        Some(match place.side {
            Side::A => FaceContact { contact, triangles: Some(pair) },
            Side::B => FaceContact { contact: contact.swapped(), triangles: Some(pair.swapped()) },
        })
    }
}
