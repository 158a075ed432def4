//! `kontakt distance`: how far two bodies are apart, and where.

use crate::args::{Common, Distance};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::input::load::Remarks;
use crate::input::ready::{FaceName, Whole};
use crate::progress;
use crate::report::Report;
use crate::text;
use crate::units;
use kontakt::answers::{Range, Relation, Side, Visits};
use kontakt::math::Pose;
use kontakt::mesh::{Distance as Found, MeshQuery, PlacedMesh, RelationOptions};
use kontakt::pair::Body;
use serde_json::{Value, json};
use std::io::{self, Write};

pub(crate) fn run(distance: &Distance, common: &Common) -> Result<DistanceReport, Failure> {
    let a = Whole::load(&distance.a, &distance.reading, common.deadline)?;
    let b = Whole::load(&distance.b, &distance.reading, common.deadline)?;
    let place = |pose: Option<Pose>| pose.unwrap_or(Pose::IDENTITY);
    let placed_a = PlacedMesh::new(&a.mesh, place(distance.pose_a));
    let placed_b = PlacedMesh::new(&b.mesh, place(distance.pose_b));
    let mut asker = MeshQuery::new();
    asker.deadline = common.deadline;
    let clock = Clock::start();
    let found = progress::during("measuring".into(), || asker.distance(placed_a, placed_b));
    let seconds = clock.seconds();
    let visits = asker.visits;
    let complete = !common.deadline.has_passed();
    let solids = match found.range {
        Range::ZERO => Solids::Apart,
        _ => solids(&mut asker, [&a, &b], [placed_a, placed_b]),
    };
    let mut remarks = Remarks::default();
    remarks.add(&distance.a, a.report.clone());
    remarks.add(&distance.b, b.report.clone());
    let sizes = [(a.name.as_str(), a.size()), (b.name.as_str(), b.size())];
    let warnings = units::warning(sizes.into_iter()).into_iter().collect();
    Ok(DistanceReport { a, b, found, complete, solids, seconds, visits, remarks, warnings })
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
            Solids::Overlapping => {
                format!(
                    "{a} and {b} overlap, though their surfaces do not meet; the distance is that of the surfaces"
                )
            }
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
        self.remarks.text(out)?;
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
            Solids::Undecided => None,
            solids => Some(matches!(solids, Solids::Overlapping)),
        };
        json!({
            "a": self.a.name,
            "b": self.b.name,
            "contact": self.contact(),
            "distance": range,
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
