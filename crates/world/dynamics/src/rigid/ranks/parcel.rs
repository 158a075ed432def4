//! Bodies, remembered impulses and contacts as records: what ranks send each other, and what checkpoints keep.

use super::RankError;
use crate::rigid::body::Body;
use crate::rigid::contact::Spot;
use crate::rigid::memory::Held;
use crate::rigid::seen::Seen;
use crate::rigid::state::State;
use kontakt_distributed::Record;
use kontakt_math::{DQuat, DVec3};

/// One of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Parcel {
    Body(Body),
    Held(Held),
    Seen(Seen),
}

/// Words of a body, of an impulse and of a contact; by their number they are told apart.
const BODY: usize = 16;
const HELD: usize = 8;
const SEEN: usize = 21;

impl Parcel {
    fn record(&self) -> Record {
        let (id, words) = match self {
            Parcel::Body(body) => (body.id, body_words(body).to_vec()),
            Parcel::Held(held) => (held.ids[0], held_words(held).to_vec()),
            Parcel::Seen(seen) => (seen.ids[0], seen_words(seen).to_vec()),
        };
        Record { id, bytes: words.into_iter().flat_map(u64::to_le_bytes).collect() }
    }

    fn read(record: &Record) -> Result<Parcel, RankError> {
        let (words, rest) = record.bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let unknown = || RankError::Record { id: record.id, bytes: record.bytes.len() };
        if !rest.is_empty() {
            return Err(unknown());
        }
        if let Ok(words) = <[u64; BODY]>::try_from(words.as_slice()) {
            return Ok(Parcel::Body(body_of(record.id, words)));
        }
        if let Ok(words) = <[u64; HELD]>::try_from(words.as_slice()) {
            return Ok(Parcel::Held(held_of(record.id, words)));
        }
        let words = <[u64; SEEN]>::try_from(words.as_slice()).map_err(|_| unknown())?;
        Ok(Parcel::Seen(seen_of(record.id, words)))
    }

    /// Of all records, in their order.
    pub(super) fn of_records(records: &[Record]) -> Result<Vec<Parcel>, RankError> {
        records.iter().map(Parcel::read).collect()
    }

    /// These bodies, and all that a state remembers.
    pub(super) fn records(bodies: &[Body], state: &State) -> Vec<Record> {
        let bodies = bodies.iter().map(|body| Parcel::Body(*body));
        let held = state.held.iter().map(|held| Parcel::Held(*held));
        let seen = state.seen.iter().map(|seen| Parcel::Seen(*seen));
        bodies.chain(held).chain(seen).map(|parcel| parcel.record()).collect()
    }

    /// In one piece.
    pub(super) fn message(parcels: &[Parcel]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for parcel in parcels {
            parcel.record().write(&mut bytes);
        }
        bytes
    }

    /// The message taken apart again.
    pub(super) fn of_message(bytes: &[u8]) -> Result<Vec<Parcel>, RankError> {
        let torn = |_| RankError::Record { id: 0, bytes: bytes.len() };
        Parcel::of_records(&Record::read_all(bytes).map_err(torn)?)
    }
}

fn bits(vector: DVec3) -> [u64; 3] {
    vector.to_array().map(f64::to_bits)
}

fn vector(words: &[u64]) -> DVec3 {
    DVec3::new(f64::from_bits(words[0]), f64::from_bits(words[1]), f64::from_bits(words[2]))
}

fn body_words(body: &Body) -> [u64; BODY] {
    let mut words = [0; BODY];
    words[0] = u64::from(body.form) << 1 | u64::from(body.asleep);
    words[1] = u64::from(body.quiet);
    words[2] = body.density.to_bits();
    words[3..6].copy_from_slice(&bits(body.place));
    words[6..10].copy_from_slice(&body.turn.to_array().map(f64::to_bits));
    words[10..13].copy_from_slice(&bits(body.velocity));
    words[13..16].copy_from_slice(&bits(body.spin));
    words
}

fn body_of(id: u64, words: [u64; BODY]) -> Body {
    Body {
        id,
        form: (words[0] >> 1) as u32,
        density: f64::from_bits(words[2]),
        place: vector(&words[3..6]),
        turn: DQuat::from_array([6, 7, 8, 9].map(|k| f64::from_bits(words[k]))),
        velocity: vector(&words[10..13]),
        spin: vector(&words[13..16]),
        quiet: words[1] as u32,
        asleep: words[0] & 1 != 0,
    }
}

fn held_words(held: &Held) -> [u64; HELD] {
    let Spot { parts, features } = held.spot;
    let [x, y, z] = bits(held.impulse);
    let parts = u64::from(parts[0]) | u64::from(parts[1]) << 32;
    [held.ids[1], parts, features[0], features[1], x, y, z, u64::from(held.pushes)]
}

fn held_of(id: u64, words: [u64; HELD]) -> Held {
    let parts = [words[1] as u32, (words[1] >> 32) as u32];
    let spot = Spot { parts, features: [words[2], words[3]] };
    Held { ids: [id, words[0]], spot, impulse: vector(&words[4..7]), pushes: words[7] != 0 }
}

fn seen_words(seen: &Seen) -> [u64; SEEN] {
    let Spot { parts, features } = seen.spot;
    let mut words = [0; SEEN];
    words[0] = seen.ids[1];
    words[1] = u64::from(parts[0]) | u64::from(parts[1]) << 32;
    words[2..4].copy_from_slice(&features);
    words[4] = u64::from(seen.images[0]) | u64::from(seen.images[1]) << 8;
    for (at, x) in [seen.points[0], seen.points[1], seen.normal, seen.place].into_iter().enumerate() {
        words[5 + 3 * at..8 + 3 * at].copy_from_slice(&bits(x));
    }
    words[17..21].copy_from_slice(&seen.turn.to_array().map(f64::to_bits));
    words
}

fn seen_of(id: u64, words: [u64; SEEN]) -> Seen {
    let parts = [words[1] as u32, (words[1] >> 32) as u32];
    let at = |k: usize| vector(&words[5 + 3 * k..8 + 3 * k]);
    Seen {
        ids: [id, words[0]],
        images: [words[4] as u8, (words[4] >> 8) as u8],
        spot: Spot { parts, features: [words[2], words[3]] },
        points: [at(0), at(1)],
        normal: at(2),
        place: at(3),
        turn: DQuat::from_array([17, 18, 19, 20].map(|k| f64::from_bits(words[k]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_a_state_has_comes_back() {
        let body = Body {
            id: u64::MAX,
            form: u32::MAX,
            density: f64::INFINITY,
            place: DVec3::new(-0.0, 1e-310, 3.0),
            turn: DQuat::from_xyzw(0.1, -0.2, 0.3, -0.4),
            velocity: DVec3::NEG_Y,
            spin: DVec3::splat(0.1),
            quiet: u32::MAX,
            asleep: true,
        };
        let spot = Spot { parts: [1, u32::MAX], features: [u64::MAX, 2] };
        let held = Held { ids: [3, 4], spot, impulse: DVec3::new(1.0, -2.0, 0.5), pushes: true };
        let seen = Seen {
            ids: [3, u64::MAX],
            images: [7, 1],
            spot,
            points: [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-4.0, 5.5, 1e-300)],
            normal: DVec3::new(0.6, 0.0, -0.8),
            place: DVec3::new(7.0, 8.0, 9.0),
            turn: DQuat::from_xyzw(0.5, -0.5, 0.5, -0.5),
        };
        let parcels = [
            Parcel::Body(body),
            Parcel::Held(held),
            Parcel::Seen(seen),
            Parcel::Body(Body { asleep: false, ..body }),
        ];
        let bytes = Parcel::message(&parcels);
        assert_eq!(Parcel::of_message(&bytes).unwrap(), parcels);
        assert!(Parcel::of_message(&bytes[..bytes.len() - 1]).is_err());
        let odd = Record { id: 5, bytes: vec![0; 24] };
        assert!(matches!(Parcel::of_records(&[odd]), Err(RankError::Record { id: 5, bytes: 24 })));
    }
}
