//! Convex hull in the plane.

use crate::{FlatBound, FlatMeasure, FlatPose, FlatSupport, Rectangle, check_flat_points, lifted, polygon};
use kontakt_bounds::FitError;
use kontakt_math::DVec2;
use kontakt_math::predicates::{Sign, orient2d};
use kontakt_math::round::{add_down, add_up, dot_up, length_up};

/// A convex polygon by its corners, counter-clockwise, no three in line; one corner for a point, two for a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatHull {
    corners: Vec<DVec2>,
}

impl FlatHull {
    /// Corners, counter-clockwise, starting with the least by x, then y.
    pub fn corners(&self) -> &[DVec2] {
        &self.corners
    }

    /// Andrew's monotone chain with exact turns: exactly the hull, whatever the input's degeneracy.
    fn of_checked(mut points: Vec<DVec2>) -> FlatHull {
        points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
        // −0 and 0 are one place.
        points.dedup_by(|p, q| p == q);
        if points.len() < 3 {
            return FlatHull { corners: points };
        }
        let lower = chain(points.iter());
        let upper = chain(points.iter().rev());
        let corners: Vec<DVec2> =
            lower[..lower.len() - 1].iter().chain(&upper[..upper.len() - 1]).copied().collect();
        FlatHull { corners }
    }

    /// Edges (start, end) counter-clockwise; a segment has both senses, a point none.
    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        let n = self.corners.len();
        (0..if n < 2 { 0 } else { n }).map(move |i| (self.corners[i], self.corners[(i + 1) % n]))
    }

    fn rectangle(&self) -> Rectangle {
        let (min, max) = self
            .corners
            .iter()
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(a, b), p| (a.min(*p), b.max(*p)));
        Rectangle { min, max }
    }
}

/// One half of the hull, from the first point to the last, turning left everywhere.
fn chain<'a>(points: impl Iterator<Item = &'a DVec2>) -> Vec<DVec2> {
    let mut kept: Vec<DVec2> = Vec::new();
    for p in points {
        while let [.., a, b] = kept[..] {
            if orient2d(a, b, *p) == Sign::Positive {
                break;
            }
            kept.pop();
        }
        kept.push(*p);
    }
    kept
}

/// The vector from the nearest point of the segment to `point`, to nearest.
fn from_segment(point: DVec2, (a, b): (DVec2, DVec2)) -> DVec2 {
    let edge = b - a;
    let scale = edge.abs().max_element();
    if scale == 0.0 || !scale.is_finite() {
        return point - a;
    }
    let unit = edge / scale;
    let t = (((point - a) / scale).dot(unit) / unit.length_squared()).clamp(0.0, 1.0);
    point - (a + edge * t)
}

impl FlatSupport for FlatHull {
    fn farthest(&self, direction: DVec2) -> DVec2 {
        let along = |p: &DVec2| direction.dot(*p);
        self.corners.iter().copied().max_by(|p, q| along(p).total_cmp(&along(q))).unwrap_or(DVec2::ZERO)
    }

    fn reach(&self, direction: DVec2) -> f64 {
        let d = lifted(direction);
        self.corners.iter().map(|p| dot_up(d, lifted(*p))).fold(f64::NEG_INFINITY, f64::max)
    }

    fn centre(&self) -> DVec2 {
        let share = 1.0 / self.corners.len() as f64;
        self.corners.iter().map(|p| *p * share).sum()
    }
}

impl FlatBound for FlatHull {
    const NAME: &'static str = "hull";

    fn fit(points: &[DVec2]) -> Result<Self, FitError> {
        check_flat_points(points)?;
        Ok(FlatHull::of_checked(points.to_vec()))
    }

    fn merge(&self, other: &Self) -> Self {
        FlatHull::of_checked([self.corners.as_slice(), &other.corners].concat())
    }

    /// The hull of the four corners of each image's error square; exact under turns and shifts that round nothing.
    fn transformed(&self, a_from_b: &FlatPose) -> Self {
        let around = |p: &DVec2| {
            let (image, error) = a_from_b.image(*p);
            let (low, high) = if error == 0.0 {
                (image, image)
            } else {
                (image.map(|x| add_down(x, -error)), image.map(|x| add_up(x, error)))
            };
            Rectangle { min: low, max: high }.corners()
        };
        FlatHull::of_checked(self.corners.iter().flat_map(around).collect())
    }

    fn measure(&self) -> FlatMeasure {
        FlatMeasure {
            area: polygon::area(&self.corners),
            perimeter: polygon::perimeter(&self.corners),
            diameter: polygon::diameter(&self.corners),
        }
    }

    /// Exact.
    fn contains(&self, point: DVec2) -> bool {
        self.rectangle().contains(point) && self.edges().all(|(a, b)| orient2d(a, b, point) != Sign::Negative)
    }

    /// Exact. Proof: two disjoint convex polygons are separated by an edge line of one of them, with the other strictly
    /// outside. Where both are points or parallel segments, either the line of one separates, or all
    /// lie on one line and are apart in x or y.
    fn may_overlap(&self, other: &Self) -> bool {
        let outside = |a: &FlatHull, b: &FlatHull| {
            a.edges().any(|(p, q)| b.corners.iter().all(|r| orient2d(p, q, *r) == Sign::Negative))
        };
        self.rectangle().may_overlap(&other.rectangle()) && !outside(self, other) && !outside(other, self)
    }

    /// Along the line of the nearest points found to rounding; projections on it are rounded outward.
    fn gap_below(&self, other: &Self) -> f64 {
        if self.may_overlap(other) {
            return 0.0;
        }
        let candidates = |a: &FlatHull, b: &FlatHull, sign: f64| -> Option<DVec2> {
            let degenerate = b.corners.first().map(|p| (*p, *p));
            let edges: Vec<_> = b.edges().chain(degenerate).collect();
            a.corners
                .iter()
                .flat_map(|p| edges.iter().map(|e| from_segment(*p, *e) * sign))
                .min_by(|u, v| polygon::length(*u).total_cmp(&polygon::length(*v)))
        };
        let gap = |d: DVec2| {
            // Any direction proves; this size keeps the products within range.
            let d = d / d.abs().max_element();
            let apart = add_down(-other.reach(-d), -self.reach(d));
            if apart > 0.0 { (apart / length_up(lifted(d))).next_down().max(0.0) } else { 0.0 }
        };
        [candidates(self, other, -1.0), candidates(other, self, 1.0)]
            .into_iter()
            .flatten()
            .map(gap)
            .fold(self.rectangle().gap_below(&other.rectangle()), f64::max)
    }
}
