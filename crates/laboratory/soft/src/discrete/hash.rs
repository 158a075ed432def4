//! Vertices in tetrahedra by spatial hashing (`teschner2003`).

use kontakt_math::DVec3;
use kontakt_soft::Loose;

/// The paper's multipliers.
const PRIMES: [u64; 3] = [73_856_093, 19_349_663, 83_492_791];
/// Cells that one tetrahedron looks up at most: one that is larger is compared with everything.
const MOST_CELLS: f64 = 1e5;

/// Cells and a table of slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hash {
    /// Side of a cell; the paper finds the mean edge best.
    pub cell: f64,
    /// Slots of the table, at least 1.
    pub slots: usize,
}

/// A vertex within a tetrahedron that is not its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inside {
    /// The vertex.
    pub vertex: u32,
    /// The tetrahedron.
    pub tetrahedron: u32,
    /// The vertex's barycentric coordinates there.
    pub weights: [f64; 4],
}

/// What the hash cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookups {
    /// Cells looked up.
    pub cells: u64,
    /// Vertices met in slots.
    pub met: u64,
    /// Of these, compared with the tetrahedron: in its box and not a corner.
    pub tested: u64,
}

impl Hash {
    /// Cells of the mean edge of the tetrahedra, a slot for each vertex.
    pub fn of(world: &Loose) -> Hash {
        let edges = world.tetrahedra().iter().flat_map(|&[a, b, c, d]| [[a, b], [b, c], [c, d], [d, a]]);
        let length = |[a, b]: [u32; 2]| world.places[a as usize].distance(world.places[b as usize]);
        let (sum, count) = edges.fold((0.0, 0_usize), |(sum, count), edge| (sum + length(edge), count + 1));
        Hash { cell: sum / count.max(1) as f64, slots: world.places.len().max(1) }
    }

    /// All vertices inside tetrahedra, in order of tetrahedra, then vertices.
    pub fn vertices_inside(&self, world: &Loose) -> (Vec<Inside>, Lookups) {
        let (next, first) = self.filled(&world.places);
        let (mut found, mut lookups) = (Vec::new(), Lookups::default());
        let mut near: Vec<u32> = Vec::new();
        for (tetrahedron, corners) in (0..).zip(world.tetrahedra()) {
            let at = corners.map(|v| world.places[v as usize]);
            let low = at.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
            let high = at.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
            near.clear();
            let (l, h) = (self.cell_of(low), self.cell_of(high));
            let count: f64 = (0..3).map(|i| (h[i] - l[i]) as f64 + 1.0).product();
            if count > MOST_CELLS {
                near.extend(0..world.places.len() as u32);
                lookups.met += near.len() as u64;
            } else {
                for z in l[2]..=h[2] {
                    for y in l[1]..=h[1] {
                        for x in l[0]..=h[0] {
                            lookups.cells += 1;
                            let mut v = first[self.slot([x, y, z])];
                            while v != NONE {
                                lookups.met += 1;
                                near.push(v);
                                v = next[v as usize];
                            }
                        }
                    }
                }
            }
            near.sort_unstable();
            // Cells that share a slot give the same vertices again.
            near.dedup();
            for &vertex in &near {
                let p = world.places[vertex as usize];
                if corners.contains(&vertex) || !(low.cmple(p).all() && p.cmple(high).all()) {
                    continue;
                }
                lookups.tested += 1;
                if let Some(weights) = weights(at, p) {
                    found.push(Inside { vertex, tetrahedron, weights });
                }
            }
        }
        (found, lookups)
    }

    /// The vertices of each slot as linked lists.
    fn filled(&self, places: &[DVec3]) -> (Vec<u32>, Vec<u32>) {
        let mut first = vec![NONE; self.slots.max(1)];
        let mut next = vec![NONE; places.len()];
        for (v, &p) in places.iter().enumerate().rev() {
            let slot = &mut first[self.slot(self.cell_of(p))];
            next[v] = std::mem::replace(slot, v as u32);
        }
        (next, first)
    }

    fn cell_of(&self, p: DVec3) -> [i64; 3] {
        (p / self.cell).floor().to_array().map(|c| c as i64)
    }

    fn slot(&self, cell: [i64; 3]) -> usize {
        let mixed = (0..3).fold(0, |all, i| all ^ cell[i].cast_unsigned().wrapping_mul(PRIMES[i]));
        (mixed % self.slots.max(1) as u64) as usize
    }
}

const NONE: u32 = u32::MAX;

/// Barycentric coordinates of a point within a tetrahedron, also an inverted one; `None` outside and where it is flat.
fn weights([a, b, c, d]: [DVec3; 4], p: DVec3) -> Option<[f64; 4]> {
    let (u, v, w, r) = (b - a, c - a, d - a, p - a);
    let volume = u.dot(v.cross(w));
    let [x, y, z] = [r.dot(v.cross(w)), u.dot(r.cross(w)), u.dot(v.cross(r))].map(|part| part / volume);
    let all = [1.0 - x - y - z, x, y, z];
    all.iter().all(|share| *share >= 0.0).then_some(all)
}
