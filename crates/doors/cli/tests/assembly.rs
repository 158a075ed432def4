//! A whole assembly as an engineer has it: what is wrong comes first, nothing else is called a clash.

mod common;

use common::{Folder, json_exit};
use serde_json::Value;
use std::path::PathBuf;
use testbodies::assembly::{CHORD_ERROR, Faults, Part, bolted_grid, gearbox, gltf, stl};

/// The same assembly as two programs export it.
fn exported(folder: &Folder, parts: &[Part]) -> [PathBuf; 2] {
    [folder.file("gearbox.gltf", gltf(parts)), folder.file("gearbox.stl", stl(parts))]
}

/// Names without the file, and interference, of the groups that are forbidden, in the report's order.
fn forbidden(report: &Value) -> Vec<(String, String, f64)> {
    let short = |value: &Value| value.as_str().unwrap().rsplit(':').next().unwrap().to_owned();
    let groups = report["groups"].as_array().unwrap().iter().filter(|group| group["forbidden"] == true);
    let depth = |group: &Value| group["interference"][1].as_f64().unwrap_or(f64::NAN);
    groups.map(|group| (short(&group["a"]), short(&group["b"]), depth(group))).collect()
}

fn checked(path: &std::path::Path, code: i32, options: &[&str]) -> Value {
    let mut arguments = vec!["check", path.to_str().unwrap()];
    arguments.extend(options);
    json_exit(&arguments, code)
}

#[test]
fn planted_faults_come_first_and_nothing_else_is_a_clash() {
    let folder = Folder::new();
    let deviation = CHORD_ERROR.to_string();
    for path in exported(&folder, &gearbox(Faults::ALL)) {
        let report = checked(&path, 1, &["--deviation", &deviation]);
        let found = forbidden(&report);
        let names: Vec<(&str, &str)> = found.iter().map(|(a, b, _)| (a.as_str(), b.as_str())).collect();
        assert_eq!(
            names,
            [("foot", "bolt_6"), ("gear_2", "cheek_right_2"), ("bushing_right_1", "block_right_1")],
            "{found:?}"
        );
        for ((_, _, depth), truth) in found.iter().zip([2.0, 0.5, 0.3]) {
            assert!((depth - truth).abs() < 0.05, "{found:?}");
        }
    }
}

#[test]
fn without_faults_it_is_clear() {
    let folder = Folder::new();
    for path in exported(&folder, &gearbox(Faults::default())) {
        let report = checked(&path, 0, &["--deviation", "auto"]);
        assert_eq!(report["verdict"], "clear", "{:?}", forbidden(&report));
        let summary = &report["summary"];
        assert!(summary["within_tessellation"].as_u64() >= Some(20), "{summary}");
        assert!(summary["touching"].as_u64() >= Some(30), "{summary}");
    }
}

#[test]
fn a_bolted_grid_only_touches() {
    // 4 × 3 columns: in both layers 17 sides in common; in each column a ring between two blocks, and a bolt's head.
    let folder = Folder::new();
    let path = folder.file("grid.gltf", gltf(&bolted_grid(4, 3)));
    let report = checked(&path, 0, &[]);
    assert_eq!(report["verdict"], "clear", "{:?}", forbidden(&report));
    assert_eq!((&report["summary"]["bodies"], &report["summary"]["touching"]), (&48.into(), &70.into()));
}
