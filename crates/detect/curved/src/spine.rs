//! What round pieces of faces are swept about: a centre, a stretch of an axis, an arc of a circle of centres.
//!
//! A ball, a cylinder, a cone and a torus are swept by balls. Where a piece of one faces a body, the balls' centres tell its distance, and these
//! have one or two dimensions less than the piece: a ball's piece never has to be cut, nor that of a cylinder or a cone, a torus only along
//! its circle of centres.

use crate::frame::Frame;
use crate::surface::Surface;
use crate::tessellate::Domain;
use kontakt_math::{Between, DVec3};
use kontakt_mesh::face::distance as triangle_distance;
use std::f64::consts::PI;

/// What the numbers of a spine are off by, of their size.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Rounds in which two spines, one of which narrows, look for their nearest points.
const ROUNDS: usize = 3;

/// A stretch with a radius that goes evenly from one end to the other.
///
/// **What holds**, with c(λ) the points of the stretch and ρ(λ) the radii: each point of the piece is within ρ(λ) + `off` of c(λ) for some λ, and
/// no nearer than ρ(λ) − `off` to c(λ) for every λ.
///
/// - Ball: the distance of its points from the centre is ρ. Cylinder: that of its points from the axis, at their own height.
/// - Cone: the normal at the height z, where the radius is R(z), meets the axis at z + R tan α, and is ρ = R / cos α long there. That
///   ball touches the cone from inside all around, so that no point of the cone's nappe is in it, nor one of the other nappe. Both
///   numbers go evenly with z.
/// - Torus with R ≥ r: the distance of its points from the circle of centres is r, at their own angle. The arc over a range of angles is
///   within its sagitta s of its chord and beside it only on one side: it is within s / 2 of the chord that is shifted by s / 2 there, and
///   that within s / 2 of the arc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spine {
    ends: [DVec3; 2],
    radii: [f64; 2],
    off: f64,
}

impl Spine {
    /// Of the piece of a face over a box of parameters. What the piece has beyond these, along edges, is no farther than `beyond` from
    /// what is over the box, and `floor` is what all its points may be off the surface.
    pub(crate) fn of(domain: &Domain, [u, v]: [[f64; 2]; 2], beyond: f64, floor: f64) -> Option<Spine> {
        let spine = match domain {
            Domain::Sphere { frame, radius } => {
                Spine { ends: [frame.origin; 2], radii: [*radius; 2], off: 0.0 }
            }
            Domain::Surface { surface, .. } => match surface {
                Surface::Cylinder { frame, radii: [a, b] } if a == b => {
                    let ends = [v[0] - beyond, v[1] + beyond].map(|z| frame.origin + frame.z * z);
                    Spine { ends, radii: [*a; 2], off: 0.0 }
                }
                // One nappe only.
                Surface::Cone { frame, radii: [a, b], slope }
                    if a == b && v.iter().all(|z| a + slope * z >= -1e-9 * a) =>
                {
                    cone(frame, *a, *slope, [v[0] - beyond, v[1] + beyond])
                }
                Surface::Torus { frame, major, minor } if major > minor => {
                    // A point beyond is at least R − r from the axis.
                    let aside = (beyond / (major - minor)).min(1.0).asin();
                    torus(frame, [*major, *minor], [u[0] - aside, u[1] + aside])?
                }
                _ => return None,
            },
        };
        let size = spine.ends[0].abs().max(spine.ends[1].abs()).max_element();
        let rounding = ROUNDING * (size + spine.radii[0].max(spine.radii[1]));
        Some(Spine { off: spine.off + floor + rounding, ..spine })
    }

    /// **Never less** than how high the piece is along a unit direction.
    pub(crate) fn most(&self, along: DVec3) -> f64 {
        let high = |k: usize| self.ends[k].dot(along) + self.radii[k];
        high(0).max(high(1)) + self.off
    }

    /// What cutting the piece can take from `off`, where a piece may be off its surface by `floor`.
    pub(crate) fn excess(&self, floor: f64) -> f64 {
        let size = self.ends[0].abs().max(self.ends[1].abs()).max_element();
        (self.off - floor - ROUNDING * (size + self.radii[0].max(self.radii[1]))).max(0.0)
    }

    /// In another frame; its ends may be far from the body.
    pub(crate) fn placed(&self, between: &Between) -> Spine {
        let error = between.error_at(self.ends[0]).max(between.error_at(self.ends[1]));
        Spine { ends: self.ends.map(|x| between.b_in_a(x)), off: self.off + error, ..*self }
    }
}

fn cone(frame: &Frame, radius: f64, slope: f64, heights: [f64; 2]) -> Spine {
    // What goes beyond the apex, if anything, is only what was added: the piece itself ends there.
    let heights = heights.map(|z| if radius + slope * z < 0.0 { -radius / slope } else { z });
    let at = heights.map(|z| radius + slope * z);
    let secant = slope.hypot(1.0);
    Spine {
        ends: [0, 1].map(|k: usize| frame.origin + frame.z * (heights[k] + slope * at[k])),
        radii: at.map(|radius| radius * secant),
        off: 0.0,
    }
}

fn torus(frame: &Frame, [major, minor]: [f64; 2], [from, to]: [f64; 2]) -> Option<Spine> {
    let half = 0.5 * (to - from);
    (half < 0.5 * PI).then(|| {
        let out = |u: f64| frame.x * u.cos() + frame.y * u.sin();
        // R (1 − cos) without cancellation.
        let sagitta = 2.0 * major * (0.5 * half).sin().powi(2);
        let shift = out(from + half) * (0.5 * sagitta);
        let ends = [from, to].map(|u| frame.origin + out(u) * major + shift);
        Spine { ends, radii: [minor; 2], off: 0.5 * sagitta }
    })
}

/// A piece, as what it is within balls about: a triangle or a stretch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hull {
    corners: [DVec3; 3],
    radii: [f64; 3],
    off: f64,
    spine: bool,
}

impl Hull {
    /// Of a triangle that a piece is within a radius of.
    pub(crate) fn flat(corners: [DVec3; 3], radius: f64) -> Hull {
        Hull { corners, radii: [0.0; 3], off: radius, spine: false }
    }

    pub(crate) fn spine(spine: &Spine) -> Hull {
        let ([a, b], [r, s]) = (spine.ends, spine.radii);
        Hull { corners: [a, b, b], radii: [r, s, s], off: spine.off, spine: true }
    }

    fn is_even(&self) -> bool {
        self.radii[0] == self.radii[1]
    }

    /// The point of the triangle or stretch whose ball comes nearest to a place, to rounding.
    ///
    /// On a stretch of unit direction e whose radius grows by k per length, |x − c| − ρ(c) is least where (x − c)·e = −k |x − c|.
    fn toward(&self, place: DVec3) -> DVec3 {
        let [a, b, _] = self.corners;
        let (way, growth) = (b - a, self.radii[1] - self.radii[0]);
        let length = way.length();
        if self.is_even() || length <= growth.abs() {
            return triangle_distance(self.corners, [place; 3]).point_a;
        }
        let (along, slope) = (way / length, growth / length);
        let foot = (place - a).dot(along);
        let aside = (place - a - along * foot).length();
        let at = foot + slope * aside / (1.0 - slope * slope).sqrt();
        a + along * at.clamp(0.0, length)
    }

    /// The radius at a point of the stretch.
    fn radius_at(&self, point: DVec3) -> f64 {
        let [a, b, _] = self.corners;
        let way = b - a;
        let size = way.length_squared();
        let share = if size > 0.0 { ((point - a).dot(way) / size).clamp(0.0, 1.0) } else { 0.0 };
        self.radii[0] + (self.radii[1] - self.radii[0]) * share
    }
}

/// **Never more** than the distance of two pieces, up to roundings of their places.
///
/// Beside each other they are as far apart as their balls. For any unit n the balls about c are below c·n + ρ(c), those about y above
/// y·n − ρ(y), both extreme at a corner. A piece about which the other lies inside of its balls is as far from a place x of it as
/// ρ(c) − |x − c|, for every c; with c = Σ λ cᵢ for x = Σ λ xᵢ that is no less than the least of those at corners.
pub(crate) fn apart(a: &Hull, b: &Hull) -> f64 {
    let off = a.off + b.off;
    let beside = if a.is_even() && b.is_even() {
        triangle_distance(a.corners, b.corners).squared.sqrt() - a.radii[0] - b.radii[0]
    } else {
        beside(a, b)
    };
    beside.max(around(a, b)).max(around(b, a)) - off
}

fn beside(a: &Hull, b: &Hull) -> f64 {
    let mut on_b = triangle_distance(a.corners, b.corners).point_b;
    let mut best = f64::NEG_INFINITY;
    for _ in 0..ROUNDS {
        let on_a = a.toward(on_b);
        on_b = b.toward(on_a);
        let Some(normal) = (on_b - on_a).try_normalize() else { break };
        let high = (0..3).map(|k| a.corners[k].dot(normal) + a.radii[k]).fold(f64::NEG_INFINITY, f64::max);
        let low = (0..3).map(|k| b.corners[k].dot(normal) - b.radii[k]).fold(f64::INFINITY, f64::min);
        best = best.max(low - high);
    }
    best
}

/// How far the one is inside of the other's balls.
fn around(outer: &Hull, inner: &Hull) -> f64 {
    if !outer.spine {
        return f64::NEG_INFINITY;
    }
    let depth = |k: usize| {
        let place = inner.corners[k];
        let centre = outer.toward(place);
        outer.radius_at(centre) - (place - centre).length() - inner.radii[k]
    };
    depth(0).min(depth(1)).min(depth(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::Pose;

    fn number(random: &mut fastrand::Rng, low: f64, high: f64) -> f64 {
        low + (high - low) * random.f64()
    }

    fn vector(random: &mut fastrand::Rng, reach: f64) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| number(random, -reach, reach)))
    }

    /// A round surface and a box of its parameters.
    fn piece(random: &mut fastrand::Rng) -> (Domain, [[f64; 2]; 2]) {
        let frame = Frame::new(vector(random, 2.0), vector(random, 1.0), Some(vector(random, 1.0))).unwrap();
        let radius = number(random, 0.2, 2.0);
        let (from, low) = (number(random, -7.0, 7.0), number(random, -1.0, 1.0));
        let u = [from, from + number(random, 0.01, 1.5)];
        let v = [low, low + number(random, 0.01, 1.5)];
        let surface = match random.u32(0..4) {
            0 => return (Domain::Sphere { frame, radius }, [v, v]),
            1 => Surface::Cylinder { frame, radii: [radius; 2] },
            2 => {
                // The apex is below the box, at most on its border.
                let slope = number(random, 0.05, 3.0);
                let radius = -v[0] * slope + if random.bool() { 0.0 } else { radius };
                Surface::Cone { frame, radii: [radius.max(1e-3); 2], slope }
            }
            _ => Surface::Torus { frame, major: radius + number(random, 0.1, 3.0), minor: radius },
        };
        (Domain::of(&surface), [u, v])
    }

    fn samples(domain: &Domain, [u, v]: [[f64; 2]; 2]) -> Vec<DVec3> {
        let at = |[low, high]: [f64; 2], k: usize| low + (high - low) * k as f64 / 12.0;
        (0..=12)
            .flat_map(|i| (0..=12).map(move |j| (i, j)))
            .map(|(i, j)| domain.point([at(u, i), at(v, j)]))
            .collect()
    }

    /// Against points all over two pieces, and over a triangle: never too far, and near it where balls face each other.
    #[test]
    fn spines_are_never_too_far() {
        let mut random = fastrand::Rng::with_seed(5);
        let (mut tight, mut around) = (0, 0);
        for _ in 0..4000 {
            let (one, other) = (piece(&mut random), piece(&mut random));
            let place =
                Pose::from_axis_angle(vector(&mut random, 1.0), 1.0, vector(&mut random, 5.0)).unwrap();
            let between = Between::new(Pose::IDENTITY, place);
            let Some(a) = Spine::of(&one.0, one.1, 0.0, 0.0) else { continue };
            let Some(b) = Spine::of(&other.0, other.1, 0.0, 0.0) else { continue };
            let b = b.placed(&between);
            let places: Vec<DVec3> =
                samples(&other.0, other.1).into_iter().map(|x| between.b_in_a(x)).collect();
            let own = samples(&one.0, one.1);
            let nearest = |others: &[DVec3]| {
                own.iter()
                    .flat_map(|x| others.iter().map(move |y| (*x - *y).length()))
                    .fold(f64::INFINITY, f64::min)
            };
            let exact = nearest(&places);
            let told = apart(&Hull::spine(&a), &Hull::spine(&b));
            assert!(told <= exact + 1e-12, "{told} for {exact}: {one:?} {other:?}");
            let corners = [0; 3].map(|_| vector(&mut random, 4.0));
            let [p, q, r] = corners;
            let shares =
                (0..=8).flat_map(|i| (0..=8 - i).map(move |j| (f64::from(i) / 8.0, f64::from(j) / 8.0)));
            let points: Vec<DVec3> = shares.map(|(s, t)| p + (q - p) * s + (r - p) * t).collect();
            let flat = apart(&Hull::spine(&a), &Hull::flat(corners, 0.0));
            assert!(flat <= nearest(&points) + 1e-12, "{flat} for {}: {one:?} {corners:?}", nearest(&points));
            tight += usize::from(told > 0.0 && told > 0.9 * exact);
            around += usize::from(
                Hull::spine(&a).spine && super::around(&Hull::spine(&a), &Hull::flat(corners, 0.0)) > 0.0,
            );
        }
        assert!(tight > 200 && around > 5, "{tight} close, {around} inside");
    }

    /// Along a direction nothing of a piece is higher.
    #[test]
    fn spines_are_never_too_low() {
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..2000 {
            let (domain, over) = piece(&mut random);
            let Some(spine) = Spine::of(&domain, over, 0.0, 0.0) else { continue };
            let along = vector(&mut random, 1.0).normalize();
            let most = samples(&domain, over).iter().map(|x| x.dot(along)).fold(f64::NEG_INFINITY, f64::max);
            assert!(spine.most(along) >= most - 1e-12, "{domain:?} {over:?} along {along}");
        }
    }

    /// The points of a cone are as far from a place outside as the balls on its axis say.
    #[test]
    fn a_cone_is_told_to_rounding() {
        let surface = Surface::Cone { frame: Frame::IDENTITY, radii: [2.0; 2], slope: -2.0 / 3.0 };
        let spine = Spine::of(&Domain::of(&surface), [[0.0, 1.0], [0.0, 2.9]], 0.0, 0.0).unwrap();
        let place = DVec3::new(1.9, 1.2, 1.1);
        let out = place.truncate().length();
        let exact = (out * 3.0 + place.z * 2.0 - 6.0) / 13.0_f64.sqrt();
        let told = apart(&Hull::spine(&spine), &Hull::flat([place; 3], 0.0));
        assert!((told - exact).abs() < 1e-12, "{told} for {exact}");
    }
}
