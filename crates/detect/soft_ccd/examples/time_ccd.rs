//! Times and stages on the public queries.
#[path = "../tests/soft_help/mod.rs"]
mod soft_help;
fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}
fn main() {
    let Some(cases) = soft_help::corpus() else { return };
    let mut counts = [[0; 2]; 8];
    let mut times = vec![Vec::new(); 8];
    let mut wrong = 0;
    let mut widest = 0.0_f64;
    for c in &cases {
        let mut best = f64::INFINITY;
        let mut r = (None, 0);
        for _ in 0..4 {
            let t = cpu();
            for _ in 0..4 {
                r = std::hint::black_box(kontakt_soft_ccd::stage(std::hint::black_box(&c.query)));
            }
            best = best.min((cpu() - t) / 4.0);
        }
        if r.0.is_some() != c.touches {
            wrong += 1;
        }
        if let Some((lo, hi)) = r.0 {
            widest = widest.max(hi - lo)
        }
        counts[r.1 as usize][usize::from(c.touches)] += 1;
        times[r.1 as usize].push(best * 1e6);
    }
    println!("{} queries, {wrong} wrong, widest {widest:e}", cases.len());
    let mut all: Vec<f64> = times.iter().flatten().copied().collect();
    let stat = |v: &mut Vec<f64>| {
        v.sort_by(f64::total_cmp);
        let q = |p: f64| v[((v.len() - 1) as f64 * p) as usize];
        format!(
            "n {:5} mean {:8.3} median {:8.3} p90 {:8.3} p99 {:8.3} max {:8.3}",
            v.len(),
            v.iter().sum::<f64>() / v.len() as f64,
            q(0.5),
            q(0.9),
            q(0.99),
            q(1.0)
        )
    };
    println!("all {}", stat(&mut all));
    for s in 0..8 {
        if !times[s].is_empty() {
            println!("stage {s}: free {:5} touch {:4} {}", counts[s][0], counts[s][1], stat(&mut times[s]));
        }
    }
}
