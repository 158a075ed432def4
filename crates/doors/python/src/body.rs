//! Bodies: meshes, those with curved faces, and convex shapes.

use crate::array;
use crate::workers;
use kontakt::math::{DVec3, Pose};
use kontakt::pair::Placed;
use kontakt::scene::Precision;
use kontakt::{mesh, pair, shapes};
use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// What questions are asked about: a `Mesh`, a `CurvedBody` of a CAD file, or a convex shape of `kontakt.convex`. It never changes, so
/// threads may share it.
#[pyclass(frozen, subclass, module = "kontakt")]
pub(crate) struct Body {
    pub(crate) geometry: pair::Body,
    pub(crate) name: Option<String>,
    /// How much of the name is that of its file.
    pub(crate) file: usize,
    /// Where its file puts it; poses that are asked about come on top of it.
    pub(crate) place: Option<Pose>,
    /// How many faces of its file come before its own.
    pub(crate) faces_before: usize,
    /// In which numbers its file has it.
    pub(crate) precision: Precision,
}

impl Body {
    /// A body that is in no file.
    pub(crate) fn made(body: pair::Body, name: Option<String>) -> Body {
        let file = name.as_ref().map_or(0, String::len);
        Body { geometry: body, name, file, place: None, faces_before: 0, precision: Precision::Double }
    }

    /// A mesh with its hierarchy.
    pub(crate) fn of_faces(faces: shapes::FaceSet, name: Option<String>) -> Result<Body, String> {
        let made = mesh::Mesh::new(faces).map_err(|error| error.to_string())?;
        Ok(Body::made(pair::Body::mesh(made), name))
    }

    /// Where it is when it is moved by a pose.
    pub(crate) fn pose(&self, moved: Pose) -> Pose {
        // A mesh is where it is given: no bit changes on the way.
        self.place.as_ref().map_or(moved, |place| moved.then_from(place))
    }

    /// What is asked about when it is moved by a pose.
    pub(crate) fn at(&self, moved: Pose) -> Placed<'_> {
        Placed::new(&self.geometry, self.pose(moved))
    }

    /// As Python sees it: the class of its family.
    pub(crate) fn into_python(self, py: Python<'_>) -> PyResult<Py<Body>> {
        let curved = matches!(self.geometry, pair::Body::Curved(_));
        let base = PyClassInitializer::from(self);
        let made = if curved {
            Bound::new(py, base.add_subclass(CurvedBody))?.into_super()
        } else {
            Bound::new(py, base.add_subclass(Mesh))?.into_super()
        };
        Ok(made.unbind())
    }
}

#[pymethods]
impl Body {
    /// Its name, or None.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Where its file puts it, (7,) as tx ty tz qx qy qz qw. Poses given to questions come on top of it.
    #[getter(pose)]
    fn place<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        seven(&self.place.unwrap_or(Pose::IDENTITY)).to_pyarray(py)
    }
}

/// A pose as seven numbers.
pub(crate) fn seven(pose: &Pose) -> [f64; 7] {
    let (t, q) = (pose.translation(), pose.given_rotation());
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w]
}

/// A mesh with its hierarchy, ready for every question.
///
/// Mesh(vertices, faces, name=None): vertices (n, 3), faces (m, 3); or Mesh(other) of anything with `.vertices` and `.faces`, as
/// trimesh's. Closed meshes are solids: what lies inside them is in contact with them.
///
/// >>> import kontakt as kt
/// >>> kt.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
/// Mesh(4 vertices, 4 faces, closed)
#[pyclass(frozen, extends = Body, module = "kontakt")]
pub(crate) struct Mesh;

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (vertices, faces=None, name=None))]
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces: Option<&Bound<'_, PyAny>>,
        name: Option<String>,
    ) -> PyResult<PyClassInitializer<Mesh>> {
        let (vertices, faces) = match faces {
            Some(faces) => (vertices.clone(), faces.clone()),
            None => match (vertices.getattr("vertices"), vertices.getattr("faces")) {
                (Ok(own), Ok(faces)) => (own, faces),
                _ => {
                    return Err(PyTypeError::new_err(
                        "faces are missing: Mesh(vertices, faces), or one object with .vertices and .faces",
                    ));
                }
            },
        };
        let points = array::points(&vertices, "vertices")?;
        let triangles = array::triangles(&faces, points.len())?;
        let made = workers::run(py, || {
            let set =
                shapes::FaceSet::from_triangles(points, triangles).map_err(|error| error.to_string())?;
            Body::of_faces(set, name)
        });
        made.map(|body| PyClassInitializer::from(body).add_subclass(Mesh)).map_err(PyValueError::new_err)
    }

    /// (n, 3) float64, a copy.
    #[getter]
    fn vertices<'py>(this: PyRef<'py, Self>) -> Bound<'py, PyArray2<f64>> {
        let py = this.py();
        let points: Vec<[f64; 3]> = faces(this.as_super())
            .map_or_else(Vec::new, |set| set.vertices().iter().map(DVec3::to_array).collect());
        rows(py, &points)
    }

    /// (m, 3) uint32, a copy.
    #[getter]
    fn faces<'py>(this: PyRef<'py, Self>) -> Bound<'py, PyArray2<u32>> {
        let py = this.py();
        let triangles = faces(this.as_super()).map_or_else(Vec::new, |set| set.triangles().to_vec());
        rows(py, &triangles)
    }

    /// Whether it bounds a solid.
    #[getter]
    fn is_closed(this: PyRef<'_, Self>) -> bool {
        is_closed(this.as_super())
    }

    fn __repr__(this: PyRef<'_, Self>) -> String {
        let body = this.as_super();
        let (points, triangles) =
            faces(body).map_or((0, 0), |set| (set.vertices().len(), set.triangles().len()));
        let closed = if is_closed(body) { "closed" } else { "open" };
        format!("Mesh({}{points} vertices, {triangles} faces, {closed})", called(body))
    }

    /// A pickle has the arrays; the hierarchy is built again.
    fn __reduce__<'py>(this: PyRef<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, name) = (this.py(), this.as_super().name.clone());
        let points: Vec<[f64; 3]> = faces(this.as_super())
            .map_or_else(Vec::new, |set| set.vertices().iter().map(DVec3::to_array).collect());
        let triangles = faces(this.as_super()).map_or_else(Vec::new, |set| set.triangles().to_vec());
        let arguments = (rows(py, &points), rows(py, &triangles), name);
        (py.get_type::<Mesh>(), arguments).into_pyobject(py).map(Bound::into_any)
    }
}

/// A body with curved faces, from a STEP or SAT file. Answers hold for the true surfaces.
///
/// Its triangles lie within `deviation` of them, proven; what they leave open is asked on the surfaces themselves. It has no pickle: load
/// its file again.
#[pyclass(frozen, extends = Body, module = "kontakt")]
pub(crate) struct CurvedBody;

#[pymethods]
impl CurvedBody {
    /// Never less than how far its triangles lie off the true surfaces.
    #[getter]
    fn deviation(this: PyRef<'_, Self>) -> f64 {
        this.as_super().geometry.deviation()
    }

    /// Whether it bounds a solid.
    #[getter]
    fn is_closed(this: PyRef<'_, Self>) -> bool {
        is_closed(this.as_super())
    }

    /// How many faces the model has.
    #[getter]
    fn face_count(this: PyRef<'_, Self>) -> usize {
        faces_of_model(this.as_super())
    }

    /// Its triangles as a `Mesh`, where its file puts them: for plots, or for other programs.
    fn mesh(this: PyRef<'_, Self>) -> PyResult<Py<Body>> {
        let py = this.py();
        let body: &Body = this.as_super();
        let pose = body.place.unwrap_or(Pose::IDENTITY);
        let own = faces(body).ok_or_else(|| PyValueError::new_err("a body without triangles"))?;
        let made = workers::run(py, || {
            let points = own.vertices().iter().map(|&point| pose.apply(point)).collect();
            let set = shapes::FaceSet::from_triangles(points, own.triangles().to_vec());
            Body::of_faces(set.map_err(|error| error.to_string())?, body.name.clone())
        });
        made.map_err(PyValueError::new_err)?.into_python(py)
    }

    fn __repr__(this: PyRef<'_, Self>) -> String {
        let body = this.as_super();
        let triangles = faces(body).map_or(0, |set| set.triangles().len());
        let (count, closed) = (faces_of_model(body), if is_closed(body) { "closed" } else { "open" });
        format!(
            "CurvedBody({}{count} faces, {closed}, {triangles} triangles within {:.3e})",
            called(body),
            body.geometry.deviation()
        )
    }
}

fn faces_of_model(body: &Body) -> usize {
    match &body.geometry {
        pair::Body::Curved(body) => body.brep().faces().len(),
        _ => 0,
    }
}

fn called(body: &Body) -> String {
    body.name.as_ref().map_or_else(String::new, |name| format!("{name:?}, "))
}

fn is_closed(body: &Body) -> bool {
    body.geometry.surface().is_some_and(mesh::Mesh::is_closed)
}

fn faces(body: &Body) -> Option<&shapes::FaceSet> {
    body.geometry.surface().map(mesh::Mesh::faces)
}

/// Rows of three as an array.
pub(crate) fn rows<'py, T: numpy::Element + Copy>(
    py: Python<'py>,
    rows: &[[T; 3]],
) -> Bound<'py, PyArray2<T>> {
    let flat = PyArray1::from_slice(py, rows.as_flattened());
    flat.reshape([rows.len(), 3]).unwrap_or_else(|_| PyArray2::zeros(py, [0, 3], false))
}

/// Three numbers as an array.
pub(crate) fn triple(py: Python<'_>, point: DVec3) -> Bound<'_, PyArray1<f64>> {
    point.to_array().to_pyarray(py)
}

/// Poses as rows of seven numbers.
pub(crate) fn rows_of_seven<'py>(py: Python<'py>, poses: &[Pose]) -> Bound<'py, PyArray2<f64>> {
    let flat: Vec<f64> = poses.iter().flat_map(seven).collect();
    PyArray1::from_vec(py, flat)
        .reshape([poses.len(), 7])
        .unwrap_or_else(|_| PyArray2::zeros(py, [0, 7], false))
}
