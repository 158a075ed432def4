//! `kontakt broad`, driven as a user would.

mod common;

use common::{error, json, kontakt, stdout};

#[test]
fn every_method_finds_the_same_pairs() {
    let asked = |method: &str, mix: &str| {
        json(&["broad", "--bodies", "400", "--steps", "12", "--method", method, "--mix", mix])
    };
    for mix in ["even", "mixed", "clustered", "mixed-clustered", "swarms"] {
        let expected = asked("brute-force", mix);
        assert!(expected["pairs"].as_u64().is_some_and(|pairs| pairs > 20), "{mix}: {expected}");
        assert!(expected["new"].as_u64().is_some_and(|new| new > 0), "{mix}: {expected}");
        for method in [
            "auto",
            "rows",
            "tree",
            "sweep-and-prune",
            "uniform-grid",
            "hash-grid",
            "octree-halved",
            "octree-median",
        ] {
            let found = asked(method, mix);
            assert_eq!(found["method"], method);
            for key in ["pairs", "new", "lost", "bodies", "movers", "steps"] {
                assert_eq!(found[key], expected[key], "{mix}, {method}: {key}");
            }
            for key in ["update", "pairs"] {
                assert!(found["seconds"][key].as_f64().is_some_and(|s| s >= 0.0), "{key}");
            }
        }
    }
}

#[test]
fn movers_and_text() {
    let report = json(&["broad", "--bodies", "500", "--steps", "5", "--movers", "7", "--seed", "3"]);
    assert_eq!((&report["movers"], &report["complete"]), (&7.into(), &true.into()));
    assert_eq!(json(&["broad", "--bodies", "0", "--steps", "3"])["pairs"], 0);
    assert_eq!(json(&["broad", "--bodies", "3", "--steps", "0"])["steps"], 0);
    let shown = stdout(&kontakt(["broad", "--bodies", "500", "--steps", "5"]));
    assert!(shown.contains("auto (rows)") && shown.contains("5 of 5"), "{shown}");
    let cut = json(&["broad", "--bodies", "1000", "--steps", "1000000000", "--time-limit", "0.2"]);
    assert_eq!(cut["complete"], false);
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(error(&["broad", "--bodies", "-1", "--steps", "1"]).contains("whole number"));
    assert!(error(&["broad", "--bodies", "1e30", "--steps", "1"]).contains("whole number"));
    assert!(error(&["broad", "--bodies", "99999999999", "--steps", "1"]).contains("at most"));
    assert!(
        error(&["broad", "--bodies", "10", "--steps", "1", "--method", "magic"]).contains("sweep-and-prune")
    );
    assert!(error(&["broad", "--steps", "1"]).contains("--bodies"));
}
