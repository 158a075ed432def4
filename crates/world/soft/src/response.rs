//! Steps 1 to 3: a prediction, and inequalities for what hits on its way.

use crate::error::SoftError;
use crate::places::Places;
use crate::predict::{Prediction, Start};
use crate::row::{Key, Row};
use crate::search::{search, search_again};
use crate::system::System;
use kontakt_soft_ccd::mesh::MeshContact;
use std::collections::HashMap;

/// What lacks more than so many skins, by default half of the mean edge, is deep.
const DEEP: f64 = 500.0;
/// Sweeps over inequalities when ends are pushed apart.
const SWEEPS: usize = 64;

/// A path from the start of a step, with what hits on it.
pub(crate) struct Response<'a> {
    system: &'a System,
    start: &'a Start<'a>,
    pub(crate) prediction: Prediction,
    pub(crate) rows: Vec<Row>,
    by_key: HashMap<Key, usize>,
    /// The rows of each vertex that has some.
    at_vertex: HashMap<u32, Vec<usize>>,
    /// Vertices that are solved again.
    region: Vec<bool>,
    changed: Vec<bool>,
    /// Hits of the path as it is.
    pub(crate) open: Vec<MeshContact>,
    pub(crate) rounds: usize,
    /// Of these, rounds in which the model was solved again.
    pub(crate) solved: usize,
    pub(crate) candidates: u64,
}

impl<'a> Response<'a> {
    /// The model's prediction with inequalities that are known already, and its hits.
    pub(crate) fn new(
        system: &'a System,
        start: &'a Start<'a>,
        rows: Vec<Row>,
    ) -> Result<Response<'a>, SoftError> {
        let prediction = Prediction::new(start, &rows);
        let by_key = rows.iter().enumerate().map(|(i, row)| (row.key, i)).collect();
        let mut at_vertex: HashMap<u32, Vec<usize>> = HashMap::new();
        for (i, row) in rows.iter().enumerate() {
            row.vertices.iter().for_each(|&v| at_vertex.entry(v).or_default().push(i));
        }
        let none = vec![false; start.places.len()];
        let (open, candidates) = search(system, start.places, prediction.end(start.places))?;
        let (region, changed) = (none.clone(), none);
        let (rounds, solved) = (0, 0);
        Ok(Response {
            system,
            start,
            prediction,
            rows,
            by_key,
            at_vertex,
            region,
            changed,
            open,
            rounds,
            solved,
            candidates,
        })
    }

    /// One round: inequalities of hits, a better path, its hits. The first hits of a step, and deep ones, are solved again by the model, from the
    /// start of the step: pushed only, a block would stay on a slope without friction. What is shallow after that is pushed apart at the
    /// end, which costs next to nothing: the model feels it in the next step.
    pub(crate) fn round(&mut self) -> Result<(), SoftError> {
        let hit = self.take_up();
        let end = self.prediction.end(self.start.places);
        let is_deep =
            |i: &usize| self.rounds == 0 || self.rows[*i].lacking(end) > DEEP * self.rows[*i].skin();
        let deep: Vec<usize> = hit.iter().copied().filter(is_deep).collect();
        let was = end.to_vec();
        if !deep.is_empty() {
            self.solve_again(&deep);
            self.solved += 1;
        }
        self.push_apart(&hit);
        let now = self.prediction.end(self.start.places);
        self.changed.clear();
        self.changed.extend(was.iter().zip(now).map(|(p, q)| p != q));
        self.rounds += 1;
        self.candidates += search_again(self.system, self.start.places, now, &self.changed, &mut self.open)?;
        Ok(())
    }

    /// Makes inequalities of hits. Only of hits that are, within a substep, the first of all their vertices: what a vertex meets behind its first
    /// contact it would not have met. Gives the numbers of their rows.
    fn take_up(&mut self) -> Vec<usize> {
        let surface = &self.system.surface;
        let mut first: HashMap<u32, f64> = HashMap::new();
        let with_vertices: Vec<(&MeshContact, [u32; 4])> =
            self.open.iter().filter_map(|hit| Some((hit, Key::of(hit).vertices(surface)?))).collect();
        for (hit, vertices) in &with_vertices {
            for v in vertices {
                let time = first.entry(*v).or_insert(1.0);
                *time = time.min(hit.time.lo());
            }
        }
        let window = 1.0 / self.start.substeps as f64;
        let mut taken = Vec::new();
        for (hit, vertices) in &with_vertices {
            if vertices.iter().any(|v| hit.time.lo() > first[v] + window) {
                continue;
            }
            let touch = self.system.touch(*vertices);
            let Some(row) = Row::from_hit(hit, *vertices, self.start.places, touch) else { continue };
            let i = *self.by_key.entry(row.key).or_insert(self.rows.len());
            if i < self.rows.len() {
                self.rows[i].again(row);
            } else {
                row.vertices.iter().for_each(|&v| self.at_vertex.entry(v).or_default().push(i));
                self.rows.push(row);
            }
            taken.push(i);
        }
        taken
    }

    /// Solves the model again around some rows.
    fn solve_again(&mut self, around: &[usize]) {
        let seeds = around.iter().flat_map(|&i| self.rows[i].vertices);
        self.system.joined.grow(&mut self.region, seeds);
        let is_near = |row: &&Row| row.vertices.iter().any(|&v| self.region[v as usize]);
        let rows: Vec<Row> = self.rows.iter().filter(is_near).copied().collect();
        self.prediction.again(self.start, &self.region, &rows);
    }

    /// Pushes the ends of the path apart until the inequalities hold, the model aside, beginning with some rows and going on to those that share
    /// vertices with what was moved. What was pushed does not approach any more.
    fn push_apart(&mut self, around: &[usize]) {
        let mobility = self.start.mobility;
        let places = Places::new(self.prediction.end(self.start.places));
        let mut pushed = vec![false; self.rows.len()];
        let mut next: Vec<usize> = around.to_vec();
        for _ in 0..SWEEPS {
            next.sort_unstable();
            next.dedup();
            for i in std::mem::take(&mut next) {
                let row = &self.rows[i];
                if row.lift(&places, mobility) {
                    pushed[i] = true;
                    next.extend(row.vertices.iter().filter_map(|v| self.at_vertex.get(v)).flatten());
                }
            }
            if next.is_empty() {
                break;
            }
        }
        let pushed: Vec<usize> = (0..pushed.len()).filter(|&i| pushed[i]).collect();
        for v in pushed.iter().flat_map(|&i| self.rows[i].vertices) {
            self.prediction.place_at_end(v, places.get(v));
        }
        for _ in 0..4 {
            for &i in &pushed {
                self.rows[i].stop(&mut self.prediction.velocities, mobility);
            }
        }
    }
}
