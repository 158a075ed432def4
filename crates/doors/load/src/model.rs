//! Bodies with curved faces, read and tessellated.

use crate::address::{Address, chosen};
use crate::before::Before;
use crate::error::LoadError;
use crate::options::LoadOptions;
use crate::remarks::Tessellated;
use kontakt_curved::{Body, BodyError, Brep, TessellateError, TessellationOptions};
use kontakt_io::{CurvedBody, CurvedFile, Format, ReadOptions, read_curved};
use kontakt_math::Pose;
use kontakt_math::round::add_up;
use kontakt_scene::Missing;
use kontakt_schedule::Deadline;
use kontakt_shapes::{self as shapes, FaceSet};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The bodies meant, and what is to be said about the file.
pub struct Model {
    /// In the order of the file.
    pub bodies: Vec<ModelBody>,
    /// The file.
    pub about: Tessellated,
}

/// One body where its assembly puts it.
#[derive(Clone)]
pub struct ModelBody {
    /// As the file has it.
    pub given: CurvedBody,
    /// Instances share it.
    pub body: Arc<Body>,
    /// Faces are those of the file, triangles those of the bodies meant.
    pub before: Before,
}

impl Model {
    /// Reads the bodies that are meant and tessellates each once, however often it is placed. Nothing for files without curved faces.
    pub fn load(address: &Address, options: &LoadOptions) -> Result<Option<Model>, LoadError> {
        let path = &address.file;
        if !Format::of(path).is_some_and(Format::is_curved) {
            return Ok(None);
        }
        let how = ReadOptions { deadline: options.deadline, ..ReadOptions::default() };
        let CurvedFile { bodies, report } =
            options.during(format!("reading {}", path.display()), || read_curved(path, &how))?;
        let places = address.pick(bodies.iter().map(|body| body.name.as_str()))?;
        let mut faces = 0;
        let begin = |body: &CurvedBody| {
            faces += body.brep.faces().len();
            faces - body.brep.faces().len()
        };
        let before: Vec<usize> = bodies.iter().map(begin).collect();
        let meant = chosen(bodies.into_iter().zip(before), &places);
        let shapes = options.during(format!("tessellating {}", path.display()), || {
            tessellated(meant.iter().map(|(body, _)| &body.brep), options)
        });
        let mut model = Model { bodies: Vec::new(), about: Tessellated::new(report) };
        let mut triangles = 0;
        for (given, faces) in meant {
            match &shapes[&address_of(&given.brep)] {
                None => {
                    let expired = kontakt_schedule::Expired;
                    return Err(LoadError::Late { name: given.name, expired });
                }
                Some(Err(problem)) => model.about.miss(given.name, problem.clone()),
                Some(Ok(body)) => {
                    if given.lost_faces > 0 {
                        let problem = format!("{} of its faces could not be read", given.lost_faces);
                        model.about.miss(given.name.clone(), problem);
                    }
                    model.about.add(&given.name, body);
                    let before = Before { vertices: 0, faces, triangles };
                    triangles += body.tessellation().triangles.len();
                    model.bodies.push(ModelBody { given, body: Arc::clone(body), before });
                }
            }
        }
        if address.may_mean_nameless() {
            model.about.miss_lost(&address.file_name());
        }
        match model.about.missing.first() {
            Some(Missing { name, problem }) if model.bodies.is_empty() => Err(LoadError::Unusable {
                path: path.clone(),
                problem: format!("no body can be used, the first is {name}: {problem}"),
            }),
            _ => Ok(Some(model)),
        }
    }
}

impl ModelBody {
    /// Its triangles where its assembly puts it.
    pub fn faces(&self) -> Result<shapes::Body, LoadError> {
        let name = self.given.name.clone();
        let points = &self.body.tessellation().points;
        let pose = self.given.pose;
        let moved = |pose: Pose| points.iter().map(|&x| pose.apply(x)).collect();
        let vertices = if pose == Pose::IDENTITY { points.clone() } else { moved(pose) };
        let faces = FaceSet::from_triangles(vertices, self.body.tessellation().triangles.clone());
        let faces =
            faces.map_err(|error| LoadError::Body { name: name.clone(), problem: error.to_string() })?;
        Ok(shapes::Body { name, faces })
    }

    /// **Never less** than how far these lie off the true surfaces.
    pub fn deviation(&self) -> f64 {
        let pose = self.given.pose;
        let moved = self.body.tessellation().points.iter().map(|&x| pose.apply_error(x));
        if pose == Pose::IDENTITY {
            return self.body.deviation();
        }
        add_up(self.body.deviation(), moved.fold(0.0, f64::max))
    }

    /// The file's face that a triangle is part of, counted through the file.
    pub fn face(&self, triangle: usize) -> usize {
        let own = self.body.tessellation().faces.get(triangle).copied().unwrap_or(0);
        self.before.faces + own as usize
    }
}

fn address_of(brep: &Arc<Brep>) -> usize {
    Arc::as_ptr(brep).addr()
}

/// Bodies of no more faces are tessellated however short the time is, if that takes no longer than this.
const SMALL: usize = 100;
const GRACE: Duration = Duration::from_millis(100);

/// Each boundary once; `None` where the deadline came first.
type Shapes = HashMap<usize, Option<Result<Arc<Body>, String>>>;

fn tessellated<'a>(breps: impl Iterator<Item = &'a Arc<Brep>>, options: &LoadOptions) -> Shapes {
    let different: HashMap<usize, &Arc<Brep>> = breps.map(|brep| (address_of(brep), brep)).collect();
    // Small bodies get some time however short the limit is.
    let until = |brep: &Brep| match options.deadline.left() {
        Some(left) if brep.faces().len() <= SMALL => Deadline::after(left.max(GRACE)),
        _ => options.deadline,
    };
    let make = |brep: &Arc<Brep>| {
        let how = TessellationOptions::usual(brep, options.deviation);
        match Body::until(brep, &how, until(brep)) {
            Ok(body) => Some(Ok(Arc::new(body))),
            Err(BodyError::Tessellation(TessellateError::Expired(_))) => None,
            Err(error) => Some(Err(error.to_string())),
        }
    };
    different.into_par_iter().map(|(place, brep)| (place, make(brep))).collect()
}
