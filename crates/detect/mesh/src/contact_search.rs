//! Whether two bodies have a common point, searched for bit by bit.

use std::ops::ControlFlow;

use kontakt_schedule::{Ledger, Work};

use crate::asker::{MeshQuery, in_other_order};
use crate::face::Between;
use crate::face_pair::FacePair;
use crate::mesh::{Mesh, PlacedMesh};
use crate::walk::descent::{Bodies, Descended, Descent, Open};
use crate::walk::leaves::Leaves;

/// Whether faces of two bodies have a common point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    /// Not known yet.
    Open,
    /// Proven not to.
    No,
    /// Two triangles that have one.
    At(FacePair),
}

/// Whether two bodies' faces have a common point, searched for bit by bit: [`MeshQuery::any_contact`] that can be left and taken up
/// again.
///
/// A unit of work is a pair of nodes opened or the triangles of two leaves compared, some 0.2 µs.
#[derive(Clone, Debug)]
pub struct ContactSearch {
    pub(crate) between: Between,
    /// The bodies are taken in the other order.
    pub(crate) swapped: bool,
    /// Of the trees of the bodies: that others are not taken for them.
    sizes: [[usize; 2]; 2],
    ledger: Ledger,
    /// The way down, once it has begun.
    open: Option<Vec<Open>>,
    /// Memory for it.
    spare: Vec<Open>,
    /// In the order of the search.
    pub(crate) found: Meets,
}

impl ContactSearch {
    /// Nothing is known yet.
    pub fn new(a: PlacedMesh, b: PlacedMesh) -> ContactSearch {
        let mut search = ContactSearch {
            between: Between::new(a.pose, b.pose),
            swapped: false,
            sizes: [[0; 2]; 2],
            ledger: Ledger::default(),
            open: None,
            spare: Vec::new(),
            found: Meets::Open,
        };
        search.restart(a, b);
        search
    }

    /// Another question in the memory of this one.
    pub fn restart(&mut self, a: PlacedMesh, b: PlacedMesh) {
        self.swapped = in_other_order(a, b);
        let [a, b] = if self.swapped { [b, a] } else { [a, b] };
        self.between = Between::new(a.pose, b.pose);
        self.sizes = [a.mesh, b.mesh].map(sizes);
        self.ledger = Ledger::default();
        self.spare = self.open.take().unwrap_or(std::mem::take(&mut self.spare));
        self.found = Meets::Open;
    }

    /// Goes on for so many units of work, with the same two meshes as at the beginning. Other meshes end the search: nothing is found
    /// out then.
    pub fn work(&mut self, query: &mut MeshQuery, meshes: [&Mesh; 2], units: u64) -> Work {
        let Some(meshes) = self.in_order(meshes) else { return Work::NONE };
        let mut ledger = self.ledger;
        ledger.grant(units);
        self.go_on(query, meshes, &mut ledger);
        let work = ledger.settle(units, self.found != Meets::Open);
        self.ledger = ledger;
        work
    }

    /// What is known; in the end what [`MeshQuery::any_contact`] says.
    pub fn contact(&self) -> Meets {
        match self.found {
            Meets::At(pair) if self.swapped => Meets::At(pair.swapped()),
            found => found,
        }
    }

    /// The meshes in the order of the search; none where they are others.
    pub(crate) fn in_order<'m>(&self, [a, b]: [&'m Mesh; 2]) -> Option<[&'m Mesh; 2]> {
        let meshes = if self.swapped { [b, a] } else { [a, b] };
        (meshes.map(sizes) == self.sizes).then_some(meshes)
    }

    /// The meshes in the order of the search at their poses.
    pub(crate) fn placed<'m>(&self, [a, b]: [&'m Mesh; 2]) -> [PlacedMesh<'m>; 2] {
        let &[pose_a, pose_b] = self.between.poses();
        [PlacedMesh::new(a, pose_a), PlacedMesh::new(b, pose_b)]
    }

    pub(crate) fn bodies<'s>(&'s self, query: &MeshQuery, [a, b]: [&'s Mesh; 2]) -> Bodies<'s> {
        Bodies { isa: query.isa, between: &self.between, a, b }
    }

    /// The same as long as there is something in a ledger that is shared with other work.
    pub fn work_from(&mut self, query: &mut MeshQuery, meshes: [&Mesh; 2], ledger: &mut Ledger) {
        if let Some(meshes) = self.in_order(meshes) {
            self.go_on(query, meshes, ledger);
        }
    }

    pub(crate) fn go_on(&mut self, query: &mut MeshQuery, [a, b]: [&Mesh; 2], ledger: &mut Ledger) {
        if self.found != Meets::Open || ledger.is_spent() {
            return;
        }
        let MeshQuery { isa, visits, desk, .. } = query;
        let bodies = Bodies { isa: *isa, between: &self.between, a, b };
        let Some(descent) = Descent::new(&bodies, true) else {
            ledger.spend(1);
            self.found = Meets::No;
            return;
        };
        let open = self.open.get_or_insert_with(|| {
            ledger.spend(1);
            let mut open = std::mem::take(&mut self.spare);
            descent.begin(&mut open, visits);
            open
        });
        let mut leaves = Leaves::new(&bodies, desk);
        let found = |pair, _| ControlFlow::Break(pair);
        let ended = descent.go_on(open, visits, paying(ledger), |x, y, visits| {
            leaves.add(x, y, visits, found)?;
            leaves.decide(visits, found)
        });
        self.found = match ended {
            Descended::Paused => Meets::Open,
            Descended::With(pair) => Meets::At(pair),
            Descended::Done => Meets::No,
        };
    }
}

/// Pays a unit for every step, as long as there is one.
pub(crate) fn paying(ledger: &mut Ledger) -> impl FnMut() -> bool {
    || {
        let pays = !ledger.is_spent();
        ledger.spend(u64::from(pays));
        pays
    }
}

/// Of a mesh's tree.
fn sizes(mesh: &Mesh) -> [usize; 2] {
    [mesh.tree().nodes().len(), mesh.tree().order().len()]
}
