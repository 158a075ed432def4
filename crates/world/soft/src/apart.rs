//! Bodies that meet at the start, moved apart where a user asks for it.

use crate::free::{Meeting, meetings};
use crate::system::System;
use crate::{Body, SoftError};
use kontakt_math::DVec3;

/// Meetings that are looked at.
const LOOKED_AT: usize = 1_000_000;
/// How much farther than needed bodies are moved, of the sum of their skins.
const BEYOND: f64 = 4.0;

/// Moves whole bodies without pins until none meets another. Of two that meet the later one is moved, or the one that can be: straight along
/// an axis, the shortest such way that takes its box out of the boxes of all that stay and of those moved before it. Gives how far each was
/// moved. What meets within a body, or two bodies that are both held, is not resolved: an error that names it.
///
/// It ends: on its way along an axis a body passes each box at most once.
pub fn move_apart(bodies: &mut [Body]) -> Result<Vec<DVec3>, SoftError> {
    let system = System::unchecked(bodies)?;
    let met = meetings(system.surface(), system.places(), LOOKED_AT)?;
    let is_held = |body: u32| bodies[body as usize].pinned.contains(&true);
    let cannot = |m: &Meeting| m.bodies[0] == m.bodies[1] || m.bodies.iter().all(|&b| is_held(b));
    if met.iter().any(cannot) {
        return Err(SoftError::NotFree(met.into_iter().filter(cannot).collect()));
    }
    let mut moves = vec![false; bodies.len()];
    for [a, b] in met.iter().map(|m| m.bodies) {
        let (first, later) = (a.min(b), a.max(b));
        moves[if is_held(later) { first } else { later } as usize] = true;
    }
    let mut taken: Vec<Extent> =
        (0..bodies.len()).filter(|&b| !moves[b]).map(|b| Extent::of(&bodies[b])).collect();
    let mut moved = vec![DVec3::ZERO; bodies.len()];
    for b in (0..bodies.len()).filter(|&b| moves[b]) {
        let extent = Extent::of(&bodies[b]);
        let by = extent.way_out(&taken);
        moved[b] = by;
        bodies[b].places.iter_mut().for_each(|p| *p += by);
        taken.push(Extent { low: extent.low + by, high: extent.high + by, ..extent });
    }
    let system = System::unchecked(bodies)?;
    let left = meetings(system.surface(), system.places(), LOOKED_AT)?;
    if left.is_empty() { Ok(moved) } else { Err(SoftError::NotFree(left)) }
}

/// A body's box.
#[derive(Clone, Copy)]
struct Extent {
    low: DVec3,
    high: DVec3,
    skin: f64,
}

impl Extent {
    fn of(body: &Body) -> Extent {
        let places = || body.places().iter();
        Extent {
            low: places().fold(DVec3::INFINITY, |low, p| low.min(*p)),
            high: places().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p)),
            skin: body.skin(),
        }
    }

    /// The shortest of six ways; of equally long ones the first, upward.
    fn way_out(&self, taken: &[Extent]) -> DVec3 {
        let directions = [DVec3::Z, DVec3::NEG_Z, DVec3::Y, DVec3::NEG_Y, DVec3::X, DVec3::NEG_X];
        let ways = directions.map(|direction| direction * self.along(direction, taken));
        ways.into_iter().min_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or(DVec3::ZERO)
    }

    /// How far along an axis nothing is in the way any more.
    fn along(&self, direction: DVec3, taken: &[Extent]) -> f64 {
        let mut way = 0.0;
        // Each box is passed once; where rounding does not let it pass, the last check of all tells.
        for _ in 0..=taken.len() {
            let (low, high) = (self.low + direction * way, self.high + direction * way);
            let meets = |other: &&Extent| low.cmple(other.high).all() && other.low.cmple(high).all();
            let Some(other) = taken.iter().find(meets) else { break };
            // From the rear of this one to the front of that one.
            let rear = direction.dot(if direction.element_sum() > 0.0 { self.low } else { self.high });
            let front = direction.dot(if direction.element_sum() > 0.0 { other.high } else { other.low });
            way = f64::max(way, front - rear + BEYOND * (self.skin + other.skin));
        }
        way
    }
}
