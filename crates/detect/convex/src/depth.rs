//! How deep two polytopes lie in each other: the least translation that separates them.
//!
//! With the difference C = A − B, which holds the origin, it is the distance of the origin from C's boundary, and the normal
//! is that of the nearest facet. The ball that grows each core adds its radius. A surface of triangles with corners in C is
//! grown around the origin (`descent`, `surface`); its nearest face bounds the depth from below, C's reach along any direction
//! from above, and the two meet at a facet of C (`facet`).

mod body;
mod descent;
mod facet;
mod run;
mod start;
#[doc(hidden)]
pub mod surface;
#[cfg(target_arch = "x86_64")]
mod surface_x86;
mod witness;

use crate::difference::{Difference, Pair, Spot};
use crate::facet::Facet;
use crate::gjk::{self, Cut};
use crate::simplex::Simplex;
use crate::{Answer, Method, Shape, Verdict, Warm};
use crate::{gauss, sat};
use body::Body;
use kontakt_answers::Range;
use kontakt_math::round::{add_down, add_up};
use kontakt_math::{Between, DVec3, U};
use run::run;
use std::cell::RefCell;
use std::f64::consts::PI;
use surface::Surface;
use witness::{mix, point_error};

thread_local! {
    /// Memory for the surface, kept from query to query.
    static SURFACE: RefCell<Surface> = RefCell::default();
}

/// The two cores.
pub(crate) type Bodies<'a> = Pair<'a, Body<'a>, Body<'a>>;

/// A pair with its lengths multiplied by a power of two that brings them near 1, so that nothing over- or underflows.
pub(crate) struct Scaled<'a> {
    pair: &'a Bodies<'a>,
    scale: f64,
    /// Places of vertices, as scaled, err by at most this.
    error: f64,
    /// Never less than the length of any vertex, as scaled.
    size: f64,
}

impl<'a> Scaled<'a> {
    fn new(pair: &'a Bodies<'a>) -> Self {
        // The biased exponent of 1/size, give or take one, kept away from both ends.
        let size = pair.size();
        let exponent = 2046 - (size.to_bits() >> 52 & 0x7ff).clamp(24, 2022);
        let scale = f64::from_bits(exponent << 52);
        Scaled { pair, scale, error: pair.error() * scale, size: size * scale }
    }

    #[inline]
    fn support(&self, direction: DVec3) -> Spot {
        let spot = self.pair.support(direction);
        Spot { w: spot.w * self.scale, ..spot }
    }
}

/// How two shapes with polytopal cores lie to each other, made for those that overlap: what doubles cannot tell is left
/// to [`gjk::separation`]. `None` when a core is not polytopal.
pub fn penetration(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm) -> Option<Answer> {
    penetration_by(a, b, between, warm, Method::Default)
}

/// The same; only the default method uses that boxes have fifteen axes.
pub(crate) fn penetration_by(
    a: &Shape,
    b: &Shape,
    between: &Between,
    warm: &mut Warm,
    method: Method,
) -> Option<Answer> {
    let pair = Pair { a: Body::of(a.core())?, b: Body::of(b.core())?, between };
    let fast = match (&pair.a, &pair.b) {
        (Body::Cuboid(half_a), Body::Cuboid(half_b)) if method == Method::Default => {
            match sat::boxes(half_a.0, half_b.0, between) {
                sat::Told::Depth(facet) => Some(facet),
                sat::Told::Unclear => None,
                // Boxes that touch are told by GJK, and have no depth to look for.
                sat::Told::Border => match gjk::separation(a, b, between, warm) {
                    Cut::Apart(answer) => return Some(answer),
                    Cut::CoresMeet { verdict: Verdict::Touching, normal, simplex } => {
                        let facet = shallow(&pair, &Facet::OPEN, Verdict::Touching, normal, &simplex);
                        warm.direction = facet.normal;
                        return Some(in_world(between, [a.radii(), b.radii()], Verdict::Touching, &facet));
                    }
                    _ => None,
                },
            }
        }
        (Body::Many(a), Body::Many(b)) => gauss::hulls(*a, *b, between, warm.direction),
        _ => None,
    };
    let mut facet =
        fast.unwrap_or_else(|| SURFACE.with_borrow_mut(|surface| run(&pair, warm.direction, surface)));
    let mut verdict = Verdict::Overlapping;
    // NaN leaves it open too.
    if facet.low.is_nan() || facet.low <= 0.0 {
        match gjk::separation(a, b, between, warm) {
            Cut::Apart(answer) => return Some(answer),
            Cut::NotPolytopal => return None,
            Cut::CoresMeet { verdict: exact, normal, simplex } => {
                verdict = exact;
                facet = shallow(&pair, &facet, verdict, normal, &simplex);
            }
        }
    }
    warm.direction = facet.normal;
    Some(in_world(between, [a.radii(), b.radii()], verdict, &facet))
}

/// Completes what doubles could not tell of cores that exact numbers say meet: the depth is at least zero. Of cores that meet
/// by no more than roundings, the points are those of the simplex that holds the origin: the search for the depth may have
/// ended on any face through it.
fn shallow(
    pair: &Bodies<'_>,
    found: &Facet,
    verdict: Verdict,
    normal: Option<DVec3>,
    simplex: &Simplex,
) -> Facet {
    let mut facet = Facet { low: 0.0, high: found.high.max(0.0), ..*found };
    if verdict == Verdict::Touching {
        facet.high = 0.0;
        if let Some(normal) = normal {
            // Exact before rounding: each coordinate errs by a few roundings.
            (facet.normal, facet.normal_error) = (normal, 16.0 * U);
        }
    }
    if facet.high <= 64.0 * (pair.error() + U * pair.size()) {
        (facet.point_a, facet.point_b) = mix(pair, simplex.spots(), simplex.weights());
        let top = pair.support(facet.normal);
        facet.point_error = point_error(pair, &facet, [top.a, top.b]);
    }
    facet
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
    let separation = if verdict == Verdict::Touching {
        Range::ZERO
    } else {
        let sum = |core: f64, add: fn(f64, f64) -> f64| {
            radii.as_flattened().iter().fold(core, |sum, r| if *r == 0.0 { sum } else { add(sum, *r) })
        };
        // Overlapping for certain: at least some depth, however little.
        let least = sum(facet.low, add_down).max(f64::from_bits(1));
        Range::new(-sum(facet.high, add_up).max(least), -least).unwrap_or(Range::ZERO)
    };
    Answer { verdict, separation, normal, normal_error, point_a, point_b, point_error }
}
