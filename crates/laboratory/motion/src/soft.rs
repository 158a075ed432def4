//! A moving vertex and face, or two moving edges: approximate methods of the theses, kept for comparison. They work in plain doubles, know no error bounds and
//! miss contacts; nothing in the product relies on them.
//!
//! On straight paths interpolated positions are the positions, so the exact and the interpolated inside test of the VR thesis
//! are one. Formulas are the corrected ones: the unnormalised volume, which is continuous, and signs with zero included.

mod cubic;
mod inside;
mod search;

use kontakt_math::DVec3;
use kontakt_soft_ccd::{Kind, Query};

/// Places of the thesis's polyline in `Method::Sampling`.
const SAMPLES: usize = 5;

/// A way to guess the time of contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Bisection of the volume after lowering the end of time in tenths until signs differ: finds one root only.
    Bisection,
    /// All roots of the cubic by Cardano's formula.
    Cardano,
    /// Linear interpolation of the volume between start and end.
    Linear,
    /// Regula falsi (Illinois) between start and end.
    RegulaFalsi,
    /// Parabola through start, middle and end.
    Quadratic,
    /// Linear interpolation between samples.
    Sampling,
    /// Regula falsi between samples.
    SamplingRegulaFalsi,
    /// Fahn and Wang's t₁t₂/(t₁+t₂) of the times with either body held; vertex–face only.
    FahnWang,
    /// Times of the vertex's line through the first and the last plane of the face, interpolated; vertex–face only.
    PlaneTime,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 9] = [
        Method::Bisection,
        Method::Cardano,
        Method::Linear,
        Method::RegulaFalsi,
        Method::Quadratic,
        Method::Sampling,
        Method::SamplingRegulaFalsi,
        Method::FahnWang,
        Method::PlaneTime,
    ];

    /// As typed.
    pub fn name(self) -> &'static str {
        match self {
            Method::Bisection => "bisection",
            Method::Cardano => "cardano",
            Method::Linear => "linear",
            Method::RegulaFalsi => "regula-falsi",
            Method::Quadratic => "quadratic",
            Method::Sampling => "sampling",
            Method::SamplingRegulaFalsi => "sampling-regula-falsi",
            Method::FahnWang => "fahn-wang",
            Method::PlaneTime => "plane-time",
        }
    }
}

/// A guess of the time of contact, `None` for a guess that there is none. **No proof either way.**
pub fn contact_time(query: &Query, method: Method) -> Option<f64> {
    let motion = Motion::new(query);
    match method {
        Method::Bisection => motion.first_inside(search::bisection(&motion)),
        Method::Cardano => motion.first_inside(cubic::roots(motion.cubic())),
        Method::Linear => motion.first_inside(search::linear(&motion, 0.0, 1.0)),
        Method::RegulaFalsi => motion.first_inside(search::regula_falsi(&motion, 0.0, 1.0)),
        Method::Quadratic => motion.first_inside(search::quadratic(&motion)),
        Method::Sampling => motion.first_inside(steps().filter_map(|(a, b)| search::linear(&motion, a, b))),
        Method::SamplingRegulaFalsi => {
            motion.first_inside(steps().filter_map(|(a, b)| search::regula_falsi(&motion, a, b)))
        }
        Method::FahnWang => motion.first_inside(motion.fahn_wang()),
        Method::PlaneTime => motion.first_inside(motion.plane_time()),
    }
}

/// Pieces of time between samples.
fn steps() -> impl Iterator<Item = (f64, f64)> {
    let n = (SAMPLES - 1) as f64;
    (0..SAMPLES - 1).map(move |i| (i as f64 / n, (i + 1) as f64 / n))
}

/// Four points in motion, in doubles.
struct Motion {
    kind: Kind,
    start: [DVec3; 4],
    end: [DVec3; 4],
}

impl Motion {
    fn new(query: &Query) -> Motion {
        Motion { kind: query.kind(), start: query.start(), end: query.end() }
    }

    fn at(&self, t: f64) -> [DVec3; 4] {
        [0, 1, 2, 3].map(|i| self.start[i] + (self.end[i] - self.start[i]) * t)
    }

    /// The volume of the four points at t.
    fn volume(&self, t: f64) -> f64 {
        volume(self.at(t))
    }

    /// The volume's coefficients, lowest power first.
    fn cubic(&self) -> [f64; 4] {
        let [a, b, c] = [1, 2, 3].map(|i| self.start[i] - self.start[0]);
        let [u, v, w] = [1, 2, 3].map(|i| (self.end[i] - self.end[0]) - (self.start[i] - self.start[0]));
        let det = |x: DVec3, y: DVec3, z: DVec3| x.dot(y.cross(z));
        [
            det(a, b, c),
            det(u, b, c) + det(a, v, c) + det(a, b, w),
            det(a, v, w) + det(u, b, w) + det(u, v, c),
            det(u, v, w),
        ]
    }

    /// The first of some times in [0, 1] at which the inside test holds.
    fn first_inside(&self, times: impl IntoIterator<Item = f64>) -> Option<f64> {
        let inside = |t: &f64| (0.0..=1.0).contains(t) && inside::is_inside(self.kind, self.at(*t));
        times.into_iter().find(inside)
    }

    /// Time of the first root with the face moving and the vertex held, and with the vertex moving and the face held, weighed.
    fn fahn_wang(&self) -> Option<f64> {
        if self.kind == Kind::EdgeEdge {
            return None;
        }
        let mut held = Motion { end: self.end, ..*self };
        held.end[0] = held.start[0];
        let first = cubic::roots(held.cubic()).into_iter().find(|t| *t >= 0.0)?;
        let second = crossing(self.start, self.start[0], self.end[0])?;
        let t = first * second / (first + second);
        t.is_finite().then_some(t)
    }

    /// (2.3) of the thesis with its sign mended: t = y/(y − x + 1) for crossings y of the first and x of the last plane.
    fn plane_time(&self) -> Option<f64> {
        if self.kind == Kind::EdgeEdge {
            return None;
        }
        let [first, last] = [self.start, self.end].map(|face| crossing(face, self.start[0], self.end[0]));
        let (y, x) = (first?, last?);
        let t = y / (y - x + 1.0);
        t.is_finite().then_some(t)
    }
}

fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a))
}

/// Parameter at which the line from p to q crosses the plane of the face.
fn crossing([_, a, b, c]: [DVec3; 4], p: DVec3, q: DVec3) -> Option<f64> {
    let normal = (b - a).cross(c - a);
    let t = normal.dot(a - p) / normal.dot(q - p);
    t.is_finite().then_some(t)
}
