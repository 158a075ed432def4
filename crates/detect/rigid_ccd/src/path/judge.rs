//! One mover against one body during one segment.

use super::allow::{Allowance, Standing};
use super::kept::Kept;
use super::report::{PathFinding, PathVerdict};
use super::scene::{PathScene, Rule};
use super::segment::Segment;
use crate::asker::MotionQuery;
use crate::initial;
use crate::moving::{MotionOptions, MovingMesh};
use kontakt_answers::{Contact, Impact, Initial, Range, Visits};
use kontakt_math::{DVec3, Motion, Pose};
use kontakt_mesh::PlacedMesh;

/// What was found about a pair.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub(crate) mover: usize,
    pub(crate) body: usize,
    /// `None` for a pair proven free that is no news.
    pub(crate) finding: Option<Box<PathFinding>>,
    pub(crate) initial: Option<Initial>,
    /// What the test at the two poses alone says.
    pub(crate) at_poses: PathVerdict,
    pub(crate) visits: Visits,
    /// Whether it was asked at all.
    pub(crate) asked: bool,
}

/// The pair asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) scene: &'a PathScene<'a>,
    pub(crate) segment: &'a Segment,
    pub(crate) mover: usize,
    pub(crate) body: usize,
}

/// Shares of the segment and what is certain about them.
struct Outcome {
    verdict: PathVerdict,
    /// `None` where it cannot be told.
    initial: Option<Initial>,
    shares: [f64; 2],
    contact: Option<Contact>,
    at_poses: PathVerdict,
    /// They meet, and are allowed to.
    allowed: bool,
}

impl<'a> Question<'a> {
    pub(crate) fn still(&self) -> MovingMesh<'a> {
        let still = &self.scene.stills[self.body];
        MovingMesh { mesh: still.mesh, motion: &still.motion }
    }

    pub(crate) fn moving(&self) -> MovingMesh<'a> {
        MovingMesh { mesh: self.scene.movers[self.mover].mesh, motion: self.segment.motion() }
    }

    /// Nothing is known of it.
    pub(crate) fn unasked(&self) -> Judged {
        let [start, end] = self.segment.times();
        let finding = PathFinding {
            mover: self.mover,
            body: self.body,
            verdict: PathVerdict::Undecided,
            initial: None,
            time: Range::new(start, end).unwrap_or(Range::ZERO),
            contact: None,
            allowed: None,
        };
        Judged {
            mover: self.mover,
            body: self.body,
            finding: Some(Box::new(finding)),
            initial: None,
            at_poses: PathVerdict::Undecided,
            visits: Visits::default(),
            asked: false,
        }
    }

    /// The certified answer; `options` has its tolerance as a share of the segment.
    pub(crate) fn answer(&self, asker: &mut MotionQuery, options: &MotionOptions) -> Judged {
        let before = (asker.visits, asker.at_rest_mut().visits);
        let impact = asker.impact(self.still(), self.moving(), options);
        let outcome = match (self.scene.rule(self.mover, self.body), impact) {
            (_, Impact::Free { initial }) => Outcome::free(initial),
            (Rule::Allowed(depth), impact) => self.within_allowance(asker, &impact, depth, options),
            (_, impact) => self.apart(asker, &impact),
        };
        let news = outcome.verdict != PathVerdict::Free || outcome.allowed;
        let allowed = match self.scene.rule(self.mover, self.body) {
            Rule::Allowed(depth) => Some(depth),
            _ => None,
        };
        let finding = news.then(|| {
            Box::new(PathFinding {
                mover: self.mover,
                body: self.body,
                verdict: outcome.verdict,
                initial: outcome.initial,
                time: self.segment.outward(outcome.shares),
                contact: outcome.contact,
                allowed,
            })
        });
        let mut visits = since(asker.visits, before.0);
        visits += since(asker.at_rest_mut().visits, before.1);
        Judged {
            mover: self.mover,
            body: self.body,
            finding,
            initial: outcome.initial,
            at_poses: outcome.at_poses,
            visits,
            asked: true,
        }
    }

    /// For bodies that are to stay apart and were not proven free.
    ///
    /// The pose at the end of a segment is the one given, so the test at rest is exact there. Where bodies meet at the end, contact
    /// begins in the segment even if the search left open when; and where the search left open nothing but the end, at which
    /// they are apart, the segment is free. An overlap found at one of a few times in between proves contact too.
    fn apart(&self, asker: &mut MotionQuery, impact: &Impact) -> Outcome {
        let [first, last] = [0.0, 1.0].map(|t| self.segment.motion().pose_at(t));
        let end = self.state_at(asker, last);
        let initial = match impact {
            Impact::Free { initial } | Impact::Contact { initial, .. } => Some(*initial),
            Impact::Undecided { initial, .. } => initial.or_else(|| self.state_at(asker, first)),
        };
        let at_poses = match (initial, end) {
            (Some(Initial::Overlapping), _) | (_, Some(Initial::Overlapping)) => PathVerdict::Overlap,
            (_, Some(Initial::Touching)) => PathVerdict::Contact,
            (None, _) | (_, None) => PathVerdict::Undecided,
            _ => PathVerdict::Free,
        };
        let exact = self.segment.ends_exactly();
        let (verdict, shares, contact) = match *impact {
            _ if initial == Some(Initial::Overlapping) => {
                (PathVerdict::Overlap, [0.0, 0.0], self.contact_at(asker, first))
            }
            Impact::Contact { time, contact, .. } => (PathVerdict::Contact, [time.lo(), time.hi()], contact),
            Impact::Undecided { free_until, .. }
                if exact && matches!(end, Some(Initial::Touching | Initial::Overlapping)) =>
            {
                (PathVerdict::Contact, [free_until, 1.0], self.contact_at(asker, last))
            }
            Impact::Undecided { free_until, .. } if exact && free_until >= 1.0 && end.is_some() => {
                (PathVerdict::Free, [1.0, 1.0], None)
            }
            Impact::Undecided { free_until, .. } => match self.overlap_after(asker, free_until) {
                Some(by) => (PathVerdict::Contact, [free_until, by], None),
                None => (PathVerdict::Undecided, [free_until, 1.0], None),
            },
            Impact::Free { .. } => (PathVerdict::Free, [1.0, 1.0], None),
        };
        let contact = contact.map(Contact::swapped);
        Outcome { verdict, initial, shares, contact, at_poses, allowed: false }
    }

    /// A time after `start` at which an overlap is proven, looked for at a few.
    fn overlap_after(&self, asker: &mut MotionQuery, start: f64) -> Option<f64> {
        let none = Allowance { still: self.still(), moving: self.moving(), depth: 0.0 };
        none.overlapping_after(asker, start)
    }

    /// For bodies that may overlap a little and were not proven free.
    fn within_allowance(
        &self,
        asker: &mut MotionQuery,
        impact: &Impact,
        depth: f64,
        options: &MotionOptions,
    ) -> Outcome {
        let strict = self.apart(asker, impact);
        let allowance = Allowance { still: self.still(), moving: self.moving(), depth };
        let away = strict.contact.map_or(DVec3::ZERO, |contact| -contact.normal);
        let from = (impact.free_until(), away);
        let Kept { until, exceeded } = allowance.kept_until(asker, from, options);
        let verdict = match exceeded {
            _ if until >= 1.0 => PathVerdict::Free,
            Some(_) => PathVerdict::Overlap,
            None => PathVerdict::Undecided,
        };
        let initial = match strict.initial {
            Some(Initial::Overlapping) if until > 0.0 => Some(Initial::Touching),
            initial => initial,
        };
        let poses = [0.0, 1.0].map(|t| self.segment.motion().pose_at(t));
        let at_poses = poses.map(|pose| match allowance.standing_at(asker, pose, options) {
            Standing::Kept => PathVerdict::Free,
            Standing::Exceeded => PathVerdict::Overlap,
            Standing::Open => PathVerdict::Undecided,
        });
        let at_poses = at_poses[0].max(at_poses[1]);
        Outcome {
            verdict,
            initial,
            shares: [until, exceeded.unwrap_or(1.0)],
            contact: strict.contact,
            at_poses,
            allowed: true,
        }
    }

    fn placed(&self, pose: Pose) -> [PlacedMesh<'a>; 2] {
        let (still, moving) = (self.still(), self.moving());
        [PlacedMesh::new(still.mesh, still.motion.pose_at(0.0)), PlacedMesh::new(moving.mesh, pose)]
    }

    /// Exact, for the mover at that pose; `None` where the query at rest cannot tell.
    fn state_at(&self, asker: &mut MotionQuery, pose: Pose) -> Option<Initial> {
        let motion = Motion::Rest(pose);
        initial::state(
            asker.at_rest_mut(),
            self.still(),
            MovingMesh { mesh: self.moving().mesh, motion: &motion },
        )
    }

    /// Where bodies meet that do so at a pose, from the body to the mover.
    fn contact_at(&self, asker: &mut MotionQuery, pose: Pose) -> Option<Contact> {
        let [still, moving] = self.placed(pose);
        let patches = asker.at_rest_mut().patches(still, moving);
        patches.first().and_then(|patch| patch.contacts.first().copied())
    }
}

impl Outcome {
    fn free(initial: Initial) -> Outcome {
        Outcome {
            verdict: PathVerdict::Free,
            initial: Some(initial),
            shares: [1.0, 1.0],
            contact: None,
            at_poses: PathVerdict::Free,
            allowed: false,
        }
    }
}

/// Work done since a reading.
fn since(now: Visits, before: Visits) -> Visits {
    Visits {
        volume_tests: now.volume_tests - before.volume_tests,
        face_tests: now.face_tests - before.face_tests,
        exact_tests: now.exact_tests - before.exact_tests,
    }
}
