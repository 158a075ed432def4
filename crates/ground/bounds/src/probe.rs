//! Ray, segment, triangle and plane against any volume, through its support function: a "no" is a proof.
//!
//! For a volume that is not convex the tests see its convex hull, which errs to "maybe".

use crate::bound::{FitError, Support};
use crate::separation;
use kontakt_math::DVec3;
use kontakt_math::round::{add_up, dot_down, dot_up, mul_up};

/// A single point as a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub DVec3);

impl Support for Point {
    fn farthest(&self, _direction: DVec3) -> DVec3 {
        self.0
    }

    fn reach(&self, direction: DVec3) -> f64 {
        dot_up(direction, self.0)
    }

    fn centre(&self) -> DVec3 {
        self.0
    }
}

/// The convex hull of `N` points: a segment for two, a triangle for three, a tetrahedron for four.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corners<const N: usize>(pub [DVec3; N]);

/// A segment by its ends.
pub type Segment = Corners<2>;
/// A triangle by its corners.
pub type Triangle = Corners<3>;

impl<const N: usize> Support for Corners<N> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        farthest_of(&self.0, direction)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        reach_of(&self.0, direction)
    }

    fn centre(&self) -> DVec3 {
        // Scaled before the sum, which therefore cannot overflow.
        self.0.iter().map(|p| *p / N as f64).sum()
    }
}

/// The point farthest along `direction`, to rounding; the origin when there is none.
pub(crate) fn farthest_of(points: &[DVec3], direction: DVec3) -> DVec3 {
    let mut best = points.first().copied().unwrap_or(DVec3::ZERO);
    let mut best_height = direction.dot(best);
    for point in points {
        let height = direction.dot(*point);
        if height > best_height {
            (best, best_height) = (*point, height);
        }
    }
    best
}

/// **Never less** than the maximum of `direction · p` over the points.
pub(crate) fn reach_of(points: &[DVec3], direction: DVec3) -> f64 {
    points.iter().fold(f64::NEG_INFINITY, |best, p| best.max(dot_up(direction, *p)))
}

/// A ray from `origin`, parameter t ≥ 0 in units of `direction`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: DVec3,
    direction: DVec3,
}

impl Ray {
    /// A ray; the direction need not be unit, but must be finite and not zero.
    pub fn new(origin: DVec3, direction: DVec3) -> Result<Ray, FitError> {
        if !origin.is_finite() {
            return Err(FitError::Parameter { what: format!("ray origin {origin} is not finite") });
        }
        if !direction.is_finite() || direction == DVec3::ZERO {
            return Err(FitError::Parameter {
                what: format!("ray direction {direction} is not finite or zero"),
            });
        }
        Ok(Ray { origin, direction })
    }

    /// Where it starts.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Where it goes in one unit of its parameter.
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// The point at parameter `t`, to rounding.
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }
}

/// The part of a ray with `from ≤ t ≤ to`, exactly: the end points are never rounded.
#[derive(Clone, Copy, Debug)]
struct RayPart<'a> {
    ray: &'a Ray,
    from: f64,
    to: f64,
}

impl Support for RayPart<'_> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        self.ray.at(if direction.dot(self.ray.direction) > 0.0 { self.to } else { self.from })
    }

    fn reach(&self, direction: DVec3) -> f64 {
        // n·(o + t d) = n·o + t (n·d), monotone in t, with 0 ≤ from ≤ to: the larger end, n·d taken upward.
        let along = dot_up(direction, self.ray.direction);
        let advance = mul_up(self.from, along).max(mul_up(self.to, along));
        add_up(dot_up(direction, self.ray.origin), advance)
    }

    fn centre(&self) -> DVec3 {
        self.ray.at(0.5 * self.from + 0.5 * self.to)
    }
}

/// Where a volume lies with respect to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneSide {
    /// Every point has n·x < offset: proven.
    Below,
    /// Every point has n·x > offset: proven.
    Above,
    /// The plane may meet the volume.
    MayCross,
}

/// Ray, segment, plane and triangle tests that every volume has.
pub trait Probe: Support {
    /// `false` is a proof that the segment misses the volume.
    fn may_hit_segment(&self, segment: &Segment) -> bool {
        separation::may_overlap(self, segment)
    }

    /// `false` is a proof that the (solid) triangle misses the volume.
    fn may_hit_triangle(&self, triangle: &Triangle) -> bool {
        separation::may_overlap(self, triangle)
    }

    /// Side of the plane {x : normal·x = offset}; the normal need not be unit, a zero normal gives `MayCross` or the
    /// truth about 0 and the offset.
    fn side_of_plane(&self, normal: DVec3, offset: f64) -> PlaneSide {
        if self.reach(normal) < offset {
            PlaneSide::Below
        } else if -self.reach(-normal) > offset {
            PlaneSide::Above
        } else {
            PlaneSide::MayCross
        }
    }

    /// `None` is a proof that the ray misses the volume; otherwise a parameter **never later** than the ray's entry
    /// (0 when the origin may lie inside), within rounding of it for polytopes.
    fn ray_entry(&self, ray: &Ray) -> Option<f64> {
        ray_entry(self, ray)
    }
}

impl<S: Support + ?Sized> Probe for S {}

/// Planes across the ray tried before the bound is taken as it is; polytopes need one for each face passed.
const MAX_ADVANCES: usize = 48;

/// Advances along the ray from half-space to half-space (after van den Bergen 2004, ray casting by GJK).
///
/// Proof of each step: the volume lies in H = {x : n·x ≤ reach(n)}. The ray is outside H for all t with
/// n·o + t (n·d) > reach(n); with n·d < 0 this is t < (n·o − reach(n)) / −(n·d), rounded downward here, so no point of
/// the volume lies on the ray before it. The part of the ray that is left is separated from the volume, or not, by the
/// certified search.
fn ray_entry<S: Support + ?Sized>(volume: &S, ray: &Ray) -> Option<f64> {
    let mut entry = 0.0_f64;
    let leave = latest_parameter(volume, ray)?;
    for _ in 0..MAX_ADVANCES {
        if entry > leave {
            return None;
        }
        if separation::separating_direction(volume, &RayPart { ray, from: entry, to: leave }).is_some() {
            return None;
        }
        let Some(found) = separation::separate(volume, &Point(ray.at(entry))) else { break };
        let height = dot_down(found.direction, ray.origin) - volume.reach(found.direction);
        let closing = dot_up(-found.direction, ray.direction);
        if height > 0.0 && closing <= 0.0 {
            // Outside of the half-space and never coming nearer to it.
            return None;
        }
        let advanced = (height.next_down() / closing).next_down();
        if closing <= 0.0 || advanced.is_nan() || advanced <= entry {
            break;
        }
        let small = advanced - entry <= 4.0 * f64::EPSILON * advanced;
        entry = advanced;
        if small {
            break;
        }
    }
    (entry <= leave).then_some(entry)
}

/// **Never less** than any parameter at which the ray is in the volume; `None` when there is none.
///
/// Proof: x = o + t d in the volume has t |d|² = d·(x − o) ≤ reach(d) − d·o.
fn latest_parameter<S: Support + ?Sized>(volume: &S, ray: &Ray) -> Option<f64> {
    let d = ray.direction;
    let farthest = add_up(volume.reach(d), dot_up(-d, ray.origin));
    if farthest < 0.0 {
        return None;
    }
    let length_squared = dot_down(d, d);
    let latest = (farthest / length_squared).next_up();
    // A direction so short that its square underflows: every parameter matters.
    Some(if length_squared > 0.0 && !latest.is_nan() { latest.min(f64::MAX) } else { f64::MAX })
}
