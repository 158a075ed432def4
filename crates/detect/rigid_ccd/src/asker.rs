//! The one who asks: scratch memory of the searches, reused from question to question.

use crate::agenda::{Agenda, Room};
use crate::budget::Budget;
use crate::convoy::{Convoy, Progress};
use crate::course::Course;
use crate::initial;
use crate::leave::Leaving;
use crate::leg::Leg;
use crate::legs::{self, Bodies, Reached};
use crate::order;
use crate::report;
use crate::search::{Found, Met, Search};
use crate::slab::{Sizes, Slab};
use crate::sweep::{self, Sweep};
use kontakt_answers::{Impact, Initial, Visits};
use kontakt_bounds::batch::Isa;
use kontakt_math::{Between, DVec3, Motion};
use kontakt_mesh::{Mesh, Placed};
use kontakt_schedule::Deadline;
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
    /// A moment after which the answer is undecided, with what is certified by then.
    pub deadline: Deadline,
}

impl Default for Options {
    fn default() -> Options {
        Options { tolerance: 1e-6, most_work: 5_000_000, deadline: Deadline::NEVER }
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
    pub(crate) at_rest: kontakt_mesh::Asker,
    pub(crate) shapes_at_rest: kontakt_convex::Asker,
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

    /// When the two bodies' faces first meet. A start in overlap (or one inside the other) is reported as contact at 0. The order
    /// of the bodies does not matter, to the last bit.
    pub fn impact(&mut self, a: Moving, b: Moving, options: &Options) -> Impact {
        if order::other_order_of_meshes([&a, &b]) {
            return self.impact(b, a, options).swapped();
        }
        let tolerance = options.sound_tolerance();
        let mut meshes = Meshes { asker: self, bodies: [a, b], tolerance, entered: None };
        legs::impact(&mut meshes, [a.motion, b.motion], options)
    }

    /// The first contact of two meshes on a leg that is proven free before `from`.
    pub(crate) fn search(
        &mut self,
        leg: &Leg,
        [a, b]: [&Mesh; 2],
        from: f64,
        tolerance: f64,
        leaving: Option<Leaving>,
        budget: &mut Budget,
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
            budget,
            leaving,
            contact: None,
            undecided: f64::INFINITY,
        };
        search.run()
    }
}

/// Two meshes on their way.
struct Meshes<'q, 'a> {
    asker: &'q mut Asker,
    bodies: [Moving<'a>; 2],
    tolerance: f64,
    /// The leg they are on, and how far planes between all of their corners lead.
    entered: Option<(Leg<'a>, Progress)>,
}

impl Bodies for Meshes<'_, '_> {
    fn enter(&mut self, span: [f64; 2], budget: &mut Budget) -> bool {
        let [a, b] = self.bodies;
        let leg = leg(a, b, span);
        let convoy = Convoy::new(&leg, [a.mesh, b.mesh], self.tolerance).filter(|_| !budget.is_spent());
        let progress = convoy.map_or(Progress::Nothing, |convoy| convoy.follow(&mut self.asker.visits));
        self.entered = Some((leg, progress));
        !matches!(progress, Progress::Nothing)
    }

    fn start(&mut self) -> Option<Initial> {
        initial::state(&mut self.asker.at_rest, self.bodies[0], self.bodies[1])
    }

    fn first_contact(&mut self, touching: bool, budget: &mut Budget) -> Reached {
        let Some((leg, progress)) = self.entered.take() else { return Reached::Open(0.0) };
        let [a, b] = self.bodies;
        let meshes = [a.mesh, b.mesh];
        let from = match progress {
            Progress::Nothing => leg.start,
            Progress::Until(t) => t,
            Progress::Free => return Reached::End,
            Progress::Contact { lo, hi, slots, plane } => {
                let met = Met { lo, hi, slots };
                let contact = match plane {
                    Some(plane) => report::at_plane(&leg, meshes, &met, &plane),
                    None => report::contact(&leg, meshes, &met),
                };
                return Reached::Contact { lo, hi, contact: Some(contact) };
            }
        };
        let leaving = touching.then(|| leaving(&mut self.asker.at_rest, a, b));
        let found = self.asker.search(&leg, meshes, from, self.tolerance, leaving, budget);
        match found.contact {
            _ if found.open => Reached::Open(found.free_until),
            None => Reached::End,
            Some(met) => {
                let lo = found.free_until.min(met.hi);
                let contact = Some(report::contact(&leg, meshes, &met));
                Reached::Contact { lo, hi: met.hi, contact }
            }
        }
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
