//! Which points can be extremal somewhere in a cell: lists that shrink on the way down the search.

use kontakt_math::{DMat3, DVec3};

/// Points scanned at once.
const LANES: usize = 8;
/// Lists this short are not worth shortening.
const SHORT: u32 = 4;

/// For each box axis the points that can be highest, and those that can be lowest, as ranges of the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lists {
    ranges: [(u32, u32); 6],
}

impl Lists {
    /// Points in all lists together.
    pub(super) fn len(&self) -> u32 {
        self.ranges.iter().map(|(start, end)| end - start).sum()
    }
}

/// A stack of lists of points, one array a coordinate.
pub(super) struct Candidates {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
}

impl Candidates {
    /// All points, in every list.
    pub(super) fn new(points: &[DVec3]) -> (Candidates, Lists) {
        let candidates = Candidates {
            x: points.iter().map(|p| p.x).collect(),
            y: points.iter().map(|p| p.y).collect(),
            z: points.iter().map(|p| p.z).collect(),
        };
        (candidates, Lists { ranges: [(0, points.len() as u32); 6] })
    }

    /// From the lowest to the highest point along each axis.
    #[inline(always)]
    pub(super) fn spans(&self, lists: &Lists, axes: &DMat3) -> [DVec3; 3] {
        [self.span(lists, 0, axes.x_axis), self.span(lists, 1, axes.y_axis), self.span(lists, 2, axes.z_axis)]
    }

    /// From the lowest to the highest point along a direction near box axis i.
    #[inline(always)]
    pub(super) fn span(&self, lists: &Lists, i: usize, direction: DVec3) -> DVec3 {
        self.highest(lists.ranges[2 * i], direction) - self.highest(lists.ranges[2 * i + 1], -direction)
    }

    /// Where the stack ends now.
    pub(super) fn mark(&self) -> usize {
        self.x.len()
    }

    /// Drops everything pushed since the mark.
    pub(super) fn release(&mut self, mark: usize) {
        self.x.truncate(mark);
        self.y.truncate(mark);
        self.z.truncate(mark);
    }

    /// Lists for a cell around `axes` in which axis i moves by at most √`moves[i]`; short ones stay as they are.
    ///
    /// When an axis u moves by at most κ, a point v can overtake the highest point p only if u·(p − v) ≤ κ|p − v|.
    /// (Bounds stay valid for any lists; only their quality depends on this.)
    #[inline(always)]
    pub(super) fn narrow(&mut self, lists: &Lists, axes: &DMat3, moves: [f64; 3]) -> Lists {
        let mut narrowed = *lists;
        for (side, range) in narrowed.ranges.iter_mut().enumerate() {
            if range.1 - range.0 <= SHORT {
                continue;
            }
            // A little more than exact, so that rounding drops nobody.
            let kappa_squared = moves[side / 2] * (1.0 + 1e-9) + 1e-30;
            let u = if side % 2 == 0 { axes.col(side / 2) } else { -axes.col(side / 2) };
            let top = self.highest(*range, u);
            let start = self.x.len() as u32;
            for k in range.0 as usize..range.1 as usize {
                let away = top - DVec3::new(self.x[k], self.y[k], self.z[k]);
                let below = u.dot(away);
                if below <= 1e-14 || below * below <= kappa_squared * away.length_squared() {
                    self.x.push(self.x[k]);
                    self.y.push(self.y[k]);
                    self.z.push(self.z[k]);
                }
            }
            *range = (start, self.x.len() as u32);
        }
        narrowed
    }

    /// The point of a list farthest along the direction.
    #[inline(always)]
    fn highest(&self, (start, end): (u32, u32), direction: DVec3) -> DVec3 {
        let (start, end) = (start as usize, end as usize);
        let (x, y, z) = (&self.x[start..end], &self.y[start..end], &self.z[start..end]);
        let mut best = (f64::NEG_INFINITY, 0);
        let mut done = 0;
        if x.len() >= 2 * LANES {
            let (mut top, mut at) = ([f64::NEG_INFINITY; LANES], [0_u64; LANES]);
            let blocks = x.chunks_exact(LANES).zip(y.chunks_exact(LANES)).zip(z.chunks_exact(LANES));
            for (block, ((x, y), z)) in blocks.enumerate() {
                for lane in 0..LANES {
                    let value = direction.x * x[lane] + direction.y * y[lane] + direction.z * z[lane];
                    let better = value > top[lane];
                    top[lane] = if better { value } else { top[lane] };
                    at[lane] = if better { block as u64 } else { at[lane] };
                }
            }
            for lane in 0..LANES {
                if top[lane] > best.0 {
                    best = (top[lane], at[lane] as usize * LANES + lane);
                }
            }
            done = x.len() - x.len() % LANES;
        }
        for k in done..x.len() {
            let value = direction.x * x[k] + direction.y * y[k] + direction.z * z[k];
            if value > best.0 {
                best = (value, k);
            }
        }
        DVec3::new(x[best.1], y[best.1], z[best.1])
    }
}
