//! GJK: the distance of two polytopal cores, certified, with a verdict that is final.
//!
//! The loop keeps a simplex of vertices of the difference A − B and its point v nearest to the origin, asks for the
//! vertex farthest towards the origin, and stops when that brings nothing. Any v bounds the distance from above by its length and from
//! below by the plane across it that all vertices lie behind. Where the two bounds leave a verdict open, the same
//! loop runs in exact numbers (module `exact`), from the simplex that doubles ended with.

pub mod simplex;

use crate::difference::corners::Corners;
use crate::difference::{Difference, Pair, Task, with_pair};
use crate::exact::{self, Scene, measure::Measured};
use crate::{Answer, Shape, Verdict, Warm};
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

/// Distance of two bodies with polytopal cores; leaves the simplex for the next query in `warm`.
pub fn separation(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm) -> Cut {
    let task = Separation { radii: radii(a, b), warm };
    with_pair(a.core(), b.core(), between, task).unwrap_or(Cut::NotPolytopal)
}

/// Whether two bodies with polytopal cores meet; `Undecided` only when a core is not polytopal.
pub fn verdict(a: &Shape, b: &Shape, between: &Between, warm: &mut Warm) -> Verdict {
    match separation(a, b, between, warm) {
        Cut::Apart(answer) => answer.verdict,
        Cut::CoresMeet { verdict, .. } => verdict,
        Cut::NotPolytopal => Verdict::Undecided,
    }
}

/// The two radii of A and the two of B.
fn radii(a: &Shape, b: &Shape) -> [f64; 4] {
    let ([r, s], [t, u]) = (a.radii(), b.radii());
    [r, s, t, u]
}

struct Separation<'a> {
    radii: [f64; 4],
    warm: &'a mut Warm,
}

impl Task for Separation<'_> {
    type Output = Cut;

    fn run<A: Corners, B: Corners>(self, pair: &Pair<'_, A, B>) -> Cut {
        let simplex = descend(pair, self.warm);
        exactly(pair, self.radii, &simplex, self.warm)
    }
}

/// The loop in doubles: the last simplex found. Ends when the next vertex is known or brings v no nearer.
fn descend<D: Difference>(pair: &D, warm: &Warm) -> Simplex {
    let towards = if warm.direction == DVec3::ZERO { -pair.middle() } else { warm.direction };
    let mut simplex = Simplex::point(pair.support(towards));
    let mut nearest = simplex.nearest();
    loop {
        let spot = pair.support(-nearest);
        if simplex.has(&spot) || simplex.spots().len() == 4 {
            return simplex;
        }
        let widened = simplex.widened(spot);
        let closer = widened.nearest();
        // Written so that NaN ends the loop too.
        if !(closer.length_squared() < nearest.length_squared()) {
            return simplex;
        }
        (simplex, nearest) = (widened, closer);
    }
}

/// The answer in exact numbers, from a simplex to start with.
fn exactly<A: Corners, B: Corners>(
    pair: &Pair<'_, A, B>,
    radii: [f64; 4],
    simplex: &Simplex,
    warm: &mut Warm,
) -> Cut {
    let scene = Scene::new(pair);
    let mut hints = [[0; 2]; 4];
    for (hint, spot) in hints.iter_mut().zip(simplex.spots()) {
        *hint = [spot.a, spot.b];
    }
    let nearest = exact::nearest(&scene, &hints[..simplex.spots().len()]);
    let (verdict, normal) = exact::verdict(&scene, &nearest, radii);
    if exact::simplex::holds_origin(&nearest) {
        return Cut::CoresMeet { verdict, normal, simplex: *simplex };
    }
    let measured = exact::measure::measure(&scene, &nearest, radii);
    warm.direction = measured.normal;
    Cut::Apart(in_world(pair.between, radii, verdict, &measured))
}

/// The answer in world coordinates.
fn in_world(between: &Between, radii: [f64; 4], verdict: Verdict, measured: &Measured) -> Answer {
    let [pose_a, pose_b] = between.poses();
    let normal = pose_a.rotate(measured.normal);
    let [core_a, core_b] = measured.points;
    let point_a = pose_a.apply(core_a) + normal * (radii[0] + radii[1]);
    let point_b = pose_b.apply(core_b) - normal * (radii[2] + radii[3]);
    // Turning a unit vector errs by 40u, its own roundings are a few u.
    let normal_error = 32.0 * f64::EPSILON;
    let sizes = core_a.abs().element_sum() + core_b.abs().element_sum() + radii.iter().sum::<f64>();
    let point_error = pose_a.apply_error(core_a)
        + pose_b.apply_error(core_b)
        + sizes * (64.0 * f64::EPSILON)
        + (point_a.abs() + point_b.abs()).element_sum() * f64::EPSILON;
    let separation = if verdict == Verdict::Touching { Range::ZERO } else { measured.separation };
    Answer { verdict, separation, normal, normal_error, point_a, point_b, point_error }
}
