//! How a motion starts: the exact answer of the query at rest.

use crate::moving::MovingMesh;
use kontakt_answers::{Initial, Relation};
use kontakt_hierarchy::Packed;
use kontakt_math::{Between, DVec3};
use kontakt_mesh::{MeshQuery, PlacedMesh, RelationOptions, any_piece_inside};

/// Separate, touching or overlapping at t = 0: exact. A body inside another without touching it overlaps it. `None` where the
/// query at rest cannot tell.
pub(crate) fn state(asker: &mut MeshQuery, a: MovingMesh, b: MovingMesh) -> Option<Initial> {
    let [a, b] = placed([a, b]);
    let meets = asker.any_contact(a, b).is_some();
    state_of(asker, [a, b], meets)
}

/// Both bodies at t = 0.
pub(crate) fn placed(bodies: [MovingMesh<'_>; 2]) -> [PlacedMesh<'_>; 2] {
    bodies.map(|body| PlacedMesh::new(body.mesh, body.motion.pose_at(0.0)))
}

/// The same where it is known whether faces have a common point.
///
/// Without one each piece of the one body is all inside the other or all outside.
pub(crate) fn state_of(asker: &mut MeshQuery, [a, b]: [PlacedMesh; 2], meets: bool) -> Option<Initial> {
    if !meets {
        let apart = apart(&Between::new(a.pose, b.pose), a.mesh.tree(), b.mesh.tree());
        let inside = !apart && (any_piece_inside(a, b) || any_piece_inside(b, a));
        return Some(if inside { Initial::Overlapping } else { Initial::Separate });
    }
    let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
    Some(match asker.relation(a, b, &options).exact {
        Relation::Undecided { .. } => return None,
        Relation::Separate { .. } => Initial::Separate,
        Relation::Touching => Initial::Touching,
        Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate => {
            Initial::Overlapping
        }
    })
}

/// Whether the boxes around the two bodies are clearly apart on one of A's axes or one of B's, so that neither can be inside the
/// other: by a thousandth of their size, far more than any rounding.
fn apart(between: &Between, a: &Packed, b: &Packed) -> bool {
    let (Some(box_a), Some(box_b)) = (around(a), around(b)) else { return false };
    let offset = between.b_in_a(box_b.0) - box_a.0;
    let turn = between.turn();
    let size = box_a.1.length() + box_b.1.length();
    let clear = |distance: f64, reach: f64| distance.abs() > reach + 1e-3 * size + 1e-9 * offset.length();
    let reach_b = |row: DVec3| row.abs().dot(box_b.1);
    let rows = turn.transpose();
    let on_a = (0..3).any(|k| clear(offset[k], box_a.1[k] + reach_b(rows.col(k))));
    let seen = rows * offset;
    on_a || (0..3).any(|k| clear(seen[k], box_b.1[k] + turn.col(k).abs().dot(box_a.1)))
}

/// Centre and half extents of the box around a body, in its own frame, to single precision.
fn around(tree: &Packed) -> Option<(DVec3, DVec3)> {
    let root = tree.nodes().first()?;
    let axes = root.axes.map(|row| DVec3::from_array(row.map(f64::from)));
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for lane in 0..root.children().count() {
        let of = |rows: &[[f32; 8]; 3]| rows.map(|row| f64::from(row[lane]));
        let (c, h) = (of(&root.centre), of(&root.half));
        let centre =
            DVec3::from_array(root.origin.map(f64::from)) + axes[0] * c[0] + axes[1] * c[1] + axes[2] * c[2];
        let half = axes[0].abs() * h[0] + axes[1].abs() * h[1] + axes[2].abs() * h[2];
        (low, high) = (low.min(centre - half), high.max(centre + half));
    }
    let unit = 2.0_f64.powi(tree.exponent());
    let (centre, half) = (tree.origin() + (low + high) * (0.5 * unit), (high - low) * (0.5 * unit));
    (centre.is_finite() && half.is_finite()).then_some((centre, half))
}
