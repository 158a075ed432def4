//! `kontakt convex`, driven as a user would.

mod common;

use common::{Folder, error, json, kontakt, range, stdout, text};
use serde_json::{Value, json as value};
use std::path::PathBuf;

fn pairs(folder: &Folder, pairs: &Value) -> PathBuf {
    folder.file("pairs.json", value!({ "pairs": pairs }).to_string())
}

const UNIT: &str = r#"{"box":{"half":[1,1,1]}}"#;

fn shape(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn beside(x: f64) -> Value {
    value!({ "a": shape(UNIT), "b": shape(UNIT), "pose_b": [x, 0, 0, 0, 0, 0, 1] })
}

fn ask(folder: &Folder, list: &Value, query: &str) -> Value {
    json(&["convex", text(&pairs(folder, list)), "--query", query])
}

#[test]
fn three_boxes_beside_one() {
    let folder = Folder::new();
    let list = value!([beside(5.0), beside(2.0), beside(1.5)]);
    let relations = ["separate", "touching", "overlapping"];
    for query in ["distance", "contact", "intersect"] {
        let report = ask(&folder, &list, query);
        let results = report["results"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        for (result, relation) in results.iter().zip(relations) {
            assert_eq!(result["relation"], relation, "{query}");
        }
        let times = &report["seconds_per_query"];
        for key in ["mean", "median", "p99", "max"] {
            assert!(times[key].as_f64().unwrap() >= 0.0, "{times}");
        }
        assert_eq!(report["relations"]["overlapping"], 1);
    }
    let contact = ask(&folder, &list, "contact");
    let (apart, touching, deep) = (&contact["results"][0], &contact["results"][1], &contact["results"][2]);
    let (lo, hi) = range(&apart["distance"]);
    assert!(lo <= 3.0 && hi >= 3.0 && hi - lo < 1e-13, "{apart}");
    assert_eq!(apart["normal"], value!([1.0, 0.0, 0.0]));
    assert_eq!(apart["contacts"].as_array().unwrap().len(), 0);
    assert_eq!((range(&touching["distance"]), range(&touching["depth"])), ((0.0, 0.0), (0.0, 0.0)));
    assert_eq!(touching["contacts"].as_array().unwrap().len(), 4);
    let (lo, hi) = range(&deep["depth"]);
    assert!(lo <= 0.5 && hi >= 0.5 && hi - lo < 1e-13, "{deep}");
    assert_eq!(deep["contacts"].as_array().unwrap().len(), 4);
    let first = &deep["contacts"][0];
    for key in ["point_a", "point_b", "normal", "depth", "feature_a", "feature_b", "part_a", "part_b"] {
        assert!(!first[key].is_null(), "{key}: {first}");
    }
    let distance = ask(&folder, &list, "distance");
    assert_eq!(range(&distance["results"][2]["distance"]), (0.0, 0.0));
    assert!(distance["results"][0]["point_a"].is_array());
}

#[test]
fn every_shape_is_read_and_margins_count() {
    let folder = Folder::new();
    let shapes = [
        r#"{"sphere":{"radius":1}}"#,
        r#"{"box":{"half":[1,1,1]}}"#,
        r#"{"capsule":{"half_length":0.5,"radius":1}}"#,
        r#"{"cylinder":{"half_length":0.5,"radius":1}}"#,
        r#"{"cone":{"half_length":1,"radius":1}}"#,
        r#"{"ellipsoid":{"radii":[1,2,3]}}"#,
        r#"{"hull":{"points":[[1,0,0],[-1,0,0],[0,1,0],[0,0,1]]}}"#,
        r#"{"segment":{"points":[[1,0,0],[-1,0,0]]}}"#,
        r#"{"triangle":{"points":[[1,0,0],[-1,0,0],[0,1,0]]}}"#,
        r#"{"point":{},"margin":1}"#,
        r#"{"half_space":{"normal":[2,0,0],"offset":2}}"#,
        r#"{"union":{"parts":[{"shape":{"sphere":{"radius":1}},"pose":[0,0,0,0,0,0,1]}]}}"#,
    ];
    let list: Vec<Value> = shapes
        .iter()
        .map(|text| value!({ "a": shape(text), "b": {"point": {}, "margin": 0.5}, "pose_b": [4, 0, 0, 0, 0, 0, 1] }))
        .collect();
    let report = ask(&folder, &value!(list), "distance");
    for (result, told) in report["results"].as_array().unwrap().iter().zip(shapes) {
        assert_eq!(result["relation"], "separate", "{told}");
        // All of them reach to x = 1; cones are widest below the point's height.
        let (lo, hi) = range(&result["distance"]);
        let expected = if told.contains("cone") { 2.5..3.5 } else { 2.5 - 1e-9..2.5 + 1e-9 };
        assert!(expected.contains(&lo) && hi - lo < 1e-9, "{told}: {result}");
    }
}

#[test]
fn text_for_people_and_lines_for_files() {
    let folder = Folder::new();
    let file = pairs(&folder, &value!([beside(5.0), beside(1.5)]));
    let shown = stdout(&kontakt(["convex", text(&file), "--query", "contact"]));
    assert!(shown.contains("3 apart") && shown.contains("0.5 deep"), "{shown}");
    assert!(shown.contains("1 separate, 1 overlapping"), "{shown}");
    let out = folder.path("out.jsonl");
    kontakt(["convex", text(&file), "--query", "intersect", "--out", text(&out)]);
    let lines = std::fs::read_to_string(out).unwrap();
    let words: Vec<Value> = lines.lines().map(shape).collect();
    assert_eq!(words, [value!({"relation": "separate"}), value!({"relation": "overlapping"})]);
    let single = json(&["convex", text(&file), "--query", "contact", "--single"]);
    assert_eq!(single["results"][1]["contacts"].as_array().unwrap().len(), 1);
    let near = json(&["convex", text(&file), "--query", "contact", "--gap", "3.5"]);
    assert_eq!(near["results"][0]["contacts"].as_array().unwrap().len(), 4);
}

#[test]
fn an_empty_list_is_no_error() {
    let folder = Folder::new();
    let report = ask(&folder, &value!([]), "contact");
    assert_eq!(report["results"], value!([]));
    assert!(report["seconds_per_query"].is_null());
}

/// The message names file, line, pair, body and what is wrong.
#[test]
fn bad_input_is_named() {
    let folder = Folder::new();
    let good = r#"{"a": {"point": {}}, "b": {"point": {}}}"#;
    for (culprit, words) in [
        (
            r#"{"a": {"sphere": {"radius": -1}}, "b": {"point": {}}}"#,
            "pair 1, a: malformed: the radius of a sphere is -1",
        ),
        (r#"{"a": {"sphere": {"radius": NaN}}, "b": {"point": {}}}"#, "`NaN` is no value"),
        (r#"{"a": {"sphere": {"radius": 1e999}}, "b": {"point": {}}}"#, "beyond the range of doubles"),
        (r#"{"a": {"sphere": {"radius": "1"}}, "b": {"point": {}}}"#, "is a text, not a number"),
        (r#"{"a": {"ball": {"radius": 1}}, "b": {"point": {}}}"#, "unknown shape \"ball\"; known: sphere"),
        (
            r#"{"a": {"sphere": {"radius": 1, "colour": 2}}, "b": {"point": {}}}"#,
            "unknown key \"colour\" of a sphere",
        ),
        (r#"{"a": {"sphere": {"radius": 1, "radius": 2}}, "b": {"point": {}}}"#, "the key \"radius\" twice"),
        (r#"{"a": {"sphere": {}}, "b": {"point": {}}}"#, "a sphere lacks the key \"radius\""),
        (
            r#"{"a": {"point": {}}, "b": {"box": {"half": [1, 1]}}}"#,
            "pair 1, b: malformed: \"half\" has 2 numbers where 3",
        ),
        (r#"{"a": {"point": {}}}"#, "a pair lacks the key \"b\""),
        (r#"{"a": {"point": {}}, "b": {"point": {}}, "pose_b": [0,0,0,0,0,0,2]}"#, "quaternion has length 2"),
        (r#"{"a": {"point": {}}, "b": {"point": {}}, "pose_c": []}"#, "unknown key \"pose_c\""),
        (r#"{"a": {"union": {"parts": []}}, "b": {"point": {}}}"#, "a union needs at least one part"),
        (r#"{"a": {"hull": {"points": []}}, "b": {"point": {}}}"#, "pair 1, a"),
        (r#"{"a": {"segment": {"points": [[0,0,0]]}}, "b": {"point": {}}}"#, "a segment has 1 points, not 2"),
        (
            r#"{"a": {"half_space": {"normal": [0,0,0], "offset": 1}}, "b": {"point": {}}}"#,
            "normal of a half-space is zero",
        ),
        (r#"{"a": {"point": {}, "margin": -1}, "b": {"point": {}}}"#, "a margin is -1"),
        (r#"{"a": {"point": {}, "sphere": {"radius": 1}}, "b": {"point": {}}}"#, "two kinds"),
        (r#"{"a": {}, "b": {"point": {}}}"#, "without its kind"),
        ("[1, 2]", "a pair is a list, not an object"),
        (r#"{"a": {"point": {}}, "b": {"point": {}}"#, "line 4, pair 1: malformed: ']' where a comma"),
    ] {
        let file = folder.file("bad.json", format!("{{\"pairs\": [\n{good},\n{culprit}\n]}}"));
        let message = error(&["convex", text(&file), "--query", "contact"]);
        assert!(message.contains(words), "{culprit}\n{message}");
        assert!(message.contains("bad.json") && message.contains("line "), "{message}");
    }
    for (whole, words) in [
        ("", "ends where an object"),
        ("[]", "'[' where an object"),
        ("{}", "\"pairs\" is missing"),
        (r#"{"pairs": [], "pears": []}"#, "unknown key \"pears\""),
        (r#"{"pairs": []} x"#, "the end"),
    ] {
        let file = folder.file("bad.json", whole);
        let message = error(&["convex", text(&file), "--query", "contact"]);
        assert!(message.contains(words), "{whole}\n{message}");
    }
    let missing = folder.path("none.json");
    assert!(error(&["convex", text(&missing), "--query", "contact"]).contains("none.json"));
    let file = pairs(&folder, &value!([]));
    assert!(error(&["convex", text(&file), "--query", "distance", "--gap", "1"]).contains("--query contact"));
}

/// Ten thousand unions in one another: read, asked about and dropped without running out of stack.
#[test]
fn deep_nesting_is_answered() {
    let folder = Folder::new();
    let depth = 10_000;
    let open = r#"{"union":{"parts":[{"pose":[0.25,0,0,0,0,0,1],"shape":"#.repeat(depth);
    let close = "}]}}".repeat(depth);
    let nested = format!("{open}{UNIT}{close}");
    let text_of = format!(
        r#"{{"pairs":[{{"a":{nested},"b":{UNIT},"pose_b":[2502,0.5,0,0,0,0,1]}},{{"a":{nested},"b":{nested}}}]}}"#
    );
    let file = folder.file("deep.json", text_of);
    let report = json(&["convex", text(&file), "--query", "contact"]);
    assert_eq!(report["results"][0]["relation"], "touching");
    assert_eq!(report["results"][1]["relation"], "overlapping");
}

#[test]
fn threads_change_nothing() {
    let folder = Folder::new();
    let list: Vec<Value> = (0..3000).map(|k| beside(1.0 + f64::from(k) * 1e-3)).collect();
    let file = pairs(&folder, &value!(list));
    let one = json(&["convex", text(&file), "--query", "contact"]);
    let two = json(&["convex", text(&file), "--query", "contact", "--threads", "2"]);
    assert_eq!(one["results"], two["results"]);
    // No answer is no success. A small file is read in any case.
    let file = pairs(&folder, &value!([beside(1.0)]));
    let cut = error(&["convex", text(&file), "--query", "contact", "--time-limit", "0"]);
    assert!(cut.contains("the time limit was reached before the first pair"), "{cut}");
}

#[test]
fn help_lists_methods_and_shapes() {
    let shown = stdout(&kontakt(["convex", "--help"]));
    for word in ["default", "half_space", "capsule", "union", "margin", "normal_error", "Example"] {
        assert!(shown.contains(word), "{word}");
    }
}
