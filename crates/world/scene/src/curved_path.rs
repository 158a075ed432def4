//! A path of bodies with curved faces: what their triangles prove of the true surfaces.
//!
//! The path is checked for the triangles first. A segment that keeps these farther apart than they may lie off is free for the true
//! surfaces too; in all others every pair with a curved body is asked again, from certified distance to certified distance.

use kontakt_answers::{Impact, Initial, Range};
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{Motion, Pose};
use kontakt_mesh::Mesh;
use kontakt_pair::{Body, Moving, Query};
use kontakt_rigid_ccd::MotionOptions;
use kontakt_rigid_ccd::path::{
    Clearance, PathFinding, PathReport, PathVerdict, Segment, SegmentReport, Watch,
};
use kontakt_shapes::FaceSet;
use rayon::prelude::*;

/// Times of contact are told to this share of a segment; every one takes a distance.
const TOLERANCE: f64 = 1e-4;

/// A mover and a body, one of them curved, that are to stay apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurvedPair<'a> {
    /// Its places among the movers and among the others.
    pub(crate) places: [usize; 2],
    pub(crate) bodies: [&'a Body; 2],
    /// Of the mover in the frame that moves, of the other in the world.
    pub(crate) poses: [Pose; 2],
    /// How far the triangles of both lie off, the mover's as they are put into the frame that moves.
    pub(crate) slack: f64,
}

/// A mesh put into another frame, and how far rounding may have put it off.
pub(crate) fn placed(mesh: &Mesh, pose: &Pose) -> Result<(Mesh, f64), String> {
    let faces = mesh.faces();
    let vertices = faces.vertices().iter().map(|&x| pose.apply(x)).collect();
    let off = faces.vertices().iter().map(|&x| pose.apply_error(x)).fold(0.0, f64::max);
    let faces = FaceSet::from_triangles(vertices, faces.triangles().to_vec());
    let faces = faces.map_err(|error| error.to_string())?;
    Ok((Mesh::new(faces).map_err(|error| error.to_string())?, off))
}

/// Makes a report on triangles one on the true surfaces.
pub(crate) fn told(report: &mut PathReport, segments: &[Segment], pairs: &[CurvedPair], watch: &dyn Watch) {
    let slack = pairs.iter().map(|pair| pair.slack).fold(0.0, f64::max);
    if pairs.is_empty() {
        return;
    }
    report.segments.par_iter_mut().zip(segments).for_each_init(Query::new, |query, (told, segment)| {
        let apart = told.clearance.is_some_and(|clearance| clearance.range.lo() > slack);
        if told.verdict != PathVerdict::Free || !apart {
            ask_again(query, told, segment, pairs, watch);
        }
        loosen(&mut told.clearance, slack);
    });
    loosen(&mut report.least_clearance, slack);
    report.initial = report.segments.first().and_then(|first| first.initial);
}

/// What triangles of a pair exceed that may interfere by a depth is what they were allowed, less than the depth: nothing is proven then.
pub(crate) fn not_proven(finding: &mut PathFinding, depth: f64, end: f64) {
    if finding.allowed.is_none() {
        return;
    }
    finding.allowed = Some(depth);
    if finding.verdict == PathVerdict::Overlap {
        finding.verdict = PathVerdict::Undecided;
        finding.time = Range::new(finding.time.lo(), end.max(finding.time.lo())).unwrap_or(finding.time);
    }
}

/// Sorts the findings of a segment and says what they come to.
pub(crate) fn sum_up(told: &mut SegmentReport) {
    told.findings.sort_by(|x, y| {
        (y.verdict.cmp(&x.verdict))
            .then(x.time.hi().total_cmp(&y.time.hi()))
            .then(x.time.lo().total_cmp(&y.time.lo()))
            .then((x.mover, x.body).cmp(&(y.mover, y.body)))
    });
    told.verdict = told.findings.first().map_or(PathVerdict::Free, |first| first.verdict);
    let open = told.findings.iter().filter(|finding| finding.verdict != PathVerdict::Free);
    told.free_until = open.map(|finding| finding.time.lo()).fold(told.times[1], f64::min);
}

/// Bounds of a clearance that the triangles are off by so much.
fn loosen(clearance: &mut Option<Clearance>, slack: f64) {
    if let Some(clearance) = clearance {
        let lo = add_down(clearance.range.lo(), -slack).max(0.0);
        let hi = add_up(clearance.range.hi(), slack);
        clearance.range = Range::new(lo, hi).unwrap_or(clearance.range);
    }
}

fn ask_again(
    query: &mut Query,
    told: &mut SegmentReport,
    segment: &Segment,
    pairs: &[CurvedPair],
    watch: &dyn Watch,
) {
    let is_curved = |finding: &PathFinding| {
        pairs.iter().any(|pair| pair.places == [finding.mover, finding.body]) && finding.allowed.is_none()
    };
    told.findings.retain(|finding| !is_curved(finding));
    for pair in pairs {
        let impact = pair.first_contact(query, segment.motion(), watch);
        told.findings.extend(pair.finding(&impact, segment));
        told.initial = told.initial.and_then(|known| Some(worse(known, initial(&impact)?)));
    }
    sum_up(told);
}

fn initial(impact: &Impact) -> Option<Initial> {
    match *impact {
        Impact::Free { initial } | Impact::Contact { initial, .. } => Some(initial),
        Impact::Undecided { initial, .. } => initial,
    }
}

fn worse(a: Initial, b: Initial) -> Initial {
    let rank = |initial: Initial| match initial {
        Initial::Separate => 0,
        Initial::Touching => 1,
        Initial::Overlapping => 2,
    };
    if rank(a) >= rank(b) { a } else { b }
}

impl CurvedPair<'_> {
    fn first_contact(&self, query: &mut Query, motion: &Motion, watch: &dyn Watch) -> Impact {
        let options =
            MotionOptions { tolerance: TOLERANCE, deadline: watch.deadline(), ..MotionOptions::default() };
        let carried;
        let motion = if self.poses[0] == Pose::IDENTITY {
            motion
        } else {
            carried = motion.carrying(self.poses[0]);
            &carried
        };
        let rest = Motion::Rest(self.poses[1]);
        let (mover, body) = (Moving::new(self.bodies[0], motion), Moving::new(self.bodies[1], &rest));
        query.first_contact(mover, body, &options)
    }

    /// What an impact comes to in the user's time; nothing where the pair is proven free.
    fn finding(&self, impact: &Impact, segment: &Segment) -> Option<PathFinding> {
        let [start, end] = segment.times();
        let time = |share: f64| start + (end - start) * share;
        let (verdict, until, by, contact) = match *impact {
            Impact::Free { .. } => return None,
            Impact::Contact { initial: Initial::Overlapping, contact, .. } => {
                (PathVerdict::Overlap, start, start, contact)
            }
            Impact::Contact { time: when, contact, .. } => {
                (PathVerdict::Contact, time(when.lo()), time(when.hi()).next_up().min(end), contact)
            }
            Impact::Undecided { free_until, .. } => (PathVerdict::Undecided, time(free_until), end, None),
        };
        let until = until.next_down().clamp(start, by);
        Some(PathFinding {
            mover: self.places[0],
            body: self.places[1],
            verdict,
            initial: initial(impact),
            time: Range::new(until, by).unwrap_or(Range::ZERO),
            contact,
            allowed: None,
        })
    }
}
