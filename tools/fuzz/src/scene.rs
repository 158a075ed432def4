//! Scene files: any bytes give a scene whose names hang together, or an error that names the text.

use kontakt_io::read_scene_bytes;
use std::collections::HashSet;
use std::path::Path;

/// Reads the bytes; every group must come after the one it hangs below, every name once.
pub fn scene(bytes: &[u8]) {
    let read = match read_scene_bytes(bytes, "fuzz", Path::new("nowhere")) {
        Err(error) => {
            let said = error.to_string();
            return assert!(said.starts_with("fuzz") || said.starts_with("nowhere"), "{said}");
        }
        Ok(read) => read,
    };
    let mut names = HashSet::new();
    for group in &read.groups {
        assert!(group.parent.as_ref().is_none_or(|parent| names.contains(parent)), "{group:?}");
        assert!(names.insert(group.name.clone()));
    }
    for body in &read.bodies {
        assert!(body.parent.as_ref().is_none_or(|parent| names.contains(parent)), "{body:?}");
    }
}
