//! `kontakt study soft` on its small extent: what it says of itself.

mod common;

use common::{Folder, json, text};

#[test]
fn the_study_of_soft_bodies_loses_nothing_but_by_the_discrete_method() {
    let folder = Folder::new();
    let out = folder.path("out");
    let report = json(&["study", "soft", "--quick", "-o", text(&out)]);
    assert_eq!(report["name"], "soft");
    let tables = report["tables"].as_array().expect("tables");
    assert_eq!(tables.len(), 11, "{tables:?}");
    let lost = tables.iter().find(|t| t["title"] == "What is found and what is lost").expect("the table");
    let rows = lost["rows"].as_array().expect("rows");
    let row = |scene: &str, method: &str| {
        rows.iter().find(|row| row[0] == scene && row[1] == method).expect("a row").as_array().expect("cells")
    };
    for scene in ["slow", "fast", "very fast"] {
        for method in ["kontakt", "continuous, frozen"] {
            let row = row(scene, method);
            assert_eq!(
                (row[3].as_f64(), row[4].as_f64(), row[5].as_f64()),
                (Some(0.0), Some(0.0), Some(0.0)),
                "{row:?}"
            );
            assert!(row[2].as_f64().is_some_and(|step| step > 0.0), "{row:?}");
        }
    }
    assert_eq!(row("bears", "kontakt")[5].as_f64(), Some(0.0));
    // All four vertices of the tetrahedron, and nobody noticed.
    let very_fast = row("very fast", "discrete");
    assert_eq!((&very_fast[2], very_fast[3].as_f64()), (&"none".into(), Some(4.0)));
    let page = std::fs::read_to_string(out.join("soft.md")).expect("page");
    assert!(!page.contains("NaN"), "{page}");
    let mut figures = 0;
    for part in page.split("](soft/").skip(1) {
        let name = part.split(')').next().expect("a name");
        let svg = std::fs::read_to_string(out.join("soft").join(name)).expect("figure");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{name}");
        figures += 1;
    }
    assert_eq!(figures, 13);
}
