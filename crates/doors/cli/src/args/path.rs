//! What was typed after `kontakt path`.

use super::moving::{Between, point};
use super::{Reading, TimeLimit, length};
use clap::{ArgGroup, Args as ClapArgs};
use kontakt::math::DVec3;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(
    after_help = HELP,
    group(ArgGroup::new("way").args(["motion", "along", "turn", "scene"]).required(true).multiple(true))
)]
pub(crate) struct Path {
    /// What moves: FILE, or `FILE:NAME` for one of its bodies; given again, all move as one
    #[arg(long, value_name = "FILE[:NAME]", required_unless_present = "scene")]
    pub(crate) moving: Vec<PathBuf>,
    /// Instead of all these: a scene file with bodies, groups and one or several motions at once (docs/scene-files.md)
    #[arg(
        long,
        value_name = "SCENE.toml",
        conflicts_with_all = ["moving", "motion", "along", "turn", "against", "allow", "distance_tolerance"]
    )]
    pub(crate) scene: Option<PathBuf>,
    /// Its poses in the world, one a line: t tx ty tz qx qy qz qw, t growing from line to line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["along", "turn"])]
    pub(crate) motion: Option<PathBuf>,
    /// Instead of a file: straight in this direction from where it is
    #[arg(long, value_name = "X,Y,Z", value_parser = direction, allow_hyphen_values = true)]
    pub(crate) along: Option<DVec3>,
    /// How far along [default: the length of --along]
    #[arg(long, value_name = "D", value_parser = positive, allow_negative_numbers = true, requires = "along")]
    pub(crate) distance: Option<f64>,
    /// Turn on the way, or on the spot: axis=X,Y,Z,through=X,Y,Z,angle=DEGREES, any of them may be left out
    #[arg(long, value_name = "TURN", value_parser = TurnArg::parse, allow_hyphen_values = true)]
    pub(crate) turn: Option<TurnArg>,
    /// What stands around: FILE or `FILE:NAME` [default: all other bodies of the files that --moving names a body of]
    #[arg(long, value_name = "FILE[:NAME]", num_args = 1..)]
    pub(crate) against: Vec<PathBuf>,
    /// Largest width of the bounds of a time of contact, in the file's time [default: a millionth of its segment]
    #[arg(long, value_name = "T", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Largest width of the bounds of the least clearance [default: a thousandth of the moving body's size]
    #[arg(long, value_name = "D", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) distance_tolerance: Option<f64>,
    /// What happens between two poses
    #[arg(long, value_enum, value_name = "HOW", default_value = "slerp", requires = "motion")]
    pub(crate) interpolate: Between,
    /// The point of the moving body, in its own coordinates, that goes straight (slerp, nlerp)
    #[arg(
        long,
        value_name = "X,Y,Z",
        default_value = "0,0,0",
        value_parser = point,
        allow_hyphen_values = true,
        requires = "motion"
    )]
    pub(crate) pivot: DVec3,
    /// Do not look at these pairs (may be repeated)
    #[arg(long, value_name = "A:B")]
    pub(crate) ignore: Vec<String>,
    /// Let these pairs touch, and interfere up to DEPTH (may be repeated)
    #[arg(long, value_name = "A:B=DEPTH")]
    pub(crate) allow: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(super) time: TimeLimit,
}

fn direction(text: &str) -> Result<DVec3, String> {
    match point(text)? {
        DVec3::ZERO => Err("0,0,0 is no direction".into()),
        direction => Ok(direction),
    }
}

/// A turn as typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TurnArg {
    pub(crate) axis: DVec3,
    /// The middle of the box around what moves where it is not given.
    pub(crate) through: Option<DVec3>,
    pub(crate) angle_deg: f64,
}

impl TurnArg {
    /// `axis=0,0,1,through=0,0,0,angle=360` in any order; these are the defaults, but for the point.
    fn parse(text: &str) -> Result<TurnArg, String> {
        let mut turn = TurnArg { axis: DVec3::Z, through: None, angle_deg: 360.0 };
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (key, after) =
                rest.split_once('=').ok_or_else(|| format!("`{rest}` has no `=`; write {TURN}"))?;
            // The value ends at the comma before the next key.
            let end = after.find('=').map_or(after.len(), |next| after[..next].rfind(',').unwrap_or(next));
            let value = &after[..end];
            let wrong = |problem: String| format!("{}: {problem}", key.trim());
            match key.trim() {
                "axis" => turn.axis = direction(value).map_err(wrong)?,
                "through" => turn.through = Some(point(value).map_err(wrong)?),
                "angle" => turn.angle_deg = degrees(value).map_err(wrong)?,
                other => return Err(format!("`{other}` is no part of a turn; write {TURN}")),
            }
            rest = after[end..].trim_start_matches(',').trim();
        }
        Ok(turn)
    }
}

/// How a turn is written.
const TURN: &str = "axis=X,Y,Z,through=X,Y,Z,angle=DEGREES";

fn degrees(text: &str) -> Result<f64, String> {
    // A million turns are more than anybody means.
    const MOST: f64 = 3.6e8;
    match text.trim().parse::<f64>() {
        Ok(angle) if angle != 0.0 && angle.abs() <= MOST => Ok(angle),
        Ok(_) => Err("a finite angle that is not 0 is wanted".into()),
        Err(_) => Err(format!("`{text}` is not a number of degrees")),
    }
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    match length(text)? {
        value if value > 0.0 => Ok(value),
        _ => Err("it must be above 0".into()),
    }
}

const HELP: &str = "\
Every segment, from one pose to the next, is judged on its own, so that later trouble shows too:
  free       proven: no contact from t0 to t1. A touch at t0 that is left at once does not count (`initial` says touching)
  contact    no contact before t_lo, contact by t_hi. A touch at t1 counts, even if the next segment leaves it; so does
             resting or sliding in touch, from t0 on
  overlap    the segment starts in overlap (t_lo = t_hi = t0), or the overlap exceeds what is allowed
  undecided  free before t_lo, open after it: the work allowed or --time-limit did not settle it
`path` is a check: the exit code is 0 if all segments are free, 1 if one is not (contact, overlap, undecided), 2 for an error. `static_verdict` is what a test at the poses alone says: where it is free
and the verdict is not, the body went through something between two poses.

Without a file: --along goes straight, times are then the way travelled; --turn turns by degrees about an axis, by default a whole
turn about z through the middle of what moves; alone its times are degrees, and with --along it is a screw. All start where the file
has the bodies. A body named FILE:NAME moves among the other bodies of its file, which need not be named; NAME may hold `*` and `?`.

A and B are a moving body and one at rest, in either order, as the report shows them (file:object), or the object's or the
file's part alone; `*` stands for any characters, `?` for one. --allow lets the surface of either body lie up to DEPTH inside
the other (interference, as `kontakt check` has it), proven for the whole segment: a bolt may leave a hole a little too narrow
for it, and a start within DEPTH is no overlap. For parts that slide in touch give a small depth, not 0. Where surfaces lie on each
other all round (one body twice), or a body is open or crosses itself, the shift that frees the pair must be within DEPTH. The
least clearance leaves out pairs that are ignored or allowed. `features`, `point` and `normal` go from the moving body to
the one at rest; `contacts` lists all pairs that meet in a segment, each at its first time.

With --scene all motions of the file run at once, on one clock, and groups move rigidly with all their bodies; every pair with a body that
moves is followed over the whole time, moving bodies among themselves too, but for those of one group.

Example: kontakt path --moving gripper.stl --motion run.txt --against cell.glb table.obj --ignore gripper.stl:part --json
         kontakt path --moving assembly.glb:plug --along 0,0,1 --distance 40
         kontakt path --moving door.glb:door --turn axis=0,0,1,through=0,0,0,angle=90
         kontakt path --scene examples/scenes/crossing.toml";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_read_in_any_order_and_the_culprit_named() {
        let whole = TurnArg { axis: DVec3::Z, through: None, angle_deg: 360.0 };
        assert_eq!(TurnArg::parse(""), Ok(whole));
        assert_eq!(TurnArg::parse("angle=-90"), Ok(TurnArg { angle_deg: -90.0, ..whole }));
        let all = TurnArg { axis: DVec3::new(1.0, -2.0, 0.5), through: Some(DVec3::X), angle_deg: 30.0 };
        assert_eq!(TurnArg::parse("angle=30,axis=1,-2,0.5,through=1,0,0"), Ok(all));
        assert_eq!(TurnArg::parse(" through = 1,0,0 , axis=1,-2,.5, angle= 30"), Ok(all));
        for (text, words) in [
            ("90", "no `=`"),
            ("axis=0,0,0", "axis: 0,0,0 is no direction"),
            ("axis=0,1", "axis: three finite numbers"),
            ("angle=0", "not 0"),
            ("angle=x", "`x` is not"),
            ("turn=4", "`turn` is no part"),
        ] {
            let problem = TurnArg::parse(text).unwrap_err();
            assert!(problem.contains(words), "{text}: {problem}");
        }
    }
}
