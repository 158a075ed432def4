//! Poses: `tx ty tz qx qy qz qw`, as one argument or one a line of a file.

use super::number_lines;
use crate::failure::Failure;
use kontakt::math::{DQuat, DVec3, Pose};
use kontakt::schedule::Deadline;
use std::path::Path;

/// The numbers of a pose, for help and messages.
pub(crate) const NUMBERS: &str = "tx ty tz qx qy qz qw";

/// A pose from the seven numbers of one argument.
pub(crate) fn parse(text: &str) -> Result<Pose, String> {
    number_lines::numbers(text, NUMBERS).and_then(from_numbers)
}

/// The poses of a file, in its order, until a deadline.
pub(crate) fn read(path: &Path, deadline: Deadline) -> Result<Vec<Pose>, Failure> {
    number_lines::read(path, NUMBERS, deadline, from_numbers)
}

/// What to say where a pose was typed without quotes and the shell took it apart: the option, and how to write it.
pub(crate) fn unquoted(words: &[String]) -> Option<String> {
    let option = words.iter().position(|word| word.starts_with("--pose"))?;
    let is_number = |word: &&String| word.trim_end_matches(',').parse::<f64>().is_ok();
    let numbers: Vec<&str> = words[option + 1..].iter().take_while(is_number).map(String::as_str).collect();
    let [name, pose] = [&words[option], &numbers.join(" ")];
    (numbers.len() > 1)
        .then(|| format!("{name} is one argument: put its numbers into quotes, {name} '{pose}'"))
}

fn from_numbers([tx, ty, tz, qx, qy, qz, qw]: [f64; 7]) -> Result<Pose, String> {
    Pose::new(DQuat::from_xyzw(qx, qy, qz, qw), DVec3::new(tx, ty, tz)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_without_quotes_is_noticed() {
        let said = |line: &str| unquoted(&line.split('|').map(String::from).collect::<Vec<_>>());
        assert_eq!(
            said("distance|a|--pose-b|0|-1|2|0|0|0|1|b").unwrap(),
            "--pose-b is one argument: put its numbers into quotes, --pose-b '0 -1 2 0 0 0 1'"
        );
        assert_eq!(said("distance|a|b|--pose-b|0 0 2 0 0 0 1|--nonsense"), None);
        assert_eq!(said("distance|a|b|--nonsense"), None);
    }

    #[test]
    fn a_quaternion_near_unit_length_is_taken_and_one_far_from_it_is_not() {
        let pose = parse("1 2 3 0 0 0 1.0009").unwrap();
        assert_eq!(pose.translation(), DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(pose.rotation(), DQuat::IDENTITY);
        assert!(parse("1 2 3 0 0 0 1.01").unwrap_err().contains("length 1.01"));
        assert!(parse("1 2 3 0 0 0 0").unwrap_err().contains("length 0"));
        assert!(parse("1 2 3 0 0 1").unwrap_err().contains("6 numbers where 7"));
    }
}
