//! Two placed convex bodies seen through their support maps alone, in plain doubles: what EPA and MPR work on.

use kontakt_convex::{Core, Shape};
use kontakt_math::{Between, DMat3, DVec3};

/// A point of A and one of B, both in A's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// On A.
    pub a: DVec3,
    /// On B.
    pub b: DVec3,
}

impl Sample {
    /// The point of the difference A − B that they make.
    pub fn w(&self) -> DVec3 {
        self.a - self.b
    }
}

/// Two convex sets as EPA and MPR see them.
pub trait Bodies {
    /// The point of A farthest along `direction` (any length but zero) and that of B farthest against it.
    fn support(&self, direction: DVec3) -> Sample;

    /// A point inside of each.
    fn middle(&self) -> Sample;

    /// About as long as the difference.
    fn size(&self) -> f64;
}

/// Two shapes at their poses, grown by a margin on top of their own radii.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a> {
    a: &'a Shape,
    b: &'a Shape,
    turn: DMat3,
    shift: DVec3,
    margin: f64,
}

impl<'a> Posed<'a> {
    /// The shapes, each grown by `margin`; `None` for half-spaces and unions, which have no support map.
    pub fn new(a: &'a Shape, b: &'a Shape, between: &Between, margin: f64) -> Option<Posed<'a>> {
        let endless = |shape: &Shape| matches!(shape.core(), Core::HalfSpace { .. } | Core::Union(_));
        if endless(a) || endless(b) {
            return None;
        }
        Some(Posed { a, b, turn: between.turn(), shift: between.shift(), margin })
    }

    fn b_in_a(&self, x: DVec3) -> DVec3 {
        self.turn * x + self.shift
    }
}

impl Bodies for Posed<'_> {
    fn support(&self, direction: DVec3) -> Sample {
        let back = self.turn.transpose() * -direction;
        let out = direction.normalize_or_zero();
        let grown = |shape: &Shape| shape.radii().iter().sum::<f64>() + self.margin;
        Sample {
            a: core_support(self.a.core(), direction) + out * grown(self.a),
            b: self.b_in_a(core_support(self.b.core(), back)) - out * grown(self.b),
        }
    }

    fn middle(&self) -> Sample {
        Sample { a: core_middle(self.a.core()), b: self.b_in_a(core_middle(self.b.core())) }
    }

    fn size(&self) -> f64 {
        DVec3::AXES.map(|axis| (self.support(axis).w() - self.support(-axis).w()).dot(axis)).iter().sum()
    }
}

fn core_middle(core: &Core) -> DVec3 {
    match core {
        Core::Segment([p, q]) => *p * 0.5 + *q * 0.5,
        Core::Triangle([p, q, r]) => (*p + *q + *r) / 3.0,
        Core::Hull(hull) => hull.vertices().iter().sum::<DVec3>() / hull.vertices().len() as f64,
        Core::User(set) => {
            let ends = DVec3::AXES.map(|axis| set.support(axis) * 0.5 + set.support(-axis) * 0.5);
            ends.iter().sum::<DVec3>() / 3.0
        }
        _ => DVec3::ZERO,
    }
}

/// A farthest point of a core; the origin for cores without one.
fn core_support(core: &Core, d: DVec3) -> DVec3 {
    let farthest = |points: &[DVec3]| {
        let far = |x: &DVec3, y: &DVec3| d.dot(*x).total_cmp(&d.dot(*y));
        points.iter().copied().max_by(far).unwrap_or_default()
    };
    // sgn(0) := +1
    let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
    let rim = |radius: f64| DVec3::new(d.x, d.y, 0.0).normalize_or_zero() * radius;
    match core {
        Core::Point | Core::HalfSpace { .. } | Core::Union(_) => DVec3::ZERO,
        Core::Segment(ends) => farthest(ends),
        Core::Triangle(corners) => farthest(corners),
        Core::Box(half) => *half * DVec3::new(sign(d.x), sign(d.y), sign(d.z)),
        Core::Hull(hull) => farthest(hull.vertices()),
        Core::Ellipsoid(radii) => *radii * (*radii * d).normalize_or_zero(),
        Core::Cylinder { half_length, radius } => rim(*radius) + DVec3::Z * (sign(d.z) * half_length),
        Core::Cone { half_length, radius } => {
            let (apex, base) = (DVec3::Z * *half_length, rim(*radius) - DVec3::Z * *half_length);
            if d.dot(apex) > d.dot(base) { apex } else { base }
        }
        Core::User(set) => set.support(d),
    }
}
