//! Straight ways without a file of poses: `path --along`, `--turn`, and `take-out`.

mod common;

use common::{Folder, boxes, error, json, json_exit, kontakt, range, stdout, text};
use serde_json::{Value, json as value};
use std::fmt::Write;
use std::path::PathBuf;

/// A plug that stands on the floor of a housing with four walls, open above; a gap of 1/4 all round.
fn housing(folder: &Folder) -> PathBuf {
    folder.file(
        "asm.obj",
        boxes(&[
            ("floor", [-2.0, -2.0, -1.0], [4.0, 4.0, 1.0]),
            ("left", [-2.0, -2.0, 0.0], [1.0, 4.0, 3.0]),
            ("right", [1.0, -2.0, 0.0], [1.0, 4.0, 3.0]),
            ("front", [-1.0, -2.0, 0.0], [2.0, 1.0, 3.0]),
            ("back", [-1.0, 1.0, 0.0], [2.0, 1.0, 3.0]),
            ("plug", [-0.75, -0.75, 0.0], [1.5, 1.5, 2.0]),
        ]),
    )
}

#[test]
fn a_body_moves_among_the_others_of_its_file() {
    let folder = Folder::new();
    let asm = housing(&folder);
    let plug = format!("{}:plug", text(&asm));
    let up = json(&["path", "--moving", &plug, "--along", "0,0,1", "--distance", "5"]);
    assert_eq!((&up["verdict"], &up["initial"]), (&"free".into(), &"touching".into()));
    assert_eq!(up["moving"], value!(["asm.obj:plug"]));
    assert_eq!(up["bodies"].as_array().unwrap().len(), 5, "all the others, and not the plug itself");
    assert_eq!((&up["segments"][0]["t1"], &up["motion"]), (&5.0.into(), &Value::Null));
    assert_eq!(up["way"], value!({ "shift": [0.0, 0.0, 5.0], "turn": null }));
    // Named, the file that the mover was picked from means its other bodies.
    let named = json(&["path", "--moving", &plug, "--along", "0,0,5", "--against", text(&asm)]);
    assert_eq!((&named["bodies"], &named["segments"][0]["t1"]), (&up["bodies"], &5.0.into()));
    // The length of the direction counts only where there is no distance.
    let away = ["path", "--moving", &plug, "--along", "1,0,0", "--ignore", "floor:plug"];
    let wall = json_exit(&away, 1);
    let segment = &wall["segments"][0];
    assert_eq!((&segment["body"], &segment["verdict"]), (&"asm.obj:right".into(), &"contact".into()));
    assert!(
        segment["t_lo"].as_f64().unwrap() <= 0.25 && segment["t_hi"].as_f64().unwrap() >= 0.25,
        "{segment}"
    );
    let shown = stdout(&kontakt(away));
    assert!(shown.contains("times are the way travelled"), "{shown}");
}

#[test]
fn several_movers_go_as_one() {
    let folder = Folder::new();
    let asm = housing(&folder);
    let [plug, wall] = ["plug", "right"].map(|name| format!("{}:{name}", text(&asm)));
    let both = ["path", "--moving", &plug, "--moving", &wall, "--along", "0,0,9"];
    let report = json_exit(&both, 1);
    assert_eq!(report["moving"], value!(["asm.obj:plug", "asm.obj:right"]));
    // The wall slides along its neighbours; the plug does not mind the wall, which goes along.
    let rubbing: Vec<&str> = report["segments"][0]["contacts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|contact| contact["moving"].as_str().unwrap())
        .collect();
    assert!(!rubbing.is_empty() && rubbing.iter().all(|name| *name == "asm.obj:right"), "{report}");
    let again = format!("{}:p*", text(&asm));
    let report = json(&["path", "--moving", &plug, "--moving", &again, "--along", "0,0,9"]);
    assert_eq!(report["moving"], value!(["asm.obj:plug"]), "named twice, it moves once");
}

#[test]
fn a_turn_is_in_degrees_about_an_axis() {
    let folder = Folder::new();
    // A door of width 2 hinged at the origin, and a stop that it meets when it has turned by a quarter: its leading edge by then.
    let door = folder.file(
        "door.obj",
        boxes(&[("door", [0.0, 0.0, 0.0], [2.0, 0.1, 2.0]), ("stop", [-1.0, 1.5, 0.0], [0.5, 1.0, 2.0])]),
    );
    let door = format!("{}:door", text(&door));
    let turned = |turn: &str, code: i32| json_exit(&["path", "--moving", &door, "--turn", turn], code);
    let quarter = turned("through=0,0,0,angle=90", 0);
    assert_eq!((&quarter["verdict"], &quarter["segments"][0]["t1"]), (&"free".into(), &90.0.into()));
    assert_eq!(
        quarter["way"]["turn"],
        value!({ "axis": [0.0, 0.0, 1.0], "through": [0.0, 0.0, 0.0], "angle": 90.0 })
    );
    let far = turned("axis=0,0,3,through=0,0,0,angle=150", 1);
    let hit = &far["segments"][1];
    assert_eq!((&hit["verdict"], &hit["body"]), (&"contact".into(), &"door.obj:stop".into()));
    let at = hit["t_lo"].as_f64().unwrap();
    assert!(at > 90.0 && at < 120.0, "{hit}");
    assert_eq!(turned("axis=0,0,-1,through=0,0,0,angle=-150", 1)["segments"][1]["t_lo"], hit["t_lo"]);
    // By default a whole turn about the middle.
    let round = turned("", 0);
    assert_eq!((&round["summary"]["segments"], &round["segments"][3]["t1"]), (&4.into(), &360.0.into()));
    assert_eq!(round["way"]["turn"]["through"], value!([1.0, 0.05, 1.0]));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new();
    let asm = housing(&folder);
    let plug = format!("{}:plug", text(&asm));
    let motion = folder.file("run.txt", "0 0 0 0 0 0 0 1\n1 0 0 1 0 0 0 1\n");
    for (arguments, words) in [
        (vec!["--moving", &plug], "--along"),
        (vec!["--moving", &plug, "--along", "0,0,0"], "no direction"),
        (vec!["--moving", &plug, "--along", "0,0,1", "--distance", "0"], "above 0"),
        (vec!["--moving", &plug, "--along", "0,0,1", "--distance", "-3"], "not negative"),
        (vec!["--moving", &plug, "--distance", "3", "--turn", ""], "--along"),
        (vec!["--moving", &plug, "--along", "0,0,1", "--motion", text(&motion)], "cannot be used with"),
        (vec!["--moving", &plug, "--turn", "speed=3"], "`speed` is no part of a turn"),
        (vec!["--moving", text(&asm), "--along", "0,0,1"], "nothing stands around"),
        (vec!["--moving", &format!("{}:*", text(&asm)), "--along", "0,0,1"], "all bodies move"),
        // A path for which nothing was looked at was called proven.
        (vec!["--moving", &plug, "--along", "0,0,1", "--ignore", "*:*"], "nothing is left to look at"),
    ] {
        let said = error(&[&["path"], &arguments[..]].concat());
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    let said = error(&["take-out", &plug, "--ignore", "plug:*"]);
    assert!(said.contains("nothing is left to look at"), "{said}");
}

#[test]
fn the_first_free_way_out_is_found_and_what_holds_the_part_on_the_others() {
    let folder = Folder::new();
    let asm = housing(&folder);
    let plug = format!("{}:plug", text(&asm));
    let report = json(&["take-out", &plug]);
    assert_eq!((&report["verdict"], &report["direction"]), (&"free".into(), &value!([0.0, 0.0, 1.0])));
    // Clear of the box around the rest, which ends at z = 3, and a little more.
    let distance = report["distance"].as_f64().unwrap();
    assert!(distance > 3.0 && distance < 3.2, "{report}");
    assert_eq!(report["held_by"], value!([]));
    let ways: Vec<&str> =
        report["ways"].as_array().unwrap().iter().map(|way| way["way"].as_str().unwrap()).collect();
    assert_eq!(ways, ["+x", "-x", "+y", "-y", "+z"]);
    // It slides on the floor at once; on a floor that does not count it goes as far as the wall.
    assert_eq!(report["ways"][0]["held_by"], value!(["asm.obj:floor"]));
    let report = json(&["take-out", &plug, "--ignore", "floor:plug", "--all"]);
    let way = &report["ways"][0];
    let (lo, hi) = range(&way["reached"]);
    assert!(lo <= 0.25 && hi >= 0.25 && hi - lo < 1e-4, "{way}");
    assert_eq!((&way["held_by"], &way["verdict"]), (&value!(["asm.obj:right"]), &"contact".into()));
    assert_eq!(report["ways"].as_array().unwrap().len(), 6);
    let shown = stdout(&kontakt(["take-out", &plug]));
    assert!(shown.contains("free: asm.obj:plug comes out along +z by 3.0"), "{shown}");
    // A short way may be free where the long one is not.
    let lid = folder.file("lid.obj", boxes(&[("lid", [-2.0, -2.0, 3.0], [4.0, 4.0, 0.5])]));
    let shut = ["take-out", &plug, "--against", text(&asm), text(&lid)];
    let report = json_exit(&shut, 1);
    assert_eq!((&report["verdict"], &report["direction"]), (&"held".into(), &Value::Null));
    assert_eq!(report["held_by"], value!(["asm.obj:floor", "lid.obj:lid"]));
    assert_eq!(json(&[&shut[..], &["--distance", "0.75"]].concat())["direction"], value!([0.0, 0.0, 1.0]));
    let shown = stdout(&kontakt(shut));
    assert!(
        shown.contains("held: asm.obj:plug: none of 6 straight ways is proven free; sliding in touch counts"),
        "{shown}"
    );
    // A fit that may slide goes as far as there is room.
    let report = json(&["take-out", &plug, "--allow", "floor:plug=0.001", "--all"]);
    assert_eq!(report["ways"][0]["held_by"], value!(["asm.obj:right"]), "{report}");
}

/// A round pin in a bore, both askew: only the pin's own axis leads out.
#[test]
fn a_pin_comes_out_along_its_own_axis() {
    let folder = Folder::new();
    let file = folder
        .file("pin.obj", ring("block", 1.0, 3.0, [0.0, 2.0], 0) + &ring("pin", 0.0, 0.9, [0.5, 2.5], 96));
    let pin = format!("{}:pin", text(&file));
    let report = json(&["take-out", &pin]);
    let found = [0, 1, 2].map(|k| report["direction"][k].as_f64().unwrap());
    assert!((0..3).all(|k| (found[k].abs() - AXIS[k]).abs() < 1e-9), "{report}");
    let ways = report["ways"].as_array().unwrap();
    assert_eq!((ways.len(), &ways[ways.len() - 1]["along"]), (7, &"cylinder".into()), "{report}");
    assert!(ways[..6].iter().all(|way| way["held_by"] == value!(["pin.obj:block"])), "{report}");
}

/// The pin's axis: x and z of a right triangle of sides 3, 4, 5.
const AXIS: [f64; 3] = [0.6, 0.0, 0.8];

/// A ring of 24 sides between two radii and two heights along [`AXIS`], or a bar where the inner radius is 0.
fn ring(name: &str, inner: f64, outer: f64, heights: [f64; 2], before: usize) -> String {
    const SIDES: usize = 24;
    let place = |radius: f64, k: usize, z: f64| {
        let angle = std::f64::consts::TAU * k as f64 / SIDES as f64;
        let (u, v) = (radius * angle.cos(), radius * angle.sin());
        [0.8 * u + 0.6 * z, v, -0.6 * u + 0.8 * z]
    };
    let mut obj = format!("o {name}\n");
    for radius in [inner, outer] {
        for z in heights {
            for k in 0..SIDES {
                let [x, y, z] = place(radius, k, z);
                writeln!(obj, "v {x:?} {y:?} {z:?}").unwrap();
            }
        }
    }
    let corner = |circle: usize, k: usize| before + circle * SIDES + k % SIDES + 1;
    for k in 0..SIDES {
        // Circles: 0 inside below, 1 inside above, 2 outside below, 3 outside above.
        for [from, to] in [[2, 3], [1, 0], [0, 2], [3, 1]] {
            if inner > 0.0 || (from, to) != (1, 0) {
                let [a, b, c, d] = [corner(from, k), corner(from, k + 1), corner(to, k + 1), corner(to, k)];
                writeln!(obj, "f {a} {b} {c}\nf {a} {c} {d}").unwrap();
            }
        }
    }
    obj
}
