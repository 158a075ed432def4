//! Many queries at once: the filter over lanes, then the cascade for what it leaves open.

mod kernel;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod lanes_x86;
mod simd;

use crate::doubles::Margins;
use crate::moved::Moved;
use crate::{Kind, Query, touches};
use kernel::{Block, Depth};
use kontakt_bounds::batch::Isa;
use kontakt_math::DVec3;
use lanes::BLOCK;

/// Queries of one kind, their coordinates stored by lanes.
#[derive(Clone, Debug)]
pub struct Batch {
    kind: Kind,
    blocks: Vec<Block>,
    len: usize,
}

impl Batch {
    /// An empty batch.
    pub fn new(kind: Kind) -> Batch {
        Batch { kind, blocks: Vec::new(), len: 0 }
    }

    /// Adds a query; one of the other kind is refused with `false`.
    pub fn push(&mut self, query: &Query) -> bool {
        if query.kind() != self.kind {
            return false;
        }
        let lane = self.len % BLOCK;
        if lane == 0 {
            self.blocks.push([[0.0; BLOCK]; 24]);
        }
        if let Some(block) = self.blocks.last_mut() {
            for (p, point) in query.start().iter().chain(&query.end()).enumerate() {
                for (k, x) in point.to_array().into_iter().enumerate() {
                    block[3 * p + k][lane] = x;
                }
            }
        }
        self.len += 1;
        true
    }

    /// Replaces all queries by those of some quadruples of points, which are places in a list of finite points.
    pub(crate) fn refill(&mut self, points: &[Moved], quadruples: &[[u32; 4]]) {
        // What is left in lanes past the end is finite and of no consequence.
        self.blocks.resize(quadruples.len().div_ceil(BLOCK), [[0.0; BLOCK]; 24]);
        self.len = quadruples.len();
        for (block, some) in self.blocks.iter_mut().zip(quadruples.chunks(BLOCK)) {
            for (lane, quadruple) in some.iter().enumerate() {
                for (p, &point) in quadruple.iter().enumerate() {
                    let moved = &points[point as usize].0;
                    for k in 0..3 {
                        block[3 * p + k][lane] = moved[k];
                        block[12 + 3 * p + k][lane] = moved[3 + k];
                    }
                }
            }
        }
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True without queries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all queries and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// Query `i`, if there is one.
    pub fn get(&self, i: usize) -> Option<Query> {
        if i >= self.len {
            return None;
        }
        let block = &self.blocks[i / BLOCK];
        let point = |p: usize| DVec3::from_array([0, 1, 2].map(|k| block[3 * p + k][i % BLOCK]));
        Query::new(self.kind, [0, 1, 2, 3].map(point), [4, 5, 6, 7].map(point)).ok()
    }

    /// Replaces `open` by the indices of the queries that are not proven free of contact, increasing. Errs to "open" only:
    /// every other query is free.
    pub fn filter(&self, open: &mut Vec<u32>) {
        self.filter_with(Isa::best(), open);
    }

    /// `filter` with a chosen instruction set; the portable one where the processor lacks it.
    pub fn filter_with(&self, isa: Isa, open: &mut Vec<u32>) {
        self.filter_by(isa, (&Margins::PROVEN, Depth::Quick), open);
    }

    /// `filter` with one test more, where the cascade follows.
    pub(crate) fn filter_thoroughly(&self, open: &mut Vec<u32>) {
        self.filter_by(Isa::best(), (&Margins::PROVEN, Depth::Thorough), open);
    }

    fn filter_by(&self, isa: Isa, how: (&Margins, Depth), open: &mut Vec<u32>) {
        open.clear();
        let mut first = 0;
        simd::for_each_block(isa, self.kind, &self.blocks, how, |mut bits| {
            while bits != 0 {
                let id = first + bits.trailing_zeros() as usize;
                if id < self.len {
                    open.push(id as u32);
                }
                bits &= bits - 1;
            }
            first += BLOCK;
        });
    }

    /// Replaces `hits` by the indices of the queries in contact, increasing. Exact.
    pub fn touching(&self, hits: &mut Vec<u32>) {
        self.filter_thoroughly(hits);
        hits.retain(|&i| self.get(i as usize).is_some_and(|query| touches(&query)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integer queries in contact at all times that are hard to compute with: every point a combination of two long vectors
    /// that span a plane, so the volume is exactly 0 and its computed value pure rounding; the vertex on the triangle's rim or
    /// an edge's end on the other edge, so no direction separates and the best one nearly does.
    fn hard_contacts(kind: Kind, count: usize) -> Vec<Query> {
        let mut g = testkit::Generator::free(21);
        let mut long = || DVec3::from_array(g.point().map(|x| (x * 131_072.0).round()));
        let spans: Vec<[DVec3; 3]> = (0..count).map(|_| [long(), long(), long()]).collect();
        let mut whole = || (g.unit() * 65_536.0).round() - 32_768.0;
        let points = |[p, q, base]: [DVec3; 3], whole: &mut dyn FnMut() -> f64| {
            let a = p * whole() + q * whole();
            // The origin of the plane lies on the segment from a to −2a, and on that from b to −b.
            let b = p * whole() + q * whole();
            match kind {
                Kind::VertexFace => [base, base + a, base - 2.0 * a, base + b],
                Kind::EdgeEdge => [base, base + b, base + a, base - 2.0 * a],
            }
        };
        spans
            .into_iter()
            .map(|span| {
                let start = points(span, &mut whole);
                let end = if whole() > 0.0 { start } else { points(span, &mut whole) };
                Query::new(kind, start, end).expect("finite")
            })
            .collect()
    }

    /// Integer queries in contact at all times whose best direction b is found at once: points on a line across b slide over
    /// the touching point, so exact reaches along b are 0 and computed ones pure rounding.
    fn grazing_contacts(kind: Kind, count: usize) -> Vec<Query> {
        let mut g = testkit::Generator::free(22);
        let mut vector = |size: f64| DVec3::from_array(g.point().map(|x| (x * size).round()));
        let mut query = || {
            // About as long as one another, for much rounding; 6 makes the mean of six vectors exact.
            let (c, w) = (vector(1e9), vector(3.0));
            let b = c.cross(w) * 6.0;
            let at = |s: f64, r: f64| match kind {
                Kind::VertexFace => [DVec3::ZERO, c * s, c * r, b],
                Kind::EdgeEdge => [DVec3::ZERO, -b, c * s, c * r],
            };
            Query::new(kind, at(3.0, -5.0), at(-1.0, 3.0)).expect("finite")
        };
        (0..count).map(|_| query()).collect()
    }

    fn rejected(queries: &[Query], margins: &Margins) -> usize {
        let mut batch = Batch::new(queries[0].kind());
        for query in queries {
            assert!(batch.push(query));
        }
        let mut open = Vec::new();
        [Isa::Portable, Isa::Avx2, Isa::Avx512]
            .into_iter()
            .map(|isa| {
                batch.filter_by(isa, (margins, Depth::Thorough), &mut open);
                batch.len() - open.len()
            })
            .max()
            .unwrap_or(0)
    }

    /// The error constants are needed, each of them: a smaller one loses contacts, the proven ones lose none.
    #[test]
    fn a_mutated_error_constant_loses_contacts() {
        let proven = Margins::PROVEN;
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            let (hard, grazing) = (hard_contacts(kind, 4000), grazing_contacts(kind, 4000));
            for query in hard.iter().chain(&grazing).step_by(40) {
                assert!(touches(query), "{query:?}");
            }
            assert_eq!(rejected(&hard, &proven), 0);
            assert_eq!(rejected(&grazing, &proven), 0);
            for share in [0.0, 0.001, 0.01] {
                let volume = rejected(&hard, &Margins { volume: share * proven.volume, ..proven });
                let reach = rejected(&grazing, &Margins { reach: share * proven.reach, ..proven });
                let weight = rejected(&hard, &Margins { weight: share * proven.weight, ..proven });
                assert!(volume > 10 && (reach > 10 || share > 0.001), "{kind:?} {share} {volume} {reach}");
                assert!(weight > 10, "{kind:?} {share} {weight}");
            }
        }
    }

    /// The filter proves nothing about touching queries, says the same for each instruction set on clear cases, and refuses
    /// the other kind.
    #[test]
    fn instruction_sets_agree() {
        let mut g = testkit::Generator::grid(23);
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            let mut batch = Batch::new(kind);
            let mut points = || std::array::from_fn(|_| DVec3::from_array(g.point()));
            for _ in 0..1003 {
                assert!(batch.push(&Query::new(kind, points(), points()).expect("finite")));
            }
            let other = if kind == Kind::EdgeEdge { Kind::VertexFace } else { Kind::EdgeEdge };
            assert!(!batch.push(&Query::new(other, [DVec3::ZERO; 4], [DVec3::ONE; 4]).expect("finite")));
            let [portable, avx2, avx512] = [Isa::Portable, Isa::Avx2, Isa::Avx512].map(|isa| {
                let mut open = Vec::new();
                batch.filter_with(isa, &mut open);
                open
            });
            let mut hits = Vec::new();
            batch.touching(&mut hits);
            assert!((40..600).contains(&hits.len()) && portable.len() < 950);
            for open in [&portable, &avx2, &avx512] {
                assert!(hits.iter().all(|id| open.binary_search(id).is_ok()));
                assert!(open.len().abs_diff(portable.len()) < 20);
            }
            let all = (0..batch.len()).filter(|&i| batch.get(i).is_some_and(|q| touches(&q)));
            assert_eq!(all.map(|i| i as u32).collect::<Vec<_>>(), hits);
        }
    }
}
