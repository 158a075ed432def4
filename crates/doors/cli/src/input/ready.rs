//! Bodies of a file made ready for queries: read, and their hierarchies built.

use super::address::Address;
use super::before::Before;
use super::load::{self, Meant};
use crate::failure::Failure;
use crate::progress;
use crate::reading::{Reading, SplitName};
use kontakt::answers::Feature;
use kontakt::hierarchy::store::Stored;
use kontakt::io::{Format, ReadReport, read_stored_until};
use kontakt::math::DVec3;
use kontakt::mesh::Mesh;
use kontakt::pair;
use kontakt::schedule::Deadline;
use kontakt::shapes::{Body, FaceSet, MassProperties};
use rayon::prelude::*;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A body with its hierarchy.
pub(crate) struct Ready {
    pub(crate) name: String,
    pub(crate) mesh: Mesh,
    /// How many faces and triangles the bodies before it in the file have.
    pub(crate) before: Before,
}

impl Ready {
    /// Extent along each axis.
    pub(crate) fn size(&self) -> DVec3 {
        MassProperties::of(self.mesh.faces()).size()
    }
}

/// Reads the bodies that are meant and builds the hierarchy of each, until a deadline.
pub(crate) fn load(
    address: &Address,
    reading: &Reading,
    deadline: Deadline,
) -> Result<(Vec<Ready>, ReadReport), Failure> {
    if let Some(bodies) = saved(address, reading, deadline)? {
        return Ok((bodies, ReadReport::default()));
    }
    let Meant { bodies, report } = load::meant(address, reading, deadline)?;
    let (bodies, before): (Vec<Body>, Vec<Before>) = bodies.into_iter().unzip();
    let mut ready = build_all(bodies, deadline)?;
    for (body, before) in ready.iter_mut().zip(before) {
        body.before = before;
    }
    Ok((ready, report))
}

/// Bodies that need no building: those of a saved hierarchy, unless they are to be split further.
fn saved(address: &Address, reading: &Reading, deadline: Deadline) -> Result<Option<Vec<Ready>>, Failure> {
    let whole = matches!(reading.split, None | Some(SplitName::Objects));
    let path = &address.file;
    if !whole || Format::of(path) != Some(Format::Kh) {
        return Ok(None);
    }
    let stored =
        progress::during(format!("reading {}", path.display()), || read_stored_until(path, deadline))?;
    let places = address.pick(stored.iter().map(|(name, _)| name.as_str()))?;
    let before = Before::each(stored.iter().map(|(_, stored)| stored.faces()));
    let chosen = load::chosen(stored.into_iter().zip(before), &places);
    let ready = |((name, stored), before): ((String, Stored), _)| Ready {
        name,
        mesh: Mesh::from_stored(stored),
        before,
    };
    Ok(Some(chosen.into_iter().map(ready).collect()))
}

/// Hierarchies of many bodies side by side, of few bodies one after the other with all threads each.
pub(crate) fn build_all(bodies: Vec<Body>, deadline: Deadline) -> Result<Vec<Ready>, Failure> {
    let threads = rayon::current_num_threads();
    progress::during("building hierarchies".into(), || {
        if bodies.len() < threads {
            bodies.into_iter().map(|body| build(body, threads, deadline)).collect()
        } else {
            bodies.into_par_iter().map(|body| build(body, 1, deadline)).collect()
        }
    })
}

fn build(body: Body, threads: usize, deadline: Deadline) -> Result<Ready, Failure> {
    let Body { name, faces } = body;
    let mesh = Mesh::with_threads_until(faces, threads, deadline)
        .map_err(|error| Failure::Mesh { name: name.clone(), error })?;
    Ok(Ready { name, mesh, before: Before::default() })
}

/// All bodies of one file together, for questions that do not tell them apart.
pub(crate) struct Whole {
    /// The file, or the body where there is only one.
    pub(crate) name: String,
    pub(crate) mesh: Arc<Mesh>,
    pub(crate) report: ReadReport,
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
}

/// A face as reports name it: numbers count from 0 in the file's order, through its bodies one after the other. `face` is a face
/// of the file, `triangle` one of the triangles that faces are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct FaceName<'a> {
    pub(crate) body: &'a str,
    pub(crate) face: usize,
    pub(crate) triangle: usize,
}

impl Ready {
    /// How a triangle is called.
    pub(crate) fn face(&self, triangle: u32) -> FaceName<'_> {
        let face = self.before.faces + self.mesh.faces().source_of_triangle(triangle as usize);
        FaceName { body: &self.name, face, triangle: self.before.triangles + triangle as usize }
    }
}

impl Whole {
    /// Reads the bodies that are meant, `FILE` or `FILE:NAME`, and builds one hierarchy over all of them, until a deadline.
    pub(crate) fn load(typed: &Path, reading: &Reading, deadline: Deadline) -> Result<Whole, Failure> {
        let address = Address::of(typed);
        if let Some(mut bodies) = saved(&address, reading, deadline)?
            && bodies.len() == 1
            && let Some(ready) = bodies.pop()
        {
            return Ok(Whole::single(ready, ReadReport::default()));
        }
        let Meant { mut bodies, report } = load::meant(&address, reading, deadline)?;
        let threads = rayon::current_num_threads();
        let building = || format!("building the hierarchy of {}", typed.display());
        if bodies.len() == 1
            && let Some((body, before)) = bodies.pop()
        {
            let ready = progress::during(building(), || build(body, threads, deadline))?;
            return Ok(Whole::single(Ready { before, ..ready }, report));
        }
        let parts: Vec<&FaceSet> = bodies.iter().map(|(body, _)| &body.faces).collect();
        let faces = FaceSet::joined(&parts)
            .map_err(|error| Failure::Unusable { path: typed.to_owned(), problem: error.to_string() })?;
        let here = Before::each(parts.into_iter());
        let member = |((Body { name, faces }, in_file), here): ((Body, Before), Before)| {
            (Member { name, here, skipped: in_file.since(here) }, faces)
        };
        let (bodies, own) = bodies.into_iter().zip(here).map(member).unzip();
        let joined = Body { name: address.name(), faces };
        let ready = progress::during(building(), || build(joined, threads, deadline))?;
        Ok(Whole {
            name: ready.name,
            mesh: Arc::new(ready.mesh),
            report,
            bodies,
            faces: own,
            solids: OnceLock::new(),
        })
    }

    fn single(ready: Ready, report: ReadReport) -> Whole {
        let bodies =
            vec![Member { name: ready.name.clone(), here: Before::default(), skipped: ready.before }];
        let (faces, solids) = (Vec::new(), OnceLock::new());
        Whole { name: ready.name, mesh: Arc::new(ready.mesh), report, bodies, faces, solids }
    }

    /// Its bodies one by one, made ready when first asked for: where several overlap, their faces taken together do not tell what is
    /// inside. None where one cannot be made.
    pub(crate) fn solids(&self) -> Option<&[pair::Body]> {
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
    pub(crate) fn face(&self, triangle: u32) -> FaceName<'_> {
        let triangle = triangle as usize;
        let face = self.mesh.faces().source_of_triangle(triangle);
        let last = self.bodies.partition_point(|body| body.here.triangles <= triangle).saturating_sub(1);
        let Some(Member { name, skipped, .. }) = self.bodies.get(last) else {
            return FaceName { body: &self.name, face, triangle };
        };
        FaceName { body: name, face: skipped.faces + face, triangle: skipped.triangles + triangle }
    }

    /// A feature of the bodies taken together, counted as the file does.
    pub(crate) fn feature(&self, feature: Feature) -> Feature {
        let begins_by = |body: &Member| match feature {
            Feature::Vertex(vertex) | Feature::Edge(vertex, _) => body.here.vertices <= vertex as usize,
            Feature::Face(face) => body.here.faces <= face as usize,
        };
        let last = self.bodies.partition_point(begins_by).saturating_sub(1);
        self.bodies.get(last).map_or(feature, |body| body.skipped.count_on(feature))
    }

    /// How many bodies there are.
    pub(crate) fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// How many triangles all bodies have together.
    pub(crate) fn triangle_count(&self) -> usize {
        self.mesh.faces().triangles().len()
    }

    /// Extent along each axis.
    pub(crate) fn size(&self) -> DVec3 {
        MassProperties::of(self.mesh.faces()).size()
    }
}
