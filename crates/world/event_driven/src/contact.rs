//! Free flight, the time of a contact, and what an impulse does there.

use kontakt_math::DVec3;

/// A sphere as it is remembered: where it was when its velocity last changed. One line of the processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Flight {
    /// Where.
    pub(crate) at: DVec3,
    /// When.
    pub(crate) since: f64,
    pub(crate) velocity: DVec3,
    pub(crate) radius: f64,
}

impl Flight {
    #[inline]
    pub(crate) fn place(&self, time: f64) -> DVec3 {
        self.at + self.velocity * (time - self.since)
    }
}

/// When two spheres touch that fly freely, `b` being seen `shift` away from where it is; infinite if never.
///
/// It is computed from the later of both flights' beginnings, never from the time at which it is asked, and the same whichever of the two is asked:
/// so times of contact do not depend on how pairs are found. With d(s) = d + s·v, touching is |d(s)|² = σ², a quadratic with
/// c = d² − σ², b = d·v; of its roots the first is c / (−b + √(b² − v²c)), a form without cancellation. Spheres that approach from nearer than touching,
/// which rounding can bring about, touch at once.
#[inline]
pub(crate) fn contact_time(a: &Flight, b: &Flight, shift: DVec3) -> f64 {
    let start = a.since.max(b.since);
    let d = (b.place(start) - a.place(start)) + shift;
    let v = b.velocity - a.velocity;
    let approach = d.dot(v);
    if approach >= 0.0 {
        return f64::INFINITY;
    }
    let sigma = a.radius + b.radius;
    let c = d.length_squared() - sigma * sigma;
    let discriminant = approach * approach - v.length_squared() * c;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    start + (c / (discriminant.sqrt() - approach)).max(0.0)
}

/// The change of velocity of the first of two spheres in contact, for a unit of its own mass; that of the second follows from the masses.
/// `d` leads from the first to the second, `v` is the velocity of the second seen from the first. It is zero if they do not approach.
///
/// The normal is d/|d| with the length as it is, not as it should be: reflection at any plane keeps energy, so rounding of places costs none.
#[inline]
pub(crate) fn impulse(d: DVec3, v: DVec3, restitution: f64) -> DVec3 {
    let approach = d.dot(v);
    if approach >= 0.0 {
        return DVec3::ZERO;
    }
    d * ((1.0 + restitution) * approach / d.length_squared())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(at: [f64; 3], velocity: [f64; 3], since: f64) -> Flight {
        Flight { at: at.into(), since, velocity: velocity.into(), radius: 0.5 }
    }

    #[test]
    fn times_of_contact() {
        let rest = flight([0.0; 3], [0.0; 3], 0.0);
        let head_on = flight([3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 0.0);
        assert_eq!(contact_time(&rest, &head_on, DVec3::ZERO), 2.0);
        assert_eq!(contact_time(&rest, &head_on, DVec3::X), 3.0);
        let later = flight([3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 5.0);
        assert_eq!(contact_time(&rest, &later, DVec3::ZERO), 7.0);
        assert_eq!(contact_time(&later, &rest, DVec3::ZERO), 7.0);
        let leaving = flight([3.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.0);
        assert_eq!(contact_time(&rest, &leaving, DVec3::ZERO), f64::INFINITY);
        let passing = flight([3.0, 1.5, 0.0], [-1.0, 0.0, 0.0], 0.0);
        assert_eq!(contact_time(&rest, &passing, DVec3::ZERO), f64::INFINITY);
        let grazing = flight([3.0, 1.0, 0.0], [-1.0, 0.0, 0.0], 0.0);
        assert_eq!(contact_time(&rest, &grazing, DVec3::ZERO), 3.0);
        let inside = flight([0.9, 0.0, 0.0], [-1.0, 0.0, 0.0], 0.0);
        assert_eq!(contact_time(&rest, &inside, DVec3::ZERO), 0.0);
    }

    #[test]
    fn impulses_reflect() {
        let given = impulse(DVec3::new(1.0, 0.0, 0.0), DVec3::new(-2.0, 5.0, 0.0), 1.0);
        assert_eq!(given, DVec3::new(-4.0, 0.0, 0.0));
        assert_eq!(impulse(DVec3::X, DVec3::X, 1.0), DVec3::ZERO);
        assert_eq!(impulse(DVec3::X, -DVec3::X, 0.0), -DVec3::X);
    }
}
