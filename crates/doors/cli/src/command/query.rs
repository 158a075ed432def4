//! `kontakt query`: rays against a body, points beside or inside it.

use crate::args::{Common, Query};
use crate::failure::Failure;
use crate::input::load::Remarks;
use crate::input::number_lines;
use crate::input::ready::{self, FaceName, Ready};
use crate::progress;
use crate::report::{List, Report};
use crate::text::{self, Table};
use kontakt::bounds::{Aabb, Bound};
use kontakt::math::DVec3;
use kontakt::mesh::{Inside, Nearest, RayHit, Verdict};
use kontakt::schedule::Deadline;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Lines answered between two looks at the clock.
const BLOCK: usize = 256;
/// Rows of the table for people; the rest is counted.
const SHOWN: usize = 20;

pub(crate) fn run(query: &Query, common: &Common) -> Result<QueryReport, Failure> {
    let deadline = common.deadline;
    let lines = Lines::read(query)?;
    let (bodies, report) = ready::load(&query.file, &query.reading)?;
    let mut remarks = Remarks::default();
    remarks.add(&query.file, report);
    let bodies = Bodies::of(bodies);
    let answers = match &lines {
        Lines::Rays(rays) => {
            Answers::Rays(all(rays, deadline, |[origin, direction]| bodies.ray(*origin, *direction)))
        }
        Lines::Points(points) => Answers::Points(all(points, deadline, |point| bodies.point(*point))),
    };
    Ok(QueryReport { bodies, lines, answers, remarks })
}

/// What the file of lines asks.
enum Lines {
    Rays(Vec<[DVec3; 2]>),
    Points(Vec<DVec3>),
}

impl Lines {
    fn read(query: &Query) -> Result<Lines, Failure> {
        if let Some(path) = &query.rays {
            let ray = |[ox, oy, oz, dx, dy, dz]: [f64; 6]| {
                let direction = DVec3::new(dx, dy, dz);
                if direction == DVec3::ZERO {
                    return Err("the ray has no direction".to_owned());
                }
                Ok([DVec3::new(ox, oy, oz), direction])
            };
            return number_lines::read(path, "ox oy oz dx dy dz", ray).map(Lines::Rays);
        }
        match &query.points {
            Some(path) => number_lines::read(path, "x y z", |xyz: [f64; 3]| Ok(DVec3::from_array(xyz)))
                .map(Lines::Points),
            None => Err(Failure::Usage("--rays FILE or --points FILE is needed".into())),
        }
    }

    fn len(&self) -> usize {
        match self {
            Lines::Rays(rays) => rays.len(),
            Lines::Points(points) => points.len(),
        }
    }
}

/// Answers every line with all threads, in order, up to the first block that the deadline leaves out.
fn all<Q: Sync, A: Send>(lines: &[Q], deadline: Deadline, answer: impl Fn(&Q) -> A + Sync) -> Vec<A> {
    let blocks: Vec<Option<Vec<A>>> = progress::over("asking", lines.len() as u64, |bar| {
        lines
            .par_chunks(BLOCK)
            .map(|block| {
                let late = deadline.has_passed();
                let answers = (!late).then(|| block.iter().map(&answer).collect());
                bar.inc(block.len() as u64);
                answers
            })
            .collect()
    });
    blocks.into_iter().map_while(|block| block).flatten().collect()
}

/// The bodies asked, each with its box and the number of its first face and triangle in the file's order.
struct Bodies(Vec<(Ready, Option<Aabb>, usize, usize)>);

/// The first hit of a ray and the body that was hit.
type Hit = Option<(usize, RayHit)>;

/// The nearest point of all bodies and whether any body holds the point.
struct Place {
    nearest: Option<(usize, Nearest)>,
    inside: Inside,
}

impl Bodies {
    fn of(bodies: Vec<Ready>) -> Bodies {
        let (mut face, mut triangle) = (0, 0);
        let counted = bodies.into_iter().map(|body| {
            let faces = body.mesh.faces();
            let counts = (face, triangle);
            face += faces.source_count();
            triangle += faces.triangles().len();
            let aabb = Aabb::fit(faces.vertices()).ok();
            (body, aabb, counts.0, counts.1)
        });
        Bodies(counted.collect())
    }

    fn ray(&self, origin: DVec3, direction: DVec3) -> Hit {
        let mut first: Hit = None;
        for (index, (body, ..)) in self.0.iter().enumerate() {
            let limit = first.map_or(f64::INFINITY, |(_, hit)| hit.t);
            if let Some(hit) = body.mesh.ray(origin, direction, limit)
                && first.is_none_or(|(_, best)| hit.t < best.t)
            {
                first = Some((index, hit));
            }
        }
        first
    }

    fn point(&self, point: DVec3) -> Place {
        let mut nearest: Option<(usize, Nearest)> = None;
        for (index, (body, aabb, ..)) in self.0.iter().enumerate() {
            let limit = nearest.map_or(f64::INFINITY, |(_, found)| found.distance.hi());
            if aabb.is_some_and(|aabb| aabb.gap_to_point_below(point) > limit) {
                continue;
            }
            if let Some(found) = body.mesh.nearest(point)
                && found.distance.hi() < limit
            {
                nearest = Some((index, found));
            }
        }
        let inside = self.0.iter().map(|(body, ..)| body.mesh.inside(point)).max_by_key(|x| rank(x.verdict));
        Place { nearest, inside: inside.unwrap_or(Inside { verdict: Verdict::Outside, winding: None }) }
    }

    fn face(&self, body: usize, triangle: u32) -> FaceName<'_> {
        let (ready, _, first_face, first_triangle) = &self.0[body];
        let faces = ready.mesh.faces();
        FaceName {
            body: &ready.name,
            face: first_face + faces.source_of_face(faces.face_of_triangle(triangle as usize)),
            triangle: (first_triangle + triangle as usize) as u32,
        }
    }

    /// Unit normal of a triangle, outward where the file says so; `None` for a triangle without area.
    fn normal(&self, body: usize, triangle: u32) -> Option<DVec3> {
        let [a, b, c] = self.0[body].0.mesh.faces().triangle_points(triangle as usize);
        (b - a).cross(c - a).try_normalize()
    }
}

/// Of the verdicts of several bodies the one that counts for all: inside any of them is inside.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Outside => 0,
        Verdict::Unclear => 1,
        Verdict::OnBoundary => 2,
        Verdict::Inside => 3,
    }
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Inside => "inside",
        Verdict::Outside => "outside",
        Verdict::OnBoundary => "on_boundary",
        Verdict::Unclear => "unclear",
    }
}

enum Answers {
    Rays(Vec<Hit>),
    Points(Vec<Place>),
}

impl Answers {
    fn len(&self) -> usize {
        match self {
            Answers::Rays(hits) => hits.len(),
            Answers::Points(places) => places.len(),
        }
    }
}

pub(crate) struct QueryReport {
    bodies: Bodies,
    lines: Lines,
    answers: Answers,
    remarks: Remarks,
}

impl QueryReport {
    fn result(&self, index: usize) -> Value {
        match &self.answers {
            Answers::Rays(hits) => self.ray_json(&hits[index]),
            Answers::Points(places) => self.point_json(&places[index]),
        }
    }

    fn ray_json(&self, hit: &Hit) -> Value {
        let Some((body, hit)) = hit else { return json!({ "hit": false }) };
        let face = self.bodies.face(*body, hit.face);
        json!({
            "hit": true,
            "t": hit.t,
            "point": hit.point.to_array(),
            "normal": self.bodies.normal(*body, hit.face).map(|normal| normal.to_array()),
            "body": face.body,
            "face": face.face,
            "triangle": face.triangle,
        })
    }

    fn point_json(&self, place: &Place) -> Value {
        let inside = match place.inside.verdict {
            Verdict::Inside => Some(true),
            Verdict::Outside => Some(false),
            Verdict::OnBoundary | Verdict::Unclear => None,
        };
        let mut json = json!({
            "inside": inside,
            "verdict": verdict_name(place.inside.verdict),
            "winding": place.inside.winding,
        });
        if let Some((body, nearest)) = &place.nearest {
            let face = self.bodies.face(*body, nearest.face);
            json["distance"] = json!(nearest.distance);
            json["point"] = json!(nearest.point.to_array());
            json["body"] = json!(face.body);
            json["face"] = json!(face.face);
            json["triangle"] = json!(face.triangle);
        }
        json
    }

    fn results(&self) -> impl Iterator<Item = Value> {
        (0..self.answers.len()).map(|index| self.result(index))
    }

    fn ray_table(&self, hits: &[Hit], out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new(["ray", "t", "point", "face", "body"]);
        for (index, hit) in hits.iter().enumerate().take(SHOWN) {
            let miss = || ["–", "–", "–", "no hit"].map(String::from);
            let [t, point, face, body] = hit.map_or_else(miss, |(body, hit)| {
                let face = self.bodies.face(body, hit.face);
                let point = text::triple(hit.point.to_array());
                [text::number(hit.t), point, face.face.to_string(), face.body.into()]
            });
            table.row([index.to_string(), t, point, face, body]);
        }
        table.write(out)?;
        let met = hits.iter().filter(|hit| hit.is_some()).count();
        self.tail(&format!("{met} of {} rays hit", hits.len()), out)
    }

    fn point_table(&self, places: &[Place], out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new(["point", "is", "distance", "nearest", "face", "body"]);
        for (index, place) in places.iter().enumerate().take(SHOWN) {
            let none = || ["–", "–", "–", "–"].map(String::from);
            let [distance, point, face, body] = place.nearest.map_or_else(none, |(body, nearest)| {
                let face = self.bodies.face(body, nearest.face);
                let point = text::triple(nearest.point.to_array());
                [text::range(nearest.distance), point, face.face.to_string(), face.body.into()]
            });
            let is = verdict_name(place.inside.verdict).replace('_', " ");
            table.row([index.to_string(), is, distance, point, face, body]);
        }
        table.write(out)?;
        let inside = places.iter().filter(|place| place.inside.verdict == Verdict::Inside).count();
        self.tail(&format!("{inside} of {} points are inside", places.len()), out)
    }

    fn tail(&self, counted: &str, out: &mut dyn Write) -> io::Result<()> {
        if self.answers.len() > SHOWN {
            writeln!(out, "  … and {} more; --json or --out FILE gives all", self.answers.len() - SHOWN)?;
        }
        if self.answers.len() < self.lines.len() {
            writeln!(out, "  the time was up after {} of {} lines", self.answers.len(), self.lines.len())?;
        }
        writeln!(out, "  {counted}")
    }
}

impl Report for QueryReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.answers {
            Answers::Rays(hits) => self.ray_table(hits, out)?,
            Answers::Points(places) => self.point_table(places, out)?,
        }
        self.remarks.text(out)
    }

    fn json(&self) -> Value {
        json!({
            "query": match self.lines { Lines::Rays(_) => "rays", Lines::Points(_) => "points" },
            "lines": self.lines.len(),
            "complete": self.answers.len() == self.lines.len(),
            "files": self.remarks.json(),
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("results", self.results()))
    }
}
