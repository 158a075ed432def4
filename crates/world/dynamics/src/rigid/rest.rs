//! Which bodies are at rest, and which go to sleep and wake. All of it is told by pairs, so that ranks need only join what theirs tell.

use super::body::Body;

/// What its contacts make of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mood {
    /// The least count of quiet steps among those it touches; immovable ones do not count.
    pub quiet: u32,
    /// A contact of it has begun or ended.
    pub changed: bool,
    /// Something that moves touches it.
    pub stirred: bool,
}

impl Mood {
    /// Of a body that nothing touches.
    pub const ALONE: Mood = Mood { quiet: u32::MAX, changed: false, stirred: false };

    /// Both together: the same in any order.
    #[must_use]
    pub fn and(self, other: Mood) -> Mood {
        Mood {
            quiet: self.quiet.min(other.quiet),
            changed: self.changed | other.changed,
            stirred: self.stirred | other.stirred,
        }
    }
}

/// Takes in that two bodies touch.
pub(crate) fn touching(moods: &mut [Mood], bodies: &[Body], slots: [u32; 2]) {
    for [own, other] in [slots, [slots[1], slots[0]]] {
        let other = &bodies[other as usize];
        let mood = &mut moods[own as usize];
        if other.is_free() {
            mood.quiet = mood.quiet.min(other.quiet);
            mood.stirred |= !other.asleep && other.quiet == 0;
        } else {
            mood.stirred |=
                other.velocity != kontakt_math::DVec3::ZERO || other.spin != kontakt_math::DVec3::ZERO;
        }
    }
}

/// Takes in that a contact of two bodies has begun or ended.
pub(crate) fn changing(moods: &mut [Mood], slots: [u32; 2]) {
    for slot in slots {
        moods[slot as usize].changed = true;
    }
}

/// What follows for a body, whose energy is below or above the limit; `enough` quiet steps send it to sleep.
pub(crate) fn settle(body: &mut Body, mood: Mood, is_slow: bool, enough: Option<u32>) {
    if !body.is_free() {
        return;
    }
    if body.asleep && (mood.stirred || mood.changed) {
        body.asleep = false;
        body.quiet = 0;
        return;
    }
    if body.asleep {
        return;
    }
    body.quiet = if is_slow && !mood.changed { body.quiet.saturating_add(1) } else { 0 };
    if enough.is_some_and(|enough| body.quiet >= enough && mood.quiet >= enough) {
        body.asleep = true;
        body.velocity = kontakt_math::DVec3::ZERO;
        body.spin = kontakt_math::DVec3::ZERO;
    }
}
