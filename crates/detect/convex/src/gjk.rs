//! GJK: the distance of two polytopal cores, certified, with a verdict that is final.
//!
//! The loop keeps a simplex of vertices of the difference A − B and its point v nearest to the origin, asks for the
//! vertex farthest towards the origin, and stops when that brings nothing. Any v bounds the distance from above by its length and from
//! below by the plane across it that all vertices lie behind. Where the two bounds leave a verdict open, the same
//! loop runs in exact numbers (module `exact`), from the simplex that doubles ended with.

mod certify;
pub(crate) mod cores;
mod descent;
mod enclosure;
mod errors;
#[cfg(test)]
mod tests;

use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair, Task, with_pair};
use crate::exact::{self, Scene};
use crate::simplex::Simplex;
use crate::{Answer, Shape, Verdict, Warm};
use certify::certificate;
use cores::{Cores, Radii};
use descent::{End, Walk};
use errors::Errors;
use kontakt_answers::Range;
use kontakt_math::{Between, DVec3};

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
    separation_with(a, b, between, warm, NORMAL_ERROR)
}

/// The same, for those who can do with a normal that is proven only to `normal_error` radians. The answer says what is proven.
pub fn separation_with(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm, normal_error: f64) -> Cut {
    let task = Separation { radii: Radii::of(a, b), warm, normal_error };
    with_pair(a.core(), b.core(), between, task)
}

/// Whether two bodies with polytopal cores meet: final, the same as in `separation` and for the bodies swapped.
/// `Undecided` only when a core is not polytopal.
pub fn verdict(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm) -> Verdict {
    let task = Decision { radii: Radii::of(a, b), warm };
    with_pair(a.core(), b.core(), between, task)
}

/// The question of `verdict`.
struct Decision<'a> {
    radii: Radii,
    warm: &'a mut Warm,
}

impl Task for Decision<'_> {
    type Output = Verdict;

    #[inline(always)]
    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Verdict {
        let errors = Errors::new(pair);
        let told = |bounds| self.radii.verdict(bounds).is_some();
        let mut walk = Walk::start(pair, self.warm);
        let told = match walk.descend(pair, &errors, told) {
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

    fn not_polytopal(self) -> Verdict {
        Verdict::Undecided
    }
}

/// The question of `separation`.
struct Separation<'a> {
    radii: Radii,
    warm: &'a mut Warm,
    /// A normal proven to this many radians is good enough.
    normal_error: f64,
}

impl Task for Separation<'_> {
    type Output = Cut;

    #[inline(always)]
    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Cut {
        let errors = Errors::new(pair);
        let mut walk = Walk::start(pair, self.warm);
        let end = walk.descend(pair, &errors, |_| false);
        if end == End::Inside {
            let verdict = Verdict::Overlapping;
            return Cut::CoresMeet { verdict, normal: None, simplex: walk.simplex };
        }
        if end == End::Bounded {
            self.warm.keep(-walk.nearest, walk.simplex.spots());
            if let Some(answer) = certified(pair, &errors, &self.radii, &walk, self.normal_error) {
                return Cut::Apart(answer);
            }
        }
        exactly(pair, &self.radii, &walk.simplex, self.warm)
    }

    fn not_polytopal(self) -> Cut {
        Cut::NotPolytopal
    }
}

/// The answer from doubles, if they tell the verdict and the normal.
#[inline(always)]
fn certified<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    errors: &Errors,
    radii: &Radii,
    walk: &Walk,
    normal_error: f64,
) -> Option<Answer> {
    let [lo, hi] = walk.bounds;
    let verdict = radii.verdict(walk.bounds)?;
    // Wider than roundings make them: the loop ended early.
    if lo <= 0.0 || hi - lo > 16.0 * (errors.plane + errors.nearest) {
        return None;
    }
    let normal = walk.nearest / walk.length;
    let certificate = certificate(pair, errors, walk, normal, normal_error);
    if certificate.angle > normal_error {
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
    Some(cores.in_world(pair.between, radii, verdict))
}

/// The answer in exact numbers, from a simplex to start with.
#[cold]
#[inline(never)]
fn exactly<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    radii: &Radii,
    simplex: &Simplex,
    warm: &mut Warm,
) -> Cut {
    warm.exact += 1;
    if let Some(cut) = touching_boxes(pair, radii, simplex) {
        return cut;
    }
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
    Cut::Apart(cores.in_world(pair.between, radii, verdict))
}

/// Two sharp boxes that touch exactly, told by their axes; none for all others. Doubles that came as near to the origin as they can
/// leave a simplex whose points are as good as any.
fn touching_boxes<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    radii: &Radii,
    simplex: &Simplex,
) -> Option<Cut> {
    let half = [pair.a.half_extents()?, pair.b.half_extents()?];
    let near = 16.0 * (pair.error() + f64::EPSILON * pair.size());
    if radii.all != [0.0; 4] || simplex.mix(|spot| spot.w).length() > near {
        return None;
    }
    match exact::boxes::verdict(half, pair.between)? {
        (Verdict::Touching, normal) => {
            Some(Cut::CoresMeet { verdict: Verdict::Touching, normal, simplex: *simplex })
        }
        _ => None,
    }
}
