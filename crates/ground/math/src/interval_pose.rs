//! A set of rigid maps: a box of quaternions, each meant as its direction q/|q|, and a box of translations.

use crate::{Interval, IntervalVector, Pose};
use glam::{DQuat, DVec3};

/// A box of quaternions v + w, of any length but zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalQuaternion {
    /// The vector part.
    pub v: IntervalVector,
    /// The scalar part.
    pub w: Interval,
}

impl IntervalQuaternion {
    /// Exactly `q`.
    pub fn point(q: DQuat) -> IntervalQuaternion {
        IntervalQuaternion { v: IntervalVector::point(DVec3::new(q.x, q.y, q.z)), w: q.w.into() }
    }

    /// Exactly q/|q|, enclosed.
    #[must_use]
    pub fn unit(q: DQuat) -> IntervalQuaternion {
        let raw = IntervalQuaternion::point(q);
        raw.scale(Interval::ONE / raw.length_squared().sqrt())
    }

    /// |q|²
    pub fn length_squared(&self) -> Interval {
        self.v.length_squared() + self.w.square()
    }

    /// s · q
    #[must_use]
    pub fn scale(&self, s: Interval) -> IntervalQuaternion {
        IntervalQuaternion { v: self.v.scale(s), w: self.w * s }
    }

    /// a·p + b·q, for weights and quaternions chosen independently.
    #[must_use]
    pub fn blend(
        p: &IntervalQuaternion,
        a: Interval,
        q: &IntervalQuaternion,
        b: Interval,
    ) -> IntervalQuaternion {
        IntervalQuaternion { v: p.v.scale(a) + q.v.scale(b), w: p.w * a + q.w * b }
    }

    /// The quaternion of the inverse rotation.
    #[must_use]
    pub fn conjugate(&self) -> IntervalQuaternion {
        IntervalQuaternion { v: -self.v, w: self.w }
    }

    /// Hamilton product.
    #[must_use]
    pub fn product(&self, other: &IntervalQuaternion) -> IntervalQuaternion {
        IntervalQuaternion {
            v: other.v.scale(self.w) + self.v.scale(other.w) + self.v.cross(other.v),
            w: self.w * other.w - self.v.dot(other.v),
        }
    }

    /// x rotated by q/|q|: x + (2/|q|²)(w (v×x) + v×(v×x)).
    pub fn rotate(&self, x: IntervalVector) -> IntervalVector {
        let turned = self.v.cross(x);
        let bent = turned.scale(self.w) + self.v.cross(turned);
        x + bent.scale(Interval::point(2.0) / self.length_squared())
    }

    /// Columns of the rotation matrix.
    pub fn columns(&self) -> [IntervalVector; 3] {
        DVec3::AXES.map(|axis| self.rotate(IntervalVector::point(axis)))
    }
}

/// A set of rigid maps x ↦ R(q/|q|)·x + t. Encloses: operations only ever widen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalPose {
    /// Quaternions, of any length but zero.
    pub rotation: IntervalQuaternion,
    /// Translations.
    pub translation: IntervalVector,
}

impl IntervalPose {
    /// Exactly the map of `pose`: its quaternion as given, meant as q/|q|.
    pub fn point(pose: &Pose) -> IntervalPose {
        IntervalPose {
            rotation: IntervalQuaternion::point(pose.given_rotation()),
            translation: IntervalVector::point(pose.translation()),
        }
    }

    /// Images of the points of a box.
    pub fn apply(&self, x: IntervalVector) -> IntervalVector {
        self.rotation.rotate(x) + self.translation
    }

    /// Every member after every member of the other: `a_from_b.then_from(b_from_c)` contains all `a_from_c`.
    #[must_use]
    pub fn then_from(&self, b_from_c: &IntervalPose) -> IntervalPose {
        IntervalPose {
            rotation: self.rotation.product(&b_from_c.rotation),
            translation: self.apply(b_from_c.translation),
        }
    }
}

impl Pose {
    /// Box that contains the exact image of a point under the map of q/|q| and t; a few roundings wide.
    pub fn apply_interval(&self, point: DVec3) -> IntervalVector {
        IntervalPose::point(self).apply(IntervalVector::point(point))
    }
}
