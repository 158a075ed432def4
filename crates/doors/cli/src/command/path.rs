//! `kontakt path`: a recorded motion against a scene, proven free or where it touches.

mod json;
mod table;

use crate::args::{Common, MovingBetween, Path};
use crate::failure::Failure;
use crate::input::load::Remarks;
use crate::input::parts::Parts;
use crate::progress;
use crate::report::{List, Report};
use indicatif::ProgressBar;
use kontakt::answers::Feature;
use kontakt::io::{Trajectory, read_trajectory};
use kontakt::math::Interpolation;
use kontakt::rigid_ccd::path::{PathOptions, PathReport, PathVerdict, Segment, Stage, Watch};
use kontakt::scene::{BodyName, Exceptions, Scene, check_path};
use kontakt::schedule::Deadline;
use serde_json::Value;
use std::io::{self, Write};

pub(crate) fn run(asked: &Path, common: &Common) -> Result<Checked, Failure> {
    let trajectory = read_trajectory(&asked.motion)?;
    let parts = Parts::in_motion(&asked.moving, &asked.against, &asked.reading, common.deadline)?;
    let movers = parts.movers;
    let exceptions = Exceptions::across(&parts.scene.names(), movers, &asked.ignore, &asked.allow)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let how = match asked.interpolate {
        MovingBetween::Slerp => Interpolation::Slerp { pivot: asked.pivot },
        MovingBetween::Nlerp => Interpolation::Nlerp { pivot: asked.pivot },
        MovingBetween::Screw => Interpolation::Screw,
    };
    let segments = segments(&trajectory, how)
        .map_err(|problem| Failure::Unusable { path: asked.motion.clone(), problem })?;
    let options = PathOptions {
        tolerance: asked.tolerance,
        distance_tolerance: asked.distance_tolerance,
        ..PathOptions::default()
    };
    let mut checked = judged(&parts.scene, movers, &segments, &exceptions, &options, common.deadline)?;
    let faces_before: Vec<usize> = parts.scene.bodies().iter().map(|body| body.faces_before).collect();
    checked.count_faces_through_files(&faces_before);
    checked.motion = asked.motion.display().to_string();
    checked.remarks = parts.remarks;
    checked.warnings = parts.warnings;
    Ok(checked)
}

fn segments(trajectory: &Trajectory, how: Interpolation) -> Result<Vec<Segment>, String> {
    Segment::between(&trajectory.times, &trajectory.poses, how).map_err(|error| error.to_string())
}

/// Checks the path of the first `movers` bodies against the others while a bar shows how far it is.
pub(crate) fn judged(
    scene: &Scene,
    movers: usize,
    segments: &[Segment],
    exceptions: &Exceptions,
    options: &PathOptions,
    deadline: Deadline,
) -> Result<Checked, Failure> {
    let checked = progress::over("checking the path", 0, |bar| {
        check_path(scene, movers, segments, exceptions, options, &Patience { deadline, bar })
    });
    let (pairs, report) = checked.map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(Checked {
        names: scene.names(),
        movers,
        pairs,
        report,
        motion: String::new(),
        remarks: Remarks::default(),
        warnings: Vec::new(),
    })
}

/// Shows the progress and ends the check when the time is up.
struct Patience<'a> {
    deadline: Deadline,
    bar: &'a ProgressBar,
}

impl Watch for Patience<'_> {
    fn deadline(&self) -> Deadline {
        self.deadline
    }

    fn begins(&self, stage: Stage, steps: usize) {
        self.bar.set_message(match stage {
            Stage::Judging => "checking the path",
            Stage::Clearance => "measuring clearances",
        });
        self.bar.set_length(steps as u64);
        self.bar.set_position(0);
    }

    fn step(&self) {
        self.bar.inc(1);
    }
}

/// A checked path.
pub(crate) struct Checked {
    /// Movers first.
    names: Vec<BodyName>,
    movers: usize,
    /// Pairs of a mover and a body, ignored ones left out.
    pairs: usize,
    report: PathReport,
    motion: String,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl Checked {
    fn mover(&self, index: usize) -> &str {
        self.names.get(index).map_or("", |name| name.full.as_str())
    }

    fn body(&self, index: usize) -> &str {
        self.mover(self.movers + index)
    }

    /// Face numbers count through the whole file, not through one of its bodies.
    fn count_faces_through_files(&mut self, faces_before: &[usize]) {
        let through = |feature: &mut Option<Feature>, body: usize| {
            if let Some(Feature::Face(face)) = feature {
                *face += faces_before.get(body).map_or(0, |&before| before as u32);
            }
        };
        for finding in self.report.segments.iter_mut().flat_map(|segment| &mut segment.findings) {
            if let Some(contact) = &mut finding.contact {
                through(&mut contact.feature_a, finding.mover);
                through(&mut contact.feature_b, self.movers + finding.body);
            }
        }
    }

    fn count(&self, verdict: PathVerdict) -> usize {
        self.report.segments.iter().filter(|segment| segment.verdict == verdict).count()
    }

    pub(crate) fn report(&self) -> &PathReport {
        &self.report
    }
}

impl Report for Checked {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        table::write(self, out)
    }

    fn json(&self) -> Value {
        json::head(self)
    }

    fn list(&self) -> Option<List<'_>> {
        Some(List::new("segments", json::segments(self)))
    }

    fn forbidden(&self) -> bool {
        self.report.verdict() != PathVerdict::Free
    }
}
