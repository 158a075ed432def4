//! `kontakt path`: a recorded motion against a scene, proven free or where it touches.

mod json;
mod scene;
mod table;

use crate::args::{Common, MovingBetween, Path};
use crate::failure::Failure;
use crate::progress;
use crate::report::{List, Report};
use indicatif::ProgressBar;
use kontakt::io::read_trajectory_until;
use kontakt::math::{DVec3, Interpolation};
use kontakt::rigid_ccd::path::{PathOptions, PathReport, PathVerdict, Segment, Stage, Watch};
use kontakt::scene::{Exceptions, PathCheck, Scene, Turn, Way, check_path};
use kontakt::schedule::Deadline;
use kontakt_load::Remarks;
use kontakt_load::before::Before;
use kontakt_load::parts::Parts;
use serde_json::Value;
use std::io::{self, Write};
pub(crate) use table::word;

pub(crate) fn run(asked: &Path, common: &Common) -> Result<Box<dyn Report>, Failure> {
    Ok(match &asked.scene {
        Some(file) => Box::new(scene::run(file, asked, common)?),
        None => Box::new(run_one(asked, common)?),
    })
}

/// One motion, of bodies that move as one.
fn run_one(asked: &Path, common: &Common) -> Result<Checked, Failure> {
    let recorded = asked.motion.as_deref().map(|file| recorded(file, asked, common.deadline)).transpose()?;
    let parts = Parts::in_motion(&asked.moving, &asked.against, &asked.reading.options(common.deadline))?;
    let movers = parts.movers;
    let exceptions = Exceptions::across(&parts.scene.names(), movers, &asked.ignore, &asked.allow)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let way = recorded.is_none().then(|| typed_way(asked, &parts.scene, movers));
    let segments = match (recorded, &way) {
        (Some(segments), _) => segments,
        (None, Some(way)) => way.segments().map_err(|error| Failure::Usage(error.to_string()))?,
        (None, None) => Vec::new(),
    };
    let options = PathOptions {
        tolerance: asked.tolerance,
        distance_tolerance: asked.distance_tolerance,
        ..PathOptions::default()
    };
    let mut checked = judged(&parts.scene, movers, &segments, &exceptions, &options, common.deadline)?;
    Before::count_path(&parts.before, movers, &mut checked.check.report);
    checked.motion = asked.motion.as_ref().map(|file| file.display().to_string());
    checked.way = way;
    checked.remarks = parts.remarks;
    checked.warnings = parts.warnings;
    Ok(checked)
}

/// The segments of a recorded motion.
fn recorded(file: &std::path::Path, asked: &Path, deadline: Deadline) -> Result<Vec<Segment>, Failure> {
    let trajectory = read_trajectory_until(file, deadline)?;
    let how = match asked.interpolate {
        MovingBetween::Slerp => Interpolation::Slerp { pivot: asked.pivot },
        MovingBetween::Nlerp => Interpolation::Nlerp { pivot: asked.pivot },
        MovingBetween::Screw => Interpolation::Screw,
    };
    Segment::between(&trajectory.times, &trajectory.poses, how)
        .map_err(|error| Failure::Unusable { path: file.to_owned(), problem: error.to_string() })
}

/// The motion that was typed instead of recorded.
fn typed_way(asked: &Path, scene: &Scene, movers: usize) -> Way {
    let along = asked.along.unwrap_or(DVec3::ZERO);
    let shift = match asked.distance {
        Some(distance) => along.normalize_or_zero() * distance,
        None => along,
    };
    let middle = || {
        let (moving, _) = scene.boxes(movers);
        0.5 * moving.min + 0.5 * moving.max
    };
    let turn = asked.turn.map(|turn| Turn {
        axis: turn.axis,
        through: turn.through.unwrap_or_else(middle),
        angle_rad: turn.angle_deg.to_radians(),
    });
    Way { shift, turn }
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
        check: PathCheck { names: scene.names(), movers, pairs, report },
        motion: None,
        way: None,
        remarks: Remarks::default(),
        warnings: Vec::new(),
    })
}

/// Shows the progress and ends the check when the time is up.
pub(crate) struct Patience<'a> {
    pub(crate) deadline: Deadline,
    pub(crate) bar: &'a ProgressBar,
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
    check: PathCheck,
    /// The file of a recorded motion.
    motion: Option<String>,
    /// The motion that was typed instead.
    way: Option<Way>,
    remarks: Remarks,
    warnings: Vec<String>,
}

impl Checked {
    pub(crate) fn report(&self) -> &PathReport {
        &self.check.report
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
        Some(List::new("segments", self.check.segments_json()))
    }

    fn forbidden(&self) -> bool {
        self.check.report.verdict() != PathVerdict::Free
    }
}
