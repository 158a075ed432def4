//! Candidates in bunches through the filter, then the cascade for what it leaves open.

use super::options::{Among, Options};
use super::search::{Counts, MeshContact};
use super::step::Step;
use crate::Kind;
use crate::batch::Batch;
use crate::cascade::first_time;

/// Takes candidates of one kind and keeps contacts.
pub(crate) struct Decider<'a> {
    step: &'a Step<'a>,
    kind: Kind,
    among: Among,
    width: f64,
    /// The queries of the bunch at hand, the pairs they stand for and the vertices of these.
    batch: Batch,
    pairs: Vec<[u32; 2]>,
    points: Vec<[u32; 4]>,
    open: Vec<u32>,
    pub(crate) contacts: Vec<MeshContact>,
    pub(crate) counts: Counts,
}

impl<'a> Decider<'a> {
    pub(crate) fn new(step: &'a Step<'a>, kind: Kind, options: &Options) -> Decider<'a> {
        Decider {
            step,
            kind,
            among: options.among,
            width: options.width.max(0.0),
            batch: Batch::new(kind),
            pairs: Vec::new(),
            points: Vec::new(),
            open: Vec::new(),
            contacts: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Decides a bunch.
    pub(crate) fn take(&mut self, candidates: &[[u32; 2]]) {
        let (mut pairs, mut points) = (std::mem::take(&mut self.pairs), std::mem::take(&mut self.points));
        pairs.clear();
        points.clear();
        self.each_pair(candidates, |pair, vertices| {
            pairs.push(pair);
            points.push(vertices);
        });
        (self.pairs, self.points) = (pairs, points);
        self.batch.refill(self.step.all_moved(), &self.points);
        self.batch.filter_thoroughly(&mut self.open);
        let (kind, before) = (self.kind, self.contacts.len());
        for &i in &self.open {
            let query = self.batch.get(i as usize);
            if let Some(time) = query.and_then(|query| first_time(&query, self.width)) {
                let [a, b] = self.pairs[i as usize];
                self.contacts.push(MeshContact { kind, a, b, time });
            }
        }
        self.counts.left_open += self.open.len() as u64;
        self.counts.add(kind, self.pairs.len() as u64, (self.contacts.len() - before) as u64);
    }

    /// Only counts a bunch.
    pub(crate) fn count(&mut self, candidates: &[[u32; 2]]) {
        let mut count = 0;
        self.each_pair(candidates, |_, _| count += 1);
        self.counts.add(self.kind, count, 0);
    }

    /// Calls `with` for every pair that shares no vertex and is asked about.
    #[inline(always)]
    fn each_pair(&self, candidates: &[[u32; 2]], mut with: impl FnMut([u32; 2], [u32; 4])) {
        let surface = self.step.surface();
        let wanted = |a: u32, b: u32| match self.among {
            Among::Everything => true,
            Among::Bodies => surface.bodies()[a as usize] != surface.bodies()[b as usize],
            Among::Selves => surface.bodies()[a as usize] == surface.bodies()[b as usize],
        };
        match self.kind {
            Kind::VertexFace => {
                for &[place, face] in candidates {
                    let (v, [p, q, r]) =
                        (surface.used_vertices()[place as usize], surface.triangles()[face as usize]);
                    if v != p && v != q && v != r && wanted(v, p) {
                        with([v, face], [v, p, q, r]);
                    }
                }
            }
            Kind::EdgeEdge => {
                for &[a, b] in candidates {
                    let ([p, q], [r, s]) = (surface.edges()[a as usize], surface.edges()[b as usize]);
                    if p != r && p != s && q != r && q != s && wanted(p, r) {
                        with([a, b], [p, q, r, s]);
                    }
                }
            }
        }
    }
}
