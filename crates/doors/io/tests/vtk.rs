//! Legacy VTK and VTU: what is written comes back bit for bit, and no bytes bring the readers down.

use kontakt_io::{
    Cells, Encoding, Format, Loaded, Problem, ReadError, ReadOptions, Snapshot, VtuOptions, WriteOptions,
    read_bytes, read_tetrahedra, write_vtk, write_vtu,
};
use kontakt_math::DVec3;
use kontakt_shapes::tetrahedra::{Tetrahedra, bear, slab};
use std::path::PathBuf;

/// A file of this body in every form there is a writer for.
fn every_way(body: &Tetrahedra) -> Vec<(Format, Vec<u8>)> {
    let cells = [Cells::Triangles(body.surface()), Cells::Tetrahedra(body.tetrahedra())];
    let snapshot = Snapshot { points: body.vertices(), cells: &cells, ..Snapshot::default() };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("body");
    let mut files = Vec::new();
    for text in [true, false] {
        write_vtk(&path, &snapshot, &WriteOptions { text, ..WriteOptions::default() }).expect("written");
        files.push((Format::Vtk, std::fs::read(&path).expect("a file")));
    }
    for encoding in [Encoding::Text, Encoding::Base64, Encoding::Appended] {
        for compressed in [false, true] {
            let options = VtuOptions { encoding, compressed, ..VtuOptions::default() };
            write_vtu(&path, &snapshot, &options).expect("written");
            files.push((Format::Vtu, std::fs::read(&path).expect("a file")));
        }
    }
    files
}

fn read(format: Format, bytes: &[u8]) -> Result<Loaded, ReadError> {
    read_bytes(format, bytes, "a", &ReadOptions::default())
}

fn saved(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    (folder, path)
}

#[test]
fn a_bear_comes_back() {
    let bear = bear(0.22).expect("a bear");
    for (format, bytes) in every_way(&bear) {
        let Loaded { bodies, report } = read(format, &bytes).expect("a mesh");
        assert_eq!((bodies.len(), report.faces_of_tetrahedra), (1, bear.surface().len() as u64));
        let faces = &bodies[0].faces;
        for (triangle, corners) in bear.surface().iter().enumerate() {
            assert_eq!(faces.triangle_points(triangle), corners.map(|v| bear.vertices()[v as usize]));
        }
        let (_folder, path) = saved(if format == Format::Vtk { "a.vtk" } else { "a.vtu" }, &bytes);
        assert_eq!(read_tetrahedra(&path, &ReadOptions::default()).expect("tetrahedra"), Some(bear.clone()));
    }
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    for (format, bytes) in every_way(&slab([1, 1, 1], DVec3::ONE).expect("a slab")) {
        let whole = read(format, &bytes).expect("a mesh");
        // Behind the last number nothing is missing but the end of the line, which may be a kind of cell as well: 10.
        let complete = bytes.len() - 1;
        for length in 0..complete {
            read(format, &bytes[..length]).expect_err("half a file");
        }
        assert_eq!(read(format, &bytes[..complete]).expect("a mesh"), whole);
    }
}

#[test]
fn damaged_bytes_end_in_an_answer() {
    let mut random = fastrand::Rng::with_seed(29);
    let (mut good, mut bad) = (0, 0);
    for (format, bytes) in every_way(&slab([2, 1, 1], DVec3::ONE).expect("a slab")) {
        for _ in 0..1500 {
            let mut damaged = bytes.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..damaged.len());
                damaged[at] = if random.bool() { random.u8(..) } else { b'9' };
            }
            *if read(format, &damaged).is_ok() { &mut good } else { &mut bad } += 1;
        }
    }
    assert!(good > 100 && bad > 3000, "generator drifted: {good} good, {bad} bad");
}

const TEXT: &str = "# vtk DataFile Version 5.1\na title\nASCII\nDATASET UNSTRUCTURED_GRID\n\
    FIELD FieldData 1\nTimeValue 1 1 double\n0.5\nPOINTS 5 float\n0 0 0 1 0 0 0 1 0\n0 0 1 1 1 0\n\
    METADATA\nINFORMATION 0\n\nCELLS 3 7\nOFFSETS vtktypeint64\n0 4 7\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 4 2\n\
    CELL_TYPES 2\n10\n5\nPOINT_DATA 5\nSCALARS nobody reads this";

#[test]
fn version_5_metadata_and_fields_as_vtk_writes_them() {
    let Loaded { bodies, report } = read(Format::Vtk, TEXT.as_bytes()).expect("a mesh");
    let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!((names.len(), report.unused_vertices), (2, 1), "{names:?}");
    let (_folder, path) = saved("a.vtk", TEXT.as_bytes());
    let solid = read_tetrahedra(&path, &ReadOptions::default()).expect("read").expect("a solid");
    assert_eq!((solid.vertices().len(), solid.tetrahedra()), (4, [[0, 1, 2, 3]].as_slice()));
    let sheet = "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0 1 1 0 0 1 0\n\
        POLYGONS 2 8\n3 0 1 2\n3 0 2 3\n";
    assert_eq!(read(Format::Vtk, sheet.as_bytes()).expect("a sheet").bodies[0].faces.triangles().len(), 2);
    let (_folder, path) = saved("a.vtk", sheet.as_bytes());
    assert_eq!(read_tetrahedra(&path, &ReadOptions::default()).expect("read"), None);
}

/// As Paraview writes it: bytes as letters behind the grid, one array after the other, 32-bit heads, in two pieces.
#[test]
fn appended_letters_and_pieces() {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let encode = |bytes: &[u8]| {
        let mut text = String::new();
        for group in bytes.chunks(3) {
            let bits = group.iter().fold(0_u32, |all, b| all << 8 | u32::from(*b)) << (8 * (3 - group.len()));
            for i in 0..4 {
                let letter = LETTERS[(bits >> (18 - 6 * i) & 63) as usize];
                text.push(if i <= group.len() { char::from(letter) } else { '=' });
            }
        }
        text
    };
    let with_head = |bytes: Vec<u8>| {
        let mut all = u32::try_from(bytes.len()).expect("short").to_be_bytes().to_vec();
        all.extend(bytes);
        encode(&all)
    };
    let points: Vec<u8> = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
        .iter()
        .flat_map(|x| x.to_be_bytes())
        .collect();
    let arrays = [points, [0_i16, 1, 2, 3].iter().flat_map(|i| i.to_be_bytes()).collect(), vec![4], vec![10]]
        .map(with_head);
    let offsets = arrays.iter().scan(0, |at, array| Some(std::mem::replace(at, *at + array.len())));
    let offsets: Vec<usize> = offsets.collect();
    let piece = format!(
        "<Piece NumberOfCells=\"1\" NumberOfPoints='4'><PointData><DataArray type=\"Float32\" Name=\"Points\" \
         format=\"ascii\"> </DataArray></PointData><!-- > --><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" \
         format=\"appended\" offset=\"{}\"/></Points><Cells><DataArray type=\"Int16\" Name=\"connectivity\" \
         format=\"appended\" offset=\"{}\"/><DataArray type=\"Int8\" Name=\"offsets\" format=\"appended\" \
         offset=\"{}\"/><DataArray type=\"UInt8\" Name=\"types\" format=\"appended\" offset=\"{}\"/></Cells></Piece>",
        offsets[0], offsets[1], offsets[2], offsets[3]
    );
    let file = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" byte_order=\"BigEndian\"><UnstructuredGrid>{piece}{piece}\
         </UnstructuredGrid><AppendedData encoding=\"base64\">\n _{}\n</AppendedData></VTKFile>",
        arrays.concat()
    );
    let (_folder, path) = saved("a.vtu", file.as_bytes());
    let solid = read_tetrahedra(&path, &ReadOptions::default()).expect("read").expect("a solid");
    assert_eq!(solid.tetrahedra(), [[0, 1, 2, 3], [4, 5, 6, 7]]);
    assert_eq!(solid.vertices()[7], DVec3::Z);
}

#[test]
fn culprits_are_named() {
    let error = |from: &str, to: &str| {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT);
        read(Format::Vtk, text.as_bytes()).expect_err("an error")
    };
    assert_eq!(
        error("0 1 2 3 1", "0 2 1 3 1").to_string(),
        "a, cell 0: malformed: tetrahedron 0 is inverted: its corners are in the wrong order"
            .replace("cell", "element")
    );
    assert_eq!(error("1 4 2", "1 5 2").to_string(), "a, cell 1: index 5 is outside the 5 vertices there are");
    assert!(error("10\n5", "12\n5").to_string().contains("cell 0: not supported: a hexahedron"));
    assert!(matches!(error("0 1 1 1 0", "0 nan 1 1 0").problem, Problem::NotFinite));
    assert!(matches!(error("0 4 7", "0 4 6").problem, Problem::WrongCount(_)));
    assert!(matches!(error("CELL_TYPES 2", "CELL_TYPES 1").problem, Problem::Malformed(_)));
    assert!(matches!(error("POINTS 5", "POINTS 99999999999").problem, Problem::TooMany(_)));
    assert!(matches!(error("POINTS 5", "POINTS 4000000000").problem, Problem::NotANumber(_)));
    let grid = TEXT.replace("UNSTRUCTURED_GRID", "STRUCTURED_POINTS");
    assert!(matches!(read(Format::Vtk, grid.as_bytes()).expect_err("no").problem, Problem::Unsupported(_)));
    let lz4 = "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\"></VTKFile>";
    assert!(matches!(read(Format::Vtu, lz4.as_bytes()).expect_err("no").problem, Problem::Unsupported(_)));
    let bomb = "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"1\" NumberOfCells=\"0\"><Points>\
        <DataArray type=\"Float64\" format=\"binary\">/////w==</DataArray></Points></Piece></UnstructuredGrid></VTKFile>";
    assert!(matches!(read(Format::Vtu, bomb.as_bytes()).expect_err("no").problem, Problem::Truncated(_)));
}
