//! A body's motion as exact polynomials, and one body seen from another.

use super::vector::{
    Matrix, Vector, Way, back_and_forth, blend, constant, dot, exact, minus, scaled, scaled_rotation, sum,
    turned, turned_back, vector,
};
use crate::course::Course;
use kontakt_math::{DQuat, DVec3, Dyadic, ExactPolynomial, Motion};

/// World from body: x ↦ R(q(t)/|q(t)|)·(x − pivot) + place(t)/weight, q and place linear in time.
pub(super) struct Mover {
    quaternion: [ExactPolynomial; 4],
    pivot: Vector,
    place: Way,
    /// Positive.
    weight: Dyadic,
}

impl Mover {
    /// Whether a motion is of such a kind.
    pub(super) fn exists(course: &Course) -> bool {
        matches!(course.motion(), Motion::Rest(_) | Motion::Nlerp(_)) || course.straight_ends().is_some()
    }

    pub(super) fn of(course: &Course) -> Option<Mover> {
        let one = exact(1.0);
        if let Some([start, end]) = course.straight_ends() {
            let [from, to] = [start, end].map(|pose| vector(pose.translation()));
            return Some(Mover {
                quaternion: start.given_rotation().to_array().map(|c| constant(&exact(c))),
                pivot: vector(DVec3::ZERO),
                place: [0, 1, 2].map(|i: usize| blend(&from[i], &to[i])),
                weight: one,
            });
        }
        let Motion::Nlerp(motion) = course.motion() else { return None };
        let (from, to, ratio) = motion.exact_blend();
        let ratio = exact(ratio);
        let quaternion = [0, 1, 2, 3].map(|i: usize| {
            let [x, y] = [from, to].map(|q| exact(q.to_array()[i]));
            blend(&x, &(&y * &ratio))
        });
        let (start, end) = motion.ends();
        let pivot = vector(motion.blend_ends().2);
        let ([image, square], [last, last_square]) = (image(from, &pivot), image(to, &pivot));
        let [x, y] = [start, end].map(|pose| vector(pose.translation()));
        if pivot.iter().all(Dyadic::is_zero) {
            let place = [0, 1, 2].map(|i: usize| blend(&x[i], &y[i]));
            return Some(Mover { quaternion, pivot, place, weight: one });
        }
        // The pivot's first place is x + M(p)·pivot/|p|², its last y + M(q)·pivot/|q|².
        let weight = &square[0] * &last_square[0];
        let place = [0, 1, 2].map(|i: usize| {
            let first = &(&x[i] * &weight) + &(&image[i] * &last_square[0]);
            blend(&first, &(&(&y[i] * &weight) + &(&last[i] * &square[0])))
        });
        Some(Mover { quaternion, pivot, place, weight })
    }

    /// A point of the body relative to the pivot.
    pub(super) fn local(&self, x: DVec3) -> Vector {
        self.off_pivot(&vector(x))
    }

    /// The same for an exact point.
    pub(super) fn off_pivot(&self, x: &Vector) -> Vector {
        minus(x, &self.pivot)
    }

    /// The same motion where all lengths, in the body and in the world, are so many times as long.
    pub(super) fn grown(self, by: &Dyadic) -> Mover {
        let Mover { quaternion, pivot, place, weight } = self;
        Mover { quaternion, pivot: pivot.map(|c| &c * by), place: place.map(|p| scaled(&p, by)), weight }
    }
}

/// |q|²·R(q/|q|)·v and |q|² (in the first place).
fn image(q: DQuat, v: &Vector) -> [Vector; 2] {
    let fixed = q.to_array().map(|c| constant(&exact(c)));
    let (rows, square) = scaled_rotation(&fixed);
    let value = |p: &ExactPolynomial| p.coefficients().first().cloned().unwrap_or(Dyadic::ZERO);
    let turned = [0, 1, 2].map(|i: usize| dot(&[0, 1, 2].map(|k: usize| value(&rows[i][k])), v));
    [turned, [value(&square), Dyadic::ZERO, Dyadic::ZERO]]
}

/// A body seen from another, both about their pivots: x ↦ (turn·x + shift)/weight, the weight positive at all times.
///
/// With quaternions p and q of the viewer and the other, r = p̄·q, T the difference of the places of the pivots over the product w of
/// their weights: R(r)·x + R(p)ᵀ·T/w, times w·|p|²·|q|² = `weight`; M(·) = |·|²·R(·).
pub(super) struct Seen {
    /// w·M(r)
    turn: Matrix,
    /// |q|²·M(p)ᵀ·T
    shift: Way,
    pub(super) weight: ExactPolynomial,
    viewer: Matrix,
    other: Matrix,
    offset: Way,
}

impl Seen {
    pub(super) fn new(viewer: &Mover, other: &Mover) -> Seen {
        let (rows, _) = scaled_rotation(&back_and_forth(&viewer.quaternion, &other.quaternion));
        let (rows_viewer, square_viewer) = scaled_rotation(&viewer.quaternion);
        let (rows_other, square_other) = scaled_rotation(&other.quaternion);
        let offset: Way = [0, 1, 2].map(|i: usize| {
            &scaled(&other.place[i], &viewer.weight) - &scaled(&viewer.place[i], &other.weight)
        });
        let weight = &viewer.weight * &other.weight;
        let shift = turned_back(&rows_viewer, &offset).map(|p| &p * &square_other);
        Seen {
            turn: rows.map(|row| row.map(|p| scaled(&p, &weight))),
            shift,
            weight: scaled(&(&square_viewer * &square_other), &weight),
            viewer: rows_viewer,
            other: rows_other,
            offset,
        }
    }

    /// A point, times the weight.
    pub(super) fn point(&self, x: &Vector) -> Way {
        sum(&turned(&self.turn, x), &self.shift)
    }

    /// A direction, times the weight.
    pub(super) fn direction(&self, e: &Vector) -> Way {
        turned(&self.turn, e)
    }

    /// The moment x × e of a line, times the weight: R(r)(x × e) + R(p)ᵀ(T × R(q)e)/w. (It is x′ × e′ of the images, without the
    /// weight's square.)
    pub(super) fn moment(&self, x: &Vector, e: &Vector) -> Way {
        let swung = super::vector::cross_ways(&self.offset, &turned(&self.other, e));
        sum(&turned(&self.turn, &super::vector::cross(x, e)), &turned_back(&self.viewer, &swung))
    }
}
