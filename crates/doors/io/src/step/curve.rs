//! Curves.

use super::field::Fields;
use super::placement::Placer;
use super::table::Entity;
use crate::curved::loss::{Miss, Why};
use crate::curved::spline::Spline;
use crate::curved::track::Track;
use kontakt_curved::NurbsError;
use kontakt_curved::nurbs::MOST_DEGREE;
use kontakt_math::DVec3;

/// How deep curves may be made of curves.
const DEEPEST: u32 = 16;

/// Which knots a B-spline has where none are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    Uniform,
    QuasiUniform,
    Bezier,
}

impl Spacing {
    pub(super) fn of(name: &[u8]) -> Option<Spacing> {
        Some(match name {
            b"UNIFORM_CURVE" | b"UNIFORM_SURFACE" => Spacing::Uniform,
            b"QUASI_UNIFORM_CURVE" | b"QUASI_UNIFORM_SURFACE" => Spacing::QuasiUniform,
            b"BEZIER_CURVE" | b"BEZIER_SURFACE" => Spacing::Bezier,
            _ => return None,
        })
    }

    /// Knots for so many points, as the standard defines them.
    pub(super) fn knots(self, degree: usize, points: usize) -> Vec<f64> {
        let count = points + degree + 1;
        let knot = |i: usize| match self {
            Spacing::Uniform => i as f64 - degree as f64,
            Spacing::QuasiUniform => i.clamp(degree, points.max(degree)) as f64 - degree as f64,
            Spacing::Bezier => {
                let piece = i.saturating_sub(1) / degree.max(1);
                piece.min(points.saturating_sub(1) / degree.max(1)) as f64
            }
        };
        (0..count).map(knot).collect()
    }
}

/// Knots, each as often as it says.
pub(super) fn repeated(counts: &[usize], knots: &[f64], most: usize) -> Option<Vec<f64>> {
    let total = counts.iter().try_fold(0_usize, |sum, &count| sum.checked_add(count))?;
    if counts.len() != knots.len() || total > most {
        return None;
    }
    Some(knots.iter().zip(counts).flat_map(|(&knot, &count)| std::iter::repeat_n(knot, count)).collect())
}

impl Placer<'_> {
    /// A curve without its ends.
    pub(super) fn curve(self, id: u64, from: u64) -> Result<Track, Miss> {
        self.curve_within(id, from, DEEPEST)
    }

    fn curve_within(self, id: u64, from: u64, deepest: u32) -> Result<Track, Miss> {
        let deepest = deepest.checked_sub(1).ok_or(Why::Cycle.at(id))?;
        let entity = self.table.get(id, from)?;
        let track = if entity.is_complex() {
            self.complex_curve(&entity, deepest)?
        } else {
            let (name, fields) = entity.simple().ok_or(Why::NotA("a curve").at(id))?;
            self.simple_curve(name, fields, deepest)?
        };
        track.sound().map_err(|why| why.at(id))
    }

    fn simple_curve(self, name: &[u8], mut fields: Fields<'_>, deepest: u32) -> Result<Track, Miss> {
        let id = fields.id;
        fields.skip()?;
        Ok(match name {
            b"LINE" => {
                let origin = self.point(fields.reference()?, id)?;
                Track::Line { origin, direction: self.vector(fields.reference()?, id)? }
            }
            b"CIRCLE" => {
                let frame = self.frame(fields.reference()?, id)?;
                Track::Ellipse { frame, radii: [fields.number()? * self.length; 2] }
            }
            b"ELLIPSE" | b"HYPERBOLA" => {
                let frame = self.frame(fields.reference()?, id)?;
                let radii = [fields.number()? * self.length, fields.number()? * self.length];
                if name == b"ELLIPSE" {
                    Track::Ellipse { frame, radii }
                } else {
                    Track::Hyperbola { frame, radii }
                }
            }
            b"PARABOLA" => {
                let frame = self.frame(fields.reference()?, id)?;
                Track::Parabola { frame, focal: fields.number()? * self.length }
            }
            b"POLYLINE" => Track::Spline(Spline::polyline(self.points(&mut fields)?)),
            b"SURFACE_CURVE" | b"SEAM_CURVE" | b"INTERSECTION_CURVE" | b"BOUNDED_SURFACE_CURVE" => {
                self.curve_within(fields.reference()?, id, deepest)?
            }
            b"TRIMMED_CURVE" => self.trimmed(fields, deepest)?,
            b"COMPOSITE_CURVE" => self.composite(&mut fields, deepest)?,
            b"CURVE_REPLICA" => {
                let parent = self.curve_within(fields.reference()?, id, deepest)?;
                parent.moved(&self.shift(fields.reference()?, id)?)
            }
            b"B_SPLINE_CURVE_WITH_KNOTS" => {
                let (degree, points) = self.net(&mut fields)?;
                let knots = written_knots(&mut fields, degree, points.len())?;
                Track::Spline(Spline { degree, knots, points, weights: None })
            }
            _ => {
                let spacing = Spacing::of(name).ok_or(Why::Unsupported.at(id))?;
                let (degree, points) = self.net(&mut fields)?;
                let knots = spacing.knots(degree, points.len());
                Track::Spline(Spline { degree, knots, points, weights: None })
            }
        })
    }

    /// A B-spline with weights, or another curve that is several things at once.
    fn complex_curve(self, entity: &Entity<'_>, deepest: u32) -> Result<Track, Miss> {
        let id = entity.id;
        let Some(mut fields) = entity.part("B_SPLINE_CURVE") else {
            let curve = entity.part("SURFACE_CURVE").ok_or(Why::Unsupported.at(id))?.reference()?;
            return self.curve_within(curve, id, deepest);
        };
        let (degree, points) = self.net(&mut fields)?;
        let knots = if let Some(mut fields) = entity.part("B_SPLINE_CURVE_WITH_KNOTS") {
            written_knots(&mut fields, degree, points.len())?
        } else {
            let spacing = entity.parts().find_map(|(name, _)| Spacing::of(name));
            spacing.ok_or(Why::Unsupported.at(id))?.knots(degree, points.len())
        };
        let weights =
            entity.part("RATIONAL_B_SPLINE_CURVE").map(|mut fields| fields.numbers()).transpose()?;
        Ok(Track::Spline(Spline { degree, knots, points, weights }))
    }

    /// Degree and control points; what follows them up to the knots is passed over.
    fn net(self, fields: &mut Fields<'_>) -> Result<(usize, Vec<DVec3>), Miss> {
        let degree = degree(fields)?;
        let points = self.points(fields)?;
        for _ in 0..3 {
            fields.skip()?;
        }
        Ok((degree, points))
    }

    pub(super) fn points(self, fields: &mut Fields<'_>) -> Result<Vec<DVec3>, Miss> {
        let id = fields.id;
        let mut points = Vec::new();
        fields.open()?;
        while fields.more() {
            points.push(self.point(fields.reference()?, id)?);
        }
        fields.close()?;
        Ok(points)
    }

    /// A curve of one segment; several are not read.
    fn composite(self, fields: &mut Fields<'_>, deepest: u32) -> Result<Track, Miss> {
        let id = fields.id;
        let [segment] = fields.references()?[..] else { return Err(Why::Unsupported.at(id)) };
        let mut fields = self.table.fields(segment, id, "COMPOSITE_CURVE_SEGMENT")?;
        fields.skip()?;
        let agrees = fields.flag()?;
        let parent = self.curve_within(fields.reference()?, segment, deepest)?;
        Ok(if agrees { parent } else { parent.reversed() })
    }

    /// The curve that is trimmed, in the sense of the trimming; where it is cut matters for parabolas and hyperbolas only, since edges
    /// have vertices.
    fn trimmed(self, mut fields: Fields<'_>, deepest: u32) -> Result<Track, Miss> {
        let id = fields.id;
        let basis = self.curve_within(fields.reference()?, id, deepest)?;
        if !matches!(basis, Track::Parabola { .. } | Track::Hyperbola { .. }) {
            fields.skip()?;
            fields.skip()?;
            let agrees = fields.flag()?;
            return Ok(if agrees { basis } else { basis.reversed() });
        }
        let mut ends = [0.0; 2];
        for end in &mut ends {
            fields.open()?;
            let mut found = None;
            while fields.more() {
                let mut ahead = fields.clone();
                found = if let Ok(value) = ahead.number() {
                    Some(value)
                } else {
                    ahead = fields.clone();
                    basis.conic_parameter(self.point(ahead.reference()?, id)?)
                };
                fields = ahead;
            }
            fields.close()?;
            *end = found.ok_or(Why::Unbounded.at(id))?;
        }
        let agrees = fields.flag()?;
        let cut = basis.cut(ends[0].min(ends[1]), ends[0].max(ends[1])).map_err(|why| why.at(id))?;
        Ok(if agrees { cut } else { cut.reversed() })
    }
}

/// A degree that bodies take.
pub(super) fn degree(fields: &mut Fields<'_>) -> Result<usize, Miss> {
    let degree = fields.count()?;
    let right = (1..=MOST_DEGREE).contains(&degree);
    if right { Ok(degree) } else { Err(Why::Nurbs(NurbsError::Degree(degree)).at(fields.id)) }
}

/// Multiplicities and knots.
fn written_knots(fields: &mut Fields<'_>, degree: usize, points: usize) -> Result<Vec<f64>, Miss> {
    let counts = fields.counts()?;
    let knots = fields.numbers()?;
    repeated(&counts, &knots, points + degree + 1).ok_or(Why::Parameter(0).at(fields.id))
}
