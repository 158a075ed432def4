//! A set under a pose that is known within an interval.

use crate::bound::Support;
use crate::outward::product_up;
use crate::sets::farthest_from_origin;
use kontakt_math::round::{add_up, length_up};
use kontakt_math::{DVec3, IntervalPose, IntervalVector};

/// The image of a set under every pose of the enclosure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement<'a, V> {
    set: &'a V,
    pose: IntervalPose,
    /// Images of the coordinate axes, so that Rᵀd costs three dot products.
    columns: [IntervalVector; 3],
    farthest_from_origin: f64,
}

impl<'a, V: Support> Placement<'a, V> {
    pub(super) fn new(set: &'a V, pose: IntervalPose) -> Placement<'a, V> {
        Placement {
            set,
            pose,
            columns: pose.rotation.columns(),
            farthest_from_origin: farthest_from_origin(set),
        }
    }

    pub(super) fn pose(&self) -> IntervalPose {
        self.pose
    }
}

impl<V: Support> Support for Placement<'_, V> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let [x, y, z] = self.columns.map(|column| column.middle());
        let back = DVec3::new(x.dot(direction), y.dot(direction), z.dot(direction));
        let point = self.set.farthest(back);
        x * point.x + y * point.y + z * point.z + self.pose.translation.middle()
    }

    /// Proof: d·(Rx + t) = (Rᵀd)·x + d·t. With Rᵀd in a box of middle m and half diagonal w, (Rᵀd)·x ≤ m·x + w|x|.
    fn reach(&self, direction: DVec3) -> f64 {
        let d = IntervalVector::point(direction);
        let [x, y, z] = self.columns.map(|column| column.dot(d));
        let middle = DVec3::new(x.middle(), y.middle(), z.middle());
        // The middle is rounded; a whole width is more than the distance of either end from it.
        let widths = DVec3::new(x.width(), y.width(), z.width());
        let slack = product_up(length_up(widths), self.farthest_from_origin);
        let reach = add_up(add_up(self.set.reach(middle), slack), d.dot(self.pose.translation).hi());
        if reach.is_nan() { f64::INFINITY } else { reach }
    }

    fn centre(&self) -> DVec3 {
        self.pose.apply(IntervalVector::point(self.set.centre())).middle()
    }
}
