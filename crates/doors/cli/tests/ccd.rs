//! `kontakt ccd`, driven as a user would.

mod common;

use common::{Folder, error, json, json_exit, kontakt, stdout, text};

/// A vertex that falls through a triangle, and one that falls beside it; `truth` of both as given.
fn vertex_face(truth: [u8; 2]) -> String {
    let mut lines = Vec::new();
    for (x, truth) in [(1, truth[0]), (12, truth[1])] {
        for z in [1, -1] {
            lines.push(format!("{x},4,1,4,{z},1,{truth}\n"));
            lines.push(format!("0,1,0,1,0,1,{truth}\n1,1,0,1,0,1,{truth}\n0,1,1,1,0,1,{truth}\n"));
        }
    }
    lines.concat()
}

#[test]
fn decides_and_compares_with_the_truth() {
    let folder = Folder::new();
    let file = folder.file("vertex-face.csv", vertex_face([1, 0]));
    let report = json(&["ccd", text(&file)]);
    for (key, expected) in
        [("queries", 2), ("hits", 1), ("false_positives", 0), ("false_negatives", 0), ("undecided", 0)]
    {
        assert_eq!(report[key], expected, "{key}");
    }
    for key in ["mean", "median", "p99", "max"] {
        assert!(report["seconds_per_query"][key].as_f64().is_some_and(|s| s > 0.0), "{key}");
    }
    let hit = &report["results"][0];
    let (lo, hi) = (hit["t_lo"].as_f64().unwrap(), hit["t_hi"].as_f64().unwrap());
    assert!(lo <= 0.5 && hi >= 0.5 && hi - lo <= 1e-9);
    assert_eq!(hit["normal"], serde_json::json!([0.0, 0.0, -1.0]));
    assert_eq!(hit["feature_b"], serde_json::json!({ "face": 0 }));
    assert_eq!(report["results"][1]["hit"], false);
    for method in ["exact", "cardano", "bisection", "sampling-regula-falsi"] {
        assert_eq!(json(&["ccd", text(&file), "--method", method])["hits"], 1, "{method}");
    }
}

#[test]
fn a_false_verdict_is_a_failed_check() {
    let folder = Folder::new();
    let file = folder.file("q.csv", vertex_face([0, 1]));
    let report = json_exit(&["ccd", text(&file), "--kind", "vertex-face"], 1);
    assert_eq!((&report["false_positives"], &report["false_negatives"]), (&1.into(), &1.into()));
    let shown = stdout(&kontakt(["ccd", text(&file), "--kind", "vertex-face"]));
    assert!(shown.contains("1 positive, 1 negative"), "{shown}");
}

#[test]
fn separation_counts_near_misses() {
    let folder = Folder::new();
    let file = folder.file("vertex-face.csv", vertex_face([1, 0]));
    assert_eq!(json(&["ccd", text(&file), "--separation", "0.1"])["hits"], 1);
    let report = json(&["ccd", text(&file), "--separation", "3"]);
    assert_eq!(report["hits"], 2);
    assert!(report["false_positives"].is_null() && report["results"][1]["t_lo"] == 0.0);
}

#[test]
fn names_the_culprit_of_a_bad_file() {
    let folder = Folder::new();
    let good = vertex_face([1, 0]);
    for (content, problem) in [
        (good.replacen("1,4,1,4", "1,3,1,4", 1), "line 1: 1/3 is not exactly a double"),
        (good.replacen("1,4,1,4", "1,0,1,4", 1), "line 1: 1/0 has a denominator of 0"),
        (good.replacen("1,4,1,4", "nan,4,1,4", 1), "line 1: `nan` is not an integer"),
        (good.replacen(",1\n", ",2\n", 1), "line 1: `2` is no truth"),
        (good[..good.len() - 14].to_owned(), "the last query has 7 of its 8 lines"),
        (String::new(), "not one query"),
    ] {
        let file = folder.file("vertex-face.csv", &content);
        let said = error(&["ccd", text(&file)]);
        assert!(said.contains(problem), "{said}");
    }
    let file = folder.file("unnamed.csv", good);
    assert!(error(&["ccd", text(&file)]).contains("--kind"));
    let file = folder.file("edge-edge.csv", vertex_face([1, 0]));
    let said = error(&["ccd", text(&file), "--separation", "1", "--method", "cardano"]);
    assert!(said.contains("--separation"), "{said}");
}

/// A unit square of two triangles at height 0 and a triangle that is elsewhere at the start and at the end, as OBJ.
fn square_and_triangle(z: f64, last: &str) -> String {
    format!(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.3 0.2 {z}\nv 0.8 0.3 {z}\nv 0.4 0.9 {z}\nf 1 2 3\nf 1 3 4\n{last}\n"
    )
}

#[test]
fn a_mesh_that_passes_through_itself() {
    let folder = Folder::new();
    let start = folder.file("start.obj", square_and_triangle(1.0, "f 5 6 7"));
    let end = folder.file("end.obj", square_and_triangle(-3.0, "f 5 6 7"));
    let report = json(&["ccd", "--from", text(&start), "--to", text(&end)]);
    for (key, expected) in [("vertices", 7), ("edges", 8), ("faces", 3), ("bodies", 1)] {
        assert_eq!(report[key], expected, "{key}");
    }
    assert_eq!(report["contacts"], serde_json::json!({ "vertex_face": 3, "edge_edge": 2 }));
    assert!(report["candidates"]["vertex_face"].as_u64() >= Some(3) && report["complete"] == true);
    assert!(report["seconds"]["find"].as_f64().is_some() && report["seconds"]["decide"].as_f64().is_some());
    let hits = report["hits"].as_array().unwrap();
    assert_eq!((hits.len(), &hits[0]["vertex"], &hits[0]["face"]), (5, &4.into(), &0.into()));
    assert_eq!(hits[3]["edge_a"], serde_json::json!([0, 2]));
    assert!(hits.iter().all(|hit| hit["t_lo"].as_f64() <= Some(0.25) && hit["t_hi"].as_f64() >= Some(0.25)));
    for method in ["cells", "sweep", "hash", "hash-tube", "hash-three-tubes", "all-pairs"] {
        let other =
            json(&["ccd", "--from", text(&start), "--to", text(&end), "--method", method, "--memory", "1"]);
        assert_eq!(other["hits"], report["hits"], "{method}");
    }
    let few = json(&["ccd", "--from", text(&start), "--to", text(&end), "--max-pairs", "2"]);
    assert_eq!((few["hits"].as_array().unwrap().len(), &few["complete"]), (2, &false.into()));
    let between = json(&["ccd", "--from", text(&start), "--to", text(&end), "--among", "bodies"]);
    assert!(between["hits"].as_array().unwrap().is_empty());
    let shown = stdout(&kontakt(["ccd", "--from", text(&start), "--to", text(&end)]));
    assert!(shown.contains("3 vertex–face, 2 edge–edge") && shown.contains("first"), "{shown}");
}

/// Every hit says where: weights of corners or ends, points, normal; and the same for coming too close.
#[test]
fn hits_of_a_mesh_say_where() {
    let folder = Folder::new();
    let start = folder.file("start.obj", square_and_triangle(1.0, "f 5 6 7"));
    let end = folder.file("end.obj", square_and_triangle(-3.0, "f 5 6 7"));
    let report = json(&["ccd", "--from", text(&start), "--to", text(&end)]);
    let hit = &report["hits"][0];
    assert_eq!(hit["corners"], serde_json::json!([0, 1, 2]));
    // Vertex 4 at (0.3, 0.2) in the triangle (0, 0), (1, 0), (1, 1).
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    for (k, truth) in [0.7, 0.1, 0.2].into_iter().enumerate() {
        assert!((number(&hit["weights"][k]) - truth).abs() < 1e-9, "{hit}");
    }
    for side in ["point_a", "point_b"] {
        assert!((number(&hit[side][0]) - 0.3).abs() < 1e-9 && number(&hit[side][2]).abs() < 1e-8, "{hit}");
    }
    assert_eq!(hit["normal"], serde_json::json!([0.0, 0.0, -1.0]));
    let edges = &report["hits"][3];
    let sum = |side: &str| number(&edges[side][0]) + number(&edges[side][1]);
    assert!((sum("weights_a") - 1.0).abs() < 1e-12 && (sum("weights_b") - 1.0).abs() < 1e-12, "{edges}");
    assert!(hit.get("excess").is_none() && report["rounded"].as_array().unwrap().len() == 6);

    // It falls 4 in a step from height 1: within ½ at t = ⅛.
    let near = json(&["ccd", "--from", text(&start), "--to", text(&end), "--separation", "0.5"]);
    assert_eq!(near["separation"], 0.5);
    let hits = near["hits"].as_array().unwrap();
    assert!(hits.len() > report["hits"].as_array().unwrap().len());
    let first = hits.iter().find(|hit| hit["vertex"] == 4 && hit["face"] == 0).unwrap();
    assert!(number(&first["t_lo"]) <= 0.125 && (number(&first["t_hi"]) - 0.125).abs() < 1e-6, "{first}");
    assert!((number(&first["point_a"][2]) - 0.5).abs() < 1e-5 && number(&first["excess"]) <= 5e-7, "{first}");
    for method in ["sweep", "hash", "hash-tube", "hash-three-tubes", "all-pairs"] {
        let other = json(&[
            "ccd",
            "--from",
            text(&start),
            "--to",
            text(&end),
            "--separation",
            "0.5",
            "--method",
            method,
        ]);
        assert_eq!(other["hits"], near["hits"], "{method}");
    }
    let shown = stdout(&kontakt(["ccd", "--from", text(&start), "--to", text(&end), "--separation", "0.5"]));
    assert!(shown.contains("vertex 4") && shown.contains("rounded"), "{shown}");
}

#[test]
fn meshes_of_a_step_must_be_alike() {
    let folder = Folder::new();
    let start = folder.file("start.obj", square_and_triangle(1.0, "f 5 6 7"));
    let said = |content: String, more: &[&str]| {
        let end = folder.file("end.obj", content);
        let arguments = ["ccd", "--from", text(&start), "--to", text(&end)];
        error(&[&arguments, more].concat())
    };
    let good = square_and_triangle(1.0, "f 5 6 7");
    let turned = said(square_and_triangle(1.0, "f 5 7 6"), &[]);
    assert!(turned.contains("end.obj") && turned.contains("triangle 2 has the corners"), "{turned}");
    let more = said(square_and_triangle(1.0, "f 5 6 7\nf 5 6 1"), &[]);
    assert!(more.contains("4 triangles, but 3 in"), "{more}");
    assert!(said(good.clone(), &["--method", "cardano"]).contains("files of queries"));
    assert!(said(good.clone(), &["--cell", "0.5"]).contains("--method hash"));
    assert!(said(good.replace("v 0 1 0", "v 0 nan 0"), &[]).contains("line 4"));
    assert!(error(&["ccd", "--from", text(&start)]).contains("--to"));
    let file = folder.file("vertex-face.csv", vertex_face([1, 0]));
    assert!(error(&["ccd", text(&file), "--method", "hash"]).contains("--from"));
}
