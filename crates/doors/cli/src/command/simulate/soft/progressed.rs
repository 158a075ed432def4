//! What a run has come to: its state and its counts, as bytes of a checkpoint and back.

use kontakt::math::DVec3;
use kontakt::soft::{Report, State};

/// Counts over all steps so far. Nothing here depends on time or threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) steps: u64,
    /// Simulated seconds of each state written.
    pub(super) frames: Vec<f64>,
    pub(super) contacts_now: u64,
    pub(super) contacts_most: u64,
    pub(super) contacts_new: u64,
    pub(super) rounds: u64,
    pub(super) rounds_most: u64,
    pub(super) zone_rounds_most: u64,
    pub(super) candidates: u64,
    pub(super) stopped: u64,
    pub(super) squeezed_now: u64,
    pub(super) squeezed_most: u64,
    pub(super) cooled: u64,
    /// Joules.
    pub(super) first: f64,
    pub(super) kinetic: f64,
    pub(super) potential: f64,
    pub(super) taken: f64,
}

impl Tally {
    pub(super) fn add(&mut self, report: &Report) {
        let [contacts, rounds, zone_rounds, squeezed] =
            [report.contacts, report.rounds, report.zone_rounds, report.squeezed].map(|n| n as u64);
        self.steps += 1;
        self.contacts_now = contacts;
        self.contacts_most = self.contacts_most.max(contacts);
        self.contacts_new += report.new_contacts as u64;
        self.rounds += rounds;
        self.rounds_most = self.rounds_most.max(rounds);
        self.zone_rounds_most = self.zone_rounds_most.max(zone_rounds);
        self.candidates += report.candidates;
        self.stopped += report.stopped as u64;
        self.squeezed_now = squeezed;
        self.squeezed_most = self.squeezed_most.max(squeezed);
        self.cooled += report.cooled as u64;
        self.kinetic = report.kinetic;
        self.potential = report.potential;
        self.taken += report.taken;
    }

    pub(super) fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }

    fn counts(&mut self) -> [&mut u64; 12] {
        [
            &mut self.steps,
            &mut self.contacts_now,
            &mut self.contacts_most,
            &mut self.contacts_new,
            &mut self.rounds,
            &mut self.rounds_most,
            &mut self.zone_rounds_most,
            &mut self.candidates,
            &mut self.stopped,
            &mut self.squeezed_now,
            &mut self.squeezed_most,
            &mut self.cooled,
        ]
    }

    fn joules(&mut self) -> [&mut f64; 4] {
        [&mut self.first, &mut self.kinetic, &mut self.potential, &mut self.taken]
    }
}

/// Everything as words of eight bytes, little end first.
pub(super) fn to_bytes(state: &State, tally: &Tally) -> Vec<u8> {
    let mut tally = tally.clone();
    let mut words: Vec<u64> = Vec::with_capacity(16 + 7 * state.places.len() + 3 * state.contacts.len());
    words.extend(tally.counts().map(|count| *count));
    words.extend(tally.joules().map(|joules| joules.to_bits()));
    words.push(tally.frames.len() as u64);
    words.extend(tally.frames.iter().map(|time| time.to_bits()));
    words.push(state.places.len() as u64);
    for p in state.places.iter().chain(&state.velocities) {
        words.extend(p.to_array().map(f64::to_bits));
    }
    words.extend(state.stopped.iter().map(|&steps| u64::from(steps)));
    words.push(state.contacts.len() as u64);
    for &(is_edges, a, b) in &state.contacts {
        words.extend([u64::from(is_edges), u64::from(a), u64::from(b)]);
    }
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// `None` for bytes that are none of ours. Memory stays within what the bytes hold.
pub(super) fn from_bytes(bytes: &[u8]) -> Option<(State, Tally)> {
    let (words, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return None;
    }
    let mut words = Words(words);
    let mut tally = Tally::default();
    for count in tally.counts() {
        *count = words.next()?;
    }
    for joules in tally.joules() {
        *joules = f64::from_bits(words.next()?);
    }
    let frames = words.count(1)?;
    tally.frames = (0..frames).map(|_| words.number()).collect::<Option<_>>()?;
    let vertices = words.count(7)?;
    let places = (0..vertices).map(|_| words.point()).collect::<Option<_>>()?;
    let velocities = (0..vertices).map(|_| words.point()).collect::<Option<_>>()?;
    let stopped = (0..vertices).map(|_| words.small()).collect::<Option<_>>()?;
    let contacts = words.count(3)?;
    let contact = |words: &mut Words<'_>| Some((words.next()? == 1, words.small()?, words.small()?));
    let contacts = (0..contacts).map(|_| contact(&mut words)).collect::<Option<_>>()?;
    words.0.is_empty().then_some((State { places, velocities, contacts, stopped }, tally))
}

struct Words<'a>(&'a [[u8; 8]]);

impl Words<'_> {
    fn next(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    /// How many things of that many words follow, if they can.
    fn count(&mut self, each: usize) -> Option<usize> {
        let count = usize::try_from(self.next()?).ok()?;
        (count <= self.0.len() / each).then_some(count)
    }

    fn number(&mut self) -> Option<f64> {
        self.next().map(f64::from_bits)
    }

    fn point(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.next()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_back_and_half_of_it_is_refused() {
        let state = State {
            places: vec![DVec3::new(1.0, -0.0, 1e-300), DVec3::X],
            velocities: vec![DVec3::ZERO, DVec3::NEG_Y],
            contacts: vec![(true, 3, 4), (false, 0, 9)],
            stopped: vec![0, 21],
        };
        let tally = Tally { steps: 7, frames: vec![0.0, 0.5], taken: 0.25, ..Tally::default() };
        let bytes = to_bytes(&state, &tally);
        assert_eq!(from_bytes(&bytes), Some((state, tally)));
        for length in 0..bytes.len() {
            assert_eq!(from_bytes(&bytes[..length]), None, "{length}");
        }
        let mut absurd = bytes.clone();
        absurd[8 * 16 + 7] = 0xff;
        assert_eq!(from_bytes(&absurd), None);
    }
}
