//! How deep two polytopes lie in each other: the least translation that separates them.
//!
//! With the difference C = A − B, which holds the origin, it is the distance of the origin from C's boundary, and the normal
//! is that of the nearest facet. The ball that grows each core adds its radius. A surface of triangles with corners in C is
//! grown around the origin (`descent`, `surface`); its nearest face bounds the depth from below, C's reach along any direction
//! from above, and the two meet at a facet of C (`facet`).

mod descent;
mod facet;
mod start;
pub(crate) mod surface;
mod witness;

use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair, Spot, Task, with_pair};
use crate::gjk::simplex::Simplex;
use crate::gjk::{self, Cut};
use crate::{Answer, Shape, Verdict, Warm};
use descent::{Descent, descend};
use facet::{Facet, complete, incomplete};
use kontakt_answers::Range;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{Between, DVec3};
use std::cell::RefCell;
use std::f64::consts::PI;
use surface::Surface;
use witness::{mix, point_error};

const U: f64 = f64::EPSILON / 2.0;

thread_local! {
    /// Memory for the surface, kept from query to query.
    static SURFACE: RefCell<Surface> = RefCell::default();
}

/// A pair with its lengths multiplied by a power of two that brings them near 1, so that nothing over- or underflows.
pub(crate) struct Scaled<'a, A, B> {
    pair: &'a Pair<'a, A, B>,
    scale: f64,
}

impl<'a, A: Corners, B: Corners> Scaled<'a, A, B> {
    fn new(pair: &'a Pair<'a, A, B>) -> Self {
        let size = pair.size();
        let exponent = if size > 0.0 && size.is_finite() { size.log2().floor() } else { 0.0 };
        Scaled { pair, scale: (-exponent.clamp(-1000.0, 1000.0)).exp2() }
    }

    #[inline(always)]
    fn support(&self, direction: DVec3) -> Spot {
        let spot = self.pair.support(direction);
        Spot { w: spot.w * self.scale, ..spot }
    }

    fn error(&self) -> f64 {
        self.pair.error() * self.scale
    }

    fn size(&self) -> f64 {
        self.pair.size() * self.scale
    }
}

/// How two shapes with polytopal cores lie to each other, made for those that overlap: what doubles cannot tell is left
/// to [`gjk::separation`]. `None` when a core is not polytopal.
pub fn penetration(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm) -> Option<Answer> {
    let mut facet = with_pair(a.core(), b.core(), between, Depth { towards: warm.direction })?;
    let radii = [a.radii(), b.radii()];
    let mut verdict = Verdict::Overlapping;
    if !(facet.low > 0.0) {
        match gjk::separation(a, b, between, warm) {
            Cut::Apart(answer) => return Some(answer),
            Cut::NotPolytopal => return None,
            Cut::CoresMeet { verdict: exact, normal, simplex } => {
                verdict = exact;
                let task = Touch { facet, verdict, normal, simplex: &simplex };
                facet = with_pair(a.core(), b.core(), between, task)?;
            }
        }
    }
    warm.direction = facet.normal;
    Some(in_world(between, radii, verdict, &facet))
}

/// The depth of two cores as far as doubles can tell; a lower end that is not positive leaves the verdict open.
struct Depth {
    towards: DVec3,
}

impl Task for Depth {
    type Output = Facet;

    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Facet {
        SURFACE.with_borrow_mut(|surface| run(pair, self.towards, surface))
    }
}

#[inline(always)]
fn run<A: Corners, B: Corners>(pair: &Pair<'_, A, B>, towards: DVec3, surface: &mut Surface) -> Facet {
    let scaled = Scaled::new(pair);
    let towards = if towards == DVec3::ZERO { -pair.middle() } else { towards };
    let tolerance = 16.0 * U * scaled.size();
    match descend(&scaled, towards, surface, tolerance) {
        Descent::Ended(reach) => {
            let proved = surface.goes_around_origin();
            complete(&scaled, surface, &reach, proved)
        }
        Descent::Flat(normal) | Descent::Outside(normal) => incomplete(&scaled, normal),
    }
}

/// Completes what doubles could not tell of cores that exact numbers say meet: the depth is at least zero, the points are those
/// of the simplex that holds the origin.
struct Touch<'a> {
    facet: Facet,
    verdict: Verdict,
    normal: Option<DVec3>,
    simplex: &'a Simplex,
}

impl Task for Touch<'_> {
    type Output = Facet;

    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Facet {
        let mut facet = Facet { low: 0.0, high: self.facet.high.max(0.0), ..self.facet };
        if self.verdict == Verdict::Touching {
            facet.high = 0.0;
            if let Some(normal) = self.normal {
                // Exact before rounding: each coordinate errs by a few roundings.
                (facet.normal, facet.normal_error) = (normal, 16.0 * U);
            }
            (facet.point_a, facet.point_b) = mix(pair, self.simplex.spots(), self.simplex.weights());
            facet.point_error = point_error(pair, &facet);
        }
        facet
    }
}

/// The answer in world coordinates, radii put on.
fn in_world(between: &Between, radii: [[f64; 2]; 2], verdict: Verdict, facet: &Facet) -> Answer {
    let [pose_a, pose_b] = between.poses();
    let [radius_a, radius_b] = radii.map(|[r, s]| r + s);
    let normal = pose_a.rotate(facet.normal);
    // Turning a unit vector errs by 40u.
    let normal_error = (facet.normal_error + 48.0 * U).min(PI);
    let point_a = pose_a.apply(facet.point_a) + normal * radius_a;
    let point_b = pose_b.apply(facet.point_b) - normal * radius_b;
    let point_error = facet.point_error
        + pose_a.apply_error(facet.point_a)
        + pose_b.apply_error(facet.point_b)
        + (radius_a + radius_b) * (normal_error + 8.0 * U)
        + (point_a.abs() + point_b.abs()).element_sum() * (2.0 * U);
    let separation = match verdict {
        Verdict::Touching => Range::ZERO,
        _ => {
            let sum = |core: f64, add: fn(f64, f64) -> f64| {
                radii.as_flattened().iter().fold(core, |sum, r| if *r == 0.0 { sum } else { add(sum, *r) })
            };
            // Overlapping for certain: at least some depth, however little.
            let least = sum(facet.low, add_down).max(f64::from_bits(1));
            Range::new(-sum(facet.high, add_up).max(least), -least).unwrap_or(Range::ZERO)
        }
    };
    Answer { verdict, separation, normal, normal_error, point_a, point_b, point_error }
}
