//! The thread of a screw or a nut as its mesh has it: pitch, hand and phase, measured from its corners.

use kontakt::math::DVec3;
use kontakt::shapes::FaceSet;
use std::f64::consts::TAU;

/// A thread around an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thread {
    /// Way along the axis for a whole turn, positive for a right-handed thread.
    pub(super) lead: f64,
    /// Angle at which a crest crosses height 0.
    pub(super) phase: f64,
    /// Least and largest distance of the threaded surface from the axis.
    pub(super) radii: [f64; 2],
    /// From 0 (corners know nothing of a thread) to 1.
    pub(super) clarity: f64,
}

/// Leads tried of each hand.
const TRIALS: u32 = 2000;

/// A corner seen from the axis: angle, height, distance.
struct Seen {
    angle: f64,
    height: f64,
    radius: f64,
}

impl Thread {
    /// Measures what lies nearer than `within` to the axis through a point, with pitches between `pitches`.
    ///
    /// Crests and roots of a thread lie where (height / lead − angle / 2π) has a certain fraction: each corner votes with that
    /// fraction as an angle, weighted by how far it lies outside the mean radius. At the right lead the votes agree.
    pub(super) fn measure(
        faces: &FaceSet,
        [through, axis]: [DVec3; 2],
        within: f64,
        pitches: [f64; 2],
    ) -> Thread {
        let (u, v) = (axis.any_orthonormal_vector(), axis.cross(axis.any_orthonormal_vector()));
        let seen: Vec<Seen> = faces
            .vertices()
            .iter()
            .map(|p| {
                let p = *p - through;
                let (x, y) = (p.dot(u), p.dot(v));
                Seen { angle: y.atan2(x), height: p.dot(axis), radius: x.hypot(y) }
            })
            .filter(|seen| seen.radius < within)
            .collect();
        let radii =
            seen.iter().fold([f64::INFINITY, 0.0], |[low, high], s| [s.radius.min(low), s.radius.max(high)]);
        let mean = seen.iter().map(|s| s.radius).sum::<f64>() / seen.len().max(1) as f64;
        let vote = |lead: f64| {
            let (mut sum, mut weights) = ([0.0; 2], 0.0);
            for s in &seen {
                let (sin, cos) = (TAU * s.height / lead - s.angle).sin_cos();
                let weight = s.radius - mean;
                sum = [sum[0] + weight * cos, sum[1] + weight * sin];
                weights += weight.abs();
            }
            (sum[0].hypot(sum[1]) / weights, sum[1].atan2(sum[0]))
        };
        let mut best = (0.0, pitches[0]);
        for k in 0..=TRIALS {
            // Even in turns per length, which is what the votes' sharpness goes by.
            let per_length =
                1.0 / pitches[1] + (1.0 / pitches[0] - 1.0 / pitches[1]) * f64::from(k) / f64::from(TRIALS);
            for lead in [1.0 / per_length, -1.0 / per_length] {
                let clarity = vote(lead).0;
                if clarity > best.0 {
                    best = (clarity, lead);
                }
            }
        }
        let (clarity, at_zero) = vote(best.1);
        Thread { lead: best.1, phase: -at_zero, radii, clarity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt::shapes::make;

    #[test]
    fn the_thread_of_a_rod_is_found() {
        let rod = make::threaded_rod(5, 0.2, 24).unwrap();
        let right = Thread::measure(&rod, [DVec3::ZERO, DVec3::Z], 0.7, [0.1, 0.6]);
        assert!((right.lead - 0.2).abs() < 2e-3 && right.clarity > 0.6, "{right:?}");
        let left = Thread::measure(&rod, [DVec3::ZERO, -DVec3::Z], 0.7, [0.1, 0.6]);
        assert!(
            (left.lead - 0.2).abs() < 2e-3,
            "the hand of a thread does not depend on where one looks from: {left:?}"
        );
        let mirrored = FaceSet::from_triangles(
            rod.vertices().iter().map(|p| DVec3::new(-p.x, p.y, p.z)).collect(),
            rod.triangles().iter().map(|t| [t[0], t[2], t[1]]).collect(),
        )
        .unwrap();
        assert!(
            (Thread::measure(&mirrored, [DVec3::ZERO, DVec3::Z], 0.7, [0.1, 0.6]).lead + 0.2).abs() < 2e-3
        );
    }
}
