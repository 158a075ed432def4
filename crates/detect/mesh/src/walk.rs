//! Walking two packed trees at once.

pub(crate) mod stand_in;
