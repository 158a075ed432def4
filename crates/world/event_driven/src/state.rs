//! A gas as plain words, to be kept and taken up again.

/// All that a gas's motion depends on besides its domain and restitution, bit for bit: a gas taken up from it goes the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GasState {
    /// Of the whole gas.
    pub clock: [u64; GasState::CLOCK],
    /// Of each sphere, by number.
    pub spheres: Vec<[u64; GasState::WORDS]>,
}

impl GasState {
    /// Words of the whole gas.
    pub const CLOCK: usize = 5;
    /// Words of a sphere.
    pub const WORDS: usize = 17;
}
