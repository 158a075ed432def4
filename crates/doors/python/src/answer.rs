//! What questions give back.

use crate::body::triple;
use kontakt::answers::{self, Feature, Initial, OverlapKind, Side};
use kontakt::math::DVec3;
use kontakt::pair::{PairRelation, Proximity};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::borrow::Cow;

/// Certified bounds of a number: lo <= exact value <= hi. `float(range)` is the upper end.
#[pyclass(frozen, eq, module = "kontakt", from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Range {
    /// Never more than the exact value.
    #[pyo3(get)]
    lo: f64,
    /// Never less than the exact value.
    #[pyo3(get)]
    hi: f64,
}

impl From<answers::Range> for Range {
    fn from(range: answers::Range) -> Range {
        Range { lo: range.lo(), hi: range.hi() }
    }
}

#[pymethods]
impl Range {
    #[new]
    fn new(lo: f64, hi: f64) -> PyResult<Range> {
        let checked = answers::Range::new(lo, hi);
        checked.map(Range::from).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __float__(&self) -> f64 {
        self.hi
    }

    fn __repr__(&self) -> String {
        format!("Range({:?}, {:?})", self.lo, self.hi)
    }

    fn __hash__(&self) -> u64 {
        // Both zeros are equal and need one hash.
        (self.lo + 0.0).to_bits() ^ (self.hi + 0.0).to_bits().rotate_left(1)
    }

    fn __getnewargs__(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }
}

/// How far two bodies are apart: certified `lo` and `hi` (0 in contact), nearest points in world coordinates (rounded), and the faces
/// they are on (None of a convex shape). `float(d)` is the upper end.
#[pyclass(frozen, eq, module = "kontakt")]
#[derive(PartialEq)]
pub(crate) struct Distance {
    /// Never more than the distance.
    #[pyo3(get)]
    lo: f64,
    /// Never less than the distance.
    #[pyo3(get)]
    hi: f64,
    points: [DVec3; 2],
    /// The face of a that its nearest point is on.
    #[pyo3(get)]
    face_a: Option<u32>,
    /// The face of b that its nearest point is on.
    #[pyo3(get)]
    face_b: Option<u32>,
}

impl From<&Proximity> for Distance {
    fn from(found: &Proximity) -> Distance {
        Distance {
            lo: found.range.lo(),
            hi: found.range.hi(),
            points: [found.point_a, found.point_b],
            face_a: face(found.feature_a),
            face_b: face(found.feature_b),
        }
    }
}

#[pymethods]
impl Distance {
    #[new]
    fn new(
        lo: f64,
        hi: f64,
        point_a: [f64; 3],
        point_b: [f64; 3],
        face_a: Option<u32>,
        face_b: Option<u32>,
    ) -> Distance {
        Distance { lo, hi, points: [point_a, point_b].map(DVec3::from_array), face_a, face_b }
    }

    /// The nearest point on a, (3,).
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        triple(py, self.points[0])
    }

    /// The nearest point on b, (3,).
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        triple(py, self.points[1])
    }

    fn __float__(&self) -> f64 {
        self.hi
    }

    fn __repr__(&self) -> String {
        format!("Distance(lo={:?}, hi={:?})", self.lo, self.hi)
    }

    fn __getnewargs__(&self) -> (f64, f64, [f64; 3], [f64; 3], Option<u32>, Option<u32>) {
        let [a, b] = self.points.map(|point| point.to_array());
        (self.lo, self.hi, a, b, self.face_a, self.face_b)
    }
}

/// The distances of a batch, one row a pose, `distances[3]` being a `Distance`: `lo`, `hi` (n,), `point_a`, `point_b` (n, 3), `face_a`, `face_b` (n,), -1 of a convex shape.
#[pyclass(frozen, get_all, module = "kontakt")]
pub(crate) struct Distances {
    /// Never more than the distances, (n,).
    lo: Py<PyArray1<f64>>,
    /// Never less than the distances, (n,).
    hi: Py<PyArray1<f64>>,
    /// The nearest points on a, (n, 3).
    point_a: Py<PyArray2<f64>>,
    /// The nearest points on b, (n, 3).
    point_b: Py<PyArray2<f64>>,
    /// The faces of a they are on, (n,); -1 of a convex shape.
    face_a: Py<PyArray1<i64>>,
    /// The faces of b they are on, (n,); -1 of a convex shape.
    face_b: Py<PyArray1<i64>>,
    /// How many there are.
    count: usize,
}

impl Distances {
    pub(crate) fn of(py: Python<'_>, found: &[Proximity]) -> Distances {
        let ends = |end: fn(&answers::Range) -> f64| {
            PyArray1::from_iter(py, found.iter().map(|one| end(&one.range))).unbind()
        };
        let points = |of: fn(&Proximity) -> DVec3| {
            let all: Vec<[f64; 3]> = found.iter().map(|one| of(one).to_array()).collect();
            crate::body::rows(py, &all).unbind()
        };
        let faces = |of: fn(&Proximity) -> Option<Feature>| {
            PyArray1::from_iter(py, found.iter().map(|one| face(of(one)).map_or(-1, i64::from))).unbind()
        };
        Distances {
            lo: ends(answers::Range::lo),
            hi: ends(answers::Range::hi),
            point_a: points(|one| one.point_a),
            point_b: points(|one| one.point_b),
            face_a: faces(|one| one.feature_a),
            face_b: faces(|one| one.feature_b),
            count: found.len(),
        }
    }
}

#[pymethods]
impl Distances {
    #[new]
    fn new(
        py: Python<'_>,
        lo: Py<PyArray1<f64>>,
        hi: Py<PyArray1<f64>>,
        point_a: Py<PyArray2<f64>>,
        point_b: Py<PyArray2<f64>>,
        face_a: Py<PyArray1<i64>>,
        face_b: Py<PyArray1<i64>>,
    ) -> PyResult<Distances> {
        let count = lo.bind(py).len()?;
        Ok(Distances { lo, hi, point_a, point_b, face_a, face_b, count })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let one = |array: &Py<PyArray1<f64>>| array.clone_ref(py);
        let faces = |array: &Py<PyArray1<i64>>| array.clone_ref(py);
        let points = |array: &Py<PyArray2<f64>>| array.clone_ref(py);
        let (a, b) = (points(&self.point_a), points(&self.point_b));
        (one(&self.lo), one(&self.hi), a, b, faces(&self.face_a), faces(&self.face_b)).into_pyobject(py)
    }

    /// One row as a `Distance`; negative ones count from the end.
    fn __getitem__(&self, py: Python<'_>, row: isize) -> PyResult<Distance> {
        let count = self.count;
        let at = if row < 0 { count.checked_add_signed(row) } else { Some(row.unsigned_abs()) };
        let at = at.filter(|at| *at < count);
        let at = at.ok_or_else(|| PyIndexError::new_err(format!("row {row} of {count} distances")))?;
        let number =
            |array: &Py<PyArray1<f64>>| array.bind(py).readonly().get(at).copied().unwrap_or(f64::NAN);
        let point = |array: &Py<PyArray2<f64>>| {
            let array = array.bind(py).readonly();
            DVec3::from_array([0, 1, 2].map(|axis| array.get([at, axis]).copied().unwrap_or(f64::NAN)))
        };
        let face = |array: &Py<PyArray1<i64>>| {
            array.bind(py).readonly().get(at).and_then(|face| u32::try_from(*face).ok())
        };
        Ok(Distance {
            lo: number(&self.lo),
            hi: number(&self.hi),
            points: [point(&self.point_a), point(&self.point_b)],
            face_a: face(&self.face_a),
            face_b: face(&self.face_b),
        })
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("Distances({} poses)", self.count)
    }
}

/// How two bodies lie to each other: `name` is separate, touching, overlapping, contained, duplicate or undecided.
#[pyclass(frozen, get_all, eq, module = "kontakt")]
#[derive(PartialEq)]
pub(crate) struct Relation {
    /// The class.
    name: Cow<'static, str>,
    /// Of overlapping bodies: protruding or piercing, where known.
    kind: Option<Cow<'static, str>>,
    /// Of contained bodies: "a" or "b", the one inside.
    inner: Option<Cow<'static, str>>,
    /// Of separate bodies.
    distance: Option<Range>,
    /// Of overlapping solids: the least translation that frees them.
    depth: Option<Range>,
    /// Of undecided ones: the signed distance.
    bounds: Option<Range>,
}

impl From<PairRelation> for Relation {
    fn from(found: PairRelation) -> Relation {
        let blank = |name: &'static str| Relation {
            name: name.into(),
            kind: None,
            inner: None,
            distance: None,
            depth: found.depth.map(|depth| depth.range.into()),
            bounds: None,
        };
        match found.relation {
            answers::Relation::Separate { distance } => {
                Relation { distance: Some(distance.into()), ..blank("separate") }
            }
            answers::Relation::Touching => blank("touching"),
            answers::Relation::Overlapping { kind, depth } => {
                let kind = kind.map(|kind| match kind {
                    OverlapKind::Protruding => "protruding".into(),
                    OverlapKind::Piercing => "piercing".into(),
                });
                let told = blank("overlapping");
                Relation { kind, depth: told.depth.or(depth.map(Range::from)), ..told }
            }
            answers::Relation::Contained { inner } => {
                let inner = match inner {
                    Side::A => "a".into(),
                    Side::B => "b".into(),
                };
                Relation { inner: Some(inner), ..blank("contained") }
            }
            answers::Relation::Duplicate => blank("duplicate"),
            answers::Relation::Undecided { bounds } => {
                Relation { bounds: Some(bounds.into()), ..blank("undecided") }
            }
        }
    }
}

#[pymethods]
impl Relation {
    #[new]
    #[pyo3(signature = (name, kind=None, inner=None, distance=None, depth=None, bounds=None))]
    fn new(
        name: String,
        kind: Option<String>,
        inner: Option<String>,
        distance: Option<Range>,
        depth: Option<Range>,
        bounds: Option<Range>,
    ) -> Relation {
        Relation {
            name: name.into(),
            kind: kind.map(Cow::from),
            inner: inner.map(Cow::from),
            distance,
            depth,
            bounds,
        }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (kind, inner) = (self.kind.as_deref(), self.inner.as_deref());
        (&*self.name, kind, inner, self.distance, self.depth, self.bounds).into_pyobject(py)
    }

    fn __str__(&self) -> &str {
        &self.name
    }

    fn __repr__(&self) -> String {
        let number = |key: &str, range: &Option<Range>| {
            range.map_or_else(String::new, |range| format!(", {key}=[{:?}, {:?}]", range.lo, range.hi))
        };
        let word =
            |key: &str, word: Option<&str>| word.map_or_else(String::new, |word| format!(", {key}={word}"));
        format!(
            "Relation({}{}{}{}{}{})",
            self.name,
            word("kind", self.kind.as_deref()),
            word("inner", self.inner.as_deref()),
            number("distance", &self.distance),
            number("depth", &self.depth),
            number("bounds", &self.bounds)
        )
    }
}

/// One point where two bodies meet, in world coordinates; the normal points from a to b. Features are ("face", 3), ("edge", 1, 2),
/// ("vertex", 5) or None.
#[pyclass(frozen, eq, module = "kontakt", from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Contact(pub(crate) answers::Contact);

/// What it takes to make a contact again.
type ContactParts<'py> =
    ([f64; 3], [f64; 3], [f64; 3], (f64, f64), Option<Bound<'py, PyTuple>>, Option<Bound<'py, PyTuple>>);

#[pymethods]
impl Contact {
    #[new]
    #[pyo3(signature = (point_a, point_b, normal, depth, feature_a=None, feature_b=None))]
    fn new(
        point_a: [f64; 3],
        point_b: [f64; 3],
        normal: [f64; 3],
        depth: (f64, f64),
        feature_a: Option<&Bound<'_, PyTuple>>,
        feature_b: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<Contact> {
        let [point_a, point_b, normal] = [point_a, point_b, normal].map(DVec3::from_array);
        let depth = answers::Range::new(depth.0, depth.1);
        let depth = depth.map_err(|error| PyValueError::new_err(format!("depth: {error}")))?;
        let (feature_a, feature_b) = (feature_a.map(named).transpose()?, feature_b.map(named).transpose()?);
        Ok(Contact(answers::Contact { point_a, point_b, normal, depth, feature_a, feature_b }))
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<ContactParts<'py>> {
        let answers::Contact { point_a, point_b, normal, depth, feature_a, feature_b } = self.0;
        let [a, b, normal] = [point_a, point_b, normal].map(|point| point.to_array());
        Ok((a, b, normal, (depth.lo(), depth.hi()), feature(py, feature_a)?, feature(py, feature_b)?))
    }

    /// The point on a, (3,).
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        triple(py, self.0.point_a)
    }

    /// The point on b, (3,).
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        triple(py, self.0.point_b)
    }

    /// The unit normal from a to b, (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        triple(py, self.0.normal)
    }

    /// Certified depth along the normal; negative is a gap.
    #[getter]
    fn depth(&self) -> Range {
        self.0.depth.into()
    }

    /// What meets on a.
    #[getter]
    fn feature_a<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        feature(py, self.0.feature_a)
    }

    /// What meets on b.
    #[getter]
    fn feature_b<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        feature(py, self.0.feature_b)
    }

    fn __repr__(&self) -> String {
        let (at, depth) = (self.0.point_a, self.0.depth);
        format!(
            "Contact(point_a=[{:?}, {:?}, {:?}], depth=[{:?}, {:?}])",
            at.x,
            at.y,
            at.z,
            depth.lo(),
            depth.hi()
        )
    }
}

/// When two moving bodies first meet, never late: before `t_lo` the motion is proven free. `verdict` is free, contact or undecided.
#[pyclass(frozen, get_all, eq, module = "kontakt")]
#[derive(PartialEq)]
pub(crate) struct Impact {
    /// "free", "contact" or "undecided".
    verdict: Cow<'static, str>,
    /// How the motion starts: "separate", "touching", "overlapping", or None where that is not known.
    initial: Option<Cow<'static, str>>,
    /// Proven free before this time; 1 for a free motion.
    t_lo: f64,
    /// Contact is proven by this time; None where there is none, or none is proven.
    t_hi: Option<f64>,
    /// Where they first meet, or None.
    contact: Option<Contact>,
}

impl From<answers::Impact> for Impact {
    fn from(found: answers::Impact) -> Impact {
        let start = |initial: Initial| match initial {
            Initial::Separate => "separate".into(),
            Initial::Touching => "touching".into(),
            Initial::Overlapping => "overlapping".into(),
        };
        let t_lo = found.free_until();
        let (verdict, initial, t_hi, contact) = match found {
            answers::Impact::Free { initial } => ("free", Some(initial), None, None),
            answers::Impact::Contact { initial, time, contact } => {
                ("contact", Some(initial), Some(time.hi()), contact.map(Contact))
            }
            answers::Impact::Undecided { initial, .. } => ("undecided", initial, None, None),
        };
        Impact { verdict: verdict.into(), initial: initial.map(start), t_lo, t_hi, contact }
    }
}

#[pymethods]
impl Impact {
    #[new]
    #[pyo3(signature = (verdict, initial, t_lo, t_hi=None, contact=None))]
    fn new(
        verdict: String,
        initial: Option<String>,
        t_lo: f64,
        t_hi: Option<f64>,
        contact: Option<Contact>,
    ) -> Impact {
        Impact { verdict: verdict.into(), initial: initial.map(Cow::from), t_lo, t_hi, contact }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (&*self.verdict, self.initial.as_deref(), self.t_lo, self.t_hi, self.contact).into_pyobject(py)
    }

    /// Where they first meet on a, (3,), or None.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.contact.map(|contact| triple(py, contact.0.point_a))
    }

    /// The unit normal from a to b there, (3,), or None.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.contact.map(|contact| triple(py, contact.0.normal))
    }

    /// What meets there on a and on b, or None.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(Contact(contact)) = self.contact else { return Ok(None) };
        (feature(py, contact.feature_a)?, feature(py, contact.feature_b)?).into_pyobject(py).map(Some)
    }

    fn __repr__(&self) -> String {
        let hi = self.t_hi.map_or_else(String::new, |hi| format!(", t_hi={hi:?}"));
        format!("Impact({}, t_lo={:?}{hi})", self.verdict, self.t_lo)
    }
}

fn face(feature: Option<Feature>) -> Option<u32> {
    match feature {
        Some(Feature::Face(face)) => Some(face),
        _ => None,
    }
}

/// A feature as a tuple of its kind and its numbers.
pub(crate) fn feature(py: Python<'_>, feature: Option<Feature>) -> PyResult<Option<Bound<'_, PyTuple>>> {
    feature
        .map(|feature| match feature {
            Feature::Face(face) => ("face", face).into_pyobject(py),
            Feature::Vertex(vertex) => ("vertex", vertex).into_pyobject(py),
            Feature::Edge(a, b) => ("edge", a, b).into_pyobject(py),
        })
        .transpose()
}

/// A feature from what [`feature`] makes of one.
fn named(told: &Bound<'_, PyTuple>) -> PyResult<Feature> {
    let number = |at: usize| told.get_item(at)?.extract::<u32>();
    match (told.get_item(0)?.extract::<String>()?.as_str(), told.len()) {
        ("face", 2) => Ok(Feature::Face(number(1)?)),
        ("vertex", 2) => Ok(Feature::Vertex(number(1)?)),
        ("edge", 3) => Ok(Feature::Edge(number(1)?, number(2)?)),
        _ => Err(PyValueError::new_err(format!("{told} is no feature"))),
    }
}
