//! Two triangles on one edge that keep the angle between them.

use super::colour::Element;
use super::{Substep, energy};
use kontakt_math::DVec3;

/// Energy ½ k (|Σ cᵢ xᵢ| − rest)². For isometric motion the vector is, up to second order, the edge's length times the bend's angle
/// along the common normal (Bergou et al. 2006): its weights come from the cotangents of the flat pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    /// The edge's ends, then the corners opposite to it.
    pub(crate) corners: [u32; 4],
    pub(crate) weights: [f64; 4],
    pub(crate) rest: f64,
    /// A / (3 B), from the area of both triangles and the bending stiffness in N·m.
    pub(crate) compliance: f64,
    pub(crate) damping: f64,
}

impl Element for Bend {
    fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        self.corners.iter().copied()
    }
}

impl Bend {
    /// `None` where a triangle is flat beyond measure.
    pub(crate) fn new(corners: [u32; 4], places: [DVec3; 4], bending: f64, damping: f64) -> Option<Bend> {
        let [a, b, c, d] = places;
        let edge = b - a;
        // Cotangents of the angles at a and b in either triangle.
        let cot = |u: DVec3, v: DVec3| u.dot(v) / u.cross(v).length();
        let (ca, cb) = (cot(edge, c - a), cot(-edge, c - b));
        let (da, db) = (cot(edge, d - a), cot(-edge, d - b));
        let weights = [cb + db, ca + da, -(ca + cb), -(da + db)];
        let area = 0.5 * (edge.cross(c - a).length() + edge.cross(d - a).length());
        let rest = (a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3]).length();
        let compliance = area / (3.0 * bending);
        let is_finite = weights.iter().all(|w| w.is_finite()) && compliance.is_finite() && rest.is_finite();
        // What rounding makes of a flat pair is no angle.
        let rest = if rest < 1e-9 * edge.length() { 0.0 } else { rest };
        is_finite.then_some(Bend { corners, weights, rest, compliance, damping })
    }

    fn vector(&self, at: impl Fn(u32) -> DVec3) -> DVec3 {
        self.corners.iter().zip(self.weights).map(|(&v, c)| at(v) * c).sum()
    }

    fn mobility(&self, mobility: &[f64]) -> f64 {
        self.corners.iter().zip(self.weights).map(|(&v, c)| c * c * mobility[v as usize]).sum()
    }

    pub(crate) fn solve(&self, at: &Substep<'_>) {
        let vector = self.vector(|v| at.places.get(v));
        let (length, mobility) = (vector.length(), self.mobility(at.mobility));
        if !(length > 0.0 && mobility > 0.0) {
            return;
        }
        let n = vector / length;
        let bending = n.dot(self.vector(|v| at.places.get(v) - at.before[v as usize]));
        let push = at.push(length - self.rest, bending, mobility, self.compliance, self.damping);
        for (&v, c) in self.corners.iter().zip(self.weights) {
            at.places.add(v, n * (c * push * at.mobility[v as usize]));
        }
    }

    pub(crate) fn energy(&self, places: &[DVec3], mobility: &[f64], seconds: f64) -> f64 {
        let off = self.vector(|v| places[v as usize]).length() - self.rest;
        energy(off, self.compliance, self.mobility(mobility), seconds)
    }
}
