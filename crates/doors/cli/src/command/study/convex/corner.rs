//! Errors of the normal over the depth where a sphere meets the corner of a box: Figure 13.

use super::super::page::{Cell, Page, Table};
use super::black_box;
use super::way::{Way, degrees};
use crate::failure::Failure;
use crate::plot::{Lines, Spacing};
use kontakt::convex::PlacedShape;
use kontakt::math::Pose;

/// Depths a decade.
const FINENESS: i32 = 8;
/// Errors below this are drawn as this: a double cannot say less.
const LEAST: f64 = 1e-16;

pub(super) fn section(page: &mut Page) -> Result<(), Failure> {
    page.heading("Normals over the depth (3.2, Figure 13)");
    page.words(
        "A sphere is pushed onto the corner of a box (case 1). libccd stops where squares of lengths get small, so shallow contacts \
         stop at once, and splits faces without looking for the silhouette; the thesis saw its normals off by up to 65°. An EPA \
         that works like it is built here. The thesis's EPA stops at a relative error.",
    );
    let cases = black_box::cases().map_err(|error| Failure::Usage(error.to_string()))?;
    let case = &cases[0];
    let mut ways = [
        ("libccd-like EPA, absolute stop 1e-4", Way::loose(1e-4)),
        ("libccd-like EPA, absolute stop 1e-6", Way::loose(1e-6)),
        ("EPA of the thesis, relative stop 1e-7", Way::expanding(1e-7)),
        ("kontakt", Way::certified()),
    ];
    let mut series: Vec<(String, Vec<[f64; 2]>)> = Vec::new();
    let mut table =
        Table::new("Error of the normal in degrees, both orders", ["way", "worst", "mean", "contacts lost"]);
    for (name, way) in &mut ways {
        let (mut points, mut lost) = (Vec::new(), 0);
        for step in 0..=6 * FINENESS {
            let exponent = -6.0 + f64::from(step) / f64::from(FINENESS);
            let place = case.place(10f64.powf(exponent));
            let (a, b) = (PlacedShape::new(&case.a, Pose::IDENTITY), PlacedShape::new(&case.b, place));
            let (there, back) = (way.ask(a, b), way.ask(b, a));
            lost += usize::from(!there.contact) + usize::from(!back.contact);
            let off = degrees(case.normal(), there.normal).max(degrees(-case.normal(), back.normal));
            if there.contact && back.contact {
                points.push([exponent, off.max(LEAST)]);
            }
        }
        let worst = points.iter().map(|p| p[1]).fold(0.0, f64::max);
        let mean = points.iter().map(|p| p[1]).sum::<f64>() / points.len().max(1) as f64;
        let shown = |value: f64| Cell::from(format!("{value:.1e}"));
        table.row(vec![(*name).into(), shown(worst), shown(mean), Cell::Number(f64::from(lost as u32), 0)]);
        series.push(((*name).to_owned(), points));
    }
    page.table(table);
    let plot = Lines {
        title: "Sphere on the corner of a box: error of the normal".to_owned(),
        x_label: "log10 of the depth (size 10)".to_owned(),
        y_label: "degrees".to_owned(),
        spacing: Spacing::Logarithmic,
        dots: false,
        series,
    };
    page.figure("corner", "Figure 13: errors of the normal over the depth", plot.svg());
    Ok(())
}
