//! Zones: sets of vertices that stop together before their contacts.

use kontakt_math::DVec3;

/// Share of the way to the first contact that a zone goes.
const SHY: f64 = 0.9;
/// How often a zone is shrunk before it stands still.
const TRIES: u8 = 12;

/// A partition of the vertices. Zones only merge, and how far one goes only falls.
#[derive(Debug)]
pub(crate) struct Zones {
    parent: Vec<u32>,
    /// Of roots: which share of its way the zone goes, and how often that was lowered.
    share: Vec<f64>,
    tries: Vec<u8>,
}

impl Zones {
    /// Every vertex alone, going all its way.
    pub(crate) fn new(vertices: usize) -> Zones {
        Zones { parent: (0..vertices as u32).collect(), share: vec![1.0; vertices], tries: vec![0; vertices] }
    }

    pub(crate) fn root(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            self.parent[v as usize] = self.parent[self.parent[v as usize] as usize];
            v = self.parent[v as usize];
        }
        v
    }

    /// Makes one zone of those of these vertices, going as far as the least of them.
    pub(crate) fn merge(&mut self, vertices: &[u32]) -> u32 {
        let Some(&first) = vertices.first() else { return 0 };
        let mut all = self.root(first);
        for &v in &vertices[1..] {
            let other = self.root(v);
            let (low, high) = (all.min(other), all.max(other));
            self.parent[high as usize] = low;
            let (l, h) = (low as usize, high as usize);
            self.share[l] = self.share[l].min(self.share[h]);
            self.tries[l] = self.tries[l].max(self.tries[h]);
            all = low;
        }
        all
    }

    /// Lets a zone go only before this time of the way it went.
    pub(crate) fn shrink(&mut self, root: u32, time: f64) {
        let i = root as usize;
        self.tries[i] = self.tries[i].saturating_add(1);
        self.share[i] =
            if self.tries[i] > TRIES { 0.0 } else { self.share[i] * (SHY * time).clamp(0.0, SHY) };
    }

    /// Stops a zone.
    pub(crate) fn stop(&mut self, vertex: u32) {
        let root = self.root(vertex) as usize;
        self.share[root] = 0.0;
    }

    /// The share of its way that a vertex goes.
    pub(crate) fn share(&mut self, v: u32) -> f64 {
        let root = self.root(v) as usize;
        self.share[root]
    }

    /// The place that a share of a way leads to; its ends are exact.
    pub(crate) fn place(share: f64, start: DVec3, end: DVec3) -> DVec3 {
        if share >= 1.0 {
            return end;
        }
        let p = start + (end - start) * share;
        if share > 0.0 && p.is_finite() { p } else { start }
    }
}
