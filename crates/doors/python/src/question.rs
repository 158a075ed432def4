//! Questions about two bodies, at one pose or at many.

use crate::answer::{Contact, Distance, Distances, Impact, Relation};
use crate::body::Body;
use crate::pose::{Poses, interpolation};
use crate::workers;
use kontakt::math::{Interpolation, Motion, Pose};
use kontakt::mesh::{Limit, PlacedMesh, RelationOptions};
use kontakt::pair::{Moving, Placed, Query};
use kontakt::rigid_ccd::MotionOptions;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use rayon::prelude::*;
use std::cell::RefCell;

thread_local! {
    /// Scratch memory of single questions.
    static QUERY: RefCell<Query> = RefCell::new(Query::new());
}

/// Poses that one worker takes at a time: far poses take a fifth of a microsecond each.
const PORTION: usize = 64;

/// Asks once, with the thread's own memory.
fn once<T>(ask: impl FnOnce(&mut Query) -> T) -> T {
    QUERY.with(|query| match query.try_borrow_mut() {
        Ok(mut query) => ask(&mut query),
        Err(_) => ask(&mut Query::new()),
    })
}

/// Where the bodies of a question are: once, or row by row.
enum Asked {
    Once(Pose, Pose),
    Each(Rows),
}

/// Poses of a and of b, as many of the one as of the other where both have many.
struct Rows {
    a: Poses,
    b: Poses,
    count: usize,
}

impl Rows {
    /// The bodies' poses in a row.
    fn at(&self, row: usize) -> (Pose, Pose) {
        (self.a.at(row), self.b.at(row))
    }
}

impl Asked {
    /// Where both have many poses, there must be as many of the one as of the other.
    fn of(pose_a: Option<&Bound<'_, PyAny>>, pose_b: Option<&Bound<'_, PyAny>>) -> PyResult<Asked> {
        let (a, b) = (Poses::of(pose_a, "pose_a")?, Poses::of(pose_b, "pose")?);
        let count = match (&a, &b) {
            (Poses::One(a), Poses::One(b)) => return Ok(Asked::Once(*a, *b)),
            (Poses::One(_), Poses::Many(all)) | (Poses::Many(all), Poses::One(_)) => all.len(),
            (Poses::Many(a), Poses::Many(b)) if a.len() == b.len() => a.len(),
            (Poses::Many(a), Poses::Many(b)) => {
                let (a, b) = (a.len(), b.len());
                return Err(PyValueError::new_err(format!("pose_a has {a} poses where pose has {b}")));
            }
        };
        Ok(Asked::Each(Rows { a, b, count }))
    }

    /// Where only one place makes sense.
    fn one(pose_a: Option<&Bound<'_, PyAny>>, pose_b: Option<&Bound<'_, PyAny>>) -> PyResult<(Pose, Pose)> {
        Ok((Poses::one(pose_a, "pose_a")?, Poses::one(pose_b, "pose")?))
    }
}

/// Asks row by row, with all cores and without the interpreter's lock; answers are in the order of the rows.
fn at_each<T: Send>(
    py: Python<'_>,
    a: &Body,
    b: &Body,
    rows: &Rows,
    ask: impl Fn(&mut Query, Placed, Placed) -> T + Sync,
) -> Vec<T> {
    workers::run(py, || {
        let one = |query: &mut Query, row: usize| {
            let (of_a, of_b) = rows.at(row);
            ask(query, a.at(of_a), b.at(of_b))
        };
        (0..rows.count).into_par_iter().with_min_len(PORTION).map_init(Query::new, one).collect()
    })
}

/// Whether a and b have a common point, b at a pose: (7,) as tx ty tz qx qy qz qw, or (4, 4); none is the identity. At many poses,
/// (n, 7) or (n, 4, 4), an array of n bools. `pose_a` is where a is, once or row by row. Exact for meshes and polytopes; solids include
/// their inside. Of bodies with curved surfaces that are too near to be told apart, True.
///
/// >>> import kontakt as kt
/// >>> box = kt.convex.box([1, 1, 1])
/// >>> kt.contact(box, box, [2, 0, 0, 0, 0, 0, 1])
/// True
/// >>> kt.contact(box, box, [[2, 0, 0, 0, 0, 0, 1], [2.1, 0, 0, 0, 0, 0, 1]])
/// array([ True, False])
#[pyfunction]
#[pyo3(signature = (a, b, pose=None, *, pose_a=None))]
pub(crate) fn contact<'py>(
    py: Python<'py>,
    a: PyRef<'_, Body>,
    b: PyRef<'_, Body>,
    pose: Option<&Bound<'py, PyAny>>,
    pose_a: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    // Certified bounds of curved shapes may leave it open; what is not proven to be apart is in contact.
    let meets = |query: &mut Query, a: Placed, b: Placed| query.any_contact(a, b).unwrap_or(true);
    match Asked::of(pose_a, pose)? {
        Asked::Once(of_a, of_b) => {
            let (a, b) = (&*a, &*b);
            let met = py.detach(|| once(|query| meets(query, a.at(of_a), b.at(of_b))));
            Ok(PyBool::new(py, met).to_owned().into_any())
        }
        Asked::Each(rows) => {
            let met = at_each(py, &a, &b, &rows, meets);
            Ok(PyArray1::from_vec(py, met).into_any())
        }
    }
}

/// How far a and b are apart, b at a pose (see `contact`): a `Distance`; at many poses `Distances` with arrays.
///
/// >>> import kontakt as kt
/// >>> ball = kt.convex.sphere(1)
/// >>> d = kt.distance(ball, ball, [3, 0, 0, 0, 0, 0, 1])
/// >>> d.lo <= 1 <= d.hi, round(float(d), 9)
/// (True, 1.0)
#[pyfunction]
#[pyo3(signature = (a, b, pose=None, *, pose_a=None))]
pub(crate) fn distance<'py>(
    py: Python<'py>,
    a: PyRef<'_, Body>,
    b: PyRef<'_, Body>,
    pose: Option<&Bound<'py, PyAny>>,
    pose_a: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let apart = |query: &mut Query, a: Placed, b: Placed| query.distance(a, b);
    match Asked::of(pose_a, pose)? {
        Asked::Once(of_a, of_b) => {
            let (a, b) = (&*a, &*b);
            let found = py.detach(|| once(|query| apart(query, a.at(of_a), b.at(of_b))));
            Ok(Bound::new(py, Distance::from(&found))?.into_any())
        }
        Asked::Each(rows) => {
            let found = at_each(py, &a, &b, &rows, apart);
            Ok(Bound::new(py, Distances::of(py, &found))?.into_any())
        }
    }
}

/// Whether a and b come closer than `limit` (or as close), b at a pose (see `contact`): True or False where that is proven, else None;
/// at many poses an int8 array of 1, 0 and -1.
///
/// >>> import kontakt as kt
/// >>> box = kt.convex.box([1, 1, 1])
/// >>> kt.within(box, box, 0.5, [[2.4, 0, 0, 0, 0, 0, 1], [2.6, 0, 0, 0, 0, 0, 1]])
/// array([1, 0], dtype=int8)
#[pyfunction]
#[pyo3(signature = (a, b, limit, pose=None, *, pose_a=None))]
pub(crate) fn within<'py>(
    py: Python<'py>,
    a: PyRef<'_, Body>,
    b: PyRef<'_, Body>,
    limit: f64,
    pose: Option<&Bound<'py, PyAny>>,
    pose_a: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if !(limit >= 0.0 && limit.is_finite()) {
        return Err(PyValueError::new_err(format!("limit is {limit}, not a length")));
    }
    let near = |query: &mut Query, a: Placed, b: Placed| query.within(a, b, Limit::AtMost(limit));
    match Asked::of(pose_a, pose)? {
        Asked::Once(of_a, of_b) => {
            let (a, b) = (&*a, &*b);
            let found = py.detach(|| once(|query| near(query, a.at(of_a), b.at(of_b))));
            Ok(found.into_pyobject(py)?)
        }
        Asked::Each(rows) => {
            let told = |query: &mut Query, a: Placed, b: Placed| near(query, a, b).map_or(-1, i8::from);
            let found = at_each(py, &a, &b, &rows, told);
            Ok(PyArray1::from_vec(py, found).into_any())
        }
    }
}

/// How a and b lie to each other, b at a pose. Gaps and interferences up to `touch_tolerance` count as touching.
///
/// >>> import kontakt as kt
/// >>> box = kt.convex.box([1, 1, 1])
/// >>> str(kt.relation(box, box, [2, 0, 0, 0, 0, 0, 1]))
/// 'touching'
#[pyfunction]
#[pyo3(signature = (a, b, pose=None, *, pose_a=None, touch_tolerance=0.0))]
pub(crate) fn relation(
    py: Python<'_>,
    a: PyRef<'_, Body>,
    b: PyRef<'_, Body>,
    pose: Option<&Bound<'_, PyAny>>,
    pose_a: Option<&Bound<'_, PyAny>>,
    touch_tolerance: f64,
) -> PyResult<Relation> {
    let (of_a, of_b) = Asked::one(pose_a, pose)?;
    if !(touch_tolerance >= 0.0 && touch_tolerance.is_finite()) {
        return Err(PyValueError::new_err(format!("touch_tolerance is {touch_tolerance}, not a length")));
    }
    let options = RelationOptions { touch_tolerance, ..RelationOptions::default() };
    let (a, b) = (&*a, &*b);
    let found = workers::run(py, || once(|query| query.relation(a.at(of_a), b.at(of_b), &options)));
    Ok(found.into())
}

/// All pairs of triangles with a common point, b at a pose: (k, 2) uint32, sorted. For meshes and sharp polytopes.
#[pyfunction]
#[pyo3(signature = (a, b, pose=None, *, pose_a=None))]
pub(crate) fn pairs<'py>(
    py: Python<'py>,
    a: PyRef<'_, Body>,
    b: PyRef<'_, Body>,
    pose: Option<&Bound<'py, PyAny>>,
    pose_a: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let (of_a, of_b) = Asked::one(pose_a, pose)?;
    let (a, b) = (&*a, &*b);
    let surface = |body: &Body, which: &str| {
        if body.geometry.surface().is_some() {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("{which} is a curved shape, it has no triangles")))
    };
    surface(a, "a")?;
    surface(b, "b")?;
    let found: Vec<u32> = workers::run(py, || {
        let mut query = kontakt::mesh::MeshQuery::default();
        match (a.geometry.surface(), b.geometry.surface()) {
            (Some(on_a), Some(on_b)) => {
                let placed = PlacedMesh::new(on_b, b.pose(of_b));
                let found = query.all_pairs(PlacedMesh::new(on_a, a.pose(of_a)), placed);
                found.iter().flat_map(|pair| [pair.a, pair.b]).collect()
            }
            _ => Vec::new(),
        }
    });
    PyArray1::from_slice(py, &found).reshape([found.len() / 2, 2])
}

/// Where a and b meet, or, where one of them is convex, come as near as `gap`: a list of `Contact`.
///
/// >>> import kontakt as kt
/// >>> box = kt.convex.box([1, 1, 1])
/// >>> len(kt.contacts(box, box, [0, 0, 1.75, 0, 0, 0, 1]))
/// 4
#[pyfunction]
#[pyo3(signature = (a, b, pose=None, *, pose_a=None, gap=0.0))]
pub(crate) fn contacts(
    py: Python<'_>,
    a: PyRef<'_, Body>,
    b: PyRef<'_, Body>,
    pose: Option<&Bound<'_, PyAny>>,
    pose_a: Option<&Bound<'_, PyAny>>,
    gap: f64,
) -> PyResult<Vec<Contact>> {
    let (of_a, of_b) = Asked::one(pose_a, pose)?;
    if !(gap >= 0.0 && gap.is_finite()) {
        return Err(PyValueError::new_err(format!("gap is {gap}, not a length")));
    }
    let (a, b) = (&*a, &*b);
    let found = workers::run(py, || once(|query| query.contacts(a.at(of_a), b.at(of_b), gap)));
    Ok(found.into_iter().map(Contact).collect())
}

/// When a and b, each moving from a start to an end pose over t in [0, 1], first meet; never late. A missing end is the start.
/// `interpolate` is slerp, nlerp or screw; slerp and nlerp turn about `pivot`, given in the body.
///
/// >>> import kontakt as kt
/// >>> box = kt.convex.box([1, 1, 1])
/// >>> hit = kt.impact(box, box, start_b=[4, 0, 0, 0, 0, 0, 1], end_b=[0, 0, 0, 0, 0, 0, 1])
/// >>> hit.verdict, hit.t_lo <= 0.5 <= hit.t_hi
/// ('contact', True)
#[pyfunction]
#[pyo3(signature = (a, b, *, start_a=None, end_a=None, start_b=None, end_b=None, tolerance=1e-6, interpolate="slerp", pivot=None))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python call")]
pub(crate) fn impact(
    py: Python<'_>,
    a: PyRef<'_, Body>,
    b: PyRef<'_, Body>,
    start_a: Option<&Bound<'_, PyAny>>,
    end_a: Option<&Bound<'_, PyAny>>,
    start_b: Option<&Bound<'_, PyAny>>,
    end_b: Option<&Bound<'_, PyAny>>,
    tolerance: f64,
    interpolate: &str,
    pivot: Option<&Bound<'_, PyAny>>,
) -> PyResult<Impact> {
    let how = interpolation(interpolate, pivot)?;
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(PyValueError::new_err(format!("tolerance is {tolerance}, not a time above 0")));
    }
    let motion =
        |body: &Body, start: Option<&Bound<'_, PyAny>>, end: Option<&Bound<'_, PyAny>>, which: &str| {
            let from = body.pose(Poses::one(start, &format!("start_{which}"))?);
            let Some(end) = end else { return Ok(Motion::Rest(from)) };
            let to = body.pose(Poses::one(Some(end), &format!("end_{which}"))?);
            match how {
                Interpolation::Slerp { pivot } => Motion::slerp(from, to, pivot),
                Interpolation::Nlerp { pivot } => Motion::nlerp(from, to, pivot),
                Interpolation::Screw => Ok(Motion::screw(from, to)),
            }
            .map_err(|error| PyValueError::new_err(format!("motion of {which}: {error}")))
        };
    let motions = [motion(&a, start_a, end_a, "a")?, motion(&b, start_b, end_b, "b")?];
    let options = MotionOptions { tolerance, ..MotionOptions::default() };
    let (a, b) = (&a.geometry, &b.geometry);
    let found = workers::run(py, || {
        let moving = [Moving::new(a, &motions[0]), Moving::new(b, &motions[1])];
        once(|query| query.first_contact(moving[0], moving[1], &options))
    });
    Ok(Impact::from(found))
}

/// A text that could not be made.
pub(crate) fn unwritten(error: &serde_json::Error) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
