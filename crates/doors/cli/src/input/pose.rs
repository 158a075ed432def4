//! Poses: `tx ty tz qx qy qz qw`, as one argument or one a line of a file.

use super::number_lines;
use crate::failure::Failure;
use kontakt::math::{DQuat, DVec3, Pose};
use std::path::Path;

/// The numbers of a pose, for help and messages.
pub(crate) const NUMBERS: &str = "tx ty tz qx qy qz qw";

/// A pose from the seven numbers of one argument.
pub(crate) fn parse(text: &str) -> Result<Pose, String> {
    // An argument that holds one number is the first of seven that the shell took apart.
    let hint = |problem: String| match text.split_whitespace().count() {
        1 if !text.contains(',') => format!("{problem}; put all seven into quotes: '0 0 0 0 0 0 1'"),
        _ => problem,
    };
    number_lines::numbers(text, NUMBERS).and_then(from_numbers).map_err(hint)
}

/// The poses of a file, in its order.
pub(crate) fn read(path: &Path) -> Result<Vec<Pose>, Failure> {
    number_lines::read(path, NUMBERS, from_numbers)
}

fn from_numbers([tx, ty, tz, qx, qy, qz, qw]: [f64; 7]) -> Result<Pose, String> {
    Pose::new(DQuat::from_xyzw(qx, qy, qz, qw), DVec3::new(tx, ty, tz)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quaternion_near_unit_length_is_taken_and_one_far_from_it_is_not() {
        let pose = parse("1 2 3 0 0 0 1.0009").unwrap();
        assert_eq!(pose.translation(), DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(pose.rotation(), DQuat::IDENTITY);
        assert!(parse("1 2 3 0 0 0 1.01").unwrap_err().contains("length 1.01"));
        assert!(parse("1 2 3 0 0 0 0").unwrap_err().contains("length 0"));
        assert!(parse("1").unwrap_err().contains("quotes"));
        assert!(parse("1 2 3 0 0 1").unwrap_err().contains("6 numbers where 7"));
    }
}
