//! GJK: the distance of two polytopal cores, certified, with a verdict that is final.
//!
//! The loop keeps a simplex of vertices of the difference A − B and its point v nearest to the origin, asks for the
//! vertex farthest towards the origin, and stops when that brings nothing. Any v bounds the distance from above by its length and from
//! below by the plane across it that all vertices lie behind. Where the two bounds leave a verdict open, the same
//! loop runs in exact numbers (module `exact`), from the simplex that doubles ended with.

mod certify;
mod descent;
pub mod simplex;

use crate::difference::corners::Corners;
use crate::difference::{Pair, Task, with_pair};
use crate::exact::{self, Scene};
use crate::{Answer, Shape, Verdict, Warm};
use certify::{Certificate, Errors, certificate};
use descent::{Decide, End, ToTheEnd, descend};
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

/// A normal that may be off by more radians than this is computed exactly instead: a hundredth of 1e-6 degrees.
const NORMAL_ERROR: f64 = 1.7e-10;

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

    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Verdict {
        let [reach_down, reach_up] = self.radii.sum;
        let open = match descend(pair, self.warm, &Decide { reach_down, reach_up }) {
            End::Inside(_) => return Verdict::Overlapping,
            End::Open(simplex) => simplex,
            End::Apart { simplex, nearest, bounds } => {
                self.warm.direction = -nearest;
                match self.radii.verdict(bounds) {
                    Some(verdict) => return verdict,
                    None => simplex,
                }
            }
        };
        match exactly(pair, &self.radii, &open, self.warm) {
            Cut::Apart(Answer { verdict, .. }) | Cut::CoresMeet { verdict, .. } => verdict,
            Cut::NotPolytopal => Verdict::Undecided,
        }
    }
}

/// The question of `separation`.
struct Separation<'a> {
    radii: Radii,
    warm: &'a mut Warm,
}

impl Task for Separation<'_> {
    type Output = Cut;

    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Cut {
        let open = match descend(pair, self.warm, &ToTheEnd) {
            End::Inside(simplex) => {
                return Cut::CoresMeet { verdict: Verdict::Overlapping, normal: None, simplex };
            }
            End::Open(simplex) => simplex,
            End::Apart { simplex, nearest, bounds } => {
                self.warm.direction = -nearest;
                if let Some(answer) = certified(pair, &self.radii, &simplex, nearest, bounds) {
                    return Cut::Apart(answer);
                }
                simplex
            }
        };
        exactly(pair, &self.radii, &open, self.warm)
    }
}

/// The answer from doubles, if they tell the verdict and the normal.
fn certified<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    radii: &Radii,
    simplex: &Simplex,
    nearest: DVec3,
    bounds: [f64; 2],
) -> Option<Answer> {
    let verdict = radii.verdict(bounds)?;
    if bounds[0] <= 0.0 {
        return None;
    }
    let certificate = certificate(pair, &Errors::new(pair), simplex, nearest, bounds);
    if certificate.angle > NORMAL_ERROR {
        return None;
    }
    let Certificate { lo, hi, angle, shift } = certificate;
    let separation = Range::new((lo - radii.sum[1]).next_down(), (hi - radii.sum[0]).next_up()).ok()?;
    let cores = Cores {
        separation,
        normal: -nearest.normalize(),
        angle,
        points: [simplex.mix(|spot| pair.a.corner(spot.a)), simplex.mix(|spot| pair.b.corner(spot.b))],
        shift,
    };
    Some(in_world(pair.between, radii.all, verdict, &cores))
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
        return Cut::CoresMeet { verdict, normal, simplex: *simplex };
    }
    let measured = exact::measure::measure(&scene, &nearest, radii.all);
    warm.direction = measured.normal;
    let touching = verdict == Verdict::Touching;
    let cores = Cores {
        separation: if touching { Range::ZERO } else { measured.separation },
        normal: measured.normal,
        angle: 8.0 * f64::EPSILON,
        points: measured.points,
        shift: 0.0,
    };
    Cut::Apart(in_world(pair.between, radii.all, verdict, &cores))
}

/// What is known of cores that are apart, each in its own frame.
struct Cores {
    /// Distance less radii.
    separation: Range,
    /// From A to B in A's frame, and how far it may be off.
    normal: DVec3,
    angle: f64,
    /// A's point in A's frame, B's in B's, rounded; how far they may be off besides.
    points: [DVec3; 2],
    shift: f64,
}

/// The answer in world coordinates.
///
/// Turning a unit vector errs by 40u; the core's points are rounded by less than 16u of their size, the last sums by u of theirs.
fn in_world(between: &Between, radii: [f64; 4], verdict: Verdict, cores: &Cores) -> Answer {
    let [pose_a, pose_b] = between.poses();
    let [core_a, core_b] = cores.points;
    let [radius_a, radius_b] = [radii[0] + radii[1], radii[2] + radii[3]];
    let normal = pose_a.rotate(cores.normal);
    let normal_error = cores.angle + 24.0 * f64::EPSILON;
    let (point_a, point_b) =
        (pose_a.apply(core_a) + normal * radius_a, pose_b.apply(core_b) - normal * radius_b);
    let rounding = (core_a.abs() + core_b.abs() + point_a.abs() + point_b.abs()).element_sum();
    let point_error = cores.shift
        + (radius_a + radius_b) * normal_error
        + pose_a.apply_error(core_a)
        + pose_b.apply_error(core_b)
        + rounding * (8.0 * f64::EPSILON);
    Answer { verdict, separation: cores.separation, normal, normal_error, point_a, point_b, point_error }
}
