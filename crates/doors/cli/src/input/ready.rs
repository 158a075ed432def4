//! Bodies of a file made ready for queries: read, and their hierarchies built.

use super::load;
use crate::failure::Failure;
use crate::progress;
use crate::reading::{Reading, SplitName};
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

/// Where a body begins in its file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Before {
    pub(crate) faces: usize,
    pub(crate) triangles: usize,
}

impl Before {
    /// Where the body after one with these faces begins.
    fn after(self, faces: &FaceSet) -> Before {
        Before {
            faces: self.faces + faces.source_count(),
            triangles: self.triangles + faces.triangles().len(),
        }
    }
}

impl Ready {
    /// Extent along each axis.
    pub(crate) fn size(&self) -> DVec3 {
        MassProperties::of(self.mesh.faces()).size()
    }
}

/// Reads a file and builds the hierarchy of each of its bodies, until a deadline.
pub(crate) fn load(
    path: &Path,
    reading: &Reading,
    deadline: Deadline,
) -> Result<(Vec<Ready>, ReadReport), Failure> {
    let (mut bodies, report) = if let Some(bodies) = saved(path, reading, deadline)? {
        let ready =
            |(name, stored)| Ready { name, mesh: Mesh::from_stored(stored), before: Before::default() };
        (bodies.into_iter().map(ready).collect(), ReadReport::default())
    } else {
        let loaded = load::load(path, reading, deadline)?;
        (build_all(loaded.bodies, deadline)?, loaded.report)
    };
    let mut before = Before::default();
    for body in &mut bodies {
        body.before = before;
        before = before.after(body.mesh.faces());
    }
    Ok((bodies, report))
}

/// Bodies that need no building: those of a saved hierarchy, unless they are to be split further.
fn saved(
    path: &Path,
    reading: &Reading,
    deadline: Deadline,
) -> Result<Option<Vec<(String, Stored)>>, Failure> {
    let whole = matches!(reading.split, None | Some(SplitName::Objects));
    if !whole || Format::of(path) != Some(Format::Kh) {
        return Ok(None);
    }
    let stored =
        progress::during(format!("reading {}", path.display()), || read_stored_until(path, deadline))?;
    Ok(Some(stored))
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
    before: Before,
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
    /// Reads a file and builds one hierarchy over all of its bodies, until a deadline.
    pub(crate) fn load(path: &Path, reading: &Reading, deadline: Deadline) -> Result<Whole, Failure> {
        if let Some(mut bodies) = saved(path, reading, deadline)?
            && bodies.len() == 1
            && let Some((name, stored)) = bodies.pop()
        {
            let mesh = Mesh::from_stored(stored);
            return Ok(Whole::single(Ready { name, mesh, before: Before::default() }, ReadReport::default()));
        }
        let mut loaded = load::load(path, reading, deadline)?;
        let threads = rayon::current_num_threads();
        let building = || format!("building the hierarchy of {}", path.display());
        if loaded.bodies.len() == 1
            && let Some(body) = loaded.bodies.pop()
        {
            let ready = progress::during(building(), || build(body, threads, deadline))?;
            return Ok(Whole::single(ready, loaded.report));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let parts: Vec<&FaceSet> = loaded.bodies.iter().map(|body| &body.faces).collect();
        let faces = FaceSet::joined(&parts)
            .map_err(|error| Failure::Unusable { path: path.to_owned(), problem: error.to_string() })?;
        let mut next = Before::default();
        let member = |Body { name, faces }| {
            let before = next;
            next = before.after(&faces);
            (Member { name, before }, faces)
        };
        let (bodies, own) = loaded.bodies.into_iter().map(member).unzip();
        let ready = progress::during(building(), || build(Body { name, faces }, threads, deadline))?;
        Ok(Whole {
            name: ready.name,
            mesh: Arc::new(ready.mesh),
            report: loaded.report,
            bodies,
            faces: own,
            solids: OnceLock::new(),
        })
    }

    fn single(ready: Ready, report: ReadReport) -> Whole {
        let bodies = vec![Member { name: ready.name.clone(), before: Before::default() }];
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
        let last = self.bodies.partition_point(|body| body.before.triangles <= triangle).saturating_sub(1);
        let body = self.bodies.get(last).map_or(self.name.as_str(), |body| body.name.as_str());
        // The bodies were joined in their order, so their faces count on.
        FaceName { body, face: self.mesh.faces().source_of_triangle(triangle), triangle }
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
