//! Whether of two overlapping solids one goes through the other.
//!
//! **Definition.** With `O_A`, `O_B` the open solids (up to their faces), A is pierced into pieces by B when some connected
//! component of `O_A` has points in two or more connected components of `O_A` ∖ B: B goes through it and comes out again.
//! Bodies are *piercing* when A is pierced by B or B by A, else *protruding*. A rod through a plate pierces: the plate cuts
//! it in two; a peg in a blind hole protrudes. Parts with only points or edges in common do not hang together.
//!
//! **In general** the components are told apart by their shells, see [`shells`](super::shells).
//!
//! **A quicker way** is open where the faces cross in general position (no pair only touches) and both bodies are one
//! surface without branches that does not meet itself. Then `O_A` is connected, and every component of `O_A` ∖ B has a part of A's surface on its
//! border. That border consists of parts of A's surface outside B and parts of B's surface inside A, glued along the curves in
//! which the surfaces cross. Two parts of A's surface border the same component exactly when they are glued so: the
//! surface avoids the (open) component, so it lies in one connected part of the component's complement, whose border is
//! connected. A surface that crosses itself may enclose several components, or none in places that it goes round twice.

use super::classes::Touches;
use super::curves::Curves;
use super::shells;
use crate::face_pair::FacePair;
use crate::space;
use crate::space::Space;
use kontakt_answers::{OverlapKind, Side};
use kontakt_math::DVec3;
use kontakt_shapes::DisjointSets;

/// The kind of overlap of two solids that overlap.
pub(crate) fn kind(space: &Space, touches: &Touches, pairs: &[FacePair]) -> OverlapKind {
    let by_curves = || {
        let curves = Curves::new(space, pairs)?;
        let simple = |side: Side| space.mesh(side).is_simple_surface();
        (simple(Side::A) && simple(Side::B)).then(|| curves.pierced(space)).flatten()
    };
    let pierced = by_curves().unwrap_or_else(|| shells::cut(space, touches));
    if pierced { OverlapKind::Piercing } else { OverlapKind::Protruding }
}

/// Whether a vertex of one body is inside the other, whose faces it is not on.
pub(crate) fn vertex_inside(space: &Space, side: Side, vertex: u32) -> bool {
    let spot = space.spot(side, space.mesh(side).faces().vertices()[vertex as usize]);
    space::is_odd(space, side.other(), &spot)
}

/// The connected parts of a body's surface: a root for each place.
pub(crate) fn surfaces(space: &Space, side: Side) -> DisjointSets {
    let mesh = space.mesh(side);
    let mut sets = DisjointSets::new(mesh.faces().vertices().len());
    for triangle in mesh.faces().triangles() {
        let [a, b, c] = triangle.map(|v| mesh.solid().place(v));
        sets.join(a, b);
        sets.join(b, c);
    }
    sets
}

/// The points of an edge.
pub(crate) fn edge_points(space: &Space, side: Side, edge: [u32; 2]) -> [DVec3; 2] {
    edge.map(|v| space.mesh(side).faces().vertices()[v as usize])
}
