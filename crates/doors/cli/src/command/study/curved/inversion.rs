//! Table 2.1: inversion of points of B-splines by each operator.

use super::super::page::{Cell, Page, Table};
use crate::failure::Failure;
use kontakt_lab_curved::{Measured, table};

/// Milliseconds of the thesis for the interval Newton operator, Krawczyk's, Gauss–Seidel and its own modified one. Where a cylinder's numbers lost
/// their commas they are read as 12.0, 37.4 and 21.8; Krawczyk's for the wave as 295.2.
const THESIS: [(&str, [f64; 4]); 5] = [
    ("sphere", [50.4, 88.3, 34.8, 14.3]),
    ("cylinder", [12.0, 37.4, 21.8, 7.6]),
    ("cone", [36.7, 78.7, 21.2, 8.3]),
    ("torus", [149.1, 179.8, 109.8, 37.2]),
    ("wave", [252.5, 295.2, 191.5, 90.6]),
];

/// Points are known to this.
const DISTANCE: f64 = 1e-9;

pub(super) fn section(page: &mut Page, points: usize) -> Result<(), Failure> {
    page.heading("Inversion (Table 2.1)");
    page.words(format!(
        "{points} points of each surface, their parameters spread evenly, are inverted by each operator of the thesis and by kontakt's own. *Certified* counts the points \
         whose parameters were found alone and proven; a search ends after 2000 boxes. The control points of the thesis's wave are lost: ours has its knots and degree."
    ));
    let rows = table(points, 5, DISTANCE, kontakt_lab_curved::inversion::SPLIT)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let mut shown = Table::new(
        "Table 2.1: milliseconds for one point",
        ["surface", "operator", "thesis ms", "ms", "calls", "boxes", "certified %"],
    );
    for row in rows {
        for measured in &row.measured {
            let share = |count: usize| count as f64 / row.points as f64;
            shown.row(vec![
                row.surface.into(),
                format!("{:?}", measured.operator).into(),
                thesis(row.surface, measured).map_or("–".into(), |ms| Cell::Number(ms, 1)),
                Cell::Number(1e3 * measured.time.as_secs_f64() / row.points as f64, 4),
                Cell::Number(share(measured.calls), 0),
                Cell::Number(share(measured.boxes), 1),
                Cell::Number(100.0 * share(measured.certified), 0),
            ]);
        }
    }
    page.table(shown);
    Ok(())
}

/// What the thesis measured for an operator.
fn thesis(surface: &str, measured: &Measured) -> Option<f64> {
    let column = match format!("{:?}", measured.operator).as_str() {
        "Newton" => 0,
        "Krawczyk" => 1,
        "GaussSeidel" => 2,
        "MultiRow" => 3,
        _ => return None,
    };
    THESIS.iter().find(|row| row.0 == surface).map(|row| row.1[column])
}
