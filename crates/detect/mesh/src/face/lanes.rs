//! What the batch kernels need of a vector of single-precision numbers, and the plain-Rust one.

/// Triangles in an octet.
pub(super) const OCTET: usize = 8;
/// Most lanes of any vector.
pub(super) const MOST: usize = 16;

/// A vector of single-precision numbers. `mul_add` and `sub_mul` may or may not fuse: the kernels' bounds hold for both.
#[allow(unsafe_code, reason = "constructors ask their caller to have checked the processor")]
pub(super) trait Lanes: Copy {
    /// How many numbers: 8 or 16.
    const COUNT: usize;

    /// The numbers from `start` on, which is a multiple of `COUNT` below 16.
    ///
    /// # Safety
    /// The processor must have the instruction set of the type.
    unsafe fn load(from: &[f32; MOST], start: usize) -> Self;

    /// The same number in every lane.
    ///
    /// # Safety
    /// The processor must have the instruction set of the type.
    unsafe fn splat(value: f32) -> Self;

    /// Writes the numbers from `start` on, which is a multiple of `COUNT` below 16.
    fn store(self, to: &mut [f32; MOST], start: usize);
    /// self + b
    fn add(self, b: Self) -> Self;
    /// self − b
    fn sub(self, b: Self) -> Self;
    /// self · b
    fn mul(self, b: Self) -> Self;
    /// 1/self for normal numbers, off by at most 8u relative (u = 2⁻²⁴).
    fn reciprocal(self) -> Self;
    /// 1/√self for normal positive numbers, off by at most 8u relative.
    fn inverse_root(self) -> Self;
    /// self · b + c
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// self − b · c
    fn sub_mul(self, b: Self, c: Self) -> Self;
    /// |self|
    fn abs(self) -> Self;
    /// The larger one; b where one is NaN.
    fn max(self, b: Self) -> Self;
    /// The smaller one; b where one is NaN.
    fn min(self, b: Self) -> Self;
    /// Where the sign bit of self is set `negative`, elsewhere `positive`.
    fn choose(self, negative: Self, positive: Self) -> Self;
    /// self with its sign bit changed where that of b is set.
    fn flip(self, b: Self) -> Self;
    /// Bit i is set where lane i of self is greater than that of b; never for NaN.
    fn greater(self, b: Self) -> u32;
}

/// 8x
#[inline(always)]
pub(super) fn eight<L: Lanes>(x: L) -> L {
    let two = x.add(x);
    let four = two.add(two);
    four.add(four)
}

/// Eight lanes in plain Rust.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; OCTET]);

impl Plain {
    #[inline(always)]
    fn zip(self, b: Plain, f: impl Fn(f32, f32) -> f32) -> Plain {
        Plain(std::array::from_fn(|i| f(self.0[i], b.0[i])))
    }
}

#[allow(unsafe_code, reason = "the trait's constructors are unsafe for SIMD types; these are plain Rust")]
impl Lanes for Plain {
    const COUNT: usize = OCTET;

    #[inline(always)]
    unsafe fn load(from: &[f32; MOST], start: usize) -> Self {
        Plain(std::array::from_fn(|i| from[(start + i) % MOST]))
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Plain([value; OCTET])
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; MOST], start: usize) {
        for (i, x) in self.0.into_iter().enumerate() {
            to[(start + i) % MOST] = x;
        }
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
    fn reciprocal(self) -> Self {
        Plain(self.0.map(f32::recip))
    }

    #[inline(always)]
    fn inverse_root(self) -> Self {
        Plain(self.0.map(|x| 1.0 / x.sqrt()))
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
    fn min(self, b: Self) -> Self {
        self.zip(b, |x, y| if x < y { x } else { y })
    }

    #[inline(always)]
    fn choose(self, negative: Self, positive: Self) -> Self {
        Plain(std::array::from_fn(
            |i| if self.0[i].is_sign_negative() { negative.0[i] } else { positive.0[i] },
        ))
    }

    #[inline(always)]
    fn flip(self, b: Self) -> Self {
        const SIGN: u32 = 1 << 31;
        self.zip(b, |x, y| f32::from_bits(x.to_bits() ^ (y.to_bits() & SIGN)))
    }

    #[inline(always)]
    fn greater(self, b: Self) -> u32 {
        (0..OCTET).fold(0, |bits, i| bits | u32::from(self.0[i] > b.0[i]) << i)
    }
}

/// A vector of three coordinates.
#[derive(Clone, Copy)]
pub(super) struct Vector<L>(pub(super) [L; 3]);

impl<L: Lanes> Vector<L> {
    #[inline(always)]
    pub(super) fn sub(self, b: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Vector([x.sub(u), y.sub(v), z.sub(w)])
    }

    #[inline(always)]
    pub(super) fn cross(self, b: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Vector([y.mul(w).sub_mul(z, v), z.mul(u).sub_mul(x, w), x.mul(v).sub_mul(y, u)])
    }

    #[inline(always)]
    pub(super) fn dot(self, b: Self) -> L {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        z.mul_add(w, y.mul_add(v, x.mul(u)))
    }

    /// self + s·b
    #[inline(always)]
    pub(super) fn along(self, b: Self, s: L) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Vector([u.mul_add(s, x), v.mul_add(s, y), w.mul_add(s, z)])
    }

    /// Where the sign bit of `condition` is set `negative`, elsewhere `positive`.
    #[inline(always)]
    pub(super) fn choose(condition: L, negative: Self, positive: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (negative.0, positive.0);
        Vector([condition.choose(x, u), condition.choose(y, v), condition.choose(z, w)])
    }

    /// The largest absolute coordinate.
    #[inline(always)]
    pub(super) fn extent(self) -> L {
        let [x, y, z] = self.0;
        x.abs().max(y.abs()).max(z.abs())
    }
}
