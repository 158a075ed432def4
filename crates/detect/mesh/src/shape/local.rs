//! A triangle of the mesh in the set's own frame, where its core lies in a box along the axes: a few comparisons tell most triangles apart.
//!
//! **Errors.** A corner brought to the set's frame is off by `doubt` at most: the map errs by what it says of itself, going back through
//! its transpose by a few units in the last place of all lengths on the way, of which 1e-13 is far more. Rounding of what is
//! computed there is covered by the same.

use super::view::View;
use kontakt_convex::{Core, Verdict};
use kontakt_math::{DVec2, DVec3};

/// Lengths of the set's frame are computed to this part of the sizes involved.
const ROUNDING: f64 = 1e-13;
/// A length found is true but for this part of itself.
const LOOSE: f64 = 1e-12;

/// The corners of a triangle in the set's frame.
pub(super) struct Local {
    corners: [DVec3; 3],
    /// **Never less** than how far any of them is off, roundings of what is computed from them included.
    doubt: f64,
}

impl View<'_> {
    /// A triangle of the mesh in the set's frame; of a ball one that is not turned. None where numbers are of no common size.
    pub(super) fn local(&self, corners: &[DVec3; 3]) -> Option<Local> {
        let centre_error = self.centre_error?;
        let is_ball = matches!(self.shape().core(), Core::Point);
        let place = |&x: &DVec3| if is_ball { x - self.centre } else { self.to_set(x) };
        let corners = [place(&corners[0]), place(&corners[1]), place(&corners[2])];
        let far = corners.iter().fold(0.0, |far: f64, x| far.max(x.abs().element_sum()));
        let size = self.size + far;
        let map = if is_ball { centre_error } else { 2.0 * self.between.error_within(far) };
        Some(Local { corners, doubt: ROUNDING * size + map })
    }

    /// **Never more** than the distance of a triangle from the set; negative where nothing is known.
    ///
    /// Proof. Along three orthogonal axes the triangle and the core's box lie in intervals, whose gaps are those of points of both at
    /// least; so the squares add up. A cylinder or cone is within its radius of its axis: the gap across it is that of the triangle
    /// seen along the axis.
    pub(super) fn box_gap(&self, local: &Local) -> f64 {
        let Local { corners: [p, q, r], doubt } = *local;
        let (low, high) = (p.min(q).min(r), p.max(q).max(r));
        let mut beyond = (low - self.own - self.extent).max(self.own - self.extent - high);
        if let Core::Cylinder { radius, .. } | Core::Cone { radius, .. } = *self.shape().core() {
            let across = from_origin([p.truncate(), q.truncate(), r.truncate()]) - radius;
            beyond = DVec3::new(across, 0.0, beyond.z);
        }
        let beyond = (beyond - DVec3::splat(doubt)).max(DVec3::ZERO);
        beyond.length() * (1.0 - LOOSE) - self.grown * (1.0 + LOOSE)
    }

    /// The verdict on a triangle and a sharp box where roundings leave no doubt.
    ///
    /// Two convex polytopes have no common point exactly when the normal of a face of one of them or of an edge of each separates
    /// them (Gottschalk, Lin, Manocha 1996). **Apart**: one does, by more than the doubt. **Overlapping**: none separates the
    /// triangle found from the box less two doubts on all sides, so a point of the true triangle is in the box's inside.
    pub(super) fn box_verdict(&self, local: &Local) -> Option<Verdict> {
        let Core::Box(half) = *self.shape().core() else { return None };
        let inner = half - DVec3::splat(2.0 * local.doubt);
        if self.grown > 0.0 || inner.min_element() <= 0.0 {
            return None;
        }
        let corners = local.corners;
        let edges = [corners[1] - corners[0], corners[2] - corners[1], corners[0] - corners[2]];
        let mut all = true;
        let mut separates = |axis: DVec3, rounding: f64| {
            let heights = corners.map(|x| axis.dot(x));
            let low = heights[0].min(heights[1]).min(heights[2]);
            let high = heights[0].max(heights[1]).max(heights[2]);
            let apart = low.max(-high);
            let (outer, within) = (half.dot(axis.abs()), inner.dot(axis.abs()));
            all &= apart < within - rounding;
            apart > outer + 2.0 * local.doubt * axis.abs().element_sum() + rounding
        };
        let normal = edges[0].cross(edges[1]);
        let size = edges[0].abs().element_sum() * edges[1].abs().element_sum();
        let far = corners.iter().fold(half.element_sum(), |far: f64, x| far.max(x.abs().element_sum()));
        if separates(normal, 64.0 * f64::EPSILON * size * far) {
            return Some(Verdict::Separate);
        }
        for axis in DVec3::AXES {
            if separates(axis, ROUNDING * far) {
                return Some(Verdict::Separate);
            }
            for edge in edges {
                let across = axis.cross(edge);
                if separates(across, ROUNDING * far * across.abs().element_sum()) {
                    return Some(Verdict::Separate);
                }
            }
        }
        all.then_some(Verdict::Overlapping)
    }
}

/// How far a triangle in the plane is from the origin: not more, but for roundings of the sizes involved.
fn from_origin([p, q, r]: [DVec2; 3]) -> f64 {
    // What is on a side but for roundings counts as inside.
    let turn = |p: DVec2, q: DVec2| (p.perp_dot(q), ROUNDING * p.length() * q.length());
    let turns = [turn(p, q), turn(q, r), turn(r, p)];
    if turns.iter().all(|(turn, noise)| *turn >= -noise) || turns.iter().all(|(turn, noise)| turn <= noise) {
        return 0.0;
    }
    let from_side = |p: DVec2, q: DVec2| {
        let along = q - p;
        let share = (-p.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        if share.is_nan() { p.length() } else { (p + along * share).length() }
    };
    from_side(p, q).min(from_side(q, r)).min(from_side(r, p))
}
