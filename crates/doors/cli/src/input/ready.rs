//! Bodies of a file made ready for queries: read, and their hierarchies built.

use super::load;
use crate::args::{Reading, SplitName};
use crate::failure::Failure;
use crate::progress;
use kontakt::answers::Feature;
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
    /// First triangle and name of each body.
    bodies: Vec<(u32, String)>,
    /// Source face of each triangle in the file's order; empty where the mesh itself knows.
    sources: Vec<u32>,
}

/// A face of a [`Whole`] as reports name it; numbers count from 0 in the file's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct FaceName<'a> {
    pub(crate) body: &'a str,
    pub(crate) face: usize,
    pub(crate) triangle: u32,
}

impl Whole {
    /// Reads a file and builds one hierarchy over all of its bodies.
    pub(crate) fn load(path: &Path, reading: &Reading) -> Result<Whole, Failure> {
        if let Some(mut bodies) = saved(path, reading)?
            && bodies.len() == 1
            && let Some((name, stored)) = bodies.pop()
        {
            let bodies = vec![(0, name.clone())];
            let mesh = Mesh::from_stored(stored);
            return Ok(Whole { name, mesh, report: ReadReport::default(), bodies, sources: Vec::new() });
        }
        let mut loaded = load::load(path, reading)?;
        let threads = rayon::current_num_threads();
        let building = || format!("building the hierarchy of {}", path.display());
        if loaded.bodies.len() == 1
            && let Some(body) = loaded.bodies.pop()
        {
            let ready = progress::during(building(), || build(body, threads))?;
            let bodies = vec![(0, ready.name.clone())];
            let report = loaded.report;
            return Ok(Whole { name: ready.name, mesh: ready.mesh, report, bodies, sources: Vec::new() });
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let joined = Joined::of(loaded.bodies)
            .map_err(|problem| Failure::Unusable { path: path.to_owned(), problem })?;
        let ready = progress::during(building(), || {
            build(Body { name: name.clone(), faces: joined.faces }, threads)
        })?;
        let (bodies, sources) = (joined.bodies, joined.sources);
        Ok(Whole { name, mesh: ready.mesh, report: loaded.report, bodies, sources })
    }

    /// How a triangle is called.
    pub(crate) fn face(&self, triangle: u32) -> FaceName<'_> {
        let body = self.bodies.partition_point(|(first, _)| *first <= triangle).saturating_sub(1);
        let own = || self.mesh.faces().source_of_triangle(triangle as usize);
        FaceName {
            body: self.bodies.get(body).map_or(self.name.as_str(), |(_, name)| name.as_str()),
            face: self.sources.get(triangle as usize).map_or_else(own, |&face| face as usize),
            triangle,
        }
    }

    /// A feature that a query names by the mesh, as the file numbers it: a mesh joined of several bodies has faces of its own.
    pub(crate) fn feature(&self, feature: Feature) -> Feature {
        match feature {
            Feature::Face(face) => Feature::Face(self.sources.get(face as usize).copied().unwrap_or(face)),
            other => other,
        }
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

/// Bodies one after the other in one face set.
struct Joined {
    faces: FaceSet,
    bodies: Vec<(u32, String)>,
    sources: Vec<u32>,
}

impl Joined {
    fn of(parts: Vec<Body>) -> Result<Joined, String> {
        let count = |of: fn(&FaceSet) -> usize| parts.iter().map(|body| of(&body.faces)).sum::<usize>();
        let vertex_count = count(|faces| faces.vertices().len());
        let triangle_count = count(|faces| faces.triangles().len());
        if u32::try_from(vertex_count.max(triangle_count).max(count(FaceSet::source_count))).is_err() {
            return Err("all bodies together have more vertices or faces than 32-bit ids can name".into());
        }
        let mut vertices = Vec::with_capacity(vertex_count);
        let mut triangles = Vec::with_capacity(triangle_count);
        let mut sources = Vec::with_capacity(triangle_count);
        let mut bodies = Vec::with_capacity(parts.len());
        let mut first_face = 0;
        for Body { name, faces } in parts {
            bodies.push((triangles.len() as u32, name));
            let shift = vertices.len() as u32;
            vertices.extend_from_slice(faces.vertices());
            triangles.extend(faces.triangles().iter().map(|t| t.map(|i| i + shift)));
            for face in 0..faces.face_count() {
                let source = (first_face + faces.source_of_face(face)) as u32;
                sources.extend(faces.triangles_of_face(face).map(|_| source));
            }
            first_face += faces.source_count();
        }
        let faces = FaceSet::from_triangles(vertices, triangles).map_err(|error| error.to_string())?;
        Ok(Joined { faces, bodies, sources })
    }
}
