//! The Python module: numpy in, numpy out. It turns arrays into bodies and poses, asks [`kontakt::pair`],
//! [`kontakt::scene`], [`kontakt::drag`] and [`kontakt::dynamics`], and turns answers into arrays; it has no rule of its own.

#![allow(
    clippy::needless_pass_by_value,
    clippy::elidable_lifetime_names,
    reason = "pyo3 hands arguments over by value, and its functions name the interpreter's lifetime"
)]

mod answer;
mod array;
mod body;
mod drag;
mod file;
mod pile;
mod pose;
mod question;
mod scene;
mod shape;
mod volume;
mod workers;

use pyo3::prelude::*;

/// The interpreter aligns objects to 16 bytes: what wants more would lie where its own code does not look for it.
const _: () = {
    assert!(align_of::<body::Body>() <= 16 && align_of::<shape::Shape>() <= 16);
    assert!(align_of::<scene::Stage>() <= 16);
    assert!(align_of::<drag::Dragging>() <= 16 && align_of::<drag::DragSample>() <= 16);
    assert!(align_of::<pile::Pile>() <= 16);
    assert!(align_of::<answer::Contact>() <= 16 && align_of::<answer::Impact>() <= 16);
    assert!(align_of::<answer::Distance>() <= 16 && align_of::<answer::Relation>() <= 16);
};

#[pymodule]
fn _kontakt(module: &Bound<'_, PyModule>) -> PyResult<()> {
    workers::settle();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<body::Body>()?;
    module.add_class::<body::Mesh>()?;
    module.add_class::<body::CurvedBody>()?;
    module.add_class::<shape::Shape>()?;
    module.add_class::<scene::Stage>()?;
    module.add_class::<drag::Dragging>()?;
    module.add_class::<drag::DragSample>()?;
    module.add_class::<pile::Pile>()?;
    module.add_class::<answer::Range>()?;
    module.add_class::<answer::Distance>()?;
    module.add_class::<answer::Distances>()?;
    module.add_class::<answer::Relation>()?;
    module.add_class::<answer::Contact>()?;
    module.add_class::<answer::Impact>()?;
    module.add_class::<volume::StepContacts>()?;
    module.add_function(wrap_pyfunction!(file::load, module)?)?;
    module.add_function(wrap_pyfunction!(question::contact, module)?)?;
    module.add_function(wrap_pyfunction!(question::distance, module)?)?;
    module.add_function(wrap_pyfunction!(question::within, module)?)?;
    module.add_function(wrap_pyfunction!(question::relation, module)?)?;
    module.add_function(wrap_pyfunction!(question::pairs, module)?)?;
    module.add_function(wrap_pyfunction!(question::contacts, module)?)?;
    module.add_function(wrap_pyfunction!(question::impact, module)?)?;
    module.add_function(wrap_pyfunction!(scene::check_json, module)?)?;
    module.add_function(wrap_pyfunction!(scene::path_json, module)?)?;
    module.add_function(wrap_pyfunction!(scene::follow_json, module)?)?;
    module.add_function(wrap_pyfunction!(scene::take_out_json, module)?)?;
    module.add_function(wrap_pyfunction!(volume::bound_json, module)?)?;
    module.add_function(wrap_pyfunction!(volume::ccd, module)?)?;
    module.add_function(wrap_pyfunction!(shape::shape, module)?)
}
