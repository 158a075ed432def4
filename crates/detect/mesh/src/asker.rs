//! The one who asks: scratch memory of the queries between two bodies, reused from question to question.

use kontakt_answers::Visits;

use crate::pairs::FacePair;
use crate::walk::descent::Open;
use crate::walk::leaves::Desk;
use crate::walk::nearing::{Side, Waiting};

/// Asks questions about two bodies at two poses. It owns nothing but scratch memory and counters: answers never depend on
/// what was asked before, so one asker a thread serves any number of bodies.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    /// Work of all questions asked so far.
    pub visits: Visits,
    pub(crate) pairs: Vec<FacePair>,
    pub(crate) open: Vec<Open>,
    pub(crate) desk: Desk,
    pub(crate) waiting: Vec<Waiting>,
    pub(crate) side: Side,
}

impl Asker {
    /// An asker without memory yet.
    pub fn new() -> Asker {
        Asker::default()
    }
}
