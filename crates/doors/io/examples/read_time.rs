//! Reads files, looks at their topology and prints what that cost: `read_time FILE…`. The bench tool calls it so that peak memory is of one file.

use kontakt_io::{ReadOptions, read};
use kontakt_shapes::Topology;

fn main() {
    for path in std::env::args_os().skip(1) {
        let before = peak_kilobytes();
        let start = cpu_seconds();
        match read(path.as_ref(), &ReadOptions::default()) {
            Ok(loaded) => {
                let seconds = cpu_seconds() - start;
                let result: usize = loaded.bodies.iter().map(|body| body.faces.heap_bytes()).sum();
                let faces: usize = loaded.bodies.iter().map(|body| body.faces.face_count()).sum();
                let peak = 1024 * (peak_kilobytes() - before);
                println!(
                    "{}: {faces} faces, {seconds:.4} s of one processor, result {result} bytes, peak {peak} bytes more than before",
                    path.display()
                );
                let start = cpu_seconds();
                let closed = loaded.bodies.iter().filter(|body| Topology::of(&body.faces).closed).count();
                println!(
                    "  {closed} of {} bodies closed, {:.4} s",
                    loaded.bodies.len(),
                    cpu_seconds() - start
                );
            }
            Err(error) => println!("{error}"),
        }
    }
}

/// Highest resident memory of this process so far, where the system tells.
fn peak_kilobytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Processor time of this thread so far, where the system tells.
fn cpu_seconds() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = times.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    nanoseconds * 1e-9
}
