//! Two planes between two bodies, through points where they are nearest.
//!
//! With a unit vector n from the one to the other, two pieces are at least as far apart as the second's least height along n is above the
//! first's greatest. Where both faces bulge towards each other the planes through the nearest points have all the rest of both faces behind
//! them, so that this is the distance itself, to the last bit that matters, for all pieces around these points at once.
//!
//! **Why the planes hold.** The height of a surface along a direction, h(u, v), is concave over a box of parameters if its second derivatives are
//! negative semidefinite all over it: huu ≤ 0, hvv ≤ 0 and huu hvv ≥ huv², in intervals. It is then nowhere above its tangent at any point of
//! the box; over a triangle of parameters in the box the tangent is greatest at a corner. Where they are not, by Taylor's theorem it is
//! above by no more than ½ (huu a² + 2 |huv a b| + hvv b²), and 2 |a b| ≤ a² k / h + b² h / k for any h and k: by nothing but
//! roundings on what is ruled.

use crate::patch::{Carrier, Patch};
use crate::surface::Surface;
use crate::tessellate::Domain;
use kontakt_math::{DVec3, Interval, IntervalVector};

/// How many boxes are tried, each so much smaller.
const TRIES: i32 = 5;
const SMALLER: f64 = 0.5;
/// The first box reaches this many times as far as the patch.
const FIRST: f64 = 8.0;

/// Where a face is highest along a direction, and a box of parameters about that over which it is nowhere above its tangent there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Top {
    face: u32,
    at: [f64; 2],
    over: [[f64; 2]; 2],
    /// How high it is there, and what it may be above its tangent.
    height: f64,
    slope: [f64; 2],
}

impl Top {
    /// About parameters in a patch; none where the face is above its tangent by more than a little.
    pub(crate) fn of(patch: &Patch, on: Carrier, at: [f64; 2], along: DVec3, little: f64) -> Option<Top> {
        let domain = &on.made.domains[patch.face as usize];
        let Domain::Surface { surface, periods, .. } = domain else { return None };
        let jet = domain.jet(at);
        // Where it is no top at the place itself no box is worth a look.
        let [uu, uv, vv] = [jet.duu, jet.duv, jet.dvv].map(|x| x.dot(along));
        let size = jet.duu.length() + jet.dvv.length() + jet.duv.length();
        let none = 1e-9 * size;
        if uu > none || vv > none || uu * vv < uv * uv - none * size {
            return None;
        }
        let own = patch.over();
        (0..TRIES).find_map(|k| {
            let reach = |axis: usize| {
                let wide = FIRST * SMALLER.powi(k) * (own[axis][1] - own[axis][0]);
                let [low, high] = limits(surface, axis);
                let half = periods[axis].map_or(wide, |period| wide.min(0.5 * period));
                [(at[axis] - half).max(low), (at[axis] + half).min(high)]
            };
            let over = [reach(0), reach(1)];
            let slope = [jet.du.dot(along), jet.dv.dot(along)];
            let is_within = over.iter().zip(at).all(|([low, high], at)| *low <= at && at <= *high);
            let holds = is_within && !domain.has_kink(over[0], over[1]);
            let above =
                holds.then(|| above_tangent(surface, over, at, along)).filter(|above| *above <= little)?;
            Some(Top { face: patch.face, at, over, height: jet.point.dot(along) + above, slope })
        })
    }

    /// **Never less** than how high what a patch's parameters are mapped to is, up to roundings; none of another face, or beyond the box.
    fn most_over(&self, patch: &Patch, on: Carrier) -> Option<f64> {
        if patch.face != self.face {
            return None;
        }
        let domain = &on.made.domains[patch.face as usize];
        let corners = patch.parameters();
        // The same place in the period that the patch is in.
        let at = domain.near(self.at, corners[0]);
        let shift = [at[0] - self.at[0], at[1] - self.at[1]];
        let within = |corner: &[f64; 2]| {
            (0..2).all(|k| {
                let [low, high] = self.over[k];
                low + shift[k] <= corner[k] && corner[k] <= high + shift[k]
            })
        };
        if !corners.iter().all(within) {
            return None;
        }
        let rise =
            |corner: &[f64; 2]| self.slope[0] * (corner[0] - at[0]) + self.slope[1] * (corner[1] - at[1]);
        let most = corners.iter().map(rise).fold(f64::NEG_INFINITY, f64::max);
        Some(self.height + most)
    }
}

/// Where a parameter may be without a look at where it would come back: a B-spline ends with its domain.
fn limits(surface: &Surface, axis: usize) -> [f64; 2] {
    match (surface, axis) {
        (Surface::Nurbs(nurbs), _) => nurbs.domain()[axis],
        (Surface::Extrusion { curve, .. }, 0) | (Surface::Revolution { curve, .. }, 1) => curve.domain(),
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    }
}

/// **Never less** than how far the height of a surface is above its tangent at a place, anywhere in a box.
fn above_tangent(surface: &Surface, over: [[f64; 2]; 2], at: [f64; 2], along: DVec3) -> f64 {
    let [_, _, _, uu, uv, vv] = surface.second_range_over(over[0], over[1]);
    let along = IntervalVector::point(along);
    let [uu, uv, vv] = [uu, uv, vv].map(|x| x.dot(along));
    if uu.is_empty() || uv.is_empty() || vv.is_empty() {
        return f64::INFINITY;
    }
    let [one, other] = [uu, vv].map(|x| Interval::point(x.hi()));
    if uu.hi() <= 0.0 && vv.hi() <= 0.0 && (one * other).lo() >= uv.square().hi() {
        return 0.0;
    }
    let [h, k] = [0, 1].map(|axis: usize| (at[axis] - over[axis][0]).max(over[axis][1] - at[axis]));
    let both = uv.magnitude() * h * k;
    let most = (uu.hi() * h * h + both).max(0.0) + (vv.hi() * k * k + both).max(0.0);
    0.5 * most * (1.0 + 1e-12) + f64::MIN_POSITIVE
}

/// The planes of two bodies: where each may be highest towards the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facing {
    /// Towards the other body, in each one's own frame.
    pub(crate) along: [DVec3; 2],
    pub(crate) tops: [Option<Top>; 2],
}

impl Facing {
    /// **Never less** than how high a patch of a body is along the direction towards the other, up to roundings; of a flat one without a carrier.
    pub(crate) fn most(&self, side: usize, patch: &Patch, on: Option<Carrier>) -> f64 {
        let along = self.along[side];
        let of = |corners: &[DVec3]| corners.iter().map(|x| x.dot(along)).fold(f64::NEG_INFINITY, f64::max);
        let Some(on) = on else { return of(&patch.corners) };
        let by_triangle = of(&patch.corners) + patch.reach_along(along, on);
        let by_spine = patch.spine.as_ref().map_or(f64::INFINITY, |spine| spine.most(along));
        let by_top = self.tops[side].and_then(|top| top.most_over(patch, on)).map_or(f64::INFINITY, |most| {
            // What lies beyond the parameters, along edges, is near these.
            let slivers = patch.slivers().map(|(ends, reach)| of(&ends) + reach);
            slivers.fold(most + patch.floor, f64::max)
        });
        by_triangle.min(by_spine).min(by_top)
    }
}
