//! Smallest volumes on real meshes, where the corpus is present (`KONTAKT_DATA`; `cargo xtask test` sets it).

use kontakt::bounds::{BoxMethod, BoxRequest, Obb, min_ball, smallest_box};
use kontakt::io::{Format, ReadOptions, read};
use kontakt::math::DVec3;
use std::path::{Path, PathBuf};
use testkit::rational::{dot, exact, sub, vector};

/// Meshes of the corpus, or `None` with a word about it.
fn meshes() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("KONTAKT_DATA") else {
        println!("skipped: corpus not present (KONTAKT_DATA is not set)");
        return None;
    };
    let folder = Path::new(&folder).join("mesh");
    let entries =
        std::fs::read_dir(&folder).expect("KONTAKT_DATA is set, so its mesh folder must be readable");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| Format::of(path).is_some()).collect();
    files.sort();
    assert!(files.len() > 10, "KONTAKT_DATA is set but {} holds {} meshes", folder.display(), files.len());
    Some(files)
}

fn points(path: &Path) -> Vec<DVec3> {
    let loaded = read(path, &ReadOptions::default()).unwrap();
    loaded.bodies.iter().flat_map(|body| body.faces.vertices().iter().copied()).collect()
}

/// The smallest sphere of every mesh: within 1e-14 of the proven lower bound, and containing every vertex by rational
/// arithmetic on the printed doubles.
#[test]
fn spheres_of_real_meshes_are_smallest_and_contain_every_vertex() {
    let Some(meshes) = meshes() else { return };
    for path in meshes {
        let points = points(&path);
        let ball = min_ball(&points).unwrap();
        assert!(ball.gap() <= 1e-14, "{}: gap {}", path.display(), ball.gap());
        let centre = vector(ball.sphere.centre.to_array());
        let radius = exact(ball.sphere.radius);
        let square = &radius * &radius;
        // Rationals are slow: only vertices within 1e-9 of the surface can be outside at all.
        for p in &points {
            if p.distance(ball.sphere.centre) > ball.sphere.radius * (1.0 - 1e-9) {
                let way = sub(&vector(p.to_array()), &centre);
                assert!(dot(&way, &way) <= square, "{}: {p} is outside", path.display());
            }
        }
    }
}

/// The default box of every mesh contains every vertex for a checker in plain doubles and is at most 1e-6 larger than the
/// exact one, whose gap is proven and which is never larger.
#[test]
fn boxes_of_real_meshes_contain_every_vertex_and_are_smallest() {
    let Some(meshes) = meshes() else { return };
    for path in meshes {
        let points = points(&path);
        let fast = smallest_box(&points, &BoxRequest::default()).unwrap();
        let Obb { centre, axes, half_extents } = fast.obb;
        for p in &points {
            let along = (axes.transpose() * (*p - centre)).abs();
            assert!(along.cmple(half_extents).all(), "{}: {p} is outside", path.display());
        }
        let request = BoxRequest { method: BoxMethod::Exact, target_gap: 1e-6, ..BoxRequest::default() };
        let exact = smallest_box(&points, &request).unwrap();
        let gap = exact.gap.unwrap_or(f64::INFINITY);
        assert!(gap <= 1.1e-6, "{}: gap {gap}", path.display());
        assert!(exact.value <= fast.value, "{}: exact {} > fast {}", path.display(), exact.value, fast.value);
        assert!(
            fast.value <= exact.value * (1.0 + 1e-6),
            "{}: {} > {}",
            path.display(),
            fast.value,
            exact.value
        );
    }
}
