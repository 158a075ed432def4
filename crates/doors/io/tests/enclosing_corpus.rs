//! Smallest volumes about the solids of public STEP files, where the corpus is present (`KONTAKT_DATA`; `cargo xtask test` sets it).

use kontakt_bounds::Bound;
use kontakt_curved::{BallOptions, Body, BoxOptions, Outline, TessellationOptions, size};
use kontakt_io::{ReadOptions, read_step};
use std::path::Path;
use std::time::{Duration, Instant};

/// File, and the volume of the oriented box that Open CASCADE 8.0.1 gives for it, where it is one solid.
const FILES: [(&str, Option<f64>); 9] = [
    ("screw.step", Some(16785.4)),
    ("featuretype.STEP", Some(287_837.0)),
    ("base_interface_AP203.STEP", None),
    ("base_interface_AP214.STEP", None),
    ("io1-cm-214.stp", None),
    ("sg1-c5-214.stp", None),
    ("dm1-id-214.stp", None),
    ("as1-oc-214.stp", None),
    ("box_sides.STEP", None),
];

#[test]
fn volumes_hold_their_solids() {
    let Some(data) = std::env::var_os("KONTAKT_DATA") else {
        println!("skipped: corpus not present (KONTAKT_DATA is not set)");
        return;
    };
    for (name, theirs) in FILES {
        let file = read_step(&Path::new(&data).join("step").join(name), &ReadOptions::default()).expect(name);
        for (index, solid) in file.bodies.iter().enumerate() {
            let wide = size(&solid.brep);
            let made = |share: f64| {
                let options = TessellationOptions { deviation: share * wide, most_triangles: 1_000_000 };
                Body::new(&solid.brep, &options)
            };
            let (Ok(body), Ok(fine)) = (made(1e-2), made(1e-4)) else {
                println!("{name} {index}: no triangles");
                continue;
            };
            let begun = Instant::now();
            let mut outline = Outline::new(&body);
            let ready = begun.elapsed();
            let extents = outline.extents(1e-9 * wide).expect(name);
            let boxed = begun.elapsed();
            let ball = Outline::new(&body).smallest_ball(&BallOptions::default()).expect(name);
            let balled = begun.elapsed();
            let options = BoxOptions { time_limit: Duration::from_millis(500), ..BoxOptions::default() };
            let smallest = outline.smallest_box(&options).expect(name);
            println!(
                "{name} {index}: {} faces, {} triangles, gap {:.1e}; ready {ready:.1?}; aabb {:.1e} {:.1?} {} cells; ball {:.1e} {:.1?} {} rounds {} cells; box {:.7} {:.1e} {:.1?} {} rounds",
                solid.brep.faces().len(),
                body.tessellation().triangles.len(),
                outline.gap() / wide,
                extents.gap / wide,
                boxed.saturating_sub(ready),
                extents.cells,
                ball.gap(),
                balled.saturating_sub(boxed),
                ball.rounds,
                ball.cells,
                smallest.upper_volume,
                smallest.gap(),
                begun.elapsed().saturating_sub(balled),
                smallest.rounds,
            );
            for x in &fine.tessellation().points {
                assert!(extents.outer.contains(*x), "{name} {index}: {x} is out of {extents:?}");
                assert!(ball.outer.contains(*x), "{name} {index}: {x} is out of {ball:?}");
                assert!(smallest.outer.contains(*x), "{name} {index}: {x} is out of {smallest:?}");
            }
            if let Some(theirs) = theirs {
                assert!(smallest.upper_volume < theirs, "{name}: {}", smallest.upper_volume);
            }
        }
    }
}
