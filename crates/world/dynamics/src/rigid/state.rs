//! All that a world is at a moment, as plain data: what a checkpoint needs.

use super::body::Body;
use super::memory::Held;
use super::seen::Seen;

/// Bodies by id, and what the solver remembers of their contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Sorted by id.
    pub bodies: Vec<Body>,
    /// Sorted by ids and what touches.
    pub held: Vec<Held>,
    /// Sorted by ids, borders and what touches.
    pub seen: Vec<Seen>,
    /// Substeps made so far.
    pub steps: u64,
    /// The last substep in which a contact began or ended.
    pub changed: u64,
}

impl State {
    /// A number that differs, almost surely, for states that differ in any bit.
    pub fn hash(&self) -> u64 {
        let mut hash = mix(0xcbf2_9ce4_8422_2325, self.steps);
        for body in &self.bodies {
            let vectors = [body.place, body.velocity, body.spin].into_iter().flat_map(|v| v.to_array());
            let numbers = vectors.chain(body.turn.to_array()).chain([body.density]);
            hash = numbers.fold(mix(hash, body.id), |hash, x| mix(hash, x.to_bits()));
            hash =
                mix(hash, u64::from(body.form) << 32 | u64::from(body.quiet) << 1 | u64::from(body.asleep));
        }
        for held in &self.held {
            hash = held.ids.into_iter().fold(hash, mix);
            hash = held.impulse.to_array().into_iter().fold(hash, |hash, x| mix(hash, x.to_bits()));
        }
        for seen in &self.seen {
            hash = seen.ids.into_iter().fold(hash, mix);
            let vectors = [seen.points[0], seen.points[1], seen.normal, seen.place];
            let numbers = vectors.into_iter().flat_map(|v| v.to_array()).chain(seen.turn.to_array());
            hash = numbers.fold(hash, |hash, x| mix(hash, x.to_bits()));
        }
        hash
    }

    /// Everything in its order.
    pub(crate) fn sort(&mut self) {
        self.bodies.sort_by_key(|body| body.id);
        self.held.sort_by_key(|held| (held.ids, held.spot));
        self.seen.sort_by_key(Seen::key);
    }
}

fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
