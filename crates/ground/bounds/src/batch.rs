//! One volume against many, or many pairs at once, with SIMD where the processor has it.
//!
//! Every answer is a set of [`Hits`]: a bit that is *not* set is a proof that the two exact sets are disjoint. The
//! widest instruction set is found at run time ([`Isa::best`]); the `_with` variants take one by name. The scalar
//! twins are [`crate::SquareObb::may_overlap`] and the `may_overlap` of the other volumes.

mod aabb;
mod frame;
mod hits;
mod intervals;
mod kdop;
mod lanes;
mod obb;
mod obb_kernel;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use crate::isa::Isa;
pub use crate::widest::{Work, widest};
pub use aabb::AabbBatch;
pub use frame::Frame;
pub use hits::Hits;
pub use kdop::KDopBatch;
pub use obb::ObbBatch;
