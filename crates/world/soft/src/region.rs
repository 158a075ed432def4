//! The vertices around contacts that are solved again; all others keep the way that was predicted for them.

use crate::model::Model;

/// How many springs a contact is felt away from it when a step is solved again.
const RINGS: usize = 6;

/// Which vertices springs join.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Joined {
    pub(crate) fn new(vertices: usize, model: &Model) -> Joined {
        let mut starts = vec![0_u32; vertices + 1];
        for v in model.joined().flatten() {
            starts[v as usize + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut others = vec![0; starts[vertices] as usize];
        for [a, b] in model.joined() {
            for (from, to) in [(a, b), (b, a)] {
                others[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        Joined { starts, others }
    }

    /// Marks what is near some vertices, in rings.
    pub(crate) fn grow(&self, marked: &mut [bool], seeds: impl Iterator<Item = u32>) {
        // Seeds count even where they are marked: a contact at the rim of a region needs its own surroundings.
        let mut seen = vec![false; marked.len()];
        let mut front: Vec<u32> = Vec::new();
        for v in seeds {
            if !std::mem::replace(&mut seen[v as usize], true) {
                front.push(v);
            }
        }
        for ring in 0..=RINGS {
            for &v in &front {
                marked[v as usize] = true;
            }
            if ring == RINGS {
                break;
            }
            let mut next = Vec::new();
            for &v in &front {
                let of = self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize;
                for &w in &self.others[of] {
                    if !std::mem::replace(&mut seen[w as usize], true) {
                        next.push(w);
                    }
                }
            }
            front = next;
        }
    }
}
