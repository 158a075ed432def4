//! The search for contacts of a step: candidates piece by piece, decided where they are found.

use super::candidates::{Candidates, grown, half};
use super::contact::MeshContact;
use super::decide::Decider;
use super::neighbourhood::Neighbourhood;
use super::options::Options;
use super::step::{Step, StepError};
use crate::Kind;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Pieces worked on before their contacts are handed over.
const WAVE: usize = 128;
/// Candidates decided together at most: their coordinates stay in a near cache.
const BUNCH: usize = 512;
/// Bytes a candidate takes on its way: 24 coordinates, its ids twice, its vertices, its place among the open ones.
const CANDIDATE_BYTES: usize = 24 * 8 + 8 + 8 + 16 + 4;

/// How many pairs were looked at and how many touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Vertex–face pairs whose swept boxes overlap (or come within the separation asked about) and that share no vertex. Depends a little on the method: sorted boxes are compared
    /// in single precision, and the spatial hash also tests the vertex's way against the face's box.
    pub vertex_face_candidates: u64,
    /// The same for two edges.
    pub edge_edge_candidates: u64,
    /// Vertex–face pairs that touch, or come too close.
    pub vertex_face_contacts: u64,
    /// Pairs of edges that do.
    pub edge_edge_contacts: u64,
    /// Pairs that the filter left to the cascade; all of them where a separation was asked about.
    pub left_open: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, kind: Kind, candidates: u64, contacts: u64) {
        let (all, touching) = match kind {
            Kind::VertexFace => (&mut self.vertex_face_candidates, &mut self.vertex_face_contacts),
            Kind::EdgeEdge => (&mut self.edge_edge_candidates, &mut self.edge_edge_contacts),
        };
        *all += candidates;
        *touching += contacts;
    }

    fn plus(self, other: Counts) -> Counts {
        Counts {
            vertex_face_candidates: self.vertex_face_candidates + other.vertex_face_candidates,
            edge_edge_candidates: self.edge_edge_candidates + other.edge_edge_candidates,
            vertex_face_contacts: self.vertex_face_contacts + other.vertex_face_contacts,
            edge_edge_contacts: self.edge_edge_contacts + other.edge_edge_contacts,
            left_open: self.left_open + other.left_open,
        }
    }
}

/// All contacts of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Vertex–face first, then by the numbers of the features.
    pub contacts: Vec<MeshContact>,
    /// What was looked at.
    pub counts: Counts,
}

/// A search made ready: swept boxes sorted, work cut into pieces.
#[derive(Debug)]
pub struct Search<'a> {
    step: &'a Step<'a>,
    options: Options,
    changed: Option<&'a [bool]>,
    candidates: [(Kind, Candidates); 2],
}

impl<'a> Search<'a> {
    /// Sorts the swept boxes of vertices, faces and edges.
    pub fn new(step: &'a Step<'a>, options: &Options) -> Search<'a> {
        let of = |kind: Kind| (kind, Candidates::new(step, kind, options));
        let candidates = [of(Kind::VertexFace), of(Kind::EdgeEdge)];
        Search { step, options: *options, changed: None, candidates }
    }

    /// Only pairs with at least one changed vertex, `changed` having an entry for each: all other pairs are as they were in a step
    /// that was searched before and differs from this one in these vertices alone. What lies off the changed faces costs little.
    pub fn of_changed(
        step: &'a Step<'a>,
        options: &Options,
        changed: &'a [bool],
    ) -> Result<Search<'a>, StepError> {
        let vertices = step.surface().vertex_count();
        if changed.len() != vertices {
            return Err(StepError::Changed { given: changed.len(), vertices });
        }
        let by = half(options.distance());
        let near = Neighbourhood::new(step, changed, |b| grown(b, by));
        let of = |kind: Kind| (kind, Candidates::of_changed(step, kind, options, &near));
        let candidates = [of(Kind::VertexFace), of(Kind::EdgeEdge)];
        Ok(Search { step, options: *options, changed: Some(changed), candidates })
    }

    /// Candidates only: finds and counts them, decides nothing.
    pub fn count_candidates(&self) -> Counts {
        let mut counts = Counts::default();
        for (kind, candidates) in &self.candidates {
            let pieces = (0..candidates.pieces()).into_par_iter().map(|piece| {
                let mut decider = Decider::new(self.step, *kind, &self.options, self.changed);
                let _ = candidates.visit(self.step, piece, self.bunch(), |some| {
                    decider.count(some);
                    ControlFlow::Continue(())
                });
                decider.counts
            });
            counts = counts.plus(pieces.reduce(Counts::default, Counts::plus));
        }
        counts
    }

    /// All contacts, sorted. They are the answer and have to fit into memory; [`visit`](Self::visit) hands them over instead.
    pub fn contacts(&self) -> Found {
        let mut contacts: Vec<MeshContact> = Vec::new();
        let (counts, _) = self.visit(|some| {
            contacts.extend_from_slice(some);
            ControlFlow::Continue(())
        });
        contacts.sort_unstable_by_key(|c| (c.kind == Kind::EdgeEdge, c.a, c.b));
        Found { contacts, counts }
    }

    /// Hands contacts over as they are found, always in the same order, until `take` says stop; gives the counts up to there.
    /// Memory stays within the budget however many there are. `take` also gets empty bunches, so that it can stop in time.
    pub fn visit(
        &self,
        mut take: impl FnMut(&[MeshContact]) -> ControlFlow<()>,
    ) -> (Counts, ControlFlow<()>) {
        let mut counts = Counts::default();
        for (kind, candidates) in &self.candidates {
            for wave in (0..candidates.pieces()).step_by(WAVE) {
                let pieces = wave..(wave + WAVE).min(candidates.pieces());
                let all: Vec<Decided> =
                    pieces.into_par_iter().map(|piece| self.decide(*kind, candidates, piece)).collect();
                for decided in all {
                    let flow = match decided {
                        Decided::All(contacts, of_piece) => {
                            counts = counts.plus(of_piece);
                            take(&contacts)
                        }
                        Decided::TooMany(piece) => {
                            let (of_piece, flow) = self.hand_over(*kind, candidates, piece, &mut take);
                            counts = counts.plus(of_piece);
                            flow
                        }
                    };
                    if flow.is_break() {
                        return (counts, flow);
                    }
                }
            }
        }
        (counts, ControlFlow::Continue(()))
    }

    /// Candidates of a bunch: half of the memory for all threads' bunches.
    fn bunch(&self) -> usize {
        (self.options.memory / 2 / rayon::current_num_threads() / CANDIDATE_BYTES).clamp(8, BUNCH)
    }

    /// Contacts a piece may hold back: half of the memory for a wave's.
    fn most_contacts(&self) -> usize {
        self.options.memory / 2 / WAVE / size_of::<MeshContact>()
    }

    /// The contacts of a piece, unless there are too many to hold back.
    fn decide(&self, kind: Kind, candidates: &Candidates, piece: usize) -> Decided {
        let mut decider = Decider::new(self.step, kind, &self.options, self.changed);
        let most = self.most_contacts();
        let flow = candidates.visit(self.step, piece, self.bunch(), |some| {
            decider.take(some);
            if decider.contacts.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if flow.is_break() { Decided::TooMany(piece) } else { Decided::All(decider.contacts, decider.counts) }
    }

    /// The contacts of a piece, bunch by bunch.
    fn hand_over(
        &self,
        kind: Kind,
        candidates: &Candidates,
        piece: usize,
        take: &mut impl FnMut(&[MeshContact]) -> ControlFlow<()>,
    ) -> (Counts, ControlFlow<()>) {
        let mut decider = Decider::new(self.step, kind, &self.options, self.changed);
        let flow = candidates.visit(self.step, piece, self.bunch(), |some| {
            decider.contacts.clear();
            decider.take(some);
            take(&decider.contacts)
        });
        (decider.counts, flow)
    }
}

/// What became of a piece.
enum Decided {
    All(Vec<MeshContact>, Counts),
    TooMany(usize),
}
