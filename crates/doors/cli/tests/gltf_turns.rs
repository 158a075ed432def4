//! An assembly in glTF whose flush faces lie behind quarter turns.

mod common;

use common::{Folder, json, kontakt, stdout, text};

/// A unit cube of triangles, used by every node.
fn buffer() -> Vec<u8> {
    let corner = |i: u16| [i & 1, i >> 1 & 1, i >> 2 & 1].map(f32::from);
    let sides: [[u16; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d]);
    let positions = (0..8).flat_map(corner).flat_map(f32::to_le_bytes);
    positions.chain(triangles.flat_map(u16::to_le_bytes)).collect()
}

fn scene(nodes: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": {nodes},
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
            "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"}},
                          {{"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 96}}, {{"buffer": 0, "byteOffset": 96, "byteLength": 72}}],
            "buffers": [{{"uri": "cube.bin", "byteLength": 168}}]}}"#
    )
}

/// A block stands on a plate, far from the origin; the assembly lies on its side and the block is turned about z. Both turns are in single
/// precision, one of them with a unit in the last place too much.
#[test]
fn flush_faces_behind_quarter_turns_touch() {
    let folder = Folder::new();
    folder.file("cube.bin", buffer());
    let nodes = r#"[{"rotation": [0.70710677, 0, 0, 0.7071068], "children": [1, 2]},
        {"name": "plate", "mesh": 0, "translation": [3000, 700, 20], "scale": [40, 30, 2]},
        {"name": "block", "mesh": 0, "translation": [3010, 710, 22], "rotation": [0, 0, 0.70710677, 0.70710677]}]"#;
    let file = folder.file("assembly.gltf", scene(nodes));
    let report = json(&["check", text(&file)]);
    let pair = &report["pairs"][0];
    assert_eq!(pair["relation"], "touching", "{pair}");
    assert_eq!(pair.get("exact_relation").unwrap_or(&pair["relation"]), "touching", "{pair}");

    let shown = stdout(&kontakt(["info", text(&file)]));
    assert!(shown.contains("2 rotations taken as exact quarter turns"), "{shown}");
    let facts = json(&["info", text(&file)]);
    assert_eq!(facts["files"][0]["rotations_taken_as_exact_quarter_turns"], 2);
}
