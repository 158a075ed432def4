//! A whole recorded motion against a scene: for every segment a proof that it is free, or where it touches.
//!
//! A path is a list of [`Segment`]s, each a motion between two poses; a [`PathScene`] is what moves along it and what stands around.
//! Every segment is judged on its own, so that later trouble shows too:
//! - **overlap**: it starts in overlap, or overlaps by more than is allowed;
//! - **contact**: bodies are apart at its start, or touch there and part at once, and meet later; or they touch at its start and do
//!   not part: resting or sliding in touch is contact, at the segment's beginning;
//! - **free**: proven to have no contact but a touch at the start that is left at once. A touch at the end of a segment is contact in
//!   that segment, not in the next if that leaves it.
//!
//! Poses at the ends of segments are exact, so the test at rest and the test in motion never contradict each other.
//!
//! ```
//! use kontakt_math::motion::Interpolation;
//! use kontakt_math::{DVec3, Pose};
//! use kontakt_mesh::{Mesh, PlacedMesh};
//! use kontakt_rigid_ccd::path::{self, PathOptions, PathScene, Segment, Unwatched, PathVerdict};
//! use kontakt_shapes::make;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let ball = Mesh::new(make::bumpy_ball(8, 0.0)?)?;
//! let at = |x: f64| Pose::new(Pose::IDENTITY.rotation(), DVec3::X * x);
//! // Past a body like itself: apart at both poses, and through it in between.
//! let how = Interpolation::Slerp { pivot: DVec3::ZERO };
//! let segments = Segment::between(&[0.0, 2.0], &[at(-5.0)?, at(5.0)?], how)?;
//! let scene = PathScene::new(&[&ball], &[PlacedMesh::at_rest(&ball)]);
//! let report = path::check(&scene, &segments, &PathOptions::default(), &Unwatched);
//! assert_eq!((report.at_poses, report.verdict()), (PathVerdict::Free, PathVerdict::Contact));
//! # Ok(())
//! # }
//! ```

mod allow;
mod clearance;
mod judge;
mod kept;
mod layer;
mod measure;
mod near;
mod report;
mod scene;
mod segment;
mod watch;

pub use report::{Clearance, PathFinding, PathReport, PathVerdict, SegmentReport};
pub use scene::{PathScene, Rule};
pub use segment::Segment;
pub use watch::{Stage, Unwatched, Watch};

use crate::asker::MotionQuery;
use crate::moving;
use clearance::Enough;
use judge::{Judged, Question};
use kontakt_answers::{Initial, Range, Visits};
use kontakt_schedule::Deadline;
use near::Swept;
use rayon::prelude::*;
use report::worse;

/// How exactly and with how much work to check a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathOptions {
    /// Largest width of a time of contact in the user's time; a millionth of its segment where there is none.
    pub tolerance: Option<f64>,
    /// Largest width of the least clearance; a thousandth of the movers' size where there is none.
    pub distance_tolerance: Option<f64>,
    /// Most units of work for one pair in one segment before it is undecided; see [`moving::MotionOptions`].
    pub most_work: u64,
    /// Most distances at rest that the clearance of a segment may take at first, and where it may be the least of all.
    pub most_distances: [u32; 2],
}

impl Default for PathOptions {
    fn default() -> PathOptions {
        let most_work = moving::MotionOptions::default().most_work;
        PathOptions { tolerance: None, distance_tolerance: None, most_work, most_distances: [64, 1024] }
    }
}

/// Of paths of no more segments all are looked at coarsely, which takes milliseconds, however short the time is.
const SMALL: usize = 1 << 10;

/// The lower bound of a segment's clearance is at first this share of the upper one.
const SHARE: f64 = 0.5;

/// Checks every segment of a path against every body of a scene, with all threads of the pool it is called in. The answer does
/// not depend on how many these are, unless the watch ends it.
pub fn check(
    scene: &PathScene,
    segments: &[Segment],
    options: &PathOptions,
    watch: &dyn Watch,
) -> PathReport {
    let deadline = if segments.len() > SMALL { watch.deadline() } else { Deadline::NEVER };
    let sweep = |segment: &Segment| {
        if deadline.has_passed() { Swept::unknown() } else { Swept::of(scene, segment.motion()) }
    };
    let swept: Vec<Swept> = segments.par_iter().map(sweep).collect();
    let near: Vec<Vec<[u32; 2]>> = swept.par_iter().map(|swept| swept.near(scene)).collect();
    let judged = judge_all(scene, segments, &near, options, watch);
    let mut reports: Vec<SegmentReport> =
        segments.iter().zip(&judged).map(|(segment, judged)| summary(scene, segment, judged)).collect();
    let width = options.distance_tolerance.unwrap_or(1e-3 * scene.size());
    clearances(scene, segments, &swept, &mut reports, (width, options), watch);
    let complete = judged.iter().flatten().all(|judged| judged.asked)
        && reports.iter().all(|report| report.clearance.is_some() || !counts_any(scene));
    PathReport {
        initial: reports.first().and_then(|first| first.initial),
        at_poses: reports.iter().map(|report| report.at_poses).max().unwrap_or(PathVerdict::Free),
        least_clearance: least_of_all(&reports),
        complete,
        segments: reports,
    }
}

/// All pairs that are near in some segment, in parallel; by segment.
fn judge_all(
    scene: &PathScene,
    segments: &[Segment],
    near: &[Vec<[u32; 2]>],
    options: &PathOptions,
    watch: &dyn Watch,
) -> Vec<Vec<Judged>> {
    let questions: Vec<Question> = segments
        .iter()
        .zip(near)
        .flat_map(|(segment, near)| {
            near.iter().map(move |pair| {
                let [mover, body] = pair.map(|index| index as usize);
                Question { scene, segment, mover, body }
            })
        })
        .collect();
    watch.begins(Stage::Judging, questions.len());
    let mut judged = questions
        .par_iter()
        .map_init(MotionQuery::new, |asker, question| {
            let (most_work, deadline) = (options.most_work, watch.deadline());
            let tolerance = options.tolerance.map_or(1e-6, |width| question.segment.share(width));
            let answer = if deadline.has_passed() {
                question.unasked()
            } else {
                question.answer(asker, &moving::MotionOptions { tolerance, most_work, deadline })
            };
            watch.step();
            answer
        })
        .collect::<Vec<Judged>>()
        .into_iter();
    near.iter().map(|near| judged.by_ref().take(near.len()).collect()).collect()
}

/// What the pairs of a segment come to.
fn summary(scene: &PathScene, segment: &Segment, judged: &[Judged]) -> SegmentReport {
    let mut findings: Vec<PathFinding> =
        judged.iter().filter_map(|judged| judged.finding.as_deref().cloned()).collect();
    findings.sort_by(|x, y| {
        (y.verdict.cmp(&x.verdict))
            .then(x.time.hi().total_cmp(&y.time.hi()))
            .then(x.time.lo().total_cmp(&y.time.lo()))
            .then((x.mover, x.body).cmp(&(y.mover, y.body)))
    });
    let times = segment.times();
    let mut visits = Visits::default();
    for judged in judged {
        visits += judged.visits;
    }
    SegmentReport {
        times,
        verdict: findings.first().map_or(PathVerdict::Free, |first| first.verdict),
        initial: judged
            .iter()
            .try_fold(Initial::Separate, |worst, judged| Some(worse(worst, judged.initial?))),
        at_poses: judged.iter().map(|judged| judged.at_poses).max().unwrap_or(PathVerdict::Free),
        free_until: findings
            .iter()
            .filter(|finding| finding.verdict != PathVerdict::Free)
            .map(|finding| finding.time.lo())
            .fold(times[1], f64::min),
        findings,
        near: judged.len(),
        visits,
        clearance: touch(scene, segment, judged),
        distances: 0,
    }
}

/// Whether any pair is to stay apart.
fn counts_any(scene: &PathScene) -> bool {
    let pairs = |mover| (0..scene.stills.len()).any(move |body| scene.rule(mover, body) == Rule::Apart);
    (0..scene.movers.len()).any(pairs)
}

/// Bounds the clearance of every segment, roughly at first, then closer where it may be the least of all.
fn clearances(
    scene: &PathScene,
    segments: &[Segment],
    swept: &[Swept],
    reports: &mut [SegmentReport],
    (width, options): (f64, &PathOptions),
    watch: &dyn Watch,
) {
    let find = |asker: &mut MotionQuery, place: usize, enough: &Enough| {
        let found = (!watch.deadline().has_passed())
            .then(|| clearance::least(asker, scene, &segments[place], &swept[place], enough));
        watch.step();
        found.flatten()
    };
    let open: Vec<usize> = (0..reports.len()).filter(|&place| reports[place].clearance.is_none()).collect();
    watch.begins(Stage::Clearance, open.len());
    let first = Enough { width, share: SHARE, known: f64::INFINITY, distances: options.most_distances[0] };
    keep(
        reports,
        open.par_iter().map_init(MotionQuery::new, |asker, &k| (k, find(asker, k, &first))).collect(),
    );
    let Some(least) = least_of_all(reports) else { return };
    let known = least.range.hi();
    let closer: Vec<usize> = open
        .into_iter()
        .filter(|&place| {
            let range = reports[place].clearance.map(|clearance| clearance.range);
            range.is_some_and(|range| range.lo() < known - width)
        })
        .collect();
    watch.begins(Stage::Clearance, closer.len());
    let enough = Enough { width, share: f64::INFINITY, known, distances: options.most_distances[1] };
    keep(
        reports,
        closer.par_iter().map_init(MotionQuery::new, |asker, &k| (k, find(asker, k, &enough))).collect(),
    );
}

/// Takes over what was found; what two searches prove holds together.
fn keep(reports: &mut [SegmentReport], found: Vec<(usize, Option<(Clearance, u32)>)>) {
    for (place, found) in found {
        let Some((mut clearance, distances)) = found else { continue };
        let report = &mut reports[place];
        report.distances += distances;
        if let Some(before) = report.clearance {
            let lo = clearance.range.lo().max(before.range.lo());
            let nearer = if before.range.hi() < clearance.range.hi() { before } else { clearance };
            let range = Range::new(lo.min(nearer.range.hi()), nearer.range.hi());
            clearance = Clearance { range: range.unwrap_or(nearer.range), ..nearer };
        }
        report.clearance = Some(clearance);
    }
}

/// The clearance of a segment in which bodies meet that are to stay apart, or which starts in touch.
fn touch(scene: &PathScene, segment: &Segment, judged: &[Judged]) -> Option<Clearance> {
    let when = |judged: &Judged| match &judged.finding {
        Some(finding) if finding.verdict >= PathVerdict::Contact => Some(finding.time.hi()),
        _ if judged.initial == Some(Initial::Touching) => Some(segment.times()[0]),
        _ => None,
    };
    let apart = judged.iter().filter(|judged| scene.rule(judged.mover, judged.body) == Rule::Apart);
    let meeting = apart.filter_map(|judged| Some((when(judged)?, judged)));
    let (time, first) = meeting.min_by(|x, y| x.0.total_cmp(&y.0))?;
    Some(Clearance { range: Range::ZERO, mover: first.mover, body: first.body, time })
}

/// The least of all segments' clearances: no lower than the least lower end, no higher than the least upper one. `None` as long as
/// one is missing.
fn least_of_all(reports: &[SegmentReport]) -> Option<Clearance> {
    let all: Option<Vec<Clearance>> = reports.iter().map(|report| report.clearance).collect();
    let all = all?;
    let lo = all.iter().map(|clearance| clearance.range.lo()).fold(f64::INFINITY, f64::min);
    let nearest = all.iter().min_by(|x, y| x.range.hi().total_cmp(&y.range.hi()))?;
    let range = Range::new(lo.min(nearest.range.hi()), nearest.range.hi()).unwrap_or(nearest.range);
    Some(Clearance { range, ..*nearest })
}
