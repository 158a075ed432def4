//! Files that are not what they should be: an error that names the place, never a panic.

mod common;

use common::{
    complaint, cubes, glb, gltf, gltf_buffer, gltf_json, load, obj, off, ply_text, stl_binary, stl_text,
};
use kontakt_io::{Format, ReadOptions, read_bytes};

/// Cut off anywhere, a file is refused, or what is left is itself a file: never more faces than the whole has.
#[test]
fn cut_off_at_every_byte() {
    for (what, format, bytes, faces) in cubes() {
        let mut valid = 0;
        for length in 0..bytes.len() {
            match load(format, &bytes[..length]) {
                Ok(loaded) => {
                    valid += 1;
                    let left: usize = loaded.bodies.iter().map(|body| body.faces.face_count()).sum();
                    assert!(left <= faces, "{what} cut at {length}");
                }
                Err(error) => {
                    assert!(error.to_string().starts_with("cube"), "{what} cut at {length}: {error}");
                }
            }
        }
        // Only OBJ has no end; the others can lose blanks, a colour, or digits of the last name or number.
        let most = match what {
            "obj" => 200,
            "off" => 12,
            "stl text" => 11,
            "ply text" => 3,
            _ => 0,
        };
        assert!(valid <= most, "{what}: {valid} beginnings were accepted");
    }
}

/// One byte changed anywhere: refused or read, never a panic.
#[test]
fn every_byte_changed() {
    for (_, format, bytes, _) in cubes() {
        let mut changed = bytes.clone();
        for at in 0..bytes.len() {
            for byte in [0, b' ', b'9', b'-', 0xFF, bytes[at] ^ 1] {
                changed[at] = byte;
                let _ = load(format, &changed);
            }
            changed[at] = bytes[at];
        }
    }
}

#[test]
fn files_without_faces() {
    let ply = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n";
    let gltf = r#"{"asset": {"version": "2.0"}, "nodes": [{}]}"#;
    let mut stl = vec![0; 84];
    stl[0] = b'x';
    for (format, bytes) in [
        (Format::Obj, &b"v 0 0 0\nv 1 0 0\n"[..]),
        (Format::Obj, b""),
        (Format::Obj, b"\x00\x01\x02 some other file\n"),
        (Format::Stl, b"solid nothing\nendsolid nothing\n"),
        (Format::Stl, b""),
        (Format::Stl, &stl),
        (Format::Ply, ply.as_bytes()),
        (Format::Off, b"OFF\n1 0 0\n0 0 0\n"),
        (Format::Gltf, gltf.as_bytes()),
    ] {
        assert!(complaint(format, bytes).contains("no faces"), "{format:?}");
    }
}

#[test]
fn numbers_that_are_none_are_named_with_their_line() {
    for (number, what) in [
        ("1,5", "has a comma"),
        ("nan", "not finite"),
        ("-inf", "not finite"),
        ("1e999", "not finite"),
        ("abc", "not a number"),
    ] {
        let obj = obj().replace("v 1 1 1", &format!("v 1 {number} 1"));
        assert_eq!(complaint(Format::Obj, obj.as_bytes()).split(':').next(), Some("cube, line 10"));
        let off = off().replace("1 1 1\n", &format!("1 {number} 1\n"));
        let stl = stl_text().replacen("vertex 1e0 1e0 0e0", &format!("vertex 1e0 {number} 0e0"), 1);
        let ply = ply_text().replace("1 1 1 255", &format!("1 {number} 1 255"));
        for (format, text, line) in
            [(Format::Obj, obj, 10), (Format::Off, off, 11), (Format::Stl, stl, 6), (Format::Ply, ply, 20)]
        {
            let message = complaint(format, text.as_bytes());
            assert!(message.starts_with(&format!("cube, line {line}: ")), "{format:?} {message}");
            assert!(message.contains(what), "{format:?} {message}");
        }
    }
    let mut stl = stl_binary();
    stl[84 + 3 * 50 + 12..84 + 3 * 50 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(complaint(Format::Stl, &stl), "cube, triangle 3: a coordinate is not finite");
    let mut ply = common::ply_packed(true);
    let data = ply.len() - 12 * 13 - 8 * 24;
    ply[data + 5 * 24 + 8..data + 5 * 24 + 16].copy_from_slice(&f64::NAN.to_be_bytes());
    assert_eq!(complaint(Format::Ply, &ply), "cube, vertex 5: a coordinate is not finite");
    let mut ply = common::ply_packed(false);
    let row = ply.len() - 4 * 13;
    ply[row + 1..row + 5].copy_from_slice(&(-2_i32).to_le_bytes());
    assert_eq!(complaint(Format::Ply, &ply), "cube, face 8: malformed: -2 is no index");
    let mut buffer = gltf_buffer();
    buffer[4..8].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let glb = glb(&gltf_json("", common::ONE_NODE, common::INDEXED), &buffer);
    assert_eq!(complaint(Format::Gltf, &glb), "cube, node 0: a coordinate is not finite");
}

#[test]
fn indices_outside_the_vertices() {
    for (index, shown) in [("9", "9"), ("0", "0"), ("-9", "-9"), ("99999999999", "99999999999")] {
        let text = obj().replace("f 1//1 4//1 3//1 2//1", &format!("f 1 2 {index}"));
        let message = complaint(Format::Obj, text.as_bytes());
        assert!(
            message.starts_with("cube, line 15") && message.contains(&format!("index {shown} is outside")),
            "{message}"
        );
    }
    let text = off().replace("4 0 3 2 1", "4 0 3 2 8");
    assert_eq!(
        complaint(Format::Off, text.as_bytes()),
        "cube, line 13: index 8 is outside the 8 vertices there are"
    );
    let text = ply_text().replace("4 4 5 6 7", "4 4 5 6 8");
    assert_eq!(
        complaint(Format::Ply, text.as_bytes()),
        "cube, face 1: index 8 is outside the 8 vertices there are"
    );
    let text = ply_text().replace("4 4 5 6 7", "4 4 5 6 -1");
    assert!(complaint(Format::Ply, text.as_bytes()).starts_with("cube, line 23: "));
    let json = gltf_json("", common::ONE_NODE, common::INDEXED).replace(r#""count": 8"#, r#""count": 7"#);
    assert!(
        complaint(Format::Gltf, &glb(&json, &gltf_buffer()))
            .starts_with("cube, accessor 1: index 7 is outside")
    );
}

/// Counts beyond what the file holds are refused at once: with memory reserved for them this test would not end well.
#[test]
fn counts_that_the_data_do_not_bear_out() {
    for count in ["7", "5", "4000000000", "9223372036854775807"] {
        let off = off().replace("8 6 12", &format!("8 {count} 12"));
        let message = complaint(Format::Off, off.as_bytes());
        assert!(message.contains("ends too early") || message.contains("wrong count"), "{message}");
        for element in ["element vertex 8", "element face 6"] {
            let name = element.rsplit_once(' ').map_or("", |(name, _)| name);
            let text = ply_text().replace(element, &format!("{name} {count}"));
            complaint(Format::Ply, text.as_bytes());
            let mut binary = String::from_utf8_lossy(&common::ply_binary(false)).into_owned();
            binary = binary.replace(element, &format!("{name} {count}"));
            complaint(Format::Ply, binary.as_bytes());
        }
    }
    complaint(Format::Off, off().replace("8 6 12", "4000000000 6 12").as_bytes());
    complaint(Format::Off, off().replace("8 6 12", "-8 6 12").as_bytes());
    complaint(Format::Off, off().replace("4 0 3 2 1", "4000000000 0 3 2 1").as_bytes());
    complaint(Format::Ply, ply_text().replace("4 4 5 6 7", "4000000000 4 5 6 7").as_bytes());
    let endless = "ply\nformat binary_little_endian 1.0\nelement nothing 9223372036854775807\nend_header\n";
    assert!(complaint(Format::Ply, endless.as_bytes()).contains("no faces"));
    for count in [0_u32, 11, 13, u32::MAX] {
        let mut stl = stl_binary();
        stl[80..84].copy_from_slice(&count.to_le_bytes());
        assert!(
            complaint(Format::Stl, &stl)
                .starts_with(&format!("cube, byte 80: wrong count: {count} triangles need"))
        );
    }
    let huge = [
        ("\"count\": 8", "\"count\": 18446744073709551615"),
        ("\"byteLength\": 96", "\"byteLength\": 99999999999"),
    ];
    for (from, to) in huge {
        let json = gltf_json("", common::ONE_NODE, common::INDEXED).replace(from, to);
        assert!(complaint(Format::Gltf, &glb(&json, &gltf_buffer())).contains("ends too early"));
    }
}

#[test]
fn malformed_vertices_and_faces_of_obj() {
    for (line, what) in [
        ("v 1 2", "a number is missing"),
        ("v 1 2 3 4 5", "5 numbers"),
        ("v 1 2 3 x", "not a number"),
        ("f 1 2", "2 corners"),
        ("f", "0 corners"),
        ("f 1 2 3/1/1/1", "corner"),
        ("f 1 2 x", "not a number"),
        ("f 1 2 3/a", "not a number"),
        ("f 1, 2, 3", "comma"),
        ("f 1.5 2 3", "not a number"),
    ] {
        let message = complaint(Format::Obj, format!("{}{line}\n", obj()).as_bytes());
        assert!(message.starts_with("cube, line 21: ") && message.contains(what), "{line}: {message}");
    }
    let utf16: Vec<u8> = "\u{FEFF}v 0 0 0\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(complaint(Format::Obj, &utf16).contains("UTF-16"));
}

#[test]
fn malformed_stl_and_ply() {
    let text = stl_text().replacen("outer loop", "outer circle", 1);
    assert_eq!(
        complaint(Format::Stl, text.as_bytes()),
        "cube, line 3: malformed: \"circle\" where \"loop\" should be"
    );
    let text = stl_text().replacen("   vertex 0e0 0e0 0e0\n", "", 1);
    assert!(complaint(Format::Stl, text.as_bytes()).contains("a facet with 2 vertices"));
    for (from, to, what) in [
        ("ply\n", "plx\n", "line 1: malformed"),
        ("ascii 1.0", "ascii 2.0", "version"),
        ("ascii", "utf8", "format \"utf8\""),
        ("property double y\n", "", "vertices have no y"),
        ("property double y", "property int64 y", "property type \"int64\""),
        ("list uchar int vertex_indices", "list float int vertex_indices", "not a whole number"),
        ("list uchar int vertex_indices", "list uchar float vertex_indices", "no list of whole numbers"),
        ("element vertex 8\n", "", "before any element"),
        ("format ascii 1.0\n", "", "no line \"format\""),
        ("4 4 5 6 7", "0", "without corners"),
    ] {
        let message = complaint(Format::Ply, ply_text().replacen(from, to, 1).as_bytes());
        assert!(message.contains(what), "{from}: {message}");
    }
}

#[test]
fn malformed_gltf() {
    for (from, to, what) in [
        ("2.0", "1.0", "glTF version"),
        (r#""nodes": [0]"#, r#""nodes": [7]"#, "node 7: malformed: there is no such node"),
        (
            r#"[{"mesh": 0}]"#,
            r#"[{"mesh": 0, "children": [0]}]"#,
            "node 0: malformed: the node is reached in two ways",
        ),
        (r#"[{"mesh": 0}]"#, r#"[{"mesh": 5}]"#, "node 0: malformed: there is no mesh 5"),
        (r#"[{"mesh": 0}]"#, r#"[{"mesh": 0, "rotation": [0, 0, 0, 2]}]"#, "length 2"),
        (r#"[{"mesh": 0}]"#, r#"[{"mesh": 0, "scale": [1e308, 1e308, 1e308]}, {}]"#, ""),
        (r#""POSITION": 0"#, r#""POSITION": 9"#, "accessor 9"),
        (r#""POSITION": 0"#, r#""POSITION": 1"#, "accessor 1"),
        (r#""indices": 1"#, r#""indices": 0"#, "accessor 0"),
        ("5123", "5126", "accessor 1"),
        ("5126", "5130", "component type 5130"),
        (
            r#""asset""#,
            r#""extensionsRequired": ["KHR_draco_mesh_compression"], "asset""#,
            "KHR_draco_mesh_compression",
        ),
        (r#""byteLength": 96}"#, r#""byteLength": 96, "byteStride": 4}"#, "rows of 12 bytes every 4 bytes"),
        ("base64,", "base64,!", "not base64"),
    ] {
        let text = gltf().replacen(from, to, 1);
        match load(Format::Gltf, text.as_bytes()) {
            Err(error) => assert!(error.to_string().contains(what), "{from}: {error}"),
            Ok(_) => assert_eq!(what, "", "{from}"),
        }
    }
    let deep = "[".repeat(100_000);
    assert!(complaint(Format::Gltf, deep.as_bytes()).contains("malformed"));
}

/// A small file can use one mesh very often; the limit on what it unfolds to holds.
#[test]
fn gltf_unfolds_within_its_limit() {
    let primitives = vec![common::INDEXED; 100].join(", ");
    let json = gltf_json("", common::ONE_NODE, &primitives);
    let bytes = glb(&json, &gltf_buffer());
    let read = |most_elements| {
        read_bytes(Format::Gltf, &bytes, "cube", &ReadOptions { most_elements, ..ReadOptions::default() })
    };
    assert_eq!(read(3608).unwrap().bodies[0].faces.face_count(), 1200);
    assert!(read(3607).unwrap_err().to_string().contains("too many"));
}

#[test]
fn polygons_with_repeated_corners() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 1 2 3 4 4\nf 1 1 2\nf 3 3 3 3\n";
    let loaded = load(Format::Obj, text.as_bytes()).unwrap();
    let faces = &loaded.bodies[0].faces;
    assert_eq!([faces.face(0), faces.face(1), faces.face(2)], [&[0, 1, 2, 3][..], &[0, 0, 1], &[2, 2, 2]]);
}
