//! A look at one pair of bodies after the other.

use crate::extent::{Extent, near_pairs};
use crate::finding::Finding;
use crate::limits::Limits;
use crate::related::Related;
use crate::rules::{Class, Deviation, PairLimits, Rules, TouchTolerance};
use crate::scene::Scene;
use kontakt_answers::Range;
use kontakt_pair::{Body, Query};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Only parts that are hardly thicker than tessellations are off can go through each other by no more: where the deviation is less than
/// this share of the thinner one's box, nobody looks whether one does.
const THIN: f64 = 0.02;

/// What looking at a pair takes.
pub(crate) struct Look<'a> {
    scene: &'a Scene,
    extents: &'a [Extent],
    roundings: &'a [f64],
    /// By body and triangle, estimated when first asked for.
    chord_errors: Vec<OnceLock<Vec<f64>>>,
    rules: &'a Rules,
    limits: &'a Limits<'a>,
}

impl<'a> Look<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        extents: &'a [Extent],
        roundings: &'a [f64],
        rules: &'a Rules,
        limits: &'a Limits<'a>,
    ) -> Look<'a> {
        let chord_errors = scene.bodies().iter().map(|_| OnceLock::new()).collect();
        Look { scene, extents, roundings, chord_errors, rules, limits }
    }

    /// Looks at all pairs whose boxes are no farther apart than `reach`, but for those known.
    pub(crate) fn within(&self, reach: f64, known: &[Finding]) -> Vec<Finding> {
        let mut near = near_pairs(self.extents, reach);
        let is_known = |&(a, b): &(usize, usize)| {
            known.binary_search_by_key(&(a, b), |finding| (finding.a, finding.b)).is_ok()
        };
        near.retain(|pair| !self.rules.exceptions.ignores(pair.0, pair.1) && !is_known(pair));
        (self.limits.progress)(known.len() + near.len());
        let limits = self.limits;
        let query = || Query::new().with_limits(limits.deadline, limits.max_pairs);
        near.par_iter().map_init(query, |query, &(a, b)| self.at(query, a, b)).collect()
    }

    fn at(&self, query: &mut Query, a: usize, b: usize) -> Finding {
        let [placed_a, placed_b] = [a, b].map(|body| self.scene.bodies()[body].placed());
        let certified = [placed_a, placed_b].map(|placed| placed.body.deviation());
        let mut limits = self.rules.pair_limits([self.roundings[a], self.roundings[b]], certified);
        let gap = model_gap(placed_a.body) + model_gap(placed_b.body);
        limits.gap = if gap > self.roundings[a] + self.roundings[b] { gap } else { 0.0 };
        let mut found = if self.limits.deadline.has_passed() {
            Related::unseen(&self.extents[a], &self.extents[b])
        } else {
            // How deep rounding alone has them in each other tells nothing; a tolerance that was given is about parts.
            let shallow = match self.rules.touch_tolerance {
                TouchTolerance::Rounding => limits.touch_tolerance,
                TouchTolerance::Within(_) => 0.0,
            };
            let rules = [self.rules.clearance, limits.touch_tolerance];
            Related::of(query, placed_a, placed_b, rules, shallow)
        };
        if self.rules.deviation == Deviation::Estimated && found.overlap.is_some() {
            limits.deviation = self.explained(a, b, &found, limits);
        }
        let allowance = self.rules.exceptions.allowance(a, b);
        let settled = [limits.touch_tolerance, limits.touch_tolerance + limits.deviation];
        // No look at triangles brings bounds of curved faces closer.
        if limits.certified <= 0.0 {
            found.settle(query, placed_a, placed_b, &settled);
            found.settle(query, placed_a, placed_b, allowance.as_slice());
        }
        let mut judgement = self.rules.judge(a, b, &found, limits);
        let thin = self.extents[a].least_side().min(self.extents[b].least_side());
        if judgement.class == Class::WithinTessellation && limits.deviation > THIN * thin {
            found.look_for_kind(query, placed_a, placed_b);
            judgement = self.rules.judge(a, b, &found, limits);
        }
        if judgement.forbidden {
            found.look_closer(query, placed_a, placed_b);
        }
        (self.limits.progress)(0);
        let explained = judgement.forbidden
            && found.interference().is_some_and(|depth| self.explains(a, b, &found, depth, limits));
        Finding { a, b, found, judgement, limits, explained }
    }

    /// Whether estimated chord errors explain an overlap.
    fn explains(&self, a: usize, b: usize, found: &Related, depth: Range, limits: PairLimits) -> bool {
        let deviation = self.explained(a, b, found, limits);
        let limits = PairLimits { deviation, ..limits };
        deviation > 0.0
            && depth.is_about_at_most(deviation + limits.touch_tolerance)
            && self.rules.judge(a, b, found, limits).class == Class::WithinTessellation
    }

    /// How much of an interference estimated chord errors explain.
    fn explained(&self, a: usize, b: usize, found: &Related, limits: PairLimits) -> f64 {
        let errors = [a, b].map(|body| {
            self.chord_errors[body].get_or_init(|| self.scene.bodies()[body].chord_errors()).as_slice()
        });
        found.explained_by(errors, limits.touch_tolerance)
    }
}

/// How far edges of a curved body's model miss their faces.
fn model_gap(body: &Body) -> f64 {
    match body {
        Body::Curved(curved) => curved.tessellation().gap,
        Body::Mesh(_) | Body::Convex(_) => 0.0,
    }
}
