//! `kontakt path`: a recorded motion against a scene.

mod common;

use common::{Folder, boxes, error, json, json_exit, kontakt, range, stdout, text};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A cube of edge 1 around the origin, and a scene of a thin wall at x = 0 and a floor below z = −2.
struct Room {
    folder: Folder,
    part: PathBuf,
    around: PathBuf,
}

impl Room {
    fn new() -> Room {
        let folder = Folder::new();
        let part = folder.file("part.obj", boxes(&[("cube", [-0.5; 3], [1.0; 3])]));
        let wall = ("wall", [-0.005, -5.0, -5.0], [0.01, 10.0, 10.0]);
        let floor = ("floor", [-50.0, -50.0, -8.0], [100.0, 100.0, 2.5]);
        let around = folder.file("room.obj", boxes(&[wall, floor]));
        Room { folder, part, around }
    }

    fn arguments<'a>(&'a self, motion: &'a Path) -> Vec<&'a str> {
        vec!["path", "--moving", text(&self.part), "--motion", text(motion), "--against", text(&self.around)]
    }
}

fn times(segment: &Value) -> [f64; 2] {
    ["t_lo", "t_hi"].map(|key| segment[key].as_f64().unwrap())
}

#[test]
fn a_wall_between_two_poses_is_found_where_the_static_test_says_free() {
    let room = Room::new();
    // Times like those of a recording: the contact is at the file's time.
    let motion = "# t tx ty tz qx qy qz qw\n100 -6 0 0 0 0 0 1\n101 -3 0 0 0 0 0 1\n103 3 0 0 0 0 0 1\n104 6 0 0 0 0 0 1\n";
    let motion = room.folder.file("run.txt", motion);
    let arguments = room.arguments(&motion);
    let report = json_exit(&arguments, 1);
    assert_eq!((&report["verdict"], &report["static_verdict"]), (&"contact".into(), &"free".into()));
    assert_eq!(report["initial"], "separate");
    assert_eq!(range(&report["least_clearance"]), (0.0, 0.0));
    let segments = report["segments"].as_array().unwrap();
    let verdicts: Vec<_> = segments.iter().map(|segment| segment["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["free", "contact", "free"]);
    // The front goes from −2.5 to 3.5 in two seconds and meets −0.005.
    let truth = 101.0 + 2.0 * 2.495 / 6.0;
    let [lo, hi] = times(&segments[1]);
    assert!(lo <= truth && truth <= hi && hi - lo < 1e-5, "{lo} {hi} {truth}");
    assert_eq!(
        (&segments[1]["body"], &segments[1]["moving"]),
        (&"room.obj:wall".into(), &"part.obj:cube".into())
    );
    assert_eq!(segments[1]["features"].as_array().unwrap().len(), 2);
    assert!((segments[1]["normal"][0].as_f64().unwrap() - 1.0).abs() < 1e-9, "towards the wall");
    assert!((segments[1]["point"][0].as_f64().unwrap() + 0.005).abs() < 1e-6);
    assert_eq!(segments[0]["t_lo"], 101.0, "proven free to its end");
    for key in ["t_hi", "body", "features", "point", "normal"] {
        assert!(segments[0][key].is_null() && !segments[1][key].is_null(), "{key}");
    }
    let (least, most) = range(&segments[0]["clearance"]);
    assert!(least > 1.0 && least <= 2.495 && most >= 2.495, "{least} {most}");
    assert!(segments[1]["certificate"]["volume_tests"].is_u64());
    let shown = stdout(&kontakt(&arguments));
    assert!(shown.contains("a test at the poses alone says free"), "{shown}");
    assert!(shown.contains("room.obj:wall") && shown.contains("101 … 103"), "{shown}");
}

#[test]
fn ignored_and_allowed_contacts_pass() {
    let room = Room::new();
    // Down into the floor by 0.1 and up again, left of the wall.
    let motion = "0 -3 0 0 0 0 0 1\n1 -3 0 -5.1 0 0 0 1\n2 -3 0 0 0 0 0 1\n";
    let motion = room.folder.file("run.txt", motion);
    let with = |more: &[&'static str]| [room.arguments(&motion), more.to_vec()].concat();
    let report = json_exit(&with(&[]), 1);
    let verdicts: Vec<&Value> = (0..2).map(|k| &report["segments"][k]["verdict"]).collect();
    assert_eq!(verdicts, ["contact", "overlap"], "the second starts inside");
    assert_eq!(report["static_verdict"], "overlap");
    let ignored = json(&with(&["--ignore", "cube:floor"]));
    assert_eq!((&ignored["verdict"], &ignored["summary"]["pairs"]), (&"free".into(), &1.into()));
    assert!(range(&ignored["least_clearance"]).0 > 2.4, "{ignored}");
    let allowed = json(&with(&["--allow", "floor:cube=0.15"]));
    assert_eq!((&allowed["verdict"], &allowed["static_verdict"]), (&"free".into(), &"free".into()));
    assert_eq!(allowed["segments"][0]["contacts"][0]["allowed_depth"], 0.15);
    let exceeded = json_exit(&with(&["--allow", "floor:cube=0.05"]), 1);
    assert_eq!(exceeded["segments"][0]["verdict"], "overlap");
    let [lo, hi] = times(&exceeded["segments"][0]);
    // 5.05 of the 5.1 down.
    assert!(lo <= 5.05 / 5.1 && 5.05 / 5.1 <= hi && hi - lo < 1e-4, "{lo} {hi}");
    assert!(error(&with(&["--ignore", "wall:floor"])).contains("no pair of a moving body and one at rest"));
    assert!(error(&with(&["--allow", "cube:floor"])).contains("has no depth"));
    assert!(error(&with(&["--ignore", "cube:ceiling"])).contains("fits no two bodies"));
}

/// Corners on rings of so many, joined ring by ring; the last ring is joined to the first, or both are closed by polygons.
fn rings(name: &str, count: usize, rings: &[[f64; 2]], square: &[usize], ends: bool, start: usize) -> String {
    let mut text = format!("o {name}\n");
    for (ring, [radius, z]) in rings.iter().enumerate() {
        for k in 0..count {
            let (s, c) = (k as f64 / count as f64 * std::f64::consts::TAU).sin_cos();
            let reach = if square.contains(&ring) { radius / c.abs().max(s.abs()) } else { *radius };
            writeln!(text, "v {} {} {z}", reach * c, reach * s).expect("a string");
        }
    }
    let at = |ring: usize, k: usize| start + (ring % rings.len()) * count + k % count + 1;
    let joined = if ends { rings.len() - 1 } else { rings.len() };
    for ring in 0..joined {
        for k in 0..count {
            let [a, b, c, d] = [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)];
            writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").expect("a string");
        }
    }
    for k in (1..count - 1).filter(|_| ends) {
        let last = rings.len() - 1;
        writeln!(text, "f {} {} {}", at(0, 0), at(0, k + 1), at(0, k)).expect("a string");
        writeln!(text, "f {} {} {}", at(last, 0), at(last, k), at(last, k + 1)).expect("a string");
    }
    text
}

/// A bolt of 48 sides, 0.02 too wide, in a plate with a hole of 64; below the head there are 2 to the plate.
fn bolted(folder: &Folder) -> PathBuf {
    let bolt = [[5.02, -10.0], [5.02, 9.0], [4.8, 9.0], [4.8, 10.0], [7.0, 10.0], [7.0, 14.0]];
    let bolt = rings("bolt", 48, &bolt, &[], true, 0);
    let plate = [[20.0, 0.0], [20.0, 8.0], [5.0, 8.0], [5.0, 0.0]];
    let plate = rings("plate", 64, &plate, &[0, 1], false, 48 * 6);
    folder.file("bolted.obj", bolt + &plate)
}

#[test]
fn a_bolt_leaves_a_hole_too_narrow_by_what_is_allowed() {
    let folder = Folder::new();
    let file = bolted(&folder);
    let bolt = format!("{}:bolt", text(&file));
    let ask = |way: &'static str, allow: &'static str| {
        vec!["path", "--moving", &bolt, "--along", way, "--distance", "30", "--allow", allow]
    };
    let out = json(&ask("0,0,1", "bolt:plate=0.05"));
    assert_eq!((&out["verdict"], &out["static_verdict"]), (&"free".into(), &"free".into()));
    assert_eq!(out["initial"], "touching", "a start within the allowance is no overlap");
    let strict = json_exit(&ask("0,0,1", "bolt:plate=0.01"), 1);
    assert_eq!((&strict["verdict"], &strict["segments"][0]["t_hi"]), (&"overlap".into(), &0.0.into()));
    // The other way the head is in the way: 0.05 deep after 2.05.
    let held = json_exit(&ask("0,0,-1", "bolt:plate=0.05"), 1);
    assert_eq!((&held["verdict"], &held["initial"]), (&"overlap".into(), &"touching".into()));
    let [lo, hi] = times(&held["segments"][0]);
    assert!(lo <= 2.05 && 2.05 <= hi && hi - lo < 1e-3, "{lo} {hi}");
}

#[test]
fn a_start_in_touch_may_be_left_but_not_kept() {
    let room = Room::new();
    let leaving = room.folder.file("leave.txt", "0 -3 0 -5 0 0 0 1\n1 -3 0 0 0 0 0 1\n");
    let report = json(&room.arguments(&leaving));
    assert_eq!((&report["initial"], &report["verdict"]), (&"touching".into(), &"free".into()));
    assert!(stdout(&kontakt(room.arguments(&leaving))).contains("starts in touch and leaves it"));
    let sliding = room.folder.file("slide.txt", "0 -3 0 -5 0 0 0 1\n1 -9 0 -5 0 0 0 1\n");
    let report = json_exit(&room.arguments(&sliding), 1);
    assert_eq!(
        (&report["segments"][0]["verdict"], &report["segments"][0]["t_lo"]),
        (&"contact".into(), &0.0.into())
    );
    let allowed = [room.arguments(&sliding), vec!["--allow", "cube:floor=0.001"]].concat();
    assert_eq!(json(&allowed)["verdict"], "free");
}

#[test]
fn interpolation_pivot_and_tolerance_are_taken() {
    let room = Room::new();
    let motion = room.folder.file("run.txt", "0 -3 0 0 0 0 0 1\n8 3 0 0 0 0 0.6 0.8\n");
    for how in ["slerp", "nlerp", "screw"] {
        let arguments = [
            room.arguments(&motion),
            vec!["--interpolate", how, "--tolerance", "1e-9", "--pivot", "0,0,0.25"],
        ];
        let report = json_exit(&arguments.concat(), 1);
        let [lo, hi] = times(&report["segments"][0]);
        assert!(hi - lo <= 1.1e-9 && lo > 1.0 && hi < 4.0, "{how}: {lo} {hi}");
    }
    let wrong = |more: &[&'static str]| error(&[room.arguments(&motion), more.to_vec()].concat());
    assert!(wrong(&["--tolerance", "0"]).contains("above 0"));
    assert!(wrong(&["--distance-tolerance", "-1"]).contains("not negative"));
    assert!(wrong(&["--pivot", "1,2"]).contains("three finite numbers"));
}

#[test]
fn threads_change_nothing_and_lines_are_written() {
    let room = Room::new();
    let mut poses = String::new();
    for k in 0..30 {
        let (x, z) = (f64::from(k % 7) - 3.0, -0.1 * f64::from(k));
        let turn = if k % 2 == 0 { 0.6 } else { -0.6 };
        writeln!(poses, "{k} {x} {} {z} 0 0 {turn} 0.8", 0.3 * x).expect("a string");
    }
    let motion = room.folder.file("run.txt", poses);
    let out = room.folder.path("lines.jsonl");
    let on =
        |threads: &'static str| json_exit(&[room.arguments(&motion), vec!["--threads", threads]].concat(), 1);
    let report = on("1");
    assert_eq!(report, on("2"));
    kontakt([room.arguments(&motion), vec!["--out", text(&out)]].concat());
    let lines: Vec<Value> = std::fs::read_to_string(&out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(report["segments"].as_array().unwrap(), &lines);
    let cut = json_exit(&[room.arguments(&motion), vec!["--time-limit", "0"]].concat(), 1);
    let followed = |segment: &&Value| segment["certificate"]["pairs_followed"].as_u64().unwrap() > 0;
    let near = cut["segments"].as_array().unwrap().iter().filter(followed).count();
    assert_eq!((&cut["complete"], &cut["summary"]["undecided"]), (&false.into(), &near.into()));
    assert!(near > 5 && near < 29, "boxes prove the others free: {near}");
}

#[test]
fn bad_motion_files_are_named_with_their_line() {
    let room = Room::new();
    for (content, words) in [
        ("", "there is no pose"),
        ("0 0 0 0 0 0 0 1\n", "one pose is no motion"),
        ("0 0 0 0 0 0 0 1\n0 1 0 0 0 0 0 1\n", "line 2: time 0 does not come after 0"),
        ("2 0 0 0 0 0 0 1\n1 1 0 0 0 0 0 1\n", "line 2: time 1 does not come after 2"),
        ("0 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1.1\n", "line 2: quaternion has length 1.1"),
        ("0 0 0 0 0 0 0 1\n1 0 nan 0 0 0 0 1\n", "line 2"),
        ("0 0 0 0 0 0 1\n", "line 1"),
    ] {
        let motion = room.folder.file("bad.txt", content);
        let said = error(&room.arguments(&motion));
        assert!(said.contains("bad.txt") && said.contains(words), "{content:?}: {said}");
    }
    let missing = room.folder.path("none.txt");
    assert!(error(&room.arguments(&missing)).contains("none.txt"));
    let help = stdout(&kontakt(["path", "--help"]));
    assert!(help.contains("Example: kontakt path --moving"));
}
