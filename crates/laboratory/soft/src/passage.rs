//! Who fell through: told from crossings of a slab's surface, not from heights. What bounces over the rim did not fall through.

use kontakt_math::DVec3;
use kontakt_soft_ccd::Kind;
use kontakt_soft_ccd::mesh::{Options, Search, Step, StepError, Surface};

/// Times of contact, of a step, that count as one.
const SAME: f64 = 1e-6;

/// Follows the vertices of other bodies through the two sides of one.
#[derive(Clone, Debug)]
pub struct Passage {
    slab: u32,
    /// Of each surface triangle of the slab: whether it looks up where the run begins.
    is_top: Vec<Option<bool>>,
    /// Of each vertex: the side by which it is within the slab.
    within: Vec<Option<bool>>,
    passed: Vec<bool>,
    /// Crossings of the slab's surface so far.
    pub crossings: u64,
}

impl Passage {
    /// Sides are told by normals at the start; triangles of the rim, which look neither up nor down, count as neither.
    pub fn new(surface: &Surface, places: &[DVec3], slab: u32) -> Passage {
        let side = |corners: &[u32; 3]| {
            if surface.body(corners[0]) != Some(slab) {
                return None;
            }
            let [a, b, c] = corners.map(|v| places[v as usize]);
            let up = (b - a).cross(c - a).normalize_or_zero().z;
            (up.abs() > 0.5).then_some(up > 0.0)
        };
        let is_top = surface.triangles().iter().map(side).collect();
        let vertices = places.len();
        Passage { slab, is_top, within: vec![None; vertices], passed: vec![false; vertices], crossings: 0 }
    }

    /// A step in which every vertex went straight from one place to the other. A vertex that crosses one triangle twice within a step
    /// is seen once.
    pub fn follow(&mut self, surface: &Surface, from: &[DVec3], to: &[DVec3]) -> Result<(), StepError> {
        let path = Step::new(surface, from, to)?;
        let found = Search::new(&path, &Options::default()).contacts();
        let of_slab = |v: u32| surface.body(v) == Some(self.slab);
        let is_crossing = |c: &&kontakt_soft_ccd::mesh::MeshContact| {
            c.kind == Kind::VertexFace && !of_slab(c.a) && of_slab(surface.triangles()[c.b as usize][0])
        };
        let mut crossings: Vec<_> = found.contacts.iter().filter(is_crossing).collect();
        crossings.sort_by(|a, b| (a.a.cmp(&b.a)).then(a.time.lo().total_cmp(&b.time.lo())));
        let mut before: Option<(u32, f64, Option<bool>)> = None;
        for crossing in crossings {
            let side = self.is_top[crossing.b as usize];
            let (v, time) = (crossing.a, crossing.time.lo());
            // Through an edge of the slab's surface both its triangles are met, at one time.
            let again = before.is_some_and(|(w, t, s)| w == v && s == side && time - t <= SAME);
            before = Some((v, time, side));
            if again {
                continue;
            }
            self.crossings += 1;
            let Some(is_top) = self.is_top[crossing.b as usize] else { continue };
            let v = crossing.a as usize;
            match self.within[v].take() {
                None => self.within[v] = Some(is_top),
                Some(entered) => self.passed[v] |= entered != is_top,
            }
        }
        Ok(())
    }

    /// How many vertices went in on one side and out on the other.
    pub fn passed(&self) -> usize {
        self.passed.iter().filter(|passed| **passed).count()
    }
}
