//! One pose or many, as seven numbers or as 4 × 4 matrices.

use crate::array::{doubles, in_order, shown, vector};
use kontakt::math::{DMat3, DQuat, DVec3, Interpolation, Pose};
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What was given where poses are asked for.
pub(crate) enum Poses {
    One(Pose),
    Many(Vec<Pose>),
}

impl Poses {
    /// `(7,)`, `(4, 4)`, `(n, 7)` or `(n, 4, 4)`; nothing is the identity.
    pub(crate) fn of(given: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Poses> {
        let Some(given) = given.filter(|given| !given.is_none()) else {
            return Ok(Poses::One(Pose::IDENTITY));
        };
        let array = doubles(given, what)?;
        let values = in_order(&array);
        let shape = array.shape();
        let read = |row: &[f64], at: Option<usize>| {
            pose(row).map_err(|problem| PyValueError::new_err(named(what, at, row, &problem)))
        };
        match *shape {
            [7] | [4, 4] => Ok(Poses::One(read(&values, None)?)),
            [_, size @ 7] | [_, 4, size @ 4] => {
                let size = if size == 7 { 7 } else { 16 };
                let rows = values.chunks_exact(size);
                let mut poses = Vec::with_capacity(rows.len());
                for (row, numbers) in rows.enumerate() {
                    poses.push(read(numbers, Some(row))?);
                }
                Ok(Poses::Many(poses))
            }
            ref shape => Err(PyValueError::new_err(format!(
                "{what}: shape {} where (7,), (4, 4), (n, 7) or (n, 4, 4) is needed",
                shown(shape)
            ))),
        }
    }

    /// The pose of a row; one pose is that of every row.
    pub(crate) fn at(&self, row: usize) -> Pose {
        match self {
            Poses::One(pose) => *pose,
            Poses::Many(poses) => poses[row],
        }
    }

    /// The same where only one makes sense.
    pub(crate) fn one(given: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Pose> {
        match Poses::of(given, what)? {
            Poses::One(pose) => Ok(pose),
            Poses::Many(poses) => {
                Err(PyValueError::new_err(format!("{what}: {} poses where one is needed", poses.len())))
            }
        }
    }
}

/// How a body goes from pose to pose; slerp and nlerp turn about a pivot of the body.
pub(crate) fn interpolation(name: &str, pivot: Option<&Bound<'_, PyAny>>) -> PyResult<Interpolation> {
    let pivot = pivot.map(|pivot| vector(pivot, "pivot")).transpose()?.unwrap_or(DVec3::ZERO);
    match name {
        "slerp" => Ok(Interpolation::Slerp { pivot }),
        "nlerp" => Ok(Interpolation::Nlerp { pivot }),
        "screw" => Ok(Interpolation::Screw),
        other => Err(PyValueError::new_err(format!("interpolate is {other:?}; known: slerp, nlerp, screw"))),
    }
}

/// What is wrong with a pose, by its row where there are many: the element that is no number, or all of it.
fn named(what: &str, row: Option<usize>, numbers: &[f64], problem: &str) -> String {
    let row = row.map(|row| row.to_string());
    let Some(bad) = numbers.iter().position(|x| !x.is_finite()) else {
        return row.map_or_else(|| format!("{what}: {problem}"), |row| format!("{what}[{row}]: {problem}"));
    };
    let element = if numbers.len() == 7 { vec![bad] } else { vec![bad / 4, bad % 4] };
    let indices: Vec<String> = row.into_iter().chain(element.iter().map(usize::to_string)).collect();
    format!("{what}[{}] is {}, not finite", indices.join(", "), numbers[bad])
}

/// Seven numbers, or sixteen by rows.
fn pose(numbers: &[f64]) -> Result<Pose, String> {
    let made = match *numbers {
        [x, y, z, qx, qy, qz, qw] => Pose::new(DQuat::from_xyzw(qx, qy, qz, qw), DVec3::new(x, y, z)),
        [a, b, c, x, d, e, f, y, g, h, i, z, p, q, r, s] => {
            let good = [p, q, r, s - 1.0].into_iter().all(|part| part.abs() <= 1e-9);
            if !good {
                return Err(format!("the matrix' last row is [{p}, {q}, {r}, {s}], not [0, 0, 0, 1]"));
            }
            let columns = DMat3::from_cols(DVec3::new(a, d, g), DVec3::new(b, e, h), DVec3::new(c, f, i));
            Pose::from_matrix(columns, DVec3::new(x, y, z))
        }
        _ => return Err(format!("{} numbers are no pose", numbers.len())),
    };
    made.map_err(|error| error.to_string())
}
