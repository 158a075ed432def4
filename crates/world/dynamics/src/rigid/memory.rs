//! Impulses remembered from step to step, so that sweeps start near their end.

use super::body::Body;
use super::contact::{Spot, Touch};
use kontakt_math::DVec3;

/// The impulse of a contact in the last step: plain data, part of a world's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The bodies' ids, the smaller first.
    pub ids: [u64; 2],
    /// What touches.
    pub spot: Spot,
    /// On the second body.
    pub impulse: DVec3,
    /// Whether it pushed: contacts may be kept that are near only.
    pub pushes: bool,
}

/// The impulses of these contacts in the last step, none for new ones and those that did not push. Both lists are sorted by ids and what touches.
pub(crate) fn remembered(held: &[Held], touches: &[Touch], bodies: &[Body]) -> Vec<Option<DVec3>> {
    let mut from = 0;
    let mut impulses = Vec::with_capacity(touches.len());
    for touch in touches {
        let ids = ids_of(touch, bodies);
        let key = (ids, touch.spot);
        while from < held.len() && (held[from].ids, held[from].spot) < key {
            from += 1;
        }
        match held.get(from).filter(|held| (held.ids, held.spot) == key) {
            Some(held) => {
                impulses.push(held.pushes.then_some(held.impulse));
                from += 1;
            }
            None => impulses.push(None),
        }
    }
    impulses
}

/// The ids of the bodies of a contact.
pub(crate) fn ids_of(touch: &Touch, bodies: &[Body]) -> [u64; 2] {
    touch.pair.slots.map(|slot| bodies[slot as usize].id)
}
