//! Which instruction set a batch runs on.

use std::sync::atomic::{AtomicU8, Ordering};

/// Instruction sets with a kernel of their own, each with all of those before.
///
/// A function compiled for features of a set may be called where the set [`is_available`](Isa::is_available): that asks the
/// processor for every one of [`features`](Isa::features), and a test of this crate reads all sources for functions compiled for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// Plain Rust, any processor.
    Portable,
    /// 256-bit vectors with fused multiply–add.
    Avx2,
    /// 512-bit vectors, and 256-bit ones with their instructions.
    Avx512,
}

/// A list of features, and the question whether the processor has them all.
macro_rules! features {
    ($list:ident, $has:ident, $($feature:tt),+) => {
        const $list: &[&str] = &[$($feature),+];

        #[cfg(target_arch = "x86_64")]
        fn $has() -> bool {
            $(is_x86_feature_detected!($feature))&&+
        }

        #[cfg(not(target_arch = "x86_64"))]
        fn $has() -> bool {
            false
        }
    };
}

features!(AVX2, has_avx2, "avx2", "fma", "bmi1", "popcnt");
features!(
    AVX512, has_avx512, "avx2", "fma", "bmi1", "popcnt", "bmi2", "avx512f", "avx512dq", "avx512vl",
    "avx512bw"
);

/// One more than the widest set; 0 before the processor was asked.
static WIDEST: AtomicU8 = AtomicU8::new(0);

impl Isa {
    /// The widest one this processor has.
    #[inline]
    pub fn best() -> Isa {
        match WIDEST.load(Ordering::Relaxed) {
            1 => Isa::Portable,
            2 => Isa::Avx2,
            3 => Isa::Avx512,
            _ => Isa::detected(),
        }
    }

    /// Asks the processor. Threads that ask at the same time store the same answer.
    #[cold]
    fn detected() -> Isa {
        let widest = if has_avx512() {
            Isa::Avx512
        } else if has_avx2() {
            Isa::Avx2
        } else {
            Isa::Portable
        };
        WIDEST.store(widest as u8 + 1, Ordering::Relaxed);
        widest
    }

    /// Whether this processor has it.
    #[inline]
    pub fn is_available(self) -> bool {
        self <= Isa::best()
    }

    /// What a processor must have, by the names that `target_feature` takes.
    pub fn features(self) -> &'static [&'static str] {
        match self {
            Isa::Portable => &[],
            Isa::Avx2 => AVX2,
            Isa::Avx512 => AVX512,
        }
    }

    /// All that this processor has, narrowest first.
    pub fn available() -> impl Iterator<Item = Isa> {
        [Isa::Portable, Isa::Avx2, Isa::Avx512].into_iter().filter(|isa| isa.is_available())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_set_has_all_of_a_narrower_one() {
        assert!(AVX2.iter().all(|feature| AVX512.contains(feature)));
        assert_eq!(Isa::Avx512.is_available(), has_avx512());
        assert_eq!(Isa::Avx2.is_available(), has_avx2());
    }
}
