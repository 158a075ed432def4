//! Units that were granted to a search and units that it spent.

use crate::task::Work;

/// The account of a search whose steps cost one unit or more.
///
/// A step is begun as long as less was spent than granted. So which steps are done depends on the sum of all grants, not on how they
/// were portioned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    granted: u64,
    spent: u64,
}

impl Ledger {
    /// For work that is done in one go.
    #[must_use]
    pub fn unlimited() -> Ledger {
        Ledger { granted: u64::MAX, spent: 0 }
    }

    /// Adds a portion, which lasts until [`is_spent`](Ledger::is_spent).
    pub fn grant(&mut self, units: u64) {
        self.granted = self.granted.saturating_add(units);
    }

    /// Whether the next step has to wait for another portion.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.spent >= self.granted
    }

    /// A step has cost so much.
    #[inline]
    pub fn spend(&mut self, units: u64) {
        self.spent = self.spent.saturating_add(units);
    }

    /// All units spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// What the last portion, of so many units, came to. Units that a search which is done does not need are given back.
    pub fn settle(&mut self, portion: u64, done: bool) -> Work {
        let left = if done { self.granted.saturating_sub(self.spent).min(portion) } else { 0 };
        self.granted -= left;
        Work { units: portion - left, done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of 1 to 7 units, portioned in many ways: the same steps are done for the same sum.
    #[test]
    fn portions_do_not_matter() {
        let steps_done = |portions: &[u64]| {
            let mut ledger = Ledger::default();
            let mut steps = 0_u64;
            for &portion in portions {
                ledger.grant(portion);
                while !ledger.is_spent() {
                    ledger.spend(1 + steps * 5 % 7);
                    steps += 1;
                }
            }
            (steps, ledger)
        };
        for portions in [&[60][..], &[1; 60], &[7, 53], &[20, 0, 20, 20]] {
            assert_eq!(steps_done(portions), steps_done(&[30, 30]), "{portions:?}");
        }
    }

    #[test]
    fn what_is_not_needed_is_given_back() {
        let mut ledger = Ledger::default();
        ledger.grant(10);
        ledger.spend(4);
        assert_eq!(ledger.settle(10, true), Work { units: 4, done: true });
        ledger.grant(u64::MAX);
        ledger.spend(u64::MAX);
        assert_eq!(ledger.settle(u64::MAX, false), Work { units: u64::MAX, done: false });
    }
}
