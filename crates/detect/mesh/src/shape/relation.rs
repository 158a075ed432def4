//! How a mesh and a convex shape lie to each other.
//!
//! Let K be a leaf of the shape. **No face has a point in the interior of K**: that interior is connected, so it is all inside
//! the closed mesh or all outside of it, and one point of it tells. **A face has one**: then all of the mesh is in K exactly when all
//! its corners are, since K is convex; else the mesh is partly in K and partly not.

use super::{ShapeAsker, Where, graver};
use crate::asker::Asker;
use crate::depth::Depth;
use crate::mesh::{Mesh, Placed};
use crate::relation::RelationOptions;
use kontakt_answers::{Range, Relation, Side};
use kontakt_convex::{self as convex, Core, Leaf, Shape, Verdict, Want};
use kontakt_math::round::{add_up, length_up};
use kontakt_math::{Between, Chain, DVec3};
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

impl ShapeAsker {
    /// The class of a mesh (side A) and a shape (side B): separate, touching, overlapping, contained; a mesh that is a shape's boundary
    /// is a duplicate.
    ///
    /// Of a union, *contained* means that all leaves are inside the mesh, or that the mesh is inside one of them.
    pub fn relation(&mut self, mesh: Placed, shape: convex::Placed, options: &RelationOptions) -> ShapeRelation {
        let leaves = shape.leaves();
        let verdicts: Vec<Verdict> =
            leaves.iter().map(|leaf| self.faces_meet(mesh, std::slice::from_ref(leaf))).collect();
        let inside: Vec<Option<bool>> = leaves
            .iter()
            .zip(&verdicts)
            .map(|(leaf, &verdict)| match verdict {
                Verdict::Overlapping => Some(false),
                _ => self.is_inside(mesh, leaf, verdict != Verdict::Separate),
            })
            .collect();
        let verdict = verdicts.iter().copied().fold(Verdict::Separate, graver);
        let any_inside = inside.contains(&Some(true));
        let mesh_in_leaf = self.holds_mesh(mesh, &leaves, &verdicts);
        let kind = match (verdict, any_inside) {
            _ if mesh_in_leaf && any_inside && leaves.len() == 1 => Relation::Duplicate,
            _ if mesh_in_leaf => Relation::Contained { inner: Side::A },
            _ if inside.iter().all(|inside| *inside == Some(true)) => Relation::Contained { inner: Side::B },
            (Verdict::Overlapping, _) | (_, true) => Relation::Overlapping { kind: None, depth: None },
            _ if inside.contains(&None) || verdict == Verdict::Undecided => self.undecided(mesh, &leaves),
            (Verdict::Touching, _) => Relation::Touching,
            (Verdict::Separate | Verdict::Undecided, _) => {
                Relation::Separate { distance: self.distance(mesh, shape).range }
            }
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

    /// What is known where the class is not: the faces' separation from above.
    fn undecided(&mut self, mesh: Placed, leaves: &[Leaf]) -> Relation {
        let hi = self.nearest(mesh, leaves).map_or(f64::INFINITY, |(found, _)| found.answer.separation.hi());
        Relation::Undecided { bounds: Range::new(f64::NEG_INFINITY, hi).unwrap_or(Range::ZERO) }
    }

    /// Whether all of the mesh is in a leaf whose interior, or all of whose boundary, a face reaches.
    fn holds_mesh(&mut self, mesh: Placed, leaves: &[Leaf], verdicts: &[Verdict]) -> bool {
        let vertices = mesh.mesh.faces().vertices();
        let met = leaves.iter().zip(verdicts).filter(|(_, verdict)| **verdict != Verdict::Separate);
        for (leaf, _) in met {
            let between = Between::of_chains(&Chain::new(mesh.pose), leaf.chain());
            let mut within = |corner: u32| {
                Shape::triangle([vertices[corner as usize]; 3]).is_ok_and(|point| {
                    let found = self.convex.shape_and_leaf(&point, leaf, &between, Want::Verdict).verdict;
                    matches!(found, Verdict::Touching | Verdict::Overlapping)
                })
            };
            if has_inside(leaf) && mesh.mesh.faces().triangles().iter().flatten().all(|&corner| within(corner)) {
                return true;
            }
        }
        false
    }

    /// Whether a leaf is inside the mesh, where no face has a point of its interior; `touched` where faces touch it. `None` where that
    /// cannot be told.
    ///
    /// If the leaf has an interior, or no face touches it, any point of it tells. The point is taken in doubles: it tells of the
    /// exact one as long as no face is as near to it as it may be off. A flat leaf that touches faces may be partly inside without
    /// crossing any, where it lies in the plane of a face and goes on beyond it; the query at rest of two meshes tells that.
    pub(super) fn is_inside(
        &mut self,
        mesh: Placed,
        leaf: &Leaf,
        touched: bool,
    ) -> Option<bool> {
        if matches!(leaf.shape().core(), Core::HalfSpace { .. }) || !mesh.mesh.is_closed() {
            // What no face passes through contains all of the outside, or there is no inside.
            return Some(false);
        }
        if touched && !has_inside(leaf) {
            return flat_is_inside(&mut self.faces, mesh, leaf);
        }
        let (point, error) = leaf.middle();
        let error = add_up(error, 4.0 * f64::EPSILON * length_up(point));
        if !may_be_inside(mesh, point, error) {
            return Some(false);
        }
        let clear = mesh.nearest(point).is_some_and(|near| near.distance.lo() > error);
        match mesh.inside(point).verdict {
            Where::Inside if clear => Some(true),
            Where::Outside if clear => Some(false),
            _ => None,
        }
    }
}

/// Whether a point off by at most `error` may be in the box around a mesh.
fn may_be_inside(mesh: Placed, point: DVec3, error: f64) -> bool {
    let tree = mesh.mesh.tree();
    let size = 1.7321 * 2.0_f64.powi(tree.exponent());
    let centre = mesh.pose.apply(tree.origin());
    let reach = (size + error + mesh.pose.apply_error(tree.origin())) * (1.0 + 1e-9);
    let away = length_up(point - centre) * (1.0 - 1e-12);
    away <= reach || away.is_nan() || reach.is_nan()
}

/// Whether a leaf has an interior, as far as its kind tells; a user's set may have none.
fn has_inside(leaf: &Leaf) -> bool {
    let [round, margin] = leaf.shape().radii();
    round + margin > 0.0
        || match leaf.shape().core() {
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
fn flat_is_inside(asker: &mut Asker, mesh: Placed, leaf: &Leaf) -> Option<bool> {
    let surface = leaf.shape().surface().filter(|_| leaf.chain().is_exact())?;
    let faces = FaceSet::from_triangles(surface.vertices, surface.triangles).ok()?;
    let sheet = Mesh::with_threads(faces, 1).ok()?;
    let options = RelationOptions { depth_effort: None, ..RelationOptions::default() };
    match asker.relation(mesh, Placed::new(&sheet, *leaf.chain().composed()), &options).exact {
        Relation::Undecided { .. } => None,
        Relation::Separate { .. } | Relation::Touching => Some(false),
        Relation::Overlapping { .. } | Relation::Contained { .. } | Relation::Duplicate => Some(true),
    }
}
