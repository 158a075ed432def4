//! The exact rotation R(q/|q|) of a quaternion of doubles: rational, since only |q|² is divided by.

use crate::rational::{self, Vector};

/// The exact image of a point under x ↦ R(q/|q|)·x + t; q is (x, y, z, w).
pub fn moved(q: [f64; 4], translation: [f64; 3], point: &Vector) -> Vector {
    let v = rational::vector([q[0], q[1], q[2]]);
    let w = rational::exact(q[3]);
    let norm = rational::dot(&v, &v) + &w * &w;
    // x + 2(w·(v×x) + v×(v×x))/|q|²
    let once = rational::cross(&v, point);
    let twice = rational::cross(&v, &once);
    let turn = rational::add(&rational::scale(&w, &once), &twice);
    let factor = rational::integer(2) / norm;
    rational::add(&rational::add(point, &rational::scale(&factor, &turn)), &rational::vector(translation))
}

#[cfg(test)]
mod tests {
    use super::moved;
    use crate::rational::vector;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        assert_eq!(
            moved([0.0, 0.0, 2.0, 2.0], [1.0, 0.0, 0.0], &vector([3.0, 0.0, 0.0])),
            vector([1.0, 3.0, 0.0])
        );
    }
}
