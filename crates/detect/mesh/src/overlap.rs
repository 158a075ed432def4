//! What two solids have in common: its connected regions, their volumes, and how deep the surfaces lie in each other there.
//!
//! A *region* is a connected part of the common interior of two closed bodies. Its **local interference** is how deep one
//! surface lies inside the other solid there: the largest distance of a point of A's surface in B from B's surface, and the other
//! way round. Unlike the [depth](crate::Depth), the least translation that frees the bodies, it is small wherever a bolt is a
//! little too wide for its hole, however deep it sits in it.
//!
//! **General position without an exception.** Volume and interference are continuous in the place of B. So all signs are those of
//! B moved by an infinitely small translation (ε, ε², ε³): exact signs first, and where one is zero the sign of its derivative
//! (`perturbed`). Then no corner lies on a face and no edges meet: faces cross in segments, and the border of a region is made of
//! polygons whose corners are corners of one body inside the other and points where an edge pierces a face.
//!
//! **Volume without polygons.** By the divergence theorem, six times the volume is the sum of det(c, p, q) over the directed sides
//! p→q of those polygons, c being any point in the plane of the face: sides alone are needed (`skeleton`, `region`), no
//! order among them. Only the places of the corners are rounded, and the error is bounded side by side.

mod cover;
mod deepest;
mod outward;
mod perturbed;
mod piece;
mod region;
mod ridge;
mod skeleton;
mod sunk;

pub(crate) use outward::outward_normal;
pub use sunk::{Sinking, Sunk};

use crate::asker::MeshQuery;
use crate::face::Between;
use crate::face_pair::Touching;
use crate::mesh::{Mesh, PlacedMesh};
use crate::patch::Patch;
use crate::relation::{RelationOptions, RelationReport};
use crate::space::Space;
use kontakt_answers::{Range, Side};
use kontakt_math::DVec3;
use kontakt_shapes::HalfEdges;
use region::Parts;
use skeleton::Skeleton;

/// One connected part of the common interior of two solids.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// **Certified**: how deep A's surface lies in B here, and B's in A.
    pub interference: [Range; 2],
    /// **Certified**: its volume.
    pub volume: Range,
    /// How much of A's surface, and of B's, borders it; to rounding.
    pub areas: [f64; 2],
    /// A box around it in the world: lowest and highest corner, to rounding.
    pub extent: [DVec3; 2],
    /// The point of a surface that lies deepest in the other body, in the world, to rounding.
    pub deepest: DVec3,
    /// The triangles of A, and of B, that border it; ascending.
    pub triangles: [Vec<u32>; 2],
}

impl Region {
    /// The larger one of both interferences.
    pub fn depth(&self) -> Range {
        largest(self.interference)
    }

    /// Whether the surfaces lie on each other all round, so that the region is far thicker than any of them lies in the other: one body
    /// twice, or two of one shape in one place. Interference tells nothing then.
    ///
    /// A layer no thicker than d between two surfaces has at most the volume d times the area of its border.
    pub fn is_coincident(&self) -> bool {
        self.volume.lo() > 2.0 * self.depth().hi() * (self.areas[0] + self.areas[1])
    }
}

/// What two solids have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// The deepest first. Those that may be nothing but roundings (touching places) are left out.
    pub regions: Vec<Region>,
    /// **Certified**: the largest interference anywhere, for A's surface in B and for B's in A.
    pub interference: [Range; 2],
    /// **Certified**: the volume of all regions together.
    pub volume: Range,
}

impl Overlap {
    /// The larger one of both interferences.
    pub fn depth(&self) -> Range {
        largest(self.interference)
    }
}

fn largest([a, b]: [Range; 2]) -> Range {
    Range::new(a.lo().max(b.lo()), a.hi().max(b.hi())).unwrap_or(a)
}

/// How near bounds of interferences are to each other, in parts of the upper one, unless asked for otherwise.
pub(crate) const NARROW: f64 = 0.008;

/// When bounds of an interference are near enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enough {
    /// They differ by this part of themselves,
    pub(crate) narrow: f64,
    /// or the upper one is no more than this.
    pub(crate) depth: f64,
}

/// Why there is no overlap to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotMeasured {
    /// The surface is not the border of its solid.
    #[error("the faces of body {0:?} cross or double each other, so that they do not bound a solid")]
    NoBorder(Side),
    /// It has no inside.
    #[error("body {0:?} is not closed")]
    Open(Side),
    /// Time was up, or there were more pairs of triangles than asked for.
    #[error("the limits of the query ended it")]
    Limits,
    /// All corners of a piece of one body lie on the other, which leaves open where it is.
    #[error("all corners of a piece of body {0:?} lie on the other body")]
    Inscribed(Side),
    /// Beyond the range of doubles.
    #[error("coordinates leave the range of doubles")]
    Overflow,
}

/// The class of two bodies and what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationDetail {
    /// The class.
    pub report: RelationReport,
    /// Where they are in contact; `None` when limits were reached before all patches were known.
    pub patches: Option<Vec<Patch>>,
    /// Of bodies that overlap, what they have in common, or why that was not measured.
    pub overlap: Option<Result<Overlap, NotMeasured>>,
}

impl MeshQuery {
    /// The class of two bodies, the patches of contact, and what two solids with a common interior have in common; what meets
    /// is looked for once. Interferences up to `shallow` need not be told apart: bounds whose upper end is no more than that may be as wide.
    pub fn relation_in_detail(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        options: &RelationOptions,
        shallow: f64,
    ) -> RelationDetail {
        let (report, touching) = self.relation_of(a, b, options);
        let overlap = touching
            .as_ref()
            .filter(|_| report.solids)
            .map(|touching| self.overlap_of(a, b, touching, Enough { narrow: NARROW, depth: shallow }));
        let patches = touching.and_then(|touching| self.patches_of(a, b, &touching).ok());
        RelationDetail { report, patches, overlap }
    }

    /// What two closed bodies have in common. Empty where they are apart or touch. Bounds of interferences differ by less than a
    /// percent, where that takes no more than a fixed effort.
    pub fn overlap(&mut self, a: PlacedMesh, b: PlacedMesh) -> Result<Overlap, NotMeasured> {
        self.overlap_as_narrow_as(a, b, NARROW)
    }

    /// The same, with bounds of interferences that differ by the part `narrow` of themselves.
    pub fn overlap_as_narrow_as(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        narrow: f64,
    ) -> Result<Overlap, NotMeasured> {
        self.overlap_beyond(a, b, 0.0, narrow)
    }

    /// The same, where interferences up to a depth need not be told apart: bounds whose upper end is no more than that may be as wide.
    pub fn overlap_beyond(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        depth: f64,
        narrow: f64,
    ) -> Result<Overlap, NotMeasured> {
        let touching = self.touching(a, b);
        if !self.pairs_complete {
            return Err(NotMeasured::Limits);
        }
        self.overlap_of(a, b, &touching, Enough { narrow, depth })
    }

    /// The same with the pairs of faces that meet at hand.
    pub(crate) fn overlap_of(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        touching: &Touching,
        enough: Enough,
    ) -> Result<Overlap, NotMeasured> {
        for (body, side) in [(a, Side::A), (b, Side::B)] {
            is_border(body.mesh, side, self)?;
        }
        let space = Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh).until(self.deadline);
        if !is_of_common_size(&space) {
            return Err(NotMeasured::Overflow);
        }
        let skeleton = Skeleton::new(&space, touching)?;
        let parts = Parts::of(&space, &skeleton);
        let mut regions = Vec::new();
        let mut interference = [Range::ZERO; 2];
        let (mut lo, mut hi) = (0.0, 0.0);
        for part in &parts.list {
            let region = part.region(&space, &a.pose, enough)?;
            if space.is_over() {
                return Err(NotMeasured::Limits);
            }
            for (most, here) in interference.iter_mut().zip(region.interference) {
                *most = largest([*most, here]);
            }
            (lo, hi) = (lo + region.volume.lo(), hi + region.volume.hi());
            if region.depth().lo() > 0.0 || region.volume.lo() > 0.0 {
                regions.push(region);
            }
        }
        regions.sort_by(|p, q| q.depth().hi().total_cmp(&p.depth().hi()));
        // A sum of n numbers that are not negative errs by n roundings of itself at most.
        let rounding = f64::EPSILON * (parts.list.len() + 1) as f64;
        let volume =
            Range::new(lo * (1.0 - rounding), hi * (1.0 + rounding)).map_err(|_| NotMeasured::Overflow)?;
        Ok(Overlap { regions, interference, volume })
    }
}

impl Mesh {
    /// Whether a closed body's faces cross or double each other, so that they are not the border of its solid: that is the set of
    /// points of odd parity, so where the body overlaps itself it has no inside.
    pub fn crosses_itself(&self) -> bool {
        let solid = self.solid();
        solid.closed && (!self.self_meeting().is_empty() || outward::turns(self).is_none())
    }
}

impl Mesh {
    /// Whether a closed body's shells contradict the order in which they lie in one another: each has its corners one way round, but those
    /// of one within another as if both were outer ones (or both cavities). The solid is the set of points of odd parity all the same, the inner shell
    /// a cavity; who wrote it may have meant solids in one another.
    pub fn has_shells_at_odds(&self) -> bool {
        let solid = self.solid();
        let counts = || HalfEdges::new(&self.faces).counts();
        solid.closed
            && solid.pieces(self).len() > 1
            && counts().unbalanced == 0
            && outward::turns(self).is_some_and(|turns| {
                let mut proper =
                    (0..turns.len()).filter(|face| !solid.needles(self).contains(&(*face as u32)));
                proper.next().is_some_and(|first| proper.any(|face| turns[face] != turns[first]))
            })
    }
}

/// Whether products of three lengths stay in the range of doubles: coordinates are neither huge nor tiny all together.
fn is_of_common_size(space: &Space) -> bool {
    const COMMON: std::ops::Range<f64> = 1e-50..1e50;
    let largest = |most: f64, x: &DVec3| most.max(x.abs().max_element());
    let [a, b] = [Side::A, Side::B].map(|side| space.mesh(side).faces().vertices().iter());
    let shift = space.between.shift().abs().max_element();
    COMMON.contains(&a.chain(b).fold(0.0, largest).max(shift))
}

/// Whether a body's faces are the border of its solid: it is closed, and no face meets another beyond corners and edges.
fn is_border(mesh: &Mesh, side: Side, query: &MeshQuery) -> Result<(), NotMeasured> {
    let solid = mesh.solid_until(query.deadline).map_err(|_| NotMeasured::Limits)?;
    if !solid.closed {
        return Err(NotMeasured::Open(side));
    }
    if mesh.crosses_itself() { Err(NotMeasured::NoBorder(side)) } else { Ok(()) }
}
