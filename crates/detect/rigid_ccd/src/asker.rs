//! The one who asks: scratch memory of the searches, reused from question to question.

use crate::agenda::Room;
use crate::budget::Budget;
use crate::convoy::{Desk, Progress, Trail};
use crate::leave::Leaving;
use crate::leg::Leg;
use crate::search::{Found, Front, Search};
use crate::slab::Sizes;
use crate::sweep::{self, Sweep};
use kontakt_answers::Visits;
use kontakt_bounds::batch::Isa;
use kontakt_mesh::{ContactSearch, Mesh};
use kontakt_schedule::Ledger;

/// What is known of two meshes on a leg: it may be left and taken up again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chase {
    pub(crate) span: [f64; 2],
    /// The way of planes between all corners, while it is not followed to its end.
    pub(crate) trail: Option<Trail>,
    /// How far they lead.
    pub(crate) progress: Progress,
    /// Triangles that may well meet, in slots of both trees.
    pub(crate) expected: Option<[u32; 2]>,
    /// Whether the first contact is being searched for.
    pub(crate) searching: bool,
    pub(crate) front: Front,
    /// Of the bodies at the beginning.
    pub(crate) at_start: Option<ContactSearch>,
}

/// Asks when moving bodies first meet. It owns nothing but scratch memory and counters: answers never depend on what was asked before.
#[derive(Clone, Debug)]
pub struct MotionQuery {
    /// Work of all questions asked so far.
    pub visits: Visits,
    pub(crate) at_rest: kontakt_mesh::MeshQuery,
    pub(crate) shapes_at_rest: kontakt_convex::ConvexQuery,
    pub(crate) mesh_and_shape_at_rest: kontakt_mesh::MeshShapeQuery,
    pub(crate) chase: Chase,
    pub(crate) convoy: Desk,
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
            chase: Chase::default(),
            convoy: Desk::default(),
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
        let mut front = std::mem::take(&mut self.chase.front);
        front.restart(from, tolerance, leaving);
        let mut unlimited = Ledger::unlimited();
        let found = self.search_on(leg, [a, b], &mut front, budget, &mut unlimited).go_on();
        self.chase.front = front;
        found.unwrap_or(Found { free_until: from, contact: None, open: true })
    }

    /// A search to be begun or continued.
    pub(crate) fn search_on<'a>(
        &'a mut self,
        leg: &'a Leg<'a>,
        [a, b]: [&'a Mesh; 2],
        front: &'a mut Front,
        budget: &'a mut Budget,
        ledger: &'a mut Ledger,
    ) -> Search<'a> {
        let sizes = Sizes::of(a.tree(), b.tree());
        let (sweep, room, visits) = (self.sweep, self.room, &mut self.visits);
        Search { leg, a, b, sizes, sweep, room, front, visits, budget, ledger }
    }
}
