//! Whether a convex piece of space lies anywhere deeper in a solid than allowed: what is swept by a moving triangle does so if it interferes
//! too much.
//!
//! The piece, the hull of some points, is cut until each part is one of these, D being the depth allowed:
//! - **near one face**: the distance from a face is convex, so on a part it is largest at a corner. Where it is at most D there, no
//!   point of the part is deeper, be it inside or outside;
//! - **off all faces and outside**: a part that no face meets is inside or outside as a whole, and one point of it tells which;
//! - **off all faces and inside**, with a point farther than D from all of them: deeper.
//!
//! **Where to cut.** As long as faces meet a part, away from one of them, across the shortest way from the face to the part's farthest
//! corner, a share of D from the face: the part beyond does not meet this face any more, and the part before it is soon near the face
//! all over. So flat places take a few cuts, however large they are beside D. A part inside is cut where the nearest face changes.
//!
//! **Which errors are covered.** What is said of a part is said of all points within `slack` of it: the blur asked for and the roundings of
//! all cuts ([`piece`](super::piece)).

use super::piece::{Piece, ROUNDING};
use super::ridge::{Plane, Seen, unit_normal};
use crate::inside::Location;
use crate::mesh::Mesh;
use crate::solo::Solo;
use kontakt_bounds::hausdorff::{above_distance_to_triangle, distance_to_triangle};
use kontakt_math::DVec3;

/// Parts met by more faces than this are halved.
const MANY: usize = 12;
/// How far from a face parts are cut off, in parts of the depth.
const STEP: f64 = 0.3;
/// Parts that reach farther than this from the plane of a face, in parts of the depth, are cut along that plane.
const HIGH: f64 = 0.5;

/// A convex piece of space and how deep it may lie in a solid.
#[derive(Clone, Copy, Debug)]
pub struct Sinking<'a> {
    /// In the solid's frame: the piece is their hull.
    pub points: &'a [DVec3],
    /// All points so far from the piece are meant too.
    pub blur: f64,
    /// How deep it may lie in the solid.
    pub depth: f64,
}

/// How deep a piece lies in a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sunk {
    /// **Proven**: no point within the blur of the piece is inside the solid and farther than the depth from its faces.
    Within,
    /// A point of the piece, to rounding, that is.
    Deeper(DVec3),
    /// Neither was found with the effort given.
    Open,
}

impl Mesh {
    /// Whether a convex piece of space lies anywhere deeper in the solid than allowed. The mesh must be the border of its
    /// solid, as [`overlap`](crate::MeshQuery::overlap) finds it to be. Takes from `effort` one for each part looked at and each dozen of
    /// faces asked.
    pub fn sunk(&self, sinking: &Sinking, effort: &mut u64) -> Sunk {
        let whole = Piece::new(sinking.points);
        let Some(search) = Search::new(self, sinking, &whole) else { return Sunk::Open };
        let part = Part { faces: search.faces_near(&whole), piece: whole, inside: false };
        search.run(part, effort)
    }
}

struct Search<'a> {
    mesh: &'a Mesh,
    depth: f64,
    /// **Never too small**: how far points meant may be from those of the parts.
    slack: f64,
    /// Parts that are so near to a face are near enough.
    near: f64,
}

/// A part of the piece.
struct Part {
    piece: Piece,
    /// All faces but these are farther than the slack.
    faces: Vec<u32>,
    /// It is known to be inside, off all faces.
    inside: bool,
}

/// What became of a part.
enum Seeing {
    Settled,
    Cut([Part; 2]),
    Again(Part),
    Deeper(DVec3),
    Open,
}

impl<'a> Search<'a> {
    /// None where numbers are too large or too small for a proof, or the slack is too much beside the depth.
    fn new(mesh: &'a Mesh, sinking: &Sinking, piece: &Piece) -> Option<Search<'a>> {
        const COMMON: std::ops::Range<f64> = 1e-60..1e100;
        let size = piece.size();
        let slack = (sinking.blur + ROUNDING * size) * (1.0 + 1e-12);
        let near = (sinking.depth - slack) * (1.0 - 1e-12);
        // Three quarters of a step must be more than 1.25 slacks.
        let told = COMMON.contains(&size) && near > 6.0 * slack && near.is_finite();
        told.then_some(Search { mesh, depth: sinking.depth, slack, near })
    }

    fn faces_near(&self, piece: &Piece) -> Vec<u32> {
        let [low, high] = piece.extent();
        let mut faces = Vec::new();
        Solo::new(self.mesh.tree()).in_box(low - self.slack, high + self.slack, |slot| {
            faces.push(self.mesh.tree().order()[slot as usize]);
        });
        faces
    }

    fn run(&self, whole: Part, effort: &mut u64) -> Sunk {
        let mut open = vec![whole];
        while let Some(part) = open.pop() {
            let work = 1 + part.faces.len() as u64 / 12;
            if *effort < work {
                *effort = 0;
                return Sunk::Open;
            }
            *effort -= work;
            match self.look(part) {
                Seeing::Settled => {}
                Seeing::Cut(parts) => open.extend(parts),
                Seeing::Again(part) => open.push(part),
                Seeing::Deeper(point) => return Sunk::Deeper(point),
                Seeing::Open => return Sunk::Open,
            }
        }
        Sunk::Within
    }

    fn look(&self, mut part: Part) -> Seeing {
        let [low, high] = part.piece.extent();
        part.faces.retain(|&face| self.may_meet(&part.piece, [low, high], self.corners(face)));
        if !part.faces.is_empty() {
            return self.look_at_faces(part);
        }
        let middle = part.piece.middle();
        if !part.inside {
            match self.mesh.inside(middle).verdict {
                Location::Outside => return Seeing::Settled,
                Location::Inside => part.inside = true,
                Location::OnBoundary | Location::Unclear => return Seeing::Open,
            }
        }
        self.look_inside(&part, middle)
    }

    fn corners(&self, face: u32) -> [DVec3; 3] {
        self.mesh.faces().triangle_points(face as usize)
    }

    /// A part that faces meet.
    fn look_at_faces(&self, part: Part) -> Seeing {
        let middle = part.piece.middle();
        let distance = |face: u32| above_distance_to_triangle(middle, self.corners(face));
        let nearest = part.faces.iter().copied().min_by(|&f, &g| distance(f).total_cmp(&distance(g)));
        let Some(face) = nearest else { return Seeing::Open };
        let (most, farthest) = self.farthest(&part.piece, face);
        if most <= self.near {
            return Seeing::Settled;
        }
        if part.faces.len() > MANY {
            return halved(&part);
        }
        self.away(part, face, farthest)
    }

    /// Cuts a part a step from a face that meets it.
    ///
    /// Any direction will do in which the face is seen to be far enough behind the cut.
    fn away(&self, mut part: Part, face: u32, farthest: DVec3) -> Seeing {
        let (corners, step) = (self.corners(face), STEP * self.near);
        let place = distance_to_triangle(farthest, corners).place;
        let straight = unit_normal(corners).and_then(|normal| {
            let height = normal.dot(farthest - corners[0]);
            (height.abs() > HIGH * self.near).then(|| normal * height.signum())
        });
        let Some(normal) = straight.or_else(|| (farthest - place).try_normalize()) else {
            return halved(&part);
        };
        let top = corners.iter().map(|c| normal.dot(*c)).fold(f64::NEG_INFINITY, f64::max);
        let plane = Plane { normal, offset: normal.dot(place) + step };
        // Three quarters of a step are more than 1.25 slacks: room for the rounding of heights and for what parts overlap.
        let rounding = corners.iter().map(|c| 8.0 * f64::EPSILON * c.abs().max_element()).fold(0.0, f64::max);
        let behind = top + rounding <= plane.offset - 0.75 * step;
        if behind && part.piece.span(normal)[0] >= plane.offset {
            part.faces.retain(|&other| other != face);
            return Seeing::Again(part);
        }
        let Some((before, mut beyond)) = parted(&part, plane) else { return halved(&part) };
        if behind {
            beyond.faces.retain(|&other| other != face);
        }
        Seeing::Cut([beyond, before])
    }

    /// A part inside that no face meets.
    fn look_inside(&self, part: &Part, middle: DVec3) -> Seeing {
        let Some(near) = self.mesh.nearest(middle) else { return Seeing::Open };
        if near.distance.lo() > self.depth + self.slack {
            return Seeing::Deeper(middle);
        }
        let (most, farthest) = self.farthest(&part.piece, near.face);
        if most <= self.near {
            return Seeing::Settled;
        }
        let Some(there) = self.mesh.nearest(farthest) else { return Seeing::Open };
        if there.distance.lo() > self.depth + self.slack {
            return Seeing::Deeper(farthest);
        }
        if self.farthest(&part.piece, there.face).0 <= self.near {
            return Seeing::Settled;
        }
        if part.piece.width() <= 4.0 * self.slack {
            return Seeing::Open;
        }
        let seen = Seen { nearest: near.face, farthest, nearest_there: there.face };
        let cut = seen.planes(self.mesh, part.piece.middle()).find_map(|plane| parted(part, plane));
        cut.map_or_else(|| halved(part), |(behind, before)| Seeing::Cut([behind, before]))
    }

    /// **Never less** than the distance of any corner from a face, and the corner farthest from it.
    fn farthest(&self, piece: &Piece, face: u32) -> (f64, DVec3) {
        let corners = self.corners(face);
        let far = piece.corners.iter().map(|&x| (above_distance_to_triangle(x, corners), x));
        far.fold((0.0, piece.corners[0]), |most, x| if x.0 > most.0 { x } else { most })
    }

    /// Whether a face may have a point within the slack of a piece: no gap along the axes, the face's normal and its sides shows.
    ///
    /// Proof: a gap along any direction is one. Heights round by less than 8u of all sizes.
    fn may_meet(&self, piece: &Piece, [low, high]: [DVec3; 2], corners: [DVec3; 3]) -> bool {
        let [a, b, c] = corners;
        let (face_low, face_high) = (a.min(b).min(c), a.max(b).max(c));
        let size = low.abs().max(high.abs()).max(face_low.abs()).max(face_high.abs()).max_element();
        let gap = self.slack * (1.0 + 1e-9) + 32.0 * f64::EPSILON * size;
        if (face_low - high).max(low - face_high).max_element() > gap {
            return false;
        }
        let apart = |n: DVec3| {
            let [low, high] = piece.span(n);
            let heights = corners.map(|c| n.dot(c));
            let bottom = heights[0].min(heights[1]).min(heights[2]);
            let top = heights[0].max(heights[1]).max(heights[2]);
            low - top > gap || bottom - high > gap
        };
        let Some(normal) = unit_normal(corners) else { return true };
        let side = |p: DVec3, q: DVec3| (q - p).cross(normal).try_normalize();
        !(apart(normal) || [side(a, b), side(b, c), side(c, a)].into_iter().flatten().any(apart))
    }
}

/// A part cut by a plane: what is behind it, and what is before it.
fn parted(part: &Part, plane: Plane) -> Option<(Part, Part)> {
    let [behind, before] = part.piece.parted(plane)?;
    let of = |piece: Piece| Part { piece, faces: part.faces.clone(), inside: part.inside };
    Some((of(behind), of(before)))
}

/// A part cut across its longest extent.
fn halved(part: &Part) -> Seeing {
    let cut = part.piece.middle_plane().and_then(|plane| parted(part, plane));
    cut.map_or(Seeing::Open, |(behind, before)| Seeing::Cut([behind, before]))
}
