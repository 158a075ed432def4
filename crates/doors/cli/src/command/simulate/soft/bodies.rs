//! From the tables of bodies to bodies.

use super::super::scenario::Scenario;
use super::form::{BodyForm, Form, SheetForm};
use crate::failure::Failure;
use crate::progress;
use crate::reading::Reading;
use kontakt::io::{ReadOptions, read_tetrahedra};
use kontakt::math::{DVec3, Pose};
use kontakt::mesh::Mesh;
use kontakt::schedule::Deadline;
use kontakt::shapes::tetrahedra::{Tetrahedra, bear, slab, tetrahedron};
use kontakt::shapes::{FaceSet, make};
use kontakt::soft::{Body, SoftError, System, fill, move_apart};
use kontakt_load::address::Address;
use kontakt_load::load;
use std::path::Path;

/// Bodies, with the names that files and messages have for them.
pub(super) struct Bodies {
    pub(super) names: Vec<String>,
    pub(super) all: Vec<Body>,
    /// Which table of the scenario each comes from.
    pub(super) tables: Vec<usize>,
    /// How far each was moved so that none meets another; empty where that was not asked for.
    pub(super) moved: Vec<DVec3>,
}

/// A shape before it has a material.
enum Shape {
    Solid(Tetrahedra),
    Shell { places: Vec<DVec3>, triangles: Vec<[u32; 3]> },
}

/// All bodies of a scenario.
pub(super) fn build(form: &Form, scenario: &Scenario, deadline: Deadline) -> Result<Bodies, Failure> {
    let mut bodies = Bodies { names: Vec::new(), all: Vec::new(), tables: Vec::new(), moved: Vec::new() };
    for (table, body) in form.bodies.iter().enumerate() {
        let name = body.name.clone().unwrap_or_else(|| format!("body{}", table + 1));
        let wrong = |problem: String| scenario.wrong(&format!("body `{name}`: {problem}"));
        let shape = shape(body, scenario, deadline, &wrong)?;
        let first = made(form, body, &shape, scenario, &wrong)?;
        let (count, by) = body.copies.map_or((1, DVec3::ZERO), |c| (c.count.max(1), DVec3::from_array(c.by)));
        let vertices = u64::from(count).saturating_mul(first.places().len() as u64);
        let before: usize = bodies.all.iter().map(|body| body.places().len()).sum();
        if vertices.saturating_add(before as u64) > MOST_VERTICES {
            return Err(wrong(format!("more than {MOST_VERTICES} vertices in all")));
        }
        for copy in 0..count {
            let body = held(first.clone().moved(by * f64::from(copy)), body);
            bodies.names.push(if copy == 0 { name.clone() } else { format!("{name}#{}", copy + 1) });
            bodies.all.push(body);
            bodies.tables.push(table);
        }
    }
    if form.move_apart {
        bodies.moved = move_apart(&mut bodies.all).map_err(|error| bodies.explained(&error, scenario))?;
    }
    Ok(bodies)
}

impl Bodies {
    /// Puts them together; a start that is not free is told pair by pair.
    pub(super) fn system(&self, scenario: &Scenario) -> Result<System, Failure> {
        System::new(&self.all).map_err(|error| self.explained(&error, scenario))
    }

    fn explained(&self, error: &SoftError, scenario: &Scenario) -> Failure {
        /// Pairs that are named; the rest is counted.
        const NAMED: usize = 12;
        let SoftError::NotFree(meetings) = error else { return scenario.wrong(&error.to_string()) };
        let mut pairs: Vec<[u32; 2]> =
            meetings.iter().map(|m| [m.bodies[0].min(m.bodies[1]), m.bodies[0].max(m.bodies[1])]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let name = |body: u32| self.names.get(body as usize).map_or("?", String::as_str);
        let told = pairs.iter().take(NAMED).map(|&[a, b]| {
            if a == b { format!("{} with itself", name(a)) } else { format!("{} with {}", name(a), name(b)) }
        });
        let told = told.collect::<Vec<_>>().join(", ");
        let more = pairs.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} pairs more") } else { String::new() };
        let first = meetings.first().map_or(String::new(), |first| format!("; the first: {first}"));
        scenario.wrong(&format!(
            "the start is not free: {told}{more} meet{first}; `move_apart = true` moves bodies apart that meet one another"
        ))
    }
}

/// Pins and velocity are given in the world.
fn held(body: Body, form: &BodyForm) -> Body {
    let body = body.at_velocity(DVec3::from_array(form.velocity));
    body.pinned(|p| form.fixed || form.pinned.iter().any(|b| b.holds(p)))
}

/// The first copy, where it is to be; at rest in its own shape.
fn made(
    form: &Form,
    body: &BodyForm,
    shape: &Shape,
    scenario: &Scenario,
    wrong: &impl Fn(String) -> Failure,
) -> Result<Body, Failure> {
    let pose: Pose = body.pose().map_err(wrong)?;
    if !(body.scale.is_finite() && body.scale > 0.0) {
        return Err(wrong("`scale` must be finite and above 0".into()));
    }
    let name = body.material.as_deref();
    let made = match shape {
        Shape::Solid(solid) => {
            let material = form.material(name, true, scenario)?;
            let scaled = solid.mapped(|p| p * body.scale).map_err(|error| wrong(error.to_string()))?;
            Body::solid(&scaled, material)
        }
        Shape::Shell { places, triangles } => {
            let material = form.material(name, false, scenario)?;
            let places = places.iter().map(|&p| p * body.scale).collect();
            Body::cloth(places, triangles.clone(), material)
        }
    };
    Ok(made.map_err(|error| wrong(error.to_string()))?.deformed(|p| pose.apply(p)))
}

fn shape(
    body: &BodyForm,
    scenario: &Scenario,
    deadline: Deadline,
    wrong: &impl Fn(String) -> Failure,
) -> Result<Shape, Failure> {
    let of_faces = |faces: Result<FaceSet, kontakt::shapes::FaceSetError>| {
        faces.map_err(|error| wrong(error.to_string())).map(Found::Faces)
    };
    let of_solid = |solid: Result<Tetrahedra, String>| solid.map_err(wrong).map(Found::Solid);
    let mut found: Vec<Result<Found, Failure>> = Vec::new();
    if let Some(file) = &body.file {
        found.push(from_file(&scenario.beside(Path::new(file)), deadline));
    }
    if let Some(form) = &body.slab {
        let size = DVec3::from_array(form.size);
        let cells = form.cells.iter().fold(1_u64, |product, &c| product.saturating_mul(u64::from(c)));
        found.push(if form.cells.contains(&0) || cells > MOST_CELLS {
            Err(wrong(format!("`cells` must be above 0, {MOST_CELLS} together at most")))
        } else {
            of_solid(slab(form.cells, size).map_err(|e| e.to_string()))
        });
    }
    if let Some(edge) = body.tetrahedron {
        found.push(of_solid(tetrahedron(edge).map_err(|e| e.to_string())));
    }
    if let Some(cell) = body.bear {
        found.push(of_solid(
            progress::during("filling a bear".into(), || bear(cell)).map_err(|e| e.to_string()),
        ));
    }
    if let Some(form) = &body.sheet {
        found.push(sheet(form, wrong));
    }
    if let Some(form) = &body.ball {
        found.push(
            checked_frequency(form.frequency, wrong).and_then(|n| of_faces(make::bumpy_ball(n, form.bump))),
        );
    }
    if let Some(form) = &body.figure {
        let faces = |n| of_faces(make::knobbly(n, form.knobs.min(1000), form.seed));
        found.push(checked_frequency(form.frequency, wrong).and_then(faces));
    }
    if let Some(form) = &body.knot {
        let [along, around] = [form.along, form.around].map(|n| n.clamp(3, 20_000));
        found.push(of_faces(make::bumpy_knot(along, around, form.thickness, 0.0)));
    }
    if found.len() != 1 {
        return Err(wrong(format!(
            "it needs one shape, it has {}: `file`, `slab`, `tetrahedron`, `bear`, `sheet`, `ball`, `figure` or `knot`",
            found.len()
        )));
    }
    let found = found.swap_remove(0)?;
    match (found, body.fill) {
        (Found::Solid(solid), None) => Ok(Shape::Solid(solid)),
        (Found::Solid(_), Some(_)) => Err(wrong("`fill` is for surfaces, this is a solid already".into())),
        (Found::Faces(faces), None) => Ok(shell(&faces)),
        (Found::Faces(faces), Some(cell)) => {
            let filled = progress::during("filling a surface".into(), || -> Result<_, String> {
                let mesh = Mesh::new(faces).map_err(|error| error.to_string())?;
                fill(&mesh, cell).map_err(|error| error.to_string())
            });
            Ok(Shape::Solid(filled.map_err(wrong)?))
        }
    }
}

/// Vertices that fit into the memory of a usual machine.
const MOST_VERTICES: u64 = 50_000_000;
/// Cells of a slab or sheet at most.
const MOST_CELLS: u64 = 20_000_000;
/// Triangles along an edge of the icosahedron that balls come from, at most: 20 million triangles.
const MOST_FREQUENCY: u32 = 1000;

enum Found {
    Solid(Tetrahedra),
    Faces(FaceSet),
}

fn checked_frequency(frequency: u32, wrong: &impl Fn(String) -> Failure) -> Result<u32, Failure> {
    if (1..=MOST_FREQUENCY).contains(&frequency) {
        return Ok(frequency);
    }
    Err(wrong(format!("`frequency` must be from 1 to {MOST_FREQUENCY}")))
}

/// A solid where the file has tetrahedra; else the faces of all bodies that are meant.
fn from_file(typed: &Path, deadline: Deadline) -> Result<Found, Failure> {
    let options = ReadOptions { deadline, ..ReadOptions::default() };
    if let Some(solid) = read_tetrahedra(typed, &options)? {
        return Ok(Found::Solid(solid));
    }
    let meant = load::meant(&Address::of(typed), &Reading::default().options(deadline))?.whole()?;
    let (mut places, mut triangles) = (Vec::new(), Vec::new());
    for one in &meant.bodies {
        let base = places.len() as u32;
        places.extend_from_slice(one.body.faces.vertices());
        triangles.extend(one.body.faces.triangles().iter().map(|t| t.map(|v| v + base)));
    }
    FaceSet::from_triangles(places, triangles)
        .map(Found::Faces)
        .map_err(|error| Failure::Unusable { path: typed.to_owned(), problem: error.to_string() })
}

/// A rectangle of squares cut in two, in the plane z = 0 around the origin.
fn sheet(form: &SheetForm, wrong: &impl Fn(String) -> Failure) -> Result<Found, Failure> {
    let [nx, ny] = form.cells;
    if nx == 0 || ny == 0 || u64::from(nx) * u64::from(ny) > MOST_CELLS {
        return Err(wrong(format!("`cells` must be above 0, {MOST_CELLS} together at most")));
    }
    let at = |i: u32, j: u32| j * (nx + 1) + i;
    let place = |i: u32, j: u32| {
        let share = |k: u32, n: u32, size: f64| (f64::from(k) / f64::from(n) - 0.5) * size;
        DVec3::new(share(i, nx, form.size[0]), share(j, ny, form.size[1]), 0.0)
    };
    let places = (0..=ny).flat_map(|j| (0..=nx).map(move |i| (i, j))).map(|(i, j)| place(i, j)).collect();
    let cells = (0..ny).flat_map(|j| (0..nx).map(move |i| (i, j)));
    // Diagonals turn from cell to cell: no direction is stiffer than its mirror image.
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    });
    FaceSet::from_triangles(places, triangles.collect()).map(Found::Faces).map_err(|e| wrong(e.to_string()))
}

/// The triangles with the vertices they use.
fn shell(faces: &FaceSet) -> Shape {
    let mut names = vec![u32::MAX; faces.vertices().len()];
    let mut places = Vec::new();
    let mut name = |v: u32| {
        let name = &mut names[v as usize];
        if *name == u32::MAX {
            *name = places.len() as u32;
            places.push(faces.vertices()[v as usize]);
        }
        *name
    };
    let triangles = faces.triangles().iter().map(|t| t.map(&mut name)).collect();
    Shape::Shell { places, triangles }
}
