//! Two balls about one point, one in each body: the proof of a lower bound of the depth.

use super::slide::Slide;
use crate::face::{Common, common_points};
use crate::inside::Verdict;
use crate::pairs::FacePair;
use crate::relation::Space;
use kontakt_answers::{Side, Visits};
use kontakt_math::DVec3;

/// A point inside both bodies, in A's frame, and how far the bodies' faces are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) centre: DVec3,
    /// **Never more** than `r_A` + `r_B`.
    pub(super) bound: f64,
    /// The nearest points of A's and B's faces, in A's frame, to rounding.
    nearest: [DVec3; 2],
}

/// Most starting points tried.
const STARTS: usize = 96;
/// Most evaluations of the search from one start.
const STEPS: usize = 300;

impl Ball {
    /// About a point of A's frame; `None` when it is not strictly inside both.
    ///
    /// In B's frame the point is known to an error e, so its distance from B's faces is at least the found one minus e; and
    /// it is inside B when the rounded point is and no face is within e.
    fn about(space: &Space, centre: DVec3) -> Option<Ball> {
        let (mesh_a, mesh_b) = (space.mesh(Side::A), space.mesh(Side::B));
        let (in_b, error) = space.to_b(centre)?;
        if mesh_a.inside(centre).verdict != Verdict::Inside || mesh_b.inside(in_b).verdict != Verdict::Inside
        {
            return None;
        }
        let (near_a, near_b) = (mesh_a.nearest(centre)?, mesh_b.nearest(in_b)?);
        let to_b = near_b.distance.lo() - error;
        // Three roundings, each by half a step at most.
        let bound = (near_a.distance.lo() + to_b).next_down().next_down().next_down();
        (to_b > 0.0 && bound > 0.0).then(|| Ball {
            centre,
            bound,
            nearest: [near_a.point, space.between.b_in_a(near_b.point)],
        })
    }

    /// The best found by searching from points near the contact, from corners of one body inside the other and from the middle
    /// of the common box.
    pub(super) fn largest(space: &Space, pairs: &[FacePair]) -> Option<Ball> {
        let mut found: Vec<Ball> =
            starts(space, pairs).into_iter().filter_map(|start| Ball::about(space, start)).collect();
        found.sort_by(|x, y| y.bound.total_cmp(&x.bound));
        let mut best: Option<Ball> = None;
        for start in found.into_iter().take(4) {
            let end = start.climb(space);
            if best.is_none_or(|best| end.bound > best.bound) {
                best = Some(end);
            }
        }
        best
    }

    /// Compass search: along axes, diagonals and the way off the two nearest points, with a step that halves when nothing
    /// helps.
    fn climb(self, space: &Space) -> Ball {
        let mut best = self;
        let mut step = self.bound;
        let smallest = self.bound * 1e-10;
        let mut left = STEPS;
        while step > smallest && left > 0 {
            let away = best.nearest.map(|p| (best.centre - p).normalize_or_zero());
            let ways = [away[0] + away[1], away[0], away[1]]
                .into_iter()
                .chain(COMPASS.iter().map(|&d| DVec3::from_array(d)));
            let mut better = None;
            for way in ways {
                left = left.saturating_sub(1);
                let least = better.map_or(best.bound, |ball: Ball| ball.bound);
                if let Some(ball) = Ball::about(space, best.centre + way * step).filter(|b| b.bound > least) {
                    better = Some(ball);
                }
            }
            match better {
                Some(ball) => best = ball,
                None => step *= 0.5,
            }
        }
        best
    }

    /// The translation that brings B's nearest face over A's.
    pub(super) fn slide(&self) -> Option<Slide> {
        let push = self.nearest[0] - self.nearest[1];
        (push != DVec3::ZERO && push.is_finite()).then_some(Slide { push, length: f64::INFINITY })
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

/// Points in A's frame from which to search.
fn starts(space: &Space, pairs: &[FacePair]) -> Vec<DVec3> {
    let (mesh_a, mesh_b) = (space.mesh(Side::A), space.mesh(Side::B));
    let a = mesh_a.faces().vertices();
    let b: Vec<DVec3> = mesh_b.faces().vertices().iter().map(|&x| space.between.b_in_a(x)).collect();
    let bounds = |points: &[DVec3]| {
        points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), &p| (l.min(p), h.max(p)))
    };
    let ((low_a, high_a), (low_b, high_b)) = (bounds(a), bounds(&b));
    let (low, high) = (low_a.max(low_b), high_a.min(high_b));
    let middle = (low + high) * 0.5;
    let mut points = vec![middle, (low_a + high_a) * 0.5, (low_b + high_b) * 0.5];
    let mut visits = Visits::default();
    let mut contacts = Vec::new();
    for pair in pairs.iter().step_by(pairs.len().div_ceil(STARTS / 3).max(1)) {
        let x = mesh_a.faces().triangle_points(pair.a as usize);
        let y = mesh_b.faces().triangle_points(pair.b as usize);
        match common_points(&space.between, x, y, &mut visits).1 {
            Common::None => {}
            Common::Point(p) => contacts.push(p),
            Common::Segment([p, q]) => contacts.push((p + q) * 0.5),
            Common::Polygon(corners) => contacts.extend(corners),
        }
    }
    if !contacts.is_empty() {
        points.push(contacts.iter().sum::<DVec3>() / contacts.len() as f64);
    }
    let inside_box = |p: &&DVec3| p.cmpge(low).all() && p.cmple(high).all();
    let near: Vec<DVec3> = a.iter().filter(inside_box).chain(b.iter().filter(inside_box)).copied().collect();
    let each = near.len().div_ceil(STARTS / 3).max(1);
    // Corners and contacts are on a surface; half way to the middle they may be inside.
    for p in
        near.iter().step_by(each).chain(contacts.iter().step_by(contacts.len().div_ceil(STARTS / 3).max(1)))
    {
        points.push((*p + middle) * 0.5);
        points.push(*p * 0.9375 + middle * 0.0625);
    }
    // A regular sprinkling of the common box finds what corners and contacts miss.
    for k in 0..27_u32 {
        let at = |axis: usize, i: u32| low[axis] + (high[axis] - low[axis]) * (0.5 + f64::from(i)) / 3.0;
        points.push(DVec3::new(at(0, k % 3), at(1, k / 3 % 3), at(2, k / 9)));
    }
    points.retain(|p| p.is_finite());
    points
}
