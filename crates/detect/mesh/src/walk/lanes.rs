//! Eight single-precision numbers at once: what the kernels need of them, and the plain-Rust ones.

/// Lanes of a vector: the children of a wide node.
pub(super) const LANES: usize = 8;

/// Eight single-precision numbers. `mul_add` may or may not fuse: the kernels' error bounds hold for both.
#[allow(unsafe_code, reason = "constructors ask their caller to have checked the processor")]
pub(super) trait Lanes: Copy {
    /// Reads eight numbers.
    ///
    /// # Safety
    /// The processor must have the instruction set of the type.
    unsafe fn load(from: &[f32; LANES]) -> Self;

    /// The same number in every lane.
    ///
    /// # Safety
    /// The processor must have the instruction set of the type.
    unsafe fn splat(value: f32) -> Self;

    /// Writes the eight numbers.
    fn store(self, to: &mut [f32; LANES]);
    /// self + b
    fn add(self, b: Self) -> Self;
    /// self − b
    fn sub(self, b: Self) -> Self;
    /// self · b
    fn mul(self, b: Self) -> Self;
    /// self · b + c
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// |self|
    fn abs(self) -> Self;
    /// The larger one.
    fn max(self, b: Self) -> Self;
    /// The smaller one.
    fn min(self, b: Self) -> Self;
    /// Bitwise or: the sign bit is set where that of self or of b is; of two masks the union.
    fn or(self, b: Self) -> Self;
    /// A mask: all bits set where self is greater than b; never for NaN.
    fn greater(self, b: Self) -> Self;
    /// Bit i is the sign bit of lane i.
    fn signs(self) -> u32;
}

/// Eight lanes in plain Rust.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; LANES]);

impl Plain {
    #[inline(always)]
    fn zip(self, b: Plain, f: impl Fn(f32, f32) -> f32) -> Plain {
        Plain(std::array::from_fn(|i| f(self.0[i], b.0[i])))
    }
}

#[allow(
    unsafe_code,
    reason = "implements constructors whose safety is about processors; plain Rust needs none"
)]
impl Lanes for Plain {
    #[inline(always)]
    unsafe fn load(from: &[f32; LANES]) -> Self {
        Plain(*from)
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Plain([value; LANES])
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        *to = self.0;
    }

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self.zip(b, |x, y| x + y)
    }

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        self.zip(b, |x, y| x - y)
    }

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        self.zip(b, |x, y| x * y)
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        self.mul(b).add(c)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Plain(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn max(self, b: Self) -> Self {
        self.zip(b, |x, y| if x > y { x } else { y })
    }

    #[inline(always)]
    fn min(self, b: Self) -> Self {
        self.zip(b, |x, y| if x < y { x } else { y })
    }

    #[inline(always)]
    fn or(self, b: Self) -> Self {
        self.zip(b, |x, y| f32::from_bits(x.to_bits() | y.to_bits()))
    }

    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        self.zip(b, |x, y| f32::from_bits(if x > y { u32::MAX } else { 0 }))
    }

    #[inline(always)]
    fn signs(self) -> u32 {
        (0..LANES).fold(0, |bits, i| bits | u32::from(self.0[i].is_sign_negative()) << i)
    }
}
