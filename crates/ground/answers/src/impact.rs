//! When two moving bodies first meet.

use crate::{Contact, Range};
use serde::{Deserialize, Serialize};

/// How a motion starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Initial {
    /// Apart.
    #[default]
    Separate,
    /// In touch; it may leave without counting as contact.
    Touching,
    /// Already inside one another.
    Overlapping,
}

/// The answer to a continuous query over t in \[0, 1\]. **Never late**: before the lower end of a time the motion
/// is proven free of contact (after leaving an initial touch).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Impact {
    /// Proven free of contact over the whole motion.
    Free {
        /// How it starts: separate, or touching and leaving.
        initial: Initial,
    },
    /// Contact begins within `time`.
    Contact {
        /// How it starts.
        initial: Initial,
        /// First contact; its lower end is certified free.
        time: Range,
        /// Where, at the first contact.
        contact: Option<Contact>,
    },
    /// The budget ended: free until `free_until`, open after it.
    Undecided {
        /// How it starts, where that is known.
        initial: Option<Initial>,
        /// The motion is certified free before this time.
        free_until: f64,
    },
}

impl Impact {
    /// The time up to which the motion is certified free.
    pub fn free_until(&self) -> f64 {
        match self {
            Impact::Free { .. } => 1.0,
            Impact::Contact { time, .. } => time.lo(),
            Impact::Undecided { free_until, .. } => *free_until,
        }
    }

    /// The same answer with the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> Impact {
        match self {
            Impact::Contact { initial, time, contact } => {
                Impact::Contact { initial, time, contact: contact.map(Contact::swapped) }
            }
            other => other,
        }
    }

    /// Of two answers for parts of the same motion, the one to act on: what is free for less time. An answer that
    /// proves contact wins over one that is merely undecided at the same time, so the order of parts is irrelevant.
    #[must_use]
    pub fn earlier(self, other: Impact) -> Impact {
        let rank = |impact: &Impact| match impact {
            Impact::Contact { .. } => 0,
            Impact::Undecided { .. } => 1,
            Impact::Free { .. } => 2,
        };
        let mine = self.free_until().total_cmp(&other.free_until()).then(rank(&self).cmp(&rank(&other)));
        if mine.is_le() { self } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact_at(lo: f64, hi: f64) -> Impact {
        let time = Range::new(lo, hi).unwrap();
        Impact::Contact { initial: Initial::Separate, time, contact: None }
    }

    #[test]
    fn the_earlier_answer_wins_in_either_order() {
        let free = Impact::Free { initial: Initial::Separate };
        let undecided = Impact::Undecided { initial: None, free_until: 0.5 };
        for (a, b, expected) in [
            (free, contact_at(0.2, 0.3), contact_at(0.2, 0.3)),
            (contact_at(0.5, 0.6), undecided, contact_at(0.5, 0.6)),
            (undecided, contact_at(0.7, 0.8), undecided),
            (contact_at(1.0, 1.0), free, contact_at(1.0, 1.0)),
        ] {
            assert_eq!(a.earlier(b), expected);
            assert_eq!(b.earlier(a), expected);
        }
    }

    #[test]
    fn json_carries_the_verdict() {
        let json = serde_json::to_string(&contact_at(0.25, 0.5)).unwrap();
        assert_eq!(json, r#"{"verdict":"contact","initial":"separate","time":[0.25,0.5],"contact":null}"#);
    }
}
