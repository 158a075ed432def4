//! Contact patches: touching pairs of faces that hang together, summed up.

mod gather;

use crate::asker::Asker;
use crate::face::{Between, Common, common_points};
use crate::mesh::Placed;
use crate::pairs::FacePair;
use gather::Piece;
use kontakt_answers::{Contact, Feature, Range};
use kontakt_math::DVec3;

/// What a patch consists of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
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
    pub extent: Extent,
    /// Mean unit normal from A to B, weighted by length or area: of A's faces in common areas, of A's minus B's faces along
    /// curves and at points. Faces are taken to be turned outward, or all inward when the body's signed volume is negative.
    pub normal: DVec3,
    /// Weighted middle of the common points, to rounding; need not be a common point itself.
    pub centre: DVec3,
    /// One to four common points, spread over the patch; the first is the one nearest to the centre. Both points of a
    /// contact are the same, so its depth along the normal is 0.
    pub contacts: Vec<Contact>,
}

impl Asker {
    /// The patches of all touching pairs, by their first pair. Two pairs belong together when their faces share a vertex (or
    /// are the same) in both bodies and the boxes of their common points meet, to rounding.
    pub fn patches(&mut self, a: Placed, b: Placed) -> Vec<Patch> {
        let pairs = self.all_pairs(a, b).to_vec();
        self.patches_of(a, b, &pairs)
    }

    pub(crate) fn patches_of(&mut self, a: Placed, b: Placed, pairs: &[FacePair]) -> Vec<Patch> {
        let between = Between::new(a.pose, b.pose);
        let pieces: Vec<Piece> = pairs
            .iter()
            .map(|&pair| {
                let x = a.mesh.faces().triangle_points(pair.a as usize);
                let y = b.mesh.faces().triangle_points(pair.b as usize);
                let (_, common) = common_points(&between, x, y, &mut self.visits);
                let points = match common {
                    Common::None => Vec::new(),
                    Common::Point(p) => vec![p],
                    Common::Segment(ends) => ends.to_vec(),
                    Common::Polygon(corners) => corners,
                };
                let outward = |mesh: &crate::Mesh, t: [DVec3; 3]| {
                    (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero() * mesh.solid().outward
                };
                Piece::new(pair, points, outward(a.mesh, x), between.turn() * outward(b.mesh, y))
            })
            .collect();
        gather::groups(a.mesh, b.mesh, &pieces)
            .into_iter()
            .map(|group| summarise(a, b, &group.iter().map(|&k| &pieces[k]).collect::<Vec<_>>()))
            .collect()
    }
}

/// Sums up one group.
fn summarise(a: Placed, b: Placed, pieces: &[&Piece]) -> Patch {
    let area: f64 = pieces.iter().map(|piece| piece.area).sum();
    let segments = gather::distinct_segments(pieces);
    let length: f64 = segments.iter().map(|&k| pieces[k].length).sum();
    let flat = area > 0.0;
    let weight = |k: usize| {
        if flat {
            pieces[k].area
        } else if length > 0.0 {
            if segments.contains(&k) { pieces[k].length } else { 0.0 }
        } else {
            1.0
        }
    };
    let (mut normal, mut centre, mut sum) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (k, piece) in pieces.iter().enumerate() {
        let w = weight(k);
        normal += w * if flat { piece.normal_a } else { piece.normal_a - piece.normal_b };
        centre += w * piece.middle;
        sum += w;
    }
    let centre = if sum > 0.0 { centre / sum } else { pieces.first().map_or(DVec3::ZERO, |p| p.middle) };
    let mut normal = normal.normalize_or_zero();
    if normal == DVec3::ZERO {
        normal = pieces.iter().map(|p| p.normal_a).find(|n| *n != DVec3::ZERO).unwrap_or(DVec3::X);
    }
    let extent = if flat {
        Extent::Area { area }
    } else if length > 0.0 {
        Extent::Curve { length }
    } else {
        Extent::Point
    };
    let world_normal = a.pose.rotate(normal);
    let contacts = gather::spread(pieces, centre, 4)
        .into_iter()
        .map(|(point, pair)| {
            let place = a.pose.apply(point);
            let feature = |mesh: &crate::Mesh, triangle: u32| {
                Some(Feature::Face(mesh.faces().face_of_triangle(triangle as usize) as u32))
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
    Patch { pairs: pieces.len(), extent, normal: world_normal, centre: a.pose.apply(centre), contacts }
}
