//! What every reader target does with its bytes.

use kontakt_io::{Format, ReadOptions, Split, read_bytes};
use kontakt_shapes::{MassProperties, Topology};

/// Reads the bytes in every way. An error must name the file; bodies must be sound and measurable.
pub fn read(format: Format, bytes: &[u8]) {
    for split in [Split::Objects, Split::Groups, Split::Components] {
        // Small enough that unfolding it is quick; a file of a few kilobytes stays far below.
        let options = ReadOptions { split, most_elements: 1 << 18, ..ReadOptions::default() };
        match read_bytes(format, bytes, "fuzz", &options) {
            Err(error) => assert!(error.to_string().starts_with("fuzz"), "{error}"),
            Ok(loaded) => {
                assert!(!loaded.bodies.is_empty());
                for body in &loaded.bodies {
                    assert!(body.faces.face_count() > 0 && body.name.starts_with("fuzz"));
                    assert!(body.faces.vertices().iter().all(|vertex| vertex.is_finite()));
                    let topology = Topology::of(&body.faces);
                    assert!(topology.degenerate_faces.len() <= body.faces.face_count());
                    let mass = MassProperties::of(&body.faces);
                    assert!(!mass.volume.is_nan() && mass.surface >= 0.0);
                }
            }
        }
    }
}
