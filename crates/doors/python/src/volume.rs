//! Bounding volumes of points, and contacts of a deforming mesh.

use crate::array;
use crate::body::rows;
use crate::question::unwritten;
use crate::workers;
use kontakt::bounds::{BoxMethod, FitRequest, Objective, Parameter, VolumeKind};
use kontakt::math::DVec3;
use kontakt::soft_ccd::Kind;
use kontakt::soft_ccd::mesh::{Counts, MeshContact, Options, Search, Step, Surface};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A fit as the JSON of `kontakt bound`.
#[pyfunction]
pub(crate) fn bound_json(
    py: Python<'_>,
    points: &Bound<'_, PyAny>,
    volume: &str,
    objective: &str,
    method: Option<&str>,
    gap: Option<f64>,
    time_limit: f64,
) -> PyResult<String> {
    let points = array::points(points, "points")?;
    let names = |all: Vec<&str>| all.join(", ");
    let kind = VolumeKind::all().iter().find(|kind| kind.name == volume).ok_or_else(|| {
        let known = names(VolumeKind::all().iter().map(|kind| kind.name).collect());
        PyValueError::new_err(format!("volume is {volume:?}; known: {known}"))
    })?;
    let objective = match objective {
        "volume" => Objective::Volume,
        "surface" => Objective::Surface,
        "diameter" => Objective::Diameter,
        other => {
            let known = "volume, surface, diameter";
            return Err(PyValueError::new_err(format!("objective is {other:?}; known: {known}")));
        }
    };
    if method.is_some() && volume != "obb" {
        return Err(PyValueError::new_err(format!("method belongs to the volume obb, not to {volume}")));
    }
    let method = method.map_or(Ok(BoxMethod::default()), |name| {
        BoxMethod::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let known = names(BoxMethod::ALL.into_iter().map(BoxMethod::name).collect());
            PyValueError::new_err(format!("method is {name:?}; known: {known}"))
        })
    })?;
    let time_limit = Duration::try_from_secs_f64(time_limit)
        .map_err(|_| PyValueError::new_err(format!("time_limit is {time_limit}, no time in seconds")))?;
    let request = FitRequest { objective, method, gap, time_limit: Some(time_limit) };
    request.suits(kind).map_err(PyValueError::new_err)?;
    let fitted = workers::run(py, || {
        let fitted = request.fit(kind, &points, &[])?;
        request.certified(fitted, &points)
    });
    let fitted = fitted.map_err(|error| PyValueError::new_err(format!("points: {error}")))?;
    let parameters: Map<String, Value> =
        fitted.volume.parameters().iter().map(|(name, value)| ((*name).to_owned(), told(value))).collect();
    let measure = fitted.volume.measure();
    let json = json!({
        "volume": kind.name,
        "points": points.len(),
        "parameters": parameters,
        "measure": { "volume": measure.volume, "surface": measure.surface, "diameter": measure.diameter },
        "method": fitted.method,
        "gap": fitted.gap.ok(),
        "gap_reason": fitted.gap.err(),
    });
    serde_json::to_string(&json).map_err(|error| unwritten(&error))
}

fn told(value: &Parameter) -> Value {
    match value {
        Parameter::Number(number) => json!(number),
        Parameter::Numbers(numbers) => json!(numbers),
        Parameter::Vector(vector) => json!(vector.to_array()),
        Parameter::Vectors(vectors) => vectors.iter().map(|vector| json!(vector.to_array())).collect(),
        Parameter::Faces(faces) => json!(faces),
    }
}

/// The contacts of one step of a deforming mesh, one row a pair: the earliest times `t_lo`, `t_hi` (certified), `point_a`, `point_b`,
/// `normal` (rounded), `weights` (n, 4) and `vertices` (n, 4). Where `is_edge_edge`, the vertices are two edges, else a vertex and a face.
#[pyclass(frozen, get_all, module = "kontakt")]
pub(crate) struct StepContacts {
    /// Whether two edges meet, (n,); else a vertex and a face.
    is_edge_edge: Py<PyArray1<bool>>,
    /// A vertex and those of a face, or those of two edges, (n, 4).
    vertices: Py<PyArray2<u32>>,
    /// Free before, (n,).
    t_lo: Py<PyArray1<f64>>,
    /// In contact by then, (n,).
    t_hi: Py<PyArray1<f64>>,
    /// Of the vertices at the points of contact, (n, 4).
    weights: Py<PyArray2<f64>>,
    /// The points on the first of both, (n, 3).
    point_a: Py<PyArray2<f64>>,
    /// The points on the second, (n, 3).
    point_b: Py<PyArray2<f64>>,
    /// The unit normals, (n, 3).
    normal: Py<PyArray2<f64>>,
    /// Pairs that were looked at: vertex–face, edge–edge.
    candidates: (u64, u64),
}

#[pymethods]
impl StepContacts {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "what a pickle has")]
    fn new(
        is_edge_edge: Py<PyArray1<bool>>,
        vertices: Py<PyArray2<u32>>,
        t_lo: Py<PyArray1<f64>>,
        t_hi: Py<PyArray1<f64>>,
        weights: Py<PyArray2<f64>>,
        point_a: Py<PyArray2<f64>>,
        point_b: Py<PyArray2<f64>>,
        normal: Py<PyArray2<f64>>,
        candidates: (u64, u64),
    ) -> StepContacts {
        StepContacts { is_edge_edge, vertices, t_lo, t_hi, weights, point_a, point_b, normal, candidates }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows = |array: &Py<PyArray2<f64>>| array.clone_ref(py);
        let (start, end) = (self.t_lo.clone_ref(py), self.t_hi.clone_ref(py));
        let (kinds, vertices) = (self.is_edge_edge.clone_ref(py), self.vertices.clone_ref(py));
        let (a, b) = (rows(&self.point_a), rows(&self.point_b));
        (kinds, vertices, start, end, rows(&self.weights), a, b, rows(&self.normal), self.candidates)
            .into_pyobject(py)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.t_lo.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("StepContacts({} pairs)", self.t_lo.bind(py).len()?))
    }
}

/// All pairs of a vertex and a face, or of two edges, of one mesh that meet while its vertices go straight from x0 to x1 over t in [0, 1],
/// or come within `separation`: decided exactly, none is missed. x0, x1 (n, 3), faces (m, 3).
///
/// >>> import kontakt as kt
/// >>> x0 = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [9, 9, 1], [9, 8, 1]]
/// >>> x1 = x0[:3] + [[0.2, 0.2, -1]] + x0[4:]
/// >>> hits = kt.ccd(x0, x1, [[0, 1, 2], [3, 4, 5]])
/// >>> hits.vertices[0], bool(hits.t_lo[0] <= 0.5 <= hits.t_hi[0])
/// (array([3, 0, 1, 2], dtype=uint32), True)
#[pyfunction]
#[pyo3(signature = (x0, x1, faces, *, separation=0.0))]
pub(crate) fn ccd(
    py: Python<'_>,
    x0: &Bound<'_, PyAny>,
    x1: &Bound<'_, PyAny>,
    faces: &Bound<'_, PyAny>,
    separation: f64,
) -> PyResult<StepContacts> {
    let (start, end) = (array::points(x0, "x0")?, array::points(x1, "x1")?);
    if start.len() != end.len() {
        return Err(PyValueError::new_err(format!("x1 has {} rows where x0 has {}", end.len(), start.len())));
    }
    let triangles = array::triangles(faces, start.len())?;
    if !(separation >= 0.0 && separation.is_finite()) {
        return Err(PyValueError::new_err(format!("separation is {separation}, not a length")));
    }
    let found = workers::run(py, || {
        let surface = Surface::new(start.len(), triangles).map_err(|error| format!("faces: {error}"))?;
        let step = Step::new(&surface, &start, &end).map_err(|error| error.to_string())?;
        let options = Options { separation, ..Options::default() };
        let found = Search::new(&step, &options).contacts();
        let vertices: Vec<[u32; 4]> = found.contacts.iter().map(|one| corners(&surface, one)).collect();
        Ok::<_, String>((found.contacts, found.counts, vertices))
    });
    let (contacts, counts, vertices) = found.map_err(PyValueError::new_err)?;
    StepContacts::of(py, &contacts, &counts, &vertices)
}

impl StepContacts {
    fn of(
        py: Python<'_>,
        all: &[MeshContact],
        counts: &Counts,
        vertices: &[[u32; 4]],
    ) -> PyResult<StepContacts> {
        let points = |of: fn(&MeshContact) -> DVec3| {
            let points: Vec<[f64; 3]> = all.iter().map(|one| of(one).to_array()).collect();
            rows(py, &points).unbind()
        };
        let weights: Vec<f64> = all.iter().flat_map(|one| one.weights).collect();
        Ok(StepContacts {
            is_edge_edge: PyArray1::from_iter(py, all.iter().map(|one| one.kind == Kind::EdgeEdge)).unbind(),
            vertices: PyArray1::from_slice(py, vertices.as_flattened())
                .reshape([vertices.len(), 4])?
                .unbind(),
            t_lo: PyArray1::from_iter(py, all.iter().map(|one| one.time.lo())).unbind(),
            t_hi: PyArray1::from_iter(py, all.iter().map(|one| one.time.hi())).unbind(),
            weights: PyArray1::from_vec(py, weights).reshape([all.len(), 4])?.unbind(),
            point_a: points(|one| one.points[0]),
            point_b: points(|one| one.points[1]),
            normal: points(|one| one.normal),
            candidates: (counts.vertex_face_candidates, counts.edge_edge_candidates),
        })
    }
}

/// A vertex and those of a face, or those of two edges.
fn corners(surface: &Surface, contact: &MeshContact) -> [u32; 4] {
    let (a, b) = (contact.a as usize, contact.b as usize);
    match contact.kind {
        Kind::VertexFace => {
            let [x, y, z] = surface.triangles().get(b).copied().unwrap_or_default();
            [contact.a, x, y, z]
        }
        Kind::EdgeEdge => {
            let edge = |at: usize| surface.edges().get(at).copied().unwrap_or_default();
            let ([p, q], [r, s]) = (edge(a), edge(b));
            [p, q, r, s]
        }
    }
}
