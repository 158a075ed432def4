//! What is plain to see about a triangle and a convex set, at a fraction of the time that the convex kernel takes for curved ones.

use super::view::View;
use kontakt_bounds::hausdorff::distance_to_triangle;
use kontakt_convex::{Core, Verdict};
use kontakt_math::DVec3;
use kontakt_math::round::add_up;

/// How far a point must be inside, in parts of the set's size, to be so without a doubt.
const DOUBT: f64 = 1e-9;

impl View<'_> {
    /// Whether the convex kernel takes long enough for this set that a look beforehand pays.
    pub(super) fn is_curved(&self) -> bool {
        let core = self.shape().core();
        matches!(
            core,
            Core::Point | Core::Ellipsoid(_) | Core::Cylinder { .. } | Core::Cone { .. } | Core::User(_)
        )
    }

    /// The same for distances.
    pub(super) fn is_slow(&self) -> bool {
        self.is_curved() || matches!(self.shape().core(), Core::Hull(_))
    }

    /// The verdict on a triangle of the mesh and a set, where that is plain: they are apart in the set's own frame, or the set is a box; or
    /// it is curved, and the point of the triangle nearest to the set's middle,
    /// and the one nearest to what is nearest to that in the set, are inside, or planes across the lines between keep both apart.
    pub(super) fn plain_verdict(&self, corners: [DVec3; 3]) -> Option<Verdict> {
        let local = self.local(&corners)?;
        if self.box_gap(&local) > 0.0 {
            return Some(Verdict::Separate);
        }
        if let Some(verdict) = self.box_verdict(&local) {
            return Some(verdict);
        }
        let error = self.centre_error.filter(|_| self.is_curved())?;
        let near = distance_to_triangle(self.centre, corners);
        if let Core::Point = self.shape().core() {
            let [round, margin] = self.shape().radii();
            let radius = round + margin;
            if add_up(near.upper, error) < radius * (1.0 - 1e-12) {
                return Some(Verdict::Overlapping);
            }
            let apart = near.lower - error > radius * (1.0 + 1e-12);
            return apart.then_some(Verdict::Separate);
        }
        let mut place = near.place;
        for _ in 0..3 {
            let local = self.to_set(place);
            if self.surely_holds(local) {
                return Some(Verdict::Overlapping);
            }
            let from = self.between.b_in_a(self.towards_middle(local));
            if self.gap_along(place - from, &corners) > 0.0 {
                return Some(Verdict::Separate);
            }
            place = distance_to_triangle(from, corners).place;
        }
        None
    }

    /// **Never more** than the distance of a triangle from the set, negative where nothing is known.
    pub(super) fn gap_below(&self, corners: [DVec3; 3]) -> f64 {
        if self.centre_error.is_none() {
            return f64::NEG_INFINITY;
        }
        let place = distance_to_triangle(self.centre, corners).place;
        let local = self.to_set(place);
        self.gap_along(place - self.between.b_in_a(self.towards_middle(local)), &corners)
    }

    /// The gap along a direction.
    fn gap_along(&self, direction: DVec3, corners: &[DVec3; 3]) -> f64 {
        match direction.try_normalize() {
            Some(direction) => View::above(&self.plane(direction), corners) * (1.0 - 1e-12),
            None => f64::NEG_INFINITY,
        }
    }

    /// A point of the core that is near to a point of its frame: of a cylinder or a box the nearest, else one farther inside.
    fn towards_middle(&self, x: DVec3) -> DVec3 {
        match *self.shape().core() {
            Core::Cylinder { half_length, radius } => {
                let across = x.x.hypot(x.y);
                let shrink = if across > radius { radius / across } else { 1.0 };
                DVec3::new(x.x * shrink, x.y * shrink, x.z.clamp(-half_length, half_length))
            }
            Core::Box(half) => x.clamp(-half, half),
            Core::Cone { half_length, .. } => DVec3::Z * (-0.5 * half_length),
            Core::Hull(ref hull) => hull.middle(),
            _ => DVec3::ZERO,
        }
    }

    /// Whether a point of the set's frame, found there by [`to_set`](Self::to_set), is inside the core without a doubt.
    ///
    /// The point was taken on a triangle to 16u of the mesh's coordinates and turned back to a few u of them, 1e-13 of which is more;
    /// the map itself is off by no more than its own error, which counts apart: poses of unions within unions may cancel and leave
    /// errors far above the roundings of what is left.
    fn surely_holds(&self, x: DVec3) -> bool {
        let part = 1.0 - DOUBT;
        let far = x.abs().element_sum();
        let size = self.centre.abs().element_sum() + far;
        let doubt = 1e-13 * size + 2.0 * self.between.error_within(far);
        match *self.shape().core() {
            Core::Cylinder { half_length, radius } => {
                x.x.hypot(x.y) + doubt < radius * part && x.z.abs() + doubt < half_length * part
            }
            Core::Cone { half_length, radius } => {
                let room = radius * (half_length - x.z - doubt) / (2.0 * half_length);
                x.z.abs() + doubt < half_length * part && x.x.hypot(x.y) + doubt < room * part
            }
            Core::Ellipsoid(radii) => ((x.abs() + DVec3::splat(doubt)) / radii).length_squared() < part,
            _ => false,
        }
    }

    /// A point of the mesh's frame in the set's, rounded.
    pub(super) fn to_set(&self, place: DVec3) -> DVec3 {
        self.between.turn().transpose_mul_vec3(place - self.between.shift())
    }
}
