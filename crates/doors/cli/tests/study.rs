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
fn an_unknown_study_is_an_error() {
    assert_eq!(kontakt(["study", "teapots"]).status.code(), Some(2));
}
