//! The thesis's sphere shell: where the surface is a piece of a sphere, its nearest point is known at once.

use super::State;
use crate::bodies::{Bodies, Sample};
use kontakt_convex::Spot;
use kontakt_math::DVec3;

/// A sphere.
struct Ball {
    centre: DVec3,
    radius: f64,
}

/// The sphere through four points, if they span a volume.
fn through([a, b, c, d]: [DVec3; 4]) -> Option<Ball> {
    let (u, v, w) = (a - b, a - c, a - d);
    let volume = u.dot(v.cross(w));
    if volume.abs() <= 1e-9 * u.length() * v.length() * w.length() {
        return None;
    }
    let half = |x: DVec3| 0.5 * (a.length_squared() - x.length_squared());
    let centre = (half(b) * v.cross(w) + half(c) * w.cross(u) + half(d) * u.cross(v)) / volume;
    centre.is_finite().then(|| Ball { centre, radius: centre.distance(a) })
}

impl State {
    /// Accepts the sphere through a face and its support point if its nearest point is a support point and no face off
    /// the sphere can hide a lesser depth. A support point alone proves only a local minimum: for a truncated ball most
    /// such spheres would be wrong. Inside the patch the lower bound stays what it is.
    pub(super) fn try_shell(
        &mut self,
        bodies: &impl Bodies,
        face: usize,
        sample: &Sample,
        floor: f64,
    ) -> bool {
        let [p, q, r] = self.surface.corners(face).map(|spot| spot.w);
        let Some(Ball { centre, radius }) = through([p, q, r, sample.w()]) else { return false };
        let depth = radius - centre.length();
        let Some(normal) = (-centre).try_normalize() else { return false };
        if !(self.lower <= depth && depth <= self.upper) {
            return false;
        }
        let nearest = bodies.support(normal);
        let slack = (1e-12 * radius).max(floor);
        if nearest.w().distance(normal * depth) > slack {
            return false;
        }
        let on_sphere = |x: DVec3| (x.distance(centre) - radius).abs() <= slack;
        let hides_less = |other: usize| {
            self.surface.near(other) < depth
                && !self.surface.corners(other).iter().all(|spot| on_sphere(spot.w))
        };
        if self.surface.faces().any(hides_less) {
            return false;
        }
        let spot = Spot { w: nearest.w(), a: self.samples.len() as u32, b: 0 };
        self.samples.push(nearest);
        (self.upper, self.normal, self.face) = (normal.dot(nearest.w()), normal, [spot; 3]);
        true
    }
}
