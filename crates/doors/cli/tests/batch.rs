//! `kontakt batch`, driven as a user would.

mod common;

use common::{Folder, boxes, error, json, kontakt, range, stderr, stdout, text};
use serde_json::Value;
use std::path::PathBuf;

/// A unit cube each, and poses that put B beside (gap 1), at (touching), into and inside A's scaled-up neighbour.
struct Scene {
    folder: Folder,
    a: PathBuf,
    b: PathBuf,
    poses: PathBuf,
}

const POSES: &str = "\
# tx ty tz qx qy qz qw
2 0 0 0 0 0 1     # gap of 1
1, 0, 0, 0, 0, 0, 1
0.5 0 0 0 0 0 1

10 0 0 0 0 0 1
";

fn scene() -> Scene {
    let folder = Folder::new();
    let a = folder.file("a.obj", boxes(&[("a", [0.0; 3], [1.0; 3])]));
    let b = folder.file("b.obj", boxes(&[("b", [0.0; 3], [1.0; 3])]));
    let poses = folder.file("poses.txt", POSES);
    Scene { folder, a, b, poses }
}

impl Scene {
    fn arguments<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let mut all = vec!["batch", text(&self.a), text(&self.b), "--poses", text(&self.poses), "--query"];
        all.extend(more);
        all
    }

    fn ask(&self, more: &[&str]) -> Value {
        json(&self.arguments(more))
    }
}

fn column(report: &Value, key: &str) -> Vec<Value> {
    report["results"].as_array().unwrap().iter().map(|result| result[key].clone()).collect()
}

#[test]
fn every_query_agrees_on_contact() {
    let scene = scene();
    let expected = serde_json::json!([false, true, true, false]);
    for query in ["contact", "pairs", "distance"] {
        let report = scene.ask(&[query]);
        assert_eq!(Value::from(column(&report, "contact")), expected, "{query}");
        assert_eq!(report["complete"], true);
        assert_eq!(report["in_contact"], 2);
    }
    let pairs = column(&scene.ask(&["pairs"]), "pairs");
    assert!(pairs[0] == 0 && pairs[1].as_u64() > Some(0) && pairs[3] == 0, "{pairs:?}");
    let distances = column(&scene.ask(&["distance"]), "distance");
    assert_eq!(range(&distances[1]), (0.0, 0.0));
    for (distance, exact) in [(&distances[0], 1.0), (&distances[3], 9.0)] {
        let (lo, hi) = range(distance);
        assert!(lo <= exact && hi >= exact && hi - lo <= 1e-12 * exact, "{distance}");
    }
}

#[test]
fn clearance_is_answered_with_what_is_certain() {
    let report = scene().ask(&["clearance", "--clearance", "1.5"]);
    assert_eq!(Value::from(column(&report, "closer")), serde_json::json!([true, true, true, false]));
    assert_eq!(report["clearance"], 1.5);
}

#[test]
fn times_and_visits_are_those_of_the_contract() {
    let report = scene().ask(&["distance"]);
    let seconds = &report["seconds_per_query"];
    let [mean, median, p99, max] = ["mean", "median", "p99", "max"].map(|key| seconds[key].as_f64().unwrap());
    assert!(mean >= 0.0 && median <= p99 && p99 <= max, "{seconds}");
    assert!(max < 1.0 && mean < 1.0, "{seconds}");
    assert!(report["visits"]["face_tests"].as_u64().is_some(), "{report}");
}

#[test]
fn pairs_are_listed_on_request_and_up_to_the_limit() {
    let scene = scene();
    let listed = scene.ask(&["pairs", "--list-pairs"]);
    for result in listed["results"].as_array().unwrap() {
        let list = result["list"].as_array().unwrap();
        assert_eq!(list.len() as u64, result["pairs"].as_u64().unwrap());
        let ids: Vec<(u64, u64)> =
            list.iter().map(|pair| (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap())).collect();
        assert!(ids.is_sorted() && ids.iter().all(|&(a, b)| a < 12 && b < 12), "{ids:?}");
    }
    let few = scene.ask(&["pairs", "--list-pairs", "--max-pairs", "3"]);
    let shown: usize = column(&few, "list").iter().map(|list| list.as_array().unwrap().len()).sum();
    assert_eq!(shown, 3);
    // Counting ends there too, and says so: three poses of a million pairs each are not counted for three lines.
    for (few, all) in few["results"].as_array().unwrap().iter().zip(listed["results"].as_array().unwrap()) {
        let (counted, pairs) = (few["pairs"].as_u64().unwrap(), all["pairs"].as_u64().unwrap());
        assert_eq!((counted, few["pairs_complete"].as_bool()), (pairs.min(3), Some(pairs <= 3)));
        assert_eq!(all["pairs_complete"], true);
    }
}

#[test]
fn answers_do_not_depend_on_threads() {
    let scene = scene();
    for query in ["contact", "pairs", "distance"] {
        let one = scene.ask(&[query, "--threads", "1"]);
        let three = scene.ask(&[query, "--threads", "3"]);
        assert_eq!(one["results"], three["results"]);
        assert_eq!(one["visits"], three["visits"]);
    }
}

#[test]
fn out_has_one_line_a_pose_and_text_has_the_times() {
    let scene = scene();
    let out = scene.folder.path("results.jsonl");
    let output = kontakt(scene.arguments(&["distance", "--out", text(&out)]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("median"), "{}", stdout(&output));
    let lines: Vec<Value> = std::fs::read_to_string(&out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(Value::from(lines), scene.ask(&["distance"])["results"]);
}

#[test]
fn a_bad_pose_is_named_by_file_and_line() {
    let mut scene = scene();
    for (content, words) in [
        ("0 0 0 0 0 0 1\n\n0 0 0 0 0 0 1.1\n", "line 3: quaternion has length 1.1"),
        ("# nothing\n\n", "not one line"),
        ("", "not one line"),
        ("0 0 0 0 0 0 1\n0 nan 0 0 0 0 1\n", "line 2: `nan` is not a finite number"),
        ("tx,ty,tz,qx,qy,qz,qw\n", "line 1: `tx` is not a number"),
        ("0 0 0 0 0 0 1 7\n", "line 1: 8 numbers where 7"),
    ] {
        scene.poses = scene.folder.file("bad.txt", content);
        let message = error(&scene.arguments(&["contact"]));
        assert!(message.contains("bad.txt") && message.contains(words), "{content:?}: {message}");
    }
    scene.poses = scene.folder.file("bad.txt", [0xff, 0xfe, 0x00, 0x0a]);
    assert!(error(&scene.arguments(&["contact"])).contains("line 1: this is no text"));
    scene.poses = scene.folder.path("missing.txt");
    assert!(error(&scene.arguments(&["contact"])).contains("missing.txt"));
}

#[test]
fn options_that_do_not_belong_together_are_refused() {
    let scene = scene();
    assert!(error(&scene.arguments(&["clearance"])).contains("--clearance"));
    assert!(error(&scene.arguments(&["contact", "--clearance", "1"])).contains("--query clearance"));
    assert!(error(&scene.arguments(&["contact", "--list-pairs"])).contains("--query pairs"));
    assert!(error(&scene.arguments(&["potato"])).contains("distance"));
    assert!(error(&scene.arguments(&["clearance", "--clearance", "-1"])).contains("not negative"));
}

#[test]
fn a_time_limit_before_the_first_answer_is_an_error() {
    // It was exit 0 with an empty list, which a script takes for "nothing found".
    let said = error(&scene().arguments(&["contact", "--time-limit", "0"]));
    assert!(said.contains("the time limit was reached before the first pose"), "{said}");
}

/// A gap that equals the clearance keeps it, also where both are 0.
#[test]
fn nothing_is_closer_than_zero() {
    let closer = column(&scene().ask(&["clearance", "--clearance", "0"]), "closer");
    assert_eq!(closer, [false, false, false, false]);
}

/// Devices are written to, not replaced by a file of their name.
#[cfg(unix)]
#[test]
fn out_may_be_a_device() {
    let scene = scene();
    let output = kontakt(scene.arguments(&["contact", "--out", "/dev/stdout"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().filter(|line| line.starts_with("{\"contact\"")).count(), 4);
}
