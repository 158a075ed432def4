//! Walking two packed trees at once.

mod agenda;
mod cross;
pub(crate) mod descent;
mod far;
pub(crate) mod gathering;
mod kernel;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod lanes_x86;
pub(crate) mod leaves;
pub(crate) mod nearing;
pub(crate) mod plan;
pub(crate) mod relative;
pub(crate) mod shelf;
mod tray;
