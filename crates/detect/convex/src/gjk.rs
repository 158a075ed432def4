//! GJK: the distance of two polytopal cores, certified, with a verdict that is final.
//!
//! The loop keeps a simplex of vertices of the difference A − B and its point v nearest to the origin, asks for the
//! vertex farthest towards the origin, and stops when that brings nothing. Any v bounds the distance from above by its length and from
//! below by the plane across it that all vertices lie behind. Where the two bounds leave a verdict open, the same
//! loop runs in exact numbers (module `exact`), from the simplex that doubles ended with.

mod certify;
mod descent;
mod enclosure;
mod errors;
pub mod simplex;
#[cfg(test)]
mod tests;

use crate::difference::corners::Corners;
use crate::difference::{Pair, Task, with_pair};
use crate::exact::{self, Scene};
use crate::{Answer, Shape, Verdict, Warm};
use certify::certificate;
use descent::{End, Walk, descend};
use errors::Errors;
use kontakt_answers::Range;
use kontakt_math::{Between, DVec3};
use simplex::Simplex;

/// What GJK finds out.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    /// The cores have no common point: the answer is complete. The bodies may overlap all the same, by their radii.
    Apart(Answer),
    /// The cores meet.
    CoresMeet {
        /// `Touching` or `Overlapping`.
        verdict: Verdict,
        /// From A to B in A's frame, when sharp bodies touch: a direction across which they are separated.
        normal: Option<DVec3>,
        /// Vertices of the difference near or around the origin.
        simplex: Simplex,
    },
    /// A core is not polytopal; nothing was done.
    NotPolytopal,
}

/// A normal that may be off by more radians than this is computed exactly instead: half of 1e-6 degrees.
const NORMAL_ERROR: f64 = 0.8e-8;

/// Distance of two bodies with polytopal cores; leaves the direction for the next query in `warm`.
pub fn separation(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm) -> Cut {
    let task = Separation { radii: Radii::of(a, b), warm };
    with_pair(a.core(), b.core(), between, task).unwrap_or(Cut::NotPolytopal)
}

/// Whether two bodies with polytopal cores meet: final, the same as in `separation` and for the bodies swapped.
/// `Undecided` only when a core is not polytopal.
pub fn verdict(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm) -> Verdict {
    let task = Decision { radii: Radii::of(a, b), warm };
    with_pair(a.core(), b.core(), between, task).unwrap_or(Verdict::Undecided)
}

/// The radii that grow the cores.
#[derive(Clone, Copy, Debug)]
struct Radii {
    /// The two of A and the two of B.
    all: [f64; 4],
    /// Bounds of their sum.
    sum: [f64; 2],
}

impl Radii {
    /// Three additions err by 3u relative; zero is exact.
    #[inline]
    fn of(a: &Shape, b: &Shape) -> Radii {
        let ([r, s], [t, u]) = (a.radii(), b.radii());
        let sum = (r + s) + (t + u);
        Radii { all: [r, s, t, u], sum: [sum * (1.0 - 2.0 * f64::EPSILON), sum * (1.0 + 2.0 * f64::EPSILON)] }
    }

    /// The verdict from bounds of the cores' distance, when they tell.
    #[inline]
    fn verdict(&self, [lo, hi]: [f64; 2]) -> Option<Verdict> {
        if lo > self.sum[1] {
            Some(Verdict::Separate)
        } else if hi < self.sum[0] {
            Some(Verdict::Overlapping)
        } else {
            None
        }
    }
}

/// The question of `verdict`.
struct Decision<'a> {
    radii: Radii,
    warm: &'a mut Warm,
}

impl Task for Decision<'_> {
    type Output = Verdict;

    #[inline]
    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Verdict {
        let errors = Errors::new(pair);
        let told = |bounds| self.radii.verdict(bounds).is_some();
        let (walk, end) = descend(pair, &errors, self.warm, told);
        let told = match end {
            End::Inside => Some(Verdict::Overlapping),
            End::Open => None,
            End::Bounded => {
                self.warm.keep(-walk.nearest, walk.simplex.spots());
                self.radii.verdict(walk.bounds)
            }
        };
        told.unwrap_or_else(|| match exactly(pair, &self.radii, &walk.simplex, self.warm) {
            Cut::Apart(Answer { verdict, .. }) | Cut::CoresMeet { verdict, .. } => verdict,
            Cut::NotPolytopal => Verdict::Undecided,
        })
    }
}

/// The question of `separation`.
struct Separation<'a> {
    radii: Radii,
    warm: &'a mut Warm,
}

impl Task for Separation<'_> {
    type Output = Cut;

    #[inline]
    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Cut {
        let errors = Errors::new(pair);
        let (walk, end) = descend(pair, &errors, self.warm, |_| false);
        if end == End::Inside {
            let verdict = Verdict::Overlapping;
            return Cut::CoresMeet { verdict, normal: None, simplex: walk.simplex };
        }
        if end == End::Bounded {
            self.warm.keep(-walk.nearest, walk.simplex.spots());
            if let Some(answer) = certified(pair, &errors, &self.radii, &walk) {
                return Cut::Apart(answer);
            }
        }
        exactly(pair, &self.radii, &walk.simplex, self.warm)
    }
}

/// The answer from doubles, if they tell the verdict and the normal.
#[inline]
fn certified<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    errors: &Errors,
    radii: &Radii,
    walk: &Walk,
) -> Option<Answer> {
    let [lo, hi] = walk.bounds;
    let verdict = radii.verdict(walk.bounds)?;
    if lo <= 0.0 {
        return None;
    }
    let normal = walk.nearest / walk.length;
    let certificate = certificate(pair, errors, walk, normal, NORMAL_ERROR);
    if certificate.angle > NORMAL_ERROR {
        return None;
    }
    let cores = Cores {
        separation: Range::new((lo - radii.sum[1]).next_down(), (hi - radii.sum[0]).next_up()).ok()?,
        normal: -normal,
        normal_error: certificate.angle,
        point: walk.simplex.mix(|spot| pair.a.corner(spot.a)),
        length: walk.length,
        point_error: certificate.shift + errors.nearest,
    };
    Some(in_world(pair.between, radii, verdict, &cores))
}

/// The answer in exact numbers, from a simplex to start with.
#[cold]
fn exactly<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    radii: &Radii,
    simplex: &Simplex,
    warm: &mut Warm,
) -> Cut {
    warm.exact += 1;
    let scene = Scene::new(pair);
    let mut hints = [[0; 2]; 4];
    for (hint, spot) in hints.iter_mut().zip(simplex.spots()) {
        *hint = [spot.a, spot.b];
    }
    let nearest = exact::nearest(&scene, &hints[..simplex.spots().len()]);
    let (verdict, normal) = exact::verdict(&scene, &nearest, radii.all);
    if exact::simplex::holds_origin(&nearest) {
        return Cut::CoresMeet { verdict, normal, simplex: nearest.rounded(pair) };
    }
    let measured = exact::measure::measure(&scene, &nearest, radii.all);
    warm.keep(measured.normal, nearest.rounded(pair).spots());
    let cores = Cores {
        separation: if verdict == Verdict::Touching { Range::ZERO } else { measured.separation },
        normal: measured.normal,
        normal_error: 8.0 * f64::EPSILON,
        point: measured.point,
        length: measured.distance,
        point_error: 0.0,
    };
    Cut::Apart(in_world(pair.between, radii, verdict, &cores))
}

/// What is known of cores that are apart, in A's frame.
struct Cores {
    /// Distance less radii.
    separation: Range,
    /// From A to B, and how far it may be off.
    normal: DVec3,
    normal_error: f64,
    /// A's point; B's lies `length` from it along the normal.
    point: DVec3,
    length: f64,
    /// How far the points may be off, besides roundings.
    point_error: f64,
}

/// The answer in world coordinates.
///
/// A pose errs by 40u|x| + 2u|t| ([`kontakt_math::Pose::apply_error`]), so by 40u for a unit vector; A's point is rounded by less than
/// 16u of its size, the last sums by u of theirs.
#[inline]
fn in_world(between: &Between, radii: &Radii, verdict: Verdict, cores: &Cores) -> Answer {
    let pose = &between.poses()[0];
    let [r, s, t, u] = radii.all;
    let normal = pose.rotate(cores.normal);
    let normal_error = cores.normal_error + 24.0 * f64::EPSILON;
    let core_a = pose.apply(cores.point);
    let point_a = core_a + normal * (r + s);
    let point_b = core_a + normal * (cores.length - (t + u));
    let size = |x: DVec3| x.abs().element_sum();
    let apart = cores.length + radii.sum[1];
    let rounding = 32.0 * (size(cores.point) + apart) + 2.0 * (size(pose.translation()) + size(core_a));
    let point_error =
        cores.point_error + radii.sum[1] * cores.normal_error + rounding * f64::EPSILON + f64::MIN_POSITIVE;
    Answer { verdict, separation: cores.separation, normal, normal_error, point_a, point_b, point_error }
}
