//! The same patch builder compiled for wider registers. No operation is fused, so every result is the same bit for bit.

use super::patch::{Grove, Patcher, Slots};

/// [`Patcher::build`] with the widest registers at hand.
#[inline]
pub(super) fn build(patcher: &mut Patcher, grove: &mut Grove, slots: &mut Slots) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code, reason = "the compiler cannot see that the processor was asked")]
        // SAFETY: the processor has AVX2, as asked in the line above.
        unsafe {
            return build_avx2(patcher, grove, slots);
        }
    }
    patcher.build(grove, slots);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn build_avx2(patcher: &mut Patcher, grove: &mut Grove, slots: &mut Slots) {
    patcher.build(grove, slots);
}
