//! Which things belong together.

/// Union-find with path halving; the smallest member is the root.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    /// Each of so many members for itself.
    pub fn new(n: usize) -> Self {
        DisjointSets { parent: (0..n as u32).collect() }
    }

    /// The smallest member of a set.
    pub fn root(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let above = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = above;
            member = above;
        }
        member
    }

    /// Makes two sets one.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}
