//! The one who asks: scratch memory of the searches, reused from question to question.

use crate::agenda::{Agenda, Room};
use crate::convoy::{Convoy, Progress};
use crate::course::Course;
use crate::initial;
use crate::leave::Leaving;
use crate::leg::Leg;
use crate::report;
use crate::search::{Found, Met, Search};
use crate::slab::{Sizes, Slab};
use crate::sweep::{self, Sweep};
use kontakt_answers::{Impact, Initial, Range, Visits};
use kontakt_bounds::batch::Isa;
use kontakt_math::{Between, DVec3, Motion};
use kontakt_mesh::{Mesh, Placed};
use std::borrow::Cow;

/// A mesh and how it moves in the world over t in [0, 1].
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a> {
    /// The body.
    pub mesh: &'a Mesh,
    /// World from body at every time.
    pub motion: &'a Motion,
}

/// How exactly and with how much work to answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Largest width of the time of contact; at least a few units in the last place are used.
    pub tolerance: f64,
    /// Most units of work (a pair of nodes opened or a look at a pair of triangles each, some 0.5 µs) before the answer is
    /// undecided.
    pub most_work: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { tolerance: 1e-6, most_work: 5_000_000 }
    }
}

impl Options {
    /// At least a few units in the last place, also for NaN.
    pub(crate) fn sound_tolerance(&self) -> f64 {
        #[expect(clippy::manual_clamp, reason = "takes NaN to the least")]
        let tolerance = self.tolerance.max(8.0 * f64::EPSILON).min(1.0);
        tolerance
    }
}

/// Asks when moving bodies first meet. It owns nothing but scratch memory and counters: answers never depend on what was asked before.
#[derive(Clone, Debug)]
pub struct Asker {
    /// Work of all questions asked so far.
    pub visits: Visits,
    at_rest: kontakt_mesh::Asker,
    shapes_at_rest: kontakt_convex::Asker,
    agenda: Agenda,
    slabs: Vec<Slab>,
    room: Room,
    sweep: Sweep,
}

impl Default for Asker {
    fn default() -> Asker {
        Asker::new()
    }
}

impl Asker {
    /// An asker that uses the widest instructions of this processor.
    pub fn new() -> Asker {
        Asker::with_isa(Isa::best())
    }

    /// An asker that uses a chosen instruction set, plain Rust where the processor lacks it. Answers are the same.
    pub fn with_isa(isa: Isa) -> Asker {
        Asker {
            visits: Visits::default(),
            at_rest: kontakt_mesh::Asker::with_isa(isa),
            shapes_at_rest: kontakt_convex::Asker::new(),
            agenda: Agenda::default(),
            slabs: Vec::new(),
            room: Room::default(),
            sweep: sweep::sweep(isa),
        }
    }

    /// An asker with other bounds of its memory.
    #[cfg(test)]
    pub(crate) fn with_room(room: Room) -> Asker {
        Asker { room, ..Asker::new() }
    }

    /// Asks about bodies at rest.
    pub(crate) fn at_rest_mut(&mut self) -> &mut kontakt_mesh::Asker {
        &mut self.at_rest
    }

    /// Asks about convex bodies at rest.
    pub(crate) fn shapes_at_rest(&mut self) -> &mut kontakt_convex::Asker {
        &mut self.shapes_at_rest
    }

    /// When the two bodies' faces first meet. A start in overlap (or one inside the other) is reported as contact at 0.
    pub fn impact(&mut self, a: Moving, b: Moving, options: &Options) -> Impact {
        let tolerance = options.sound_tolerance();
        let mut work = options.most_work;
        let mut initial = Initial::Separate;
        for span in times([a.motion, b.motion]).windows(2) {
            let leg = &leg(a, b, [span[0], span[1]]);
            let convoy = Convoy::new(leg, [a.mesh, b.mesh], tolerance).filter(|_| work > 0);
            let progress = convoy.map_or(Progress::Nothing, |convoy| convoy.follow(&mut self.visits));
            let first = span[0] == 0.0;
            if first && matches!(progress, Progress::Nothing) {
                initial = initial::state(&mut self.at_rest, a, b);
            }
            if initial == Initial::Overlapping {
                return Impact::Contact { initial, time: Range::ZERO, contact: None };
            }
            let from = match progress {
                Progress::Nothing => leg.start,
                Progress::Until(t) => t,
                Progress::Free => continue,
                Progress::Contact { lo, hi, slots } => {
                    let time = Range::new(lo, hi).unwrap_or(Range::ZERO);
                    let contact = Some(report::contact(leg, a.mesh, b.mesh, &Met { lo, hi, slots }));
                    return Impact::Contact { initial, time, contact };
                }
            };
            let touching = initial == Initial::Touching && first;
            let leaving = touching.then(|| leaving(&mut self.at_rest, a, b));
            let Found { free_until, contact, open } =
                self.search(leg, [a.mesh, b.mesh], from, tolerance, leaving, &mut work);
            if open {
                return Impact::Undecided { initial: Some(initial), free_until };
            }
            if let Some(met) = contact {
                let time = Range::new(free_until, met.hi).unwrap_or(Range::ZERO);
                let contact = Some(report::contact(leg, a.mesh, b.mesh, &met));
                return Impact::Contact { initial, time, contact };
            }
        }
        Impact::Free { initial }
    }

    /// The first contact of two meshes on a leg that is proven free before `from`.
    pub(crate) fn search(
        &mut self,
        leg: &Leg,
        [a, b]: [&Mesh; 2],
        from: f64,
        tolerance: f64,
        leaving: Option<Leaving>,
        work: &mut u64,
    ) -> Found {
        let search = Search {
            leg,
            a,
            b,
            sizes: Sizes::of(a.tree(), b.tree()),
            sweep: self.sweep,
            tolerance,
            from,
            agenda: &mut self.agenda,
            slabs: &mut self.slabs,
            room: self.room,
            rest: None,
            visits: &mut self.visits,
            work,
            leaving,
            contact: None,
            undecided: f64::INFINITY,
        };
        search.run()
    }
}

/// What is known of bodies that touch at the beginning.
fn leaving(asker: &mut kontakt_mesh::Asker, a: Moving, b: Moving) -> Leaving {
    let placed = [a, b].map(|body| Placed::new(body.mesh, body.motion.pose_at(0.0)));
    let pairs = asker.all_pairs(placed[0], placed[1]);
    let corners = |body: Moving, face: u32| body.mesh.faces().triangle_points(face as usize);
    let touching = pairs.iter().map(|pair| [corners(a, pair.a), corners(b, pair.b)]);
    Leaving::new(Between::new(placed[0].pose, placed[1].pose), touching)
}

/// The times between which both motions are smooth: knots of paths.
pub(crate) fn times(motions: [&Motion; 2]) -> Vec<f64> {
    let mut times = vec![0.0, 1.0];
    for motion in motions {
        if let Motion::Path(path) = motion {
            times.extend(path.knots());
        }
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Both motions between two such times.
pub(crate) fn leg<'a>(a: Moving<'a>, b: Moving<'a>, span: [f64; 2]) -> Leg<'a> {
    leg_of([a.motion, b.motion], span, [a.mesh.tree().origin(), b.mesh.tree().origin()])
}

/// The same for any bodies; `origins` lie on or near them, in their frames.
pub(crate) fn leg_of<'a>(motions: [&'a Motion; 2], span: [f64; 2], origins: [DVec3; 2]) -> Leg<'a> {
    let course = |motion: &'a Motion| match motion {
        Motion::Path(path) => {
            let piece = path.knots().partition_point(|&knot| knot <= span[0]).saturating_sub(1);
            match (path.segment(piece), path.knots().get(piece..=piece + 1)) {
                (Some(segment), Some(&[from, to])) => Course::new(Cow::Owned(segment), from, to),
                _ => Course::new(Cow::Owned(Motion::Rest(motion.pose_at(span[0]))), 0.0, 1.0),
            }
        }
        _ => Course::new(Cow::Borrowed(motion), 0.0, 1.0),
    };
    Leg::new(course(motions[0]), course(motions[1]), span, origins)
}
