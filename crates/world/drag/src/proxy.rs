//! The dragged body: its size, where its mass is, and what steps cost it.

use crate::error::DragError;
use crate::inertia::Inertia;
use crate::projection::Vector;
use crate::step::Step;
use kontakt_convex::{Leaf, PlacedShape};
use kontakt_math::round::{add_up, length_up};
use kontakt_math::{Between, DMat3, DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::Body;

/// The dragged body.
#[derive(Debug)]
pub(crate) struct Proxy {
    pub(crate) body: Body,
    /// The convex sets of a body without faces, in its frame.
    pub(crate) leaves: Vec<Leaf>,
    /// The centre of mass, in the body's frame: it goes straight in every piece of motion.
    pub(crate) centre: DVec3,
    /// **Never less** than the distance of any point from the centre.
    pub(crate) radius: f64,
    /// **Never less** than |x|₁ of any point, in the body's frame.
    pub(crate) farthest: f64,
    /// The inverse of L, where `LLᵀ` is the inertia per mass, in the body's frame.
    inverse: DMat3,
}

impl Proxy {
    pub(crate) fn new(body: Body) -> Result<Proxy, DragError> {
        let leaves = leaves_of(&body, Pose::IDENTITY);
        let (low, high) = extent(&body, &leaves);
        if !(low.is_finite() && high.is_finite() && low.cmple(high).all()) {
            return Err(DragError::NoSize);
        }
        let inertia = match body.surface() {
            Some(mesh) => Inertia::of_mesh(mesh, low, high),
            None => Inertia::of_box(low, high),
        };
        let centre = inertia.centre;
        let away = |x: DVec3| length_up(x - centre) * (1.0 + 1e-12);
        // A corner of the box is no nearer than any point in it.
        let radius = match body.surface() {
            Some(mesh) => mesh.faces().vertices().iter().map(|x| away(*x)).fold(0.0, f64::max),
            None => away((high - centre).max(centre - low) + centre),
        };
        let radius = add_up(radius, body.deviation());
        let farthest = low.abs().max(high.abs()).element_sum() * (1.0 + 1e-12);
        let inverse = lower_inverse(inertia.per_mass).ok_or(DragError::NoSize)?;
        if !(radius > 0.0 && radius.is_finite() && farthest.is_finite()) {
            return Err(DragError::NoSize);
        }
        Ok(Proxy { body, leaves, centre, radius, farthest, inverse })
    }

    /// The faces; none of a body of convex sets.
    pub(crate) fn mesh(&self) -> Option<&Mesh> {
        self.body.surface()
    }

    /// About how far a step moves its farthest point.
    pub(crate) fn reach(&self, step: &Step) -> f64 {
        step.shift.length() + self.radius * step.turn.length()
    }

    /// The step as a vector whose length is measured by the kinetic metric.
    pub(crate) fn in_metric(&self, turn: DMat3, step: &Step) -> Vector {
        // z = Lᵀω, so that |z|² = ωᵀLLᵀω.
        let own = turn.transpose() * step.turn;
        let z = self.inverse.transpose().inverse() * own;
        [step.shift.x, step.shift.y, step.shift.z, z.x, z.y, z.z]
    }

    /// The step of a vector.
    pub(crate) fn out_of_metric(&self, turn: DMat3, z: &Vector) -> Step {
        let own = self.inverse.transpose() * DVec3::new(z[3], z[4], z[5]);
        Step { shift: DVec3::new(z[0], z[1], z[2]), turn: turn * own }
    }

    /// The vector whose product with that of a step is how far a point at `arm` from the centre goes along `normal`: n·(s + ω × r).
    pub(crate) fn row(&self, turn: DMat3, normal: DVec3, arm: DVec3) -> Vector {
        let own = self.inverse * (turn.transpose() * arm.cross(normal));
        [normal.x, normal.y, normal.z, own.x, own.y, own.z]
    }
}

/// The convex sets of a body that has no faces, seen from outside of a pose.
pub(crate) fn leaves_of(body: &Body, pose: Pose) -> Vec<Leaf> {
    match body {
        Body::Convex(convex) if body.surface().is_none() => PlacedShape::new(convex.shape(), pose).leaves(),
        _ => Vec::new(),
    }
}

/// A box around a body, in its own frame.
fn extent(body: &Body, leaves: &[Leaf]) -> (DVec3, DVec3) {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    if let Some(mesh) = body.surface() {
        let points = mesh.faces().vertices().iter();
        return points.fold(none, |(low, high), x| (low.min(*x), high.max(*x)));
    }
    leaves
        .iter()
        .map(|leaf| leaf_box(leaf, Pose::IDENTITY))
        .fold(none, |(low, high), (l, h)| (low.min(l), high.max(h)))
}

/// A box around a convex set, in the frame `outside`, of which its chain speaks.
pub(crate) fn leaf_box(leaf: &Leaf, outside: Pose) -> (DVec3, DVec3) {
    let between = Between::of_chains(&kontakt_math::Chain::new(outside), leaf.chain());
    let [x, y, z] = DVec3::AXES.map(|axis| [leaf.reach(&between, axis), -leaf.reach(&between, -axis)]);
    (DVec3::new(x[1], y[1], z[1]), DVec3::new(x[0], y[0], z[0]))
}

/// The inverse of the Cholesky factor of a symmetric positive matrix.
fn lower_inverse(m: DMat3) -> Option<DMat3> {
    let at = |row: usize, column: usize| m.col(column)[row];
    let a = at(0, 0).sqrt();
    let (b, c) = (at(1, 0) / a, at(2, 0) / a);
    let d = (at(1, 1) - b * b).sqrt();
    let e = (at(2, 1) - b * c) / d;
    let f = (at(2, 2) - c * c - e * e).sqrt();
    let lower = DMat3::from_cols(DVec3::new(a, b, c), DVec3::new(0.0, d, e), DVec3::new(0.0, 0.0, f));
    let inverse = lower.inverse();
    (inverse.is_finite() && a > 0.0 && d > 0.0 && f > 0.0).then_some(inverse)
}
