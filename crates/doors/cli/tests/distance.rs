//! `kontakt distance`, driven as a user would.

mod common;

use common::{Folder, boxes, error, json, kontakt, range, stdout, text};

/// Two cubes whose nearest points are a corner of each, 3-4-12 apart.
fn corner_to_corner(folder: &Folder) -> [std::path::PathBuf; 2] {
    let a = folder.file("a.obj", boxes(&[("a", [0.0; 3], [1.0; 3])]));
    let b = folder.file("b.obj", boxes(&[("b", [4.0, 5.0, 13.0], [1.0; 3])]));
    [a, b]
}

#[test]
fn distance_points_and_faces_of_two_cubes() {
    let folder = Folder::new();
    let [a, b] = corner_to_corner(&folder);
    let report = json(&["distance", text(&a), text(&b)]);
    let (lo, hi) = range(&report["distance"]);
    assert!(lo <= 13.0 && hi >= 13.0 && hi - lo < 1e-12 * 14.0, "{report}");
    assert_eq!(report["point_a"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(report["point_b"], serde_json::json!([4.0, 5.0, 13.0]));
    assert_eq!(report["contact"], false);
    assert_eq!(report["face_a"]["body"], "a.obj:a");
    assert!(report["face_b"]["face"].as_u64().unwrap() < 6);
    let shown = stdout(&kontakt(["distance", text(&a), text(&b)]));
    assert!(shown.contains("13") && shown.contains("(4, 5, 13)"), "{shown}");
}

#[test]
fn poses_move_the_bodies() {
    let folder = Folder::new();
    let [a, b] = corner_to_corner(&folder);
    // A quarter turn about z takes B's box to x in [-6, -5], y in [4, 5], z in [13, 14]; the shift brings it over A.
    let h = 0.5_f64.sqrt();
    let pose = format!("5 -4 -10 0 0 {h} {h}");
    let report = json(&["distance", text(&a), text(&b), "--pose-b", &pose]);
    let (lo, hi) = range(&report["distance"]);
    assert!(lo <= 2.0 + 1e-14 && hi >= 2.0 - 1e-14 && hi - lo < 1e-12, "{report}");
    let moved = json(&["distance", text(&a), text(&b), "--pose-a", "3,4,12,0,0,0,1"]);
    assert_eq!((range(&moved["distance"]), &moved["contact"]), ((0.0, 0.0), &true.into()), "{moved}");
    let negative = json(&["distance", text(&a), text(&b), "--pose-b", "-4 -5 -13 0 0 0 1"]);
    assert_eq!(negative["contact"], true, "a pose may begin with a minus sign");
}

#[test]
fn all_bodies_of_a_file_are_one() {
    let folder = Folder::new();
    let two = boxes(&[("far", [50.0; 3], [1.0; 3]), ("near", [0.0, 0.0, 3.0], [1.0; 3])]);
    let a = folder.file("two.obj", two);
    let b = folder.file("one.obj", boxes(&[("one", [0.0; 3], [1.0; 3])]));
    let report = json(&["distance", text(&a), text(&b)]);
    let (lo, hi) = range(&report["distance"]);
    assert!(lo <= 2.0 && hi >= 2.0 && hi - lo < 1e-12, "{report}");
    assert_eq!(report["face_a"]["body"], "two.obj:near");
    let face = report["face_a"]["face"].as_u64().unwrap();
    assert!((6..12).contains(&face), "faces count in the file's order: {report}");
}

#[test]
fn a_wrong_pose_is_explained() {
    let folder = Folder::new();
    let [a, b] = corner_to_corner(&folder);
    for (pose, words) in [
        ("0 0 0 0 0 0 2", "length 2"),
        ("0 0 0 0 0 1", "6 numbers where 7"),
        ("0 0 nan 0 0 0 1", "not a finite number"),
        ("0 0 zero 0 0 0 1", "`zero` is not a number"),
        ("", "0 numbers"),
    ] {
        let message = error(&["distance", text(&a), text(&b), "--pose-b", pose]);
        assert!(message.contains("--pose-b") && message.contains(words), "{pose}: {message}");
    }
}

#[test]
fn missing_and_empty_files_are_named() {
    let folder = Folder::new();
    let [a, _] = corner_to_corner(&folder);
    let missing = folder.path("missing.obj");
    assert!(error(&["distance", text(&a), text(&missing)]).contains("missing.obj"));
    let empty = folder.file("empty.obj", "");
    assert!(error(&["distance", text(&empty), text(&a)]).contains("empty.obj"));
}

#[test]
fn a_body_inside_the_other_has_a_distance_and_a_note() {
    let folder = Folder::new();
    let a = folder.file("a.obj", boxes(&[("a", [0.0; 3], [8.0; 3])]));
    let b = folder.file("b.obj", boxes(&[("b", [2.0; 3], [3.0; 3])]));
    let report = json(&["distance", text(&a), text(&b)]);
    let (lo, hi) = range(&report["distance"]);
    assert!(lo <= 2.0 && hi >= 2.0 && hi - lo < 1e-12, "{report}");
    assert_eq!(report["inner"], "b");
    assert!(stdout(&kontakt(["distance", text(&a), text(&b)])).contains("b.obj:b lies inside a.obj:a"));
    let [apart, other] = corner_to_corner(&folder);
    assert!(json(&["distance", text(&apart), text(&other)])["inner"].is_null());
}
