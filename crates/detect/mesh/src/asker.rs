//! The one who asks: scratch memory of the queries between two bodies, reused from question to question.

use kontakt_answers::Visits;
use kontakt_bounds::batch::Isa;
use kontakt_schedule::Deadline;

use crate::face_pair::FacePair;
use crate::mesh::PlacedMesh;
use crate::walk::descent::Open;
use crate::walk::nearing::Nearing;
use crate::walk::shelf::Desk;

/// Asks questions about two bodies at two poses. It owns nothing but scratch memory, counters and limits: answers never depend on
/// what was asked before, so one asker per thread serves any number of bodies.
#[derive(Clone, Debug)]
pub struct MeshQuery {
    /// Work of all questions asked so far.
    pub visits: Visits,
    /// When to end with what is certified so far. Never, unless set.
    pub deadline: Deadline,
    /// How many pairs of triangles are found at most. Any number, unless set.
    pub max_pairs: usize,
    /// Most units of work (see [`DistanceSearch`](crate::DistanceSearch)) for a distance. Any number, unless set.
    pub max_work: u64,
    pub(crate) pairs_complete: bool,
    pub(crate) isa: Isa,
    pub(crate) pairs: Vec<FacePair>,
    pub(crate) open: Vec<Open>,
    pub(crate) desk: Desk,
    pub(crate) nearing: Box<Nearing>,
}

impl MeshQuery {
    /// An asker that uses the widest instructions of this processor.
    pub fn new() -> MeshQuery {
        MeshQuery::with_isa(Isa::best())
    }

    /// An asker that uses a chosen instruction set, plain Rust where the processor lacks it. Answers are the same but for which
    /// of several pairs is reported.
    pub fn with_isa(isa: Isa) -> MeshQuery {
        MeshQuery {
            visits: Visits::default(),
            deadline: Deadline::NEVER,
            max_pairs: usize::MAX,
            max_work: u64::MAX,
            pairs_complete: true,
            isa,
            pairs: Vec::new(),
            open: Vec::new(),
            desk: Desk::default(),
            nearing: Box::default(),
        }
    }
}

impl Default for MeshQuery {
    fn default() -> MeshQuery {
        MeshQuery::new()
    }
}

/// Whether two bodies are to be taken in the other order, so that an answer does not depend on the order they are given in. The
/// larger body goes first; of bodies alike (as many triangles, the same root) the one whose pose is less. Only bodies
/// that agree in all of that and still differ, at one pose, keep the order given.
pub(crate) fn in_other_order(a: PlacedMesh, b: PlacedMesh) -> bool {
    let key = |body: &PlacedMesh| {
        let tree = body.mesh.tree();
        let root = tree.nodes().first().map_or([[0.0; 8]; 3], |root| root.centre);
        let (t, q, o) = (body.pose.translation(), body.pose.given_rotation(), tree.origin());
        (tree.order().len(), [o.x, o.y, o.z], root, [t.x, t.y, t.z, q.x, q.y, q.z, q.w])
    };
    let counts = (a.mesh.tree().order().len(), b.mesh.tree().order().len());
    if counts.0 != counts.1 {
        return counts.0 < counts.1;
    }
    key(&b) < key(&a)
}
