//! Candidates in bunches through the filter, then the cascade for what it leaves open.

use super::contact::MeshContact;
use super::options::{Among, Options};
use super::search::Counts;
use super::step::Step;
use crate::batch::Batch;
use crate::cascade::first_contact_unfiltered;
use crate::separation::{Nearness, first_within};
use crate::{Kind, Query};

/// How much more than the separation asked about may be called within, relative to it.
const SLACK: f64 = 1e-6;

/// Takes candidates of one kind and keeps contacts.
pub(crate) struct Decider<'a> {
    step: &'a Step<'a>,
    kind: Kind,
    among: Among,
    /// Only pairs with a vertex marked here.
    changed: Option<&'a [bool]>,
    width: f64,
    /// 0 for touches.
    distance: f64,
    /// The queries of the bunch at hand, the pairs they stand for and the vertices of these.
    batch: Batch,
    pairs: Vec<[u32; 2]>,
    points: Vec<[u32; 4]>,
    open: Vec<u32>,
    pub(crate) contacts: Vec<MeshContact>,
    pub(crate) counts: Counts,
}

impl<'a> Decider<'a> {
    pub(crate) fn new(
        step: &'a Step<'a>,
        kind: Kind,
        options: &Options,
        changed: Option<&'a [bool]>,
    ) -> Decider<'a> {
        Decider {
            step,
            kind,
            among: options.among,
            changed,
            width: options.width.max(0.0),
            distance: options.distance(),
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
        if self.distance > 0.0 {
            // The filter knows contact only; a search for nearness begins with one direction of its own.
            self.open.clear();
            self.open.extend(0..self.pairs.len() as u32);
        } else {
            self.batch.filter_thoroughly(&mut self.open);
        }
        let before = self.contacts.len();
        for &i in &self.open {
            let contact =
                self.batch.get(i as usize).and_then(|query| self.contact(&query, self.pairs[i as usize]));
            self.contacts.extend(contact);
        }
        self.counts.left_open += self.open.len() as u64;
        self.counts.add(self.kind, self.pairs.len() as u64, (self.contacts.len() - before) as u64);
    }

    fn contact(&self, query: &Query, pair: [u32; 2]) -> Option<MeshContact> {
        if self.distance == 0.0 {
            let first = first_contact_unfiltered(query, self.width)?;
            return Some(MeshContact::touching(query, pair, &first));
        }
        match first_within(query, self.distance, SLACK * self.distance) {
            Ok(Nearness::Within { time, excess }) => Some(MeshContact::near(query, pair, time, excess)),
            // The distance is a length.
            Ok(Nearness::Farther) | Err(_) => None,
        }
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
        let is_new = |vertices: [u32; 4]| {
            self.changed.is_none_or(|changed| vertices.iter().any(|&v| changed[v as usize]))
        };
        match self.kind {
            Kind::VertexFace => {
                for &[place, face] in candidates {
                    let (v, [p, q, r]) =
                        (surface.used_vertices()[place as usize], surface.triangles()[face as usize]);
                    if v != p && v != q && v != r && wanted(v, p) && is_new([v, p, q, r]) {
                        with([v, face], [v, p, q, r]);
                    }
                }
            }
            Kind::EdgeEdge => {
                for &[a, b] in candidates {
                    let ([p, q], [r, s]) = (surface.edges()[a as usize], surface.edges()[b as usize]);
                    if p != r && p != s && q != r && q != s && wanted(p, r) && is_new([p, q, r, s]) {
                        with([a, b], [p, q, r, s]);
                    }
                }
            }
        }
    }
}
