//! How deep a solid mesh and a convex shape are in each other: bounds of the least translation that takes them apart.
//!
//! **Convex meshes** have the depth of their hull, which the convex kernel knows. Of others: **upper end**, a translation that separates
//! the mesh's hull from the shape separates the mesh; **lower end**, two balls about one point, one inside each body (see
//! [`depth`](crate::depth)): after a shorter translation than the sum of their radii they still have a common interior.

use super::{MeshShapeQuery, Where};
use crate::depth::{Depth, outline};
use crate::mesh::PlacedMesh;
use kontakt_answers::Range;
use kontakt_convex as convex;
use kontakt_convex::Shape;
use kontakt_math::round::add_down;
use kontakt_math::{DVec3, Pose};

/// Most trials of the search for the common ball.
const TRIALS: usize = 120;

impl MeshShapeQuery {
    /// The depth of a closed mesh and a shape whose interiors meet; `None` where the mesh is open or has no volume.
    pub(super) fn depth(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape) -> Option<Depth> {
        if !mesh.mesh.is_closed() {
            return None;
        }
        let outline = outline(mesh.mesh)?;
        let hull = self.convex.contact(convex::PlacedShape::new(&outline.hull, mesh.pose), shape);
        let whole = hull.depth();
        let push = hull.normal * whole.hi();
        let witness = (hull.point_a + hull.point_b) * 0.5;
        if outline.convex {
            return Some(Depth { range: whole, push, deepest: witness });
        }
        let starts = [witness, hull.point_a, hull.point_b, mesh.pose.apply(mesh.mesh.tree().origin())];
        let (lo, deepest) = self.common_ball(mesh, shape, &starts).unwrap_or((0.0, witness));
        Some(Depth { range: Range::new(lo.min(whole.hi()), whole.hi()).ok()?, push, deepest })
    }

    /// **Never more** than the radii of the balls about a point of the world that are inside the mesh and inside the shape; none where it
    /// is not strictly inside both.
    fn balls_about(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape, centre: DVec3) -> Option<f64> {
        let point = Shape::point();
        let place = Pose::new(kontakt_math::DQuat::IDENTITY, centre).ok()?;
        let in_shape = self.convex.contact(convex::PlacedShape::new(&point, place), shape).depth().lo();
        if in_shape <= 0.0 || mesh.inside(centre).verdict != Where::Inside {
            return None;
        }
        let in_mesh = mesh.nearest(centre)?.distance.lo();
        (in_mesh > 0.0).then(|| add_down(in_mesh, in_shape))
    }

    /// The best pair of balls that a compass search finds from some points of the world.
    fn common_ball(
        &mut self,
        mesh: PlacedMesh,
        shape: convex::PlacedShape,
        starts: &[DVec3],
    ) -> Option<(f64, DVec3)> {
        let about = |asker: &mut MeshShapeQuery, centre: DVec3| {
            asker.balls_about(mesh, shape, centre).map(|bound| (bound, centre))
        };
        let found: Vec<(f64, DVec3)> = starts.iter().filter_map(|&start| about(self, start)).collect();
        let mut best = found.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        let (mut step, mut trials) = (best.0, 0);
        while step > 1e-3 * best.0 && trials < TRIALS {
            let before = best.0;
            for way in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]) {
                trials += 1;
                if let Some(better) = about(self, best.1 + step * way).filter(|next| next.0 > best.0) {
                    best = better;
                }
            }
            if best.0 <= before * (1.0 + 1e-9) {
                step *= 0.5;
            }
        }
        Some(best)
    }
}
