//! A placement that may also scale and mirror.

use kontakt_curved::Frame;
use kontakt_math::{DMat3, DVec3, Pose};

/// x ↦ scale · turn · x + translation, where `turn` is a rotation or a rotation with a mirror, to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shift {
    pub(crate) turn: DMat3,
    pub(crate) scale: f64,
    pub(crate) translation: DVec3,
}

impl Shift {
    pub(crate) const IDENTITY: Shift = Shift { turn: DMat3::IDENTITY, scale: 1.0, translation: DVec3::ZERO };

    /// The map from a frame's axes into space.
    pub(crate) fn of(frame: &Frame) -> Shift {
        let turn = DMat3::from_cols(frame.x, frame.y, frame.z);
        Shift { turn, scale: 1.0, translation: frame.origin }
    }

    pub(crate) fn point(&self, point: DVec3) -> DVec3 {
        self.turn * (point * self.scale) + self.translation
    }

    pub(crate) fn direction(&self, direction: DVec3) -> DVec3 {
        self.turn * direction
    }

    pub(crate) fn mirrors(&self) -> bool {
        self.turn.determinant() < 0.0
    }

    /// Whether it only places. Files write directions with few digits, so that a scale near one is one.
    pub(crate) fn is_rigid(&self) -> bool {
        !self.mirrors() && (self.scale - 1.0).abs() < 1e-9
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.turn.is_finite() && self.translation.is_finite() && self.scale.is_finite() && self.scale > 0.0
    }

    pub(crate) fn inverse(&self) -> Shift {
        let (turn, scale) = (self.turn.transpose(), 1.0 / self.scale);
        Shift { turn, scale, translation: -(turn * (self.translation * scale)) }
    }

    /// `a_from_b.after(b_from_c)` is `a_from_c`.
    pub(crate) fn after(&self, first: &Shift) -> Shift {
        Shift {
            turn: self.turn * first.turn,
            scale: self.scale * first.scale,
            translation: self.point(first.translation),
        }
    }

    /// As a pose, where it is rigid.
    pub(crate) fn pose(&self) -> Option<Pose> {
        let rigid = self.is_rigid() && self.is_finite();
        rigid.then(|| Pose::from_matrix(self.turn, self.translation).ok()).flatten()
    }

    /// A frame moved such that x and y are the images of x and y. Where the map mirrors, z is the opposite of z's image.
    pub(crate) fn frame(&self, frame: &Frame) -> Frame {
        let (x, y) = (self.direction(frame.x), self.direction(frame.y));
        Frame { origin: self.point(frame.origin), x, y, z: x.cross(y) }
    }
}
