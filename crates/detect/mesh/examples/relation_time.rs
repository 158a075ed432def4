//! Times relations, depth, patches and self-intersections on bodies from formulas: `cargo run --release --example relation_time`.

use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_mesh::{Mesh, MeshQuery, PlacedMesh, RelationOptions};
use kontakt_shapes::{FaceSet, make};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let ball = Mesh::new(make::bumpy_ball(32, 0.2).expect("a ball")).expect("a mesh");
    let small = Mesh::new(make::bumpy_ball(16, 0.1).expect("a ball")).expect("a mesh");
    let plate = Mesh::new(slab(1)).expect("a plate");
    let fine = Mesh::new(slab(60)).expect("a plate");
    let turn = DQuat::from_xyzw(0.3, 0.1, -0.7, 0.64);
    let at = |x: f64, y: f64, z: f64| Pose::new(turn, DVec3::new(x, y, z)).expect("a pose");
    let flat = |x: f64, y: f64, z: f64| Pose::new(DQuat::IDENTITY, DVec3::new(x, y, z)).expect("a pose");
    let cases = [
        ("balls far apart", &ball, &small, at(9.0, 0.0, 0.0)),
        ("balls near", &ball, &small, at(2.6, 0.0, 0.0)),
        ("balls overlapping", &ball, &small, at(1.5, 0.2, 0.1)),
        ("the same ball turned", &ball, &ball, at(0.0, 0.0, 0.0)),
        ("the same ball twice", &ball, &ball, flat(0.0, 0.0, 0.0)),
        ("fine plate on a coarse one", &plate, &fine, flat(0.0, 0.0, 1.0)),
        ("fine plate on a fine one, shifted", &fine, &fine, flat(0.007_812_5, 0.003_906_25, 1.0)),
        ("fine plate in a coarse one, flush", &plate, &fine, flat(0.5, 0.25, 0.0)),
    ];
    let mut asker = MeshQuery::new();
    for (name, a, b, pose) in cases {
        let (a, b) = (PlacedMesh::at_rest(a), PlacedMesh::new(b, pose));
        a.mesh.is_closed();
        b.mesh.is_closed();
        for effort in [None, Some(16)] {
            let start = cpu_ms();
            let report = asker.relation(
                a,
                b,
                &RelationOptions { touch_tolerance: 0.0, depth_effort: effort, kind: true },
            );
            println!("{name}: {:.3} ms, {} pairs, {:?}", cpu_ms() - start, report.pairs, report.exact);
        }
        let start = cpu_ms();
        let patches = asker.patches(a, b).len();
        println!("  {patches} patches in {:.3} ms", cpu_ms() - start);
    }
    let start = cpu_ms();
    let found = ball.self_intersections(usize::MAX).pairs.len();
    println!(
        "self-intersections of {} faces: {found} in {:.1} ms",
        ball.faces().triangles().len(),
        cpu_ms() - start
    );
}

/// Milliseconds of this thread on a processor.
fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 * 1e-6
}

/// A slab 4 × 4 × 1 whose top and bottom have n × n squares.
fn slab(n: u32) -> FaceSet {
    let mut points = Vec::new();
    for z in [0.0, 1.0] {
        for i in 0..=n {
            for j in 0..=n {
                points.push(DVec3::new(
                    4.0 * f64::from(i) / f64::from(n),
                    4.0 * f64::from(j) / f64::from(n),
                    z,
                ));
            }
        }
    }
    let id = |z: u32, i: u32, j: u32| (z * (n + 1) + i) * (n + 1) + j;
    let mut triangles = Vec::new();
    let mut quad = |a: u32, b: u32, c: u32, d: u32| triangles.extend([[a, b, c], [a, c, d]]);
    for i in 0..n {
        for j in 0..n {
            quad(id(0, i, j), id(0, i, j + 1), id(0, i + 1, j + 1), id(0, i + 1, j));
            quad(id(1, i, j), id(1, i + 1, j), id(1, i + 1, j + 1), id(1, i, j + 1));
        }
        quad(id(0, i, 0), id(0, i + 1, 0), id(1, i + 1, 0), id(1, i, 0));
        quad(id(0, i, n), id(1, i, n), id(1, i + 1, n), id(0, i + 1, n));
        quad(id(0, 0, i), id(1, 0, i), id(1, 0, i + 1), id(0, 0, i + 1));
        quad(id(0, n, i), id(0, n, i + 1), id(1, n, i + 1), id(1, n, i));
    }
    FaceSet::from_triangles(points, triangles).expect("a slab")
}
