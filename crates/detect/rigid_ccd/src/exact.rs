//! Bodies that keep their orientation have exact places at every time: contact decided without a doubt.

use crate::course::Course;
use kontakt_answers::Visits;
use kontakt_math::{Between, Chain, DVec3, Pose};
use kontakt_mesh::face::meeting;

/// Below this size the low part of a product may underflow.
const SMALL: f64 = 1e-250;
/// Above this size the splitting of a product might overflow.
const LARGE: f64 = 1e250;

/// Both bodies' exact places at a time near `t`, and that time rounded up: times at which a piece of a path has a double as its own
/// time are as good as any. None where a body turns, or both take different times. `within` are the poses of parts in their bodies.
pub(crate) fn between_at(
    a: &Course,
    b: &Course,
    within: [Option<&Chain>; 2],
    t: f64,
) -> Option<(Between, f64)> {
    let (own, late) = match (a.is_at_rest(), b.is_at_rest()) {
        (true, _) => b.own_time(t),
        (_, true) => a.own_time(t),
        _ if a.same_time_as(b) => a.own_time(t),
        _ => return None,
    };
    Some((Between::of_chains(&place_at(a, within[0], own)?, &place_at(b, within[1], own)?), late))
}

/// Whether two triangles, each in its body's frame, meet at a time: exact.
pub(crate) fn meet(between: &Between, a: [DVec3; 3], b: [DVec3; 3], visits: &mut Visits) -> bool {
    meeting(between, a, b, visits).meets()
}

/// The place (1−t)·p + t·q as translations one after another: p, −t·p and t·q in two doubles each are exact.
fn place_at(course: &Course, within: Option<&Chain>, t: f64) -> Option<Chain> {
    let [start, end] = course.straight_ends()?;
    let (p, q) = (start.translation(), end.translation());
    let mut chain = within.map_or_else(|| Chain::new(start), |part| part.within(start));
    if p == q || t == 0.0 {
        return Some(chain);
    }
    let (back, back_rest) = products(-t, p)?;
    let (forth, forth_rest) = products(t, q)?;
    for part in [back, back_rest, forth, forth_rest] {
        if part != DVec3::ZERO {
            let step = Pose::new(Pose::IDENTITY.rotation(), part).ok()?;
            chain = chain.within(step);
        }
    }
    Some(chain)
}

/// t·v as the sum of two vectors, exact.
fn products(t: f64, v: DVec3) -> Option<(DVec3, DVec3)> {
    let (mut high, mut low) = (DVec3::ZERO, DVec3::ZERO);
    for i in 0..3 {
        let product = t * v[i];
        let size = product.abs();
        if v[i] != 0.0 && !(SMALL..LARGE).contains(&size) {
            return None;
        }
        high[i] = product;
        low[i] = t.mul_add(v[i], -product);
    }
    Some((high, low))
}
