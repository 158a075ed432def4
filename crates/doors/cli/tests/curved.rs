//! Files with curved faces through every command: a plate with a hole and pins in it, written by hand, whose answers are known.

mod common;
#[path = "../../io/tests/step_draft/mod.rs"]
mod step_draft;

use common::{Folder, error, json, json_exit, kontakt, range, stderr, stdout, text};
use serde_json::Value;
use std::path::PathBuf;
use step_draft::{Draft, MILLIMETRES};

/// The plate: 40 × 40 × 10 about the origin, from z = 0, with a hole of radius 10 along z.
const RADIUS: f64 = 10.0;

/// The circle about z at a height, with its vertex.
fn ring(draft: &mut Draft, radius: f64, z: f64) -> u64 {
    let axes = draft.axes([0.0, 0.0, z], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
    let circle = draft.add(format!("CIRCLE('',#{axes},{radius:?})"));
    let vertex = draft.vertex([radius, 0.0, z]);
    draft.edge(vertex, vertex, circle, true)
}

/// The wall of a pin, or of a hole.
fn wall(draft: &mut Draft, radius: f64, [low, high]: [u64; 2], hole: bool) -> u64 {
    let axes = draft.here();
    let surface = draft.add(format!("CYLINDRICAL_SURFACE('',#{axes},{radius:?})"));
    let borders = [(low, !hole), (high, hole)].map(|end| draft.edge_loop(&[end]));
    draft.face(&borders, surface, !hole)
}

/// A pin along z.
fn pin(draft: &mut Draft, radius: f64, heights: [f64; 2]) -> u64 {
    let rings = heights.map(|z| ring(draft, radius, z));
    let mut faces = vec![wall(draft, radius, rings, false)];
    for (k, z) in heights.into_iter().enumerate() {
        let border = draft.edge_loop(&[(rings[k], k == 1)]);
        let axes = draft.axes([0.0, 0.0, z], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
        let plane = draft.add(format!("PLANE('',#{axes})"));
        faces.push(draft.face(&[border], plane, k == 1));
    }
    draft.solid("pin", &faces)
}

/// A plate with a hole along z.
fn plate(draft: &mut Draft) -> u64 {
    let mut faces = draft.cuboid_faces([-20.0, -20.0, 0.0], [20.0, 20.0, 10.0]);
    let rings = [0.0, 10.0].map(|z| ring(draft, RADIUS, z));
    for (k, face) in faces[4..6].iter().enumerate() {
        let inner = draft.edge_loop(&[(rings[k], k == 0)]);
        let bound = draft.add(format!("FACE_BOUND('',#{inner},.T.)"));
        // The face comes before what it names now, which STEP allows.
        let begin = format!("#{face}=ADVANCED_FACE('',(");
        let (before, after) = draft.text.split_once(&begin).unwrap();
        draft.text = format!("{before}{begin}#{bound},{after}");
    }
    faces.push(wall(draft, RADIUS, rings, true));
    draft.solid("plate", &faces)
}

/// A part: its name, what makes its solid, and the places where its instances stand.
type Part<'a> = (&'a str, &'a dyn Fn(&mut Draft) -> u64, &'a [[f64; 3]]);

/// An assembly of parts.
fn assembly(parts: &[Part]) -> String {
    let mut draft = Draft::default();
    let context = draft.context(MILLIMETRES);
    let places = |draft: &mut Draft, at: &[[f64; 3]]| -> Vec<u64> {
        at.iter().map(|&at| draft.axes(at, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])).collect()
    };
    let all: Vec<Vec<u64>> = parts.iter().map(|(_, _, at)| places(&mut draft, at)).collect();
    let whole = draft.representation(&all.concat(), context);
    let parent = draft.product("assembly", whole);
    for ((name, make, _), places) in parts.iter().zip(&all) {
        let solid = make(&mut draft);
        let here = draft.here();
        let part = draft.representation(&[here, solid], context);
        let child = draft.product(name, part);
        for place in places {
            draft.usage(parent, child, [part, whole], [here, *place]);
        }
    }
    draft.file()
}

/// The plate with a pin in its hole, and one far away.
fn fitted(folder: &Folder, radius: f64) -> PathBuf {
    let make = |draft: &mut Draft| pin(draft, radius, [-5.0, 15.0]);
    folder.file(
        "fit.step",
        assembly(&[("plate", &plate, &[[0.0; 3]]), ("pin", &make, &[[0.0; 3], [100.0, 0.0, 0.0]])]),
    )
}

fn of_pair<'a>(report: &'a Value, a: &str, b: &str) -> &'a Value {
    let pairs = report["pairs"].as_array().unwrap();
    let is = |pair: &&Value| pair["a"] == a && pair["b"] == b;
    pairs.iter().find(is).unwrap_or_else(|| panic!("{a} {b}: {report}"))
}

#[test]
fn a_check_tells_a_gap_an_overlap_and_a_fit() {
    let folder = Folder::new();
    // A gap of 0.5 all round: true, and proven from triangles that lie 0.01 off.
    let loose = fitted(&folder, 9.5);
    let report = json(&["check", text(&loose), "--deviation", "0.01"]);
    let pair = of_pair(&report, "fit.step:plate", "fit.step:pin");
    assert_eq!((&pair["relation"], &pair["forbidden"]), (&"separate".into(), &false.into()), "{pair}");
    let (lo, hi) = range(&pair["distance"]);
    assert!(lo <= 0.5 && 0.5 <= hi && hi - lo < 0.08, "{pair}");
    assert_eq!(report["verdict"], "clear");
    let (lo, hi) = range(&of_pair(&report, "fit.step:plate", "fit.step:pin#2")["distance"]);
    assert!(lo <= 70.5 && 70.5 <= hi && hi - lo < 0.08, "{lo} {hi}");
    let certified = report["certified_deviation"].as_f64().unwrap();
    assert!(certified > 0.0 && certified < 0.02, "{certified}");
    let close = json_exit(&["check", text(&loose), "--deviation", "0.01", "--clearance", "0.7"], 1);
    assert_eq!(of_pair(&close, "fit.step:plate", "fit.step:pin")["relation"], "encroaching");
    // An overlap of 0.5 all round.
    let tight = fitted(&folder, 10.5);
    let report = json_exit(&["check", text(&tight), "--deviation", "0.01"], 1);
    let pair = of_pair(&report, "fit.step:plate", "fit.step:pin");
    assert_eq!((&pair["relation"], &pair["forbidden"]), (&"overlapping".into(), &true.into()), "{pair}");
    let (lo, hi) = range(&pair["interference"]);
    assert!(lo <= 0.5 && 0.5 <= hi && hi - lo < 0.2, "{pair}");
    // The same radius: nobody can tell from triangles, and nobody needs to.
    let flush = fitted(&folder, 10.0);
    let report = json(&["check", text(&flush), "--deviation", "0.01"]);
    let pair = of_pair(&report, "fit.step:plate", "fit.step:pin");
    assert_eq!(
        (&pair["relation"], &pair["forbidden"]),
        (&"within_tessellation".into(), &false.into()),
        "{pair}"
    );
    let (lo, hi) = range(&pair["bounds"]);
    assert!(lo <= 0.0 && 0.0 <= hi && hi - lo < 0.1, "{pair}");
    assert_eq!(report["summary"]["within_tessellation"], 1);
    let said = stdout(&kontakt(["check", text(&flush)]));
    assert!(said.contains("(certified)") && said.contains("1 within the tessellation"), "{said}");
}

/// Triangles that lie 0.2 off cannot tell a clearance of 0.02; the true surfaces can.
#[test]
fn true_surfaces_decide_what_triangles_leave_open() {
    let folder = Folder::new();
    let loose = fitted(&folder, 9.98);
    for deviation in ["0.2", "0.002"] {
        let report = json(&["check", text(&loose), "--deviation", deviation]);
        let pair = of_pair(&report, "fit.step:plate", "fit.step:pin");
        assert_eq!(pair["relation"], "separate", "{pair}");
        let (lo, hi) = range(&pair["distance"]);
        assert!(lo > 0.0 && lo <= 0.02 + 1e-9 && 0.02 <= hi + 1e-9, "{pair}");
    }
}

#[test]
fn a_body_inside_another_is_contained() {
    let folder = Folder::new();
    let block = |draft: &mut Draft| draft.cuboid([-20.0; 3], [20.0; 3]);
    let small = |draft: &mut Draft| pin(draft, 5.0, [-5.0, 5.0]);
    let nested = assembly(&[("block", &block, &[[0.0; 3]]), ("pin", &small, &[[0.0; 3]])]);
    let nested = folder.file("nested.stp", nested);
    let report = json_exit(&["check", text(&nested)], 1);
    let pair = of_pair(&report, "nested.stp:block", "nested.stp:pin");
    assert_eq!((&pair["relation"], &pair["inner"]), (&"contained".into(), &"b".into()), "{pair}");
}

#[test]
fn a_body_twice_in_one_place_is_a_duplicate() {
    let folder = Folder::new();
    let twice = assembly(&[("plate", &plate, &[[0.0; 3], [0.0; 3]])]);
    let twice = folder.file("twice.step", twice);
    let report = json_exit(&["check", text(&twice)], 1);
    assert_eq!(report["pairs"][0]["relation"], "duplicate", "{report}");
}

#[test]
fn distances_hold_the_true_ones() {
    let folder = Folder::new();
    let file = fitted(&folder, 9.5);
    let (plate, pin, far) =
        (format!("{}:plate", text(&file)), format!("{}:pin", text(&file)), format!("{}:pin#2", text(&file)));
    let found = json(&["distance", &plate, &pin]);
    let (lo, hi) = range(&found["distance"]);
    assert!(lo <= 0.5 && 0.5 <= hi && hi - lo < 0.2, "{found}");
    assert_eq!((&found["contact"], &found["overlapping"]), (&false.into(), &false.into()));
    assert!(found["face_a"]["face"].as_u64().unwrap() < 7, "a face of the plate: {found}");
    let found = json(&["distance", &plate, &far, "--pose-b", "10 0 0 0 0 0 1"]);
    let (lo, hi) = range(&found["distance"]);
    assert!(lo <= 80.5 && 80.5 <= hi, "{found}");
    // Against a mesh: only the curved one is off.
    let cube = folder.file("cube.obj", common::CUBE);
    let found = json(&["distance", &far, text(&cube)]);
    let (lo, hi) = range(&found["distance"]);
    assert!(lo <= 89.5 && 89.5 <= hi && hi - lo < 0.1, "{found}");
}

#[test]
fn a_model_becomes_closed_triangles() {
    let folder = Folder::new();
    let file = fitted(&folder, 9.5);
    for name in ["out.stl", "out.obj", "out.ply", "out.kh"] {
        let out = folder.path(name);
        let report = json(&["convert", text(&file), text(&out), "--deviation", "0.01"]);
        let deviation = report["certified_deviation"].as_f64().unwrap();
        assert!(deviation > 0.0 && deviation < 0.02, "{report}");
        let back = json(&["info", text(&out)]);
        let bodies = back["bodies"].as_array().unwrap();
        assert_eq!(bodies.len(), if name == "out.obj" || name == "out.kh" { 3 } else { 1 }, "{name}");
        for body in bodies {
            assert_eq!((&body["closed"], &body["oriented"]), (&true.into(), &true.into()), "{name}: {body}");
            assert_eq!(body["self_intersections"], 0, "{name}: {body}");
        }
        let volume: f64 = bodies.iter().map(|body| body["volume"].as_f64().unwrap()).sum();
        let [hole, pin] = [RADIUS, 9.5].map(|radius| std::f64::consts::PI * radius * radius);
        let truth = 16_000.0 - 10.0 * hole + 2.0 * 20.0 * pin;
        assert!((volume - truth).abs() < 1e-3 * truth, "{name}: {volume} {truth}");
    }
    // One body alone.
    let one = format!("{}:pin#2", text(&file));
    let report = json(&["convert", &one, text(&folder.path("pin.obj"))]);
    assert_eq!(report["bodies"], 1);
    let low = json(&["info", text(&folder.path("pin.obj"))])["bodies"][0]["min"][0].as_f64().unwrap();
    assert!((low - 90.5).abs() < 0.1, "{low}");
}

#[test]
fn info_tells_what_is_in_the_file() {
    let folder = Folder::new();
    let file = fitted(&folder, 9.5);
    let report = json(&["info", text(&file)]);
    let about = &report["files"][0];
    assert_eq!(
        (&about["model_schema"], &about["solids"]),
        (&"AUTOMOTIVE_DESIGN".into(), &2.into()),
        "{about}"
    );
    assert_eq!((&about["sheets"], &about["units"][0]["millimetres"]), (&0.into(), &1.0.into()));
    assert_eq!(
        (&about["faces_by_kind"]["plane"], &about["faces_by_kind"]["cylinder"]),
        (&8.into(), &2.into())
    );
    assert_eq!(about["losses"].as_array().unwrap().len(), 0);
    assert!(about["model_gap"].as_f64().unwrap() < 1e-9, "{about}");
    let [plate, pin, other] = [0, 1, 2].map(|k| &report["bodies"][k]);
    assert_eq!(
        (&plate["faces"], &plate["kind"], &plate["closed"]),
        (&7.into(), &"solid".into(), &true.into())
    );
    assert_eq!((&pin["faces"], &pin["triangles"]), (&3.into(), &other["triangles"]));
    assert_eq!(
        (&other["name"], &other["path"]),
        (&"fit.step:pin#2".into(), &serde_json::json!(["assembly", "pin"]))
    );
    let said = stdout(&kontakt(["info", text(&file)]));
    for words in ["AUTOMOTIVE_DESIGN", "2 solids", "2 cylinder, 8 plane faces", "(certified)"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn what_is_damaged_is_named_with_its_line() {
    let folder = Folder::new();
    let whole = std::fs::read_to_string(fitted(&folder, 9.5)).unwrap();
    let place = whole.lines().position(|line| line.contains("CYLINDRICAL_SURFACE")).unwrap();
    let broken = whole.replacen("CYLINDRICAL_SURFACE", "UNKNOWN_SURFACE", 1);
    let file = folder.file("broken.step", broken);
    let line = format!("line {}", place + 1);
    // Its plate lacks a face: that is said, and nothing is called clear.
    let report = json_exit(&["check", text(&file)], 1);
    assert_eq!(
        (&report["verdict"], &report["missing"][0]),
        (&"undecided".into(), &"broken.step:plate".into())
    );
    let output = kontakt(["check", text(&file)]);
    let said = stdout(&output);
    assert!(said.contains("broken.step:plate is not whole") && said.contains(&line), "{said}");
    let said = error(&["distance", &format!("{}:plate", text(&file)), &format!("{}:pin", text(&file))]);
    assert!(said.contains("broken.step:plate: 1 of its faces could not be read"), "{said}");
    let info = json(&["info", text(&file)]);
    assert_eq!(info["files"][0]["losses"][0]["line"], place + 1, "{info}");
    let output = kontakt(["convert", text(&file), text(&folder.path("some.obj"))]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("plate is not whole"), "{}", stderr(&output));
    // Others can still be asked.
    let (pin, far) = (format!("{}:pin", text(&file)), format!("{}:pin#2", text(&file)));
    assert!(range(&json(&["distance", &pin, &far])["distance"]).0 > 80.0);
    let said = error(&["info", text(&folder.file("cut.step", &whole[..200]))]);
    assert!(said.contains("cut.step"), "{said}");
    let said = error(&["info", text(&folder.file("part.stl", &whole))]);
    assert!(said.contains("looks like STEP inside: name it .step"), "{said}");
}

#[test]
fn points_and_rays_and_volumes() {
    let folder = Folder::new();
    let file = fitted(&folder, 9.5);
    let points = folder.file("points.txt", "0 0 0\n15 0 5\n9.7499 0 5\n100 0 3\n10 0 5\n");
    let report = json(&["query", text(&file), "--points", text(&points), "--deviation", "0.01"]);
    let verdicts: Vec<&str> =
        report["results"].as_array().unwrap().iter().map(|r| r["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["inside", "inside", "outside", "inside", "unclear"], "{report}");
    let (lo, hi) = range(&report["results"][1]["distance"]);
    assert!(lo <= 5.0 && 5.0 <= hi && hi - lo < 0.1, "{report}");
    let rays = folder.file("rays.txt", "-50 0 5 1 0 0\n");
    let report = json(&["query", text(&file), "--rays", text(&rays)]);
    assert_eq!(
        (&report["results"][0]["hit"], &report["results"][0]["t"]),
        (&true.into(), &30.0.into()),
        "{report}"
    );
    let pin = format!("{}:pin", text(&file));
    let report = json(&["bound", &pin, "--volume", "aabb"]);
    let low = report["parameters"]["min"][0].as_f64().unwrap();
    assert!(low <= -9.5 && low > -9.500_001, "{report}");
    assert_eq!(report["method"], "true surfaces");
}

/// Volumes hold the true surfaces, and the certified gap is to the smallest about these, not about triangles.
#[test]
fn volumes_are_fitted_to_true_surfaces() {
    let folder = Folder::new();
    let file = fitted(&folder, 9.5);
    // The pin stands where its product is, from z = 0 to 12 or so; its copy elsewhere.
    let size = json(&["info", &format!("{}:pin", text(&file))])["bodies"][0]["size"][2].as_f64().unwrap();
    for name in ["pin", "pin#2"] {
        let pin = format!("{}:{name}", text(&file));
        let ball = json(&["bound", &pin, "--volume", "sphere", "--deviation", "0.2"]);
        let (radius, gap) = (ball["parameters"]["radius"].as_f64().unwrap(), ball["gap"].as_f64().unwrap());
        let least = 9.5_f64.hypot(size / 2.0);
        assert!(radius >= least && radius <= least * (1.0 + 1e-8) && gap < 1e-8, "{ball}");
        assert!(ball["certified_deviation"].is_null(), "{ball}");
        let found = json(&["bound", &pin, "--volume", "obb", "--deviation", "0.2"]);
        let (volume, gap) = (found["measure"]["volume"].as_f64().unwrap(), found["gap"].as_f64().unwrap());
        let least = 19.0 * 19.0 * size;
        assert!(volume >= least && volume * (1.0 - gap) <= least && gap < 1e-2, "{found}");
    }
    let whole = json(&["bound", text(&file), "--volume", "aabb"]);
    let (low, high) = (&whole["parameters"]["min"], &whole["parameters"]["max"]);
    assert!((low[0].as_f64().unwrap() + 20.0).abs() < 1e-6, "{whole}");
    assert!(high[0].as_f64().unwrap() > 80.0, "{whole}");
}

/// Files with a solid that is lost whole: what is left is far apart, and still nothing is clear.
#[test]
fn a_solid_that_was_lost_leaves_nothing_clear() {
    let folder = Folder::new();
    let whole = std::fs::read_to_string(fitted(&folder, 9.5)).unwrap();
    let line = whole.lines().find(|line| line.contains("MANIFOLD_SOLID_BREP('plate'")).unwrap();
    let (id, rest) = line.split_once('=').unwrap();
    let shell = rest.rsplit_once('#').unwrap().1.trim_end_matches(");");
    let place = whole.lines().position(|other| other == line).unwrap() + 1;
    let file = folder.file("lost.step", whole.replace(line, &line.replace(shell, "999999")));
    let report = json_exit(&["check", text(&file)], 1);
    assert_eq!(report["verdict"], "undecided", "{report}");
    assert_eq!(report["missing"][0], format!("lost.step:{id}"), "{report}");
    let said = stdout(&kontakt(["check", text(&file)]));
    assert!(said.contains(&format!("{id}, line {place}")) && said.contains("undecided"), "{said}");
    let said = error(&["distance", text(&file), text(&file)]);
    assert!(said.contains(id), "{said}");
    // Bodies that are named are asked without the others.
    let (pin, far) = (format!("{}:pin", text(&file)), format!("{}:pin#2", text(&file)));
    assert_eq!(kontakt(["check", &pin, &far]).status.code(), Some(0));
}

/// One bad file does not keep the others from being told.
#[test]
fn info_goes_on_after_a_file_that_cannot_be_read() {
    let folder = Folder::new();
    let good = fitted(&folder, 9.5);
    let bad = folder.file("bad.step", "ISO-10303-21;");
    let report = json_exit(&["info", text(&bad), text(&good)], 2);
    assert_eq!(report["bodies"].as_array().unwrap().len(), 3, "{report}");
    assert!(report["errors"][0]["file"].as_str().unwrap().ends_with("bad.step"), "{report}");
    let output = kontakt(["info", text(&bad), text(&good)]);
    assert!(stderr(&output).contains("bad.step") && stdout(&output).contains(":plate"), "{output:?}");
}

#[test]
fn a_missing_unit_and_a_long_name_are_told() {
    let folder = Folder::new();
    let long = "long".repeat(100);
    let whole = std::fs::read_to_string(fitted(&folder, 9.5)).unwrap();
    let named = folder.file("named.step", whole.replace("'pin'", &format!("'{long}'")));
    let report = json(&["info", text(&named)]);
    let names: Vec<&str> =
        report["bodies"].as_array().unwrap().iter().map(|body| body["name"].as_str().unwrap()).collect();
    assert!(names.contains(&format!("named.step:{long}").as_str()), "{names:?}");
    let bare = folder.file("bare.step", whole.replace("LENGTH_UNIT()", "MASS_UNIT()"));
    for command in ["info", "check"] {
        let said = stdout(&kontakt([command, text(&bare)]));
        assert!(said.contains("no unit of length is given"), "{said}");
    }
}

/// A model whose edge misses its faces by 2: pairs nearer than that are not told apart, whatever the triangles.
#[test]
fn borders_that_do_not_close_are_told_and_leave_pairs_open() {
    let folder = Folder::new();
    let whole = std::fs::read_to_string(fitted(&folder, 9.0)).unwrap();
    let radius =
        |text: &str, from: &str, to: &str| text.replacen(&format!(",{from})"), &format!(",{to})"), 1);
    // The first circle of the plate's hole is drawn with another radius than its cylinder.
    let torn = radius(&whole, "10.0", "8.0");
    assert_ne!(torn, whole);
    let file = folder.file("torn.step", torn);
    let output = kontakt(["check", text(&file)]);
    let said = stdout(&output);
    assert!(said.contains("borders do not close") && said.contains("by up to 2"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
    let report = json_exit(&["check", text(&file)], 1);
    let gap = report["files"][0]["model_gap"].as_f64().unwrap();
    assert!(gap > 1.9 && report["files"][0]["model_gap_at"]["body"] == "torn.step:plate", "{report}");
}

#[test]
fn a_pin_leaves_its_hole_and_meets_what_is_in_the_way() {
    let folder = Folder::new();
    let file = fitted(&folder, 9.5);
    let pin = format!("{}:pin", text(&file));
    let free = json(&["path", "--moving", &pin, "--along", "0,0,1", "--distance", "40"]);
    assert_eq!(free["verdict"], "free", "{free}");
    let (lo, hi) = range(&free["least_clearance"]);
    assert!(lo <= 0.5 && 0.5 <= hi && lo > 0.3, "{free}");
    // Sideways it meets the wall after 0.5, the other pin would after 81.
    let held = json_exit(&["path", "--moving", &pin, "--along", "1,0,0", "--distance", "40"], 1);
    assert_eq!(held["verdict"], "contact", "{held}");
    let segment = &held["segments"][0];
    assert!(
        segment["t_lo"].as_f64().unwrap() <= 0.5 && segment["t_hi"].as_f64().unwrap() >= 0.5,
        "{segment}"
    );
    let out = json(&["take-out", &pin]);
    assert_eq!(
        (&out["verdict"], &out["ways"][0]["held_by"][0]),
        (&"free".into(), &"fit.step:plate".into()),
        "{out}"
    );
    // What is allowed is allowed for the true surfaces: 0.7 along x is 0.2 deep in the wall.
    let slide = |depth: &str, code: i32| {
        let allow = format!("pin:plate={depth}");
        let arguments =
            ["path", "--moving", &pin, "--along", "1,0,0", "--distance", "0.7", "--allow", &allow];
        json_exit(&arguments, code)["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(slide("0.3", 0), "free");
    assert_eq!(
        slide("0.15", 1),
        "undecided",
        "exceeded, but triangles that were allowed less do not prove by how much"
    );
    // The second pin stands elsewhere, and moves from there.
    let far = format!("{}:pin#2", text(&file));
    let near = json_exit(&["path", "--moving", &far, "--along", "-1,0,0", "--distance", "90"], 1);
    let (lo, hi) =
        (near["segments"][0]["t_lo"].as_f64().unwrap(), near["segments"][0]["t_hi"].as_f64().unwrap());
    assert!(lo <= 70.5 && 70.5 <= hi && hi - lo < 20.0, "{near}");
}

#[test]
fn motions_and_poses() {
    let folder = Folder::new();
    let file = fitted(&folder, 9.5);
    let (plate, far) = (format!("{}:plate", text(&file)), format!("{}:pin#2", text(&file)));
    let still = folder.file("still.txt", "0 0 0 0 0 0 1\n0 0 0 0 0 0 1\n");
    let moves = folder.file("moves.txt", "0 0 0 0 0 0 1\n-100 0 0 0 0 0 1\n");
    let report = json(&["moving", &plate, &far, "--motions-a", text(&still), "--motions-b", text(&moves)]);
    let first = &report["results"][0];
    let (lo, hi) = (first["t_lo"].as_f64().unwrap(), first["t_hi"].as_f64().unwrap());
    assert!(first["hit"] == true && lo <= 0.705 && 0.705 <= hi, "{report}");
    assert!(lo > 0.70, "{report}");
    let poses = folder.file("poses.txt", "0 0 0 0 0 0 1\n-60 0 0 0 0 0 1\n");
    let report = json(&["batch", &plate, &far, "--poses", text(&poses), "--query", "distance"]);
    for (result, truth) in report["results"].as_array().unwrap().iter().zip([70.5, 10.5]) {
        let (lo, hi) = range(&result["distance"]);
        assert!(lo <= truth && truth <= hi && hi - lo < 0.2, "{report}");
    }
}

/// The numbers of Open CASCADE: 32 pairs of as1 touch, none overlaps.
#[test]
fn a_real_assembly_is_clear() {
    let Some(data) = testkit_data("step/as1-oc-214.stp") else { return };
    let report = json(&["check", text(&data), "--deviation", "0.1"]);
    let summary = &report["summary"];
    assert_eq!((&summary["bodies"], &summary["pairs"]), (&18.into(), &153.into()), "{summary}");
    for class in ["overlapping", "contained", "duplicate", "undecided"] {
        assert_eq!(summary[class], 0, "{class}: {summary}");
    }
    let near = summary["within_tessellation"].as_u64().unwrap() + summary["touching"].as_u64().unwrap();
    assert_eq!(near, 32, "{summary}");
}

/// A file of the corpus, where there is one.
fn testkit_data(name: &str) -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let data = std::env::var_os("KONTAKT_DATA").map_or(beside, PathBuf::from).join(name);
    if !data.is_file() {
        println!("skipped: {} is not there", data.display());
        return None;
    }
    Some(data)
}
