//! Contacts of a deforming mesh in one step.

use crate::args::{Ccd, Common, Reading};
use crate::clock::ProcessClock;
use crate::failure::Failure;
use crate::progress;
use crate::report::{List, Report};
use crate::text::{self, Table};
use kontakt::math::DVec3;
use kontakt::schedule::Deadline;
use kontakt::soft_ccd::Kind;
use kontakt::soft_ccd::mesh::{Counts, FaceCells, MeshContact, Method, Options, Search, Step, Surface};
use kontakt_load::load::load;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// Contacts shown as text, the earliest first.
const EARLIEST: usize = 10;

pub(super) fn run(ccd: &Ccd, from: &Path, to: &Path, common: &Common) -> Result<MeshReport, Failure> {
    let options = options(ccd)?;
    let (start, end) = (Places::load(from, common.deadline)?, Places::load(to, common.deadline)?);
    end.must_have_the_faces_of(&start, from, to)?;
    let unusable = |problem: String| Failure::Unusable { path: from.to_owned(), problem };
    let surface = Surface::new(start.vertices.len(), start.triangles)
        .and_then(|surface| surface.with_bodies(start.bodies))
        .map_err(|error| unusable(error.to_string()))?;
    let step =
        Step::new(&surface, &start.vertices, &end.vertices).map_err(|error| unusable(error.to_string()))?;
    let found = progress::during("searching contacts".into(), || search(&step, &options, common));
    Ok(MeshReport {
        files: [from, to].map(|path| path.display().to_string()),
        method: if ccd.method == "certified" { "cells".into() } else { ccd.method.clone() },
        sizes: [
            surface.used_vertices().len(),
            surface.edges().len(),
            surface.triangles().len(),
            start.body_count,
        ],
        separation: ccd.separation,
        edges: surface.edges().to_vec(),
        triangles: surface.triangles().to_vec(),
        faces: start.faces,
        found,
    })
}

fn options(ccd: &Ccd) -> Result<Options, Failure> {
    let (cell, table) = (ccd.search.cell, ccd.search.table);
    let hash = |faces: FaceCells| Method::Hash { cell, table, faces };
    let method = match ccd.method.as_str() {
        "certified" | "cells" => Method::Cells,
        "sweep" => Method::Sweep,
        "all-pairs" => Method::AllPairs,
        "hash" => hash(FaceCells::Box),
        "hash-tube" => hash(FaceCells::Tube),
        "hash-three-tubes" => hash(FaceCells::ThreeTubes),
        other => {
            return Err(Failure::Usage(format!("--method {other} is for files of queries, not for meshes")));
        }
    };
    if (cell.is_some() || table.is_some()) && !matches!(method, Method::Hash { .. }) {
        return Err(Failure::Usage(
            "--cell and --table need --method hash, hash-tube or hash-three-tubes".into(),
        ));
    }
    let usual = Options::default();
    let memory = ccd.search.memory.unwrap_or(usual.memory);
    let separation = ccd.separation.unwrap_or(0.0);
    Ok(Options { method, among: ccd.search.among.into(), width: ccd.width, separation, memory })
}

/// All bodies of a file as one list of vertices and triangles.
struct Places {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// The body of each vertex, in the order of the file.
    bodies: Vec<u32>,
    body_count: usize,
    /// The face of the file that each triangle is part of.
    faces: Vec<u32>,
}

impl Places {
    fn load(path: &Path, deadline: Deadline) -> Result<Places, Failure> {
        let loaded = load(path, &Reading::default().options(deadline))?.whole()?;
        let mut all = Places {
            vertices: Vec::new(),
            triangles: Vec::new(),
            bodies: Vec::new(),
            body_count: 0,
            faces: Vec::new(),
        };
        let mut faces_before = 0;
        for body in loaded.bodies.iter().map(|one| &one.body) {
            let first = all.vertices.len() as u32;
            let face = |t: usize| faces_before + body.faces.source_of_triangle(t) as u32;
            all.faces.extend((0..body.faces.triangles().len()).map(face));
            faces_before += body.faces.source_count() as u32;
            all.triangles
                .extend(body.faces.triangles().iter().map(|face| face.map(|v| first.saturating_add(v))));
            all.vertices.extend_from_slice(body.faces.vertices());
            all.bodies.resize(all.vertices.len(), all.body_count as u32);
            all.body_count += 1;
        }
        Ok(all)
    }

    fn must_have_the_faces_of(&self, start: &Places, from: &Path, to: &Path) -> Result<(), Failure> {
        let unlike = |problem: String| {
            let problem = format!("{problem}; start and end of a step must be the same mesh");
            Err(Failure::Unusable { path: to.to_owned(), problem })
        };
        let counts = |places: &Places| {
            [
                ("bodies", places.body_count),
                ("vertices", places.vertices.len()),
                ("triangles", places.triangles.len()),
            ]
        };
        for ((what, here), (_, there)) in counts(self).into_iter().zip(counts(start)) {
            if here != there {
                return unlike(format!("{here} {what}, but {there} in {}", from.display()));
            }
        }
        match self.triangles.iter().zip(&start.triangles).position(|(a, b)| a != b) {
            None => Ok(()),
            Some(face) => unlike(format!(
                "triangle {face} has the corners {:?}, but {:?} in {}",
                self.triangles[face],
                start.triangles[face],
                from.display()
            )),
        }
    }
}

/// What a search found and what it cost.
struct Searched {
    contacts: Vec<MeshContact>,
    counts: Counts,
    complete: bool,
    /// Processor seconds of all threads for candidates alone, where that was measured, and for the rest.
    find: Option<f64>,
    decide: f64,
}

/// Finds twice, candidates alone for their time and then everything; once where time is limited.
fn search(step: &Step<'_>, options: &Options, common: &Common) -> Searched {
    let clock = ProcessClock::start();
    let search = Search::new(step, options);
    let sorting = clock.seconds();
    let counting = common.time_limit.is_none().then(|| {
        let clock = ProcessClock::start();
        search.count_candidates();
        clock.seconds()
    });
    let most = common.max_pairs.unwrap_or(usize::MAX);
    let mut contacts: Vec<MeshContact> = Vec::new();
    let clock = ProcessClock::start();
    let (counts, flow) = search.visit(|some| {
        let room = most - contacts.len();
        contacts.extend_from_slice(&some[..room.min(some.len())]);
        if some.len() > room || common.deadline.has_passed() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let all = clock.seconds();
    contacts.sort_unstable_by_key(|c| (c.kind == Kind::EdgeEdge, c.a, c.b));
    let find = counting.map(|counting| sorting + counting);
    let decide = counting.map_or(sorting + all, |counting| (all - counting).max(0.0));
    Searched { contacts, counts, complete: flow.is_continue(), find, decide }
}

pub(super) struct MeshReport {
    files: [String; 2],
    method: String,
    /// Vertices, edges, faces, bodies.
    sizes: [usize; 4],
    separation: Option<f64>,
    edges: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
    /// The face of the file that each triangle is part of.
    faces: Vec<u32>,
    found: Searched,
}

impl MeshReport {
    fn hits(&self) -> impl Iterator<Item = Value> {
        self.found.contacts.iter().map(|contact| self.hit(contact))
    }

    fn hit(&self, contact: &MeshContact) -> Value {
        let [w, x, y, z] = contact.weights;
        let features = match contact.kind {
            Kind::VertexFace => json!({
                "kind": "vertex-face",
                "vertex": contact.a,
                "face": self.faces.get(contact.b as usize),
                "triangle": contact.b,
                "corners": self.triangles.get(contact.b as usize),
                "weights": [x, y, z],
            }),
            Kind::EdgeEdge => json!({
                "kind": "edge-edge",
                "edge_a": self.edges.get(contact.a as usize),
                "edge_b": self.edges.get(contact.b as usize),
                "weights_a": [w, x],
                "weights_b": [y, z],
            }),
        };
        let mut hit = json!({
            "t_lo": contact.time.lo(),
            "t_hi": contact.time.hi(),
            "point_a": contact.points[0].to_array(),
            "point_b": contact.points[1].to_array(),
            "normal": contact.normal.to_array(),
        });
        if self.asks_separation() {
            hit["excess"] = json!(contact.excess);
        }
        if let (Value::Object(hit), Value::Object(features)) = (&mut hit, features) {
            hit.extend(features);
        }
        hit
    }

    fn asks_separation(&self) -> bool {
        self.separation.is_some_and(|distance| distance > 0.0)
    }

    /// The contacts that come first, as a table.
    fn earliest(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut earliest: Vec<&MeshContact> = self.found.contacts.iter().collect();
        earliest.sort_by(|a, b| a.time.lo().total_cmp(&b.time.lo()));
        let mut table = Table::new(["t", "a", "b", "weights", "point on a", "normal"]);
        for contact in earliest.iter().take(EARLIEST) {
            let [w, x, y, z] = contact.weights.map(text::number);
            let edge = |e: u32| {
                self.edges.get(e as usize).map_or_else(String::new, |[p, q]| format!("edge {p}–{q}"))
            };
            let (a, b, weights) = match contact.kind {
                Kind::VertexFace => {
                    let face =
                        self.faces.get(contact.b as usize).map_or_else(String::new, |f| format!("face {f}"));
                    (format!("vertex {}", contact.a), face, [x, y, z].join(" "))
                }
                Kind::EdgeEdge => (edge(contact.a), edge(contact.b), format!("{w} {x} | {y} {z}")),
            };
            let [point, normal] = [contact.points[0], contact.normal].map(|v| text::triple(v.to_array()));
            table.row([text::number(contact.time.lo()), a, b, weights, point, normal]);
        }
        table.write(out)?;
        let left = earliest.len().saturating_sub(EARLIEST);
        if left > 0 {
            writeln!(out, "  … and {left} more (--json lists all)")?;
        }
        writeln!(out, "  Times are certified; weights, points and normals are rounded.")
    }

    /// Bounds of the first contact of all.
    fn first(&self) -> Option<[f64; 2]> {
        let ends = self.found.contacts.iter().map(|c| [c.time.lo(), c.time.hi()]);
        ends.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1])])
    }
}

impl Report for MeshReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (counts, [vertices, edges, faces, bodies]) = (self.found.counts, self.sizes);
        writeln!(
            out,
            "  mesh        {vertices} vertices, {edges} edges, {faces} faces, {}",
            text::counted(bodies, "body", "bodies")
        )?;
        writeln!(out, "  method      {}", self.method)?;
        if let Some(distance) = self.separation {
            writeln!(out, "  separation  {distance}: pairs that come within it count as contacts")?;
        }
        let pairs = |out: &mut dyn Write, name: &str, [vertex_face, edge_edge]: [u64; 2]| {
            writeln!(out, "  {name}  {vertex_face} vertex–face, {edge_edge} edge–edge")
        };
        pairs(out, "candidates", [counts.vertex_face_candidates, counts.edge_edge_candidates])?;
        pairs(out, "contacts  ", [counts.vertex_face_contacts, counts.edge_edge_contacts])?;
        if let Some([lo, hi]) = self.first() {
            writeln!(out, "  first       at t in [{lo}, {hi}]")?;
        }
        if !self.found.complete {
            writeln!(out, "  incomplete  the limit of pairs or of time was reached")?;
        }
        let decide = text::duration(self.found.decide);
        match self.found.find.map(text::duration) {
            Some(find) => writeln!(out, "  time        {find} to find, {decide} to decide")?,
            None => writeln!(out, "  time        {decide} to find and decide")?,
        }
        if self.found.contacts.is_empty() { Ok(()) } else { self.earliest(out) }
    }

    fn json(&self) -> Value {
        let (counts, [vertices, edges, faces, bodies]) = (self.found.counts, self.sizes);
        json!({
            "from": self.files[0],
            "to": self.files[1],
            "method": self.method,
            "separation": self.separation,
            "vertices": vertices,
            "edges": edges,
            "faces": faces,
            "bodies": bodies,
            "candidates": { "vertex_face": counts.vertex_face_candidates, "edge_edge": counts.edge_edge_candidates },
            "contacts": { "vertex_face": counts.vertex_face_contacts, "edge_edge": counts.edge_edge_contacts },
            "first": self.first(),
            "complete": self.found.complete,
            "certified": ["t_lo", "t_hi", "excess"],
            "rounded": ["weights", "weights_a", "weights_b", "point_a", "point_b", "normal"],
            "seconds": { "find": self.found.find, "decide": self.found.decide },
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("hits", self.hits()))
    }
}
