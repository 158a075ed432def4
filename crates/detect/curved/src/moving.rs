//! Whether two moving bodies stay apart on their true surfaces.

use crate::distance::{Faces, Stray, stay_apart};
use kontakt_math::{Between, DVec3, Motion};

/// A body on a motion, and a ball about it in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct MovingFaces<'a> {
    /// What.
    pub faces: Faces<'a>,
    /// Where it is at the times 0 to 1.
    pub motion: &'a Motion,
    /// The middle of a ball that holds it.
    pub centre: DVec3,
    /// The radius of that ball.
    pub radius: f64,
}

impl MovingFaces<'_> {
    /// How far its points may be from where they are at a time, the rounding of the pose among it.
    fn strays(&self, at: f64, from: f64, to: f64) -> f64 {
        let moved = self.motion.deviation_bound(self.centre, self.radius, at, from, to);
        moved + self.place_error(at)
    }

    fn place_error(&self, at: f64) -> f64 {
        let pose = self.motion.pose_at(at);
        let size = self.centre.length() + self.radius + pose.translation().length();
        16.0 * f64::EPSILON * size
    }

    /// How far points leave the straight way between two times, if they do not turn meanwhile.
    fn bow(&self, from: f64, to: f64) -> Option<f64> {
        let turn = |t: f64| self.motion.pose_at(t).rotation();
        let straight = turn(from) == turn(to) && turn(0.5 * (from + to)) == turn(from);
        let bow = self.motion.bow_bound(self.centre, self.radius, from, to);
        straight.then(|| bow + self.place_error(from) + self.place_error(to))
    }

    fn rests(&self, from: f64, to: f64) -> bool {
        self.motion.displacement_bound(self.centre, self.radius, from, to) == 0.0
    }
}

/// Whether two bodies are **proven** to be apart, surface from surface, from one time to another.
///
/// Between the times every point is within its stray of where it is in the middle. If one of them rests and the other goes straight, what is
/// known of round surfaces at both ends holds on the way: a piston slides in its bore, whatever its clearance.
pub fn apart_during(a: &MovingFaces, b: &MovingFaces, from: f64, to: f64, most_pairs: usize) -> bool {
    let middle = 0.5 * (from + to);
    let at = |t: f64| Between::new(a.motion.pose_at(t), b.motion.pose_at(t));
    let (here, start, end) = (at(middle), at(from), at(to));
    let bow = a.bow(from, to).zip(b.bow(from, to)).map(|(x, y)| x + y);
    let bow = bow.filter(|_| a.rests(from, to) || b.rests(from, to));
    let straight = bow.map(|bow| ([&start, &end], bow));
    let most = a.strays(middle, from, to) + b.strays(middle, from, to);
    most.is_finite() && stay_apart(a.faces, b.faces, &here, &Stray { most, straight }, most_pairs)
}
