//! `kontakt query`, driven as a user would.

mod common;

use common::{CUBE, Folder, boxes, error, json, kontakt, range, stdout, text};
use serde_json::json;

#[test]
fn rays_hit_the_nearest_face_in_their_way() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let rays =
        folder.file("rays.txt", "0.25 0.5 -3 0 0 2\n0.25,0.5,5,0,0,1\n0.5 0.25 0.5 1 0 0 # from inside\n");
    let report = json(&["query", text(&cube), "--rays", text(&rays)]);
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert_eq!((&results[0]["hit"], &results[0]["t"]), (&json!(true), &json!(1.5)));
    assert_eq!(results[0]["point"], json!([0.25, 0.5, 0.0]));
    assert_eq!(results[0]["normal"], json!([0.0, 0.0, -1.0]));
    assert_eq!((&results[0]["body"], &results[0]["face"]), (&json!("cube.obj:cube"), &json!(0)));
    assert_eq!(results[1], json!({ "hit": false }));
    assert_eq!(results[2]["point"], json!([1.0, 0.25, 0.5]));
    let shown = stdout(&kontakt(["query", text(&cube), "--rays", text(&rays)]));
    assert!(shown.contains("2 of 3 rays hit") && shown.contains("no hit"), "{shown}");
}

#[test]
fn points_know_where_they_are() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let points = folder.file("points.txt", "0.5 0.5 0.25\n4 0.5 5\n1 0.5 0.5\n");
    let report = json(&["query", text(&cube), "--points", text(&points)]);
    let results = report["results"].as_array().unwrap();
    for (result, inside, verdict, distance, point) in [
        (&results[0], json!(true), "inside", 0.25, json!([0.5, 0.5, 0.0])),
        (&results[1], json!(false), "outside", 5.0, json!([1.0, 0.5, 1.0])),
        (&results[2], json!(null), "on_boundary", 0.0, json!([1.0, 0.5, 0.5])),
    ] {
        assert_eq!((&result["inside"], &result["verdict"]), (&inside, &json!(verdict)), "{result}");
        let (lo, hi) = range(&result["distance"]);
        assert!(lo <= distance && hi >= distance && hi - lo < 1e-12, "{result}");
        assert_eq!(result["point"], point);
    }
}

#[test]
fn the_nearest_of_several_bodies_answers() {
    let folder = Folder::new();
    let two = boxes(&[("left", [0.0; 3], [1.0; 3]), ("right", [0.5, 0.0, 0.0], [3.0, 1.0, 1.0])]);
    let file = folder.file("two.obj", two);
    let points = folder.file("points.txt", "0.75 0.5 0.5\n3.25 0.5 0.5\n9 0.5 0.5");
    let report = json(&["query", text(&file), "--points", text(&points)]);
    let results = report["results"].as_array().unwrap();
    assert_eq!(results[0]["inside"], true, "inside both is inside");
    assert_eq!(results[1]["body"], "two.obj:right");
    assert!((6..12).contains(&results[1]["face"].as_u64().unwrap()), "faces count in the file's order");
    assert_eq!(results[2]["inside"], false);
}

#[test]
fn bad_lines_are_named() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let rays = folder.file("rays.txt", "0 0 0 1 0 0\n0 0 0 0 0 0\n");
    let message = error(&["query", text(&cube), "--rays", text(&rays)]);
    assert!(message.contains("rays.txt, line 2") && message.contains("no direction"), "{message}");
    let points = folder.file("points.txt", "1 2\n");
    assert!(error(&["query", text(&cube), "--points", text(&points)]).contains("2 numbers where 3"));
    assert!(error(&["query", text(&cube)]).contains("--rays"));
    assert!(
        error(&["query", text(&cube), "--rays", text(&rays), "--points", text(&points)]).contains("--points")
    );
}
