//! A nut carried through a thin sheet between two poses of its path: what a test at the poses alone does not see.

use super::assembly::{SIDES, lathe, point, square};
use crate::command::path::{self, Checked};
use crate::failure::Failure;
use crate::reading::Reading;
use kontakt::math::{DVec3, Interpolation, Pose};
use kontakt::rigid_ccd::path::{PathOptions, Segment};
use kontakt::scene::Exceptions;
use kontakt::schedule::Deadline;
use kontakt::shapes::{Body, make};
use kontakt_load::parts::scene_of;
use kontakt_load::ready::build_all;
use std::error::Error;

/// Millimetres from one pose to the next, more than the nut is high.
const STEP: f64 = 14.0;
/// Poses of the path.
const POSES: u32 = 6;

/// Checks the path as `kontakt path` would.
pub(crate) fn checked() -> Result<Checked, Failure> {
    let broken = |error: Box<dyn Error>| Failure::Usage(format!("the demo's own path is wrong: {error}"));
    let scene =
        scene_of(&build_all(bodies().map_err(broken)?, &Reading::default().options(Deadline::NEVER))?);
    let segments = segments().map_err(broken)?;
    path::judged(&scene, 1, &segments, &Exceptions::default(), &PathOptions::default(), Deadline::NEVER)
}

/// The nut, which moves; a sheet of 0.2 mm across its way and a post beside it.
fn bodies() -> Result<Vec<Body>, Box<dyn Error>> {
    let sheet = |z: f64| lathe(&[point(z), square(30.0, z), square(30.0, z + 0.2), point(z + 0.2)], false);
    let post = lathe(&[point(-40.0), square(4.0, -40.0), square(4.0, 60.0), point(60.0)], false)?;
    let beside = post.vertices().iter().map(|&v| v + DVec3::new(14.0, 0.0, 0.0)).collect();
    let post = kontakt::shapes::FaceSet::from_triangles(beside, post.triangles().to_vec())?;
    let body = |name: &str, faces| Body { name: name.into(), faces };
    Ok(vec![
        body("nut", make::hex_nut(14.0, 8.0, 8.0, SIDES)?),
        body("sheet", sheet(19.0)?),
        body("post", post),
    ])
}

/// Straight down, turning a little, a pose a second.
fn segments() -> Result<Vec<Segment>, Box<dyn Error>> {
    let pose = |k: u32| {
        let down = DVec3::new(0.0, 0.0, 40.0 - STEP * f64::from(k));
        Pose::from_axis_angle(DVec3::Z, 0.3 * f64::from(k), down)
    };
    let poses: Vec<Pose> = (0..POSES).map(pose).collect::<Result<_, _>>()?;
    let times: Vec<f64> = (0..POSES).map(f64::from).collect();
    Ok(Segment::between(&times, &poses, Interpolation::Slerp { pivot: DVec3::ZERO })?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt::rigid_ccd::path::PathVerdict;

    #[test]
    fn the_test_at_the_poses_is_fooled() {
        let checked = checked().unwrap();
        let report = checked.report();
        assert_eq!((report.at_poses, report.verdict()), (PathVerdict::Free, PathVerdict::Contact));
        let open: Vec<bool> =
            report.segments.iter().map(|segment| segment.verdict != PathVerdict::Free).collect();
        assert_eq!(open, [false, true, false, false, false], "only the segment through the sheet");
    }
}
