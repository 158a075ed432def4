//! The edges from each vertex of a polytope, eight at a time.

use crate::difference::scan::Octet;
use kontakt_bounds::hull::Hull;
use kontakt_math::DVec3;

/// The edges from each vertex in fans of eight, the last one of a vertex filled up with its last edge.
#[derive(Clone, Debug)]
pub(crate) struct Fans {
    /// Unit vectors along the edges, one vertex after another. They are off by less than 6u; zero where the difference of the ends
    /// overflows.
    edges: Vec<Octet>,
    /// The vertices at the other ends.
    ends: Vec<[u32; 8]>,
    /// Where the fans of each vertex begin, and the end.
    starts: Vec<u32>,
}

impl Fans {
    /// Of a hull whose vertices are numbered by their positions.
    pub(crate) fn new(vertices: &[DVec3], hull: &Hull) -> Fans {
        let (mut edges, mut ends, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        for (from, start) in vertices.iter().enumerate() {
            for fan in hull.neighbours(from).chunks(8) {
                let eight: [u32; 8] = std::array::from_fn(|lane| fan[lane.min(fan.len() - 1)]);
                let along = eight.map(|end| direction(vertices[end as usize] - *start));
                edges.push(Octet { x: along.map(|e| e.x), y: along.map(|e| e.y), z: along.map(|e| e.z) });
                ends.push(eight);
            }
            starts.push(edges.len() as u32);
        }
        Fans { edges, ends, starts }
    }

    #[inline(always)]
    fn of(&self, vertex: u32) -> std::ops::Range<usize> {
        self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize
    }

    /// The least `up · e` of the unit vectors e along the edges from a vertex, but for the edge to `spared`; infinite without any.
    /// Off by 3u, besides what the vectors are off by.
    #[inline(always)]
    pub(crate) fn least_rise(&self, [from, spared]: [u32; 2], up: DVec3) -> f64 {
        let lesser = |a: f64, b: f64| if a < b { a } else { b };
        let mut least = [f64::INFINITY; 8];
        for fan in self.of(from) {
            let (edges, ends) = (&self.edges[fan], &self.ends[fan]);
            for (lane, least) in least.iter_mut().enumerate() {
                let rise = edges.x[lane] * up.x + edges.y[lane] * up.y + edges.z[lane] * up.z;
                *least = lesser(*least, if ends[lane] == spared { f64::INFINITY } else { rise });
            }
        }
        let [a, b, c, d] = std::array::from_fn(|lane| lesser(least[lane], least[lane + 4]));
        lesser(lesser(a, c), lesser(b, d))
    }
}

/// The unit vector along `edge`, whose squares may leave the range of doubles; zero if it is not finite itself.
fn direction(edge: DVec3) -> DVec3 {
    let scaled = edge / edge.abs().max_element();
    if scaled.is_finite() { scaled / scaled.length() } else { DVec3::ZERO }
}
