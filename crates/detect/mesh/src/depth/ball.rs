//! Two balls about one point, one in each body: the proof of a lower bound of the depth.

use super::sample::Cells;
use super::slide::sampled;
use crate::face::{Common, common_points};
use crate::face_pair::FacePair;
use crate::inside::Location;
use crate::space::Space;
use kontakt_answers::{Side, Visits};
use kontakt_math::DVec3;
use kontakt_schedule::Deadline;

/// A point inside both bodies, in A's frame, and how far the bodies' faces are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) centre: DVec3,
    /// **Never more** than `r_A` + `r_B`.
    pub(super) bound: f64,
}

/// Most evaluations of the search from one start.
const STEPS: usize = 400;
/// Most evaluations where the point alone is wanted.
const FEW_STEPS: usize = 60;
/// What is more by less than this part is not better: it may be roundings.
const BETTER: f64 = 1.0 + 1e-9;

impl Ball {
    /// About a point of A's frame; `None` when it is not strictly inside both.
    ///
    /// In B's frame the point is known to an error e, so its distance from B's faces is at least the found one minus e; and
    /// it is inside B when the rounded point is and no face is within e.
    fn about(space: &Space, centre: DVec3) -> Option<Ball> {
        let (mesh_a, mesh_b) = (space.mesh(Side::A), space.mesh(Side::B));
        let (in_b, error) = space.to_b(centre)?;
        if mesh_a.inside(centre).verdict != Location::Inside
            || mesh_b.inside(in_b).verdict != Location::Inside
        {
            return None;
        }
        let (near_a, near_b) = (mesh_a.nearest(centre)?, mesh_b.nearest(in_b)?);
        let to_b = near_b.distance.lo() - error;
        // Three roundings, each by half a step at most.
        let bound = (near_a.distance.lo() + to_b).next_down().next_down().next_down();
        (to_b > 0.0 && bound > 0.0).then_some(Ball { centre, bound })
    }

    /// The best found by searching from points near the contact, from corners of one body inside the other
    /// and from a grid in the common box.
    pub(super) fn largest(space: &Space, pairs: &[FacePair], deadline: Deadline) -> Option<Ball> {
        let mut found: Vec<Ball> = Vec::new();
        for start in starts(space, pairs) {
            if deadline.has_passed() {
                break;
            }
            found.extend(Ball::about(space, start));
        }
        let mut best: Option<Ball> = None;
        for _ in 0..3 {
            // The first of the largest ones, in the order of the starts.
            let Some(most) = found.iter().map(|ball| ball.bound).reduce(f64::max) else { break };
            let first = found.iter().position(|ball| ball.bound * BETTER >= most).unwrap_or(0);
            let end = found.remove(first).climb(space, STEPS, deadline);
            if best.is_none_or(|best| end.bound > best.bound * BETTER) {
                best = Some(end);
            }
        }
        best
    }

    /// A good one near a point.
    pub(super) fn near(space: &Space, witness: DVec3, deadline: Deadline) -> Option<Ball> {
        let boxes = Boxes::of(space);
        let mut starts = [witness, boxes.middle(), (witness + boxes.middle()) * 0.5].into_iter();
        starts.find_map(|start| Ball::about(space, start)).map(|ball| ball.climb(space, FEW_STEPS, deadline))
    }

    /// Compass search: along axes and diagonals, with a step that halves when nothing helps.
    fn climb(self, space: &Space, steps: usize, deadline: Deadline) -> Ball {
        let mut best = self;
        let mut step = self.bound;
        let smallest = self.bound * 1e-10;
        let mut left = steps;
        while step > smallest && left > 0 && !deadline.has_passed() {
            let mut better: Option<Ball> = None;
            for way in COMPASS {
                left = left.saturating_sub(1);
                let least = better.map_or(best.bound, |ball| ball.bound);
                let there = Ball::about(space, best.centre + DVec3::from_array(way) * step);
                better = there.filter(|ball| ball.bound > least * BETTER).or(better);
            }
            match better {
                Some(ball) => best = ball,
                None => step *= 0.5,
            }
        }
        best
    }
}

const COMPASS: [[f64; 3]; 14] = [
    [1.0, 0.0, 0.0],
    [-1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, -1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, -1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [-1.0, 1.0, -1.0],
    [1.0, -1.0, -1.0],
    [-1.0, -1.0, -1.0],
];

/// The boxes around both bodies in A's frame.
struct Boxes {
    low: [DVec3; 2],
    high: [DVec3; 2],
}

impl Boxes {
    fn of(space: &Space) -> Boxes {
        let bounds = |(l, h): (DVec3, DVec3), x: DVec3| (l.min(x), h.max(x));
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let a = space.mesh(Side::A).faces().vertices().iter().copied().fold(none, bounds);
        let b = space.mesh(Side::B).faces().vertices().iter().map(|&x| space.between.b_in_a(x));
        let b = b.fold(none, bounds);
        Boxes { low: [a.0, b.0], high: [a.1, b.1] }
    }

    fn common(&self) -> (DVec3, DVec3) {
        (self.low[0].max(self.low[1]), self.high[0].min(self.high[1]))
    }

    fn middle(&self) -> DVec3 {
        let (low, high) = self.common();
        (low + high) * 0.5
    }
}

/// Points in A's frame from which to search.
fn starts(space: &Space, pairs: &[FacePair]) -> Vec<DVec3> {
    let (mesh_a, mesh_b) = (space.mesh(Side::A), space.mesh(Side::B));
    let boxes = Boxes::of(space);
    let (low, high) = boxes.common();
    let middle = boxes.middle();
    let mut points = vec![middle];
    points.extend([0, 1].map(|k: usize| (boxes.low[k] + boxes.high[k]) * 0.5));
    points.extend(Cells::new(low, high, 4).middles());
    // Corners are on a surface; on the way to the middle they may be inside.
    let cells = Cells::new(low, high, 2);
    let corners = |side: Side| {
        let place = move |x: DVec3| if side == Side::A { x } else { space.between.b_in_a(x) };
        let vertices = space.mesh(side).faces().vertices();
        cells.nearest(vertices, place, |x| x).into_iter().map(place)
    };
    for p in corners(Side::A).chain(corners(Side::B)) {
        points.extend([(p + middle) * 0.5, p * 0.9375 + middle * 0.0625]);
    }
    // Where two faces meet, the common interior is behind both, whichever way round they are.
    let mut visits = Visits::default();
    let reach = (high - low).max_element();
    for pair in sampled(space, pairs) {
        let x = mesh_a.faces().triangle_points(pair.a as usize);
        let y = mesh_b.faces().triangle_points(pair.b as usize);
        let at = match common_points(&space.between, x, y, &mut visits).1 {
            Common::None => continue,
            Common::Point(p) => p,
            Common::Segment([p, q]) => (p + q) * 0.5,
            Common::Polygon(corners) => corners.iter().sum::<DVec3>() / corners.len() as f64,
        };
        let [n, m] = [x, y].map(|[a, b, c]| (b - a).cross(c - a).normalize_or_zero());
        let [n, m] = [n, space.between.turn() * m].map(upward);
        for way in [n + m, n - m, m - n, -n - m] {
            points.extend([at + way * (reach / 8.0), at + way * (reach / 128.0)]);
        }
    }
    points.retain(|p| p.is_finite());
    points
}

/// The vector or its opposite: that whose first coordinate beyond roundings is positive.
fn upward(v: DVec3) -> DVec3 {
    let first = v.to_array().into_iter().find(|c| c.abs() > 1e-9);
    if first.is_some_and(|c| c < 0.0) { -v } else { v }
}
