//! Box of smallest volume, proven.

use crate::bench::Bench;
use crate::check::inside::outside_box;
use crate::clock::timed;
use crate::contest::Effort;
use crate::data::files;
use crate::product;
use crate::report::{Fact, Row, Table, Time, Unit};

/// Hulls up to this many vertices must be solved with proof of the exact minimum.
const PROVEN_VERTICES: usize = 200;
/// Certified relative gap that counts as proof: bounds are rounded outward, so none is ever certified to be 0.
const PROOF: f64 = 1e-10;
/// Certified relative gap that larger hulls must reach.
const GAP: f64 = 1e-6;
/// Seconds allowed.
const SECONDS: f64 = 60.0;
/// "Never larger than any other method's result", up to the rounding of the volumes compared.
const ROUNDING: f64 = 1e-12;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = Effort { rounds: 1, burst: 1, seconds: SECONDS };
    let mut rows = Vec::new();
    for path in bench.real_meshes() {
        if let Some(points) = bench.points_of(&path) {
            rows.push(case(bench, files::short_name(&path), &points));
        }
    }
    Table {
        key: "exact",
        title: "Box of smallest volume, `--method exact`",
        target: "proven minimum for hulls up to 200 vertices; above, a certified gap of 1e-6 within 60 s; never larger than \
                 any other method's result",
        notes: "One call each. \"Gap\" is certified by the method itself; up to 200 hull vertices at most 1e-10 is wanted, which \
                is what \"proven\" means where bounds are rounded outward. \"Against best\" is relative to the smallest volume \
                that any contender of the previous table found in this run. Every point inside is checked in exact arithmetic.",
        unit: Unit::Milliseconds,
        effort,
        rows,
    }
}

fn case(bench: &Bench, name: String, points: &[[f64; 3]]) -> Row {
    let vectors = product::vectors(points);
    let hull_vertices = product::small_box::hull_vertex_count(&vectors).ok();
    // What is wanted, and what is asked for: small hulls to the last digit, large ones to half the gap, which leaves
    // room for the outward rounding of the box itself.
    let is_small = hull_vertices.is_some_and(|n| n <= PROVEN_VERTICES);
    let (wanted, asked) = if is_small { (PROOF, ROUNDING) } else { (GAP, GAP / 2.0) };
    let (seconds, found) = timed(|| product::small_box::exact_method(&vectors, asked, SECONDS));
    let mut time =
        Time { contender: "kontakt", least: Some(seconds), median: Some(seconds), calls: 1, error: None };
    let mut facts =
        vec![Fact::plain("hull vertices", hull_vertices.map_or("–".to_owned(), |n| n.to_string()))];
    match found {
        Ok(found) => {
            facts.push(Fact::judged(
                "within 60 s",
                if seconds <= SECONDS { "yes" } else { "no" },
                seconds <= SECONDS,
            ));
            let shown = found.gap.map_or("none".to_owned(), |gap| format!("{gap:.1e}"));
            facts.push(Fact::judged("gap", shown, found.gap.is_some_and(|gap| gap <= wanted)));
            if let Some(best) = bench.smallest_volume.get(&name).filter(|best| **best > 0.0) {
                let excess = found.volume() / best - 1.0;
                facts.push(Fact::judged("against best", format!("{excess:+.1e}"), excess <= ROUNDING));
            }
            let outside = outside_box(points, found.centre, found.axes, found.half_extents);
            facts.push(Fact::judged("outside", outside.to_string(), outside == 0));
        }
        Err(reason) => {
            time.least = None;
            time.error = Some(reason);
            facts.push(Fact::judged("gap", "none", false));
        }
    }
    Row { case: name, size: points.len().to_string(), times: vec![time], ratio: None, facts }
}
