//! Candidates in bunches through the filter, then the cascade for what it leaves open.

use super::options::{Among, Options};
use super::search::{Counts, MeshContact};
use super::step::{Moved, Step};
use crate::batch::Batch;
use crate::cascade::first_time;
use crate::{Kind, Query};

/// Takes candidates of one kind and keeps contacts.
pub(crate) struct Decider<'a> {
    step: &'a Step<'a>,
    kind: Kind,
    among: Among,
    width: f64,
    /// The queries of the bunch at hand and the pairs they stand for.
    batch: Batch,
    pairs: Vec<[u32; 2]>,
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
            open: Vec::new(),
            contacts: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Decides a bunch.
    pub(crate) fn take(&mut self, candidates: &[[u32; 2]]) {
        self.batch.clear();
        self.pairs.clear();
        self.gather(candidates);
        let count = self.pairs.len() as u64;
        self.batch.filter(&mut self.open);
        let (kind, before) = (self.kind, self.contacts.len());
        for &i in &self.open {
            let [a, b] = self.pairs[i as usize];
            let query: Option<Query> = self.batch.get(i as usize);
            if let Some(time) = query.and_then(|query| first_time(&query, self.width)) {
                self.contacts.push(MeshContact { kind, a, b, time });
            }
        }
        let contacts = (self.contacts.len() - before) as u64;
        self.counts.add(kind, count, contacts);
    }

    /// Only counts a bunch.
    pub(crate) fn count(&mut self, candidates: &[[u32; 2]]) {
        let mut count = 0;
        self.each_pair(candidates, |_, _, _| count += 1);
        self.counts.add(self.kind, count, 0);
    }

    fn gather(&mut self, candidates: &[[u32; 2]]) {
        let (mut batch, mut pairs) =
            (std::mem::replace(&mut self.batch, Batch::new(self.kind)), std::mem::take(&mut self.pairs));
        self.each_pair(candidates, |a, b, points| {
            batch.push_moved(points);
            pairs.push([a, b]);
        });
        (self.batch, self.pairs) = (batch, pairs);
    }

    /// Calls `with` for every pair that shares no vertex and is asked about.
    #[inline(always)]
    fn each_pair(&self, candidates: &[[u32; 2]], mut with: impl FnMut(u32, u32, [&Moved; 4])) {
        let surface = self.step.surface();
        let wanted = |a: u32, b: u32| match self.among {
            Among::Everything => true,
            Among::Bodies => surface.bodies()[a as usize] != surface.bodies()[b as usize],
            Among::Selves => surface.bodies()[a as usize] == surface.bodies()[b as usize],
        };
        let at = |v: u32| self.step.moved(v);
        match self.kind {
            Kind::VertexFace => {
                for &[place, face] in candidates {
                    let (v, [p, q, r]) =
                        (surface.used_vertices()[place as usize], surface.triangles()[face as usize]);
                    if v != p && v != q && v != r && wanted(v, p) {
                        with(v, face, [at(v), at(p), at(q), at(r)]);
                    }
                }
            }
            Kind::EdgeEdge => {
                for &[a, b] in candidates {
                    let ([p, q], [r, s]) = (surface.edges()[a as usize], surface.edges()[b as usize]);
                    if p != r && p != s && q != r && q != s && wanted(p, r) {
                        with(a, b, [at(p), at(q), at(r), at(s)]);
                    }
                }
            }
        }
    }
}
