//! Recorded motions: one pose a line, `t tx ty tz qx qy qz qw`, as the TUM benchmarks write them.

use crate::error::{Place, Problem, ReadError};
use crate::excerpt::excerpt;
use crate::whole::read_whole;
use crate::{number, watched};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_schedule::Deadline;
use std::path::Path;

/// The numbers of a line, for messages.
const NUMBERS: &str = "t tx ty tz qx qy qz qw";
/// How many they are.
const COUNT: usize = 8;

/// Poses of a body in the world at strictly increasing times; two or more.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// When.
    pub times: Vec<f64>,
    /// Where: world from body, for the quaternion as written.
    pub poses: Vec<Pose>,
}

/// Reads a motion file: numbers separated by blanks or commas, `#` starts a comment, quaternions within 1e-3 of unit length.
pub fn read_trajectory(path: &Path) -> Result<Trajectory, ReadError> {
    read_trajectory_until(path, Deadline::NEVER)
}

/// The same until a deadline; small files are read in any case.
pub fn read_trajectory_until(path: &Path, deadline: Deadline) -> Result<Trajectory, ReadError> {
    read_text(&read_whole(path, deadline)?, &path.display().to_string(), deadline)
}

/// The same from memory; `name` is what errors call the text.
pub fn read_trajectory_bytes(bytes: &[u8], name: &str) -> Result<Trajectory, ReadError> {
    read_text(bytes, name, Deadline::NEVER)
}

fn read_text(bytes: &[u8], name: &str, deadline: Deadline) -> Result<Trajectory, ReadError> {
    let fault = |place, problem| ReadError { file: name.to_owned(), place, problem };
    let mut trajectory = Trajectory { times: Vec::new(), poses: Vec::new() };
    let mut pacer = watched::unless_small(bytes, deadline).pacer();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        pacer.tick().map_err(|expired| fault(Place::Whole, expired.into()))?;
        let text = line.split(|&byte| byte == b'#').next().unwrap_or(&[]);
        if number::skip_blanks(text).is_empty() {
            continue;
        }
        trajectory.add(text).map_err(|problem| fault(Place::Line(1 + index as u64), problem))?;
    }
    match trajectory.poses.len() {
        0 => {
            Err(fault(Place::Whole, Problem::malformed(format!("there is no pose ({NUMBERS}) in this file"))))
        }
        1 => Err(fault(Place::Whole, Problem::malformed("one pose is no motion; there must be two or more"))),
        _ => Ok(trajectory),
    }
}

impl Trajectory {
    fn add(&mut self, line: &[u8]) -> Result<(), Problem> {
        let [time, tx, ty, tz, qx, qy, qz, qw] = numbers(line)?;
        if let Some(&before) = self.times.last() {
            if time <= before {
                return Err(Problem::TimeOrder { time, before });
            }
            if !(time - before).is_finite() {
                return Err(Problem::malformed(format!(
                    "time {time} is too far from the one before it, {before}"
                )));
            }
        }
        let pose =
            Pose::new(DQuat::from_xyzw(qx, qy, qz, qw), DVec3::new(tx, ty, tz)).map_err(Problem::Pose)?;
        self.times.push(time);
        self.poses.push(pose);
        Ok(())
    }
}

/// Exactly the finite numbers of a pose with its time, separated by blanks, or by a comma with or without blanks.
fn numbers(line: &[u8]) -> Result<[f64; COUNT], Problem> {
    let mut found = [0.0; COUNT];
    let mut count = 0;
    let mut fields: Vec<&[u8]> = line.split(|&byte| byte == b',').collect();
    // A comma at the end of the line separates nothing.
    if fields.len() > 1 && fields.last().is_some_and(|last| number::skip_blanks(last).is_empty()) {
        fields.pop();
    }
    for field in fields {
        let (mut word, mut rest) = number::take_word(field);
        if word.is_empty() {
            return Err(Problem::malformed("a number is missing before a comma"));
        }
        while !word.is_empty() {
            let value = finite(word)?;
            if let Some(place) = found.get_mut(count) {
                *place = value;
            }
            count += 1;
            (word, rest) = number::take_word(rest);
        }
    }
    match count {
        COUNT => Ok(found),
        7 => Err(Problem::WrongCount(format!(
            "7 numbers where {COUNT} are needed ({NUMBERS}); is the time missing?"
        ))),
        _ => Err(Problem::WrongCount(format!("{count} numbers where {COUNT} are needed ({NUMBERS})"))),
    }
}

fn finite(word: &[u8]) -> Result<f64, Problem> {
    match number::number(word) {
        Err(Problem::NotFinite) => {
            Err(Problem::malformed(format!("{} is not a finite number", excerpt(word))))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        read_trajectory_bytes(text.as_bytes(), "m.txt").unwrap_err().to_string()
    }

    #[test]
    fn blanks_commas_comments_and_line_ends() {
        let text =
            "\u{feff}# t tx ty tz qx qy qz qw\r\n0 1 2 3 0 0 0 1 # first\r\n\r\n0.5, 1,2,3 ,0,0,0.6,0.8,\n";
        let read = read_trajectory_bytes(text.as_bytes(), "m.txt").unwrap();
        assert_eq!(read.times, [0.0, 0.5]);
        assert_eq!(read.poses[0].translation(), DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(read.poses[1].given_rotation(), DQuat::from_xyzw(0.0, 0.0, 0.6, 0.8), "as given");
    }

    #[test]
    fn any_bytes_give_poses_or_an_error_that_names_the_text() {
        let good =
            "# t tx ty tz qx qy qz qw\n0 -6 0 0 0 0 0 1\n1e0, -3,0,0, 0,0,0.6,0.8,\n2.5 3 0 0 0 0 0 1\n";
        let bytes = b"0123456789.,-+eE #\n\r\tnaif\xff\x00";
        let mut random = fastrand::Rng::with_seed(3);
        let mut read = 0;
        for _ in 0..20_000 {
            let mut text = good.as_bytes().to_vec();
            for _ in 0..random.usize(1..4) {
                let place = random.usize(..text.len());
                match random.u8(..3) {
                    0 => text[place] = bytes[random.usize(..bytes.len())],
                    1 => text.insert(place, bytes[random.usize(..bytes.len())]),
                    _ => text.truncate(place.max(1)),
                }
            }
            match read_trajectory_bytes(&text, "m.txt") {
                Err(error) => assert!(error.to_string().starts_with("m.txt"), "{error}"),
                Ok(found) => {
                    read += 1;
                    assert!(found.times.len() >= 2 && found.times.len() == found.poses.len());
                    assert!(found.times.windows(2).all(|pair| pair[0] < pair[1]));
                }
            }
        }
        assert!((2_000..18_000).contains(&read), "{read}");
    }

    #[test]
    fn the_culprit_is_named_with_its_line() {
        let good = "0 0 0 0 0 0 0 1\n";
        for (text, line, words) in [
            ("1 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1", "line 2", "time 1 does not come after 1"),
            ("1 0 0 0 0 0 0 1\n\n0.5 0 0 0 0 0 0 1", "line 3", "time 0.5 does not come after 1"),
            ("0 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 2", "line 2", "length 2"),
            ("0 0 0 0 0 0 0 0", "line 1", "length 0"),
            ("0 0 0 NaN 0 0 0 1", "line 1", "NaN is not a finite number"),
            ("inf 0 0 0 0 0 0 1", "line 1", "not a finite number"),
            ("0 0 0 1e999 0 0 0 1", "line 1", "not a finite number"),
            ("0 0 0 0 0 0 1", "line 1", "is the time missing?"),
            ("0 0 0 0 0 0 0 1 7", "line 1", "9 numbers where 8"),
            ("0 0 0 x 0 0 0 1", "line 1", "\"x\" is not a number"),
            ("0,0,0,,0,0,0,1", "line 1", "missing before a comma"),
            (",", "line 1", "missing before a comma"),
            ("-1e308 0 0 0 0 0 0 1\n1e308 0 0 0 0 0 0 1", "line 2", "too far"),
            (good, "m.txt", "one pose is no motion"),
            ("", "m.txt", "there is no pose"),
            ("# nothing\n \n", "m.txt", "there is no pose"),
        ] {
            let said = problem(text);
            assert!(
                said.starts_with("m.txt") && said.contains(line) && said.contains(words),
                "{text:?}: {said}"
            );
        }
    }
}
