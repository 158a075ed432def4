//! MSH: what is written comes back bit for bit, and no bytes bring the reader down.

use kontakt_io::{
    Cells, Format, Loaded, MshOptions, MshVersion, Problem, ReadError, ReadOptions, Snapshot, read_bytes,
    write_msh,
};
use kontakt_math::DVec3;
use kontakt_shapes::tetrahedra::{Tetrahedra, bear, slab};

fn written(body: &Tetrahedra, version: MshVersion, text: bool) -> Vec<u8> {
    let name = format!("kontakt-msh-{}-{version:?}-{text}-{}.msh", std::process::id(), body.vertices().len());
    let path = std::env::temp_dir().join(name);
    let cells = [Cells::Triangles(body.surface()), Cells::Tetrahedra(body.tetrahedra())];
    let snapshot = Snapshot { points: body.vertices(), cells: &cells, ..Snapshot::default() };
    write_msh(&path, &snapshot, &MshOptions { version, text, ..MshOptions::default() }).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    bytes
}

fn every_way(body: &Tetrahedra) -> Vec<Vec<u8>> {
    let versions = [MshVersion::V2, MshVersion::V4];
    versions.iter().flat_map(|&v| [true, false].map(|text| written(body, v, text))).collect()
}

fn read(bytes: &[u8]) -> Result<Loaded, ReadError> {
    read_bytes(Format::Msh, bytes, "a.msh", &ReadOptions::default())
}

#[test]
fn a_bear_comes_back_as_its_closed_surface() {
    let bear = bear(0.22).unwrap();
    for bytes in every_way(&bear) {
        let Loaded { bodies, report } = read(&bytes).unwrap();
        assert_eq!((bodies.len(), report.faces_of_tetrahedra), (1, bear.surface().len() as u64));
        let faces = &bodies[0].faces;
        assert_eq!(faces.triangles().len(), bear.surface().len());
        for (triangle, corners) in bear.surface().iter().enumerate() {
            assert_eq!(faces.triangle_points(triangle), corners.map(|v| bear.vertices()[v as usize]));
        }
    }
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    for bytes in every_way(&slab([1, 1, 1], DVec3::ONE).unwrap()) {
        let whole = read(&bytes).unwrap();
        // Behind the last word nothing is missing.
        for length in 0..bytes.trim_ascii_end().len() {
            read(&bytes[..length]).expect_err("half a file");
        }
        assert_eq!(read(bytes.trim_ascii_end()).unwrap(), whole);
    }
}

#[test]
fn damaged_bytes_and_absurd_counts_end_in_an_answer() {
    let mut random = fastrand::Rng::with_seed(19);
    let (mut good, mut bad) = (0, 0);
    for bytes in every_way(&slab([2, 1, 1], DVec3::ONE).unwrap()) {
        for _ in 0..3000 {
            let mut damaged = bytes.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..damaged.len());
                damaged[at] = if random.bool() { random.u8(..) } else { b'9' };
            }
            *if read(&damaged).is_ok() { &mut good } else { &mut bad } += 1;
        }
    }
    assert!(good > 100 && bad > 3000, "generator drifted: {good} good, {bad} bad");
    for count in ["999999999999", "-1", "9223372036854775807"] {
        let old = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{count}\n1 0 0 0\n$EndNodes\n");
        let new =
            format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {count} 1 1\n3 1 0 {count}\n1\n0 0 0\n");
        read(old.as_bytes()).unwrap_err();
        read(new.as_bytes()).unwrap_err();
    }
}

#[test]
fn culprits_are_named() {
    let file = |elements: &str| {
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n50 1 1 0\n\
             $EndNodes\n$Elements\n1\n{elements}\n$EndElements\n"
        )
    };
    let error = |elements: &str| read(file(elements).as_bytes()).unwrap_err().to_string();
    assert!(read(file("7 4 2 1 1 10 20 30 40").as_bytes()).is_ok());
    assert_eq!(
        error("7 4 2 1 1 10 30 20 40"),
        "a.msh, element 7: malformed: tetrahedron 0 is inverted: its corners are in the wrong order"
    );
    assert_eq!(error("7 4 2 1 1 10 20 30 50"), "a.msh, element 7: malformed: tetrahedron 0 is flat");
    assert_eq!(
        error("7 4 2 1 1 10 20 30 41"),
        "a.msh, line 14: index 41 is outside the 5 vertices there are"
    );
    assert!(
        error("7 11 2 1 1 10 20 30 40").contains("element 7: not supported: a tetrahedron of second order")
    );
    let lines = read(file("7 1 2 1 1 10 20").as_bytes()).unwrap_err();
    assert!(matches!(lines.problem, Problem::NoFaces));
}
