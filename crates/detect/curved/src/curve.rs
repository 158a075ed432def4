//! A curve in space.

use crate::frame::Frame;
use crate::nurbs::NurbsCurve;
use kontakt_math::DVec3;

pub use crate::jet::CurveJet;

/// A curve with its parameter, as STEP defines them.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// `origin + t · direction`; the direction has any length but zero.
    Line {
        /// At t = 0.
        origin: DVec3,
        /// Way per unit of t.
        direction: DVec3,
    },
    /// `origin + a cos t · x + b sin t · y`, of period 2π; a circle where the radii are equal.
    Ellipse {
        /// Centre and axes.
        frame: Frame,
        /// Half of its axes, above zero.
        radii: [f64; 2],
    },
    /// A rational B-spline.
    Nurbs(NurbsCurve),
}

impl Curve {
    /// The point at a parameter.
    pub fn point(&self, t: f64) -> DVec3 {
        self.jet(t).point
    }

    /// The point at a parameter, with derivatives.
    pub fn jet(&self, t: f64) -> CurveJet {
        match self {
            Curve::Line { origin, direction } => {
                CurveJet { point: *origin + *direction * t, d1: *direction, d2: DVec3::ZERO }
            }
            Curve::Ellipse { frame, radii: [a, b] } => {
                let (sin, cos) = t.sin_cos();
                let out = frame.x * (a * cos) + frame.y * (b * sin);
                let along = frame.y * (b * cos) - frame.x * (a * sin);
                CurveJet { point: frame.origin + out, d1: along, d2: -out }
            }
            Curve::Nurbs(curve) => curve.jet(t),
        }
    }

    /// After which the curve repeats itself.
    pub fn period(&self) -> Option<f64> {
        match self {
            Curve::Ellipse { .. } => Some(std::f64::consts::TAU),
            Curve::Line { .. } | Curve::Nurbs(_) => None,
        }
    }

    /// Where the parameter may be.
    pub fn domain(&self) -> [f64; 2] {
        match self {
            Curve::Line { .. } | Curve::Ellipse { .. } => [f64::NEG_INFINITY, f64::INFINITY],
            Curve::Nurbs(curve) => curve.domain(),
        }
    }
}
