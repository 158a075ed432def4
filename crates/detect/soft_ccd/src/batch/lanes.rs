//! A few doubles worked on at once: what the filter's kernel needs of a processor.
#![allow(unsafe_code, reason = "constructors are unsafe to say that the processor must be asked first")]

/// Queries in a block.
pub(super) const BLOCK: usize = 8;

/// `COUNT` doubles. Comparisons give one bit a lane. Results are rounded to nearest; `mul_add` may round once or twice.
pub(super) trait Lanes: Copy {
    const COUNT: usize;
    /// Lanes `first..first + COUNT` of a row.
    ///
    /// # Safety
    /// The processor has the instruction set, and `first + COUNT ≤ BLOCK`.
    unsafe fn load(row: &[f64; BLOCK], first: usize) -> Self;
    /// Asks for rows that will be loaded soon; changes nothing.
    #[inline(always)]
    fn fetch(_rows: &[[f64; BLOCK]]) {}
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn splat(value: f64) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// About self/other, off by some 2⁻¹³ of it where the processor is quicker that way.
    fn roughly_over(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// The larger of |self| and |other|.
    fn larger_size(self, other: Self) -> Self;
    /// self·b + c
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// self·b − c
    fn mul_sub(self, b: Self, c: Self) -> Self;
    /// self − a·b
    fn minus_product(self, a: Self, b: Self) -> Self;
    /// Bit i: self > other in lane i; never for NaN.
    fn greater(self, other: Self) -> u8;
    /// `other` where the bit is set, else self.
    fn replaced(self, other: Self, bits: u8) -> Self;
}

/// The portable lanes.
#[derive(Clone, Copy)]
pub(super) struct Plain([f64; BLOCK]);

impl Plain {
    #[inline(always)]
    fn zip(self, other: Plain, f: impl Fn(f64, f64) -> f64) -> Plain {
        Plain(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Plain {
    const COUNT: usize = BLOCK;
    #[inline(always)]
    unsafe fn load(row: &[f64; BLOCK], _first: usize) -> Plain {
        Plain(*row)
    }
    #[inline(always)]
    unsafe fn splat(value: f64) -> Plain {
        Plain([value; BLOCK])
    }
    #[inline(always)]
    fn add(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a * b)
    }
    #[inline(always)]
    fn roughly_over(self, other: Plain) -> Plain {
        self.zip(other, |a, b| a / b)
    }
    #[inline(always)]
    fn min(self, other: Plain) -> Plain {
        self.zip(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Plain) -> Plain {
        self.zip(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn larger_size(self, other: Plain) -> Plain {
        self.zip(other, |a, b| if a.abs() > b.abs() { a.abs() } else { b.abs() })
    }
    #[inline(always)]
    fn mul_add(self, b: Plain, c: Plain) -> Plain {
        self.mul(b).add(c)
    }
    #[inline(always)]
    fn mul_sub(self, b: Plain, c: Plain) -> Plain {
        self.mul(b).sub(c)
    }
    #[inline(always)]
    fn minus_product(self, a: Plain, b: Plain) -> Plain {
        self.sub(a.mul(b))
    }
    #[inline(always)]
    fn greater(self, other: Plain) -> u8 {
        (0..BLOCK).fold(0, |bits, i| bits | u8::from(self.0[i] > other.0[i]) << i)
    }
    #[inline(always)]
    fn replaced(self, other: Plain, bits: u8) -> Plain {
        Plain(std::array::from_fn(|i| if bits >> i & 1 == 1 { other.0[i] } else { self.0[i] }))
    }
}
