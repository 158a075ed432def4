//! A mesh against convex shapes: do they meet, how far apart are they?

use crate::bench::Bench;
use crate::contest::{Contender, hold};
use crate::data::scenes::Scene;
use crate::parry::double;
use crate::product;
use crate::questions::mesh_scene::{least, scenes};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::convex::{self, Shape};
use kontakt::math::{DQuat, DVec3, Pose};
use kontakt::mesh::Mesh;
use kontakt::pair::{Body, Placed, Query};
use parry3d_f64::math as parry_math;
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Cylinder, SharedShape, TriMesh};

/// Size of a shape over that of the mesh.
const SIZE: f64 = 0.15;

/// The same shape as kontakt and as parry take it.
struct Twin {
    name: &'static str,
    ours: Body,
    theirs: SharedShape,
}

/// One mesh, several shapes, many poses.
struct Setting {
    scene: Scene,
    mesh: Body,
    parrys: TriMesh,
    poses: Vec<Pose>,
    parry_poses: Vec<parry_math::Pose>,
    twins: Vec<Twin>,
}

fn points_on_ball(count: usize, radius: f64) -> Vec<DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let on = |k: usize| {
        let z = 1.0 - 2.0 * (k as f64 + 0.5) / count as f64;
        let (sin, cos) = (golden * k as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * cos, r * sin, z) * radius
    };
    (0..count).map(on).collect()
}

fn twins(size: f64) -> Result<Vec<Twin>, String> {
    let text = |error: convex::ShapeError| error.to_string();
    let vector = |v: DVec3| parry_math::Vector::from_array(v.to_array());
    let half = DVec3::new(size, 0.7 * size, 0.4 * size);
    let points = points_on_ball(32, size);
    let hull = ConvexPolyhedron::from_convex_hull(&points.iter().copied().map(vector).collect::<Vec<_>>());
    Ok(vec![
        Twin {
            name: "sphere",
            ours: Shape::sphere(size).map_err(text)?.into(),
            theirs: SharedShape::new(Ball::new(size)),
        },
        Twin {
            name: "capsule",
            ours: Shape::capsule(size, 0.4 * size).map_err(text)?.into(),
            theirs: SharedShape::new(Capsule::new_z(size, 0.4 * size)),
        },
        Twin {
            name: "box",
            ours: Shape::cuboid(half).map_err(text)?.into(),
            theirs: SharedShape::new(Cuboid::new(vector(half))),
        },
        Twin {
            name: "hull of 32",
            ours: Shape::hull(&points).map_err(text)?.into(),
            theirs: SharedShape::new(hull.ok_or("parry refuses a hull")?),
        },
        Twin {
            name: "cylinder",
            ours: Shape::cylinder(size, 0.4 * size).map_err(text)?.into(),
            theirs: SharedShape::new(Cylinder::new(size, 0.4 * size)),
        },
    ])
}

/// parry's cylinders stand along y.
fn parry_pose(pose: &Pose, name: &str) -> parry_math::Pose {
    let upright = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let turn = if name == "cylinder" { pose.rotation() * upright } else { pose.rotation() };
    parry_math::Pose::from_parts(
        parry_math::Vector::from_array(pose.translation().to_array()),
        parry_math::Rotation::from_array(turn.to_array()),
    )
}

fn settings(bench: &mut Bench) -> Vec<Setting> {
    let make = |scene: Scene| -> Result<Setting, String> {
        let (low, high) = scene.a.bounds();
        let size = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max) / 2.0;
        let faces = product::mesh::faces(&scene.a)?;
        let mesh = Body::mesh(Mesh::with_threads(faces, 1).map_err(|error| error.to_string())?);
        let pose = |pose: &crate::data::scenes::PlainPose| {
            Pose::new(DQuat::from_array(pose.rotation), DVec3::from_array(pose.translation))
        };
        let poses: Vec<Pose> =
            scene.poses.iter().map(pose).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let parrys = double::mesh(&scene.a)?;
        Ok(Setting { mesh, parrys, parry_poses: Vec::new(), poses, twins: twins(SIZE * size)?, scene })
    };
    let mut all = Vec::new();
    for scene in scenes(bench) {
        match make(scene) {
            Ok(setting) => all.push(setting),
            Err(reason) => bench.skip(reason),
        }
    }
    all
}

/// kontakt's answer and parry's, as numbers.
type Ask = (fn(&mut Query, Placed, Placed) -> f64, fn(&TriMesh, &parry_math::Pose, &SharedShape) -> f64);

fn table(
    bench: &mut Bench,
    key: &'static str,
    title: &'static str,
    (ours, theirs): Ask,
    exact: bool,
) -> Table {
    let effort = bench.effort(5, 1, 4.0);
    let mut rows = Vec::new();
    for mut setting in settings(bench) {
        for number in 0..setting.twins.len() {
            let name = setting.twins[number].name;
            setting.parry_poses = setting.poses.iter().map(|pose| parry_pose(pose, name)).collect();
            let twin = &setting.twins[number];
            let (mesh, poses) = (Placed::at_rest(&setting.mesh), &setting.poses);
            let mut query = Query::new();
            let run_ours = || {
                let ask = |&pose: &Pose| ours(&mut query, mesh, Placed::new(&twin.ours, pose));
                let (seconds, answers): (f64, Vec<f64>) =
                    crate::clock::timed(|| poses.iter().map(ask).collect());
                Ok((seconds / poses.len() as f64, answers))
            };
            let (parrys, parry_poses) = (&setting.parrys, &setting.parry_poses);
            let run_theirs = || {
                let ask = |pose: &parry_math::Pose| theirs(parrys, pose, &twin.theirs);
                let (seconds, answers): (f64, Vec<f64>) =
                    crate::clock::timed(|| parry_poses.iter().map(ask).collect());
                Ok((seconds / parry_poses.len() as f64, answers))
            };
            let all = vec![Contender::new("kontakt", run_ours), Contender::new("parry f64", run_theirs)];
            let outcomes = hold(all, effort);
            let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
            let differ = match (outcomes[0].answers.last(), outcomes[1].answers.last()) {
                (Some(own), Some(others)) => {
                    let off = |(x, y): (&f64, &f64)| if exact { f64::from(x != y) } else { (x - y).abs() };
                    let each = own.iter().zip(others).map(off);
                    if exact {
                        format!("{}", each.sum::<f64>())
                    } else {
                        format!("{:.1e}", each.fold(0.0, f64::max))
                    }
                }
                _ => "–".to_owned(),
            };
            let value = least(&times, "kontakt").zip(least(&times, "parry f64")).map(|(x, y)| x / y);
            let ratio = value.map(|value| Ratio {
                against: "parry f64",
                value,
                of_medians: None,
                at_most: Some(0.5),
            });
            rows.push(Row {
                case: format!("{}: {name}", setting.scene.name.split(' ').next().unwrap_or_default()),
                size: format!("{}", setting.scene.a.triangles.len()),
                times,
                ratio,
                facts: vec![Fact::plain("answers differ", differ)],
            });
        }
    }
    Table {
        key,
        title,
        target: "at most 0.5 of parry's call for a triangle mesh and a shape",
        notes: "Time of a query, mean over 1000 random poses; the shapes have 0.15 of the mesh's size. parry takes faces for hollow, so \
                answers differ where a shape is inside of a closed mesh.",
        unit: Unit::Microseconds,
        effort,
        rows,
    }
}

/// Whether they meet.
pub(super) fn contact(bench: &mut Bench) -> Table {
    let ours = |query: &mut Query, a: Placed, b: Placed| f64::from(query.any_contact(a, b) != Some(false));
    let theirs = |mesh: &TriMesh, pose: &parry_math::Pose, shape: &SharedShape| {
        let answer =
            parry3d_f64::query::intersection_test(&parry_math::Pose::IDENTITY, mesh, pose, &*shape.0);
        f64::from(answer.is_ok_and(|answer| answer.intersecting))
    };
    table(bench, "shape-contact", "A mesh and a convex shape: any contact", (ours, theirs), true)
}

/// How far apart they are.
pub(super) fn distance(bench: &mut Bench) -> Table {
    let ours = |query: &mut Query, a: Placed, b: Placed| query.distance(a, b).range.hi();
    let theirs = |mesh: &TriMesh, pose: &parry_math::Pose, shape: &SharedShape| {
        parry3d_f64::query::distance(&parry_math::Pose::IDENTITY, mesh, pose, &*shape.0)
            .map_or(f64::NAN, |answer| answer.distance)
    };
    table(bench, "shape-distance", "A mesh and a convex shape: distance", (ours, theirs), false)
}
