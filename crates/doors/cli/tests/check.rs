//! `kontakt check`, driven as a user would: relations, rules, names, exit codes.

mod common;

use common::{CUBE, Folder, boxes, error, json, json_exit, kontakt, range, stderr, stdout, text};
use serde_json::{Value, json as value};
use std::path::PathBuf;

/// Every relation to one base plate; coordinates and gaps are exact in binary.
const ASSEMBLY: [(&str, [f64; 3], [f64; 3]); 7] = [
    ("base", [0.0, 0.0, 0.0], [4.0, 4.0, 1.0]),
    ("on_top", [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
    ("inside", [1.0, 1.0, 0.25], [0.5, 0.5, 0.5]),
    ("sunk", [3.0, 3.0, 0.75], [0.5, 0.5, 1.0]),
    ("near", [0.0, 0.0, 1.125], [0.5, 0.5, 1.0]),
    ("through", [2.5, 0.5, -1.0], [0.25, 0.25, 3.0]),
    ("far", [9.0, 9.0, 9.0], [1.0, 1.0, 1.0]),
];

fn assembly(folder: &Folder, scale: f64, shift: f64) -> PathBuf {
    let moved =
        ASSEMBLY.map(|(name, at, size)| (name, at.map(|x| x * scale + shift), size.map(|x| x * scale)));
    folder.file("asm.obj", boxes(&moved))
}

/// The entry of a pair, by object names.
fn pair<'a>(report: &'a Value, a: &str, b: &str) -> &'a Value {
    let full = |object: &str| value!(format!("asm.obj:{object}"));
    report["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|pair| pair["a"] == full(a) && pair["b"] == full(b))
        .unwrap_or_else(|| panic!("no pair {a}, {b} in {report}"))
}

/// All relations, also far from the origin and small: the coordinates stay exact, so the classes must too.
#[test]
fn every_relation_is_found_at_any_place_and_scale() {
    for (scale, shift) in [(1.0, 0.0), (1.0, 8_388_608.0), (1.0 / 1_048_576.0, 0.0)] {
        let folder = Folder::new();
        let file = assembly(&folder, scale, shift);
        let clearance = (0.1875 * scale).to_string();
        let report = json_exit(&["check", text(&file), "--clearance", &clearance], 1);
        assert_eq!(report["pairs"].as_array().unwrap().len(), 21);
        for (other, relation) in [
            ("on_top", "touching"),
            ("inside", "contained"),
            ("sunk", "overlapping"),
            ("near", "encroaching"),
            ("through", "overlapping"),
            ("far", "separate"),
        ] {
            let found = pair(&report, "base", other);
            assert_eq!(found["relation"], relation, "scale {scale}, shift {shift}: {found}");
        }
        assert_eq!(pair(&report, "base", "inside")["inner"], "b");
        assert_eq!(pair(&report, "base", "sunk")["kind"], "protruding");
        assert_eq!(pair(&report, "base", "through")["kind"], "piercing");
        let (lo, hi) = range(&pair(&report, "base", "near")["distance"]);
        // Far from the origin, certified bounds are as wide as a few roundings of the coordinates.
        let width = 1e-12 * scale + 2e-14 * shift;
        assert!(lo <= 0.125 * scale && hi >= 0.125 * scale && hi - lo <= width, "{lo} {hi}");
        let (lo, hi) = range(&pair(&report, "base", "sunk")["depth"]);
        assert!(0.0 <= lo && lo <= 0.25 * scale && hi >= 0.25 * scale, "{lo} {hi}");
        let summary = &report["summary"];
        assert_eq!((&summary["overlapping"], &summary["contained"]), (&value!(2), &value!(1)), "{summary}");
        assert_eq!((&report["verdict"], &summary["forbidden"]), (&value!("clash"), &value!(4)));
    }
}

#[test]
fn text_shows_the_gravest_first_and_a_verdict_last() {
    let folder = Folder::new();
    let file = assembly(&folder, 1.0, 0.0);
    let output = kontakt(["check", text(&file), "--clearance", "0.1875"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = stdout(&output);
    let place = |word: &str| shown.find(word).unwrap_or_else(|| panic!("no {word} in {shown}"));
    // By interference: both of the first lie 0.5 deep, the sunk one 0.25.
    assert!(place("contained") < place("protruding") && place("piercing") < place("protruding"), "{shown}");
    assert!(
        place("protruding") < place("encroaching") && place("encroaching") < place("touching"),
        "{shown}"
    );
    let last = shown.lines().last().unwrap();
    assert!(last.starts_with("clash: 4 of 21 pairs of 7 bodies"), "{last}");
    assert!(stderr(&output).is_empty());
}

#[test]
fn a_clear_assembly_exits_0_and_touching_only_with_strict() {
    let folder = Folder::new();
    let file = folder.file("asm.obj", boxes(&[ASSEMBLY[0], ASSEMBLY[1], ASSEMBLY[6]]));
    let report = json(&["check", text(&file)]);
    assert_eq!((&report["verdict"], &report["summary"]["touching"]), (&value!("clear"), &value!(1)));
    assert!(!pair(&report, "base", "on_top")["contacts"].as_array().unwrap().is_empty());
    let strict = json_exit(&["check", text(&file), "--strict"], 1);
    assert_eq!(pair(&strict, "base", "on_top")["forbidden"], true);
    let output = kontakt(["check", text(&file)]);
    let shown = stdout(&output);
    assert!(shown.lines().last().unwrap().starts_with("clear: 3 pairs of 3 bodies"), "{shown}");
}

/// The gap is 0.125 exactly, but its bounds are a few roundings wide: neither kept nor broken is proven.
#[test]
fn a_gap_as_wide_as_the_clearance_is_undecided_or_kept_but_never_encroaching() {
    let folder = Folder::new();
    let file = folder.file("asm.obj", boxes(&[ASSEMBLY[0], ASSEMBLY[4]]));
    let output = kontakt(["check", text(&file), "--clearance", "0.125", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let relation = &pair(&report, "base", "near")["relation"];
    let code = i32::from(relation != "separate");
    assert!(relation == "separate" || relation == "undecided", "{report}");
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn tolerance_allowance_and_ignoring_let_pass_what_they_say() {
    let folder = Folder::new();
    let file = folder.file("asm.obj", boxes(&[ASSEMBLY[0], ASSEMBLY[3], ASSEMBLY[4]]));
    let file = text(&file);
    let sunk = |more: &[&str], code| {
        let arguments: Vec<&str> = ["check", file].iter().chain(more).copied().collect();
        json_exit(&arguments, code)
    };
    let tolerant = sunk(&["--touch-tolerance", "0.25", "--clearance", "0.25"], 0);
    let found = pair(&tolerant, "base", "sunk");
    assert_eq!((&found["relation"], &found["exact"]), (&value!("touching"), &value!("overlapping")));
    let found = pair(&tolerant, "base", "near");
    assert_eq!((&found["relation"], &found["exact"]), (&value!("touching"), &value!("separate")));
    sunk(&["--touch-tolerance", "0.125"], 1);

    let allowed = sunk(&["--allow", "base:sunk=0.25"], 0);
    assert_eq!(pair(&allowed, "base", "sunk")["allowed"], true);
    assert_eq!(pair(&allowed, "base", "sunk")["relation"], "overlapping");
    sunk(&["--allow", "base:sunk=0.125"], 1);
    sunk(&["--allow", "base:near=9"], 1);

    let ignored = sunk(&["--ignore", "asm.obj:sunk:asm.obj:base"], 0);
    assert_eq!((&ignored["summary"]["ignored"], &ignored["summary"]["pairs"]), (&value!(1), &value!(3)));
    assert_eq!(ignored["pairs"].as_array().unwrap().len(), 2);
    sunk(&["--ignore", "s*:b*"], 0);
}

#[test]
fn names_and_depths_that_fit_nothing_are_errors() {
    let folder = Folder::new();
    let file = assembly(&folder, 1.0, 0.0);
    for (option, given, words) in [
        ("--ignore", "base:nothing", "asm.obj:base"),
        ("--ignore", "base", "write A:B"),
        ("--allow", "base:sunk", "DEPTH"),
        ("--allow", "base:sunk=deep", "`deep`"),
        ("--allow", "base:sunk=-1", "not negative"),
        ("--clearance", "-1", "not negative"),
        ("--clearance", "NaN", "finite"),
        ("--touch-tolerance", "x", "not a number"),
    ] {
        let message = error(&["check", text(&file), option, given]);
        assert!(message.contains(option) && message.contains(words), "{option} {given}: {message}");
    }
}

#[test]
fn the_same_file_twice_is_a_duplicate() {
    let folder = Folder::new();
    let cube = folder.file("cube.obj", CUBE);
    let report = json_exit(&["check", text(&cube), text(&cube)], 1);
    let found = &report["pairs"][0];
    assert_eq!((&found["a"], &found["b"]), (&value!("cube.obj:cube"), &value!("cube.obj:cube#2")));
    assert_eq!(found["relation"], "duplicate");
}

#[test]
fn open_sheets_that_cross_overlap_without_depth() {
    let folder = Folder::new();
    let sheet = "o flat\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4\no upright\nv 1 0 -1\nv 1 2 -1\nv 1 2 1\nv 1 0 1\nf 5 6 7 8\n";
    let file = folder.file("asm.obj", sheet);
    let report = json_exit(&["check", text(&file)], 1);
    let found = pair(&report, "flat", "upright");
    assert_eq!((&found["relation"], &found["depth"]), (&value!("overlapping"), &value!(null)), "{found}");
}

#[test]
fn answers_do_not_depend_on_threads_and_out_lists_every_pair() {
    let folder = Folder::new();
    let file = assembly(&folder, 1.0, 0.0);
    let one = json_exit(&["check", text(&file), "--threads", "1"], 1);
    let three = json_exit(&["check", text(&file), "--threads", "3"], 1);
    assert_eq!(one, three);
    let out = folder.path("pairs.jsonl");
    assert_eq!(kontakt(["check", text(&file), "--out", text(&out)]).status.code(), Some(1));
    let lines: Vec<Value> = std::fs::read_to_string(&out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(Value::from(lines), one["pairs"]);
}

/// More pairs than get exact distances: boxes far apart have wide but certified bounds, near ones are exact.
#[test]
fn many_bodies_keep_certified_distances() {
    let folder = Folder::new();
    let names: Vec<String> = (0..110).map(|i| format!("b{i}")).collect();
    let list: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(i, name)| (name.as_str(), [1.5 * i as f64, 0.0, 0.0], [1.0, 1.0, 1.0]))
        .collect();
    let file = folder.file("asm.obj", boxes(&list));
    let report = json_exit(&["check", text(&file), "--clearance", "0.75", "--ignore", "b0:b1"], 1);
    assert_eq!(report["summary"]["pairs"], 110 * 109 / 2);
    assert_eq!(report["summary"]["encroaching"], 108);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 110 * 109 / 2 - 1);
    for (i, j) in [(1, 2), (0, 2), (5, 100)] {
        let (lo, hi) = range(&pair(&report, &format!("b{i}"), &format!("b{j}"))["distance"]);
        let exact = 1.5 * f64::from(j - i) - 1.0;
        assert!(lo <= exact && exact <= hi && hi < exact + 4.0, "{i} {j}: {lo} {hi}");
    }
}

#[test]
fn when_time_is_up_pairs_are_undecided_with_certified_bounds() {
    let folder = Folder::new();
    let file = assembly(&folder, 1.0, 0.0);
    let report = json_exit(&["check", text(&file), "--time-limit", "0"], 1);
    let found = pair(&report, "base", "sunk");
    let (lo, hi) = range(&found["bounds"]);
    assert_eq!(found["relation"], "undecided");
    assert!(lo <= -0.25 && hi >= 0.0, "{found}");
    assert_eq!(pair(&report, "base", "far")["relation"], "separate");
}

#[test]
fn units_that_differ_are_warned_about() {
    let folder = Folder::new();
    let file = folder.file("asm.obj", boxes(&[ASSEMBLY[0], ("huge", [100.0; 3], [1000.0; 3])]));
    let report = json(&["check", text(&file)]);
    assert!(report["warnings"][0].as_str().unwrap().contains("units"), "{report}");
}

/// A body with a hole has no inside: nothing is seen in it, and a user must know.
#[test]
fn bodies_that_are_not_closed_are_warned_of() {
    let folder = Folder::new();
    let sheet = "o sheet\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let solid = "o solid\nv 0 0 2\nv 1 0 2\nv 0 1 2\nv 0 0 3\nf 4 6 5\nf 4 5 7\nf 4 7 6\nf 5 6 7\n";
    let report = json(&["check", text(&folder.file("both.obj", format!("{sheet}{solid}")))]);
    let warnings = report["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{report}");
    let said = warnings[0].as_str().unwrap();
    assert!(
        said.contains("1 body is not closed") && said.contains("sheet") && !said.contains("solid"),
        "{said}"
    );
}
