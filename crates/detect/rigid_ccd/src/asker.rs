//! The one who asks: scratch memory of the searches, reused from question to question.

use crate::agenda::{Agenda, Room};
use crate::budget::Budget;
use crate::convoy::{Convoy, Progress};
use crate::initial;
use crate::leave::Leaving;
use crate::leg::Leg;
use crate::legs::{self, Bodies, Reached, leg};
use crate::moving::{MotionOptions, MovingMesh};
use crate::order;
use crate::report;
use crate::search::{Found, Met, Search};
use crate::slab::{Sizes, Slab};
use crate::sweep::{self, Sweep};
use kontakt_answers::{Impact, Initial, Visits};
use kontakt_bounds::batch::Isa;
use kontakt_math::Between;
use kontakt_mesh::{Mesh, PlacedMesh};

/// Asks when moving bodies first meet. It owns nothing but scratch memory and counters: answers never depend on what was asked before.
#[derive(Clone, Debug)]
pub struct MotionQuery {
    /// Work of all questions asked so far.
    pub visits: Visits,
    pub(crate) at_rest: kontakt_mesh::MeshQuery,
    pub(crate) shapes_at_rest: kontakt_convex::ConvexQuery,
    pub(crate) mesh_and_shape_at_rest: kontakt_mesh::MeshShapeQuery,
    agenda: Agenda,
    slabs: Vec<Slab>,
    room: Room,
    sweep: Sweep,
}

impl Default for MotionQuery {
    fn default() -> MotionQuery {
        MotionQuery::new()
    }
}

impl MotionQuery {
    /// An asker that uses the widest instructions of this processor.
    pub fn new() -> MotionQuery {
        MotionQuery::with_isa(Isa::best())
    }

    /// An asker that uses a chosen instruction set, plain Rust where the processor lacks it. Answers are the same.
    pub fn with_isa(isa: Isa) -> MotionQuery {
        MotionQuery {
            visits: Visits::default(),
            at_rest: kontakt_mesh::MeshQuery::with_isa(isa),
            shapes_at_rest: kontakt_convex::ConvexQuery::new(),
            mesh_and_shape_at_rest: kontakt_mesh::MeshShapeQuery::new(),
            agenda: Agenda::default(),
            slabs: Vec::new(),
            room: Room::default(),
            sweep: sweep::sweep(isa),
        }
    }

    /// An asker with other bounds of its memory.
    #[cfg(test)]
    pub(crate) fn with_room(room: Room) -> MotionQuery {
        MotionQuery { room, ..MotionQuery::new() }
    }

    /// Asks about bodies at rest.
    pub(crate) fn at_rest_mut(&mut self) -> &mut kontakt_mesh::MeshQuery {
        &mut self.at_rest
    }

    /// When the two bodies' faces first meet. A start in overlap (or one inside the other) is reported as contact at 0. The order
    /// of the bodies does not matter, to the last bit.
    pub fn impact(&mut self, a: MovingMesh, b: MovingMesh, options: &MotionOptions) -> Impact {
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
    asker: &'q mut MotionQuery,
    bodies: [MovingMesh<'a>; 2],
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
fn leaving(asker: &mut kontakt_mesh::MeshQuery, a: MovingMesh, b: MovingMesh) -> Leaving {
    let placed = [a, b].map(|body| PlacedMesh::new(body.mesh, body.motion.pose_at(0.0)));
    let pairs = asker.all_pairs(placed[0], placed[1]);
    let corners = |body: MovingMesh, face: u32| body.mesh.faces().triangle_points(face as usize);
    let touching = pairs.iter().map(|pair| [corners(a, pair.a), corners(b, pair.b)]);
    Leaving::new(Between::new(placed[0].pose, placed[1].pose), touching)
}
