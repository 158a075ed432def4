//! A body that follows a hand, stops and slides.

use crate::answer::feature;
use crate::body::{Body, rows_of_seven, seven, triple};
use crate::pose::Poses;
use crate::scene::Stage;
use crate::workers;
use kontakt::drag::{self, DragOptions, Ending, Obstacle};
use numpy::{PyArray1, PyArray2, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What `kontakt.Drag` holds.
#[pyclass(module = "kontakt._kontakt")]
pub(crate) struct Dragging {
    /// Boxed: it is aligned to 64 bytes, and the interpreter's objects to 16.
    drag: Box<drag::Drag>,
    names: Vec<String>,
}

#[pymethods]
impl Dragging {
    /// A body at a pose at which it is free or touches, among those of a scene.
    #[new]
    fn new(
        py: Python<'_>,
        body: &Body,
        start: Option<&Bound<'_, PyAny>>,
        stage: &Stage,
        skin: Option<f64>,
        stiffness: f64,
        turning: bool,
    ) -> PyResult<Dragging> {
        let start = body.pose(Poses::one(start, "start")?);
        let names: Vec<String> = stage.scene.names().into_iter().map(|name| name.full).collect();
        let obstacles = stage.scene.bodies().iter().zip(&names);
        let obstacles = obstacles.map(|(one, name)| Obstacle {
            name: name.clone(),
            body: one.body.clone(),
            pose: one.pose,
        });
        let (obstacles, options) =
            (obstacles.collect(), DragOptions { skin, stiffness, turning, ..DragOptions::default() });
        let moving = body.geometry.clone();
        let drag = workers::run(py, || drag::Drag::new(moving, start, obstacles, options));
        let drag = drag.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Dragging { drag: Box::new(drag), names })
    }

    /// Moves the body towards a hand.
    fn follow(&mut self, py: Python<'_>, hand: &Bound<'_, PyAny>) -> PyResult<DragSample> {
        let hand = Poses::one(Some(hand), "hand")?;
        let Dragging { drag, names } = self;
        workers::run(py, || {
            drag.follow(hand);
        });
        let sample = drag.sample().clone();
        let touches =
            sample.contacts.iter().map(|touch| names.get(touch.obstacle).cloned().unwrap_or_default());
        let names = touches.collect();
        Ok(DragSample { pose: seven(&drag.pose()), sample, names })
    }

    /// Where the body is, (7,).
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        seven(&self.drag.pose()).to_pyarray(py)
    }

    /// How near it comes to what it touches.
    #[getter]
    fn skin(&self) -> f64 {
        self.drag.skin()
    }
}

/// What became of one pose of the hand: `ending` is arrived, held, lagging or stuck.
#[pyclass(frozen, module = "kontakt")]
pub(crate) struct DragSample {
    pose: [f64; 7],
    sample: drag::Sample,
    names: Vec<String>,
}

#[pymethods]
impl DragSample {
    /// "arrived" at the hand, "held" by contacts, "lagging" behind a hand that is too fast, or "stuck".
    #[getter]
    fn ending(&self) -> &'static str {
        match self.sample.ending {
            Ending::Arrived => "arrived",
            Ending::Held => "held",
            Ending::Lagging => "lagging",
            Ending::Stuck => "stuck",
        }
    }

    /// Where the body is now, (7,).
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.pose.to_pyarray(py)
    }

    /// The poses it went through, (n, 7), the last one included: proven free from each to the next.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        rows_of_seven(py, &self.sample.pieces)
    }

    /// How far its centre is behind the hand.
    #[getter]
    fn lag(&self) -> f64 {
        self.sample.lag
    }

    /// How far it is turned from the hand, in radians.
    #[getter]
    fn lag_angle(&self) -> f64 {
        self.sample.lag_angle
    }

    /// What holds it, a tuple for each: (name, point (3,), normal (3,) towards the body, gap, force, own feature, other feature).
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let one = |(touch, name): (&drag::Touch, &String)| {
            let (point, normal) = (triple(py, touch.point), triple(py, touch.normal));
            let (own, other) = (feature(py, touch.own_face)?, feature(py, touch.face)?);
            (name.as_str(), point, normal, touch.gap, touch.force, own, other).into_pyobject(py)
        };
        self.sample.contacts.iter().zip(&self.names).map(one).collect()
    }

    fn __repr__(&self) -> String {
        let held =
            if self.names.is_empty() { String::new() } else { format!(", by {}", self.names.join(", ")) };
        format!("DragSample({}, lag={:?}{held})", self.ending(), self.sample.lag)
    }
}
