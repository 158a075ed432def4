//! `kontakt study` on its small extent: what it prints and writes.

mod common;

use common::{Folder, json, kontakt, text};

#[test]
fn the_study_of_hierarchies_writes_its_page_and_plots() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "hierarchies", "--quick", "-o", text(&out)]);
    assert_eq!(report["name"], "hierarchies");
    let tables = report["tables"].as_array().expect("tables");
    assert!(tables.len() > 10, "{} tables", tables.len());
    for table in tables {
        let columns = table["columns"].as_array().expect("columns").len();
        let rows = table["rows"].as_array().expect("rows");
        assert!(!rows.is_empty(), "{} is empty", table["title"]);
        assert!(rows.iter().all(|row| row.as_array().expect("row").len() == columns), "{}", table["title"]);
    }
    let page = std::fs::read_to_string(out.join("hierarchies.md")).expect("page");
    assert!(page.contains("queries of the runtime form: 0 differ"), "an answer was wrong");
    assert!(!page.contains("NaN"), "{page}");
    let mut figures = 0;
    for part in page.split("](hierarchies/").skip(1) {
        let name = part.split(')').next().expect("a name");
        let svg = std::fs::read_to_string(out.join("hierarchies").join(name)).expect("figure");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{name}");
        figures += 1;
    }
    assert!(figures > 10, "{figures} figures");
}

#[test]
fn the_study_of_convex_bodies_finds_no_wrong_verdict() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "convex", "--quick", "-o", text(&out)]);
    assert_eq!(report["name"], "convex");
    let tables = report["tables"].as_array().expect("tables");
    assert!(tables.len() >= 8, "{} tables", tables.len());
    let page = std::fs::read_to_string(out.join("convex.md")).expect("page");
    assert_eq!(page.matches("kontakt: 0 wrong verdicts").count(), 2, "{page}");
    assert!(!page.contains("NaN"), "{page}");
    for name in ["corner", "stop-speed", "stop-normal"] {
        let svg = std::fs::read_to_string(out.join("convex").join(format!("{name}.svg"))).expect("figure");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{name}");
    }
}

#[test]
fn the_study_of_curved_bodies_finds_nothing_smaller() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "curved", "--quick", "-o", text(&out)]);
    assert_eq!(report["name"], "curved");
    assert_eq!(report["tables"].as_array().expect("tables").len(), 5);
    let page = std::fs::read_to_string(out.join("curved.md")).expect("page");
    assert!(page.contains("No local search found less than the certified lower ends."), "{page}");
    assert!(!page.contains("NaN"), "{page}");
}

#[test]
fn the_study_of_motion_proves_removals_free_and_finds_what_poses_hide() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "motion", "--quick", "-o", text(&out)]);
    assert_eq!(report["name"], "motion");
    let tables = report["tables"].as_array().expect("tables");
    let rows = |title: &str| {
        let table = tables.iter().find(|table| table["title"] == title).expect(title);
        table["rows"].as_array().expect("rows").clone()
    };
    let removals = rows("Removals");
    assert_eq!(removals.len(), 7);
    for (i, row) in removals.iter().enumerate() {
        let (at_poses, certified) = (row[4].as_str().expect("words"), row[5].as_str().expect("words"));
        match i {
            // The careful ones are free; of the jerk no pose knows.
            0..=3 => assert_eq!((at_poses, certified), ("free at every pose", "free"), "{row}"),
            4 => {
                assert!(
                    at_poses == "free at every pose" && certified.starts_with("contact in step"),
                    "{row}"
                );
            }
            _ => assert!(certified.starts_with("contact in step"), "{row}"),
        }
    }
    let screws = rows("Out of the nut, in 16 pieces of a helix");
    for (row, verdict) in screws.iter().zip(["free", "contact", "contact", "contact"]) {
        assert!(row[3].as_str().expect("words").starts_with(verdict), "{row}");
    }
    for row in rows("Steps") {
        assert_eq!(row[3], 0.0, "undecided: {row}");
    }
    let page = std::fs::read_to_string(out.join("motion.md")).expect("page");
    assert!(!page.contains("NaN"), "{page}");
    for part in ["cover", "bulb", "auxiliary-cover", "auxiliary-bulb"] {
        let svg =
            std::fs::read_to_string(out.join("motion").join(format!("time-{part}.svg"))).expect("figure");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{part}");
    }
}

/// Every page begins with what came out, names its thesis, explains its words, shows its scenes, and says how it was made.
#[test]
fn pages_explain_themselves() {
    for (name, key, picture) in [
        ("hierarchies", "eckstein1998", "scene-cover.svg"),
        ("convex", "leemann2017", "```text"),
        ("motion", "eckstein1998", "scene-auxiliary-bulb.svg"),
        ("budget", "eckstein1998", "crowd-missed.svg"),
        ("piles", "leemann2017", "cubes-single.svg"),
    ] {
        let folder = Folder::new();
        let out = folder.path("out");
        json(&["study", name, "--quick", "-o", text(&out)]);
        let page = std::fs::read_to_string(out.join(format!("{name}.md"))).expect("page");
        let opening = page.lines().skip(1).find(|line| !line.is_empty());
        assert_eq!(opening, Some("**In short**"), "{page}");
        for words in [
            key,
            picture,
            "**Words.**",
            "## How this page was made",
            "--quick -o docs/studies",
            "carry no weight",
        ] {
            assert!(page.contains(words), "{name}: {words}");
        }
        assert!(page.matches("\n- ").count() >= 3, "{name}: a summary");
    }
}

#[test]
fn the_study_of_budgets_says_nothing_that_is_not_proven() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "budget", "--quick", "-o", text(&out)]);
    let tables = report["tables"].as_array().expect("tables");
    let rows = |title: &str| -> Vec<Vec<serde_json::Value>> {
        let table = tables.iter().find(|table| table["title"] == title).expect(title);
        table["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row.as_array().expect("a row").clone())
            .collect()
    };
    for scene in ["lamp", "crowd"] {
        let mut last = (String::new(), 0.0);
        for row in rows(&format!("First contacts, {scene}")) {
            assert_eq!(row[5], 0.0, "{scene}: more was said to be free than is");
            let (policy, proven) =
                (row[0].as_str().expect("a name").to_owned(), row[4].as_f64().expect("a number"));
            assert!(policy != last.0 || proven >= last.1, "{scene}, {policy}: more budget, less proven");
            last = (policy, proven);
        }
        for row in rows(&format!("Missed / late / false at the end of the budget, {scene}")) {
            for safe in &row[3..5] {
                assert!(safe.as_str().expect("counts").starts_with("0 / 0 / "), "{scene}: {row:?}");
            }
        }
    }
    let missed = rows("Missed / late / false at the end of the budget, crowd");
    assert!(missed.iter().any(|row| !row[5].as_str().expect("counts").starts_with("0 / 0")), "{missed:?}");
}

#[test]
fn an_unknown_study_is_an_error() {
    assert_eq!(kontakt(["study", "teapots"]).status.code(), Some(2));
}

#[test]
fn the_study_of_broad_phases_finds_the_same_pairs_by_all() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "broad", "--quick", "-o", text(&out)]);
    assert_eq!(report["name"], "broad");
    assert_eq!(report["tables"].as_array().expect("tables").len(), 4);
    let page = std::fs::read_to_string(out.join("broad.md")).expect("page");
    assert!(page.contains(": 0 differ in their pairs."), "{page}");
    assert!(!page.contains("NaN"), "{page}");
    for name in ["mixes-2000", "movers", "growth"] {
        let svg = std::fs::read_to_string(out.join("broad").join(format!("{name}.svg"))).expect("figure");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{name}");
    }
}

#[test]
fn the_study_of_a_gas_keeps_all_values_within_the_scatter_of_a_sample() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "gas", "--quick", "-o", text(&out)]);
    let tables = report["tables"].as_array().expect("tables");
    assert_eq!((&report["name"], tables.len()), (&"gas".into(), 4));
    let page = std::fs::read_to_string(out.join("gas.md")).expect("page");
    assert!(page.contains(": 0 of 12 values of 2 runs are beyond"), "{page}");
    assert!(!page.contains("NaN"), "{page}");
    for name in ["speeds", "mixing", "drift", "rod-energy", "rod-elastic", "rod-lossy"] {
        let svg = std::fs::read_to_string(out.join("gas").join(format!("{name}.svg"))).expect("figure");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{name}");
    }
}

#[test]
fn the_study_of_ranks_finds_one_state() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "ranks", "--quick", "-o", text(&out)]);
    assert_eq!((&report["name"], report["tables"].as_array().expect("tables").len()), (&"ranks".into(), 3));
    let page = std::fs::read_to_string(out.join("ranks.md")).expect("page");
    assert!(
        page.contains("on 1 to 2 ranks: one hash") && page.contains("a model, not a measurement"),
        "{page}"
    );
    assert!(!page.contains("NaN"), "{page}");
}
