//! `kontakt distance`: how far two bodies are apart, and where.

use crate::args::Distance;
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
use kontakt::mesh::{Asker, Distance as Found, Placed, RelationOptions};
use serde_json::{Value, json};
use std::io::{self, Write};

pub(crate) fn run(distance: &Distance) -> Result<DistanceReport, Failure> {
    let a = Whole::load(&distance.a, &distance.reading)?;
    let b = Whole::load(&distance.b, &distance.reading)?;
    let place = |pose: Option<Pose>| pose.unwrap_or(Pose::IDENTITY);
    let placed_a = Placed::new(&a.mesh, place(distance.pose_a));
    let placed_b = Placed::new(&b.mesh, place(distance.pose_b));
    let mut asker = Asker::new();
    let clock = Clock::start();
    let found = progress::during("measuring".into(), || asker.distance(placed_a, placed_b));
    let seconds = clock.seconds();
    let visits = asker.visits;
    let inner = if found.range == Range::ZERO {
        None
    } else {
        match asker.relation(placed_a, placed_b, &RelationOptions::default()).exact {
            Relation::Contained { inner } => Some(inner),
            _ => None,
        }
    };
    let mut remarks = Remarks::default();
    remarks.add(&distance.a, a.report.clone());
    remarks.add(&distance.b, b.report.clone());
    let sizes = [(a.name.as_str(), a.size()), (b.name.as_str(), b.size())];
    let warnings = units::warning(sizes.into_iter()).into_iter().collect();
    Ok(DistanceReport { a, b, found, inner, seconds, visits, remarks, warnings })
}

pub(crate) struct DistanceReport {
    a: Whole,
    b: Whole,
    found: Found,
    /// The body that lies inside the other, though their surfaces do not meet.
    inner: Option<Side>,
    seconds: f64,
    visits: Visits,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl DistanceReport {
    fn contact(&self) -> bool {
        self.found.range == Range::ZERO
    }

    fn faces(&self) -> [FaceName<'_>; 2] {
        [self.a.face(self.found.pair.a), self.b.face(self.found.pair.b)]
    }
}

impl Report for DistanceReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Found { range, point_a, point_b, .. } = self.found;
        let [face_a, face_b] = self.faces();
        let said = if self.contact() { "0, the surfaces meet".into() } else { text::range(range) };
        writeln!(out, "  distance  {said}")?;
        for (which, point, face) in [("a", point_a, face_a), ("b", point_b, face_b)] {
            let place = text::triple(point.to_array());
            writeln!(out, "  on {which}      {place}  face {} of {}", face.face, text::one_line(face.body))?;
        }
        if let Some(inner) = self.inner {
            let (inside, around) = match inner {
                Side::A => (&self.a.name, &self.b.name),
                Side::B => (&self.b.name, &self.a.name),
            };
            let (inside, around) = (text::one_line(inside), text::one_line(around));
            writeln!(out, "  note      {inside} lies inside {around}; the distance is that of the surfaces")?;
        }
        writeln!(out, "  time      {}", text::duration(self.seconds))?;
        self.remarks.text(out)?;
        text::warnings(&self.warnings, out)
    }

    fn json(&self) -> Value {
        let Found { range, point_a, point_b, .. } = self.found;
        let [face_a, face_b] = self.faces();
        json!({
            "a": self.a.name,
            "b": self.b.name,
            "contact": self.contact(),
            "distance": range,
            "inner": self.inner,
            "point_a": point_a.to_array(),
            "point_b": point_b.to_array(),
            "face_a": face_a,
            "face_b": face_b,
            "seconds": self.seconds,
            "visits": self.visits,
            "files": self.remarks.json(),
            "warnings": self.warnings,
        })
    }
}
