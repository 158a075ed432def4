//! What a kernel needs of a vector of `f32`, and the plain-Rust one.

/// A vector of single-precision numbers. `mul_add` and `sub_mul` may or may not fuse: the kernels' error bounds
/// hold for both.
#[allow(unsafe_code, reason = "constructors ask their caller to have checked the processor")]
pub(super) trait Lanes: Copy {
    /// How many numbers.
    const COUNT: usize;

    /// Reads `COUNT` numbers from the start of the slice.
    ///
    /// # Safety
    /// The processor must have the instruction set of the type, and the slice at least `COUNT` numbers.
    unsafe fn load(from: &[f32]) -> Self;

    /// The same number in every lane.
    ///
    /// # Safety
    /// The processor must have the instruction set of the type.
    unsafe fn splat(value: f32) -> Self;

    /// self + b
    fn add(self, b: Self) -> Self;
    /// self − b
    fn sub(self, b: Self) -> Self;
    /// self · b
    fn mul(self, b: Self) -> Self;
    /// self · b + c
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// self − b · c
    fn sub_mul(self, b: Self, c: Self) -> Self;
    /// |self|
    fn abs(self) -> Self;
    /// The larger one; either where one is NaN.
    fn max(self, b: Self) -> Self;
    /// Bit i is set where lane i of self is greater than that of b; never for NaN.
    fn greater(self, b: Self) -> u32;
}

/// Four lanes in plain Rust: what the baseline of every 64-bit processor holds in one register.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; 4]);

impl Plain {
    #[inline(always)]
    fn zip(self, b: Plain, f: impl Fn(f32, f32) -> f32) -> Plain {
        Plain(std::array::from_fn(|i| f(self.0[i], b.0[i])))
    }
}

#[allow(
    unsafe_code,
    reason = "the trait's constructors are unsafe for SIMD types; these use plain Rust only"
)]
impl Lanes for Plain {
    const COUNT: usize = 4;

    #[inline(always)]
    unsafe fn load(from: &[f32]) -> Self {
        Plain(std::array::from_fn(|i| from[i]))
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Plain([value; 4])
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
    fn sub_mul(self, b: Self, c: Self) -> Self {
        self.sub(b.mul(c))
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
    fn greater(self, b: Self) -> u32 {
        (0..4).fold(0, |bits, i| bits | u32::from(self.0[i] > b.0[i]) << i)
    }
}
