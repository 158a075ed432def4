//! Surfaces.

use super::curve::{Spacing, degree, repeated};
use super::field::Fields;
use super::placement::Placer;
use super::table::Entity;
use crate::curved::loss::{Miss, Why};
use crate::curved::sketch::{Form, Net, Sketch};
use kontakt_math::DVec3;

/// How deep surfaces may be made of surfaces.
const DEEPEST: u32 = 16;

/// Reads surfaces of one representation, in its units.
#[derive(Clone, Copy)]
pub(super) struct Surfacer<'a> {
    pub(super) placer: Placer<'a>,
    /// Radians per unit of angle.
    pub(super) angle: f64,
}

impl Surfacer<'_> {
    pub(super) fn surface(self, id: u64, from: u64) -> Result<Sketch, Miss> {
        self.within(id, from, DEEPEST)
    }

    fn within(self, id: u64, from: u64, deepest: u32) -> Result<Sketch, Miss> {
        let deepest = deepest.checked_sub(1).ok_or(Why::Cycle.at(id))?;
        let entity = self.placer.table.get(id, from)?;
        if entity.is_complex() {
            return self.complex(&entity).map(|net| Form::Net(net).into());
        }
        let (name, fields) = entity.simple().ok_or(Why::NotA("a surface").at(id))?;
        self.simple(name, fields, deepest)
    }

    fn simple(self, name: &[u8], mut fields: Fields<'_>, deepest: u32) -> Result<Sketch, Miss> {
        let Placer { length, .. } = self.placer;
        let id = fields.id;
        fields.skip()?;
        let form = match name {
            b"PLANE" => Form::Plane(self.placer.frame(fields.reference()?, id)?),
            b"CYLINDRICAL_SURFACE" => {
                let frame = self.placer.frame(fields.reference()?, id)?;
                Form::Cylinder { frame, radii: [fields.number()? * length; 2] }
            }
            b"CONICAL_SURFACE" => {
                let frame = self.placer.frame(fields.reference()?, id)?;
                let (radius, angle) = (fields.number()? * length, fields.number()? * self.angle);
                let slope = if angle.abs() < std::f64::consts::FRAC_PI_2 { angle.tan() } else { f64::NAN };
                return Sketch::cone(frame, radius, slope).map_err(|why| why.at(id));
            }
            b"SPHERICAL_SURFACE" => {
                let frame = self.placer.frame(fields.reference()?, id)?;
                Form::Sphere { frame, radius: fields.number()? * length }
            }
            b"TOROIDAL_SURFACE" | b"DEGENERATE_TOROIDAL_SURFACE" => {
                let frame = self.placer.frame(fields.reference()?, id)?;
                Form::Torus { frame, major: fields.number()? * length, minor: fields.number()? * length }
            }
            b"SURFACE_OF_LINEAR_EXTRUSION" => {
                let track = self.placer.curve(fields.reference()?, id)?;
                Form::Extrusion { track, direction: self.placer.vector(fields.reference()?, id)? }
            }
            b"SURFACE_OF_REVOLUTION" => {
                let track = self.placer.curve(fields.reference()?, id)?;
                Form::Revolution { track, frame: self.placer.axis(fields.reference()?, id)? }
            }
            b"RECTANGULAR_TRIMMED_SURFACE" => {
                let basis = self.within(fields.reference()?, id, deepest)?;
                for _ in 0..4 {
                    fields.skip()?;
                }
                let turned = fields.flag()? != fields.flag()?;
                return Ok(Sketch { flipped: basis.flipped ^ turned, ..basis });
            }
            b"CURVE_BOUNDED_SURFACE" => return self.within(fields.reference()?, id, deepest),
            b"OFFSET_SURFACE" => {
                let basis = self.within(fields.reference()?, id, deepest)?;
                return basis.offset(fields.number()? * length).map_err(|why| why.at(id));
            }
            b"SURFACE_REPLICA" => {
                let parent = self.within(fields.reference()?, id, deepest)?;
                return Ok(parent.moved(&self.placer.shift(fields.reference()?, id)?));
            }
            b"B_SPLINE_SURFACE_WITH_KNOTS" => {
                let (degrees, rows) = self.net(&mut fields)?;
                let knots = written_knots(&mut fields, degrees, &rows)?;
                Form::Net(Net { degrees, knots, rows, weights: None })
            }
            _ => {
                let spacing = Spacing::of(name).ok_or(Why::Unsupported.at(id))?;
                let (degrees, rows) = self.net(&mut fields)?;
                Form::Net(Net { degrees, knots: spaced(spacing, degrees, &rows), rows, weights: None })
            }
        };
        Ok(form.into())
    }

    fn complex(self, entity: &Entity<'_>) -> Result<Net, Miss> {
        let id = entity.id;
        let mut fields = entity.part("B_SPLINE_SURFACE").ok_or(Why::Unsupported.at(id))?;
        let (degrees, rows) = self.net(&mut fields)?;
        let knots = if let Some(mut fields) = entity.part("B_SPLINE_SURFACE_WITH_KNOTS") {
            written_knots(&mut fields, degrees, &rows)?
        } else {
            let spacing = entity.parts().find_map(|(name, _)| Spacing::of(name));
            spaced(spacing.ok_or(Why::Unsupported.at(id))?, degrees, &rows)
        };
        let weights = entity.part("RATIONAL_B_SPLINE_SURFACE").map(rows_of_weights).transpose()?;
        Ok(Net { degrees, knots, rows, weights })
    }

    /// Degrees and control points; what follows them up to the knots is passed over.
    fn net(self, fields: &mut Fields<'_>) -> Result<([usize; 2], Vec<Vec<DVec3>>), Miss> {
        let degrees = [degree(fields)?, degree(fields)?];
        let mut rows = Vec::new();
        fields.open()?;
        while fields.more() {
            rows.push(self.placer.points(fields)?);
        }
        fields.close()?;
        for _ in 0..4 {
            fields.skip()?;
        }
        Ok((degrees, rows))
    }
}

fn rows_of_weights(mut fields: Fields<'_>) -> Result<Vec<Vec<f64>>, Miss> {
    let mut rows = Vec::new();
    fields.open()?;
    while fields.more() {
        rows.push(fields.numbers()?);
    }
    fields.close()?;
    Ok(rows)
}

fn sizes(rows: &[Vec<DVec3>]) -> [usize; 2] {
    [rows.len(), rows.first().map_or(0, Vec::len)]
}

fn spaced(spacing: Spacing, degrees: [usize; 2], rows: &[Vec<DVec3>]) -> [Vec<f64>; 2] {
    let sizes = sizes(rows);
    [0, 1].map(|i| spacing.knots(degrees[i], sizes[i]))
}

fn written_knots(
    fields: &mut Fields<'_>,
    degrees: [usize; 2],
    rows: &[Vec<DVec3>],
) -> Result<[Vec<f64>; 2], Miss> {
    let counts = [fields.counts()?, fields.counts()?];
    let knots = [fields.numbers()?, fields.numbers()?];
    let sizes = sizes(rows);
    let all = |i: usize| {
        let all = repeated(&counts[i], &knots[i], sizes[i] + degrees[i] + 1);
        all.ok_or(Why::Parameter(0).at(fields.id))
    };
    Ok([all(0)?, all(1)?])
}
