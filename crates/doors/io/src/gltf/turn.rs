//! Turns that single precision cannot write down, taken as what they are meant to be.
//!
//! A quarter turn is the quaternion (√½, 0, 0, √½), which neither single nor double precision can write down: the matrix made of it has
//! entries like 2e-16 or 1e-7 where 0 is meant, and faces that were flush cross or part by that much. So a rotation all of whose matrix entries lie within [`NEAR`] of 0, ±½, ±√½, ±√¾ or ±1 is taken as that matrix. With
//! entries 0 and ±1 these are the 24 turns that map the axes to one another (quarter, half and third turns), which move doubles
//! without any rounding; the others are turns by eighths and twelfths about an axis, and what two such turns make.
//!
//! Why nearness of the entries is enough: squares of these numbers are multiples of ¼, so that a column whose squares sum to nearly 1 has
//! them sum to 1; orthogonality is checked on the result.

use kontakt_math::{DMat3, DVec3};

/// A quaternion with components rounded to nearest in single precision is off by at most 2⁻²⁵ a component, its turn by 2⁻²³; four times
/// that leaves room for writers that also calculate in single precision.
const NEAR: f64 = 1.0 / (1 << 21) as f64;

/// √¾, rounded to nearest.
const HALF_SQRT_3: f64 = 0.866_025_403_784_438_6;

/// How far from orthogonal the rounded entries may leave two columns.
const ORTHOGONAL: f64 = 1e-14;

/// What a rotation was taken as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// As the file has it.
    AsGiven,
    /// As a turn that maps the axes to one another.
    Quarters,
    /// As a turn of eighths or twelfths.
    EighthsOrTwelfths,
}

/// The exact turn near a rotation matrix, or the matrix itself; says so only if it is another one.
pub(super) fn exact_rotation(rotation: DMat3) -> (DMat3, Turn) {
    match meant(rotation) {
        Some(exact) if exact != rotation => (exact, kind(&exact)),
        _ => (rotation, Turn::AsGiven),
    }
}

/// The same for a rotation (or reflection) with a scale a column, as `matrix` has it. The scales stay as they are, but those of a matrix
/// without scale become 1.
pub(super) fn exact_linear(linear: DMat3) -> (DMat3, Turn) {
    let columns = columns(&linear);
    let lengths = columns.map(DVec3::length);
    if !lengths.iter().all(|length| length.is_normal()) {
        return (linear, Turn::AsGiven);
    }
    let unit = |i: usize| columns[i] / lengths[i];
    let Some(turn) = meant(DMat3::from_cols(unit(0), unit(1), unit(2))) else {
        return (linear, Turn::AsGiven);
    };
    let is_rigid = lengths.iter().all(|length| (length - 1.0).abs() <= NEAR);
    let scaled = |i: usize, column: DVec3| {
        // Along an axis the one entry that is left is the scale, without the rounding of a length.
        let along_axis = column.abs().max_element() == 1.0;
        let scale = if along_axis { columns[i].abs().max_element() } else { lengths[i] };
        column * if is_rigid { 1.0 } else { scale }
    };
    let exact = DMat3::from_cols(scaled(0, turn.x_axis), scaled(1, turn.y_axis), scaled(2, turn.z_axis));
    if exact == linear { (linear, Turn::AsGiven) } else { (exact, kind(&turn)) }
}

/// The matrix of exact entries near this one, if there is one.
fn meant(rotation: DMat3) -> Option<DMat3> {
    let mut entries = rotation.to_cols_array();
    for entry in &mut entries {
        let size = [0.0, 0.5, std::f64::consts::FRAC_1_SQRT_2, HALF_SQRT_3, 1.0]
            .into_iter()
            .find(|size| (entry.abs() - size).abs() <= NEAR)?;
        *entry = size.copysign(*entry) + 0.0;
    }
    let exact = DMat3::from_cols_array(&entries);
    let [x, y, z] = columns(&exact);
    let crooked = [x.dot(y), y.dot(z), z.dot(x), x.dot(x) - 1.0, y.dot(y) - 1.0, z.dot(z) - 1.0];
    crooked.iter().all(|error| error.abs() <= ORTHOGONAL).then_some(exact)
}

fn kind(exact: &DMat3) -> Turn {
    let to_an_axis = |column: DVec3| column.abs().max_element() == 1.0;
    if columns(exact).into_iter().all(to_an_axis) { Turn::Quarters } else { Turn::EighthsOrTwelfths }
}

fn columns(matrix: &DMat3) -> [DVec3; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_math::DQuat;
    use std::f64::consts::{FRAC_1_SQRT_2, TAU};

    /// A rotation as a file in single precision has it.
    fn single(axis: DVec3, angle: f64) -> DMat3 {
        let q = DQuat::from_axis_angle(axis.normalize(), angle);
        let q = DQuat::from_array(q.to_array().map(|x| f64::from(x as f32)));
        DMat3::from_quat(q / q.length())
    }

    fn is_whole(matrix: &DMat3) -> bool {
        matrix.to_cols_array().iter().all(|x| [-1.0, 0.0, 1.0].contains(x))
    }

    #[test]
    fn quarter_half_and_third_turns_have_whole_entries() {
        let mut found = std::collections::BTreeSet::new();
        for (x, y, z) in directions() {
            let axis = DVec3::new(x, y, z);
            // Quarter turns about axes, half turns about diagonals of sides, third turns about those of the cube.
            let order = [4.0, 2.0, 3.0][axis.abs().element_sum() as usize - 1];
            for k in 0..order as i32 {
                let (exact, _) = exact_rotation(single(axis, TAU / order * f64::from(k)));
                assert!(is_whole(&exact), "{axis} {k}: {exact}");
                assert_eq!(exact.determinant(), 1.0);
                found.insert(exact.to_cols_array().map(|x| x as i32));
            }
        }
        assert_eq!(found.len(), 24, "all turns that map the axes to one another");
    }

    /// All directions with entries −1, 0, 1 but none.
    fn directions() -> impl Iterator<Item = (f64, f64, f64)> {
        (0..27).filter(|&i| i != 13).map(|i| {
            let digit = |place: i32| f64::from(i / place % 3 - 1);
            (digit(1), digit(3), digit(9))
        })
    }

    #[test]
    fn eighths_and_twelfths_about_an_axis_are_rounded_once() {
        for (angle, cos, sin) in [
            (TAU / 12.0, HALF_SQRT_3, 0.5),
            (TAU / 8.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2),
            (TAU / 6.0, 0.5, HALF_SQRT_3),
            (TAU / 3.0, -0.5, HALF_SQRT_3),
        ] {
            let expected = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
            assert_eq!(exact_rotation(single(DVec3::Z, angle)), (expected, Turn::EighthsOrTwelfths));
        }
        // Rounded to nearest: s = 2·√¾ is off by at most half a unit in the last place, 2⁻⁵³, for s² − 3 ≈ 2·s·(s − √3).
        let s = 2.0 * HALF_SQRT_3;
        assert!(s.mul_add(s, -3.0).abs() <= 2.0 * s * 2.0_f64.powi(-53));
    }

    #[test]
    fn other_rotations_stay_as_they_are() {
        for (axis, angle) in [(DVec3::Z, 0.1), (DVec3::Z, TAU / 4.0 + 1e-6), (DVec3::ONE, TAU / 6.0)] {
            let given = single(axis, angle);
            assert_eq!(exact_rotation(given), (given, Turn::AsGiven));
        }
        assert_eq!(exact_rotation(DMat3::IDENTITY).1, Turn::AsGiven, "nothing to remark");
    }

    #[test]
    fn matrices_keep_their_scale() {
        let noise = 6e-8;
        let rigid = DMat3::from_cols(
            DVec3::new(noise, 1.0 - noise, 0.0),
            DVec3::new(-1.0, noise, -noise),
            DVec3::new(0.0, 0.0, 1.0),
        );
        let (exact, turn) = exact_linear(rigid);
        assert_eq!((exact, turn), (DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z), Turn::Quarters));

        let scales = DVec3::new(0.001, -25.4, 3.0);
        let scaled = rigid * DMat3::from_diagonal(scales);
        let (exact, turn) = exact_linear(scaled);
        assert_eq!(turn, Turn::Quarters);
        // The scale of the first column is what the file says, noise included.
        assert_eq!(exact.x_axis, DVec3::new(0.0, scaled.x_axis.y, 0.0));
        assert_eq!((exact.y_axis, exact.z_axis), (DVec3::new(25.4, 0.0, 0.0), DVec3::Z * 3.0));

        let sheared = DMat3::from_cols(DVec3::X, DVec3::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0), DVec3::Z);
        assert_eq!(exact_linear(sheared), (sheared, Turn::AsGiven));
        for odd in [DMat3::ZERO, DMat3::IDENTITY * 1e300, DMat3::IDENTITY * f64::NAN] {
            assert_eq!(exact_linear(odd).1, Turn::AsGiven);
        }
    }
}
