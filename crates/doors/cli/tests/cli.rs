//! The real binary, driven as a user would: what it prints, writes and returns.

mod common;

use common::{CUBE, Folder, json, kontakt, stderr, stdout, text};
use serde_json::Value;
use std::fmt::Write;

#[test]
fn help_names_every_command_and_the_exit_codes() {
    let output = kontakt(["--help"]);
    assert_eq!(output.status.code(), Some(0));
    for word in [
        "demo",
        "info",
        "convert",
        "bound",
        "check",
        "distance",
        "query",
        "batch",
        "take-out",
        "drag",
        "broad",
        "FILE:NAME",
        "--quiet",
        "--json",
        "--threads",
        "Exit code",
    ] {
        assert!(stdout(&output).contains(word), "--help does not mention {word}");
    }
}

#[test]
fn a_wrong_command_is_exit_2() {
    assert_eq!(kontakt(["no-such-command"]).status.code(), Some(2));
    assert_eq!(kontakt(["info"]).status.code(), Some(2));
}

#[test]
fn demo_explains_itself_without_files() {
    let output = kontakt(["demo"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).lines().count() > 30, "{}", stdout(&output));
    assert!(!stdout(&output).contains("NaN"));
}

#[test]
fn info_knows_a_closed_cube() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let report = json(&["info", text(&cube)]);
    let body = &report["bodies"][0];
    assert_eq!(body["name"], "cube.obj:cube");
    assert_eq!((&body["vertices"], &body["faces"]), (&8.into(), &6.into()));
    assert_eq!(body["closed"], true);
    assert_eq!(body["volume"], 1.0);
    assert_eq!(body["boundary_edges"], 0);
    assert_eq!(body["euler_characteristic"], 2);
    assert_eq!(body["chord_error"], 0.0);
    let shown = stdout(&kontakt(["info", text(&cube)]));
    assert!(
        shown.contains("cube.obj:cube") && !shown.contains('\u{1b}'),
        "no colours into a pipe: {shown:?}"
    );
}

#[test]
fn info_estimates_the_chord_error_of_a_round_body() {
    let folder = Folder::new();
    let mut obj = String::from("o shaft\n");
    for z in [0.0, 8.0] {
        for k in 0..24 {
            let angle = f64::from(k) / 24.0 * std::f64::consts::TAU;
            writeln!(obj, "v {:?} {:?} {z:?}", 5.0 * angle.cos(), 5.0 * angle.sin()).unwrap();
        }
    }
    for k in 0..24 {
        let next = (k + 1) % 24;
        writeln!(obj, "f {} {} {} {}", k + 1, next + 1, next + 25, k + 25).unwrap();
    }
    let shaft = folder.file("shaft.obj", obj);
    let found = json(&["info", text(&shaft)])["bodies"][0]["chord_error"].as_f64().unwrap();
    let truth = 5.0 * (1.0 - (std::f64::consts::PI / 24.0).cos());
    assert!((found - truth).abs() < 1e-9, "{found} beside {truth}");
    let shown = stdout(&kontakt(["info", text(&shaft)]));
    assert!(shown.contains("chord error (estimated): 0.0427757"), "{shown}");
}

#[test]
fn sizes_far_apart_raise_a_units_warning() {
    let folder = Folder::new();
    let metres = folder.file("metres.obj", CUBE);
    let enlarged =
        |line: &str| if line.starts_with('v') { line.replace('1', "1000") } else { line.to_owned() };
    let millimetres =
        folder.file("millimetres.obj", CUBE.lines().map(enlarged).collect::<Vec<_>>().join("\n"));
    let report = json(&["info", text(&metres), text(&millimetres)]);
    assert!(report["warnings"][0].as_str().unwrap().contains("units"), "{report}");
    assert_eq!(json(&["info", text(&metres)])["warnings"].as_array().unwrap().len(), 0);
}

#[test]
fn an_error_names_file_and_line_and_exits_2() {
    let folder = Folder::new();
    let broken = folder.file("broken.obj", CUBE.replace("v 1 1 1", "v 1 one 1"));
    let output = kontakt(["info", text(&broken)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let message = stderr(&output);
    assert!(
        message.contains("broken.obj") && message.contains("line 9") && message.contains("one"),
        "{message}"
    );

    let faceless = folder.file("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    let output = kontakt(["bound", text(&faceless), "--volume", "sphere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no faces"), "{}", stderr(&output));

    let missing = folder.path("missing.stl");
    assert!(stderr(&kontakt(["info", text(&missing)])).contains("missing.stl"));
}

#[test]
fn convert_keeps_the_geometry_through_every_format() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let mut from = cube;
    for (to, option) in [
        ("a.ply", None),
        ("b.ply", Some("--text")),
        ("c.stl", None),
        ("d.stl", Some("--text")),
        ("e.obj", None),
    ] {
        let to = folder.path(to);
        let output = kontakt(["convert", text(&from), text(&to)].into_iter().chain(option));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let body = &json(&["info", text(&to)])["bodies"][0];
        assert_eq!(body["vertices"], 8, "{}", to.display());
        assert_eq!((&body["closed"], &body["volume"]), (&true.into(), &1.0.into()), "{}", to.display());
        from = to;
    }
}

#[test]
fn convert_to_an_unknown_ending_writes_nothing() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let output = kontakt(["convert", text(&cube), text(&folder.path("cube.xyz"))]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cube.xyz"), "{}", stderr(&output));
    assert_eq!(folder.names(), ["cube.obj"]);
}

#[test]
fn out_streams_one_json_line_a_result_and_leaves_no_debris() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let out = folder.path("result.jsonl");
    let output = kontakt(["info", text(&cube), text(&cube), "--out", text(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines: Vec<Value> = std::fs::read_to_string(&out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(folder.names(), ["cube.obj", "result.jsonl"]);
}

/// Everything that `bound` promises for every volume: its keys, and that sizes make sense for a unit cube.
#[test]
fn bound_fits_every_volume_to_a_cube() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let list = json(&["bound", text(&cube), "--volume", "all"]);
    let list = list.as_array().unwrap();
    assert!(list.len() >= 15, "only {} volumes", list.len());
    for fitted in list {
        let volume = fitted["measure"]["volume"].as_f64().unwrap();
        assert!(volume >= 1.0 - 1e-12, "{fitted}");
        assert!(volume < 8.0, "{fitted}");
        assert!(fitted["parameters"].is_object() && fitted["seconds"].is_number(), "{fitted}");
        assert!(fitted["gap"].is_number() || fitted["gap_reason"].is_string(), "{fitted}");
    }
}

#[test]
fn bound_gives_the_parameters_of_the_contract() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let sphere = json(&["bound", text(&cube), "--volume", "sphere"]);
    assert_eq!(sphere["volume"], "sphere");
    let radius = sphere["parameters"]["radius"].as_f64().unwrap();
    assert!((radius / 0.75_f64.sqrt() - 1.0).abs() < 1e-14);
    assert!(sphere["gap"].as_f64().unwrap() < 1e-14);
    let aabb = json(&["bound", text(&cube), "--volume", "aabb"]);
    assert_eq!(aabb["parameters"]["min"], serde_json::json!([0.0, 0.0, 0.0]));
    assert_eq!(aabb["parameters"]["max"], serde_json::json!([1.0, 1.0, 1.0]));
    for objective in ["volume", "surface", "diameter"] {
        for method in ["fast", "exact", "pca"] {
            let obb = json(&[
                "bound",
                text(&cube),
                "--volume",
                "obb",
                "--objective",
                objective,
                "--method",
                method,
            ]);
            assert_eq!(obb["parameters"]["axes"].as_array().unwrap().len(), 3);
            assert_eq!(obb["parameters"]["half_extents"].as_array().unwrap().len(), 3);
            assert_eq!(obb["method"], method);
        }
        let exact =
            json(&["bound", text(&cube), "--volume", "obb", "--objective", objective, "--method", "exact"]);
        // 1e-12 is what the search proves; the outward rounding of the box itself comes on top.
        assert!(exact["gap"].as_f64().unwrap() <= 1.1e-12, "{exact}");
        assert!((exact["measure"]["volume"].as_f64().unwrap() - 1.0).abs() < 1e-12, "{exact}");
    }
}

#[test]
fn a_method_belongs_to_the_box_only() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let output = kontakt(["bound", text(&cube), "--volume", "sphere", "--method", "pca"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("obb"), "{}", stderr(&output));
    let output = kontakt(["bound", text(&cube), "--volume", "potato"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("kdop14"), "the error lists what there is: {}", stderr(&output));
}

#[test]
fn info_counts_self_intersections() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let body = &json(&["info", text(&cube)])["bodies"][0];
    assert_eq!(
        (&body["self_intersections"], &body["self_intersections_complete"]),
        (&0.into(), &true.into())
    );
    // Two sheets in one body that cross like an X: 2 × 2 triangles, of which all pairs that meet are counted.
    let crossing = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3\nf 1 3 4\nv 1 -1 -1\nv 1 3 -1\nv 1 3 1\nv 1 -1 1\nf 5 6 7\nf 5 7 8\n";
    let crossing = folder.file("crossing.obj", crossing);
    let body = &json(&["info", text(&crossing)])["bodies"][0];
    assert_eq!(body["self_intersections"], 4, "{body}");
    let shown = stdout(&kontakt(["info", text(&crossing), "--max-pairs", "2"]));
    assert!(shown.contains("at least 2 self-intersecting pairs"), "{shown}");
    let body = &json(&["info", text(&crossing), "--max-pairs", "0"])["bodies"][0];
    assert!(body["self_intersections"].is_null(), "{body}");
}

/// 20 000 triangles without area at one place: comparing all of them with each other would take minutes.
#[test]
fn info_is_quick_about_heaps_of_degenerate_faces() {
    let folder = Folder::new();
    let heap =
        folder.file("heap.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\n".to_owned() + &"f 1 2 3\n".repeat(20_000));
    let body = &json(&["info", text(&heap)])["bodies"][0];
    assert_eq!((&body["degenerate_faces"], &body["self_intersections"]), (&20_000.into(), &0.into()));
}
