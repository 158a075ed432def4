//! STEP and ACIS files: any bytes give bodies or an error that names the file.

use kontakt_io::{CurvedFile, Lost, ReadError, ReadOptions, read_sat_bytes, read_step_bytes};

/// Reads the bytes as a STEP file.
pub fn step(bytes: &[u8]) {
    check(read_step_bytes(bytes, "fuzz", &ReadOptions::default()));
}

/// Reads the bytes as an ACIS file.
pub fn sat(bytes: &[u8]) {
    check(read_sat_bytes(bytes, "fuzz", &ReadOptions::default()));
}

/// Bodies are sound: ranges ascend, edges and faces can be evaluated, faces that were lost are named.
fn check(read: Result<CurvedFile, ReadError>) {
    let file = match read {
        Err(error) => return assert!(error.to_string().starts_with("fuzz"), "{error}"),
        Ok(file) => file,
    };
    assert!(!file.bodies.is_empty());
    let named = file.report.losses.iter().filter(|loss| loss.lost == Lost::Face).count() as u64;
    for body in file.bodies.iter().take(64) {
        assert!(body.name.starts_with("fuzz") && body.lost_faces <= named);
        assert_eq!(body.face_ids.len(), body.brep.faces().len());
        for edge in body.brep.edges() {
            assert!(edge.range[0] < edge.range[1]);
            let _ = edge.curve.jet(0.5 * (edge.range[0] + edge.range[1]));
        }
        for face in body.brep.faces() {
            let _ = face.surface.jet(0.5, 0.5);
        }
    }
}
