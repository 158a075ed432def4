//! Reads STEP and SAT files and prints what is in them, and how fast: `cargo run --release -p kontakt-io --example read_curved FILES`.

use kontakt_io::{CurvedFile, ReadError, ReadOptions, read_sat, read_step};
use kontakt_math::DVec3;
use std::path::Path;
use std::time::Instant;

fn read(path: &Path) -> Result<CurvedFile, ReadError> {
    let is_sat = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sat"));
    let read = if is_sat { read_sat } else { read_step };
    read(path, &ReadOptions::default())
}

fn main() {
    for argument in std::env::args_os().skip(1) {
        let path = Path::new(&argument);
        let megabytes = std::fs::metadata(path).map_or(0.0, |about| about.len() as f64 / 1e6);
        let mut seconds = f64::INFINITY;
        for _ in 0..5 {
            let start = Instant::now();
            let _ = std::hint::black_box(read(path));
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        match read(path) {
            Err(error) => println!("{error}"),
            Ok(file) => print(path, &file, megabytes / seconds),
        }
    }
}

fn print(path: &Path, file: &CurvedFile, speed: f64) {
    let CurvedFile { bodies, report } = file;
    let faces: usize = bodies.iter().map(|body| body.brep.faces().len()).sum();
    println!(
        "{}: {} bodies with {faces} faces, {} solids, {} sheets, {speed:.0} MB/s",
        path.display(),
        bodies.len(),
        report.solids,
        report.sheets
    );
    println!("  {} by {}; {} products", report.schema, report.writer, report.products.len());
    println!(
        "  units {:?}, claimed {:?}, vertex gap {:?}",
        report.length_units, report.uncertainty, report.vertex_gap
    );
    println!("  faces {:?}", report.faces);
    let ends = bodies.iter().flat_map(|body| body.brep.vertices().iter().map(|&v| body.pose.apply(v)));
    let low = ends.clone().reduce(DVec3::min).unwrap_or_default();
    let high = ends.reduce(DVec3::max).unwrap_or_default();
    println!("  vertices from {low:.3} to {high:.3}");
    for body in bodies.iter().take(20) {
        println!("    {} in {:?}, colour {:?}, #{}", body.name, body.path, body.colour, body.id);
    }
    for ((entity, why), count) in report.losses_by_kind() {
        println!("  lost {count} x {entity}: {why}");
    }
    for loss in report.losses.iter().take(10) {
        println!("    {loss}");
    }
    for repair in report.repairs.iter().take(10) {
        println!("  repaired: {repair}");
    }
}
