//! Exact truths about the sets {c + Σ sᵢ aᵢ : |sᵢ| ≤ hᵢ}, in big integers (doubles share a power-of-two denominator).

use crate::rational::{self, Vector};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// A parallelepiped exactly as its doubles say.
#[derive(Clone, Copy, Debug)]
pub struct Parallelepiped {
    /// Centre.
    pub centre: [f64; 3],
    /// Edge directions.
    pub axes: [[f64; 3]; 3],
    /// How far along each direction, none negative.
    pub half: [f64; 3],
}

type Whole = [BigInt; 3];

/// Centre, half edges hᵢaᵢ and directions in common integer units.
struct Scaled {
    centre: Whole,
    edges: [Whole; 3],
    axes: [Whole; 3],
}

/// Number of halvings until the double is an integer, 0 if it is one.
fn fraction_bits(x: f64) -> i32 {
    if x == 0.0 {
        return 0;
    }
    let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32;
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    let (mantissa, exponent) =
        if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) };
    (-(exponent + mantissa.trailing_zeros().cast_signed())).max(0)
}

/// x · 2^bits, which must be an integer.
fn whole(x: f64, bits: i32) -> BigInt {
    let value = rational::exact(x) * rational::exact(2.0).pow(bits);
    assert!(value.is_integer(), "scaling is too small");
    value.to_integer()
}

fn dot(a: &Whole, b: &Whole) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Whole, b: &Whole) -> Whole {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

impl Parallelepiped {
    fn scaled(&self, length_bits: i32, axis_bits: i32) -> Scaled {
        let axes = self.axes.map(|a| a.map(|x| whole(x, axis_bits)));
        Scaled {
            centre: self.centre.map(|x| whole(x, length_bits + axis_bits)),
            edges: std::array::from_fn(|i| {
                let h = whole(self.half[i], length_bits);
                axes[i].clone().map(|x| x * &h)
            }),
            axes,
        }
    }

    fn bits(&self) -> (i32, i32) {
        let lengths = self.centre.iter().chain(&self.half).map(|x| fraction_bits(*x)).max();
        let axes = self.axes.iter().flatten().map(|x| fraction_bits(*x)).max();
        (lengths.unwrap_or(0), axes.unwrap_or(0))
    }

    /// Whether the two sets have no common point. Exact: for two convex polytopes a separating direction, if there is
    /// one, is found among the face normals and the cross products of edge directions; sets of no thickness
    /// are limits of thin ones with the same candidates.
    pub fn disjoint(&self, other: &Parallelepiped) -> bool {
        let ((l, a), (m, b)) = (self.bits(), other.bits());
        let (one, two) = (self.scaled(l.max(m), a.max(b)), other.scaled(l.max(m), a.max(b)));
        let shift: Whole = std::array::from_fn(|i| &two.centre[i] - &one.centre[i]);
        let separates = |n: &Whole| {
            let radius = |edges: &[Whole; 3]| edges.iter().map(|e| dot(n, e).abs()).sum::<BigInt>();
            dot(n, &shift).abs() > radius(&one.edges) + radius(&two.edges)
        };
        let normals = |s: &Scaled| (0..3).any(|i| separates(&cross(&s.axes[i], &s.axes[(i + 1) % 3])));
        normals(&one)
            || normals(&two)
            || one.axes.iter().any(|p| two.axes.iter().any(|q| separates(&cross(p, q))))
    }

    /// Whether the exact point is in the set, by Cramer's rule.
    ///
    /// # Panics
    /// If the axes are not independent.
    pub fn contains(&self, point: &Vector) -> bool {
        let axes = self.axes.map(rational::vector);
        let offset = rational::sub(point, &rational::vector(self.centre));
        let determinant = rational::dot(&axes[0], &rational::cross(&axes[1], &axes[2]));
        assert!(!determinant.is_zero(), "axes are not independent");
        (0..3).all(|i| {
            let normal = rational::cross(&axes[(i + 1) % 3], &axes[(i + 2) % 3]);
            let s = rational::dot(&offset, &normal);
            rational::abs(&s) <= rational::abs(&determinant) * rational::exact(self.half[i])
        })
    }

    /// The eight corners, exactly.
    pub fn corners(&self) -> Vec<Vector> {
        (0..8)
            .map(|bits| {
                (0..3).fold(rational::vector(self.centre), |corner, i| {
                    let sign = if bits >> i & 1 == 0 { -1.0 } else { 1.0 };
                    let step = rational::scale(
                        &rational::exact(sign * self.half[i]),
                        &rational::vector(self.axes[i]),
                    );
                    rational::add(&corner, &step)
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Parallelepiped;

    const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    #[test]
    fn touching_cubes_are_not_disjoint_and_the_next_double_is() {
        let cube = |x: f64| Parallelepiped { centre: [x, 0.0, 0.0], axes: UNIT, half: [1.0; 3] };
        assert!(!cube(0.0).disjoint(&cube(2.0)));
        assert!(cube(0.0).disjoint(&cube(2.0_f64.next_up())));
    }

    #[test]
    fn a_tilted_edge_pair_needs_the_cross_axis() {
        // Two long needles crossing at right angles, 0.1 apart in z, with square sections of 0.04.
        let needle = |z: f64, axes| Parallelepiped { centre: [0.0, 0.0, z], axes, half: [5.0, 0.02, 0.02] };
        let turned = [[0.0, 1.0, 0.0], [-0.7, 0.0, 0.7], [0.7, 0.0, 0.7]];
        let tilted = [[1.0, 0.0, 0.0], [0.0, 0.7, 0.7], [0.0, -0.7, 0.7]];
        assert!(needle(0.0, tilted).disjoint(&needle(0.1, turned)));
        assert!(!needle(0.0, tilted).disjoint(&needle(0.03, turned)));
    }
}
