//! Contact patches: touching pairs of faces that hang together, summed up.

mod gather;
mod piece;

use crate::asker::MeshQuery;
use crate::face::Between;
use crate::face_pair::{FacePair, Touching};
use crate::mesh::{Mesh, PlacedMesh};
use crate::space::Space;
use kontakt_answers::{Contact, Feature, Range};
use kontakt_math::DVec3;
use kontakt_schedule::Expired;
use piece::Piece;

/// What a patch consists of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatchExtent {
    /// Single points.
    Point,
    /// Segments: crossings of faces or edges lying on faces.
    Curve {
        /// Their length together, to rounding; a segment on a common edge counts once.
        length: f64,
    },
    /// Common areas of faces in one plane (segments beside them are not measured).
    Area {
        /// Their area together, to rounding.
        area: f64,
    },
}

/// Pairs of touching faces that hang together, in world coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// How many pairs of triangles.
    pub pairs: usize,
    /// What they have in common.
    pub extent: PatchExtent,
    /// Mean unit normal from A to B, weighted by length or area: of A's faces in common areas, of A's minus B's faces along
    /// curves and at points. Faces are taken to be turned outward, or all inward when the body's signed volume is negative.
    pub normal: DVec3,
    /// Weighted middle of the common points, to rounding; need not be a common point itself.
    pub centre: DVec3,
    /// One to four common points, spread over the patch; the first is the one nearest to the centre. Both points of a
    /// contact are the same, so its depth along the normal is 0.
    pub contacts: Vec<Contact>,
    /// The triangles that meet at each of them, where two meshes do.
    pub triangles: Vec<FacePair>,
}

impl MeshQuery {
    /// The patches of all touching pairs, by their first pair. Two pairs belong together when their faces share a vertex (or
    /// are the same) in both bodies and the boxes of their common points meet, to rounding. Pairs with a corner and nothing else
    /// in common share just that corner.
    /// None when the asker's limits were reached before all were known.
    pub fn patches(&mut self, a: PlacedMesh, b: PlacedMesh) -> Vec<Patch> {
        let touching = self.touching(a, b);
        if !self.pairs_complete {
            return Vec::new();
        }
        self.patches_of(a, b, &touching).unwrap_or_default()
    }

    pub(crate) fn patches_of(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        touching: &Touching,
    ) -> Result<Vec<Patch>, Expired> {
        let space = Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh);
        let pieces = piece::pieces(&space, touching, self.deadline, &mut self.visits)?;
        let groups = gather::groups([a.mesh, b.mesh], &pieces, self.deadline)?;
        let of_group = |group: Vec<usize>| {
            self.deadline.check()?;
            let pieces: Vec<&Piece> = group.into_iter().map(|k| &pieces[k]).collect();
            Ok(summarise(a, b, &space.between, &pieces))
        };
        groups.into_iter().map(of_group).collect()
    }
}

/// The unit normals of two faces in A's frame, outward where the bodies are solids.
fn normals(a: PlacedMesh, b: PlacedMesh, between: &Between, pair: FacePair) -> [DVec3; 2] {
    let outward = |mesh: &Mesh, face: u32| {
        let [p, q, r] = mesh.faces().triangle_points(face as usize);
        (q - p).cross(r - p).normalize_or_zero() * mesh.solid().outward
    };
    [outward(a.mesh, pair.a), between.turn() * outward(b.mesh, pair.b)]
}

/// Where a solid meets an open surface: from the middle of the one to the place, in A's frame, so that it points from A to B. A surface without
/// an inside has no outward side: it faces the solid that meets it.
fn away_from_solid(a: PlacedMesh, b: PlacedMesh, between: &Between, place: DVec3) -> Option<DVec3> {
    match [a, b].map(|body| body.mesh.is_closed()) {
        [true, false] => Some(place - a.mesh.tree().origin()),
        [false, true] => Some(between.b_in_a(b.mesh.tree().origin()) - place),
        _ => None,
    }
}

/// Sums up one group. All sums run in the order of the pairs.
fn summarise(a: PlacedMesh, b: PlacedMesh, between: &Between, pieces: &[&Piece]) -> Patch {
    let area: f64 = pieces.iter().map(|piece| piece.area * piece.count as f64).sum();
    let segments = gather::distinct_segments(pieces);
    let length: f64 = segments.iter().map(|&k| pieces[k].length).sum();
    let flat = area > 0.0;
    let mut normal = DVec3::ZERO;
    let (mut centre, mut sum) = (DVec3::ZERO, 0.0);
    let mut enter = |piece: &Piece, weight: f64, away: DVec3| {
        normal += weight * away;
        centre += weight * piece.middle;
        sum += weight;
    };
    let between_normals = |pair: FacePair| {
        let [own, other] = normals(a, b, between, pair);
        own - other
    };
    if flat {
        for piece in pieces.iter().filter(|piece| piece.area > 0.0) {
            let [own, _] = normals(a, b, between, piece.pair);
            enter(piece, piece.area * piece.count as f64, own);
        }
    } else if length > 0.0 {
        for piece in segments.iter().map(|&k| pieces[k]) {
            enter(piece, piece.length, between_normals(piece.pair));
        }
    } else {
        for piece in pieces {
            let every = piece.corner.as_ref().map_or(&[][..], |corner| &corner.pairs);
            for &pair in every {
                enter(piece, 1.0, between_normals(pair));
            }
            if every.is_empty() {
                enter(piece, piece.count as f64, between_normals(piece.pair));
            }
        }
    }
    let centre = if sum > 0.0 { centre / sum } else { pieces.first().map_or(DVec3::ZERO, |p| p.middle) };
    let mut normal = normal.normalize_or_zero();
    if normal == DVec3::ZERO {
        let own = |piece: &&Piece| normals(a, b, between, piece.pair)[0];
        normal = pieces.iter().map(own).find(|n| *n != DVec3::ZERO).unwrap_or(DVec3::X);
    }
    if away_from_solid(a, b, between, centre).is_some_and(|away| away.dot(normal) < 0.0) {
        normal = -normal;
    }
    let extent = if flat {
        PatchExtent::Area { area }
    } else if length > 0.0 {
        PatchExtent::Curve { length }
    } else {
        PatchExtent::Point
    };
    let world_normal = a.pose.rotate(normal);
    let places = gather::spread(pieces, centre, 4);
    let triangles = places.iter().map(|place| place.1).collect();
    let contacts = places
        .into_iter()
        .map(|(point, pair)| {
            let place = a.pose.apply(point);
            let feature = |mesh: &Mesh, triangle: u32| {
                Some(Feature::Face(mesh.faces().source_of_triangle(triangle as usize) as u32))
            };
            Contact {
                point_a: place,
                point_b: place,
                normal: world_normal,
                depth: Range::ZERO,
                feature_a: feature(a.mesh, pair.a),
                feature_b: feature(b.mesh, pair.b),
            }
        })
        .collect();
    Patch {
        pairs: pieces.iter().map(|piece| piece.count).sum(),
        extent,
        normal: world_normal,
        centre: a.pose.apply(centre),
        contacts,
        triangles,
    }
}
