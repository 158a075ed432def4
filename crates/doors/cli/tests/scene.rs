//! Scene files from the command line.

mod common;

use common::{Folder, boxes, error, json, json_exit, text};

/// A cart of two boxes from a file and a load made here, a wall, and a recorded motion of the whole cart.
fn scene(folder: &Folder, motion: &str) -> std::path::PathBuf {
    folder.file(
        "cart.obj",
        boxes(&[("bed", [-1.0, -0.5, 0.0], [2.0, 1.0, 0.2]), ("mast", [0.8, -0.1, 0.3], [0.1, 0.2, 2.0])]),
    );
    folder.file("wall.obj", boxes(&[("wall", [0.0, -5.0, 0.0], [0.5, 10.0, 5.0])]));
    let scene = format!(
        r#"
[[body]]
name = "wall"
file = "wall.obj"
at = [10, 0, 0]

[[group]]
name = "rig"

[[body]]
name = "cart"
group = "rig"
file = "cart.obj"

[[body]]
name = "load"
group = "rig"
at = [0, 0, 0.8]
shape = {{ sphere = {{ radius = 0.5 }} }}
{motion}"#
    );
    folder.file("scene.toml", scene)
}

#[test]
fn a_group_moves_as_one_and_meets_what_is_in_its_way() {
    let folder = Folder::new();
    let file = scene(&folder, "[[motion]]\nof = \"rig\"\nalong = [20, 0, 0]\ntimes = [100, 110]\n");
    let report = json_exit(&["path", "--scene", text(&file)], 1);
    assert_eq!(report["verdict"], "contact");
    // The bed's front edge, 1 ahead, meets the wall at 10 after 9 of 20; the mast is a little behind.
    let first = &report["moving"][0];
    assert_eq!(first["first_met"], serde_json::json!(["cart:bed", "wall"]));
    assert!((first["free_until"].as_f64().unwrap() - 104.5).abs() < 1e-4, "{first}");
    let pairs: Vec<_> = report["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair["a"].clone(), pair["verdict"].clone()))
        .collect();
    assert_eq!(pairs.len(), 3, "each of the rig's bodies with the wall, none with each other: {pairs:?}");
    let aside = json(&["path", "--scene", text(&file), "--ignore", "*:wall"]);
    assert_eq!(aside["verdict"], "free");
}

#[test]
fn a_recorded_motion_begins_where_it_says() {
    let folder = Folder::new();
    folder.file("run.txt", "0 -20 0 0 0 0 0 1\n1 -5 0 0 0 0 0 1\n2 8.5 0 0 0 0 0 1\n");
    let file = scene(&folder, "[[motion]]\nof = \"rig\"\nfile = \"run.txt\"\n");
    let report = json(&["path", "--scene", text(&file)]);
    assert_eq!((&report["verdict"], &report["times"]), (&"free".into(), &serde_json::json!([0.0, 2.0])));
}

#[test]
fn a_check_takes_places_and_rules_from_the_file() {
    let folder = Folder::new();
    let file = scene(&folder, "[rules]\nclearance = 0.15\n");
    // Between bed and load are 0.1, between bed and mast 0.1 too; the load is 0.3 from the mast.
    let report = json_exit(&["check", "--scene", text(&file)], 1);
    assert_eq!(report["summary"]["encroaching"], 2, "{report}");
    assert_eq!(report["clearance"], 0.15);
    let none = json(&["check", "--scene", text(&file), "--clearance", "0.05"]);
    assert_eq!(none["verdict"], "clear", "what is typed wins");
}

#[test]
fn what_is_wrong_in_a_scene_names_file_and_line() {
    let folder = Folder::new();
    let unknown = folder.file("a.toml", "[[body]]\nname = \"a\"\nfile = \"none.stl\"\n");
    assert!(error(&["check", "--scene", text(&unknown)]).contains("none.stl"));
    let file = scene(&folder, "[[motion]]\nof = \"nobody\"\nalong = [1, 0, 0]\n");
    let said = error(&["path", "--scene", text(&file)]);
    assert!(said.contains("scene.toml, line 20: there is no group or body `nobody`"), "{said}");
    let still = scene(&folder, "");
    assert!(error(&["path", "--scene", text(&still)]).contains("nothing moves"));
    let twice = scene(
        &folder,
        "[[motion]]\nof = \"rig\"\nalong = [1, 0, 0]\n[[motion]]\nof = \"load\"\nalong = [1, 0, 0]\n",
    );
    assert!(error(&["path", "--scene", text(&twice)]).contains("a body follows one motion"));
    assert!(error(&["check", "--scene", text(&still), "x.stl"]).contains("cannot be used with"));
}

#[test]
fn a_check_looks_at_no_pair_that_layers_leave_aside() {
    let folder = Folder::new();
    let body = |name: &str, x: f64, rest: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nat = [{x}, 0, 0]\nshape = {{ sphere = {{ radius = 1 }} }}\n{rest}\n"
        )
    };
    let scene = |ghost: &str| {
        let text = body("post", 0.0, "") + &body("ghost", 0.5, ghost) + &body("far", 9.0, "");
        folder.file("scene.toml", text)
    };
    let clash = json_exit(&["check", "--scene", text(&scene(""))], 1);
    assert_eq!((&clash["summary"]["overlapping"], &clash["summary"]["ignored"]), (&1.into(), &0.into()));
    let file = scene("on = [\"ghosts\"]\nwith = [\"ghosts\"]");
    let clear = json(&["check", "--scene", text(&file)]);
    assert_eq!(clear["verdict"], "clear", "{clear}");
    assert_eq!(clear["summary"]["ignored"], 2, "the ghost with the post and with what is far");
}
