//! The smallest ball.
//!
//! The smallest ball of some points of the body is no larger than the body's, and the body's farthest point from its centre says how much
//! larger a ball about that centre must be. That point joins the others, and so on: both ends meet.

use crate::enclosing::outline::Outline;
use kontakt_bounds::min_ball_from;
use kontakt_bounds::volume::Sphere;
use kontakt_math::DVec3;

/// What is asked of a smallest ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallOptions {
    /// Relative gap at which to stop.
    pub gap: f64,
    /// Most rounds.
    pub most_rounds: usize,
}

impl Default for BallOptions {
    fn default() -> BallOptions {
        BallOptions { gap: 1e-9, most_rounds: 200 }
    }
}

/// A small ball about a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnclosingBall {
    /// Holds every boundary within the model's gaps.
    pub outer: Sphere,
    /// **Never more** than the radius of any ball about such a boundary.
    pub lower_radius: f64,
    /// Times the farthest point was looked for.
    pub rounds: usize,
    /// Boxes and pieces looked at.
    pub cells: usize,
}

impl EnclosingBall {
    /// **Proven**: the radius is at most 1 + gap times the smallest one.
    pub fn gap(&self) -> f64 {
        if self.lower_radius > 0.0 {
            (self.outer.radius / self.lower_radius - 1.0).max(0.0).next_up()
        } else {
            f64::INFINITY
        }
    }
}

impl Outline<'_> {
    /// The smallest ball. `None` where numbers overflow.
    pub fn smallest_ball(&mut self, options: &BallOptions) -> Option<EnclosingBall> {
        let mut rounds = Rounds::default();
        for way in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z] {
            let found = self.reach(way, f64::INFINITY)?;
            rounds.points.push(found.point);
            rounds.off = rounds.off.max(found.off);
        }
        let mut best: Option<EnclosingBall> = None;
        let mut lower: f64 = 0.0;
        for round in 1..=options.most_rounds {
            let inner = min_ball_from(&rounds.points, &rounds.warm).ok()?;
            let centre = inner.sphere.centre;
            let before = best.map_or(1.0, |ball: EnclosingBall| ball.gap().min(1.0));
            let tolerance = inner.sphere.radius * (0.25 * options.gap).max(1e-3 * before);
            let found = self.farthest(centre, tolerance)?;
            rounds.cells += found.cells;
            lower = lower.max(inner.radius_below - rounds.off);
            let radius = best.map_or(f64::INFINITY, |ball| ball.outer.radius).min(found.upper);
            let kept =
                best.filter(|ball| ball.outer.radius <= found.upper).map_or(centre, |ball| ball.outer.centre);
            let outer = Sphere { centre: kept, radius };
            let ball = EnclosingBall { outer, lower_radius: lower, rounds: round, cells: rounds.cells };
            best = Some(ball);
            rounds.warm = inner.support;
            let is_new = !rounds.points.contains(&found.point);
            // What gaps take from below and add above stays.
            let enough = options.gap + 4.0 * self.gap() / radius;
            if ball.gap() <= enough || (!is_new && tolerance <= 0.5 * enough * radius) {
                break;
            }
            if is_new {
                rounds.points.push(found.point);
                rounds.off = rounds.off.max(found.off);
            }
        }
        best
    }
}

/// What rounds leave to the next.
#[derive(Default)]
struct Rounds {
    points: Vec<DVec3>,
    /// No point is farther from the body.
    off: f64,
    warm: Vec<usize>,
    cells: usize,
}
