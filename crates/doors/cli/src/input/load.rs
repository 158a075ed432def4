//! Files into bodies of faces, of whatever format they are.

use super::address::{Address, chosen};
use super::before::Before;
use super::model::{Model, ModelBody};
use super::remarks::About;
use crate::failure::Failure;
use crate::progress;
use crate::reading::{Reading, SplitName};
use kontakt::io::{Loaded, ReadOptions, Split, read};
use kontakt::schedule::Deadline;
use kontakt::shapes::Body;
use std::path::Path;

/// Bodies that are meant, and what there is to say about their file.
pub(crate) struct Meant {
    pub(crate) bodies: Vec<One>,
    pub(crate) about: About,
}

/// A body that is meant.
pub(crate) struct One {
    /// Its faces; of a curved body its triangles where the file puts them.
    pub(crate) body: Body,
    /// Where it begins in its file.
    pub(crate) before: Before,
    /// What the triangles stand for.
    pub(crate) model: Option<ModelBody>,
}

impl One {
    /// **Never less** than how far the faces lie off the true surfaces; 0 for a mesh.
    pub(crate) fn deviation(&self) -> f64 {
        self.model.as_ref().map_or(0.0, ModelBody::deviation)
    }
}

impl Meant {
    /// The same for questions that are about all bodies: one that is not there or not whole is an error.
    pub(crate) fn whole(self) -> Result<Meant, Failure> {
        self.about.must_be_whole()?;
        Ok(self)
    }

    /// **Never less** than how far any of the faces lies off the true surfaces.
    pub(crate) fn deviation(&self) -> f64 {
        self.bodies.iter().map(One::deviation).fold(0.0, f64::max)
    }
}

/// Reads the bodies that are meant, `FILE` or `FILE:NAME`, until a deadline.
pub(crate) fn load(typed: &Path, reading: &Reading, deadline: Deadline) -> Result<Meant, Failure> {
    meant(&Address::of(typed), reading, deadline)
}

/// Reads the bodies that are meant until a deadline.
pub(crate) fn meant(address: &Address, reading: &Reading, deadline: Deadline) -> Result<Meant, Failure> {
    if let Some(Model { bodies, about }) = Model::load(address, reading, deadline)? {
        let one =
            |model: ModelBody| Ok(One { body: model.faces()?, before: model.before, model: Some(model) });
        let bodies = bodies.into_iter().map(one).collect::<Result<_, Failure>>()?;
        return Ok(Meant { bodies, about: about.into() });
    }
    let Loaded { bodies, report } = meshes(&address.file, reading, deadline)?;
    let places = address.pick(bodies.iter().map(|body| body.name.as_str()))?;
    let before = Before::each(bodies.iter().map(|body| &body.faces));
    let one = |(body, before)| One { body, before, model: None };
    let bodies = chosen(bodies.into_iter().zip(before), &places).into_iter().map(one).collect();
    Ok(Meant { bodies, about: report.into() })
}

/// Reads a file of meshes until a deadline.
fn meshes(path: &Path, reading: &Reading, deadline: Deadline) -> Result<Loaded, Failure> {
    let split = match reading.splitting.split {
        None | Some(SplitName::Objects) => Split::Objects,
        Some(SplitName::Groups) => Split::Groups,
        Some(SplitName::Components) => Split::Components,
    };
    let options = ReadOptions { split, deadline, ..ReadOptions::default() };
    Ok(progress::during(format!("reading {}", path.display()), || read(path, &options))?)
}
