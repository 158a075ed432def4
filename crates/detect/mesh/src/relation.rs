//! How two bodies lie to each other: apart, touching, overlapping, one in the other, or the same twice. **Exact.**
//!
//! A body is the set of all its faces, those without an area too, and, when it is *closed* (every edge has an even number of
//! faces, of all or of those with an area), its solid: the points of odd parity; see [`Mesh::inside`](crate::Mesh::inside) for what that means for nested shells and
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

mod undecided;

use crate::asker::MeshQuery;
use crate::class::{Kind, Touches, overlap_kind};
use crate::depth::Depth;
use crate::distance::apart;
use crate::face::Between;
use crate::face_pair::Touching;
use crate::mesh::PlacedMesh;
use crate::patch::Patch;
use crate::space::Space;
use kontakt_answers::{Range, Relation};

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
        let (kind, solids) = self.kind(&space, &touches, pairs);
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
                    .then(|| overlap_kind(&space, &touches, pairs))
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
}
