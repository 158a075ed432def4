//! Bodies of files.

use crate::body::Body;
use crate::workers;
use kontakt::io::Split;
use kontakt::load::ready::{self, Ready};
use kontakt::load::{About, Address, LoadError, LoadOptions, parts};
use kontakt::math::Pose;
use pyo3::exceptions::{PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// The named bodies of a file where the file puts them, as a list of bodies: OBJ, STL, PLY, OFF, glTF/GLB, saved hierarchies as `Mesh`,
/// STEP and SAT as `CurvedBody`.
///
/// `path` may name bodies of the file, "assembly.glb:bolt*". `split` is what one body of a mesh file is: "objects", "groups" or
/// "components". `deviation` is how far triangles may lie off curved faces, by default 5e-4 of a body's size. What could not be read is
/// told as a warning.
///
/// >>> import kontakt as kt
/// >>> bolts = kt.load("docs/guide/assembly/gearbox.glb:bolt*")                # doctest: +SKIP
/// >>> bolts[0]                                                                # doctest: +SKIP
/// Mesh("gearbox.glb:bolt_1", 98 vertices, 192 faces, closed)
#[pyfunction]
#[pyo3(signature = (path, *, split="objects", deviation=None))]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    split: &str,
    deviation: Option<f64>,
) -> PyResult<Vec<Py<Body>>> {
    let options = options(split, deviation)?;
    let address = Address::of(&path);
    let loaded = workers::run(py, || ready::load(&address, &options));
    let (bodies, about) = loaded.map_err(|error| wrong(&error))?;
    warn(py, &spoken(&address.file, &about))?;
    bodies.iter().map(|body| of_file(&address, body).into_python(py)).collect()
}

/// How files are read.
pub(crate) fn options(split: &str, deviation: Option<f64>) -> PyResult<LoadOptions> {
    let split = match split {
        "objects" => Split::Objects,
        "groups" => Split::Groups,
        "components" => Split::Components,
        other => {
            let known = "objects, groups, components";
            return Err(PyValueError::new_err(format!("split is {other:?}; known: {known}")));
        }
    };
    if let Some(bad) = deviation.filter(|deviation| !(*deviation > 0.0 && deviation.is_finite())) {
        return Err(PyValueError::new_err(format!("deviation is {bad}, not a length above 0")));
    }
    Ok(LoadOptions { split, deviation, ..LoadOptions::default() })
}

/// A file that is not there is an `OSError`, one with the wrong content a `ValueError`.
pub(crate) fn wrong(error: &LoadError) -> PyErr {
    let said = error.to_string();
    match error {
        LoadError::Read(read) if matches!(read.problem, kontakt::io::Problem::Io(_)) => {
            PyOSError::new_err(said)
        }
        _ => PyValueError::new_err(said),
    }
}

/// Tells what a user must know, in the way of Python.
pub(crate) fn warn(py: Python<'_>, words: &[String]) -> PyResult<()> {
    words.iter().try_for_each(|words| {
        let words = CString::new(words.replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &words, 2)
    })
}

/// What there is to say of a file with curved faces.
fn spoken(file: &Path, about: &About) -> Vec<String> {
    let model = about.model.iter().flat_map(|model| model.warnings());
    model.map(|words| format!("{}: {words}", file.display())).collect()
}

/// A body of a file.
fn of_file(address: &Address, ready: &Ready) -> Body {
    let place = ready.pose();
    Body {
        geometry: ready.body(),
        name: Some(ready.name.clone()),
        file: address.file_name().len(),
        place: (place != Pose::IDENTITY).then_some(place),
        faces_before: ready.before.faces,
        precision: parts::precision(&address.file, ready),
    }
}
