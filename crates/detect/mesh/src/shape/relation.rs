//! How a mesh and a convex shape lie to each other.
//!
//! Let K be a leaf of the shape. **No face has a point in the interior of K**: that interior is connected, so it is all inside
//! the closed mesh or all outside of it, and one point of it tells. **A face has one**: then all of the mesh is in K exactly when all
//! its corners are, since K is convex; else the mesh is partly in K and partly not.

use super::view::{View, each_view};
use super::{MeshShapeQuery, Where};
use crate::asker::MeshQuery;
use crate::depth::Depth;
use crate::mesh::{Mesh, PlacedMesh};
use crate::relation::RelationOptions;
use kontakt_answers::{Range, Relation, Side, Verdict};
use kontakt_convex::{self as convex, Core, Shape, Want};
use kontakt_math::round::{add_up, length_up};
use kontakt_shapes::FaceSet;

/// The class of a mesh and a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeRelation {
    /// The class under the tolerance asked for.
    pub relation: Relation,
    /// The class. For curved shapes *touching* is what certified bounds leave open, see [`Verdict`].
    pub exact: Relation,
    /// How deep the two are in each other, where asked for and known.
    pub depth: Option<Depth>,
}

impl MeshShapeQuery {
    /// The class of a mesh (side A) and a shape (side B): separate, touching, overlapping, contained; a mesh that is a shape's boundary
    /// is a duplicate.
    ///
    /// Of a union, *contained* means that all leaves are inside the mesh, or that the mesh is inside one of them.
    pub fn relation(
        &mut self,
        mesh: PlacedMesh,
        shape: convex::PlacedShape,
        options: &RelationOptions,
    ) -> ShapeRelation {
        let parts = self.parts(mesh, shape);
        let verdict = parts.iter().map(|part| part.verdict).fold(Verdict::Separate, Verdict::graver);
        let inside = |expected: Option<bool>| parts.iter().any(|part| part.inside == expected);
        let kind = if parts.iter().any(|part| part.holds_mesh) {
            let same = parts.len() == 1 && inside(Some(true));
            if same { Relation::Duplicate } else { Relation::Contained { inner: Side::A } }
        } else if !inside(None) && !inside(Some(false)) {
            Relation::Contained { inner: Side::B }
        } else if verdict == Verdict::Overlapping || inside(Some(true)) {
            Relation::Overlapping { kind: None, depth: None }
        } else if inside(None) || verdict == Verdict::Undecided {
            let hi = self.nearest(mesh, shape).map_or(f64::INFINITY, |found| found.range.hi());
            Relation::Undecided { bounds: Range::new(f64::NEG_INFINITY, hi).unwrap_or(Range::ZERO) }
        } else if verdict == Verdict::Touching {
            Relation::Touching
        } else {
            Relation::Separate { distance: self.distance(mesh, shape).range }
        };
        let deep =
            matches!(kind, Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate);
        let depth = options.depth_effort.filter(|_| deep).and_then(|_| self.depth(mesh, shape));
        let exact = match kind {
            Relation::Overlapping { kind, .. } => {
                Relation::Overlapping { kind, depth: depth.map(|depth| depth.range) }
            }
            other => other,
        };
        let extent = match exact {
            Relation::Separate { distance } => Some(distance),
            _ => depth.map(|depth| depth.range),
        };
        let near = extent.is_some_and(|extent| options.tolerates(extent));
        ShapeRelation { relation: if near { Relation::Touching } else { exact }, exact, depth }
    }

    /// How each leaf of the shape lies to the mesh.
    fn parts(&mut self, mesh: PlacedMesh, shape: convex::PlacedShape) -> Vec<PartRelation> {
        let mut parts = Vec::new();
        each_view(mesh, shape, |_, view| {
            let verdict = self.leaf_meets(mesh, view, Verdict::Overlapping);
            let inside = match verdict {
                Verdict::Overlapping => Some(false),
                _ => self.is_inside(mesh, view, verdict != Verdict::Separate),
            };
            let holds_mesh = verdict != Verdict::Separate && self.holds_mesh(mesh, view);
            parts.push(PartRelation { verdict, inside, holds_mesh });
            true
        });
        parts
    }

    /// Whether all of the mesh is in a leaf that has an interior.
    fn holds_mesh(&mut self, mesh: PlacedMesh, view: &View) -> bool {
        let vertices = mesh.mesh.faces().vertices();
        let within = |corner: &u32| {
            Shape::triangle([vertices[*corner as usize]; 3]).is_ok_and(|point| {
                let found = view.ask(&mut self.convex, &point, Want::Verdict).verdict;
                matches!(found, Verdict::Touching | Verdict::Overlapping)
            })
        };
        has_inside(view.shape()) && mesh.mesh.faces().triangles().iter().flatten().all(within)
    }

    /// Whether a leaf is inside the closed mesh, where no face is in its inside; `verdict` says whether faces touch the shape. `None` where
    /// that cannot be told.
    pub(super) fn any_inside(
        &mut self,
        mesh: PlacedMesh,
        shape: convex::PlacedShape,
        verdict: Verdict,
    ) -> Option<bool> {
        if !mesh.mesh.is_closed() {
            return Some(false);
        }
        let mut known = Some(false);
        each_view(mesh, shape, |_, view| {
            match self.is_inside(mesh, view, verdict != Verdict::Separate) {
                Some(true) => known = Some(true),
                Some(false) => {}
                None => known = None,
            }
            known != Some(true)
        });
        known
    }

    /// Whether a leaf is inside the mesh, where no face has a point of its interior; `touched` where faces touch it. `None` where that
    /// cannot be told.
    ///
    /// If the leaf has an interior, or no face touches it, any point of it tells. The point is taken in doubles: it tells of the
    /// exact one as long as no face is as near to it as it may be off, and none is within the ball about it that is inside the leaf.
    /// A flat leaf that touches faces may be partly inside without crossing any, where it lies in the plane of a face and goes on
    /// beyond it; the query at rest of two meshes tells that.
    pub(super) fn is_inside(&mut self, mesh: PlacedMesh, view: &View, touched: bool) -> Option<bool> {
        let shape = view.shape();
        if matches!(shape.core(), Core::HalfSpace { .. }) || !mesh.mesh.is_closed() {
            // What no face passes through contains all of the outside, or there is no inside.
            return Some(false);
        }
        if touched && !has_inside(shape) {
            return flat_is_inside(&mut self.faces, mesh, view);
        }
        let (own, inner) = shape.inner_ball();
        let point = view.between.b_in_a(own);
        // A mean of corners rounds by a unit in the last place for each; its corners are as many as the ball tells.
        let error = add_up(view.between.error_at(own), view.middle_error());
        let tree = mesh.mesh.tree();
        let far = length_up(point - tree.origin()) * (1.0 - 1e-12) - error;
        if far > 1.7321 * 2.0_f64.powi(tree.exponent()) * (1.0 + 1e-9) {
            return Some(false);
        }
        let clear =
            inner > 2.0 * error || mesh.mesh.nearest(point).is_some_and(|near| near.distance.lo() > error);
        match mesh.mesh.inside(point).verdict {
            Where::Inside if clear => Some(true),
            Where::Outside if clear => Some(false),
            _ => None,
        }
    }
}

/// How a leaf lies to the mesh.
#[derive(Clone, Copy, Debug)]
struct PartRelation {
    /// The gravest verdict about it and a face.
    verdict: Verdict,
    inside: Option<bool>,
    holds_mesh: bool,
}

/// Whether a convex set has an interior, as far as its kind tells; a user's set may have none.
fn has_inside(shape: &Shape) -> bool {
    let [round, margin] = shape.radii();
    round + margin > 0.0
        || match shape.core() {
            Core::Point | Core::Segment(_) | Core::Triangle(_) | Core::User(_) | Core::Union(_) => false,
            Core::Hull(hull) => hull.dimension() == 3,
            Core::Box(sizes) | Core::Ellipsoid(sizes) => sizes.min_element() > 0.0,
            Core::Cylinder { half_length, radius } | Core::Cone { half_length, radius } => {
                half_length.min(*radius) > 0.0
            }
            Core::HalfSpace { .. } => true,
        }
}

/// Whether a polytope without an interior is inside the mesh, as a sheet of triangles.
fn flat_is_inside(asker: &mut MeshQuery, mesh: PlacedMesh, view: &View) -> Option<bool> {
    let (surface, pose) = view.shape().surface().zip(view.exact_pose())?;
    let faces = FaceSet::from_triangles(surface.vertices, surface.triangles).ok()?;
    let sheet = Mesh::with_threads(faces, 1).ok()?;
    let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
    match asker.relation(mesh, PlacedMesh::new(&sheet, pose), &options).exact {
        Relation::Undecided { .. } => None,
        Relation::Separate { .. } | Relation::Touching => Some(false),
        Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate => Some(true),
    }
}
