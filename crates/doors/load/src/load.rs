//! Files into bodies of faces, of whatever format they are.

use crate::address::{Address, chosen};
use crate::before::Before;
use crate::error::LoadError;
use crate::model::{Model, ModelBody};
use crate::options::LoadOptions;
use crate::remarks::About;
use kontakt_io::{Loaded, ReadOptions, read};
use kontakt_shapes::Body;
use std::path::Path;

/// Bodies that are meant, and what there is to say about their file.
pub struct Meant {
    /// In the order of the file.
    pub bodies: Vec<One>,
    /// The file.
    pub about: About,
}

/// A body that is meant.
pub struct One {
    /// Its faces; of a curved body its triangles where the file puts them.
    pub body: Body,
    /// Where it begins in its file.
    pub before: Before,
    /// What the triangles stand for.
    pub model: Option<ModelBody>,
}

impl One {
    /// **Never less** than how far the faces lie off the true surfaces; 0 for a mesh.
    pub fn deviation(&self) -> f64 {
        self.model.as_ref().map_or(0.0, ModelBody::deviation)
    }
}

impl Meant {
    /// The same for questions that are about all bodies: one that is not there or not whole is an error.
    pub fn whole(self) -> Result<Meant, LoadError> {
        self.about.must_be_whole()?;
        Ok(self)
    }

    /// **Never less** than how far any of the faces lies off the true surfaces.
    pub fn deviation(&self) -> f64 {
        self.bodies.iter().map(One::deviation).fold(0.0, f64::max)
    }
}

/// Reads the bodies that are meant, `FILE` or `FILE:NAME`, until a deadline.
pub fn load(typed: &Path, options: &LoadOptions) -> Result<Meant, LoadError> {
    meant(&Address::of(typed), options)
}

/// Reads the bodies that are meant until a deadline.
pub fn meant(address: &Address, options: &LoadOptions) -> Result<Meant, LoadError> {
    if let Some(Model { bodies, about }) = Model::load(address, options)? {
        let one =
            |model: ModelBody| Ok(One { body: model.faces()?, before: model.before, model: Some(model) });
        let bodies = bodies.into_iter().map(one).collect::<Result<_, LoadError>>()?;
        return Ok(Meant { bodies, about: about.into() });
    }
    let Loaded { bodies, report } = meshes(&address.file, options)?;
    let places = address.pick(bodies.iter().map(|body| body.name.as_str()))?;
    let before = Before::each(bodies.iter().map(|body| &body.faces));
    let one = |(body, before)| One { body, before, model: None };
    let bodies = chosen(bodies.into_iter().zip(before), &places).into_iter().map(one).collect();
    Ok(Meant { bodies, about: report.into() })
}

/// Reads a file of meshes until a deadline.
fn meshes(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let &LoadOptions { split, deadline, .. } = options;
    let how = ReadOptions { split, deadline, ..ReadOptions::default() };
    Ok(options.during(format!("reading {}", path.display()), || read(path, &how))?)
}
