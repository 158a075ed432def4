//! `kontakt query`: rays against a body, points beside or inside it.

use crate::args::{Common, Query};
use crate::failure::Failure;
use crate::input::number_lines;
use crate::input::remarks;
use crate::progress;
use crate::report::{List, Report};
use crate::text::{self, Table};
use kontakt::answers::Range;
use kontakt::bounds::{Aabb, Bound};
use kontakt::math::{DVec3, Pose};
use kontakt::mesh::{Inside, Location, Nearest, Ray, RayHit};
use kontakt::pair::{Body, Placed};
use kontakt::schedule::Deadline;
use kontakt_load::Remarks;
use kontakt_load::address::Address;
use kontakt_load::ready::{self, FaceName, Ready, Whole};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Lines answered between two looks at the clock.
const BLOCK: usize = 256;
/// Rows of the table for people; the rest is counted.
const SHOWN: usize = 20;

pub(crate) fn run(query: &Query, common: &Common) -> Result<QueryReport, Failure> {
    let deadline = common.deadline;
    let mut remarks = Remarks::default();
    let asked = match (&query.rays, &query.points) {
        (Some(path), _) => {
            let rays = number_lines::read(path, "ox oy oz dx dy dz", deadline, ray)?;
            // One hierarchy over all bodies, so that the first of all faces is found exactly.
            let whole = Whole::load(&query.file, &query.reading.options(common.deadline))?;
            remarks.add(&query.file, whole.about.clone());
            let hits = all(&rays, deadline, |ray| whole.mesh.ray(*ray, f64::INFINITY));
            Asked::Rays { whole: Box::new(whole), lines: rays.len(), hits }
        }
        (None, Some(path)) => {
            let points =
                number_lines::read(path, "x y z", deadline, |xyz: [f64; 3]| Ok(DVec3::from_array(xyz)))?;
            let (bodies, about) =
                ready::load(&Address::of(&query.file), &query.reading.options(common.deadline))?;
            about.must_be_whole()?;
            remarks.add(&query.file, about);
            let bodies = Bodies::of(bodies);
            let places = all(&points, deadline, |point| bodies.point(*point));
            Asked::Points { bodies, lines: points.len(), places }
        }
        (None, None) => return Err(Failure::Usage("--rays FILE or --points FILE is needed".into())),
    };
    if asked.answers() == 0 {
        return Err(Failure::NoAnswer("line"));
    }
    Ok(QueryReport { asked, remarks })
}

fn ray([ox, oy, oz, dx, dy, dz]: [f64; 6]) -> Result<Ray, String> {
    Ray::new(DVec3::new(ox, oy, oz), DVec3::new(dx, dy, dz)).map_err(|error| error.to_string())
}

/// What was asked, of how many lines, and the answers, which the deadline may have cut off.
enum Asked {
    Rays { whole: Box<Whole>, lines: usize, hits: Vec<Option<RayHit>> },
    Points { bodies: Bodies, lines: usize, places: Vec<Place> },
}

impl Asked {
    fn lines(&self) -> usize {
        match self {
            Asked::Rays { lines, .. } | Asked::Points { lines, .. } => *lines,
        }
    }

    fn answers(&self) -> usize {
        match self {
            Asked::Rays { hits, .. } => hits.len(),
            Asked::Points { places, .. } => places.len(),
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

/// The bodies asked.
struct Bodies(Vec<Member>);

/// One of them.
struct Member {
    ready: Ready,
    body: Body,
    /// Around its faces, where they are in the world's frame.
    aabb: Option<Aabb>,
}

impl Member {
    fn of(ready: Ready) -> Member {
        let here = ready.pose() == Pose::IDENTITY;
        let aabb = here.then(|| Aabb::fit(ready.mesh().faces().vertices()).ok()).flatten();
        Member { body: ready.body(), aabb, ready }
    }

    fn placed(&self) -> Placed<'_> {
        Placed::new(&self.body, self.ready.pose())
    }

    /// Whether it is proven to be farther from a point than a limit.
    fn is_beyond(&self, point: DVec3, limit: f64) -> bool {
        self.aabb.is_some_and(|aabb| aabb.gap_to_point_below(point) - self.ready.deviation() > limit)
    }
}

/// The nearest point of all bodies, and whether bodies hold the point.
struct Place {
    nearest: Option<(usize, Nearest)>,
    inside: Inside,
    /// The bodies whose verdict `inside` is, unless that is outside of all.
    holders: Vec<usize>,
}

impl Bodies {
    fn of(bodies: Vec<Ready>) -> Bodies {
        Bodies(bodies.into_iter().map(Member::of).collect())
    }

    fn point(&self, point: DVec3) -> Place {
        let mut nearest: Option<(usize, Nearest)> = None;
        let mut least = f64::INFINITY;
        for (index, body) in self.0.iter().enumerate() {
            let limit = nearest.map_or(f64::INFINITY, |(_, found)| found.distance.hi());
            if body.is_beyond(point, limit) {
                continue;
            }
            let Some(found) = body.placed().nearest(point) else { continue };
            // One whose upper end is not the least may still be the nearest, where triangles stand for curved faces.
            if body.ready.is_curved() {
                least = least.min(found.distance.lo());
            }
            if found.distance.hi() < limit {
                nearest = Some((index, found));
            }
        }
        if let Some((_, found)) = &mut nearest {
            let lo = found.distance.lo().min(least);
            found.distance = Range::new(lo, found.distance.hi()).unwrap_or(found.distance);
        }
        let mut inside = Inside { verdict: Location::Outside, winding: None };
        let mut holders = Vec::new();
        for (index, body) in self.0.iter().enumerate() {
            let Some(found) = body.placed().inside(point) else { continue };
            if rank(found.verdict) > rank(inside.verdict) || index == 0 {
                inside = found;
                holders.clear();
            }
            if found.verdict == inside.verdict && found.verdict != Location::Outside {
                holders.push(index);
            }
        }
        Place { nearest, inside, holders }
    }

    /// The body that a point is told by: one that holds it, best the nearest, else the nearest of all.
    fn told_by(&self, place: &Place) -> Option<&str> {
        let nearest = place.nearest.map(|(body, _)| body);
        let holder = nearest.filter(|body| place.holders.contains(body)).or(place.holders.first().copied());
        let body = holder.or(nearest)?;
        self.0.get(body).map(|body| body.ready.name.as_str())
    }

    fn face(&self, body: usize, triangle: u32) -> FaceName<'_> {
        self.0[body].ready.face(triangle)
    }
}

/// Unit normal of a triangle, outward where the file says so; `None` for a triangle without area.
fn normal(whole: &Whole, triangle: u32) -> Option<DVec3> {
    let [a, b, c] = whole.mesh.faces().triangle_points(triangle as usize);
    // Edges at unit size, so that no product leaves the range of doubles; their difference may, and is halved then.
    let edge = |to: DVec3| {
        let whole = to - a;
        let edge = if whole.is_finite() { whole } else { to * 0.5 - a * 0.5 };
        edge / edge.abs().max_element()
    };
    edge(b).cross(edge(c)).try_normalize()
}

/// Of the verdicts of several bodies the one that counts for all: inside any of them is inside.
fn rank(verdict: Location) -> u8 {
    match verdict {
        Location::Outside => 0,
        Location::Unclear => 1,
        Location::OnBoundary => 2,
        Location::Inside => 3,
    }
}

fn verdict_name(verdict: Location) -> &'static str {
    match verdict {
        Location::Inside => "inside",
        Location::Outside => "outside",
        Location::OnBoundary => "on_boundary",
        Location::Unclear => "unclear",
    }
}

pub(crate) struct QueryReport {
    asked: Asked,
    remarks: Remarks,
}

fn ray_json(whole: &Whole, hit: Option<RayHit>) -> Value {
    let Some(hit) = hit else { return json!({ "hit": false }) };
    let face = whole.face(hit.face);
    json!({
        "hit": true,
        "t": hit.t,
        "point": hit.point.to_array(),
        "normal": normal(whole, hit.face).map(|normal| normal.to_array()),
        "body": face.body,
        "face": face.face,
        "triangle": face.triangle,
    })
}

fn point_json(bodies: &Bodies, place: &Place) -> Value {
    let inside = match place.inside.verdict {
        Location::Inside => Some(true),
        Location::Outside => Some(false),
        Location::OnBoundary | Location::Unclear => None,
    };
    let mut json = json!({
        "inside": inside,
        "verdict": verdict_name(place.inside.verdict),
        "winding": place.inside.winding,
    });
    if let Some((body, nearest)) = &place.nearest {
        let face = bodies.face(*body, nearest.face);
        json["distance"] = json!(nearest.distance);
        json["point"] = json!(nearest.point.to_array());
        json["nearest_body"] = json!(face.body);
        json["face"] = json!(face.face);
        json["triangle"] = json!(face.triangle);
    }
    let names = |&body: &usize| bodies.0.get(body).map(|body| body.ready.name.as_str());
    json["body"] = json!(bodies.told_by(place));
    json["held_by"] = place.holders.iter().filter_map(names).collect();
    json
}

impl QueryReport {
    fn ray_table(&self, whole: &Whole, hits: &[Option<RayHit>], out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new(["ray", "t", "point", "face", "body"]);
        for (index, hit) in hits.iter().enumerate().take(SHOWN) {
            let miss = || ["–", "–", "–", "no hit"].map(String::from);
            let [t, point, face, body] = hit.map_or_else(miss, |hit| {
                let face = whole.face(hit.face);
                let point = text::triple(hit.point.to_array());
                [text::number(hit.t), point, face.face.to_string(), face.body.into()]
            });
            table.row([index.to_string(), t, point, face, body]);
        }
        table.write(out)?;
        let met = hits.iter().filter(|hit| hit.is_some()).count();
        self.tail(&format!("{met} of {} rays hit", hits.len()), out)
    }

    fn point_table(&self, bodies: &Bodies, places: &[Place], out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new(["point", "is", "body", "distance", "nearest", "face", "of"]);
        for (index, place) in places.iter().enumerate().take(SHOWN) {
            let none = || ["–", "–", "–", "–"].map(String::from);
            let [distance, point, face, of] = place.nearest.map_or_else(none, |(body, nearest)| {
                let face = bodies.face(body, nearest.face);
                let point = text::triple(nearest.point.to_array());
                [text::range(nearest.distance), point, face.face.to_string(), text::shortened(face.body)]
            });
            let is = verdict_name(place.inside.verdict).replace('_', " ");
            let body = text::shortened(bodies.told_by(place).unwrap_or("–"));
            table.row([index.to_string(), is, body, distance, point, face, of]);
        }
        table.write(out)?;
        let inside = places.iter().filter(|place| place.inside.verdict == Location::Inside).count();
        self.tail(&format!("{inside} of {} points are inside", places.len()), out)
    }

    fn tail(&self, counted: &str, out: &mut dyn Write) -> io::Result<()> {
        let (answers, lines) = (self.asked.answers(), self.asked.lines());
        if answers > SHOWN {
            writeln!(out, "  … and {} more; --json or --out FILE gives all", answers - SHOWN)?;
        }
        if answers < lines {
            writeln!(out, "  the time was up after {answers} of {lines} lines")?;
        }
        writeln!(out, "  {counted}")
    }
}

impl Report for QueryReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.asked {
            Asked::Rays { whole, hits, .. } => self.ray_table(whole, hits, out)?,
            Asked::Points { bodies, places, .. } => self.point_table(bodies, places, out)?,
        }
        remarks::write(&self.remarks, out)
    }

    fn json(&self) -> Value {
        json!({
            "query": match self.asked { Asked::Rays { .. } => "rays", Asked::Points { .. } => "points" },
            "lines": self.asked.lines(),
            "complete": self.asked.answers() == self.asked.lines(),
            "files": self.remarks.json(),
        })
    }

    fn list(&self) -> Option<List<'_>> {
        Some(match &self.asked {
            Asked::Rays { whole, hits, .. } => {
                List::new("results", hits.iter().map(|hit| ray_json(whole, *hit)))
            }
            Asked::Points { bodies, places, .. } => {
                List::new("results", places.iter().map(|place| point_json(bodies, place)))
            }
        })
    }
}
