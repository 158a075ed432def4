//! Floating-point expansions: exact sums of a few doubles, much faster than big integers.
//! Shewchuk, *Adaptive precision floating-point arithmetic*, 1997. Exact as long as nothing over- or underflows; every
//! operation that might checks, and answers `None` instead of a wrong number.

use crate::Sign;

/// a + b as rounded sum and exact error (Knuth). Exact unless the sum overflows.
#[inline]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// a · b as rounded product and exact error, by a fused multiply-add; `None` where the error may not be a double:
/// the product overflows or, being below 2⁻⁹⁶⁸, may have error bits below the smallest double.
#[inline]
pub fn two_product(a: f64, b: f64) -> Option<(f64, f64)> {
    const SAFE: f64 = f64::from_bits((1023 - 968) << 52);
    let product = a * b;
    if a == 0.0 || b == 0.0 {
        return Some((0.0, 0.0));
    }
    if product.abs() < SAFE || !product.is_finite() {
        return None;
    }
    Some((product, a.mul_add(b, -product)))
}

/// An exact number: the sum of its components, which do not overlap and grow in size; no zeros, none for 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expansion {
    components: Vec<f64>,
}

impl Expansion {
    /// A double; `None` when it is not finite.
    pub fn new(value: f64) -> Option<Expansion> {
        if !value.is_finite() {
            return None;
        }
        Some(Expansion { components: if value == 0.0 { Vec::new() } else { vec![value] } })
    }

    /// Components from small to large.
    pub fn components(&self) -> &[f64] {
        &self.components
    }

    /// Sign of the exact value: that of the largest component, which exceeds the sum of the others.
    pub fn sign(&self) -> Sign {
        self.components.last().map_or(Sign::Zero, |&largest| Sign::of(largest))
    }

    /// The value rounded: off by at most a few units in the last place.
    pub fn estimate(&self) -> f64 {
        self.components.iter().sum()
    }

    /// The exact sum with a double (Shewchuk's grow-expansion, theorem 10: components stay non-overlapping).
    fn grow(&mut self, value: f64) -> Option<()> {
        let mut carry = value;
        let mut kept = 0;
        for i in 0..self.components.len() {
            let (sum, error) = two_sum(carry, self.components[i]);
            carry = sum;
            if error != 0.0 {
                self.components[kept] = error;
                kept += 1;
            }
        }
        self.components.truncate(kept);
        if carry != 0.0 {
            self.components.push(carry);
        }
        carry.is_finite().then_some(())
    }

    /// The exact sum.
    #[must_use]
    pub fn add(&self, other: &Expansion) -> Option<Expansion> {
        let mut sum = self.clone();
        // Growing by components in increasing order keeps every intermediate non-overlapping (theorem 12).
        for &component in &other.components {
            sum.grow(component)?;
        }
        Some(sum)
    }

    /// The opposite number.
    #[must_use]
    pub fn negated(&self) -> Expansion {
        Expansion { components: self.components.iter().map(|c| -c).collect() }
    }

    /// The exact difference.
    #[must_use]
    pub fn subtract(&self, other: &Expansion) -> Option<Expansion> {
        self.add(&other.negated())
    }

    /// The exact product with a double.
    #[must_use]
    pub fn scale(&self, factor: f64) -> Option<Expansion> {
        let mut product = Expansion::default();
        for &component in &self.components {
            let (high, low) = two_product(component, factor)?;
            product.grow(low)?;
            product.grow(high)?;
        }
        Some(product)
    }

    /// The exact product.
    #[must_use]
    pub fn multiply(&self, other: &Expansion) -> Option<Expansion> {
        let mut product = Expansion::default();
        for &component in &other.components {
            product = product.add(&self.scale(component)?)?;
        }
        Some(product.compress())
    }

    /// The same number with as few components as this scheme finds (Shewchuk's compress, theorem 23).
    #[must_use]
    pub fn compress(&self) -> Expansion {
        let Some((&last, rest)) = self.components.split_last() else { return Expansion::default() };
        let mut down = Vec::with_capacity(self.components.len());
        let mut carry = last;
        for &component in rest.iter().rev() {
            let (sum, error) = two_sum(carry, component);
            if error == 0.0 {
                carry = sum;
            } else {
                down.push(sum);
                carry = error;
            }
        }
        let mut up = Vec::with_capacity(down.len() + 1);
        for &component in down.iter().rev() {
            let (sum, error) = two_sum(component, carry);
            if error != 0.0 {
                up.push(error);
            }
            carry = sum;
        }
        up.push(carry);
        Expansion { components: up }
    }
}
