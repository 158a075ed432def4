//! Walking two packed trees at once.

mod batch;
mod cross;
pub(crate) mod descent;
mod far;
mod kernel;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod lanes_x86;
pub(crate) mod leaves;
pub(crate) mod nearing;
mod piercing;
pub(crate) mod relative;
