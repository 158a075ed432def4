//! Planes eight at a time: which of them is a point above?

use super::plane::Plane;
use kontakt_math::DVec3;

/// Planes that are kept together.
pub(super) const LANES: usize = 8;

/// Eight planes; a place without one has every point below it.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Fan {
    pub(super) x: [f64; LANES],
    pub(super) y: [f64; LANES],
    pub(super) z: [f64; LANES],
    pub(super) offset: [f64; LANES],
    pub(super) error: [f64; LANES],
}

/// Bits of the planes of a fan that a point is certainly above, and that its doubles leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Above {
    pub(super) certain: u8,
    pub(super) open: u8,
}

impl Fan {
    pub(super) const NONE: Fan = Fan {
        x: [0.0; LANES],
        y: [0.0; LANES],
        z: [0.0; LANES],
        offset: [f64::INFINITY; LANES],
        error: [0.0; LANES],
    };

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, plane: &Plane) {
        (self.x[lane], self.y[lane], self.z[lane]) = plane.normal.into();
        (self.offset[lane], self.error[lane]) = (plane.offset, plane.error);
    }

    /// Where a point is.
    #[inline(always)]
    pub(super) fn above(&self, point: DVec3) -> Above {
        #[cfg(target_arch = "x86_64")]
        if let Some(above) = super::fan_x86::above(self, point) {
            return above;
        }
        self.above_portable(point)
    }

    /// The height above one plane, as [`Plane::height`] has it.
    #[inline(always)]
    pub(super) fn height(&self, lane: usize, p: DVec3) -> f64 {
        self.x[lane] * p.x + self.y[lane] * p.y + self.z[lane] * p.z - self.offset[lane]
    }

    pub(super) fn above_portable(&self, point: DVec3) -> Above {
        let mut above = Above { certain: 0, open: 0 };
        for lane in 0..LANES {
            let height = self.height(lane, point);
            if height > self.error[lane] {
                above.certain |= 1 << lane;
            } else if height.is_nan() || height >= -self.error[lane] {
                above.open |= 1 << lane;
            }
        }
        above
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::frame::Frame;
    use testkit::Generator;

    #[test]
    fn all_units_say_the_same() {
        let mut source = Generator::grid(7);
        let mut open = 0;
        for _ in 0..4000 {
            let points: [DVec3; 12] = std::array::from_fn(|_| DVec3::from_array(source.point()));
            let (low, high) =
                points.iter().fold((points[0], points[0]), |(low, high), p| (low.min(*p), high.max(*p)));
            let frame = Frame::new(low, high);
            let mut fan = Fan::NONE;
            for lane in 0..7 {
                fan.set(lane, &Plane::through(&points, &frame, [lane, lane + 1, lane + 2]));
            }
            let point = frame.local(points[11]);
            let above = fan.above_portable(point);
            assert_eq!(fan.above(point), above);
            assert_eq!((above.certain | above.open) >> 7, 0);
            open += above.open.count_ones();
        }
        assert!(open > 1000, "{open}");
    }
}
