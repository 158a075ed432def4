//! Bodies by name: `FILE:NAME` wherever a file is asked for.

mod common;

use common::{CUBE, Folder, boxes, error, json, json_exit, kontakt, range, stdout, text};
use serde_json::json as value;
use std::fmt::Write;
use std::path::PathBuf;

/// Three boxes in a row, a gap of 1 between neighbours.
fn row(folder: &Folder) -> PathBuf {
    let unit = [1.0; 3];
    let bodies = [("left", [0.0; 3], unit), ("mid", [2.0, 0.0, 0.0], unit), ("right", [4.0, 0.0, 0.0], unit)];
    folder.file("row.obj", boxes(&bodies))
}

#[test]
fn every_command_takes_one_body_of_a_file() {
    let folder = Folder::new();
    let row = row(&folder);
    let one = |name: &str| format!("{}:{name}", text(&row));
    let (left, mid, right) = (one("left"), one("mid"), one("right"));

    let report = json(&["info", &mid]);
    assert_eq!(report["bodies"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&report["bodies"][0]["name"], &report["bodies"][0]["min"][0]),
        (&"row.obj:mid".into(), &2.0.into())
    );

    let report = json(&["distance", &left, &right]);
    let is_three = |report: &serde_json::Value| {
        let (lo, hi) = range(&report["distance"]);
        assert!(lo <= 3.0 && hi >= 3.0 && hi - lo < 1e-9, "{report}");
    };
    is_three(&report);
    // The face's number is that of the file, whichever bodies are asked about.
    assert_eq!(report["face_b"]["body"], "row.obj:right");
    assert!((12..18).contains(&report["face_b"]["face"].as_u64().unwrap()), "{report}");
    assert!((24..36).contains(&report["face_b"]["triangle"].as_u64().unwrap()), "{report}");

    let poses = folder.file("poses.txt", "2 0 0 0 0 0 1\n");
    let report = json(&["batch", &left, &mid, "--poses", text(&poses), "--query", "distance"]);
    assert_eq!(report["a"]["name"], "row.obj:left");
    is_three(&report["results"][0]);
    let faces = [0, 1].map(|k| report["results"][0]["faces"][k].as_u64().unwrap());
    assert!((0..6).contains(&faces[0]) && (6..12).contains(&faces[1]), "{report}");

    let motions = [
        folder.file("a.txt", "0 0 0 0 0 0 1\n".repeat(2)),
        folder.file("b.txt", "0 0 0 0 0 0 1\n-2 0 0 0 0 0 1\n"),
    ];
    let [still, moves] = motions.each_ref().map(|path| text(path));
    let report = json(&["moving", &left, &mid, "--motions-a", still, "--motions-b", moves]);
    let hit = &report["results"][0];
    assert!(hit["t_lo"].as_f64().unwrap() <= 0.5 && hit["t_hi"].as_f64().unwrap() >= 0.5, "{hit}");
    let feature = &hit["features"][1];
    let of_mid = |numbers: &serde_json::Value, range: std::ops::Range<u64>| {
        numbers
            .as_u64()
            .into_iter()
            .chain(numbers.as_array().into_iter().flatten().filter_map(serde_json::Value::as_u64))
            .all(|n| range.contains(&n))
    };
    assert!(
        of_mid(&feature["face"], 6..12)
            && of_mid(&feature["vertex"], 8..16)
            && of_mid(&feature["edge"], 8..16),
        "{hit}"
    );

    let points = folder.file("points.txt", "4.5 0.5 0.5\n");
    let report = json(&["query", &right, "--points", text(&points)]);
    assert_eq!(
        (&report["results"][0]["body"], &report["results"][0]["inside"]),
        (&"row.obj:right".into(), &true.into())
    );
    let rays = folder.file("rays.txt", "-9 0.5 0.5 1 0 0\n");
    let report = json(&["query", &right, "--rays", text(&rays)]);
    assert_eq!((&report["results"][0]["t"], &report["results"][0]["face"]), (&13.0.into(), &17.into()));

    let report = json(&["bound", &mid, "--volume", "aabb"]);
    assert_eq!(report["parameters"]["min"][0], 2.0);

    let report = json(&["check", &left, &mid]);
    assert_eq!(report["bodies"], value!(["row.obj:left", "row.obj:mid"]));

    let copy = folder.path("mid.stl");
    assert_eq!(json(&["convert", &mid, text(&copy)])["bodies"], 1);
    assert_eq!(json(&["info", text(&copy)])["bodies"][0]["min"][0], 2.0);
    let saved = folder.path("row.kh");
    json(&["hierarchy", "build", text(&row), "-o", text(&saved)]);
    let report = json(&["distance", &format!("{}:left", text(&saved)), &format!("{}:right", text(&saved))]);
    is_three(&report);
    assert!((12..18).contains(&report["face_b"]["face"].as_u64().unwrap()), "{report}");
}

#[test]
fn patterns_take_several_and_a_file_of_that_name_wins() {
    let folder = Folder::new();
    let row = row(&folder);
    let report = json(&["info", &format!("{}:*i*", text(&row))]);
    let names: Vec<&str> =
        report["bodies"].as_array().unwrap().iter().map(|body| body["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["row.obj:mid", "row.obj:right"]);
    // Taken together they are called by what was asked for, and their faces count as the file's.
    let probe = folder.file("probe.obj", boxes(&[("probe", [6.0, 0.0, 0.0], [1.0; 3])]));
    let report = json(&["distance", &format!("{}:*i*", text(&row)), text(&probe)]);
    assert_eq!(report["a"], "row.obj:*i*");
    assert!((12..18).contains(&report["face_a"]["face"].as_u64().unwrap()), "{report}");
    assert_eq!(report["face_a"]["body"], "row.obj:right");
    let odd = folder.file("row.obj:left", CUBE);
    let said = error(&["info", text(&odd)]);
    assert!(said.contains("unknown ending"), "the file was meant, not the body: {said}");
}

#[test]
fn a_body_that_is_not_there_is_told_with_its_neighbours() {
    let folder = Folder::new();
    let row = row(&folder);
    let said = error(&["distance", &format!("{}:lfet", text(&row)), text(&row)]);
    assert!(said.contains("row.obj: no body `lfet` in there; near it are: left"), "{said}");
    let said = error(&["check", &format!("{}:cog", text(&row)), text(&row)]);
    assert!(said.contains("there are: left, mid, right"), "{said}");
    let said = error(&["info", text(&folder.path("none.glb:plug"))]);
    assert!(said.contains("none.glb: cannot be read"), "the file is missing, not the body: {said}");
}

/// The second `c` was called `c#2`, and the object of that name `c#2#2`: a rule about `c#2` meant another body.
#[test]
fn a_number_is_never_another_body_s_name() {
    let folder = Folder::new();
    let at = |x: f64| [x, 0.0, 0.0];
    let file = folder.file(
        "c.obj",
        boxes(&[("c", at(0.0), [1.0; 3]), ("c", at(3.0), [1.0; 3]), ("c#2", at(6.0), [1.0; 3])]),
    );
    let report = json(&["info", text(&file)]);
    let found: Vec<(&str, f64)> = report["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|body| (body["name"].as_str().unwrap(), body["min"][0].as_f64().unwrap()))
        .collect();
    assert_eq!(found, [("c.obj:c", 0.0), ("c.obj:c#3", 3.0), ("c.obj:c#2", 6.0)]);
    assert_eq!(json(&["info", &format!("{}:c#2", text(&file))])["bodies"][0]["min"][0], 6.0);
    // A file that is named twice: its copies take no name that it has itself.
    let report = json_exit(&["check", text(&file), text(&file)], 1);
    assert_eq!(
        report["bodies"],
        value!(["c.obj:c", "c.obj:c#3", "c.obj:c#2", "c.obj:c#4", "c.obj:c#3#2", "c.obj:c#2#2"])
    );
}

/// Two files of one name are told apart, here as in a check.
#[test]
fn info_names_every_body_once() {
    let folder = Folder::new();
    for sub in ["x", "y"] {
        std::fs::create_dir(folder.path(sub)).unwrap();
    }
    let [x, y] = ["x/part.obj", "y/part.obj"].map(|name| folder.file(name, CUBE));
    let report = json(&["info", text(&x), text(&y)]);
    let expected = [&x, &y].map(|path| format!("{}:cube", text(path)));
    assert_eq!(
        [&report["bodies"][0]["name"], &report["bodies"][1]["name"]],
        [expected[0].as_str(), &expected[1]]
    );
}

/// The nearest surface may be that of a body which does not hold the point.
#[test]
fn a_point_is_told_by_the_body_that_holds_it() {
    let folder = Folder::new();
    let file = folder.file("two.obj", boxes(&[("big", [0.0; 3], [10.0; 3]), ("small", [4.0; 3], [1.0; 3])]));
    let points = folder.file("points.txt", "5.25 4.5 4.5\n4.5 4.5 4.75\n20 5 5\n");
    let report = json(&["query", text(&file), "--points", text(&points)]);
    let results = report["results"].as_array().unwrap();
    let told = |k: usize| [&results[k]["body"], &results[k]["nearest_body"], &results[k]["held_by"]];
    let (big, small) = (value!("two.obj:big"), value!("two.obj:small"));
    assert_eq!(told(0), [&big, &small, &value!(["two.obj:big"])]);
    assert_eq!(told(1), [&small, &small, &value!(["two.obj:big", "two.obj:small"])]);
    assert_eq!(told(2), [&big, &big, &value!([])]);
    let shown = stdout(&kontakt(["query", text(&file), "--points", text(&points)]));
    assert!(shown.lines().nth(1).is_some_and(|row| row.contains("inside   two.obj:big")), "{shown}");
}

/// Faces that were cut into triangles are one face here as everywhere.
#[test]
fn info_counts_the_faces_of_the_file() {
    let folder = Folder::new();
    let bent = folder.file("bent.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0.5\nv 0 1 0\nf 1 2 3 4\n");
    let body = &json(&["info", text(&bent)])["bodies"][0];
    assert_eq!((&body["faces"], &body["triangles"]), (&1.into(), &2.into()));
    let copy = folder.path("bent.ply");
    assert_eq!(json(&["convert", text(&bent), text(&copy)])["faces"], 1);
}

/// A cube with four vertices of its own for every face, as glTF has them for their normals: nothing is wrong with it.
#[test]
fn vertices_at_one_place_are_no_defect() {
    let folder = Folder::new();
    let corners: Vec<[f64; 3]> =
        CUBE.lines().filter_map(|line| line.strip_prefix("v ")).map(numbers).collect();
    let faces = CUBE.lines().filter_map(|line| line.strip_prefix("f "));
    let mut split = String::new();
    for face in faces {
        for corner in face.split_whitespace() {
            let [x, y, z] = corners[corner.parse::<usize>().unwrap() - 1];
            writeln!(split, "v {x} {y} {z}").unwrap();
        }
        split += "f -4 -3 -2 -1\n";
    }
    let file = folder.file("split.obj", split);
    let body = &json(&["info", text(&file)])["bodies"][0];
    assert_eq!((&body["closed"], &body["duplicate_vertices"]), (&true.into(), &16.into()));
    let shown = stdout(&kontakt(["info", text(&file)]));
    assert!(shown.contains("defects: none") && !shown.contains("place of another"), "{shown}");
}

fn numbers(line: &str) -> [f64; 3] {
    let numbers: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}
