//! The first time two moving bodies come within a distance of one another: certified, and conservative by a stated excess.

use crate::closest::shortest;
use crate::{Kind, Query};
use kontakt_answers::Range;
use kontakt_math::DVec3;
use thiserror::Error;

/// Pieces of time looked at before the search answers "within" for what is left: a hard bound of the work.
const PIECES: usize = 4096;

/// Why a distance cannot be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SeparationError {
    /// NaN, infinite or negative.
    #[error("a {what} of {value} is not a finite number of at least 0")]
    NotALength {
        /// Which argument.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Whether the bodies come within a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Nearness {
    /// Proven: farther apart than the distance at all times in [0, 1].
    Farther,
    /// They are farther apart before `time.lo()`, and at `time.hi()` they are no farther apart than the distance and `excess`.
    Within {
        /// When first, as far as known.
        time: Range,
        /// How conservative the answer is: the distance at `time.hi()` exceeds the one asked about by no more than this.
        excess: f64,
    },
}

/// The first time the distance of the bodies is `distance` or less. Never late. A gap up to `slack` more may be called within;
/// more than that only where the bound of work ends the search, and `Nearness::Within::excess` says how much.
///
/// Method: pieces of time in order. A direction that keeps the bodies more than `distance` apart at both ends of a piece does so
/// in between (reaches are linear in time), so the piece is free; the bodies' shortest difference at its middle is the
/// direction tried. Else, where the difference at the piece's begin is short enough, that is the answer; else it is halved.
pub fn first_within(query: &Query, distance: f64, slack: f64) -> Result<Nearness, SeparationError> {
    for (what, value) in [("distance", distance), ("slack", slack)] {
        if !(value.is_finite() && value >= 0.0) {
            return Err(SeparationError::NotALength { what, value });
        }
    }
    let search = Search::new(query, distance);
    let mut open = vec![(0.0, 1.0)];
    let mut looked_at = 0;
    while let Some((lo, hi)) = open.pop() {
        looked_at += 1;
        if search.is_farther(lo, hi) {
            continue;
        }
        // All before lo is free.
        let excess = search.excess(lo);
        if excess <= slack {
            return Ok(Nearness::Within { time: ordered(lo, lo), excess: excess.max(0.0) });
        }
        let middle = 0.5 * (lo + hi);
        if looked_at >= PIECES || middle <= lo || middle >= hi {
            return Ok(Nearness::Within { time: ordered(lo, hi), excess: search.excess(hi).max(0.0) });
        }
        open.push((middle, hi));
        open.push((lo, middle));
    }
    Ok(Nearness::Farther)
}

fn ordered(lo: f64, hi: f64) -> Range {
    Range::new(lo, hi).unwrap_or(Range::ZERO)
}

/// Coordinates scaled by a power of two so that squares stay in range, and the error of a rounded edge.
struct Search {
    kind: Kind,
    start: [DVec3; 3],
    end: [DVec3; 3],
    /// The distance in scaled units, rounded up.
    distance: f64,
    unit: f64,
    /// Every coordinate of an edge at any time is within this of the exact one.
    error: f64,
}

impl Search {
    fn new(query: &Query, distance: f64) -> Search {
        // An eighth keeps differences and sums from overflowing.
        let edges = |x: [DVec3; 4]| [1, 2, 3].map(|i| x[i] * 0.125 - x[0] * 0.125);
        let (start, end) = (edges(query.start()), edges(query.end()));
        let largest = start.iter().chain(&end).fold(0.0, |m: f64, e| m.max(e.abs().max_element()));
        // The power of two below 1/largest; scaling by it is exact but for what underflows, far below the error.
        let exponent = (f64::max(largest, f64::MIN_POSITIVE).to_bits() >> 52) as i32 - 1023;
        let power = |e: i32| f64::powi(2.0, e / 2) * f64::powi(2.0, e - e / 2);
        let unit = power(-exponent);
        let scaled = |edges: [DVec3; 3]| edges.map(|e| e * unit);
        // Scaled edges are below 2. A difference errs by u, a lerp by 4 more roundings: 5u·2 in all; 16u taken, which also
        // covers the underflow of eighths.
        let error = 8.0 * f64::EPSILON;
        let distance = ((distance * 0.125) * unit).next_up();
        Search { kind: query.kind(), start: scaled(start), end: scaled(end), distance, unit, error }
    }

    fn at(&self, t: f64) -> [DVec3; 3] {
        [0, 1, 2].map(|i| self.start[i] * (1.0 - t) + self.end[i] * t)
    }

    /// True when one direction proves the bodies farther apart than the distance over [lo, hi].
    ///
    /// Reaches along d err by 3·|d|∞·error for the edges' error and by 4u·3·2|d|∞ for their own rounding: below
    /// 4·|d|∞·(error + 8u) = 4·|d|∞·1.5·error, twice for a difference: 12·|d|∞·error; 16 taken.
    fn is_farther(&self, lo: f64, hi: f64) -> bool {
        let d = shortest(self.kind, self.at(0.5 * (lo + hi))).difference;
        let size = d.abs().max_element();
        if size < 1e-100 || !size.is_finite() {
            return false;
        }
        let d = d / size;
        let gap = [lo, hi].map(|t| {
            let [a, b, c] = self.at(t).map(|e| d.dot(e));
            match self.kind {
                Kind::VertexFace => a.min(b).min(c),
                Kind::EdgeEdge => b.min(c) - a.max(0.0),
            }
        });
        // |d|∞ = 1 up to rounding, and |d| ≤ √3 is rounded up by 4 parts in 10¹⁶.
        let length = d.length() * (1.0 + 4.0 * f64::EPSILON);
        gap[0].min(gap[1]) - 16.0 * self.error > (self.distance * length).next_up()
    }

    /// How much the distance at t may exceed the one asked about at most.
    ///
    /// The shortest difference is a combination of edges with shares of sum 1 a side: it errs by the edges' error and some 10
    /// roundings of numbers below 4 a coordinate, together below 6·error; its length by √3 times that. 16 taken.
    fn excess(&self, t: f64) -> f64 {
        let length = shortest(self.kind, self.at(t)).difference.length() + 16.0 * self.error;
        (length - self.distance.next_down().max(0.0)) / self.unit * 8.0
    }
}
