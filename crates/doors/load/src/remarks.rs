//! What there is to say about the files that were read.

use crate::error::LoadError;
use crate::words;
use kontakt_curved::Body;
use kontakt_io::{CurvedReport, Loss, Lost, ReadReport, Why};
use kontakt_scene::Missing;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Gaps of a model are told from this share of the certified deviation on, which has them in it twice.
const NOTED: f64 = 0.25;

/// Losses told one by one; the rest is counted.
const SHOWN: usize = 5;

/// What was found in a file besides its bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// What the reader passed over or changed.
    pub report: ReadReport,
    /// What there is to say of bodies with curved faces.
    pub model: Option<Box<Tessellated>>,
}

impl About {
    /// For questions that are about all bodies: one that is not there or not whole is an error.
    pub fn must_be_whole(&self) -> Result<(), LoadError> {
        match self.model.as_ref().and_then(|model| model.missing.first()).cloned() {
            None => Ok(()),
            Some(Missing { name, problem }) => Err(LoadError::Body { name, problem }),
        }
    }
}

impl From<ReadReport> for About {
    fn from(report: ReadReport) -> About {
        About { report, model: None }
    }
}

impl From<Tessellated> for About {
    fn from(model: Tessellated) -> About {
        About { report: ReadReport::default(), model: Some(Box::new(model)) }
    }
}

/// A file with curved bodies and what became of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Tessellated {
    /// What the reader says.
    pub report: CurvedReport,
    /// **Never less** than how far triangles of any body lie off its faces, each in its own frame.
    pub deviation: f64,
    /// The largest gap found between faces and edges of the model itself.
    pub gap: f64,
    /// The body that has it, and where in its own frame.
    gap_at: Option<(String, [f64; 3])>,
    /// Of all bodies together, instances once each.
    pub triangles: usize,
    /// Bodies that have no triangles, or not all.
    pub missing: Vec<Missing>,
}

impl Tessellated {
    /// Nothing is tessellated yet.
    pub fn new(report: CurvedReport) -> Tessellated {
        let gap = report.vertex_gap.distance;
        Tessellated { report, deviation: 0.0, gap, gap_at: None, triangles: 0, missing: Vec::new() }
    }

    /// A body was tessellated.
    pub fn add(&mut self, name: &str, body: &Body) {
        self.deviation = self.deviation.max(body.deviation());
        let made = body.tessellation();
        if made.gap > 0.0 && (made.gap > self.gap || (made.gap >= self.gap && self.gap_at.is_none())) {
            self.gap_at = Some((name.to_owned(), made.gap_at.to_array()));
        }
        self.gap = self.gap.max(made.gap);
        self.triangles += made.triangles.len();
    }

    /// Bodies that the reader lost whole, or may have: nothing beside them is clear.
    pub fn miss_lost(&mut self, file: &str) {
        let lost = self.report.losses.iter().filter(|loss| loss.lost != Lost::Face && loss.hides_body());
        let lost: Vec<Missing> = lost
            .map(|loss| Missing { name: format!("{file}:#{}", loss.of), problem: loss.to_string() })
            .collect();
        self.missing.extend(lost);
    }

    /// Whether gaps of the model are a good part of what answers are uncertain by, and not mere rounding.
    fn is_gaping(&self) -> bool {
        let rounding = 1e-9;
        self.gap > NOTED * self.deviation && self.gap > rounding
    }

    /// A body is not there or not whole.
    pub fn miss(&mut self, name: String, problem: String) {
        self.missing.push(Missing { name, problem });
    }

    /// Sentences about what is not there.
    pub fn warnings(&self) -> Vec<String> {
        let body = |Missing { name, problem }: &Missing| format!("{name} is not whole: {problem}");
        let mut words: Vec<String> = self.missing.iter().map(body).collect();
        let losses = &self.report.losses;
        if !losses.is_empty() {
            let named: Vec<String> = losses.iter().take(SHOWN).map(Loss::to_string).collect();
            let more = if losses.len() > SHOWN { "; …" } else { "" };
            let things = words::counted(losses.len(), "thing", "things");
            words.push(format!("{things} of the file could not be read: {}{more}", named.join("; ")));
        }
        if self.report.repairs.iter().any(|repair| repair.why == Why::NoUnit) {
            words.push(
                "no unit of length is given for some or all of the file; millimetres were taken".into(),
            );
        }
        if self.is_gaping() {
            let place = self.gap_at.as_ref();
            let place =
                place.map_or_else(String::new, |(name, at)| format!(" ({name}, at {})", words::triple(*at)));
            words.push(format!(
                "borders do not close: edges miss the faces they border by up to {}{place}; pairs nearer than that are undecided, \
                 however fine the triangles are",
                words::number(self.gap)
            ));
        }
        words
    }

    fn json(&self, entry: &mut Map<String, Value>) {
        let CurvedReport { schema, writer, length_units, uncertainty, solids, sheets, faces, .. } =
            &self.report;
        let units: Vec<Value> = length_units
            .iter()
            .map(|unit| json!({ "name": unit.name, "millimetres": unit.millimetres }))
            .collect();
        let missing: Vec<Value> = self
            .missing
            .iter()
            .map(|Missing { name, problem }| json!({ "name": name, "problem": problem }))
            .collect();
        let keys = json!({
            "model_schema": schema,
            "writer": writer,
            "units": units,
            "uncertainty": uncertainty,
            "solids": solids,
            "sheets": sheets,
            "faces_by_kind": faces,
            "losses": self.report.losses.iter().map(loss).collect::<Vec<_>>(),
            "repairs": self.report.repairs.iter().map(loss).collect::<Vec<_>>(),
            "missing": missing,
            "model_gap": self.gap,
            "model_gap_at": self.gap_at.as_ref().map(|(body, at)| json!({ "body": body, "point": at })),
            "certified_deviation": self.deviation,
            "triangles": self.triangles,
        });
        if let Value::Object(keys) = keys {
            entry.extend(keys);
        }
    }
}

fn loss(loss: &Loss) -> Value {
    json!({
        "entity": loss.entity,
        "id": loss.id,
        "line": loss.line,
        "why": loss.why.to_string(),
        "lost": format!("{:?}", loss.lost).to_lowercase(),
        "of": loss.of,
    })
}

/// A remark of a reader that is worth a line: its key, what it is of one thing, how many there are.
pub type Count = (&'static str, &'static str, u64);

/// The remarks of a reader that are worth a line.
pub fn counts(report: &ReadReport) -> Vec<Count> {
    let all = [
        ("unknown_keywords", "unknown keyword", report.unknown_keywords),
        ("junk_lines", "junk line", report.junk_lines),
        ("triangulated_polygons", "triangulated polygon", report.triangulated_polygons),
        ("rough_polygons", "rough polygon", report.rough_polygons),
        ("repeated_names", "repeated name", report.repeated_names),
        ("empty_objects", "empty object", report.empty_objects),
        ("ignored_elements", "ignored element", report.ignored_elements),
        ("unused_vertices", "unused vertex", report.unused_vertices),
        (
            "rotations_taken_as_exact_quarter_turns",
            "rotation taken as an exact quarter turn",
            report.exact_quarter_turns,
        ),
        (
            "rotations_taken_as_exact_eighth_or_twelfth_turns",
            "rotation taken as an exact eighth or twelfth turn",
            report.exact_finer_turns,
        ),
        ("skins", "skin", report.skins),
        ("morph_targets", "morph target", report.morph_targets),
    ];
    all.into_iter().filter(|&(.., count)| count > 0).collect()
}

/// The remarks on several files.
#[derive(Default)]
pub struct Remarks(Vec<(String, About)>);

impl Remarks {
    /// What there is to say about a file.
    pub fn add(&mut self, path: &Path, about: About) {
        let remark = (path.display().to_string(), about);
        // A file may be read for this body and for that; what there is to say about it is said once.
        if !self.0.contains(&remark) {
            self.0.push(remark);
        }
    }

    /// What there is to say of each file with curved faces.
    pub fn models(&self) -> impl Iterator<Item = (&str, &Tessellated)> {
        self.0.iter().filter_map(|(file, about)| Some((file.as_str(), about.model.as_deref()?)))
    }

    /// Each file with what there is to say about it.
    pub fn each(&self) -> impl Iterator<Item = (&str, &About)> {
        self.0.iter().map(|(file, about)| (file.as_str(), about))
    }

    /// An object a file.
    pub fn json(&self) -> Value {
        let entry = |(file, About { report, model }): &(String, About)| {
            let mut entry = Map::from_iter([("file".to_owned(), json!(file))]);
            entry.extend(counts(report).into_iter().map(|(key, _, count)| (key.to_owned(), json!(count))));
            if report.first_odd_line > 0 {
                entry.insert("first_odd_line".to_owned(), json!(report.first_odd_line));
            }
            if let Some(model) = model {
                model.json(&mut entry);
            }
            Value::Object(entry)
        };
        self.0.iter().map(entry).collect()
    }
}
