//! A hand drags a body of a scene: it stops, slides, and says so.

mod common;

use common::{Folder, boxes, error, json, kontakt, stdout, text};
use serde_json::Value;
use std::path::PathBuf;

/// A block over a floor, and a wall at x = 5.
fn scene(folder: &Folder) -> PathBuf {
    folder.file("floor.obj", boxes(&[("floor", [-10.0, -10.0, -1.0], [20.0, 20.0, 1.0])]));
    let scene = r#"
[[body]]
name = "floor"
file = "floor.obj"

[[body]]
name = "wall"
at = [6, 0, 0]
shape = { box = { half = [1, 9, 9] } }

[[body]]
name = "block"
at = [0, 0, 1.5]
shape = { box = { half = [1, 1, 1] } }

[[body]]
name = "ghost"
at = [2, 0, 1]
on = ["elsewhere"]
with = ["elsewhere"]
shape = { sphere = { radius = 0.5 } }
"#;
    folder.file("scene.toml", scene)
}

/// Down through the floor and along it, into the wall.
fn hand(folder: &Folder) -> PathBuf {
    let line = |k: i32| {
        let t = f64::from(k) / 50.0;
        format!("{t} {} {} {} 0 0 0 1\n", 8.0 * t, 2.0 * t, 1.5 - 2.0 * t)
    };
    folder.file("hand.txt", (0..=50).map(line).collect::<String>())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn a_block_slides_along_the_floor_to_the_wall() {
    let folder = Folder::new();
    let (scene, hand) = (scene(&folder), hand(&folder));
    let report = json(&["drag", "--scene", text(&scene), "--body", "block", "--hand", text(&hand)]);
    let skin = report["skin"].as_f64().unwrap();
    assert_eq!(report["ending"], "held");
    let samples = report["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 51);
    assert_eq!(samples[0]["ending"], "arrived");
    // Halfway it is on the floor under the hand, at the end in the corner.
    let halfway = numbers(&samples[25]["pose"]);
    assert!((halfway[0] - 4.0).abs() < skin || halfway[0] < 4.0, "{halfway:?}");
    let end = numbers(&samples[50]["pose"]);
    assert!(
        (end[0] - 4.0).abs() < skin && (end[1] - 2.0).abs() < skin && (end[2] - 1.0).abs() < skin,
        "{end:?}"
    );
    assert!(end[0] < 4.0 && end[2] > 1.0);
    // The floor pushes up as the hand pushes down, the wall back.
    let force = |name: &str| -> f64 {
        let of = |contact: &&Value| contact["body"] == name;
        let contacts = samples[50]["contacts"].as_array().unwrap();
        contacts.iter().filter(of).map(|contact| contact["force"].as_f64().unwrap()).sum()
    };
    assert!((force("floor") - 1.5).abs() < 0.05 && (force("wall") - 4.0).abs() < 0.05);
    let most: Vec<&str> =
        report["forces"].as_array().unwrap().iter().map(|force| force["body"].as_str().unwrap()).collect();
    assert_eq!(most, ["floor", "wall"]);
    let bodies: Vec<_> =
        report["bodies"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(bodies, ["floor", "wall"], "the ghost is on another layer");
    let face = &report["contacts"][0]["face"];
    assert!(face["face"].is_number() || face.is_object(), "{face}");
    let shown = stdout(&kontakt(["drag", "--scene", text(&scene), "--body", "block", "--hand", text(&hand)]));
    assert!(shown.contains("held: block is") && shown.contains("floor"), "{shown}");
}

/// The motion that is written is proven free by `path`, which knows nothing of the drag.
#[test]
fn the_motion_is_free_for_another_judge() {
    let folder = Folder::new();
    let parts = folder.file(
        "parts.obj",
        boxes(&[
            ("floor", [-10.0, -10.0, -1.0], [20.0, 20.0, 1.0]),
            ("wall", [5.0, -9.0, 0.0], [1.0, 18.0, 9.0]),
            ("block", [-1.0, -1.0, 0.5], [2.0, 2.0, 2.0]),
        ]),
    );
    let line = |k: i32| {
        let t = f64::from(k) / 40.0;
        let (s, c) = (0.3 * t).sin_cos();
        format!("{k} {} {} {} 0 {s} 0 {c}\n", 8.0 * t, 2.0 * t, -2.0 * t)
    };
    let hand = folder.file("hand.txt", (0..=40).map(line).collect::<String>());
    let (moving, out) = (format!("{}:block", text(&parts)), folder.path("motion.txt"));
    let report = json(&["drag", "--moving", &moving, "--hand", text(&hand), "-o", text(&out)]);
    assert_eq!(report["ending"], "held");
    let pivot: Vec<String> = numbers(&report["pivot"]).iter().map(f64::to_string).collect();
    let pivot = pivot.join(",");
    let judged = json(&["path", "--moving", &moving, "--motion", text(&out), "--pivot", &pivot]);
    assert_eq!(judged["verdict"], "free");
    assert_eq!(judged["summary"]["segments"], report["summary"]["pieces"]);
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    let (scene, hand) = (scene(&folder), hand(&folder));
    let with = |body: &str, hand: &PathBuf| {
        error(&["drag", "--scene", text(&scene), "--body", body, "--hand", text(hand)])
    };
    assert!(with("blok", &hand).contains("there is no body `blok`; there are floor, wall, block"));
    let bad = folder.file("bad.txt", "0 0 0 1.5 0 0 0 1\n1 nan 0 1.5 0 0 0 1\n");
    let message = with("block", &bad);
    assert!(message.contains("line 2"), "{message}");
    let inside = folder.file(
        "inside.toml",
        "[[body]]\nname = \"a\"\nshape = { sphere = { radius = 1 } }\n[[body]]\nname = \"b\"\nat = [0.5, 0, 0]\nshape = { sphere = { radius = 1 } }\n",
    );
    let message = error(&["drag", "--scene", text(&inside), "--body", "a", "--hand", text(&hand)]);
    assert!(message.contains("a: the dragged body overlaps `b` where it starts"), "{message}");
    let message = error(&[
        "drag",
        "--scene",
        text(&scene),
        "--body",
        "block",
        "--hand",
        text(&hand),
        "--skin",
        "1e-18",
    ]);
    assert!(message.contains("too thin"), "{message}");
}
