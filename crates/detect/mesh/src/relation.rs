//! How two bodies lie to each other: apart, touching, overlapping, one in the other, or the same twice. **Exact.**
//!
//! A body is the set of all its faces, those without an area too, and, when it is *closed* (every edge has an even number of
//! faces), its solid: the points of odd parity; see [`inside`](crate::inside) for what that means for nested shells and
//! self-overlaps. With `O_A`, `O_B` the open solids, empty for open bodies:
//!
//! | class | means |
//! |---|---|
//! | separate | no common point of solids and faces |
//! | duplicate | `O_A` and `O_B` are the same, up to their faces |
//! | contained | all of `O_A` is in `O_B`, up to its faces (common faces allowed), or the other way round |
//! | overlapping | `O_A` ∩ `O_B`, `O_A` ∖ `O_B` and `O_B` ∖ `O_A` all have volume |
//! | touching | common points, none of the other classes |
//!
//! Where `O_A` ∩ `O_B` has volume, volumes alone decide. Where it is empty, faces without a solid behind them do (of open
//! bodies all; of closed ones double walls, segments, points), since no others can reach into the other's open solid:
//!
//! | class | means |
//! |---|---|
//! | duplicate | neither has volume, and they cover the same set |
//! | contained | one body has no volume, points in the other's open solid, and none off that solid and its faces |
//! | overlapping | else: one body has points in the other's open solid, or two faces cross |
//!
//! So a sheet and a solid overlap when parts of the sheet lie inside and others outside, and a sheet in a solid is contained,
//! whether it is open or closed (two-sided), a body of its own or a part of one.

mod cells;
mod classes;
mod curves;
mod needle;
mod parity;
mod piece;
mod piercing;
mod plane;
mod polygon;
mod sheet;
mod shells;
mod spot;
mod tiles;
mod touches;
mod trace;
mod undecided;
mod walls;

use crate::asker::MeshQuery;
use crate::depth::Depth;
use crate::distance::apart;
use crate::face::{Between, Meeting, meeting};
use crate::inside::{Inside, Location};
use crate::mesh::{Mesh, PlacedMesh};
use crate::pairs::{FacePair, Touching};
use crate::patch::Patch;
use classes::{Classes, Touches};
use kontakt_answers::{OverlapKind, Range, Relation, Side, Visits};
use kontakt_math::{DVec3, Pose};
use sheet::Parts;
use walls::SIDES;

pub(crate) use parity::{Directions, along, is_odd, on_faces};
pub(crate) use piece::untouched_pieces;
pub(crate) use spot::{Space, Spot, crossing, exact, height, plane_through};

/// What is asked for beside the class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationOptions {
    /// Gaps and overlaps **proven** to be at most this much, or equal to it up to rounding, count as touching.
    pub touch_tolerance: f64,
    /// Most exact trials of translations for the depth; `None` leaves the depth out.
    pub depth_effort: Option<u32>,
    /// Whether the kind of an overlap is asked for; see [`MeshQuery::overlap_kind`].
    pub kind: bool,
}

impl RelationOptions {
    /// What is proven to be within the tolerance, up to rounding. Where bounds leave it open the exact class stands.
    pub(crate) fn tolerates(&self, extent: Range) -> bool {
        self.touch_tolerance > 0.0 && extent.is_about_at_most(self.touch_tolerance)
    }
}

impl Default for RelationOptions {
    fn default() -> RelationOptions {
        RelationOptions { touch_tolerance: 0.0, depth_effort: Some(16), kind: true }
    }
}

/// The class of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationReport {
    /// The class under the tolerance asked for.
    pub relation: Relation,
    /// The exact class.
    pub exact: Relation,
    /// How many pairs of triangles have a common point; at least so many unless `pairs_complete`.
    pub pairs: usize,
    /// Whether all pairs were found within the asker's limits.
    pub pairs_complete: bool,
    /// Whether two solids have a common interior; sheets and double walls may overlap without.
    pub solids: bool,
    /// How deep two solids with a common interior are in each other, where asked for.
    pub depth: Option<Depth>,
}

impl RelationReport {
    /// What is left to say when limits ended the search for a class.
    fn undecided(space: &Space, pairs: usize, pairs_complete: bool) -> RelationReport {
        let exact = undecided::without_class(space, pairs > 0);
        RelationReport { relation: exact, exact, pairs, pairs_complete, solids: false, depth: None }
    }
}

/// The class of two bodies with scratch memory of its own; see [`MeshQuery::relation`].
pub fn relation(a: PlacedMesh, b: PlacedMesh, options: &RelationOptions) -> RelationReport {
    MeshQuery::new().relation(a, b, options)
}

impl MeshQuery {
    /// The class of two bodies, exact for the images of the given doubles; see the module for the meaning. Undecided when the
    /// asker's deadline passed, or there are more pairs than it takes, before the class was certain.
    pub fn relation(&mut self, a: PlacedMesh, b: PlacedMesh, options: &RelationOptions) -> RelationReport {
        self.relation_of(a, b, options).0
    }

    /// The class of two bodies and the patches of contact, see [`MeshQuery::patches`]; they are looked for once. No patches when
    /// the asker's limits were reached before all were known.
    pub fn relation_and_patches(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        options: &RelationOptions,
    ) -> (RelationReport, Option<Vec<Patch>>) {
        let (report, touching) = self.relation_of(a, b, options);
        let patches = touching.and_then(|touching| self.patches_of(a, b, &touching).ok());
        (report, patches)
    }

    pub(crate) fn relation_of(
        &mut self,
        a: PlacedMesh,
        b: PlacedMesh,
        options: &RelationOptions,
    ) -> (RelationReport, Option<Touching>) {
        let touching = self.touching(a, b);
        let (count, pairs_complete) = (touching.pairs.len(), self.pairs_complete);
        let space = Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh).until(self.deadline);
        let known = [a, b].into_iter().all(|body| body.mesh.solid_until(self.deadline).is_ok());
        if !(pairs_complete && known) {
            return (RelationReport::undecided(&space, count, pairs_complete), None);
        }
        let pairs = &touching.pairs;
        let touches = Touches::new(&space, &touching);
        let (kind, solids) = self.kind_of(&space, &touches, pairs);
        if space.is_over() {
            return (RelationReport::undecided(&space, count, pairs_complete), Some(touching));
        }
        let deep = matches!(kind, Kind::Overlapping | Kind::Contained(_) | Kind::Same) && solids;
        let depth = options
            .depth_effort
            .filter(|_| deep)
            .and_then(|effort| self.depth_of(a, b, pairs, effort, self.deadline));
        let exact = match kind {
            Kind::Apart => {
                let range = self.distance(a, b).range;
                // That they have no common point is known, even if there was no time to measure.
                Relation::Separate { distance: apart(range.lo(), range.hi()) }
            }
            Kind::Touching => Relation::Touching,
            Kind::Overlapping => Relation::Overlapping {
                // Without the time to find out, the kind is left open.
                kind: (solids && options.kind)
                    .then(|| piercing::kind(&space, &touches, pairs))
                    .filter(|_| !space.is_over()),
                depth: depth.map(|depth| depth.range),
            },
            Kind::Contained(inner) => Relation::Contained { inner },
            Kind::Same => Relation::Duplicate,
        };
        let extent = match exact {
            Relation::Separate { distance } => Some(distance),
            _ => depth.map(|depth| depth.range),
        };
        let near = extent.is_some_and(|extent| options.tolerates(extent));
        let relation = if near { Relation::Touching } else { exact };
        (
            RelationReport { relation, exact, pairs: count, pairs_complete, solids: deep, depth },
            Some(touching),
        )
    }

    /// Whether one of two overlapping solids cuts the other in two; `None` when the asker's limits ended the search.
    pub fn overlap_kind(&mut self, a: PlacedMesh, b: PlacedMesh) -> Option<OverlapKind> {
        let touching = self.touching(a, b);
        let known = [a, b].into_iter().all(|body| body.mesh.solid_until(self.deadline).is_ok());
        if !(self.pairs_complete && known) {
            return None;
        }
        let space = Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh).until(self.deadline);
        let kind = piercing::kind(&space, &Touches::new(&space, &touching), &touching.pairs);
        (!space.is_over()).then_some(kind)
    }

    /// Whether two closed bodies have a common interior: exact; yes when the asker's limits end the search.
    pub(crate) fn interiors_meet(&mut self, a: PlacedMesh, b: PlacedMesh) -> bool {
        let touching = self.touching(a, b);
        let known = [a, b].into_iter().all(|body| body.mesh.solid_until(self.deadline).is_ok());
        if !(self.pairs_complete && known) {
            return true;
        }
        let space = Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh).until(self.deadline);
        let touches = Touches::new(&space, &touching);
        let first = self.crossing_pair(&space, &touches).map(|pair| telling_face(&touches, pair));
        if first.is_none() && plane::separates(&space, &touches) {
            return false;
        }
        classes::classify(&space, &touches, first, |classes| classes.both).both || space.is_over()
    }

    /// The class, and whether it is one of two solids with a common interior.
    fn kind_of(&mut self, space: &Space, touches: &Touches, pairs: &[FacePair]) -> (Kind, bool) {
        let closed = SIDES.map(|side| space.mesh(side).is_closed());
        if piece::same_faces(space, pairs.len()) {
            return (Kind::Same, closed == [true, true]);
        }
        let crossing = self.crossing_pair(space, touches);
        let mut parts = [Parts::default(); 2];
        let mut volume = [false; 2];
        if closed == [true, true] {
            // With a plane between them they have no common point but on it: what is left to see is whether both have an interior.
            let parted = crossing.is_none() && plane::separates(space, touches);
            let all_seen = |seen: Classes| seen.complete() || parted && seen.only_a && seen.only_b;
            let first = crossing.map(|pair| telling_face(touches, pair));
            let classes = classes::classify(space, touches, first, all_seen);
            if parted && classes.only_a && classes.only_b {
                return (if pairs.is_empty() { Kind::Apart } else { Kind::Touching }, false);
            }
            if classes.both {
                return (Kind::of_solids(classes), true);
            }
            (parts, volume) = (classes.faces, [classes.only_a, classes.only_b]);
        }
        for side in SIDES.into_iter().filter(|side| closed[side.other() as usize]) {
            let own = &mut parts[side as usize];
            if !closed[side as usize] {
                *own = sheet::parts(space, touches, side);
            }
            needle::enter(space, touches, side, own);
        }
        let flat = |side: Side| !(closed[side as usize] && sheet::has_volume(space, touches, side));
        let same = || volume == [false, false] && sheet::same(space, touches) && SIDES.into_iter().all(flat);
        let inner = SIDES.into_iter().find(|&side| parts[side as usize].inside);
        let kind = match inner {
            Some(side) if parts[side as usize].outside || volume[side as usize] => Kind::Overlapping,
            Some(side) => Kind::Contained(side),
            None if pairs.is_empty() => Kind::Apart,
            None if same() => Kind::Same,
            None if crossing.is_some() || polygon::cross(space, pairs) => Kind::Overlapping,
            None => Kind::Touching,
        };
        (kind, false)
    }

    /// A pair of faces that cross.
    fn crossing_pair(&mut self, space: &Space, touches: &Touches) -> Option<FacePair> {
        let meshes = [space.mesh(Side::A), space.mesh(Side::B)];
        let crosses = |pair: &FacePair| crosses(&space.between, meshes, *pair, &mut self.visits);
        touches.cutting().take_while(|_| space.goes_on()).find(crosses)
    }

    /// Whether two triangles cross. Where any do, the bodies [overlap](Relation::Overlapping), one is inside the other, or they are the
    /// same: every way through `kind_of` with a crossing pair ends there.
    pub fn faces_cross(&mut self, a: PlacedMesh, b: PlacedMesh, pair: FacePair) -> bool {
        crosses(&Between::new(a.pose, b.pose), [a.mesh, b.mesh], pair, &mut self.visits)
    }
}

fn crosses(between: &Between, meshes: [&Mesh; 2], pair: FacePair, visits: &mut Visits) -> bool {
    let corners = |mesh: &Mesh, face: u32| mesh.faces().triangle_points(face as usize);
    let exact = |x: DVec3| (between.error_at(x) == 0.0).then(|| between.b_in_a(x));
    let (a, b) = (corners(meshes[0], pair.a), corners(meshes[1], pair.b));
    // Faces with two common corners have their edge and nothing else in common, or lie in one plane: they do not cross.
    let common = a.iter().filter(|&&p| b.iter().any(|&x| exact(x) == Some(p))).count();
    let distinct = a[0] != a[1] && a[1] != a[2] && a[2] != a[0];
    !(distinct && common >= 2) && meeting(between, a, b, visits) == Meeting::Crossing
}

/// Of a pair that crosses, the face that fewer others touch: its cells lie on both sides of the other body's surface, which
/// tells all at once.
fn telling_face(touches: &Touches, pair: FacePair) -> (Side, u32) {
    let few_a = touches.of(Side::A, pair.a).len() <= touches.of(Side::B, pair.b).len();
    if few_a { (Side::A, pair.a) } else { (Side::B, pair.b) }
}

/// The class without its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Apart,
    Touching,
    Overlapping,
    Contained(Side),
    Same,
}

impl Kind {
    /// Of solids with a common interior.
    fn of_solids(classes: Classes) -> Kind {
        match [classes.only_a, classes.only_b] {
            [true, true] => Kind::Overlapping,
            [false, false] => Kind::Same,
            [false, true] => Kind::Contained(Side::A),
            [true, false] => Kind::Contained(Side::B),
        }
    }
}

/// Where a world point lies to a closed body, in exact arithmetic; `Unclear` for open bodies, unless it is on a face.
pub(crate) fn exact_inside(body: PlacedMesh, point: DVec3) -> Inside {
    let space = Space::new(Between::new(Pose::IDENTITY, body.pose), body.mesh, body.mesh);
    let spot = space.spot(Side::A, point);
    let verdict = if parity::on_faces(&space, Side::B, &spot) {
        Location::OnBoundary
    } else if body.mesh.is_closed() {
        if parity::is_odd(&space, Side::B, &spot) { Location::Inside } else { Location::Outside }
    } else {
        Location::Unclear
    };
    Inside { verdict, winding: None }
}

/// Whether any piece of a body (faces that hang together by vertices) is inside another, closed one, given that no faces of the two
/// have a common point: one corner of each piece tells. **Exact.**
pub fn any_piece_inside(inner: PlacedMesh, outer: PlacedMesh) -> bool {
    if !outer.mesh.is_closed() {
        return false;
    }
    let space = Space::new(Between::new(inner.pose, outer.pose), inner.mesh, outer.mesh);
    let faces = inner.mesh.faces();
    let corner = |piece: &Vec<u32>| {
        let vertex = faces.triangles()[*piece.first()? as usize][0];
        Some(faces.vertices()[vertex as usize])
    };
    let pieces = inner.mesh.solid().pieces(inner.mesh);
    pieces.iter().filter_map(corner).any(|x| is_odd(&space, Side::B, &space.spot(Side::A, x)))
}
