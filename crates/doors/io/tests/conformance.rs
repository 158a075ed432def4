//! Every mesh of the public corpus is read. The corpus is no part of the project: its folder is named by `KONTAKT_DATA`.

use kontakt_io::{Format, ReadOptions, read};
use kontakt_shapes::{MassProperties, Topology};
use std::path::Path;

#[test]
fn every_mesh_of_the_corpus() {
    let Some(data) = std::env::var_os("KONTAKT_DATA") else {
        println!("skipped: corpus not present");
        return;
    };
    let mut count = 0;
    for folder in ["mesh", "glb", "soft"] {
        let entries =
            std::fs::read_dir(Path::new(&data).join(folder)).expect("KONTAKT_DATA names the corpus");
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| Format::of(path).is_some()) {
            let loaded = read(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
            for body in &loaded.bodies {
                let topology = Topology::of(&body.faces);
                let mass = MassProperties::of(&body.faces);
                println!(
                    "{}: {} vertices, {} faces, closed {}, volume {:.6}, boundary {}, non-manifold {}, duplicate {}, degenerate {}, pieces {}",
                    body.name,
                    body.faces.vertices().len(),
                    body.faces.face_count(),
                    topology.closed,
                    mass.volume,
                    topology.edges.boundary,
                    topology.edges.non_manifold,
                    topology.duplicate_faces.len(),
                    topology.degenerate_faces.len(),
                    topology.components,
                );
                assert!(mass.volume.is_finite() && mass.surface > 0.0);
            }
            count += 1;
        }
    }
    assert!(count >= 42, "only {count} files were found");
}
