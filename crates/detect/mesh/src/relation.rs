//! How two bodies lie to each other: apart, touching, overlapping, one in the other, or the same twice. **Exact.**
//!
//! *Closed* bodies (every edge has an even number of faces) are the solids of points with odd parity and their faces; see
//! [`inside`](crate::inside) for what that means for nested shells and self-overlaps. With `O_A`, `O_B` the open solids:
//!
//! | class | means |
//! |---|---|
//! | separate | no common point of solids and faces |
//! | touching | common points, `O_A` ∩ `O_B` empty |
//! | duplicate | `O_A` and `O_B` are the same, up to their faces |
//! | contained | all of `O_A` is in `O_B`, up to its faces (common faces allowed), or the other way round |
//! | overlapping | `O_A` ∩ `O_B`, `O_A` ∖ `O_B` and `O_B` ∖ `O_A` all have volume |
//!
//! *Open* bodies are sheets: the set of their faces. A sheet and a solid overlap when parts of the sheet with an area lie
//! inside and others outside the solid; a sheet with such parts inside only is contained. Two sheets overlap when two
//! of their faces cross, and are duplicates when they cover the same set. A closed body without volume counts as a sheet.

mod cells;
mod classes;
mod curves;
mod parity;
mod piece;
mod piercing;
mod sheet;
mod shells;
mod spot;
mod tiles;
mod trace;
mod walls;

use crate::asker::Asker;
use crate::depth::Depth;
use crate::face::{Between, Meeting, meeting};
use crate::inside::{Inside, Verdict};
use crate::mesh::{Mesh, Placed};
use crate::pairs::FacePair;
use classes::{Classes, Touches};
use kontakt_answers::{Range, Relation, Side};
use kontakt_math::{DVec3, Pose};
use parity::Directions;

pub(crate) use piece::{Sets, untouched_pieces};
pub(crate) use spot::Space;

/// What is asked for beside the class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationOptions {
    /// Gaps and overlaps **proven** to be at most this much, or equal to it up to rounding, count as touching.
    pub touch_tolerance: f64,
    /// Most exact trials of translations for the depth; `None` leaves the depth out.
    pub depth_effort: Option<u32>,
}

impl RelationOptions {
    /// A certified range narrower than a billionth of its end is one number up to rounding; its lower end decides then.
    fn tolerates(&self, extent: Range) -> bool {
        let narrow = extent.width() <= 1e-9 * extent.hi();
        self.touch_tolerance > 0.0 && (if narrow { extent.lo() } else { extent.hi() }) <= self.touch_tolerance
    }
}

impl Default for RelationOptions {
    fn default() -> RelationOptions {
        RelationOptions { touch_tolerance: 0.0, depth_effort: Some(16) }
    }
}

/// The class of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationReport {
    /// The class under the tolerance asked for.
    pub relation: Relation,
    /// The exact class.
    pub exact: Relation,
    /// How many pairs of triangles have a common point.
    pub pairs: usize,
    /// How deep two solids with a common interior are in each other, where asked for.
    pub depth: Option<Depth>,
}

/// The class of two bodies with scratch memory of its own; see [`Asker::relation`].
pub fn relation(a: Placed, b: Placed, options: &RelationOptions) -> RelationReport {
    Asker::new().relation(a, b, options)
}

impl Asker {
    /// The class of two bodies, exact for the images of the given doubles; see the module for the meaning.
    pub fn relation(&mut self, a: Placed, b: Placed, options: &RelationOptions) -> RelationReport {
        let pairs = self.all_pairs(a, b).to_vec();
        let space = Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh);
        let touches = Touches::new(&space, &pairs);
        let (kind, solids) = self.kind_of(&space, &touches, &pairs);
        let deep = matches!(kind, Kind::Overlapping | Kind::Contained(_) | Kind::Same) && solids;
        let depth =
            options.depth_effort.filter(|_| deep).and_then(|effort| self.depth_of(a, b, &pairs, effort));
        let exact = match kind {
            Kind::Apart => Relation::Separate { distance: self.distance(a, b).range },
            Kind::Touching => Relation::Touching,
            Kind::Overlapping => Relation::Overlapping {
                kind: solids.then(|| piercing::kind(&space, &touches, &pairs)),
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
        RelationReport { relation, exact, pairs: pairs.len(), depth }
    }

    /// Whether two closed bodies have a common interior: exact.
    pub(crate) fn interiors_meet(&mut self, a: Placed, b: Placed) -> bool {
        let pairs = self.all_pairs(a, b).to_vec();
        let space = Space::new(Between::new(a.pose, b.pose), a.mesh, b.mesh);
        let touches = Touches::new(&space, &pairs);
        let first = self.telling_face(&space, &pairs, &touches);
        classes::classify(&space, &touches, first, |classes| classes.both).both
    }

    /// The class, and whether it is one of two solids.
    fn kind_of(&mut self, space: &Space, touches: &Touches, pairs: &[FacePair]) -> (Kind, bool) {
        let closed = [Side::A, Side::B].map(|side| space.mesh(side).is_closed());
        if piece::same_faces(space, pairs.len()) {
            return (Kind::Same, closed == [true, true]);
        }
        if closed == [true, true] {
            let first = self.telling_face(space, pairs, touches);
            let classes = classes::classify(space, touches, first, Classes::complete);
            let solid = [classes.both || classes.only_a, classes.both || classes.only_b];
            if solid == [true, true] {
                return (Kind::of_solids(classes, !pairs.is_empty()), true);
            }
            return (self.kind_with_sheets(space, touches, pairs, solid), false);
        }
        (self.kind_with_sheets(space, touches, pairs, closed), false)
    }

    fn kind_with_sheets(
        &mut self,
        space: &Space,
        touches: &Touches,
        pairs: &[FacePair],
        solid: [bool; 2],
    ) -> Kind {
        let touching = !pairs.is_empty();
        match solid {
            [false, false] => {
                if self.crossing_pair(space, pairs).is_some() {
                    Kind::Overlapping
                } else if touching && sheet::same(space, touches) {
                    Kind::Same
                } else if touching {
                    Kind::Touching
                } else {
                    Kind::Apart
                }
            }
            [a_is_solid, _] => {
                let side = if a_is_solid { Side::B } else { Side::A };
                let parts = sheet::parts(space, touches, side);
                match (parts.inside, parts.outside) {
                    (true, true) => Kind::Overlapping,
                    (true, false) => Kind::Contained(side),
                    (false, _) if touching => Kind::Touching,
                    (false, _) => Kind::Apart,
                }
            }
        }
    }

    /// A pair of faces with an area that cross.
    fn crossing_pair(&mut self, space: &Space, pairs: &[FacePair]) -> Option<FacePair> {
        let corners = |mesh: &Mesh, face: u32| mesh.faces().triangle_points(face as usize);
        let crosses = |pair: &&FacePair| {
            let (a, b) = (corners(space.mesh(Side::A), pair.a), corners(space.mesh(Side::B), pair.b));
            meeting(&space.between, a, b, &mut self.visits) == Meeting::Crossing
        };
        pairs.iter().find(crosses).copied()
    }

    /// A face that is crossed: its cells lie on both sides of the other body's surface, which tells all at once.
    fn telling_face(&mut self, space: &Space, pairs: &[FacePair], touches: &Touches) -> Option<(Side, u32)> {
        let pair = self.crossing_pair(space, pairs)?;
        let few_a = touches.of(Side::A, pair.a).len() <= touches.of(Side::B, pair.b).len();
        Some(if few_a { (Side::A, pair.a) } else { (Side::B, pair.b) })
    }
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
    fn of_solids(classes: Classes, touching: bool) -> Kind {
        match classes {
            Classes { both: false, .. } if touching => Kind::Touching,
            Classes { both: false, .. } => Kind::Apart,
            Classes { only_a: true, only_b: true, .. } => Kind::Overlapping,
            Classes { only_a: false, only_b: false, .. } => Kind::Same,
            Classes { only_a: false, .. } => Kind::Contained(Side::A),
            Classes { only_b: false, .. } => Kind::Contained(Side::B),
        }
    }
}

/// Where a world point lies to a closed body, in exact arithmetic; `Unclear` for open bodies, unless it is on a face.
pub(crate) fn exact_inside(body: Placed, point: DVec3) -> Inside {
    let space = Space::new(Between::new(Pose::IDENTITY, body.pose), body.mesh, body.mesh);
    let spot = space.spot(Side::A, point);
    let verdict = if parity::on_faces(&space, Side::B, &spot) {
        Verdict::OnBoundary
    } else if body.mesh.is_closed() {
        let mut directions = Directions::new();
        loop {
            if let Some(found) = parity::along(&space, Side::B, &spot, directions.next()) {
                break if found.odd { Verdict::Inside } else { Verdict::Outside };
            }
        }
    } else {
        Verdict::Unclear
    };
    Inside { verdict, winding: None }
}
