//! Surfaces as files give them.

use super::loss::Why;
use super::shift::Shift;
use super::track::Track;
use kontakt_curved::{Frame, NurbsSurface, Surface};
use kontakt_math::DVec3;

/// Numbers of a B-spline surface.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) degrees: [usize; 2],
    pub(crate) knots: [Vec<f64>; 2],
    pub(crate) rows: Vec<Vec<DVec3>>,
    pub(crate) weights: Option<Vec<Vec<f64>>>,
}

/// What kind of surface; the parameters are those of [`Surface`].
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Plane(Frame),
    Sphere { frame: Frame, radius: f64 },
    Cylinder { frame: Frame, radii: [f64; 2] },
    Cone { frame: Frame, radii: [f64; 2], slope: f64 },
    Torus { frame: Frame, major: f64, minor: f64 },
    Extrusion { track: Track, direction: DVec3 },
    Revolution { track: Track, frame: Frame },
    Net(Net),
}

/// A surface, and whether its normal du × dv is opposite to that of the file's parameters.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    pub(crate) form: Form,
    pub(crate) flipped: bool,
}

impl From<Form> for Sketch {
    fn from(form: Form) -> Sketch {
        Sketch { form, flipped: false }
    }
}

impl Sketch {
    /// A cone by its radius at the origin, which may be zero, and the tangent of its half angle.
    pub(crate) fn cone(frame: Frame, radius: f64, slope: f64) -> Result<Sketch, Why> {
        if !(radius.is_finite() && slope.is_finite() && radius >= 0.0) {
            return Err(Why::Size);
        }
        if slope == 0.0 {
            return Ok(Form::Cylinder { frame, radii: [radius; 2] }.into());
        }
        if radius > 0.0 {
            return Ok(Form::Cone { frame, radii: [radius; 2], slope }.into());
        }
        // The origin is the apex: go along the axis to where the radius is 1 mm.
        let origin = frame.origin + frame.z / slope;
        let frame = Frame { origin, ..frame };
        Ok(Form::Cone { frame, radii: [1.0; 2], slope }.into())
    }

    /// The surface moved. A mirror image keeps the parameters of planes and swept surfaces; of the others v or z changes its sign.
    pub(crate) fn moved(self, shift: &Shift) -> Sketch {
        let s = shift.scale;
        let mirrors = shift.mirrors();
        let at = |frame: &Frame| shift.frame(frame);
        let (form, turns) = match self.form {
            Form::Plane(frame) => (Form::Plane(at(&frame)), false),
            Form::Sphere { frame, radius } => {
                (Form::Sphere { frame: at(&frame), radius: radius * s }, mirrors)
            }
            Form::Cylinder { frame, radii } => {
                (Form::Cylinder { frame: at(&frame), radii: radii.map(|r| r * s) }, mirrors)
            }
            Form::Cone { frame, radii, slope } => {
                let slope = if mirrors { -slope } else { slope };
                (Form::Cone { frame: at(&frame), radii: radii.map(|r| r * s), slope }, mirrors)
            }
            Form::Torus { frame, major, minor } => {
                (Form::Torus { frame: at(&frame), major: major * s, minor: minor * s }, mirrors)
            }
            Form::Extrusion { track, direction } => {
                let direction = shift.direction(direction) * s;
                (Form::Extrusion { track: track.moved(shift), direction }, false)
            }
            Form::Revolution { track, frame } => {
                (Form::Revolution { track: track.moved(shift), frame: at(&frame) }, false)
            }
            Form::Net(mut net) => {
                net.rows.iter_mut().flatten().for_each(|point| *point = shift.point(*point));
                (Form::Net(net), false)
            }
        };
        Sketch { form, flipped: self.flipped ^ turns }
    }

    /// The surface at a distance along the file's normal, where that is a surface of the same kind.
    pub(crate) fn offset(self, distance: f64) -> Result<Sketch, Why> {
        let d = if self.flipped { -distance } else { distance };
        let form = match self.form {
            Form::Plane(frame) => Form::Plane(Frame { origin: frame.origin + frame.z * d, ..frame }),
            Form::Sphere { frame, radius } => Form::Sphere { frame, radius: radius + d },
            Form::Cylinder { frame, radii } if radii[0] == radii[1] => {
                Form::Cylinder { frame, radii: radii.map(|r| r + d) }
            }
            // The normal is (cos φ, −sin φ) along the radius and the axis, slope = tan φ.
            Form::Cone { frame, radii, slope } if radii[0] == radii[1] => {
                let cos = 1.0 / slope.hypot(1.0);
                let origin = frame.origin - frame.z * (d * slope * cos);
                Form::Cone { frame: Frame { origin, ..frame }, radii: radii.map(|r| r + d * cos), slope }
            }
            Form::Torus { frame, major, minor } => Form::Torus { frame, major, minor: minor + d },
            _ => return Err(Why::Unsupported),
        };
        Ok(Sketch { form, flipped: self.flipped })
    }

    /// As the bodies keep it, its numbers checked.
    pub(crate) fn surface(self) -> Result<Surface, Why> {
        let above_zero = |sizes: &[f64]| {
            let right = sizes.iter().all(|&size| size.is_finite() && size > 0.0);
            if right { Ok(()) } else { Err(Why::Size) }
        };
        Ok(match self.form {
            Form::Plane(frame) => Surface::Plane(frame),
            Form::Sphere { frame, radius } => {
                above_zero(&[radius])?;
                Surface::Sphere { frame, radius }
            }
            Form::Cylinder { frame, radii } => {
                above_zero(&radii)?;
                Surface::Cylinder { frame, radii }
            }
            Form::Cone { frame, radii, slope } => {
                above_zero(&[radii[0], radii[1], slope.abs()])?;
                Surface::Cone { frame, radii, slope }
            }
            Form::Torus { frame, major, minor } => {
                above_zero(&[minor])?;
                if major == 0.0 {
                    return Ok(Surface::Sphere { frame, radius: minor });
                }
                above_zero(&[major])?;
                Surface::Torus { frame, major, minor }
            }
            Form::Extrusion { track, direction } => {
                above_zero(&[direction.length()])?;
                Surface::Extrusion { curve: Box::new(track.whole()?), direction }
            }
            Form::Revolution { track, frame } => {
                Surface::Revolution { curve: Box::new(track.whole()?), frame }
            }
            Form::Net(net) => {
                Surface::Nurbs(NurbsSurface::new(net.degrees, net.knots, &net.rows, net.weights.as_deref())?)
            }
        })
    }
}
