//! `kontakt moving`: first contact of moving bodies.

mod common;

use common::{Folder, error, json, kontakt, stdout, text};
use std::fmt::Write;
use std::path::Path;

/// A tetrahedron with its corner at the origin, edges of length 1 along the axes.
const CORNER: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const STILL: &str = "0 0 0 0 0 0 1\n0 0 0 0 0 0 1\n";

#[test]
fn a_body_that_falls_onto_another_is_caught_in_time() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", CORNER), folder.file("b.obj", CORNER));
    // B comes down from z = 3 to z = -1 beside the edge: its corner meets A's tip (0, 0, 1) at half time. Then one that stays away.
    let moves = "0 0 3 0 0 0 1\n0 0 -1 0 0 0 1\n5 5 5 0 0 0 1\n5 5 -5 0 0 1 0\n";
    let (ma, mb) = (folder.file("a.txt", STILL.repeat(2)), folder.file("b.txt", moves));
    let options = ["moving", text(&a), text(&b), "--motions-a", text(&ma), "--motions-b", text(&mb)];
    let report = json(&options);
    assert_eq!((&report["hits"], &report["free"], &report["undecided"]), (&1.into(), &1.into(), &0.into()));
    let hit = &report["results"][0];
    let (lo, hi) = (hit["t_lo"].as_f64().unwrap(), hit["t_hi"].as_f64().unwrap());
    assert!(lo <= 0.5 && hi >= 0.5 && hi - lo <= 1e-6, "{hit}");
    assert_eq!(hit["initial"], "separate");
    assert_eq!(report["results"][1]["hit"], false);
    assert!(report["seconds_per_query"]["median"].as_f64().is_some_and(|seconds| seconds > 0.0));
    let shown = stdout(&kontakt(options));
    assert!(shown.contains("contact  in 1, proven free 1, undecided 0"), "{shown}");
    // The times found are there to be read, not only counted.
    let rows: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["motion", "contact", "t", "starts"], "{shown}");
    assert_eq!(rows[1][..2], ["0", "yes"], "{shown}");
    assert!((rows[1][2].parse::<f64>().unwrap() - 0.5).abs() <= 1e-6, "{shown}");
    assert_eq!(rows[2], ["1", "proven", "free", "–", "apart"], "{shown}");
}

#[test]
fn what_is_no_motion_is_said() {
    let folder = Folder::new();
    let (a, one) = (folder.file("a.obj", CORNER), folder.file("one.txt", "0 0 0 0 0 0 1\n"));
    let two = folder.file("two.txt", STILL);
    let four = folder.file("four.txt", STILL.repeat(2));
    let ask = |ma: &Path, mb: &Path| {
        error(&["moving", text(&a), text(&a), "--motions-a", text(ma), "--motions-b", text(mb)])
    };
    assert!(ask(&one, &two).contains("1 poses; a motion needs two"));
    assert!(ask(&two, &four).contains("1 motions in"));
    let far = [
        "moving",
        text(&a),
        text(&a),
        "--motions-a",
        text(&two),
        "--motions-b",
        text(&two),
        "--pivot",
        "1,2",
    ];
    assert!(error(&far).contains("three finite numbers"));
}

#[test]
fn convex_shapes_move_too() {
    let folder = Folder::new();
    let ball = folder.file("ball.json", r#"{"sphere": {"radius": 1}}"#);
    let floor = folder.file("floor.JSON", r#"{"half_space": {"normal": [0, 0, 2], "offset": 0}}"#);
    let moves = "0 0 5 0 0 0 1\n3 0 -5 0 0 1 0\n0 0 5 0 0 0 1\n3 0 2 0 0 1 0\n";
    let (still, moving) = (folder.file("a.txt", STILL.repeat(2)), folder.file("b.txt", moves));
    let options =
        ["moving", text(&floor), text(&ball), "--motions-a", text(&still), "--motions-b", text(&moving)];
    let report = json(&options);
    assert_eq!(
        (&report["hits"], &report["free"], &report["certified"]),
        (&1.into(), &1.into(), &true.into())
    );
    let hit = &report["results"][0];
    let (lo, hi) = (hit["t_lo"].as_f64().unwrap(), hit["t_hi"].as_f64().unwrap());
    assert!(lo <= 0.4 && hi >= 0.4 && hi - lo <= 1e-6, "{hit}");
    assert_eq!(report["a"], "floor");
    // A mesh against a shape, in either order: its lowest corner reaches the floor at half time.
    let mesh = folder.file("a.obj", CORNER);
    for (a, b) in [(&floor, &mesh), (&mesh, &floor)] {
        let [ma, mb] = if a == &floor { [&still, &moving] } else { [&moving, &still] };
        let report = json(&["moving", text(a), text(b), "--motions-a", text(ma), "--motions-b", text(mb)]);
        let hit = &report["results"][0];
        let (lo, hi) = (hit["t_lo"].as_f64().unwrap(), hit["t_hi"].as_f64().unwrap());
        assert!(lo <= 0.5 && hi >= 0.5 - 1e-6 && hi - lo <= 1.01e-6, "{hit}");
        let up = if a == &floor { 1.0 } else { -1.0 };
        assert!((hit["normal"][2].as_f64().unwrap() - up).abs() < 1e-9, "{hit}");
        assert_eq!(report["results"][1]["hit"], false);
    }
    // Methods of the laboratory are for meshes; bad shapes are refused.
    let motions = ["--motions-a", text(&still), "--motions-b", text(&moving)];
    let refused = |a: &Path, b: &Path, more: &[&str]| {
        error(&[&["moving", text(a), text(b)], &motions[..], more].concat())
    };
    assert!(refused(&mesh, &ball, &["--method", "linear"]).contains("is for meshes"));
    let bad = folder.file("bad.json", r#"{"sphere": {"radius": -1}}"#);
    assert!(refused(&bad, &ball, &[]).contains("the radius of a sphere"));
    let more = folder.file("more.json", r#"{"sphere": {"radius": 1}} x"#);
    assert!(refused(&more, &ball, &[]).contains("more.json"));
}

#[test]
fn laboratory_methods_are_marked() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a.obj", CORNER), folder.file("b.obj", CORNER));
    // The second comes from aside, passes through and goes on: what looks at the end only misses it.
    let moves = "0.2 0.2 3 0 0 0 1\n0.2 0.2 -3 0 0 0 1\n0.1 0.2 3 0 0 0 1\n0.1 0.2 0.1 0 0 0 1\n";
    let (ma, mb) = (folder.file("a.txt", STILL.repeat(2)), folder.file("b.txt", moves));
    let options = ["moving", text(&a), text(&b), "--motions-a", text(&ma), "--motions-b", text(&mb)];
    let certified = json(&options);
    assert_eq!((&certified["hits"], &certified["certified"]), (&2.into(), &true.into()));
    for method in [
        "linear",
        "regula-falsi-interpolated",
        "quadratic",
        "sampling",
        "sampling-regula-falsi",
        "mixed-sampling",
        "conservative-advancement",
    ] {
        let report = json(&[&options[..], &["--method", method]].concat());
        assert_eq!((&report["certified"], &report["method"]), (&false.into(), &method.into()));
        let found = if method.starts_with("mixed") { 1 } else { 2 };
        assert_eq!(report["hits"], found, "{method}");
        let (truth, hit) = (&certified["results"][1], &report["results"][1]);
        let late = hit["t_lo"].as_f64().unwrap() - truth["t_lo"].as_f64().unwrap();
        assert!(late.abs() < 1e-4, "{method} {late}");
    }
    assert!(error(&[&options[..], &["--method", "guess"]].concat()).contains("guess"));
}

/// A cube of six squares as one file, and as two files of triangles. `check` called a face 3, as the file does, where `moving` and `path`
/// said 6 or 7, the triangle's number.
#[test]
fn faces_have_the_numbers_of_the_file() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", common::CUBE);
    let (still, moves) =
        (folder.file("a.txt", STILL), folder.file("b.txt", "9 0.25 0.5 0 0 0 1\n-9 0.25 0.5 0 0 0 1\n"));
    let options =
        ["moving", text(&cube), text(&cube), "--motions-a", text(&still), "--motions-b", text(&moves)];
    let hit = json(&options)["results"][0].clone();
    assert!(hit["normal"][0].as_f64().is_some_and(|x| (x - 1.0).abs() < 1e-6), "{hit}");
    let squares = common::CUBE.lines().filter(|line| line.starts_with("f ")).count() as u64;
    for feature in hit["features"].as_array().unwrap() {
        let face = feature["face"].as_u64();
        assert!(face.is_none_or(|face| face < squares), "{hit}");
    }
}

/// `--threads` was not heard; and a question ends where its time does.
#[test]
fn threads_and_time_limits_hold() {
    let folder = Folder::new();
    let a = folder.file("a.obj", CORNER);
    let mut moves = String::new();
    for k in 0..700 {
        let x = f64::from(k % 13) * 0.1 - 0.6;
        writeln!(moves, "{x} 0.2 3 0 0 0 1\n{} 0.1 -3 0 0 0.6 0.8", -x).expect("a string");
    }
    let (still, moves) = (folder.file("a.txt", STILL.repeat(700)), folder.file("b.txt", moves));
    let options = ["moving", text(&a), text(&a), "--motions-a", text(&still), "--motions-b", text(&moves)];
    let on = |more: [&'static str; 2]| json(&[&options[..], &more[..]].concat());
    let report = on(["--threads", "1"]);
    assert_eq!(report["results"], on(["--threads", "3"])["results"]);
    // No answer is no success.
    let cut = error(&[&options[..], &["--time-limit", "0"]].concat());
    assert!(cut.contains("the time limit was reached before the first motion"), "{cut}");
}
