//! The public queries with exact truth, where the corpus is present (`KONTAKT_DATA`; `cargo xtask test` sets it).

mod soft_help;

use kontakt_soft_ccd::touches;

#[test]
fn no_false_verdict_on_the_public_queries() {
    let Some(cases) = soft_help::corpus() else { return };
    let mut wrong = Vec::new();
    for case in &cases {
        if touches(&case.query) != case.touches {
            wrong.push(&case.place);
        }
    }
    println!("{} queries, {} hits", cases.len(), cases.iter().filter(|c| c.touches).count());
    assert!(
        wrong.is_empty(),
        "{} wrong of {}: {:#?}",
        wrong.len(),
        cases.len(),
        &wrong[..wrong.len().min(10)]
    );
}
