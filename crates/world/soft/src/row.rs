//! A contact as an inequality: n · Σ cᵢ xᵢ ≥ target, with the shares and the normal of its place, from its time on.

use crate::places::Places;
use kontakt_math::DVec3;
use kontakt_soft_ccd::mesh::{MeshContact, Surface};
use kontakt_soft_ccd::{Kind, Query, nearest};

/// Gaps up to so many skins are remembered from step to step.
const REMEMBERED: f64 = 4.0;
/// How much of a skin a gap that is too small may grow in a step: pushing bodies apart makes no speed.
const REGAINED: f64 = 0.1;
/// Share of a wanted gap that is enough at the end.
const ENOUGH: f64 = 0.5;

/// Which features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    /// False for a vertex and a face.
    pub(crate) is_edges: bool,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

impl Key {
    pub(crate) fn of(contact: &MeshContact) -> Key {
        Key { is_edges: contact.kind == Kind::EdgeEdge, a: contact.a, b: contact.b }
    }

    pub(crate) fn kind(self) -> Kind {
        if self.is_edges { Kind::EdgeEdge } else { Kind::VertexFace }
    }

    /// The vertices of both features; `None` where there are no such features.
    pub(crate) fn vertices(self, surface: &Surface) -> Option<[u32; 4]> {
        let (a, b) = (self.a as usize, self.b as usize);
        if self.is_edges {
            let ([p, q], [r, s]) = (surface.edges().get(a)?, surface.edges().get(b)?);
            Some([*p, *q, *r, *s])
        } else {
            let [p, q, r] = *surface.triangles().get(b)?;
            (a < surface.vertex_count()).then_some([self.a, p, q, r])
        }
    }
}

/// What two bodies make of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) skin: f64,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
}

/// See above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) key: Key,
    pub(crate) vertices: [u32; 4],
    /// Negative on the first feature: the sum is the way from the one to the other.
    shares: [f64; 4],
    normal: DVec3,
    target: f64,
    /// 0 for contacts known before the step.
    pub(crate) time: f64,
    pub(crate) is_new: bool,
    touch: Touch,
}

impl Row {
    /// From a hit of the path that begins at `start`; `None` where nothing defines a normal.
    pub(crate) fn from_hit(
        hit: &MeshContact,
        vertices: [u32; 4],
        start: &[DVec3],
        touch: Touch,
    ) -> Option<Row> {
        let shares = signed(hit.kind, hit.weights);
        let apart: DVec3 = (0..4).map(|i| start[vertices[i] as usize] * shares[i]).sum();
        let normal = if hit.normal == DVec3::ZERO { apart.normalize_or_zero() } else { hit.normal };
        let target = target(apart.dot(normal), touch.skin);
        let time = hit.time.lo().clamp(0.0, 1.0);
        let row = Row { key: Key::of(hit), vertices, shares, normal, target, time, is_new: true, touch };
        (normal.is_finite() && normal != DVec3::ZERO).then_some(row)
    }

    /// From the nearest points at rest; `None` where they are too far apart to matter.
    pub(crate) fn at_rest(key: Key, vertices: [u32; 4], places: &[DVec3], touch: Touch) -> Option<Row> {
        let at = vertices.map(|v| places[v as usize]);
        let query = Query::new(key.kind(), at, at).ok()?;
        let (weights, normal) = nearest(&query, 0.0);
        let shares = signed(key.kind(), weights);
        let gap = (0..4).map(|i| at[i] * shares[i]).sum::<DVec3>().dot(normal);
        let is_near = gap > 0.0 && gap <= REMEMBERED * touch.skin;
        let target = target(gap, touch.skin);
        is_near.then_some(Row { key, vertices, shares, normal, target, time: 0.0, is_new: false, touch })
    }

    /// The same pair hit again: the new place counts, and it is kept off farther.
    pub(crate) fn again(&mut self, newer: Row) {
        let most = REMEMBERED * self.touch.skin;
        *self = Row { target: (2.0 * self.target).min(most).max(newer.target), ..newer };
    }

    fn mobility(&self, mobility: &[f64]) -> f64 {
        (0..4).map(|i| self.shares[i] * self.shares[i] * mobility[self.vertices[i] as usize]).sum()
    }

    /// One look at the inequality in substep `number` of `count`, with Coulomb's friction against the way of this substep, as far as it lies behind the
    /// time of contact.
    pub(crate) fn solve(
        &self,
        places: &Places,
        before: &[DVec3],
        mobility: &[f64],
        [number, count]: [usize; 2],
    ) {
        let behind = ((number + 1) as f64 - self.time * count as f64).min(1.0);
        let sum = self.mobility(mobility);
        if !(behind > 0.0 && sum > 0.0) {
            return;
        }
        let apart: DVec3 = self.sum(|v| places.get(v));
        let lacking = self.target - apart.dot(self.normal);
        if lacking.is_nan() || lacking <= 0.0 {
            return;
        }
        let way = self.sum(|v| places.get(v) - before[v as usize]) * behind;
        let slid = way - self.normal * way.dot(self.normal);
        let rubbed = slid * (self.touch.friction * lacking / slid.length()).min(1.0);
        let rubbed = if rubbed.is_finite() { rubbed } else { DVec3::ZERO };
        let push = (self.normal * lacking - rubbed) / sum;
        for i in 0..4 {
            let v = self.vertices[i];
            places.add(v, push * (self.shares[i] * mobility[v as usize]));
        }
    }

    /// How much is missing at these places; not more than 0 where the inequality holds.
    pub(crate) fn lacking(&self, places: &[DVec3]) -> f64 {
        self.target - self.sum(|v| places[v as usize]).dot(self.normal)
    }

    pub(crate) fn skin(&self) -> f64 {
        self.touch.skin
    }

    /// Moves the vertices apart until the inequality holds, where less than half of the gap is there. Says whether it did.
    pub(crate) fn lift(&self, places: &Places, mobility: &[f64]) -> bool {
        let (sum, gap) = (self.mobility(mobility), self.sum(|v| places.get(v)).dot(self.normal));
        let is_needed = gap < ENOUGH * self.target && sum > 0.0;
        if is_needed {
            let push = self.normal * ((self.target - gap) / sum);
            for i in 0..4 {
                let v = self.vertices[i];
                places.add(v, push * (self.shares[i] * mobility[v as usize]));
            }
        }
        is_needed
    }

    fn sum(&self, of: impl Fn(u32) -> DVec3) -> DVec3 {
        (0..4).map(|i| of(self.vertices[i]) * self.shares[i]).sum()
    }

    /// Speed at which the features leave each other; negative while they approach.
    pub(crate) fn leaving(&self, velocities: &[DVec3]) -> f64 {
        self.sum(|v| velocities[v as usize]).dot(self.normal)
    }

    /// Ends the approach, and with it by Coulomb's law what slides.
    pub(crate) fn stop(&self, velocities: &mut [DVec3], mobility: &[f64]) {
        let (sum, way) = (self.mobility(mobility), self.sum(|v| velocities[v as usize]));
        let approach = -way.dot(self.normal);
        if !(approach > 0.0 && sum > 0.0) {
            return;
        }
        let slides = way + self.normal * approach;
        let rubbed = slides * (self.touch.friction * approach / slides.length()).min(1.0);
        let rubbed = if rubbed.is_finite() { rubbed } else { DVec3::ZERO };
        let push = (self.normal * approach - rubbed) / sum;
        for i in 0..4 {
            let v = self.vertices[i] as usize;
            velocities[v] += push * (self.shares[i] * mobility[v]);
        }
    }

    /// Gives back what the restitution asks of the speed at which they came.
    pub(crate) fn bounce(&self, velocities: &mut [DVec3], mobility: &[f64], came: f64) {
        let sum = self.mobility(mobility);
        let lacking = self.touch.restitution * came - self.leaving(velocities);
        if !(lacking > 0.0 && sum > 0.0) {
            return;
        }
        for i in 0..4 {
            let v = self.vertices[i] as usize;
            velocities[v] += self.normal * (self.shares[i] * mobility[v] * lacking / sum);
        }
    }
}

fn target(gap: f64, skin: f64) -> f64 {
    skin.min(gap.max(0.0) + REGAINED * skin)
}

fn signed(kind: Kind, [a, b, c, d]: [f64; 4]) -> [f64; 4] {
    match kind {
        Kind::VertexFace => [-a, b, c, d],
        Kind::EdgeEdge => [-a, -b, c, d],
    }
}
