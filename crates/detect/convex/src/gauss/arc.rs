//! Arcs on the unit sphere, one for each edge of a body, and whether two of them cross.

use kontakt_math::DVec3;

pub(super) const LANES: usize = 8;

/// The arc of an edge: unit normals of the faces left and right of it, seen from outside along the edge.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arc {
    /// Along the edge, at most √3 long.
    pub(super) along: DVec3,
    pub(super) left: DVec3,
    pub(super) right: DVec3,
    /// Never less than what products of these vectors with those of another, exact arc err by.
    pub(super) error: f64,
}

/// Eight arcs side by side.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Arcs {
    pub(super) along: [[f64; LANES]; 3],
    pub(super) left: [[f64; LANES]; 3],
    pub(super) right: [[f64; LANES]; 3],
    pub(super) error: [f64; LANES],
}

impl Arcs {
    /// A place without an arc crosses nothing.
    pub(super) const NONE: Arcs = Arcs {
        along: [[0.0; LANES]; 3],
        left: [[0.0; LANES]; 3],
        right: [[0.0; LANES]; 3],
        error: [f64::NEG_INFINITY; LANES],
    };

    pub(super) fn set(&mut self, lane: usize, arc: &Arc) {
        for axis in 0..3 {
            self.along[axis][lane] = arc.along[axis];
            self.left[axis][lane] = arc.left[axis];
            self.right[axis][lane] = arc.right[axis];
        }
        self.error[lane] = arc.error;
    }

    /// Bits of the arcs of B, negated, that may cross this one of A: **never too few**. The crossing is along the
    /// cross product of A's edge and B's for bits of the first number, against it for the second.
    ///
    /// Proof. With left × right along the edge e, the arc of e holds n = σ e × f just if σ(e × f)·(e × left) = σ|e|²(f·left) ≥ 0
    /// and σ f·right ≤ 0 (left and right are across e). For B's edge f and the negated normals of its faces the conditions become
    /// σ e·left ≥ 0 and σ e·right ≤ 0, the cross product of its negated normals being along f as well. Each product errs by no
    /// more than the two arcs' errors together.
    #[inline]
    pub(super) fn crossing(&self, arc: &Arc) -> [u8; 2] {
        #[cfg(target_arch = "x86_64")]
        if let Some(bits) = super::arc_x86::crossing(self, arc) {
            return bits;
        }
        self.crossing_portable(arc)
    }

    pub(super) fn crossing_portable(&self, arc: &Arc) -> [u8; 2] {
        let dot = |v: DVec3, lanes: &[[f64; LANES]; 3], k: usize| {
            v.x * lanes[0][k] + v.y * lanes[1][k] + v.z * lanes[2][k]
        };
        let (mut along, mut against) = (0, 0);
        for k in 0..LANES {
            let error = self.error[k] + arc.error;
            let signs = [
                dot(arc.left, &self.along, k),
                -dot(arc.right, &self.along, k),
                dot(arc.along, &self.left, k),
                -dot(arc.along, &self.right, k),
            ];
            let least = signs.iter().fold(f64::INFINITY, |x, y| if *y < x { *y } else { x });
            let most = signs.iter().fold(f64::NEG_INFINITY, |x, y| if *y > x { *y } else { x });
            along |= u8::from(least >= -error) << k;
            against |= u8::from(most <= error) << k;
        }
        [along, against]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc(along: DVec3, left: DVec3, right: DVec3) -> Arc {
        Arc { along, left: left.normalize(), right: right.normalize(), error: 0.0 }
    }

    #[test]
    fn arcs_cross_where_both_hold_the_direction() {
        // A's edge along y at the top; B's edge along x at the bottom, its normals down: negated they go up.
        let a = arc(DVec3::Y, DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, 1.0));
        let b =
            |tilt: f64| arc(DVec3::X, DVec3::new(0.0, tilt - 1.0, -1.0), DVec3::new(0.0, tilt + 1.0, -1.0));
        for (tilt, crosses) in [(0.0, true), (0.9, true), (1.5, false), (-1.5, false)] {
            let mut arcs = Arcs::NONE;
            arcs.set(3, &b(tilt));
            let [along, against] = arcs.crossing(&a);
            assert_eq!(arcs.crossing_portable(&a), [along, against]);
            assert_eq!(along | against, u8::from(crosses) << 3, "{tilt}");
            // y × x = −z: against the cross product.
            assert_eq!(against, u8::from(crosses) << 3, "{tilt}");
        }
        // The antipodal arc does not cross.
        let mut arcs = Arcs::NONE;
        let down = b(0.0);
        arcs.set(0, &Arc { left: -down.left, right: -down.right, ..down });
        assert_eq!(arcs.crossing(&a), [0, 0]);
    }
}
