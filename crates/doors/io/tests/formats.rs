//! What well-formed files say, format by format, and that writing and reading give the same again.

mod common;

use common::{CORNERS, complaint, cubes, glb, gltf_buffer, gltf_json, load, obj, stl_text};
use kontakt_io::{Format, ReadOptions, ReadReport, Split, WriteOptions, read, read_bytes, write};
use kontakt_math::DVec3;
use kontakt_shapes::{Body, FaceList, FaceSet, MassProperties, Topology};
use std::path::PathBuf;

fn names(bodies: &[Body]) -> Vec<&str> {
    bodies.iter().map(|body| body.name.as_str()).collect()
}

/// A fresh folder, removed when the test succeeds.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kontakt-io-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }
}

#[test]
fn the_cube_is_the_same_in_every_format() {
    for (what, format, bytes, faces) in cubes() {
        let loaded = load(format, &bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        let [body] = &loaded.bodies[..] else { panic!("{what}: one body") };
        assert_eq!((body.faces.face_count(), body.faces.vertices().len()), (faces, 8), "{what}");
        let topology = Topology::of(&body.faces);
        assert!(topology.closed && topology.oriented, "{what}");
        assert_eq!(MassProperties::of(&body.faces).volume, 1.0, "{what}");
    }
}

#[test]
fn text_may_have_crlf_and_a_byte_order_mark() {
    for (what, format, bytes, faces) in cubes() {
        if !matches!(what, "obj" | "off" | "stl text" | "ply text" | "gltf") {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap().replace('\n', "\r\n");
        let loaded = load(format, format!("\u{FEFF}{text}").as_bytes());
        let loaded = loaded.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(loaded.bodies[0].faces.face_count(), faces, "{what}");
        assert!(!loaded.bodies[0].name.contains('\r'));
    }
}

#[test]
fn obj_corner_forms_continuations_and_junk() {
    let text = "6540 2180\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 # a comment\nvt 0 0\nv 1 1 0\n\
                # a path that ends so: C:\\\nf 1/1 2/1/7 \\\n 3//2\nf -1 -2 -3\nl 1 2\nshadow_obj x\nshadow_obj y\nf 1 2 4 3";
    let loaded = load(Format::Obj, text.as_bytes()).unwrap();
    let faces = &loaded.bodies[0].faces;
    assert_eq!([faces.face(0), faces.face(1), faces.face(2)], [&[0, 1, 2][..], &[3, 2, 1], &[0, 1, 3, 2]]);
    assert_eq!((loaded.report.junk_lines, loaded.report.ignored_elements), (1, 1));
    assert_eq!(
        (loaded.report.unknown_keywords, loaded.report.unknown_examples),
        (2, vec!["shadow_obj".to_owned()])
    );
}

#[test]
fn obj_objects_groups_and_components() {
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nv 5 6 5\nv 6 5 5\nv 9 9 9\n";
    let text = format!(
        "{points}g left\nf 1 2 3\no two words\ng right\nf 4 5 6\ng left\nf 6 5 4\no empty\no two words\nf 1 2 3\n"
    );
    let by = |split| {
        let options = ReadOptions { split, ..ReadOptions::default() };
        read_bytes(Format::Obj, text.as_bytes(), "a.obj", &options).unwrap()
    };
    let objects = by(Split::Objects);
    assert_eq!(names(&objects.bodies), ["a.obj", "a.obj:two words", "a.obj:two words#2"]);
    let ReadReport { empty_objects, unused_vertices, repeated_names, .. } = objects.report;
    assert_eq!((empty_objects, unused_vertices, repeated_names), (1, 1, 1));
    let second = &objects.bodies[1].faces;
    assert_eq!((second.vertices().len(), second.triangles()), (3, &[[0, 1, 2], [2, 1, 0]][..]));
    let groups = by(Split::Groups);
    assert_eq!(
        names(&groups.bodies),
        ["a.obj:left", "a.obj:two words/right", "a.obj:two words/left", "a.obj:two words"]
    );
    assert_eq!((groups.report.empty_objects, groups.report.repeated_names), (1, 0));
    let pieces = by(Split::Components);
    assert_eq!(names(&pieces.bodies), ["a.obj", "a.obj:two words", "a.obj:two words#2"]);
    assert_eq!(pieces.bodies[2].faces.vertices()[0], DVec3::ZERO);
    assert_eq!(pieces.report.repeated_names, 1, "pieces of one object repeat nothing");
}

#[test]
fn stl_solids_are_bodies_and_corners_are_welded() {
    let second = stl_text().replace("unit cube", "").replace("vertex 0e0", "vertex -0e0");
    let text = stl_text() + "solid nothing\nendsolid\n" + &second + &stl_text().to_uppercase();
    let loaded = load(Format::Stl, text.as_bytes()).unwrap();
    assert_eq!(names(&loaded.bodies), ["cube:unit cube", "cube", "cube:UNIT CUBE"]);
    assert_eq!((loaded.report.empty_objects, loaded.report.welded_corners), (1, 3 * 28));
    assert!(loaded.bodies.iter().all(|body| body.faces.vertices().len() == 8));
}

#[test]
fn off_variants() {
    let body = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    for head in
        ["OFF\n3 1 0\n", "OFF 3 1 0\n", "OFF3 1 0\n", "3 1\n", "# made by hand\n\nOFF # so\n3 1 3 # counts\n"]
    {
        let loaded =
            load(Format::Off, (head.to_owned() + body).as_bytes()).unwrap_or_else(|e| panic!("{head}: {e}"));
        assert_eq!(loaded.bodies[0].faces.triangles(), [[0, 1, 2]]);
    }
    let coloured = "STCNOFF\n3 1 0\n0 0 0 0 0 1 .1 .2 .3 1 0 0\n1 0 0 0 0 1 .1 .2 .3 1 0 0\n0 1 0 0 0 1 .1 .2 .3 1 0 0\n3 0 1 2 0.5\n";
    assert_eq!(load(Format::Off, coloured.as_bytes()).unwrap().bodies[0].faces.vertices()[1], DVec3::X);
    // Faces of one and two corners are kept, as degenerate ones.
    let thin = "OFF\n3 3 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n2 0 1\n1 2\n";
    assert_eq!(
        Topology::of(&load(Format::Off, thin.as_bytes()).unwrap().bodies[0].faces).degenerate_faces,
        [1, 2]
    );
    for head in ["OFF BINARY\n", "4OFF\n", "nOFF\n", "XOFF\n"] {
        assert!(
            complaint(Format::Off, (head.to_owned() + "3 1 0\n" + body).as_bytes()).contains("not supported"),
            "{head}"
        );
    }
}

#[test]
fn ply_strips_and_faces_before_vertices() {
    let text = "ply\nformat ascii 1.0\nelement tristrips 1\nproperty list int int vertex_indices\nelement vertex 4\n\
                property float x\nproperty float y\nproperty float z\nend_header\n8 0 1 2 3 -1 2 1 0\n0 0 0 1 0 0 0 1 0 1 1 0";
    let loaded = load(Format::Ply, text.as_bytes()).unwrap();
    assert_eq!(loaded.bodies[0].faces.triangles(), [[0, 1, 2], [2, 1, 3], [2, 1, 0]]);
}

#[test]
fn gltf_nodes_carry_their_placement() {
    // A parent that shifts and doubles, a child that turns a quarter about z, a mirrored child, and a child without mesh.
    let nodes = r#"[{"translation": [10, 0, 0], "scale": [2, 2, 2], "children": [1, 2, 3]},
        {"name": "turned", "mesh": 0, "rotation": [0, 0, 0.70710678118654752, 0.70710678118654752]},
        {"mesh": 0, "matrix": [-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]}, {"name": "empty"}]"#;
    let loaded = load(Format::Gltf, &glb(&gltf_json("", nodes, common::INDEXED), &gltf_buffer())).unwrap();
    assert_eq!(names(&loaded.bodies), ["cube:turned", "cube:cube"]);
    let [turned, mirrored] = [0, 1].map(|i| MassProperties::of(&loaded.bodies[i].faces));
    assert_eq!((turned.volume, mirrored.volume), (8.0, 8.0));
    assert_eq!(turned.low, DVec3::new(8.0, 0.0, 0.0));
    assert_eq!((mirrored.low, mirrored.high), (DVec3::new(8.0, 0.0, 10.0), DVec3::new(10.0, 2.0, 12.0)));
}

#[test]
fn gltf_strips_fans_plain_lists_and_points() {
    let faces = |primitive: &str| {
        let json = gltf_json("", common::ONE_NODE, primitive).replace(r#""count": 36"#, r#""count": 5"#);
        load(Format::Gltf, &glb(&json, &gltf_buffer()))
            .map(|loaded| loaded.bodies[0].faces.triangles().to_vec())
    };
    // The first indices are 0 3 2 0 2.
    let strip = faces(r#"{"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}"#).unwrap();
    assert_eq!(strip, [[0, 3, 2], [2, 3, 0], [2, 0, 2]]);
    let fan = faces(r#"{"attributes": {"POSITION": 0}, "indices": 1, "mode": 6}"#).unwrap();
    assert_eq!(fan, [[0, 3, 2], [0, 2, 0], [0, 0, 2]]);
    let strip = faces(r#"{"attributes": {"POSITION": 0}, "mode": 5}"#).unwrap();
    assert_eq!(strip[..3], [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    assert!(faces(common::INDEXED).unwrap_err().to_string().contains("5 corners"));
    assert!(
        faces(r#"{"attributes": {"POSITION": 0}, "mode": 0}"#).unwrap_err().to_string().contains("no faces")
    );
    assert!(
        faces(r#"{"attributes": {"POSITION": 0}, "mode": 9}"#).unwrap_err().to_string().contains("mode 9")
    );
}

#[test]
fn gltf_strides_sparse_rows_small_numbers_and_files_beside() {
    // Interleaved: position as normalised 16-bit numbers, two bytes of padding, rows of 8 bytes; 8-bit indices; then one
    // sparse replacement of row 2.
    let mut bytes = Vec::new();
    for row in [[0_u16, 0, 0], [65535, 0, 0], [1, 1, 1]] {
        row.iter().chain([&0]).for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    bytes.extend([0_u8, 1, 2, 0]);
    bytes.extend([2_u8, 0, 0, 0]);
    for x in [0_u16, 65535, 0] {
        bytes.extend(x.to_le_bytes());
    }
    let json = r#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 7}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5123, "normalized": true, "count": 3, "type": "VEC3",
            "sparse": {"count": 1, "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 3}}},
            {"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 24, "byteStride": 8}, {"buffer": 0, "byteOffset": 24, "byteLength": 4},
            {"buffer": 0, "byteOffset": 28, "byteLength": 4}, {"buffer": 0, "byteOffset": 32, "byteLength": 6}],
        "buffers": [{"uri": "a%20part.bin", "byteLength": 38}]}"#;
    let folder = Folder::new("beside");
    std::fs::write(folder.file("a part.bin"), &bytes).unwrap();
    std::fs::write(folder.file("scene.gltf"), json).unwrap();
    let loaded = read(&folder.file("scene.gltf"), &ReadOptions::default()).unwrap();
    assert_eq!(names(&loaded.bodies), ["scene.gltf:node0"]);
    assert_eq!(loaded.bodies[0].faces.vertices(), [DVec3::ZERO, DVec3::X, DVec3::Y]);
    assert!(complaint(Format::Gltf, json.as_bytes()).contains("another file"));
    std::fs::write(folder.file("a part.bin"), &bytes[..30]).unwrap();
    let error = read(&folder.file("scene.gltf"), &ReadOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("scene.gltf, buffer 0: the file ends too early: the buffer has 30 of 38 bytes")
    );
    std::fs::write(folder.file("scene.gltf"), json.replace("a%20part.bin", "../a.bin")).unwrap();
    let error = read(&folder.file("scene.gltf"), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("not supported"));
}

/// Bodies with awkward doubles, polygons and a needle.
fn awkward() -> Vec<Body> {
    let points = [
        DVec3::new(0.1, 1.0 / 3.0, 1e-300),
        DVec3::new(1e300, -0.0, 5e-324),
        DVec3::new(std::f64::consts::PI, 123_456_789.123_456_78, -7e-8),
    ];
    let needle = FaceSet::from_triangles(points.to_vec(), vec![[0, 1, 2], [0, 0, 1]]).unwrap();
    let mut list = FaceList::default();
    for side in &common::SIDES {
        list.push(side).unwrap();
    }
    let cube = FaceSet::new(CORNERS.iter().map(|&c| c.into()).collect(), list).unwrap();
    [("a:needle", needle), ("a:cube", cube)].map(|(name, faces)| Body { name: name.into(), faces }).into()
}

fn bits(faces: &FaceSet) -> Vec<[u64; 3]> {
    faces.vertices().iter().map(|v| v.to_array().map(f64::to_bits)).collect()
}

#[test]
fn obj_and_ply_give_back_every_bit() {
    let folder = Folder::new("bits");
    let bodies = awkward();
    let path = folder.file("out.obj");
    write(&path, &bodies, &WriteOptions::default()).unwrap();
    let again = read(&path, &ReadOptions::default()).unwrap().bodies;
    assert_eq!(names(&again), ["out.obj:needle", "out.obj:cube"]);
    for (body, again) in bodies.iter().zip(&again) {
        assert_eq!(bits(&body.faces), bits(&again.faces));
        assert_eq!(body.faces, again.faces);
    }
    for text in [true, false] {
        let path = folder.file("out.ply");
        for body in &bodies {
            write(&path, std::slice::from_ref(body), &WriteOptions { text, ..WriteOptions::default() })
                .unwrap();
            let again = &read(&path, &ReadOptions::default()).unwrap().bodies[0];
            assert_eq!((bits(&again.faces), &again.faces), (bits(&body.faces), &body.faces));
        }
        write(&path, &bodies, &WriteOptions { text, ..WriteOptions::default() }).unwrap();
        let joined = &read(&path, &ReadOptions::default()).unwrap().bodies[0].faces;
        assert_eq!(
            (joined.face_count(), joined.vertices().len(), joined.face(2)),
            (8, 11, &[3, 6, 5, 4][..])
        );
    }
}

/// A wavy closed tube much larger than the buffer that files are read through.
fn large() -> FaceSet {
    let (around, along) = (100_u32, 200_u32);
    let point = |i: u32, j: u32| {
        let (u, v) = (f64::from(i) * 0.062_831_853, f64::from(j) * 0.031_415_926);
        let r = 1.0 + 0.3 * u.cos();
        DVec3::new(r * v.cos(), r * v.sin(), 0.3 * u.sin())
    };
    let vertices = (0..along).flat_map(|j| (0..around).map(move |i| point(i, j))).collect();
    let id = |i: u32, j: u32| i % around + around * (j % along);
    let quad = |i: u32, j: u32| {
        [[id(i, j), id(i, j + 1), id(i + 1, j + 1)], [id(i, j), id(i + 1, j + 1), id(i + 1, j)]]
    };
    let triangles = (0..along).flat_map(|j| (0..around).flat_map(move |i| quad(i, j))).collect();
    FaceSet::from_triangles(vertices, triangles).unwrap()
}

#[test]
fn files_larger_than_the_buffer() {
    let folder = Folder::new("large");
    let body = Body { name: "a".into(), faces: large() };
    let size = MassProperties::of(&body.faces);
    assert!(Topology::of(&body.faces).closed);
    for (name, text) in
        [("a.obj", true), ("a.ply", true), ("a.ply", false), ("a.stl", true), ("a.stl", false)]
    {
        let path = folder.file(name);
        write(&path, std::slice::from_ref(&body), &WriteOptions { text, ..WriteOptions::default() }).unwrap();
        let again = read(&path, &ReadOptions::default()).unwrap().bodies.remove(0).faces;
        let topology = Topology::of(&again);
        assert!(topology.closed && topology.oriented && topology.euler_characteristic == 0, "{name}");
        let volume = MassProperties::of(&again).volume;
        assert!((volume / size.volume - 1.0).abs() < 1e-6, "{name}");
        if name != "a.stl" {
            assert_eq!(again, body.faces, "{name}");
        }
    }
}

#[test]
fn stl_gives_back_the_triangles() {
    let folder = Folder::new("stl");
    let path = folder.file("out.STL");
    let bodies = awkward();
    write(&path, &bodies, &WriteOptions { text: true, ..WriteOptions::default() }).unwrap();
    let again = read(&path, &ReadOptions::default()).unwrap().bodies;
    assert_eq!(names(&again), ["out.STL:needle", "out.STL:cube"]);
    assert_eq!(bits(&again[0].faces), bits(&bodies[0].faces));
    assert_eq!(again[0].faces.triangles(), bodies[0].faces.triangles());
    write(&path, &bodies[1..], &WriteOptions::default()).unwrap();
    let again = read(&path, &ReadOptions::default()).unwrap().bodies;
    assert!(Topology::of(&again[0].faces).closed);
    assert_eq!(MassProperties::of(&again[0].faces).volume, 1.0);
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let folder = Folder::new("atomic");
    let path = folder.file("out.stl");
    std::fs::write(&path, "old").unwrap();
    let error = write(&path, &awkward(), &WriteOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "vertex 1 of a:needle is beyond the range of binary STL; write text");
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
    assert!(write(&folder.file("out.off"), &awkward(), &WriteOptions::default()).is_err());
    assert!(write(&folder.file("no/such/folder.obj"), &awkward(), &WriteOptions::default()).is_err());
    assert!(write(&path, &[], &WriteOptions::default()).is_err());
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
}

#[test]
fn names_of_files_come_without_folder() {
    let folder = Folder::new("names");
    std::fs::write(folder.file("a.OBJ"), obj()).unwrap();
    let loaded = read(&folder.file("a.OBJ"), &ReadOptions::default()).unwrap();
    assert_eq!(names(&loaded.bodies), ["a.OBJ:cube"]);
    let missing = read(&folder.file("b.obj"), &ReadOptions::default()).unwrap_err().to_string();
    assert!(missing.contains("b.obj: cannot be read"), "{missing}");
    let unknown = read(&folder.file("a.xyz"), &ReadOptions::default()).unwrap_err().to_string();
    assert!(unknown.contains("a.xyz: unknown ending"), "{unknown}");
}
