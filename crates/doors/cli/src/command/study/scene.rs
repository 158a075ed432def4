//! What the contestants are measured on: a fixed body, a moving one and its recorded way. The bodies are the project's
//! own, so that anybody gets the same; public meshes join where they are present.

use super::cut::Plane;
use super::hand::{eased, unsteady};
use crate::failure::Failure;
use crate::plot::Drawing;
use kontakt::io::{ReadOptions, read};
use kontakt::math::{DVec3, Pose};
use kontakt::mesh::Mesh;
use kontakt::shapes::{FaceSet, FaceSetError, make};
use std::f64::consts::TAU;
use std::path::Path;

/// A fixed body, a moving one and its poses.
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) fixed: Mesh,
    pub(super) moving: Mesh,
    pub(super) poses: Vec<Pose>,
    /// Where it is cut for a drawing.
    plane: Plane,
}

impl Scene {
    /// A cut through the fixed body and the moving one at the start, half-way and at the end.
    pub(super) fn drawing(&self) -> Drawing {
        let mut groups = vec![("fixed".to_owned(), self.plane.cut(self.fixed.faces(), &Pose::IDENTITY))];
        let last = self.poses.len().max(1) - 1;
        for (name, place) in [("moving, at the start", 0), ("half-way", last / 2), ("at the end", last)] {
            if let Some(pose) = self.poses.get(place) {
                groups.push((name.to_owned(), self.plane.cut(self.moving.faces(), pose)));
            }
        }
        Drawing {
            title: format!("{}: {}", self.name, self.about),
            label: "a cut through the bodies".to_owned(),
            groups,
        }
    }

    fn new(
        name: &'static str,
        about: &'static str,
        fixed: Result<FaceSet, FaceSetError>,
        moving: Result<FaceSet, FaceSetError>,
        poses: Vec<Pose>,
        plane: Plane,
    ) -> Result<Scene, Failure> {
        let mesh = |faces: Result<FaceSet, FaceSetError>| {
            let faces = faces.map_err(|error| Failure::Usage(format!("the study's own body: {error}")))?;
            Mesh::new(faces).map_err(|error| Failure::Mesh { name: name.to_owned(), error })
        };
        Ok(Scene { name, about, fixed: mesh(fixed)?, moving: mesh(moving)?, poses, plane })
    }
}

/// The project's own scenes: things that are taken apart, as in the thesis's engine bay.
pub(super) fn own(detail: u32, steps: u32) -> Result<Vec<Scene>, Failure> {
    let gap = 0.02;
    let teeth = detail + 4;
    // A little beside the axis, where no vertex lies in the cut.
    let along_axis = Plane::upright(DVec3::Y * 0.003);
    Ok(vec![
        Scene::new(
            "cover",
            "a lid with its plug lifted off a ribbed housing, by an unsteady hand",
            make::housing(detail),
            make::cover(detail, gap),
            way(steps, |t| lifted(t, 0.45 * eased(t), 0.9 * gap)),
            along_axis,
        )?,
        Scene::new(
            "bulb",
            "a bulb with three lobes drawn out of the neck of its reflector",
            make::reflector(detail, gap),
            make::bulb(detail),
            way(steps, |t| lifted(t, 0.7 * eased(t), 0.9 * gap)),
            along_axis,
        )?,
        Scene::new(
            "screw",
            "a threaded rod turned out of its nut",
            make::threaded_nut(3, 0.2, gap, 3 * detail),
            make::threaded_rod(5, 0.2, 3 * detail),
            way(steps, |t| {
                let turns = 4.0 * eased(t);
                let shake = 0.25 * gap * unsteady(t);
                (DVec3::Z, -TAU * turns, DVec3::new(shake.x, shake.y, -0.2 * turns + 0.4 * shake.z))
            }),
            along_axis,
        )?,
        Scene::new(
            "gears",
            "a gear rolling around another one, flanks close",
            make::gear(teeth, 0.08, 5.min(3 + detail)),
            make::gear(teeth, 0.08, 5.min(3 + detail)),
            way(steps, |t| {
                let around = 0.9 * t;
                let apart = 2.015 + 0.02 * (9.0 * t).sin();
                // A little askew and off centre: faces in a common plane would all be decided exactly.
                let axis = DVec3::new(0.004, 0.003, 1.0);
                (
                    axis,
                    2.0 * around + TAU / (2.0 * f64::from(teeth)),
                    DVec3::new(apart * around.cos(), apart * around.sin(), 0.013),
                )
            }),
            Plane::level(DVec3::Z * 0.02),
        )?,
    ])
}

/// The public meshes of `folder` (the screw of rigid-ipc, FCL's robot in its room), if they are there.
pub(super) fn public(folder: &Path, steps: u32) -> Result<Vec<Scene>, Failure> {
    let load = |name: &str| -> Result<Option<Result<FaceSet, FaceSetError>>, Failure> {
        let path = folder.join("mesh").join(name);
        if !path.is_file() {
            return Ok(None);
        }
        let bodies = read(&path, &ReadOptions::default())?.bodies;
        Ok(bodies.into_iter().next().map(|body| Ok(body.faces)))
    };
    let mut scenes = Vec::new();
    if let (Some(nut), Some(screw)) = (load("nut-big.obj")?, load("screw-big.obj")?) {
        let height = nut.as_ref().map_or(1.0, |nut| extent(nut).z);
        let middle = nut.as_ref().map_or(DVec3::ZERO, centre);
        scenes.push(Scene::new(
            "screw-big",
            "rigid-ipc's screw shaken and turned in its nut",
            nut,
            screw,
            way(steps, |t| (DVec3::Z, TAU * t, height * (0.3 * t * DVec3::Z + 0.01 * unsteady(t)))),
            Plane::level(middle),
        )?);
    }
    if let (Some(room), Some(robot)) = (load("env.obj")?, load("rob.obj")?) {
        let (size, middle) =
            room.as_ref().map_or((DVec3::ONE, DVec3::ZERO), |room| (extent(room), centre(room)));
        let body = robot.as_ref().map_or(DVec3::ZERO, centre);
        scenes.push(Scene::new(
            "env x rob",
            "FCL's robot flown through its room",
            room,
            robot,
            way(steps, |t| {
                let along = DVec3::new((TAU * t).sin(), (1.7 * TAU * t).cos(), (2.3 * TAU * t).sin());
                (DVec3::new(1.0, 0.4, 0.2), 3.0 * t, middle - body + 0.45 * along * size)
            }),
            Plane::level(middle),
        )?);
    }
    Ok(scenes)
}

/// Poses at even times of a way given by axis, angle and place; numbers that are no pose are left out.
fn way(steps: u32, at: impl Fn(f64) -> (DVec3, f64, DVec3)) -> Vec<Pose> {
    (0..steps)
        .filter_map(|i| {
            let (axis, angle, place) = at(f64::from(i) / f64::from(steps.max(2) - 1));
            Pose::from_axis_angle(axis, angle, place).ok()
        })
        .collect()
}

/// Lifted by `height` with shakes of about `shake`, tilting once it is out.
fn lifted(t: f64, height: f64, shake: f64) -> (DVec3, f64, DVec3) {
    let tilt = 0.4 * shake * (23.0 * t).sin() + 0.5 * (t - 0.75).max(0.0);
    (DVec3::new(1.0, 0.3, 0.1), tilt, DVec3::Z * (height + 0.3 * shake) + shake * unsteady(t))
}

fn extent(faces: &FaceSet) -> DVec3 {
    let (low, high) = corners(faces);
    high - low
}

fn centre(faces: &FaceSet) -> DVec3 {
    let (low, high) = corners(faces);
    low.midpoint(high)
}

fn corners(faces: &FaceSet) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    faces.vertices().iter().fold(start, |(low, high), v| (low.min(*v), high.max(*v)))
}
