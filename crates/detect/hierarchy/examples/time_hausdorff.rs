//! Times the directed Hausdorff distance from boxes to the 10 000 faces they bound, to 1 %: thread CPU time, best of five.

use kontakt_bounds::hausdorff::{HausdorffLimit, Nearest, directed_hausdorff};
use kontakt_bounds::{Aabb, Bound, FitError, Obb};
use kontakt_hierarchy::{Faces, Packed, PackedFaces};
use kontakt_math::DVec3;
use kontakt_shapes::make;

fn main() {
    let limit = HausdorffLimit { absolute: 0.0, relative: 0.01, max_cells: 10_000_000 };
    for (name, body) in [
        ("ball", make::bumpy_ball(22, 0.3)),
        ("round ball", make::bumpy_ball(22, 0.0)),
        ("terrain", make::terrain(70, 0.1)),
        ("nut", make::hex_nut(2.0, 1.0, 1.0, 1200)),
    ] {
        let Ok(body) = body else { continue };
        let Ok(tree) = Packed::build(Faces::of(&body), 1) else { continue };
        let faces = PackedFaces { tree: &tree, faces: Faces::of(&body) };
        if let Ok(volume) = Aabb::fit(body.vertices()) {
            time(name, "AABB", || {
                directed_hausdorff(&volume, &faces, limit).map(|h| (h.cells, h.lower, h.upper))
            });
        }
        if let Ok(volume) = Obb::fit(body.vertices()) {
            time(name, "OBB", || {
                directed_hausdorff(&volume, &faces, limit).map(|h| (h.cells, h.lower, h.upper))
            });
        }
        time(name, "1000 points", || {
            let mut sum = 0.0;
            for i in 0..1000 {
                let x = f64::from(i);
                sum += faces.nearest(DVec3::new((x * 0.7).sin(), (x * 1.1).cos(), (x * 1.9).sin()))?.upper;
            }
            Ok((1000, 0.0, sum))
        });
    }
}

fn time(body: &str, what: &str, mut work: impl FnMut() -> Result<(usize, f64, f64), FitError>) {
    let mut best = f64::INFINITY;
    let mut found = None;
    for _ in 0..5 {
        let start = clock();
        found = work().ok();
        best = best.min(clock() - start);
    }
    println!("{body}, {what}: {:.2} ms, {found:?}", best * 1e3);
}

/// Seconds of this thread.
fn clock() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}
