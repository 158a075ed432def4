//! The radius of the ball that grows a core: an exact sum, of the shape's own and of the margins of all unions around it.
//!
//! Growing by one ball and then by another is growing by their sum (Minkowski sums of balls), so margins add up along nesting. This
//! is the one place that adds them.

use kontakt_math::expansion::two_sum;
use kontakt_math::round::add_up;

/// A sum of two doubles, and **at least** how far, if at all, that is from the exact sum of all radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Radius {
    /// The second one may be negative, by less than half a unit in the last place of the first.
    pub(crate) summands: [f64; 2],
    pub(crate) error: f64,
}

impl Radius {
    /// The sum of two radii, each of them itself a sum of two doubles. At most two that are not zero stay as they are; others become a
    /// double and its rest, which nearly always are the whole sum.
    ///
    /// Proof: each step of `grow` keeps the sum (Shewchuk 1997, theorem 10: components from small to large, none overlapping), and so
    /// do the last ones, which carry from small to large. What is left beside two doubles is added upward.
    pub(crate) fn sum(one: [f64; 2], other: [f64; 2]) -> Radius {
        let parts = [one[0], one[1], other[0], other[1]];
        let mut some = parts.into_iter().filter(|part| *part != 0.0);
        let (first, second) = (some.next().unwrap_or(0.0), some.next().unwrap_or(0.0));
        if some.next().is_none() {
            return Radius { summands: [first, second], error: 0.0 };
        }
        if parts.iter().sum::<f64>() == f64::INFINITY {
            return Radius { summands: [f64::MAX, 0.0], error: f64::INFINITY };
        }
        let mut components = [0.0; 4];
        for (count, part) in parts.into_iter().enumerate() {
            let mut carried = part;
            for component in &mut components[..count] {
                (carried, *component) = two_sum(carried, *component);
            }
            components[count] = carried;
        }
        // From the largest down, so that the first is the rounded whole and the second the rounded rest.
        let (mut whole, mut rests, mut left) = (components[3], [0.0; 4], 0);
        for component in [components[2], components[1], components[0]] {
            let (sum, rest) = two_sum(whole, component);
            if rest == 0.0 {
                whole = sum;
            } else {
                (rests[left], whole, left) = (sum, rest, left + 1);
            }
        }
        rests[left] = whole;
        let error =
            rests[2..].iter().fold(0.0, |sum, rest| if *rest == 0.0 { sum } else { add_up(sum, rest.abs()) });
        Radius { summands: [rests[0], rests[1]], error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::Dyadic;

    fn exact(parts: &[f64]) -> Dyadic {
        parts.iter().fold(Dyadic::ZERO, |sum, part| &sum + &Dyadic::new(*part).unwrap())
    }

    /// Earlier the rest of a sum was dropped where it did not fit, and with it every exact verdict of a rounded body in two unions.
    #[test]
    fn margins_of_like_size_add_up_exactly() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..2000 {
            let mut radius = Radius { summands: [random.f64(), random.f64()], error: 0.0 };
            let mut all = radius.summands.to_vec();
            for _ in 0..4 {
                let more = [
                    random.f64() * 2.0_f64.powi(random.i32(-3..3)),
                    if random.bool() { 0.0 } else { random.f64() },
                ];
                all.extend(more);
                radius = Radius::sum(radius.summands, more);
                assert_eq!(radius.error, 0.0);
            }
            assert_eq!(exact(&radius.summands), exact(&all));
            assert!(radius.summands[1] >= -radius.summands[0] * f64::EPSILON);
        }
    }

    #[test]
    fn what_two_doubles_cannot_hold_is_told() {
        let mut random = fastrand::Rng::with_seed(12);
        let mut lost = 0;
        for _ in 0..20_000 {
            let mut part = || {
                if random.u8(0..4) == 0 { 0.0 } else { random.f64() * 2.0_f64.powi(random.i32(-200..200)) }
            };
            let parts = [part(), part(), part(), part()];
            let radius = Radius::sum([parts[0], parts[1]], [parts[2], parts[3]]);
            let off = &exact(&radius.summands) - &exact(&parts);
            let off = if off < Dyadic::ZERO { -off } else { off };
            assert!(off <= exact(&[radius.error]), "{parts:?}");
            assert!(radius.error <= parts.iter().sum::<f64>() * f64::EPSILON * f64::EPSILON);
            lost += usize::from(radius.error > 0.0);
        }
        assert!((5_000..18_000).contains(&lost), "{lost}");
        let huge = Radius::sum([f64::MAX, f64::MAX], [1.0, 0.0]);
        assert_eq!(huge.error, f64::INFINITY);
    }
}
