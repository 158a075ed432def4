//! Small files made here: the unit cube in every format and encoding.
#![allow(dead_code, reason = "each test file uses a part")]

use kontakt_io::{Format, Loaded, ReadError, ReadOptions, read_bytes};
use std::fmt::Write;

pub(crate) const CORNERS: [[f64; 3]; 8] = [
    [0., 0., 0.],
    [1., 0., 0.],
    [1., 1., 0.],
    [0., 1., 0.],
    [0., 0., 1.],
    [1., 0., 1.],
    [1., 1., 1.],
    [0., 1., 1.],
];
pub(crate) const SIDES: [[u32; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

pub(crate) fn triangles() -> Vec<[u32; 3]> {
    SIDES.iter().flat_map(|s| [[s[0], s[1], s[2]], [s[0], s[2], s[3]]]).collect()
}

pub(crate) fn load(format: Format, bytes: &[u8]) -> Result<Loaded, ReadError> {
    read_bytes(format, bytes, "cube", &ReadOptions::default())
}

/// The message of the error that reading gives.
pub(crate) fn complaint(format: Format, bytes: &[u8]) -> String {
    load(format, bytes).map(|loaded| loaded.bodies.len()).expect_err("should be refused").to_string()
}

pub(crate) fn obj() -> String {
    let mut text = String::from("# a cube\nmtllib none.mtl\no cube\n");
    for [x, y, z] in CORNERS {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    text += "vn 0 0 1\nusemtl none\ns off\n";
    for side in SIDES {
        let [a, b, c, d] = side.map(|i| i + 1);
        writeln!(text, "f {a}//1 {b}//1 {c}//1 {d}//1").unwrap();
    }
    text
}

pub(crate) fn off() -> String {
    let mut text = String::from("OFF\n# a cube\n8 6 12\n\n");
    for [x, y, z] in CORNERS {
        writeln!(text, "{x} {y} {z}").unwrap();
    }
    for [a, b, c, d] in SIDES {
        writeln!(text, "4 {a} {b} {c} {d} 255 0 0").unwrap();
    }
    text
}

pub(crate) fn stl_text() -> String {
    let mut text = String::from("solid unit cube\n");
    for triangle in triangles() {
        text += " facet normal 0 0 0\n  outer loop\n";
        for [x, y, z] in triangle.map(|i| CORNERS[i as usize]) {
            writeln!(text, "   vertex {x:e} {y:e} {z:e}").unwrap();
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid unit cube\n"
}

/// With a header that starts like a text file.
pub(crate) fn stl_binary() -> Vec<u8> {
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(12_u32.to_le_bytes());
    for triangle in triangles() {
        bytes.extend([0; 12]);
        for corner in triangle.iter().flat_map(|&i| CORNERS[i as usize]) {
            bytes.extend((corner as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

pub(crate) fn ply_text() -> String {
    let mut text = String::from(
        "ply\nformat ascii 1.0\ncomment a cube\nelement vertex 8\nproperty double x\nproperty double y\n\
         property double z\nproperty uchar red\nelement face 6\nproperty list uchar int vertex_indices\n\
         element note 1\nproperty list uchar char text\nend_header\n",
    );
    for [x, y, z] in CORNERS {
        writeln!(text, "{x} {y} {z} 255").unwrap();
    }
    for [a, b, c, d] in SIDES {
        writeln!(text, "4 {a} {b} {c} {d}").unwrap();
    }
    text + "2 104 105\n"
}

/// Floats, a property between the coordinates, 16-bit indices and another element in front.
pub(crate) fn ply_binary(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\r\nformat binary_{order}_endian 1.0\r\nelement camera 1\r\nproperty double angle\r\nelement vertex 8\r\n\
         property float x\r\nproperty ushort mark\r\nproperty float y\r\nproperty float z\r\n\
         element face 6\r\nproperty uchar kind\r\nproperty list ushort short vertex_index\r\nend_header\r\n"
    )
    .into_bytes();
    let mut put = |raw: &[u8]| {
        let mut raw = raw.to_vec();
        if big {
            raw.reverse();
        }
        bytes.extend(raw);
    };
    put(&0.5_f64.to_le_bytes());
    for [x, y, z] in CORNERS.map(|c| c.map(|x| x as f32)) {
        put(&x.to_le_bytes());
        put(&7_u16.to_le_bytes());
        put(&y.to_le_bytes());
        put(&z.to_le_bytes());
    }
    for side in SIDES {
        put(&[1]);
        put(&4_u16.to_le_bytes());
        for corner in side {
            put(&(corner as i16).to_le_bytes());
        }
    }
    bytes
}

/// Doubles and 32-bit indices, nothing else: the rows that are read in batches.
pub(crate) fn ply_packed(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 8\nproperty double x\nproperty double y\n\
         property double z\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes();
    for x in CORNERS.iter().flatten() {
        bytes.extend(if big { x.to_be_bytes() } else { x.to_le_bytes() });
    }
    for triangle in triangles() {
        bytes.push(3);
        for corner in triangle {
            bytes.extend(if big { corner.to_be_bytes() } else { corner.to_le_bytes() });
        }
    }
    bytes
}

/// Positions, then 16-bit indices of the triangles.
pub(crate) fn gltf_buffer() -> Vec<u8> {
    let mut bytes: Vec<u8> = CORNERS.iter().flatten().flat_map(|&x| (x as f32).to_le_bytes()).collect();
    bytes.extend(triangles().iter().flatten().flat_map(|&i| (i as u16).to_le_bytes()));
    bytes
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * i)) as usize & 63]);
            text.push(if i <= group.len() { letter } else { '=' });
        }
    }
    text
}

/// A document around [`gltf_buffer`] with the nodes and primitive given.
pub(crate) fn gltf_json(buffer: &str, nodes: &str, primitive: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": {nodes},
            "meshes": [{{"name": "cube", "primitives": [{primitive}]}}],
            "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"}},
                          {{"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 96}}, {{"buffer": 0, "byteOffset": 96, "byteLength": 72}}],
            "buffers": [{{{buffer} "byteLength": 168}}]}}"#
    )
}

pub(crate) const INDEXED: &str = r#"{"attributes": {"POSITION": 0}, "indices": 1}"#;
pub(crate) const ONE_NODE: &str = r#"[{"mesh": 0}]"#;

pub(crate) fn gltf() -> String {
    let uri = format!(r#""uri": "data:application/octet-stream;base64,{}","#, base64(&gltf_buffer()));
    gltf_json(&uri, ONE_NODE, INDEXED)
}

pub(crate) fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let pad = |mut bytes: Vec<u8>, filler: u8| {
        bytes.resize(bytes.len().next_multiple_of(4), filler);
        bytes
    };
    let (json, binary) = (pad(json.as_bytes().to_vec(), b' '), pad(binary.to_vec(), 0));
    let mut bytes = b"glTF".to_vec();
    let length = 12 + 8 + json.len() + 8 + binary.len();
    for word in [2, length as u32, json.len() as u32, 0x4E4F_534A] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(&json);
    for word in [binary.len() as u32, 0x004E_4942] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(&binary);
    bytes
}

/// The cube in every way it can be written, each with the number of its faces.
pub(crate) fn cubes() -> Vec<(&'static str, Format, Vec<u8>, usize)> {
    vec![
        ("obj", Format::Obj, obj().into_bytes(), 6),
        ("off", Format::Off, off().into_bytes(), 6),
        ("stl text", Format::Stl, stl_text().into_bytes(), 12),
        ("stl binary", Format::Stl, stl_binary(), 12),
        ("ply text", Format::Ply, ply_text().into_bytes(), 6),
        ("ply little", Format::Ply, ply_binary(false), 6),
        ("ply big", Format::Ply, ply_binary(true), 6),
        ("ply packed little", Format::Ply, ply_packed(false), 12),
        ("ply packed big", Format::Ply, ply_packed(true), 12),
        ("gltf", Format::Gltf, gltf().into_bytes(), 12),
        ("glb", Format::Gltf, glb(&gltf_json("", ONE_NODE, INDEXED), &gltf_buffer()), 12),
    ]
}
