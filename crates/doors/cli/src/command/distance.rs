//! `kontakt distance`: how far two bodies are apart, and where.

use crate::args::{Common, Distance};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::input::remarks;
use crate::progress;
use crate::report::Report;
use crate::text;
use kontakt::answers::{Range, Relation, Side, Visits};
use kontakt::math::Pose;
use kontakt::mesh::{Distance as Found, MeshQuery, PlacedMesh, RelationOptions};
use kontakt::pair::{Body, Placed, Query, together, widened};
use kontakt::schedule::Deadline;
use kontakt_load::Remarks;
use kontakt_load::ready::{FaceName, Whole};
use kontakt_load::units;
use serde_json::{Value, json};
use std::io::{self, Write};

pub(crate) fn run(distance: &Distance, common: &Common) -> Result<DistanceReport, Failure> {
    let a = Whole::load(&distance.a, &distance.reading.options(common.deadline))?;
    let b = Whole::load(&distance.b, &distance.reading.options(common.deadline))?;
    let place = |pose: Option<Pose>| pose.unwrap_or(Pose::IDENTITY);
    let placed_a = PlacedMesh::new(&a.mesh, place(distance.pose_a));
    let placed_b = PlacedMesh::new(&b.mesh, place(distance.pose_b));
    let mut asker = MeshQuery::new();
    asker.deadline = common.deadline;
    let clock = Clock::start();
    let mut found = progress::during("measuring".into(), || asker.distance(placed_a, placed_b));
    let seconds = clock.seconds();
    let visits = asker.visits;
    let complete = !common.deadline.has_passed();
    let certified = together([a.deviation, b.deviation]);
    found.range = widened(found.range, certified);
    let solids = match found.range {
        Range::ZERO => Solids::Apart,
        range if certified > 0.0 && range.lo() <= 0.0 => Solids::Open,
        _ => solids(&mut asker, [&a, &b], [placed_a, placed_b]),
    };
    let mut remarks = Remarks::default();
    remarks.add(&distance.a, a.about.clone());
    remarks.add(&distance.b, b.about.clone());
    let sizes = [(a.name.as_str(), a.size()), (b.name.as_str(), b.size())];
    let warnings = units::warning(sizes.into_iter()).into_iter().collect();
    let mut report = DistanceReport { a, b, found, complete, solids, seconds, visits, remarks, warnings };
    if certified > 0.0 {
        report.ask_bodies([distance.pose_a, distance.pose_b], common.deadline);
    }
    Ok(report)
}

/// The depth is not asked for.
const CLASS_ALONE: RelationOptions = RelationOptions { touch_tolerance: 0.0, depth_effort: None, kind: true };

/// How the insides of two bodies lie to each other whose surfaces do not meet.
#[derive(Clone, Copy)]
enum Solids {
    Apart,
    /// One lies inside the other.
    Contained(Side),
    /// A part of the one lies inside the other, and another outside.
    Overlapping,
    /// What stands for curved surfaces does not tell.
    Open,
    Undecided,
}

impl Solids {
    fn of(relation: Relation) -> Solids {
        match relation {
            Relation::Contained { inner } => Solids::Contained(inner),
            Relation::Overlapping { .. } | Relation::Duplicate => Solids::Overlapping,
            Relation::Undecided { .. } => Solids::Undecided,
            _ => Solids::Apart,
        }
    }
}

/// How the insides lie to each other: by the faces of a file taken together, and, where a file has several bodies, which may overlap each
/// other, body by body.
fn solids(asker: &mut MeshQuery, files: [&Whole; 2], placed: [PlacedMesh; 2]) -> Solids {
    let whole = Solids::of(asker.relation(placed[0], placed[1], &CLASS_ALONE).exact);
    if !matches!(whole, Solids::Apart) || files.iter().all(|file| file.body_count() == 1) {
        return whole;
    }
    let (Some(a), Some(b)) = (files[0].solids(), files[1].solids()) else { return Solids::Undecided };
    for one in a.iter().filter_map(Body::surface) {
        for other in b.iter().filter_map(Body::surface) {
            let (x, y) = (PlacedMesh::new(one, placed[0].pose), PlacedMesh::new(other, placed[1].pose));
            match Solids::of(asker.relation(x, y, &CLASS_ALONE).exact) {
                Solids::Apart => {}
                Solids::Contained(Side::A) if a.len() == 1 => return Solids::Contained(Side::A),
                Solids::Contained(Side::B) if b.len() == 1 => return Solids::Contained(Side::B),
                Solids::Undecided => return Solids::Undecided,
                _ => return Solids::Overlapping,
            }
        }
    }
    Solids::Apart
}

pub(crate) struct DistanceReport {
    a: Whole,
    b: Whole,
    found: Found,
    /// Whether the time limit was not reached before the distance was known.
    complete: bool,
    solids: Solids,
    seconds: f64,
    visits: Visits,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl DistanceReport {
    /// Asks two single bodies, one of them curved, about their true surfaces.
    fn ask_bodies(&mut self, poses: [Option<Pose>; 2], deadline: Deadline) {
        let (Some(a), Some(b)) = (self.a.single(), self.b.single()) else { return };
        let placed = |body: &(Body, Pose), pose: Option<Pose>| match pose {
            None => body.1,
            Some(pose) if body.1 == Pose::IDENTITY => pose,
            Some(pose) => pose.then_from(&body.1),
        };
        let (a, b) = (Placed::new(&a.0, placed(&a, poses[0])), Placed::new(&b.0, placed(&b, poses[1])));
        let mut query = Query::new().with_limits(deadline, usize::MAX);
        if let Some(near) = query.surface_distance(a, b) {
            let (lo, hi) =
                (near.range.lo().max(self.found.range.lo()), near.range.hi().min(self.found.range.hi()));
            self.found.range = Range::new(lo, hi).unwrap_or(near.range);
            (self.found.point_a, self.found.point_b) = (near.point_a, near.point_b);
        }
        if matches!(self.solids, Solids::Open) {
            let found = Solids::of(query.relation(a, b, &CLASS_ALONE).exact);
            self.solids = if matches!(found, Solids::Undecided) { Solids::Open } else { found };
        }
    }

    /// Whether the surfaces meet, where that is known.
    fn contact(&self) -> Option<bool> {
        let range = self.found.range;
        if range == Range::ZERO { Some(true) } else { (range.lo() > 0.0).then_some(false) }
    }

    /// What the distance does not tell.
    fn note(&self) -> Option<String> {
        let (a, b) = (text::one_line(&self.a.name), text::one_line(&self.b.name));
        Some(match self.solids {
            Solids::Apart => return None,
            Solids::Contained(Side::A) => {
                format!("{a} lies inside {b}; the distance is that of the surfaces")
            }
            Solids::Contained(Side::B) => {
                format!("{b} lies inside {a}; the distance is that of the surfaces")
            }
            Solids::Overlapping if self.found.range.lo() <= 0.0 => format!("{a} and {b} overlap"),
            Solids::Overlapping => {
                format!(
                    "{a} and {b} overlap, though their surfaces do not meet; the distance is that of the surfaces"
                )
            }
            Solids::Open if self.found.range.lo() > 0.0 => {
                format!(
                    "whether {a} or {b} lies inside the other was not found out; the distance is that of the surfaces"
                )
            }
            Solids::Open => format!(
                "triangles within {} of the true surfaces do not tell whether {a} and {b} touch or overlap; --deviation sets \
                 how fine they are",
                text::number(self.a.deviation + self.b.deviation)
            ),
            Solids::Undecided => {
                format!("no time was left to find out whether {a} and {b} lie inside each other")
            }
        })
    }

    /// Whether there are points at that distance.
    fn is_measured(&self) -> bool {
        self.found.range.hi() < f64::INFINITY
    }

    fn faces(&self) -> [FaceName<'_>; 2] {
        [self.a.face(self.found.pair.a), self.b.face(self.found.pair.b)]
    }
}

impl Report for DistanceReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Found { range, point_a, point_b, .. } = self.found;
        let [face_a, face_b] = self.faces();
        let said =
            if self.contact() == Some(true) { "0, the surfaces meet".into() } else { text::range(range) };
        let cut = if self.complete { "" } else { "  (the time limit was reached: bounds)" };
        writeln!(out, "  distance  {said}{cut}")?;
        let ends = [("a", point_a, face_a), ("b", point_b, face_b)];
        for (which, point, face) in ends.into_iter().filter(|_| self.is_measured()) {
            let place = text::triple(point.to_array());
            writeln!(out, "  on {which}      {place}  face {} of {}", face.face, text::one_line(face.body))?;
        }
        if let Some(note) = self.note() {
            writeln!(out, "  note      {note}")?;
        }
        writeln!(out, "  time      {}", text::duration(self.seconds))?;
        remarks::write(&self.remarks, out)?;
        text::warnings(&self.warnings, out)
    }

    fn json(&self) -> Value {
        let Found { range, point_a, point_b, .. } = self.found;
        let [face_a, face_b] = self.faces().map(|face| self.is_measured().then_some(face));
        let [point_a, point_b] = [point_a, point_b].map(|x| self.is_measured().then_some(x.to_array()));
        let inner = match self.solids {
            Solids::Contained(inner) => Some(inner),
            _ => None,
        };
        let overlapping = match self.solids {
            Solids::Undecided | Solids::Open => None,
            solids => Some(matches!(solids, Solids::Overlapping)),
        };
        json!({
            "a": self.a.name,
            "b": self.b.name,
            "contact": self.contact(),
            "distance": range,
            "certified_deviation": together([self.a.deviation, self.b.deviation]),
            "complete": self.complete,
            "inner": inner,
            "overlapping": overlapping,
            "point_a": point_a,
            "point_b": point_b,
            "face_a": face_a,
            "face_b": face_b,
            "seconds": self.seconds,
            "visits": self.visits,
            "files": self.remarks.json(),
            "warnings": self.warnings,
        })
    }
}
