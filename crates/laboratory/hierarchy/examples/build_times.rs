//! Builds a bumpy sphere by every method and prints what it took and what came out.
//!
//! `cargo run --release -p kontakt-hierarchy --example build_times -- [FACES] [VOLUME]`

use kontakt_bounds::{Aabb, Bound, Dop14, Lss, Obb, Rss, Sphere};
use kontakt_hierarchy::Faces;
use kontakt_lab_hierarchy::Content;
use kontakt_lab_hierarchy::build::{Method, Plan, build_noted};
use kontakt_math::DVec3;
use rustix::time::{ClockId, clock_gettime};
use std::f64::consts::{PI, TAU};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(10_000_usize);
    let volume = arguments.next().unwrap_or_else(|| "aabb".to_owned());
    let only = arguments.next();
    let (vertices, triangles) = bumpy_sphere((count / 4).isqrt().max(2));
    let faces = Faces { vertices: &vertices, triangles: &triangles };
    println!("{} faces, {volume}", triangles.len());
    println!(
        "{:34} {:>10} {:>8} {:>6} {:>12} {:>14}",
        "method", "seconds", "nodes", "depth", "sum surface", "proven/gave up"
    );
    for &method in Method::all().iter().filter(|m| only.as_ref().is_none_or(|o| m.name.starts_with(o))) {
        match volume.as_str() {
            "sphere" => row::<Sphere>(faces, method),
            "obb" => row::<Obb>(faces, method),
            "kdop14" => row::<Dop14>(faces, method),
            "lss" => row::<Lss>(faces, method),
            "rss" => row::<Rss>(faces, method),
            _ => row::<Aabb>(faces, method),
        }
    }
}

fn row<B: Bound + Clone>(faces: Faces<'_>, method: Method) {
    let plan = Plan { method, search_steps: 100, ..Plan::default() };
    let start = thread_seconds();
    match build_noted::<B>(faces, &plan) {
        Err(error) => println!("{:34} {error}", method.name),
        Ok((tree, notes)) => {
            let seconds = thread_seconds() - start;
            let root = tree.nodes[0].volume.measure().surface;
            let surface: f64 = tree.nodes.iter().map(|n| n.volume.measure().surface).sum();
            let mut depth = vec![0; tree.nodes.len()];
            for (index, node) in tree.nodes.iter().enumerate() {
                if let Content::Inner { first, count } = node.content {
                    (first..first + count).for_each(|c| depth[c as usize] = depth[index] + 1);
                }
            }
            let deepest = depth.into_iter().max().unwrap_or(0);
            let search = format!("{}/{}", notes.proven, notes.given_up);
            let (name, nodes, sum) = (method.name, tree.nodes.len(), surface / root);
            println!("{name:34} {seconds:10.4} {nodes:8} {deepest:6} {sum:12.3} {search:>14}");
        }
    }
}

/// CPU time of this thread.
fn thread_seconds() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// A sphere with bumps: 4n(n − 1) triangles.
fn bumpy_sphere(n: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let columns = 2 * n;
    let vertex = |i: usize| {
        let (theta, phi) =
            (PI * (i / columns) as f64 / n as f64, TAU * (i % columns) as f64 / columns as f64);
        let radius = 1.0 + 0.1 * (5.0 * theta).sin() * (7.0 * phi).cos();
        DVec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), 1.3 * theta.cos()) * radius
    };
    let id = |row: usize, column: usize| (row * columns + column % columns) as u32;
    let mut triangles = Vec::new();
    for (row, column) in (0..n).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let [a, b] = [id(row, column), id(row, column + 1)];
        let [c, d] = [id(row + 1, column), id(row + 1, column + 1)];
        if row > 0 {
            triangles.push([a, c, b]);
        }
        if row + 1 < n {
            triangles.push([b, c, d]);
        }
    }
    ((0..(n + 1) * columns).map(vertex).collect(), triangles)
}
