//! Anything array-like as doubles or indices, with errors that name the element.

use kontakt::math::DVec3;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use std::borrow::Cow;

/// Doubles in the order of C, and their shape.
pub(crate) struct Numbers {
    pub(crate) values: Vec<f64>,
    pub(crate) shape: Vec<usize>,
}

/// What was given as an array of doubles: taken as it is, or made one by numpy (lists, float32, integers).
pub(crate) fn doubles<'py>(given: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if let Ok(array) = given.cast::<PyArrayDyn<f64>>() {
        return readable(array, what);
    }
    let py = given.py();
    let options = [("dtype", "float64")].into_py_dict(py)?;
    let made = py.import("numpy")?.call_method("asarray", (given,), Some(&options));
    let made =
        made.map_err(|error| PyValueError::new_err(format!("{what}: no array of numbers ({error})")))?;
    readable(made.cast::<PyArrayDyn<f64>>().map_err(PyErr::from)?, what)
}

fn readable<'py>(array: &Bound<'py, PyArrayDyn<f64>>, what: &str) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    array.try_readonly().map_err(|_| PyValueError::new_err(format!("{what}: the array is being written to")))
}

/// The values in the order of C. A slice is not enough to ask for: numpy gives one for the order of Fortran, too.
pub(crate) fn in_order<'a>(array: &'a PyReadonlyArrayDyn<'_, f64>) -> Cow<'a, [f64]> {
    match array.as_slice() {
        Ok(values) if array.is_c_contiguous() => Cow::Borrowed(values),
        _ => Cow::Owned(array.as_array().iter().copied().collect()),
    }
}

/// A copy in the order of C, whatever its strides.
pub(crate) fn numbers(given: &Bound<'_, PyAny>, what: &str) -> PyResult<Numbers> {
    let array = doubles(given, what)?;
    let values = in_order(&array).into_owned();
    Ok(Numbers { values, shape: array.shape().to_vec() })
}

/// Rows of three finite numbers.
pub(crate) fn points(given: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<DVec3>> {
    let Numbers { values, shape } = numbers(given, what)?;
    if shape.len() != 2 || shape[1] != 3 {
        return Err(PyValueError::new_err(format!("{what}: shape {} where (n, 3) is needed", shown(&shape))));
    }
    if shape[0] == 0 {
        return Err(PyValueError::new_err(format!("{what}: empty")));
    }
    if let Some(bad) = values.iter().position(|x| !x.is_finite()) {
        let (row, column, value) = (bad / 3, bad % 3, values[bad]);
        return Err(PyValueError::new_err(format!("{what}[{row}, {column}] is {value}, not finite")));
    }
    Ok(values.chunks_exact(3).map(DVec3::from_slice).collect())
}

/// One vector.
pub(crate) fn vector(given: &Bound<'_, PyAny>, what: &str) -> PyResult<DVec3> {
    let Numbers { values, shape } = numbers(given, what)?;
    match values.as_slice() {
        &[x, y, z] if shape.len() == 1 => Ok(DVec3::new(x, y, z)),
        _ => Err(PyValueError::new_err(format!("{what}: shape {} where (3,) is needed", shown(&shape)))),
    }
}

/// Rows of three indices, each below `vertices`.
pub(crate) fn triangles(given: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Vec<[u32; 3]>> {
    let Numbers { values, shape } = numbers(given, "faces")?;
    if shape.len() != 2 || shape[1] != 3 {
        return Err(PyValueError::new_err(format!("faces: shape {} where (m, 3) is needed", shown(&shape))));
    }
    if shape[0] == 0 {
        return Err(PyValueError::new_err("faces: empty"));
    }
    if let Some(bad) = values.iter().position(|&x| !(x >= 0.0 && x < vertices as f64 && x.fract() == 0.0)) {
        let (row, column, value) = (bad / 3, bad % 3, values[bad]);
        return Err(PyValueError::new_err(format!(
            "faces[{row}, {column}] is {value}, no index of the {vertices} vertices"
        )));
    }
    Ok(values.chunks_exact(3).map(|row| [row[0] as u32, row[1] as u32, row[2] as u32]).collect())
}

/// A shape as numpy writes it.
pub(crate) fn shown(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    if let [one] = sizes.as_slice() { format!("({one},)") } else { format!("({})", sizes.join(", ")) }
}
