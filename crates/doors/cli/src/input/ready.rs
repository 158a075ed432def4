//! Bodies of a file made ready for queries: read, and their hierarchies built.

use super::load;
use crate::args::{Reading, SplitName};
use crate::failure::Failure;
use crate::progress;
use kontakt::hierarchy::store::Stored;
use kontakt::io::{Format, ReadReport, read_stored};
use kontakt::math::DVec3;
use kontakt::mesh::Mesh;
use kontakt::shapes::{Body, FaceSet, MassProperties};
use rayon::prelude::*;
use std::path::Path;

/// A body with its hierarchy.
pub(crate) struct Ready {
    pub(crate) name: String,
    pub(crate) mesh: Mesh,
}

impl Ready {
    /// Extent along each axis.
    pub(crate) fn size(&self) -> DVec3 {
        MassProperties::of(self.mesh.faces()).size()
    }
}

/// Reads a file and builds the hierarchy of each of its bodies.
pub(crate) fn load(path: &Path, reading: &Reading) -> Result<(Vec<Ready>, ReadReport), Failure> {
    if let Some(bodies) = saved(path, reading)? {
        let ready = |(name, stored)| Ready { name, mesh: Mesh::from_stored(stored) };
        return Ok((bodies.into_iter().map(ready).collect(), ReadReport::default()));
    }
    let loaded = load::load(path, reading)?;
    Ok((build_all(loaded.bodies)?, loaded.report))
}

/// Bodies that need no building: those of a saved hierarchy, unless they are to be split further.
fn saved(path: &Path, reading: &Reading) -> Result<Option<Vec<(String, Stored)>>, Failure> {
    let whole = matches!(reading.split, None | Some(SplitName::Objects));
    if !whole || Format::of(path) != Some(Format::Kh) {
        return Ok(None);
    }
    Ok(Some(progress::during(format!("reading {}", path.display()), || read_stored(path))?))
}

/// Hierarchies of many bodies side by side, of few bodies one after the other with all threads each.
pub(crate) fn build_all(bodies: Vec<Body>) -> Result<Vec<Ready>, Failure> {
    let threads = rayon::current_num_threads();
    progress::during("building hierarchies".into(), || {
        if bodies.len() < threads {
            bodies.into_iter().map(|body| build(body, threads)).collect()
        } else {
            bodies.into_par_iter().map(|body| build(body, 1)).collect()
        }
    })
}

fn build(body: Body, threads: usize) -> Result<Ready, Failure> {
    let Body { name, faces } = body;
    let mesh =
        Mesh::with_threads(faces, threads).map_err(|error| Failure::Mesh { name: name.clone(), error })?;
    Ok(Ready { name, mesh })
}

/// All bodies of one file together, for questions that do not tell them apart.
pub(crate) struct Whole {
    /// The file, or the body where there is only one.
    pub(crate) name: String,
    pub(crate) mesh: Mesh,
    pub(crate) report: ReadReport,
    bodies: Vec<Member>,
}

/// One body of a [`Whole`], by where it begins.
struct Member {
    name: String,
    first_triangle: usize,
    first_face: usize,
}

/// A face as reports name it: numbers count from 0 within the body, in the file's order. `face` is a face of the file, `triangle`
/// one of the triangles that faces are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct FaceName<'a> {
    pub(crate) body: &'a str,
    pub(crate) face: usize,
    pub(crate) triangle: usize,
}

impl Ready {
    /// How a triangle is called.
    pub(crate) fn face(&self, triangle: u32) -> FaceName<'_> {
        let triangle = triangle as usize;
        FaceName { body: &self.name, face: self.mesh.faces().source_of_triangle(triangle), triangle }
    }
}

impl Whole {
    /// Reads a file and builds one hierarchy over all of its bodies.
    pub(crate) fn load(path: &Path, reading: &Reading) -> Result<Whole, Failure> {
        if let Some(mut bodies) = saved(path, reading)?
            && bodies.len() == 1
            && let Some((name, stored)) = bodies.pop()
        {
            return Ok(Whole::single(Ready { name, mesh: Mesh::from_stored(stored) }, ReadReport::default()));
        }
        let mut loaded = load::load(path, reading)?;
        let threads = rayon::current_num_threads();
        let building = || format!("building the hierarchy of {}", path.display());
        if loaded.bodies.len() == 1
            && let Some(body) = loaded.bodies.pop()
        {
            let ready = progress::during(building(), || build(body, threads))?;
            return Ok(Whole::single(ready, loaded.report));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let parts: Vec<&FaceSet> = loaded.bodies.iter().map(|body| &body.faces).collect();
        let faces = FaceSet::joined(&parts)
            .map_err(|error| Failure::Unusable { path: path.to_owned(), problem: error.to_string() })?;
        let (mut first_triangle, mut first_face) = (0, 0);
        let bodies = loaded.bodies.into_iter().map(|Body { name, faces }| {
            let member = Member { name, first_triangle, first_face };
            first_triangle += faces.triangles().len();
            first_face += faces.source_count();
            member
        });
        let bodies = bodies.collect();
        let ready = progress::during(building(), || build(Body { name, faces }, threads))?;
        Ok(Whole { name: ready.name, mesh: ready.mesh, report: loaded.report, bodies })
    }

    fn single(ready: Ready, report: ReadReport) -> Whole {
        let bodies = vec![Member { name: ready.name.clone(), first_triangle: 0, first_face: 0 }];
        Whole { name: ready.name, mesh: ready.mesh, report, bodies }
    }

    /// How a triangle is called.
    pub(crate) fn face(&self, triangle: u32) -> FaceName<'_> {
        let triangle = triangle as usize;
        let last = self.bodies.partition_point(|body| body.first_triangle <= triangle).saturating_sub(1);
        let source = self.mesh.faces().source_of_triangle(triangle);
        self.bodies.get(last).map_or(FaceName { body: &self.name, face: source, triangle }, |body| FaceName {
            body: &body.name,
            face: source - body.first_face,
            triangle: triangle - body.first_triangle,
        })
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
