//! Bodies of a file made ready for queries: read, and their hierarchies built.

use crate::address::{Address, chosen};
use crate::before::Before;
use crate::error::LoadError;
use crate::load::{self, Meant, One};
use crate::model::{Model, ModelBody};
use crate::options::LoadOptions;
use crate::remarks::About;
use kontakt_answers::Feature;
use kontakt_hierarchy::store::Stored;
use kontakt_io::{Format, Split, read_stored_until};
use kontakt_math::{DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair as pair;
use kontakt_schedule::Deadline;
use kontakt_shapes::{Body, FaceSet, MassProperties};
use rayon::prelude::*;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A body with its hierarchy.
pub struct Ready {
    /// The file's name without folders, then that of the object.
    pub name: String,
    form: Form,
    /// How many faces and triangles the bodies before it in the file have.
    pub before: Before,
}

enum Form {
    Mesh(Arc<Mesh>),
    Curved(Box<ModelBody>),
}

impl Ready {
    fn of_mesh(name: String, mesh: Mesh, before: Before) -> Ready {
        Ready { name, form: Form::Mesh(Arc::new(mesh)), before }
    }

    fn of_model(body: ModelBody) -> Ready {
        Ready { name: body.given.name.clone(), before: body.before, form: Form::Curved(Box::new(body)) }
    }

    /// Its faces in its own frame; of a curved body its triangles.
    pub fn mesh(&self) -> &Mesh {
        match &self.form {
            Form::Mesh(mesh) => mesh,
            Form::Curved(body) => body.body.mesh(),
        }
    }

    /// World from body.
    pub fn pose(&self) -> Pose {
        match &self.form {
            Form::Mesh(_) => Pose::IDENTITY,
            Form::Curved(body) => body.given.pose,
        }
    }

    /// Whether its faces stand for curved ones.
    pub fn is_curved(&self) -> bool {
        matches!(self.form, Form::Curved(_))
    }

    /// **Never less** than how far its faces lie off the true surfaces, where its file puts it; 0 for a mesh.
    pub fn deviation(&self) -> f64 {
        match &self.form {
            Form::Mesh(_) => 0.0,
            Form::Curved(body) => body.deviation(),
        }
    }

    /// What is asked about.
    pub fn body(&self) -> pair::Body {
        match &self.form {
            Form::Mesh(mesh) => pair::Body::Mesh(Arc::clone(mesh)),
            Form::Curved(body) => pair::Body::Curved(Arc::clone(&body.body)),
        }
    }

    /// Extent along each axis.
    pub fn size(&self) -> DVec3 {
        MassProperties::of(self.mesh().faces()).size()
    }

    /// How a triangle is called.
    pub fn face(&self, triangle: u32) -> FaceName<'_> {
        let own = triangle as usize;
        let face = match &self.form {
            Form::Mesh(mesh) => self.before.faces + mesh.faces().source_of_triangle(own),
            Form::Curved(body) => body.face(own),
        };
        FaceName { body: &self.name, face, triangle: self.before.triangles + own }
    }
}

/// Reads the bodies that are meant and builds the hierarchy of each, until a deadline.
pub fn load(address: &Address, options: &LoadOptions) -> Result<(Vec<Ready>, About), LoadError> {
    if let Some(Model { bodies, about }) = Model::load(address, options)? {
        return Ok((bodies.into_iter().map(Ready::of_model).collect(), about.into()));
    }
    if let Some(bodies) = saved(address, options)? {
        return Ok((bodies, About::default()));
    }
    let Meant { bodies, about } = load::meant(address, options)?;
    let (bodies, before): (Vec<Body>, Vec<Before>) =
        bodies.into_iter().map(|one| (one.body, one.before)).unzip();
    let mut ready = build_all(bodies, options)?;
    for (body, before) in ready.iter_mut().zip(before) {
        body.before = before;
    }
    Ok((ready, about))
}

/// Bodies that need no building: those of a saved hierarchy, unless they are to be split further.
fn saved(address: &Address, options: &LoadOptions) -> Result<Option<Vec<Ready>>, LoadError> {
    let whole = options.split == Split::Objects;
    let path = &address.file;
    if !whole || Format::of(path) != Some(Format::Kh) {
        return Ok(None);
    }
    let stored = options
        .during(format!("reading {}", path.display()), || read_stored_until(path, options.deadline))?;
    let places = address.pick(stored.iter().map(|(name, _)| name.as_str()))?;
    let before = Before::each(stored.iter().map(|(_, stored)| stored.faces()));
    let chosen = chosen(stored.into_iter().zip(before), &places);
    let ready = |((name, stored), before): ((String, Stored), _)| {
        Ready::of_mesh(name, Mesh::from_stored(stored), before)
    };
    Ok(Some(chosen.into_iter().map(ready).collect()))
}

/// Hierarchies of many bodies side by side, of few bodies one after the other with all threads each.
pub fn build_all(bodies: Vec<Body>, options: &LoadOptions) -> Result<Vec<Ready>, LoadError> {
    let threads = rayon::current_num_threads();
    options.during("building hierarchies".into(), || {
        if bodies.len() < threads {
            bodies.into_iter().map(|body| build(body, threads, options.deadline)).collect()
        } else {
            bodies.into_par_iter().map(|body| build(body, 1, options.deadline)).collect()
        }
    })
}

fn build(body: Body, threads: usize, deadline: Deadline) -> Result<Ready, LoadError> {
    let Body { name, faces } = body;
    let mesh = Mesh::with_threads_until(faces, threads, deadline)
        .map_err(|error| LoadError::Mesh { name: name.clone(), error })?;
    Ok(Ready::of_mesh(name, mesh, Before::default()))
}

/// All bodies of one file together, for questions that do not tell them apart.
pub struct Whole {
    /// The file, or the body where there is only one.
    pub name: String,
    /// Of curved bodies the triangles, where the file puts them.
    pub mesh: Arc<Mesh>,
    /// **Never less** than how far the faces lie off the true surfaces; 0 for meshes.
    pub deviation: f64,
    /// What there is to say about the file.
    pub about: About,
    bodies: Vec<Member>,
    /// The faces of each body where there are several.
    faces: Vec<FaceSet>,
    solids: OnceLock<Option<Vec<pair::Body>>>,
}

/// One body of a [`Whole`].
struct Member {
    name: String,
    /// Where it begins among the bodies taken together.
    here: Before,
    /// How much more comes before it in the file: bodies that are not meant.
    skipped: Before,
    /// What its triangles stand for.
    model: Option<ModelBody>,
}

/// A face as reports name it: numbers count from 0 in the file's order, through its bodies one after the other. `face` is a face
/// of the file, `triangle` one of the triangles that faces are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct FaceName<'a> {
    /// The body that has it.
    pub body: &'a str,
    /// A face of the file.
    pub face: usize,
    /// One of the triangles that faces are made of.
    pub triangle: usize,
}

impl Whole {
    /// Reads the bodies that are meant, `FILE` or `FILE:NAME`, and builds one hierarchy over all of them, until a deadline.
    pub fn load(typed: &Path, options: &LoadOptions) -> Result<Whole, LoadError> {
        let address = Address::of(typed);
        if let Some(mut bodies) = saved(&address, options)?
            && bodies.len() == 1
            && let Some(Ready { name, form: Form::Mesh(mesh), before }) = bodies.pop()
        {
            let member = Member { name: name.clone(), here: Before::default(), skipped: before, model: None };
            return Ok(Whole::of(name, mesh, vec![member]));
        }
        let meant = load::meant(&address, options)?.whole()?;
        let (deviation, about) = (meant.deviation(), meant.about);
        let parts: Vec<&FaceSet> = meant.bodies.iter().map(|one| &one.body.faces).collect();
        let here = Before::each(parts.iter().copied());
        let joined = match parts.as_slice() {
            [_] => None,
            parts => Some(FaceSet::joined(parts).map_err(|error| LoadError::Unusable {
                path: typed.to_owned(),
                problem: error.to_string(),
            })?),
        };
        let member = |(one, here): (One, Before)| {
            let Body { name, faces } = one.body;
            (Member { name, here, skipped: one.before.since(here), model: one.model }, faces)
        };
        let (bodies, mut own): (Vec<Member>, Vec<FaceSet>) =
            meant.bodies.into_iter().zip(here).map(member).unzip();
        let (name, faces) = match (joined, own.len()) {
            (None, 1) => (bodies[0].name.clone(), own.remove(0)),
            (joined, _) => (address.name(), joined.unwrap_or_else(|| own[0].clone())),
        };
        let building = format!("building the hierarchy of {}", typed.display());
        let threads = rayon::current_num_threads();
        let mesh = options
            .during(building, || Mesh::with_threads_until(faces, threads, options.deadline))
            .map_err(|error| LoadError::Mesh { name: name.clone(), error })?;
        Ok(Whole { deviation, about, faces: own, ..Whole::of(name, Arc::new(mesh), bodies) })
    }

    fn of(name: String, mesh: Arc<Mesh>, bodies: Vec<Member>) -> Whole {
        let (about, faces, solids) = (About::default(), Vec::new(), OnceLock::new());
        Whole { name, mesh, deviation: 0.0, about, bodies, faces, solids }
    }

    /// The one body that it is, with its place.
    pub fn single(&self) -> Option<(pair::Body, Pose)> {
        match self.bodies.as_slice() {
            [Member { model: Some(model), .. }] => {
                Some((pair::Body::Curved(Arc::clone(&model.body)), model.given.pose))
            }
            [_] => Some((pair::Body::Mesh(Arc::clone(&self.mesh)), Pose::IDENTITY)),
            _ => None,
        }
    }

    /// Its bodies one by one, made ready when first asked for: where several overlap, their faces taken together do not tell what is
    /// inside. None where one cannot be made.
    pub fn solids(&self) -> Option<&[pair::Body]> {
        let make = || {
            if self.faces.is_empty() {
                return Some(vec![pair::Body::Mesh(Arc::clone(&self.mesh))]);
            }
            let ready = |faces: &FaceSet| Mesh::with_threads(faces.clone(), 1).ok().map(pair::Body::mesh);
            self.faces.par_iter().map(ready).collect()
        };
        self.solids.get_or_init(make).as_deref()
    }

    /// How a triangle is called.
    pub fn face(&self, triangle: u32) -> FaceName<'_> {
        let triangle = triangle as usize;
        let face = self.mesh.faces().source_of_triangle(triangle);
        let last = self.bodies.partition_point(|body| body.here.triangles <= triangle).saturating_sub(1);
        let Some(Member { name, here, skipped, model }) = self.bodies.get(last) else {
            return FaceName { body: &self.name, face, triangle };
        };
        if let Some(model) = model {
            let own = triangle - here.triangles;
            let triangle = model.before.triangles + own;
            return FaceName { body: name, face: model.face(own), triangle };
        }
        FaceName { body: name, face: skipped.faces + face, triangle: skipped.triangles + triangle }
    }

    /// A feature of the bodies taken together, counted as the file does.
    pub fn feature(&self, feature: Feature) -> Feature {
        if let (Feature::Face(triangle), true) = (feature, self.deviation > 0.0) {
            return Feature::Face(self.face(triangle).face as u32);
        }
        let begins_by = |body: &Member| match feature {
            Feature::Vertex(vertex) | Feature::Edge(vertex, _) => body.here.vertices <= vertex as usize,
            Feature::Face(face) => body.here.faces <= face as usize,
        };
        let last = self.bodies.partition_point(begins_by).saturating_sub(1);
        self.bodies.get(last).map_or(feature, |body| body.skipped.count_on(feature))
    }

    /// A feature of the one body that it is, counted as the file does.
    pub fn own_feature(&self, feature: Feature) -> Feature {
        match self.bodies.as_slice() {
            [Member { model: Some(model), .. }] => model.before.count_on(feature),
            [Member { skipped, .. }] => skipped.count_on(feature),
            _ => feature,
        }
    }

    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// How many triangles all bodies have together.
    pub fn triangle_count(&self) -> usize {
        self.mesh.faces().triangles().len()
    }

    /// Extent along each axis.
    pub fn size(&self) -> DVec3 {
        MassProperties::of(self.mesh.faces()).size()
    }
}
