//! How far along a ray something is: an exact fraction.

use super::Ray;
use kontakt_math::exact_vector::exact;
use kontakt_math::{DVec3, Dyadic, Sign};
use std::cmp::Ordering;

/// The parameter ahead/length of a point of a ray; both exact, ahead ≥ 0, length > 0.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    ahead: Dyadic,
    length: Dyadic,
}

impl Stretch {
    /// The origin.
    pub(super) fn nothing() -> Stretch {
        Stretch { ahead: Dyadic::ZERO, length: exact(1.0) }
    }

    /// ahead/length, neither sign known; `None` when that is negative or the length is zero.
    pub(super) fn of(ahead: Dyadic, length: Dyadic) -> Option<Stretch> {
        let turned = match length.sign() {
            Sign::Positive => Stretch { ahead, length },
            Sign::Negative => Stretch { ahead: -ahead, length: -length },
            Sign::Zero => return None,
        };
        (turned.ahead.sign() != Sign::Negative).then_some(turned)
    }

    /// The nearest double; infinite beyond their range.
    pub(super) fn rounded(&self) -> f64 {
        self.ahead.nearest_quotient(&self.length)
    }

    /// As a parameter of the direction scaled to have its largest coordinate of size 1; **never too small**.
    pub(super) fn unit_end(&self, ray: Ray) -> f64 {
        let largest = exact(ray.direction.abs().max_element());
        (&self.ahead * &largest).nearest_quotient(&self.length).next_up()
    }

    /// The point of the ray: each coordinate the nearest double to (o·length + ahead·d)/length.
    pub(super) fn point(&self, ray: Ray) -> DVec3 {
        let coordinate = |k: usize| {
            let (o, d) = (exact(ray.origin[k]), exact(ray.direction[k]));
            (&(&o * &self.length) + &(&self.ahead * &d)).nearest_quotient(&self.length)
        };
        DVec3::new(coordinate(0), coordinate(1), coordinate(2))
    }

    /// By size.
    pub(super) fn cmp(&self, other: &Stretch) -> Ordering {
        (&self.ahead * &other.length).cmp(&(&other.ahead * &self.length))
    }
}
