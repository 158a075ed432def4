//! Do oriented boxes overlap? Many tests at once, data in the first-level cache.

use crate::bench::Bench;
use crate::contest::{Contender, hold};
use crate::data::boxes;
use crate::machine::estimate_gigahertz;
use crate::product::overlap::{Kernel, PlainObb, obb_one_to_many, obb_pairs};
use crate::questions::overlap::{kernel_contender, repeated, share};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};

/// Boxes in each of two lists: 2 × 256 boxes of sixteen floats are 32 KiB.
const COUNT: usize = 256;
/// Queries in the test of one against many.
const QUERIES: usize = 16;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(15, 2, 1.5);
    let (ones, others) = (boxes::oriented(11, COUNT), boxes::oriented(12, COUNT));
    let (_, queries) = ones.split_at(COUNT - QUERIES);
    let cases = [
        ("pairs", COUNT, obb_pairs(&ones, &others)),
        ("one to many", QUERIES * COUNT, obb_one_to_many(queries, &others)),
    ];
    let mut rows = Vec::new();
    for (layout, tests, kernels) in cases {
        for kernel in kernels {
            let name = format!("{layout}, {}", kernel.name);
            if bench.wants(&name) {
                let limit = limit(kernel.name);
                let peers = if layout == "pairs" { peers(&ones, &others) } else { Vec::new() };
                rows.push(row(name, kernel, tests, limit, peers, effort));
            }
        }
    }
    Table {
        key: "obb",
        title: "Oriented boxes, fifteen axes, batched",
        target: "at most 2 ns a test with AVX-512, 4 ns with AVX2, 12 ns scalar in doubles, on a 3 GHz-class core",
        notes: "Random boxes, 256 against 256 in pairs, or 16 queries against 256 each; time of one test. \"At 3 GHz\" scales \
                by the clock rate measured beside it, for information; what is judged is the time itself. \"Overlap\" is the \
                share of pairs that may overlap. parry gets both poses, as kontakt does, and forms the relative one itself.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

fn limit(kernel: &str) -> Option<f64> {
    match kernel {
        "AVX-512" => Some(2e-9),
        "AVX2" => Some(4e-9),
        "scalar f64" => Some(12e-9),
        _ => None,
    }
}

fn row(
    case: String,
    kernel: Kernel,
    tests: usize,
    limit: Option<f64>,
    peers: Vec<Contender<'_, usize>>,
    effort: crate::contest::Effort,
) -> Row {
    let gigahertz = estimate_gigahertz();
    let mut contenders = vec![kernel_contender(kernel, tests)];
    contenders.extend(peers);
    let outcomes = hold(contenders, effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let least = times[0].least.unwrap_or(f64::NAN);
    let ratio = limit.map(|limit| Ratio {
        against: "limit",
        value: least / limit,
        of_medians: None,
        at_most: Some(1.0),
    });
    let facts = vec![
        Fact::plain("at 3 GHz, ns", format!("{:.2}", least * 1e9 * gigahertz / 3.0)),
        Fact::plain("overlap", share(&outcomes[0], tests)),
    ];
    Row { case, size: format!("{tests} tests"), times, ratio, facts }
}

fn peers(ones: &[PlainObb], others: &[PlainObb]) -> Vec<Contender<'static, usize>> {
    macro_rules! parry {
        ($name:literal, $parry:ident, $real:ty) => {{
            use $parry::math::{Pose, Rotation, Vector};
            use $parry::query::details::intersection_test_cuboid_cuboid;
            use $parry::shape::Cuboid;
            let convert = |boxes: &[PlainObb]| -> Vec<(Pose, Cuboid)> {
                let placed = |&(centre, turn, half): &PlainObb| {
                    let turn = Rotation::from_array(turn.map(|x| x as $real));
                    let centre = Vector::from_array(centre.map(|x| x as $real));
                    (
                        Pose::from_parts(centre, turn),
                        Cuboid::new(Vector::from_array(half.map(|x| x as $real))),
                    )
                };
                boxes.iter().map(placed).collect()
            };
            let (ones, others) = (convert(ones), convert(others));
            repeated($name, COUNT, move || {
                let overlap = |((pose_a, a), (pose_b, b)): &(&(Pose, Cuboid), &(Pose, Cuboid))| {
                    intersection_test_cuboid_cuboid(&pose_a.inv_mul(pose_b), a, b)
                };
                ones.iter().zip(&others).filter(overlap).count()
            })
        }};
    }
    vec![parry!("parry f32", parry3d, f32), parry!("parry f64", parry3d_f64, f64)]
}
