//! Rigid bodies that fall, push each other and come to rest.

use crate::array::vector;
use crate::body::{Body, rows, rows_of_seven};
use crate::pose::Poses;
use crate::workers;
use kontakt::dynamics::rigid::{self, Form, Settings, Sleep, World};
use kontakt::math::{DVec3, Pose};
use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;

/// Rigid bodies that fall, slide, bounce and come to rest: hard contacts with Coulomb friction, in steps of time, the same to the last bit
/// for any number of threads. The defaults are those of `kontakt simulate` (docs/scenarios.md): `gravity` (0, 0, -10), `time_step` 0.005,
/// `substeps` 1, `friction` 0.1, `restitution` 0. With `sleep` bodies at rest sleep until something happens to them.
///
/// >>> import kontakt as kt
/// >>> pile = kt.Pile(friction=0.5)
/// >>> floor = pile.add(kt.convex.half_space([0, 0, 1]), fixed=True)
/// >>> boxes = pile.add(kt.convex.box([0.5, 0.5, 0.5]), [[0, 0, 0.6, 0, 0, 0, 1], [0, 0, 1.7, 0, 0, 0, 1]])
/// >>> pile.step(400)
/// >>> pile.poses[boxes, 2].round(6)
/// array([0.5, 1.5])
#[pyclass(module = "kontakt")]
pub(crate) struct Pile {
    /// Boxed: what it is aligned to is its own affair.
    world: Box<World>,
    /// The number of a body's form, of those that move and those that are fixed; the body is kept, so that no other has its address.
    forms: HashMap<(usize, bool), (Py<Body>, u32)>,
    next: u64,
}

#[pymethods]
impl Pile {
    #[new]
    #[pyo3(signature = (*, gravity=None, time_step=None, substeps=None, friction=None, restitution=None, sleep=false))]
    fn new(
        gravity: Option<&Bound<'_, PyAny>>,
        time_step: Option<f64>,
        substeps: Option<u32>,
        friction: Option<f64>,
        restitution: Option<f64>,
        sleep: bool,
    ) -> PyResult<Pile> {
        let usual = Settings::default();
        let settings = Settings {
            gravity: gravity.map_or(Ok(usual.gravity), |given| vector(given, "gravity"))?,
            time_step: time_step.unwrap_or(usual.time_step),
            substeps: substeps.unwrap_or(usual.substeps),
            friction: friction.unwrap_or(usual.friction),
            restitution: restitution.unwrap_or(usual.restitution),
            sleep: sleep.then(Sleep::default),
            ..usual
        };
        let world = World::new(settings, Vec::new()).map_err(|error| invalid(&error))?;
        Ok(Pile { world: Box::new(world), forms: HashMap::new(), next: 0 })
    }

    /// Adds a body at a pose, (7,) or (4, 4), and gives its id; at many poses so many, and an array of ids. A body that moves is convex, a
    /// union or a closed mesh, of mass `density` × volume; `velocity` (3,) is that of its centre of mass, `spin` (3,) turns about it. A
    /// `fixed` body moves only as these say, whatever it meets.
    #[pyo3(signature = (body, pose=None, *, density=1.0, fixed=false, velocity=None, spin=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a Python call")]
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        body: &Bound<'py, Body>,
        pose: Option<&Bound<'py, PyAny>>,
        density: f64,
        fixed: bool,
        velocity: Option<&Bound<'py, PyAny>>,
        spin: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let [velocity, spin] = [(velocity, "velocity"), (spin, "spin")]
            .map(|(given, what)| given.map_or(Ok(DVec3::ZERO), |given| vector(given, what)));
        let (velocity, spin, poses) = (velocity?, spin?, Poses::of(pose, "pose")?);
        let form = self.form(py, body, fixed)?;
        let own = body.get();
        let density = if fixed { f64::INFINITY } else { density };
        let mut add = |pose: Pose| {
            let made = rigid::Body::moving(self.next, form, own.pose(pose), density);
            self.world.add(rigid::Body { velocity, spin, ..made }).map_err(|error| invalid(&error))?;
            self.next += 1;
            Ok::<u64, PyErr>(self.next - 1)
        };
        match poses {
            Poses::One(pose) => Ok(add(pose)?.into_pyobject(py)?.into_any()),
            Poses::Many(poses) => {
                let ids: Vec<u64> = poses.into_iter().map(add).collect::<PyResult<_>>()?;
                Ok(PyArray1::from_vec(py, ids).into_any())
            }
        }
    }

    /// Takes a body out; what it touched wakes up. The others keep their ids, and move up in `poses`.
    fn remove(&mut self, id: u64) -> PyResult<()> {
        match self.world.remove(id) {
            Some(_) => Ok(()),
            None => Err(PyKeyError::new_err(format!("no body has the id {id}"))),
        }
    }

    /// Makes steps. Where one cannot be made (a body's motion is not finite any more), the state before it stays and `RuntimeError` says why.
    #[pyo3(signature = (count=1))]
    fn step(&mut self, py: Python<'_>, count: u64) -> PyResult<()> {
        for _ in 0..count {
            let world = &mut self.world;
            workers::run(py, || world.step()).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Ids, (n,): 0, 1, 2, … in the order in which bodies were added. Rows of all other arrays are in this order.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_iter(py, self.world.bodies().iter().map(|body| body.id))
    }

    /// Where the bodies' frames are, (n, 7).
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let poses = self.world.bodies().iter().map(|body| self.world.pose(body.id).unwrap_or(Pose::IDENTITY));
        rows_of_seven(py, &poses.collect::<Vec<_>>())
    }

    /// Of the centres of mass, (n, 3).
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.vectors(py, |body| body.velocity)
    }

    /// Angular velocities, (n, 3).
    #[getter]
    fn spins<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.vectors(py, |body| body.spin)
    }

    /// Which bodies sleep, (n,).
    #[getter]
    fn asleep<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.world.bodies().iter().map(|body| body.asleep).collect::<Vec<_>>().to_pyarray(py)
    }

    /// The time passed.
    #[getter]
    fn time(&self) -> f64 {
        self.world.time()
    }

    /// Kinetic energy of all bodies that are not fixed.
    #[getter]
    fn kinetic_energy(&self) -> f64 {
        self.world.energy().kinetic
    }

    /// Whether all is at rest: hardly any kinetic energy, and for half a unit of time no pair has begun or ceased to push.
    #[getter]
    fn is_at_rest(&self) -> bool {
        self.world.is_at_rest()
    }

    /// A word for the whole state: that of another state differs, almost surely, in whatever bit.
    #[getter]
    fn hash(&self) -> String {
        format!("{:016x}", self.world.hash())
    }

    /// Contact points with a gap up to `gap`, negative ones of overlaps, as a dict of arrays: `ids` (k, 2), `point` (k, 3) in the middle
    /// between both surfaces, `normal` (k, 3) from the first body to the second, `gap` (k,).
    #[pyo3(signature = (gap=0.0))]
    fn contacts<'py>(&mut self, py: Python<'py>, gap: f64) -> PyResult<Bound<'py, PyDict>> {
        if !(gap >= 0.0 && gap.is_finite()) {
            return Err(PyValueError::new_err(format!("gap is {gap}, not a length")));
        }
        let world = &mut self.world;
        let touches = workers::run(py, || {
            let within = gap / world.least_size();
            world.touches(within)
        });
        let bodies = self.world.bodies();
        let ids: Vec<u64> =
            touches.iter().flat_map(rigid::Touch::slots).map(|slot| bodies[slot].id).collect();
        let vectors = |of: fn(&rigid::Touch) -> DVec3| {
            rows(py, &touches.iter().map(|touch| of(touch).to_array()).collect::<Vec<_>>())
        };
        let told = PyDict::new(py);
        told.set_item("ids", PyArray1::from_vec(py, ids).reshape([touches.len(), 2])?)?;
        told.set_item("point", vectors(|touch| touch.point))?;
        told.set_item("normal", vectors(|touch| touch.normal))?;
        told.set_item("gap", PyArray1::from_iter(py, touches.iter().map(|touch| touch.gap)))?;
        Ok(told)
    }

    fn __len__(&self) -> usize {
        self.world.bodies().len()
    }

    fn __repr__(&self) -> String {
        format!("Pile({} bodies, time={:?})", self.world.bodies().len(), self.world.time())
    }
}

impl Pile {
    /// The form of a body, made once.
    fn form(&mut self, py: Python<'_>, body: &Bound<'_, Body>, fixed: bool) -> PyResult<u32> {
        let key = (body.as_ptr().addr(), fixed);
        if let Some((_, known)) = self.forms.get(&key) {
            return Ok(*known);
        }
        let geometry = body.get().geometry.clone();
        let made = workers::run(py, || if fixed { Form::fixed(geometry) } else { Form::solid(geometry) });
        let form = self.world.add_form(made.map_err(|error| invalid(&error))?);
        self.forms.insert(key, (body.clone().unbind(), form));
        Ok(form)
    }

    fn vectors<'py>(&self, py: Python<'py>, of: impl Fn(&rigid::Body) -> DVec3) -> Bound<'py, PyArray2<f64>> {
        rows(py, &self.world.bodies().iter().map(|body| of(body).to_array()).collect::<Vec<_>>())
    }
}

fn invalid(error: &dyn std::error::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
