//! The JSON of every command: it says what it is, and it is the same in every run and with any number of threads, times aside.

mod common;
#[path = "../../io/tests/step_draft/mod.rs"]
mod step_draft;

use common::{CUBE, Folder, boxes, kontakt, stderr, stdout, text};
use serde_json::Value;

/// Keys whose values are times, which no two runs share.
const TIMES: [&str; 2] = ["seconds", "seconds_per_query"];

fn without_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                if TIMES.contains(&key.as_str()) {
                    *value = Value::Null;
                } else {
                    without_times(value);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// A vertex that falls through a triangle.
const FALLING: &str = "1,4,1,4,1,1,1\n0,1,0,1,0,1,1\n1,1,0,1,0,1,1\n0,1,1,1,0,1,1\n1,4,1,4,-1,1,1\n0,1,0,1,0,1,1\n1,1,0,1,0,1,1\n0,1,1,1,0,1,1\n";

#[test]
fn every_document_names_its_schema_and_is_the_same_byte_by_byte() {
    let folder = Folder::new();
    let scene = boxes(&[
        ("a", [0.0; 3], [1.0; 3]),
        ("b", [1.0, 0.25, 0.0], [1.0; 3]),
        ("c", [0.5, 0.5, 0.5], [1.0; 3]),
        ("d", [5.0, 0.0, 0.0], [1.0; 3]),
    ]);
    let scene = folder.file("scene.obj", scene);
    let cube = folder.file("cube.obj", CUBE);
    let [cloth, moved] = [("cloth.obj", "0.2 0.2 1"), ("moved.obj", "0.2 0.2 -1")].map(|(name, tip)| {
        folder.file(name, format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nv {tip}\nv 3 3 3\nv 3 4 3\nf 4 5 6\n"))
    });
    let poses = folder.file("poses.txt", "0 0 3 0 0 0 1\n0 0 -1 0 0 0.6 0.8\n".repeat(300));
    let still = folder.file("still.txt", "0 0 0 0 0 0 1\n".repeat(600));
    let motion = folder.file("motion.txt", "0 0 0 5 0 0 0 1\n1 0 0 -5 0 0 0.6 0.8\n2 0 5 0 0 0 0 1\n");
    let points = folder.file("points.txt", "0.5 0.5 0.5\n9 9 9\n".repeat(300));
    let rays = folder.file("rays.txt", "-5 0.3 0.4 1 0 0\n");
    let pairs = folder.file(
        "pairs.json",
        r#"{"pairs":[{"a":{"sphere":{"radius":1}},"b":{"box":{"half":[1,1,1]}},"pose_b":[1.5,0,0,0,0,0,1]}]}"#,
    );
    let mut draft = step_draft::Draft::default();
    let solid = draft.cuboid([5.5, 0.0, 0.0], [6.5, 1.0, 1.0]);
    let model = folder.file("model.step", draft.part("block", solid));
    let model = text(&model);
    let falling = folder.file("vertex-face.csv", FALLING);
    let (stl, saved) = (folder.path("out.stl"), folder.path("out.kh"));
    let [scene, cube, cloth, moved, poses, still, motion, points, rays, pairs, falling, stl, saved] = [
        &scene, &cube, &cloth, &moved, &poses, &still, &motion, &points, &rays, &pairs, &falling, &stl,
        &saved,
    ]
    .map(|p| text(p));
    let d = format!("{scene}:d");
    let commands: Vec<(&str, Vec<&str>)> = vec![
        ("kontakt.demo/1", vec!["demo"]),
        ("kontakt.info/1", vec!["info", scene]),
        ("kontakt.convert/1", vec!["convert", scene, stl]),
        ("kontakt.info/1", vec!["info", model]),
        ("kontakt.convert/1", vec!["convert", model, stl]),
        ("kontakt.check/1", vec!["check", scene, model, "--clearance", "0.5"]),
        ("kontakt.distance/1", vec!["distance", scene, model]),
        ("kontakt.bound/1", vec!["bound", model, "--volume", "obb"]),
        ("kontakt.query/1", vec!["query", model, "--points", points]),
        ("kontakt.batch/1", vec!["batch", scene, model, "--poses", poses, "--query", "distance"]),
        ("kontakt.path/1", vec!["path", "--moving", model, "--along", "1,0,0", "--against", cube]),
        ("kontakt.bound/1", vec!["bound", scene, "--volume", "obb"]),
        ("kontakt.bound/1", vec!["bound", scene, "--volume", "all", "--each"]),
        ("kontakt.hierarchy-build/1", vec!["hierarchy", "build", scene, "-o", saved]),
        ("kontakt.hierarchy-info/1", vec!["hierarchy", "info", saved]),
        ("kontakt.check/1", vec!["check", scene, "--clearance", "0.5"]),
        ("kontakt.distance/1", vec!["distance", scene, cube, "--pose-b", "0 0 9 0 0 0 1"]),
        ("kontakt.query/1", vec!["query", scene, "--points", points]),
        ("kontakt.query/1", vec!["query", scene, "--rays", rays]),
        ("kontakt.batch/1", vec!["batch", scene, cube, "--poses", poses, "--query", "pairs", "--list-pairs"]),
        ("kontakt.batch/1", vec!["batch", scene, cube, "--poses", poses, "--query", "distance"]),
        ("kontakt.convex/1", vec!["convex", pairs, "--query", "contact"]),
        ("kontakt.ccd/1", vec!["ccd", falling]),
        ("kontakt.ccd-mesh/1", vec!["ccd", "--from", cloth, "--to", moved]),
        ("kontakt.moving/1", vec!["moving", scene, cube, "--motions-a", still, "--motions-b", poses]),
        ("kontakt.path/1", vec!["path", "--moving", cube, "--motion", motion, "--against", scene]),
        ("kontakt.path/1", vec!["path", "--moving", &d, "--along", "-1,0,0", "--distance", "9"]),
        ("kontakt.take-out/1", vec!["take-out", &d, "--all"]),
        ("kontakt.broad/1", vec!["broad", "--bodies", "300", "--steps", "9"]),
    ];
    for (schema, arguments) in commands {
        let page = documented(schema);
        let run = |threads: &str| {
            let output = kontakt([&arguments[..], &["--json", "--threads", threads]].concat());
            assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {}", stderr(&output));
            let shown = stdout(&output);
            let mut document: Value = serde_json::from_str(&shown).unwrap();
            let first = if document.is_array() { &document[0] } else { &document };
            assert_eq!(first["schema"], schema, "{arguments:?}");
            let mut missing = Vec::new();
            unnamed(&document, &page, &mut missing);
            assert!(missing.is_empty(), "docs/json.md does not name {missing:?} of {schema}");
            let whole = document.clone();
            without_times(&mut document);
            // Byte by byte where no time is in it.
            if document == whole { shown } else { document.to_string() }
        };
        let one = run("1");
        for threads in ["1", "2", "5"] {
            assert!(one == run(threads), "{arguments:?} with {threads} threads differs from one");
        }
    }
}

/// The part of the page about a schema, and what is common to all.
fn documented(schema: &str) -> String {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/json.md")).unwrap();
    let about = |title: &str| {
        page.split("\n## ").find(|part| part.lines().next().is_some_and(|line| line.contains(title)))
    };
    let own = about(schema).unwrap_or_else(|| panic!("docs/json.md has no part about {schema}"));
    format!("{own}\n{}", about("Common").unwrap())
}

/// Every key of a document that the page does not name.
fn unnamed(value: &Value, page: &str, missing: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                if !page.contains(&format!("`{key}`")) {
                    missing.push(key.clone());
                }
                // These depend on the kind of volume, and the demo's parts are reports of other commands.
                if key != "parameters" && !page.starts_with("demo") {
                    unnamed(value, page, missing);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| unnamed(value, page, missing)),
        _ => {}
    }
}

#[test]
fn every_schema_is_documented() {
    for name in ["demo", "check", "study"] {
        assert!(!documented(&format!("kontakt.{name}/1")).is_empty());
    }
}
