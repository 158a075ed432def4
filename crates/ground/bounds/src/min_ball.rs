//! Exact smallest enclosing ball of points and of balls.
//!
//! The answer carries its own proof: every site lies in the ball by exact arithmetic on the stored doubles, and
//! `radius_below` is a certified lower bound of the radius of *any* enclosing ball (see `certificate.rs`).

mod certificate;
mod double_double;
mod farthest;
#[cfg(target_arch = "x86_64")]
mod farthest_x86;
pub(crate) mod frame;
mod search;
mod sites;
mod support;

use crate::ball::Sphere;
use crate::bound::{FitError, check_points};
use frame::Frame;
use kontakt_math::{DVec3, U};

/// A smallest enclosing ball and what is proven about it.
#[derive(Clone, Debug, PartialEq)]
pub struct MinBall {
    /// Contains every site exactly, and with room for a checker who measures in plain doubles.
    pub sphere: Sphere,
    /// Indices of at most four sites whose own smallest ball this is, to rounding: a good warm start.
    pub support: Vec<usize>,
    /// **Never more** than the exact smallest radius.
    pub radius_below: f64,
}

impl MinBall {
    /// Certified relative gap: the radius is at most `1 + gap` times the exact smallest one. Infinite if nothing is proven.
    pub fn gap(&self) -> f64 {
        if self.sphere.radius <= self.radius_below {
            0.0
        } else {
            ((self.sphere.radius - self.radius_below) / self.radius_below).next_up()
        }
    }
}

/// The smallest ball around the points: radius right to 1e-14 relative where the centre is no larger than some
/// ten radii (beyond, rounding of the centre's coordinates shows, and [`MinBall::gap`] says how much).
pub fn min_ball(points: &[DVec3]) -> Result<MinBall, FitError> {
    min_ball_from(points, &[])
}

/// [`min_ball`], started from the guess that the points numbered `warm` support it. A bad guess costs time only.
pub fn min_ball_from(points: &[DVec3], warm: &[usize]) -> Result<MinBall, FitError> {
    check_warm(warm, points.len())?;
    if points.is_empty() {
        return Err(FitError::Empty);
    }
    if let Some(found) = search::search(points, warm) {
        return Ok(finish(found));
    }
    check_points(points)?;
    let balls: Vec<Sphere> = points.iter().map(|&centre| Sphere { centre, radius: 0.0 }).collect();
    framed(&balls, warm)
}

/// The smallest ball around the balls; radii must not be negative.
pub fn min_ball_of_balls(balls: &[Sphere]) -> Result<MinBall, FitError> {
    min_ball_of_balls_from(balls, &[])
}

/// [`min_ball_of_balls`], started from the guess that the balls numbered `warm` support it.
pub fn min_ball_of_balls_from(balls: &[Sphere], warm: &[usize]) -> Result<MinBall, FitError> {
    check_warm(warm, balls.len())?;
    check_balls(balls)?;
    match search::search(balls, warm) {
        Some(found) => Ok(finish(found)),
        None => framed(balls, warm),
    }
}

/// The radius is the proven reach and 4u more: a checker's `|p − c|` in plain doubles is at most 3.6u too large, its
/// square 5u, and its `r·r` at most u too small.
fn finish(found: search::Found) -> MinBall {
    let radius = found.reach_above * (1.0 + 5.0 * U);
    let sphere = Sphere { centre: found.centre, radius };
    MinBall { sphere, support: found.support, radius_below: found.radius_below }
}

/// For numbers whose squares leave the range of doubles: the same search in a frame of about unit size.
fn framed(balls: &[Sphere], warm: &[usize]) -> Result<MinBall, FitError> {
    let Some(frame) = Frame::around(balls) else {
        // All sites coincide and are points.
        let centre = balls.first().map_or(DVec3::ZERO, |ball| ball.centre);
        return Ok(MinBall { sphere: Sphere { centre, radius: 0.0 }, support: vec![0], radius_below: 0.0 });
    };
    let inside: Vec<Sphere> = balls.iter().map(|ball| frame.enter(ball)).collect();
    let too_large =
        || FitError::Parameter { what: "the smallest ball is larger than doubles reach".to_owned() };
    let found = search::search(inside.as_slice(), warm).ok_or_else(too_large)?;
    let centre = frame.leave_point(found.centre);
    let radius = balls.iter().map(|ball| frame.reach_above(ball, centre)).fold(0.0, f64::max);
    if !radius.is_finite() {
        return Err(too_large());
    }
    let radius_below = frame.leave_length_below(found.radius_below);
    Ok(MinBall { sphere: Sphere { centre, radius }, support: found.support, radius_below })
}

fn check_warm(warm: &[usize], count: usize) -> Result<(), FitError> {
    match warm.iter().find(|&&index| index >= count) {
        Some(index) => Err(FitError::Parameter { what: format!("warm start names site {index} of {count}") }),
        None => Ok(()),
    }
}

fn check_balls(balls: &[Sphere]) -> Result<(), FitError> {
    if balls.is_empty() {
        return Err(FitError::Empty);
    }
    for (index, ball) in balls.iter().enumerate() {
        if !ball.centre.is_finite() || !ball.radius.is_finite() {
            return Err(FitError::NotFinite { index });
        }
        if ball.radius < 0.0 {
            return Err(FitError::Parameter {
                what: format!("ball {index} has negative radius {}", ball.radius),
            });
        }
    }
    Ok(())
}
