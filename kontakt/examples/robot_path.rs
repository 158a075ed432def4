//! A gripper on a recorded way through a cell: `cargo run --release -p kontakt --example robot_path`.
//!
//! Every segment between two poses is proven free, or says when it first touches what.

use kontakt::math::Interpolation;
use kontakt::prelude::*;
use kontakt::rigid_ccd::path::{PathOptions, Segment, Unwatched};
use kontakt::scene::check_path;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new();
    // The first body moves, the others stand.
    scene.add("gripper", Mesh::new(make::hex_nut(14.0, 8.0, 8.0, 48)?)?.into(), Pose::IDENTITY);
    scene.add(
        "fixture",
        Mesh::new(make::bumpy_ball(12, 0.1)?)?.into(),
        Pose::new(DQuat::IDENTITY, DVec3::new(30.0, 6.0, 0.0))?,
    );
    let way = [(0.0, 0.0), (20.0, 25.0), (40.0, 25.0), (60.0, 0.0), (0.0, 0.0)];
    let poses: Vec<Pose> = way
        .iter()
        .enumerate()
        .map(|(k, &(x, z))| Pose::from_axis_angle(DVec3::Y, 0.4 * k as f64, DVec3::new(x, 0.0, z)))
        .collect::<Result<_, _>>()?;
    let times: Vec<f64> = (0..poses.len()).map(|k| k as f64).collect();
    let segments = Segment::between(&times, &poses, Interpolation::Slerp { pivot: DVec3::ZERO })?;
    let (pairs, report) =
        check_path(&scene, 1, &segments, &Exceptions::default(), &PathOptions::default(), &Unwatched)?;
    for segment in &report.segments {
        let [start, end] = segment.times;
        print!("{start} s to {end} s: {:?}, free until {:.6} s", segment.verdict, segment.free_until);
        let nearest = segment.clearance.map(|clearance| clearance.range);
        println!(
            "{}",
            nearest.map_or(String::new(), |range| format!(", nearest {:.3} … {:.3}", range.lo(), range.hi()))
        );
    }
    println!("{pairs} pair, {:?}", report.verdict());
    Ok(())
}
