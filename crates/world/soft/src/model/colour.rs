//! Elements in colours: those of one colour share no vertex and may be solved at the same time.

use rayon::prelude::*;

/// Colours that fit into a vertex's mask at a time.
const IN_MASK: usize = 128;
/// Fewer elements of a colour are not worth the threads' meeting.
const WORTH_THREADS: usize = 4096;

/// Something between a few vertices.
pub(crate) trait Element: Copy + Send + Sync {
    fn vertices(&self) -> impl Iterator<Item = u32> + '_;
}

/// Elements sorted by colour, within one as they were given. The result of a sweep depends on this order alone.
#[derive(Clone, Debug)]
pub(crate) struct Coloured<E> {
    elements: Vec<E>,
    /// Where each colour ends.
    ends: Vec<usize>,
}

impl<E: Element> Coloured<E> {
    /// The smallest colour that no vertex of an element has yet, one element after the other.
    pub(crate) fn new(vertices: usize, elements: &[E]) -> Coloured<E> {
        let mut colours = vec![usize::MAX; elements.len()];
        let mut left: Vec<usize> = (0..elements.len()).collect();
        let mut base = 0;
        while !left.is_empty() {
            let mut masks = vec![0_u128; vertices];
            left.retain(|&e| {
                let taken = elements[e].vertices().fold(0, |all, v| all | masks[v as usize]);
                if taken == u128::MAX {
                    return true;
                }
                let colour = taken.trailing_ones();
                elements[e].vertices().for_each(|v| masks[v as usize] |= 1 << colour);
                colours[e] = base + colour as usize;
                false
            });
            base += IN_MASK;
        }
        let mut order: Vec<usize> = (0..elements.len()).collect();
        order.sort_by_key(|&e| colours[e]);
        let ends = order.chunk_by(|&a, &b| colours[a] == colours[b]).scan(0, |end, chunk| {
            *end += chunk.len();
            Some(*end)
        });
        let ends = ends.collect();
        Coloured { elements: order.iter().map(|&e| elements[e]).collect(), ends }
    }

    /// Only some of the elements, in the same order.
    pub(crate) fn picked(&self, pick: impl Fn(&E) -> bool) -> Coloured<E> {
        let (mut elements, mut ends) = (Vec::new(), Vec::new());
        for colour in self.colours() {
            elements.extend(colour.iter().filter(|e| pick(e)).copied());
            ends.push(elements.len());
        }
        Coloured { elements, ends }
    }

    /// Solves every element once, colour after colour.
    #[inline(always)]
    pub(crate) fn sweep(&self, solve: impl Fn(&E) + Sync) {
        for colour in self.colours() {
            if colour.len() < WORTH_THREADS {
                for element in colour {
                    solve(element);
                }
            } else {
                colour.par_chunks(WORTH_THREADS / 4).for_each(|some| some.iter().for_each(&solve));
            }
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &E> {
        self.elements.iter()
    }

    fn colours(&self) -> impl Iterator<Item = &[E]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.elements[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Element for [u32; 2] {
        fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
            self.iter().copied()
        }
    }

    /// A star with more edges at its centre than a mask has colours, and a ring around it.
    #[test]
    fn no_colour_shares_a_vertex_and_nothing_is_lost() {
        let n = 300;
        let spokes = (1..n).map(|v| [0, v]);
        let ring = (1..n).map(|v| [v, 1 + v % (n - 1)]);
        let edges: Vec<[u32; 2]> = spokes.chain(ring).collect();
        let coloured = Coloured::new(n as usize, &edges);
        for colour in coloured.colours() {
            let mut seen: Vec<u32> = colour.iter().flatten().copied().collect();
            seen.sort_unstable();
            assert!(seen.windows(2).all(|w| w[0] != w[1]));
        }
        let mut all: Vec<[u32; 2]> = coloured.iter().copied().collect();
        let mut given = edges;
        all.sort_unstable();
        given.sort_unstable();
        assert_eq!(all, given);
    }
}
