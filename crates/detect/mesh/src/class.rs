//! The exact class of two bodies; [`relation`](crate::relation()) says what the classes mean.

mod cells;
mod classes;
mod curves;
mod needle;
mod piercing;
mod plane;
mod polygon;
mod same_faces;
mod sheet;
mod shells;
mod tiles;
mod touches;
mod trace;
mod walls;

use crate::asker::MeshQuery;
use crate::face::{Between, Meeting, meeting};
use crate::face_pair::FacePair;
use crate::mesh::{Mesh, PlacedMesh};
use crate::space::{Space, is_odd};
use classes::Classes;
use kontakt_answers::{OverlapKind, Side, Visits};
use kontakt_math::DVec3;
use sheet::Parts;
use walls::SIDES;

pub(crate) use classes::Touches;
pub(crate) use piercing::kind as overlap_kind;

impl MeshQuery {
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
    pub(crate) fn kind(&mut self, space: &Space, touches: &Touches, pairs: &[FacePair]) -> (Kind, bool) {
        let closed = SIDES.map(|side| space.mesh(side).is_closed());
        if same_faces::same_faces(space, pairs.len()) {
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
        let crosses = |&(pair, how): &(FacePair, Option<Meeting>)| match how {
            Some(how) => how == Meeting::Crossing,
            None => crosses(&space.between, meshes, pair, &mut self.visits),
        };
        touches.meetings().take_while(|_| space.goes_on()).find(crosses).map(|found| found.0)
    }

    /// Whether two triangles cross. Where any do, the bodies [overlap](kontakt_answers::Relation::Overlapping), one is inside the other, or they are the
    /// same: every way through `kind` with a crossing pair ends there.
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
pub(crate) enum Kind {
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
