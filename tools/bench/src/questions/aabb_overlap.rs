//! Which of many axis-aligned boxes does one overlap? Data in the first-level cache.

use crate::bench::Bench;
use crate::contest::hold;
use crate::data::boxes;
use crate::machine::estimate_gigahertz;
use crate::product::overlap::aabb_one_to_many;
use crate::questions::overlap::{kernel_contender, repeated, share};
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};

/// Boxes asked: 512 of six doubles are 24 KiB.
const COUNT: usize = 512;
/// Boxes asking.
const QUERIES: usize = 16;
/// Seconds a test.
const LIMIT: f64 = 0.6e-9;

pub(super) fn ask(bench: &mut Bench) -> Table {
    let effort = bench.effort(15, 2, 1.5);
    let (queries, members) = (boxes::axis_aligned(21, QUERIES), boxes::axis_aligned(22, COUNT));
    let tests = QUERIES * COUNT;
    let mut rows = Vec::new();
    for kernel in aabb_one_to_many(&queries, &members) {
        if !bench.wants(kernel.name) {
            continue;
        }
        let case = kernel.name.to_owned();
        let limit = matches!(kernel.name, "AVX-512" | "AVX2").then_some(1.0);
        let gigahertz = estimate_gigahertz();
        let contenders = vec![
            kernel_contender(kernel, tests),
            parry_f32(&queries, &members),
            parry_f64(&queries, &members),
        ];
        let outcomes = hold(contenders, effort);
        let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
        let least = times[0].least.unwrap_or(f64::NAN);
        let ratio = Some(Ratio { against: "limit", value: least / LIMIT, of_medians: None, at_most: limit });
        let facts = vec![
            Fact::plain("at 3 GHz, ns", format!("{:.2}", least * 1e9 * gigahertz / 3.0)),
            Fact::plain("overlap", share(&outcomes[0], tests)),
        ];
        rows.push(Row { case, size: format!("{tests} tests"), times, ratio, facts });
    }
    Table {
        key: "aabb",
        title: "One axis-aligned box against many, batched",
        target: "at most 0.6 ns a test",
        notes: "Sixteen queries against 512 boxes each, in doubles; time of one test. \"At 3 GHz\" scales by the clock rate \
                measured beside it, for information. The target is judged for the instruction sets it was set for (AVX2, \
                AVX-512). parry has no batched test; its rows are a loop over `Aabb::intersects`.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

macro_rules! parry {
    ($function:ident, $name:literal, $parry:ident, $real:ty) => {
        fn $function(
            queries: &[[[f64; 3]; 2]],
            members: &[[[f64; 3]; 2]],
        ) -> crate::contest::Contender<'static, usize> {
            use $parry::bounding_volume::{Aabb, BoundingVolume};
            use $parry::math::Vector;
            let convert = |boxes: &[[[f64; 3]; 2]]| -> Vec<Aabb> {
                let corner = |p: [f64; 3]| Vector::from_array(p.map(|x| x as $real));
                boxes.iter().map(|&[low, high]| Aabb::new(corner(low), corner(high))).collect()
            };
            let (queries, members) = (convert(queries), convert(members));
            repeated($name, QUERIES * COUNT, move || {
                queries
                    .iter()
                    .map(|query| members.iter().filter(|member| query.intersects(member)).count())
                    .sum()
            })
        }
    };
}
parry!(parry_f32, "parry f32", parry3d, f32);
parry!(parry_f64, "parry f64", parry3d_f64, f64);
