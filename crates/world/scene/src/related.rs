//! The exact relation of one pair of bodies at rest, and how grave it is.

use crate::extent::Extent;
use kontakt_answers::{Range, Relation};
use kontakt_math::DVec3;
use kontakt_mesh::{Depth, Limit, NotMeasured, Overlap, Patch, Region};
use kontakt_pair::{Placed, Query};
use kontakt_shapes::MassProperties;

/// What is known about a pair before any rule is applied.
#[derive(Clone, Debug)]
pub struct Related {
    /// The exact class.
    pub relation: Relation,
    /// Whether two solids have a common interior; sheets and double walls may overlap without.
    pub solids: bool,
    /// What solids that overlap have in common.
    pub overlap: Option<Overlap>,
    /// Why there is none, though they overlap.
    pub not_measured: Option<NotMeasured>,
    /// The least shift that frees two solids, where it was asked for: of pairs that are forbidden, and where nothing else tells how
    /// deep they are in each other.
    pub release: Option<Depth>,
    /// Connected patches of contact.
    pub patches: Vec<Patch>,
    /// Whether these are all: neither time nor pairs of triangles were up.
    pub complete: bool,
    /// Of separate bodies: whether their gap is below the clearance, and whether it is within the tolerance, where faces were
    /// asked because the bounds of the distance leave it open.
    pub gap: Gap,
    /// Of bodies closer than the clearance: the nearest points, to rounding.
    pub nearest: Option<[DVec3; 2]>,
    /// Of solids whose surfaces lie on each other all round: whether the tolerance explains all that only one of them has.
    pub same: bool,
}

/// How a gap compares with the numbers of the rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gap {
    /// It is below the clearance.
    pub encroaches: Option<bool>,
    /// It is within the tolerance.
    pub tolerated: Option<bool>,
}

impl From<Relation> for Related {
    fn from(relation: Relation) -> Related {
        Related {
            relation,
            solids: false,
            overlap: None,
            not_measured: None,
            release: None,
            patches: Vec::new(),
            complete: true,
            gap: Gap::default(),
            nearest: None,
            same: false,
        }
    }
}

impl Related {
    /// The relation of two bodies where they stand, their patches of contact, what they have in common, and how a gap compares with a
    /// clearance and a tolerance. Interferences up to `shallow` need not be told apart.
    pub fn of(
        query: &mut Query,
        a: Placed,
        b: Placed,
        [clearance, tolerance]: [f64; 2],
        shallow: f64,
    ) -> Related {
        let detail = query.relation_in_detail(a, b, shallow);
        let mut found = Related::from(detail.relation.exact);
        found.solids = detail.relation.solids;
        found.release = detail.relation.depth;
        found.complete = detail.patches.is_some();
        found.patches = detail.patches.unwrap_or_default();
        match detail.overlap {
            Some(Ok(overlap)) => found.overlap = Some(overlap),
            Some(Err(reason)) => found.not_measured = Some(reason),
            None => {}
        }
        if let Relation::Separate { distance } = found.relation {
            let mut holds = |limit: Limit| limit.holds(distance).or_else(|| query.within(a, b, limit));
            found.gap.encroaches = holds(Limit::Below(clearance));
            found.gap.tolerated = holds(Limit::AtMost(tolerance));
            if found.gap.encroaches != Some(false) {
                let near = query.distance(a, b);
                found.nearest = Some([near.point_a, near.point_b]);
            }
        }
        if found.solids && found.layer().is_none() {
            found.look_for_release(query, a, b);
            found.same = found.is_same_within(a, b, tolerance);
        }
        found
    }

    /// Finds what only a clash is asked about, unless it is known: the least shift that frees, and whether one body cuts the other in two.
    pub(crate) fn look_closer(&mut self, query: &mut Query, a: Placed, b: Placed) {
        self.look_for_release(query, a, b);
        self.look_for_kind(query, a, b);
    }

    /// Finds out whether one body cuts the other in two, unless it is known.
    pub(crate) fn look_for_kind(&mut self, query: &mut Query, a: Placed, b: Placed) {
        if let Relation::Overlapping { kind: kind @ None, .. } = &mut self.relation
            && self.solids
        {
            *kind = query.overlap_kind(a, b);
        }
    }

    /// What the chord errors of both tessellations, given by triangle, explain of the interference: those of the triangles that border
    /// it. Of several regions, the least that one needs more than.
    pub(crate) fn explained_by(&self, errors: [&[f64]; 2], touch_tolerance: f64) -> f64 {
        let Some(overlap) = &self.overlap else { return 0.0 };
        let local = |region: &Region| -> f64 {
            let most = |side: usize| {
                let errors = errors[side];
                region.triangles[side]
                    .iter()
                    .filter_map(|&t| errors.get(t as usize))
                    .copied()
                    .fold(0.0, f64::max)
            };
            most(0) + most(1)
        };
        let within = |region: &Region| region.depth().is_about_at_most(local(region) + touch_tolerance);
        let unexplained = overlap.regions.iter().filter(|region| !within(region)).map(local);
        let explained = overlap.regions.iter().map(local).fold(0.0, f64::max);
        unexplained.reduce(f64::min).unwrap_or(explained)
    }

    /// Looks closer where a limit is between the bounds of the interference: one that equals it shall be within it.
    pub(crate) fn settle(&mut self, query: &mut Query, a: Placed, b: Placed, limits: &[f64]) {
        const FINE: f64 = 1e-7;
        let open = |found: &Related| {
            let between = |depth: Range| {
                limits.iter().any(|&limit| depth.lo() <= limit && !depth.is_about_at_most(limit))
            };
            found.layer().is_some() && found.interference().is_some_and(between)
        };
        if open(self) {
            self.look_for_release(query, a, b);
        }
        if open(self)
            && let Some(overlap) = query.overlap(a, b, FINE)
        {
            self.overlap = Some(overlap);
        }
    }

    fn look_for_release(&mut self, query: &mut Query, a: Placed, b: Placed) {
        if self.release.is_none() && self.solids {
            self.release = query.depth(a, b);
        }
    }

    /// What is certain about two bodies without looking at their faces.
    pub(crate) fn unseen(a: &Extent, b: &Extent) -> Related {
        let bounds = a.signed_distance(b);
        if bounds.lo() > 0.0 {
            Relation::Separate { distance: bounds }.into()
        } else {
            Related { complete: false, ..Relation::Undecided { bounds }.into() }
        }
    }

    /// What solids have in common, where that is a layer whose thickness their interference tells.
    fn layer(&self) -> Option<&Overlap> {
        self.overlap.as_ref().filter(|overlap| !overlap.regions.iter().any(Region::is_coincident))
    }

    /// **Certified**: the largest local interference, where it was measured; else it is at most the least shift that frees. `None` where
    /// nothing is known.
    ///
    /// No interference is larger than the least shift: it moves every point of the one surface out of the other body, so the way of that
    /// point crosses the other surface.
    pub fn interference(&self) -> Option<Range> {
        let most = self.release.map_or(f64::INFINITY, |release| release.range.hi());
        match &self.overlap {
            Some(overlap) => {
                let depth = overlap.depth();
                Range::new(depth.lo().min(most), depth.hi().min(most)).ok()
            }
            None => self.release.and_then(|release| Range::new(0.0, release.range.hi()).ok()),
        }
    }

    /// **Certified**: how grave an overlap is, what it is judged and sorted by. The interference; where that says nothing because the
    /// surfaces lie on each other all round, the least shift that frees.
    pub fn severity(&self) -> Option<Range> {
        if self.is_coincident() { self.release.map(|release| release.range) } else { self.interference() }
    }

    /// Whether the surfaces lie on each other all round somewhere: one body twice, or two of one shape in one place.
    pub fn is_coincident(&self) -> bool {
        self.overlap.is_some() && self.layer().is_none()
    }

    /// Whether both bodies are what they have in common, but for a layer no thicker than the tolerance over their surfaces: one part
    /// twice, for all that rounding tells. Volumes of bodies are rounded; both answers are clashes.
    fn is_same_within(&self, a: Placed, b: Placed, tolerance: f64) -> bool {
        const ROUNDING: f64 = 1e-12;
        let Some(common) = self.overlap.as_ref().filter(|_| self.is_coincident()) else { return false };
        let is_all = |placed: Placed| {
            placed.body.surface().is_some_and(|mesh| {
                let own = MassProperties::of(mesh.faces());
                let explained = tolerance * own.surface + ROUNDING * own.volume.abs();
                own.volume.abs() - common.volume.lo() <= explained
            })
        };
        common.depth().hi() <= tolerance && is_all(a) && is_all(b)
    }

    /// Certified bounds of the signed distance, negative for interference; `None` for overlaps of which nothing is known.
    pub fn signed(&self) -> Option<Range> {
        match self.relation {
            Relation::Separate { distance } => Some(distance),
            Relation::Touching => Some(Range::ZERO),
            Relation::Undecided { bounds } => Some(bounds),
            _ => self.severity().map(Range::negated),
        }
    }

    /// Where to look, in the world, to rounding: the deepest point of an overlap, the middle of the first contact, between the nearest
    /// points.
    pub fn place(&self) -> Option<DVec3> {
        let region = self.overlap.as_ref().and_then(|overlap| overlap.regions.first());
        let patch = || self.patches.first().map(|patch| patch.centre);
        let between = || self.nearest.map(|[p, q]| (p + q) * 0.5);
        region
            .map(|region| region.deepest)
            .or_else(|| self.release.map(|release| release.deepest))
            .or_else(patch)
            .or_else(between)
    }
}
