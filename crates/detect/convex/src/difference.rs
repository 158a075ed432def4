//! The Minkowski difference A − B of two placed polytopal cores, in A's frame: the one set that GJK, EPA and MPR look at.
//!
//! The cores meet when it holds the origin; their distance is its distance from the origin.

pub(crate) mod corners;

use crate::Core;
use corners::{Corners, Cuboid, Few, Many};
use kontakt_bounds::batch::{Work, widest};
use kontakt_math::{Between, DVec3};

/// A vertex of the difference: that of A minus that of B.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// Its place in A's frame, off by at most `Difference::error`.
    pub w: DVec3,
    /// Vertex of A.
    pub a: u32,
    /// Vertex of B.
    pub b: u32,
}

impl Spot {
    /// Whether both come from the same two vertices.
    #[inline(always)]
    pub fn same(&self, other: &Spot) -> bool {
        self.a == other.a && self.b == other.b
    }
}

/// The difference of two placed polytopes, seen through its support map.
pub(crate) trait Difference {
    /// A vertex farthest along `direction` (any length; zero gives any vertex), to rounding.
    fn support(&self, direction: DVec3) -> Spot;

    /// The vertex made of these two.
    fn spot(&self, a: u32, b: u32) -> Spot;

    /// Roughly from B's middle to A's.
    fn middle(&self) -> DVec3;

    /// **Never less** than the distance of any computed `w` from the exact vertex it stands for; infinite or NaN where
    /// something overflows.
    fn error(&self) -> f64;

    /// **Never less** than |a| + |b| of any vertices a of A, b of B about the origin of A's frame.
    fn size(&self) -> f64;
}

/// Two cores of known kinds, and the way from B's frame to A's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'a, A, B> {
    /// Core of A in its frame.
    pub a: A,
    /// Core of B in its frame.
    pub b: B,
    /// From B's frame to A's.
    pub between: &'a Between,
}

impl<A: Corners, B: Corners> Pair<'_, A, B> {
    /// Whether [`climb`](Self::climb) is quicker than `support` and less sure.
    #[inline(always)]
    pub(crate) fn climbs(&self) -> bool {
        self.a.climbs() || self.b.climbs()
    }

    /// A vertex far along `direction`, sought from another one: hardly ever another than `support`, but not surely.
    #[inline(always)]
    pub(crate) fn climb(&self, direction: DVec3, from: &Spot) -> Spot {
        if !self.climbs() {
            return self.support(direction);
        }
        let back = self.in_frame_of_b(-direction);
        self.spot(self.a.climb(direction, from.a), self.b.climb(back, from.b))
    }

    /// A direction of A's frame in B's.
    #[inline(always)]
    pub(crate) fn in_frame_of_b(&self, direction: DVec3) -> DVec3 {
        self.between.turn().transpose_mul_vec3(direction)
    }
}

impl<A: Corners, B: Corners> Difference for Pair<'_, A, B> {
    #[inline(always)]
    fn support(&self, direction: DVec3) -> Spot {
        let (a, corner_a) = self.a.extreme(direction);
        let (b, corner_b) = self.b.extreme(self.in_frame_of_b(-direction));
        Spot { w: corner_a - self.between.b_in_a(corner_b), a, b }
    }

    #[inline(always)]
    fn spot(&self, a: u32, b: u32) -> Spot {
        Spot { w: self.a.corner(a) - self.between.b_in_a(self.b.corner(b)), a, b }
    }

    #[inline(always)]
    fn middle(&self) -> DVec3 {
        self.a.middle() - self.between.b_in_a(self.b.middle())
    }

    /// The image of b errs by `error_within`; the subtraction by u in each coordinate, together by u(|a| + |b|), here 2u.
    #[inline(always)]
    fn error(&self) -> f64 {
        self.between.error_within(self.b.reach()) + self.size() * f64::EPSILON
    }

    /// |turn·x| ≤ |x| up to roundings, which the factor covers.
    #[inline(always)]
    fn size(&self) -> f64 {
        let shift = self.between.shift().abs().element_sum();
        (self.a.reach() + self.b.reach() + shift) * (1.0 + 64.0 * f64::EPSILON)
    }
}

/// Something to do with a difference whose kinds are known when compiled.
pub(crate) trait Task {
    /// What comes out.
    type Output;

    /// Does it.
    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Self::Output;

    /// What comes out when a core is not polytopal.
    fn not_polytopal(self) -> Self::Output;
}

/// Runs the task for the kinds of these cores.
#[inline]
pub(crate) fn with_pair<T: Task>(a: &Core, b: &Core, between: &Between, task: T) -> T::Output {
    match a {
        Core::Point => second(Few(&[DVec3::ZERO]), b, between, task),
        Core::Segment(ends) => second(Few(ends), b, between, task),
        Core::Triangle(corners) => second(Few(corners), b, between, task),
        Core::Box(half) => second(Cuboid(*half), b, between, task),
        Core::Hull(hull) => second(Many(hull), b, between, task),
        _ => task.not_polytopal(),
    }
}

#[inline]
fn second<A: Corners, T: Task>(a: A, b: &Core, between: &Between, task: T) -> T::Output {
    match b {
        Core::Point => run(task, Pair { a, b: Few(&[DVec3::ZERO]), between }),
        Core::Segment(ends) => run(task, Pair { a, b: Few(ends), between }),
        Core::Triangle(corners) => run(task, Pair { a, b: Few(corners), between }),
        Core::Box(half) => run(task, Pair { a, b: Cuboid(*half), between }),
        Core::Hull(hull) => run(task, Pair { a, b: Many(hull), between }),
        _ => task.not_polytopal(),
    }
}

#[inline]
fn run<A: Corners, B: Corners, T: Task>(task: T, pair: Pair<'_, A, B>) -> T::Output {
    widest(Run { task, pair })
}

/// A task about a pair.
struct Run<'a, T, A, B> {
    task: T,
    pair: Pair<'a, A, B>,
}

impl<T: Task, A: Corners, B: Corners> Work for Run<'_, T, A, B> {
    type Output = T::Output;

    #[inline(always)]
    fn run(self) -> T::Output {
        self.task.run(&self.pair)
    }
}
