//! A surface in space.

use crate::curve::Curve;
use crate::frame::Frame;
use crate::nurbs::NurbsSurface;
use kontakt_math::{DMat3, DVec3};
use std::f64::consts::TAU;

pub use crate::jet::SurfaceJet;

/// A surface with its parameters, as STEP defines them.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// `origin + u · x + v · y`.
    Plane(Frame),
    /// `origin + r cos v (cos u · x + sin u · y) + r sin v · z`.
    Sphere {
        /// Centre and axes.
        frame: Frame,
        /// Above zero.
        radius: f64,
    },
    /// `origin + a cos u · x + b sin u · y + v · z`; elliptic where the radii differ.
    Cylinder {
        /// A place on the axis, which is z.
        frame: Frame,
        /// Half axes along x and y, above zero.
        radii: [f64; 2],
    },
    /// `origin + (1 + v s) (a cos u · x + b sin u · y) + v · z` with s = slope / a: both nappes, the apex where the bracket is zero.
    Cone {
        /// A place on the axis, which is z.
        frame: Frame,
        /// Half axes at v = 0 along x and y, above zero.
        radii: [f64; 2],
        /// By how much the radius along x grows per unit of z: the tangent of the half angle. Not zero.
        slope: f64,
    },
    /// `origin + (R + r cos v)(cos u · x + sin u · y) + r sin v · z`; R may be less than r.
    Torus {
        /// Centre and axes.
        frame: Frame,
        /// Radius R of the circle of centres, above zero.
        major: f64,
        /// Radius r of the tube, above zero.
        minor: f64,
    },
    /// `curve(u) + v · direction`.
    Extrusion {
        /// What is swept.
        curve: Box<Curve>,
        /// Way per unit of v, not zero.
        direction: DVec3,
    },
    /// `curve(v)` turned about z of the frame by u.
    Revolution {
        /// What is turned.
        curve: Box<Curve>,
        /// Only origin and z matter.
        frame: Frame,
    },
    /// A rational B-spline.
    Nurbs(NurbsSurface),
}

impl Surface {
    /// The point at parameters.
    pub fn point(&self, u: f64, v: f64) -> DVec3 {
        self.jet(u, v).point
    }

    /// The point at parameters, with derivatives.
    pub fn jet(&self, u: f64, v: f64) -> SurfaceJet {
        match self {
            Surface::Plane(frame) => SurfaceJet {
                point: frame.point(u, v, 0.0),
                du: frame.x,
                dv: frame.y,
                duu: DVec3::ZERO,
                duv: DVec3::ZERO,
                dvv: DVec3::ZERO,
            },
            Surface::Sphere { frame, radius } => torus_jet(frame, 0.0, *radius, u, v),
            Surface::Torus { frame, major, minor } => torus_jet(frame, *major, *minor, u, v),
            Surface::Cylinder { frame, radii } => cone_jet(frame, *radii, 0.0, u, v),
            Surface::Cone { frame, radii, slope } => cone_jet(frame, *radii, slope / radii[0], u, v),
            Surface::Extrusion { curve, direction } => {
                let jet = curve.jet(u);
                SurfaceJet {
                    point: jet.point + *direction * v,
                    du: jet.d1,
                    dv: *direction,
                    duu: jet.d2,
                    duv: DVec3::ZERO,
                    dvv: DVec3::ZERO,
                }
            }
            Surface::Revolution { curve, frame } => {
                let jet = curve.jet(v);
                let turn = DMat3::from_axis_angle(frame.z, u);
                let out = turn * (jet.point - frame.origin);
                let (d1, d2) = (turn * jet.d1, turn * jet.d2);
                let square = |x: DVec3| x - frame.z * x.dot(frame.z);
                SurfaceJet {
                    point: frame.origin + out,
                    du: frame.z.cross(out),
                    dv: d1,
                    duu: -square(out),
                    duv: frame.z.cross(d1),
                    dvv: d2,
                }
            }
            Surface::Nurbs(surface) => surface.jet(u, v),
        }
    }

    /// After which the surface repeats itself along u and v. A B-spline that closes on itself has none: see
    /// [`NurbsSurface::domain`].
    pub fn periods(&self) -> [Option<f64>; 2] {
        match self {
            Surface::Plane(_) | Surface::Nurbs(_) => [None, None],
            Surface::Sphere { .. } | Surface::Cylinder { .. } | Surface::Cone { .. } => [Some(TAU), None],
            Surface::Torus { .. } => [Some(TAU), Some(TAU)],
            Surface::Extrusion { curve, .. } => [curve.period(), None],
            Surface::Revolution { curve, .. } => [Some(TAU), curve.period()],
        }
    }

    /// As reports call it.
    pub fn kind(&self) -> &'static str {
        match self {
            Surface::Plane(_) => "plane",
            Surface::Sphere { .. } => "sphere",
            Surface::Cylinder { .. } => "cylinder",
            Surface::Cone { .. } => "cone",
            Surface::Torus { .. } => "torus",
            Surface::Extrusion { .. } => "extrusion",
            Surface::Revolution { .. } => "revolution",
            Surface::Nurbs(_) => "B-spline",
        }
    }
}

fn torus_jet(frame: &Frame, major: f64, minor: f64, u: f64, v: f64) -> SurfaceJet {
    let ((sin_u, cos_u), (sin_v, cos_v)) = (u.sin_cos(), v.sin_cos());
    let out = frame.x * cos_u + frame.y * sin_u;
    let round = frame.y * cos_u - frame.x * sin_u;
    let reach = major + minor * cos_v;
    SurfaceJet {
        point: frame.origin + out * reach + frame.z * (minor * sin_v),
        du: round * reach,
        dv: frame.z * (minor * cos_v) - out * (minor * sin_v),
        duu: out * -reach,
        duv: round * (-minor * sin_v),
        dvv: out * (-minor * cos_v) - frame.z * (minor * sin_v),
    }
}

fn cone_jet(frame: &Frame, [a, b]: [f64; 2], growth: f64, u: f64, v: f64) -> SurfaceJet {
    let (sin, cos) = u.sin_cos();
    let out = frame.x * (a * cos) + frame.y * (b * sin);
    let along = frame.y * (b * cos) - frame.x * (a * sin);
    let scale = 1.0 + v * growth;
    SurfaceJet {
        point: frame.origin + out * scale + frame.z * v,
        du: along * scale,
        dv: out * growth + frame.z,
        duu: out * -scale,
        duv: along * growth,
        dvv: DVec3::ZERO,
    }
}
