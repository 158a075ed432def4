//! Curves, surfaces and transforms.

use super::record::{Records, Token, Words};
use crate::curved::loss::{Miss, Why};
use crate::curved::shift::Shift;
use crate::curved::sketch::{Form, Net, Sketch};
use crate::curved::spline::Spline;
use crate::curved::track::Track;
use kontakt_curved::nurbs::MOST_DEGREE;
use kontakt_curved::{Frame, NurbsError};
use kontakt_math::{DMat3, DVec3};

/// Reads geometry in the units of a file.
#[derive(Clone, Copy)]
pub(super) struct Geometry<'a> {
    pub(super) records: &'a Records<'a>,
    /// Millimetres per unit.
    pub(super) length: f64,
}

impl Geometry<'_> {
    fn place(self, words: &mut Words<'_>) -> Result<DVec3, Miss> {
        let place = DVec3::from_array(words.triple()?) * self.length;
        if place.is_finite() { Ok(place) } else { Err(Why::NotFinite.at(words.id)) }
    }

    /// A `point`.
    pub(super) fn point(self, id: u64, from: u64) -> Result<DVec3, Miss> {
        let mut words = self.records.words(id, from, "point")?;
        self.place(&mut words)
    }

    pub(super) fn curve(self, id: u64, from: u64) -> Result<Track, Miss> {
        let (name, mut words) = self.records.get(id, from)?;
        let track = match name {
            b"straight-curve" => {
                let origin = self.place(&mut words)?;
                Track::Line { origin, direction: self.place(&mut words)? }
            }
            b"ellipse-curve" => {
                let origin = self.place(&mut words)?;
                let normal = DVec3::from_array(words.triple()?);
                let major = self.place(&mut words)?;
                let ratio = words.number()?;
                let frame =
                    Frame::new(origin, normal, Some(major)).map_err(|error| Why::Frame(error).at(id))?;
                Track::Ellipse { frame, radii: [major.length(), major.length() * ratio] }
            }
            b"intcurve-curve" => {
                let forward = words.sense()?;
                let spline = Track::Spline(self.spline(&mut words)?);
                if forward { spline } else { spline.reversed() }
            }
            _ => return Err(Why::Unsupported.at(id)),
        };
        track.sound().map_err(|why| why.at(id))
    }

    /// The B-spline that an interpolated curve begins with. It is the curve (`exactcur`), or what the kernel computed for it.
    fn spline(self, words: &mut Words<'_>) -> Result<Spline, Miss> {
        let rational = spline_head(words)?;
        let degree = degree(words)?;
        let closure = words.word()?;
        let distinct = words.count()?;
        let (knots, points) = knots(words, degree, distinct, closure)?;
        let (mut places, mut weights) = (Vec::new(), Vec::new());
        for _ in 0..points {
            places.push(self.place(words)?);
            if rational {
                weights.push(words.number()?);
            }
        }
        Ok(Spline { degree, knots, points: places, weights: rational.then_some(weights) })
    }

    pub(super) fn surface(self, id: u64, from: u64) -> Result<Sketch, Miss> {
        let (name, mut words) = self.records.get(id, from)?;
        let framed = |origin, axis, reference| {
            Frame::new(origin, axis, Some(reference)).map_err(|error| Why::Frame(error).at(id))
        };
        Ok(match name {
            b"plane-surface" => {
                let origin = self.place(&mut words)?;
                let (normal, u) = (DVec3::from_array(words.triple()?), DVec3::from_array(words.triple()?));
                Form::Plane(framed(origin, normal, u)?).into()
            }
            b"sphere-surface" => {
                let origin = self.place(&mut words)?;
                let radius = words.number()? * self.length;
                let (u, pole) = (DVec3::from_array(words.triple()?), DVec3::from_array(words.triple()?));
                // A negative radius is a hollow: its normal points to the centre.
                let form = Form::Sphere { frame: framed(origin, pole, u)?, radius: radius.abs() };
                Sketch { form, flipped: radius < 0.0 }
            }
            b"cone-surface" => self.cone(&mut words)?,
            b"torus-surface" => {
                let origin = self.place(&mut words)?;
                let axis = DVec3::from_array(words.triple()?);
                let (major, minor) = (words.number()? * self.length, words.number()? * self.length);
                let u = DVec3::from_array(words.triple()?);
                // A negative minor radius is a hollow; a negative major one the inner, lemon-shaped part, where du × dv points in.
                let form =
                    Form::Torus { frame: framed(origin, axis, u)?, major: major.abs(), minor: minor.abs() };
                Sketch { form, flipped: (minor < 0.0) ^ (major < 0.0) }
            }
            b"spline-surface" => {
                let forward = words.sense()?;
                Sketch { form: Form::Net(self.net(&mut words)?), flipped: !forward }
            }
            _ => return Err(Why::Unsupported.at(id)),
        })
    }

    /// Cones and cylinders: the radius grows by the sine and the height by the cosine of the half angle; where the cosine is negative
    /// the normal points in.
    fn cone(self, words: &mut Words<'_>) -> Result<Sketch, Miss> {
        let id = words.id;
        let origin = self.place(words)?;
        let axis = DVec3::from_array(words.triple()?);
        let major = self.place(words)?;
        let ratio = words.number()?;
        words.skip_bound();
        words.skip_bound();
        let (sine, cosine) = (words.number()?, words.number()?);
        let frame = Frame::new(origin, axis, Some(major)).map_err(|error| Why::Frame(error).at(id))?;
        let radii = [major.length(), major.length() * ratio];
        let slope = sine / cosine;
        if !slope.is_finite() {
            return Err(Why::Size.at(id));
        }
        let form =
            if slope == 0.0 { Form::Cylinder { frame, radii } } else { Form::Cone { frame, radii, slope } };
        Ok(Sketch { form, flipped: cosine < 0.0 })
    }

    /// The net of an exact spline surface; those that are made by a rule are not read.
    fn net(self, words: &mut Words<'_>) -> Result<Net, Miss> {
        let id = words.id;
        let mut ahead = words.clone();
        ahead.skip_if(|token| token == Token::Open);
        if ahead.word()? != b"exactsur" {
            return Err(Why::Unsupported.at(id));
        }
        let rational = spline_head(words)?;
        let degrees = [degree(words)?, degree(words)?];
        if rational {
            // Along which parameters there are weights; they are written in any case.
            words.skip_if(|token| matches!(token, Token::Word(b"both" | b"u" | b"v" | b"neither")));
        }
        let closures = [words.word()?, words.word()?];
        words.word()?;
        words.word()?;
        let distinct = [words.count()?, words.count()?];
        let (u, rows) = knots(words, degrees[0], distinct[0], closures[0])?;
        let (v, across) = knots(words, degrees[1], distinct[1], closures[1])?;
        let mut points = vec![Vec::new(); rows];
        let mut weights = vec![Vec::new(); if rational { rows } else { 0 }];
        for _ in 0..across {
            for i in 0..rows {
                points[i].push(self.place(words)?);
                if rational {
                    weights[i].push(words.number()?);
                }
            }
        }
        Ok(Net { degrees, knots: [u, v], rows: points, weights: rational.then_some(weights) })
    }

    /// A `transform`: rows of a matrix that points are multiplied with from the left, a translation, a scale.
    pub(super) fn shift(self, id: u64, from: u64) -> Result<Shift, Miss> {
        let mut words = self.records.words(id, from, "transform")?;
        let rows = [words.triple()?, words.triple()?, words.triple()?].map(DVec3::from_array);
        let translation = self.place(&mut words)?;
        let scale = words.number()?;
        let turn = DMat3::from_cols(rows[0], rows[1], rows[2]);
        let shift = Shift { turn, scale, translation };
        let skew = (turn * turn.transpose() - DMat3::IDENTITY).to_cols_array();
        let square = skew.iter().all(|value| value.abs() < 1e-6);
        if square && shift.is_finite() { Ok(shift) } else { Err(Why::Size.at(id)) }
    }
}

/// `{ exactcur full nurbs`: whether it has weights. Other kinds of subtypes begin with something else.
fn spline_head(words: &mut Words<'_>) -> Result<bool, Miss> {
    let id = words.id;
    if words.next() != Some(Token::Open) {
        return Err(Why::Unsupported.at(id));
    }
    words.word()?;
    words.skip_if(|token| token == Token::Word(b"full"));
    match words.next() {
        Some(Token::Word(b"nubs")) => Ok(false),
        Some(Token::Word(b"nurbs")) => Ok(true),
        _ => Err(Why::Unsupported.at(id)),
    }
}

fn degree(words: &mut Words<'_>) -> Result<usize, Miss> {
    let degree = words.count()?;
    let right = (1..=MOST_DEGREE).contains(&degree);
    if right { Ok(degree) } else { Err(Why::Nurbs(NurbsError::Degree(degree)).at(words.id)) }
}

/// Knots with their repetitions, and the number of control points. At both ends ACIS writes a knot once less than is needed.
fn knots(
    words: &mut Words<'_>,
    degree: usize,
    distinct: usize,
    closure: &[u8],
) -> Result<(Vec<f64>, usize), Miss> {
    let mut knots = Vec::new();
    let (mut first, mut last) = (0, 0);
    for i in 0..distinct {
        let knot = words.number()?;
        let count = words.count()?;
        if count > MOST_DEGREE + 1 {
            return Err(Why::Parameter(0).at(words.id));
        }
        first = if i == 0 { count } else { first };
        last = count;
        knots.extend(std::iter::repeat_n(knot, count));
    }
    let clamped = first == degree && last == degree;
    if !clamped {
        // Periodic ones may share knots over the seam; how is not in the public description.
        return Err(if closure == b"periodic" { Why::Unsupported } else { Why::Parameter(0) }.at(words.id));
    }
    let (&low, &high) = knots.first().zip(knots.last()).ok_or(Why::Parameter(0).at(words.id))?;
    knots.insert(0, low);
    knots.push(high);
    let points = knots.len() - degree - 1;
    Ok((knots, points))
}
