//! Times of the cascade on the public queries (`KONTAKT_DATA`), and of the batch filter on random and cloth-like ones.
#[path = "../tests/soft_help/mod.rs"]
mod soft_help;

use kontakt_bounds::batch::Isa;
use kontakt_soft_ccd::{Batch, Kind, Stage, first_contact, touches};
use soft_help::Case;
use std::hint::black_box;

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

fn statistics(times: &mut [f64]) -> String {
    times.sort_by(f64::total_cmp);
    let at = |p: f64| times[((times.len() - 1) as f64 * p) as usize];
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let n = times.len();
    format!(
        "n {n:5} mean {mean:.3} median {:.3} p90 {:.3} p99 {:.3} max {:.3} us",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    )
}

fn corpus(cases: &[Case]) {
    let mut times: [Vec<f64>; 3] = Default::default();
    let mut wrong = 0;
    for case in cases {
        let mut best = f64::INFINITY;
        for _ in 0..4 {
            let start = cpu();
            for _ in 0..4 {
                black_box(first_contact(black_box(&case.query), 1e-9));
            }
            best = best.min((cpu() - start) / 4.0);
        }
        let outcome = first_contact(&case.query, 1e-9);
        wrong += usize::from(outcome.verdict.is_contact() != case.touches);
        let stage =
            [Stage::Filter, Stage::Subdivision, Stage::Exact].iter().position(|s| *s == outcome.stage);
        times[stage.unwrap_or(0)].push(best * 1e6);
    }
    println!("{} queries, {wrong} wrong", cases.len());
    println!("all         {}", statistics(&mut times.concat()));
    for (name, times) in ["filter", "subdivision", "exact"].iter().zip(&mut times) {
        println!("{name:11} {}", statistics(times));
    }
}

fn batch(name: &str, kind: Kind, queries: &[kontakt_soft_ccd::Query]) {
    let mut batch = Batch::new(kind);
    for query in queries {
        batch.push(query);
    }
    let mut open = Vec::new();
    for isa in [Isa::Avx512, Isa::Avx2, Isa::Portable] {
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let start = cpu();
            batch.filter_with(isa, &mut open);
            best = best.min(cpu() - start);
        }
        println!(
            "{name} {kind:?} {isa:?}: {:.1} ns a query, {} of {} open",
            best * 1e9 / batch.len() as f64,
            open.len(),
            batch.len()
        );
    }
    let start = cpu();
    batch.touching(&mut open);
    println!("  decided: {:.1} ns a query, {} touch", (cpu() - start) * 1e9 / batch.len() as f64, open.len());
}

fn main() {
    if let Some(cases) = soft_help::corpus() {
        corpus(&cases);
    }
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        for (name, make) in
            [("random", soft_help::random as fn(Kind, usize) -> Vec<_>), ("cloth", soft_help::cloth)]
        {
            let mut queries = make(kind, 20_000);
            queries.retain(|query| !touches(query));
            batch(name, kind, &queries);
        }
    }
}
