//! The thesis' scenes have the smallest volumes that are known, and local search finds no smaller ones.

use fastrand::Rng;
use kontakt_curved::{BallOptions, Body, BoxOptions, Outline, TessellationOptions, size};
use kontakt_lab_curved::volumes::{ball, ball_by_midpoints, cuboid};
use kontakt_lab_curved::{Way, scenes};

#[test]
fn local_search_finds_nothing_smaller() {
    for scene in scenes().expect("the scenes are sound") {
        let deviation = 1e-2 * size(&scene.brep);
        let faces = scene.brep.faces().len();
        let options = TessellationOptions { deviation, most_triangles: 1_000_000 };
        let body = Body::new(&scene.brep, &options).expect(scene.name);
        let mut outline = Outline::new(&body);
        let extents = outline.extents(1e-9 * deviation).expect("a box");
        let begun = std::time::Instant::now();
        let exact = outline.smallest_ball(&BallOptions::default()).expect("a ball");
        println!("{}: {faces} faces, {exact:?} {:e} {:?}", scene.name, exact.gap(), begun.elapsed());
        assert!(exact.gap() <= 1e-9, "{}: {:e}", scene.name, exact.gap());
        let begun = std::time::Instant::now();
        let limit = std::time::Duration::from_secs(5);
        let least =
            outline.smallest_box(&BoxOptions { time_limit: limit, ..BoxOptions::default() }).expect("a box");
        println!(
            "{}: {} {:e} {} rounds {:?}",
            scene.name,
            least.upper_volume,
            least.gap(),
            least.rounds,
            begun.elapsed()
        );
        let mut random = Rng::with_seed(1);
        for way in [Way::Simplex, Way::Powell, Way::Annealing] {
            let begun = std::time::Instant::now();
            let found = ball(&mut outline, &extents, way, &mut random);
            println!(
                "{} {way:?}: {} calls, {:.9} {:?}",
                scene.name,
                found.calls,
                found.value / exact.outer.radius,
                begun.elapsed()
            );
            assert!(found.value >= exact.lower_radius, "{} {way:?}: {found:?}", scene.name);
            let begun = std::time::Instant::now();
            let found = cuboid(&mut outline, &extents, way, &mut random);
            println!(
                "{} {way:?}: {} calls, {:.9} {:?}",
                scene.name,
                found.calls,
                found.value / least.upper_volume,
                begun.elapsed()
            );
            assert!(found.value >= least.lower_volume, "{} {way:?}: {found:?}", scene.name);
        }
        let bounded = ball_by_midpoints(&mut outline, &extents, 1e-2, 2000);
        println!("{} midpoints: {bounded:?}", scene.name);
        assert!(bounded.lower <= exact.outer.radius && exact.lower_radius <= bounded.upper, "{bounded:?}");
    }
}
