//! Convex shapes, by the JSON of the command line.

use crate::body::Body;
use kontakt::io::{Problem, read_convex_shape_bytes};
use kontakt::pair;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A convex shape or a union of shapes; made by the functions of `kontakt.convex`.
#[pyclass(frozen, extends = Body, module = "kontakt")]
pub(crate) struct Shape {
    /// What it was made from.
    told: String,
}

#[pymethods]
impl Shape {
    /// Its description, as `kontakt convex` reads it.
    #[getter]
    fn json(&self) -> &str {
        &self.told
    }

    fn __repr__(&self) -> String {
        let short: String = self.told.chars().take(100).collect();
        let more = if short.len() < self.told.len() { "…" } else { "" };
        format!("Shape({short}{more})")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = py.import("kontakt._kontakt")?.getattr("shape")?;
        (make, (self.told.as_str(),)).into_pyobject(py).map(Bound::into_any)
    }
}

/// The shape that a text in JSON describes.
#[pyfunction]
pub(crate) fn shape(py: Python<'_>, told: String) -> PyResult<Py<Shape>> {
    let made = read_convex_shape_bytes(told.as_bytes(), "shape");
    // There is no file whose lines could be named.
    let wrong = |problem: Problem| match problem {
        Problem::Malformed(words) => PyValueError::new_err(words),
        other => PyValueError::new_err(other.to_string()),
    };
    let made = made.map_err(|error| wrong(error.problem))?;
    let body = Body::made(pair::Body::convex(made), None);
    Py::new(py, PyClassInitializer::from(body).add_subclass(Shape { told }))
}
