//! A curve in space.

use crate::frame::Frame;
use crate::jet::CurveJet;
use crate::nurbs::NurbsCurve;
use kontakt_math::DVec3;

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

    /// Whether it ends where it begins, to a billionth of its size, without a period.
    pub fn closes(&self) -> bool {
        self.seam().is_some()
    }

    /// **Never less** than the distance of its end from its begin, where it closes without a period.
    pub(crate) fn seam(&self) -> Option<f64> {
        let Curve::Nurbs(curve) = self else { return None };
        let [from, to] = curve.domain();
        let size = curve.points().iter().fold(0.0, |size: f64, x| size.max(x.abs().max_element()));
        let (low, high) = curve
            .points()
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
        let (gap, extent) = ((self.point(from) - self.point(to)).length(), (high - low).length());
        (gap <= 1e-9 * extent).then_some(gap + 1e-14 * (extent + size))
    }

    /// The unit normal of a plane that it lies in, and **never less** than how far it leaves that; zero for a line, which is in many, and for
    /// what is in none.
    pub(crate) fn plane(&self) -> (DVec3, f64) {
        match self {
            Curve::Line { .. } => (DVec3::ZERO, 0.0),
            Curve::Ellipse { frame, .. } => (frame.z, 0.0),
            Curve::Nurbs(curve) => plane_of(curve.points()).unwrap_or((DVec3::ZERO, 0.0)),
        }
    }
}

/// The plane of points, and how far they leave it: what is a mean of them leaves it by no more.
fn plane_of(points: &[DVec3]) -> Option<(DVec3, f64)> {
    let first = *points.first()?;
    let far = |from: DVec3| {
        points.iter().copied().max_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)))
    };
    let along = far(first)? - first;
    let aside = |x: DVec3| along.cross(x - first);
    let widest = points
        .iter()
        .copied()
        .max_by(|a, b| aside(*a).length_squared().total_cmp(&aside(*b).length_squared()))?;
    let normal = aside(widest).try_normalize()?;
    let off = points.iter().map(|x| (*x - first).dot(normal).abs()).fold(0.0, f64::max);
    let size = along.length();
    (off <= 1e-9 * size).then_some((normal, 2.0 * off + 1e-15 * size))
}
