//! Saved hierarchies: what is read is what was written, or a typed error; never a panic.

use kontakt_hierarchy::store::{self, Entry, Facts, StoreError, Stored};
use kontakt_hierarchy::{Faces, Packed};
use kontakt_math::DVec3;
use kontakt_shapes::{FaceList, FaceSet, make};

fn packed(faces: &FaceSet) -> (Packed, Facts) {
    let tree = Packed::build(Faces::of(faces), 1).unwrap();
    let facts = Facts::of_packed(&tree, 0.25);
    (tree, facts)
}

fn saved(bodies: &[(&str, &FaceSet)]) -> Vec<u8> {
    let built: Vec<_> = bodies.iter().map(|(_, faces)| packed(faces)).collect();
    let entries: Vec<Entry> = bodies
        .iter()
        .zip(&built)
        .map(|((name, faces), (tree, facts))| Entry { name, faces, tree, facts })
        .collect();
    let mut bytes = Vec::new();
    let written = store::write(&mut bytes, &entries).unwrap();
    assert_eq!(written, bytes.len() as u64);
    bytes
}

fn read(bytes: &[u8]) -> Result<Vec<Stored>, StoreError> {
    store::read(&mut &*bytes, bytes.len() as u64)
}

/// A flat quadrilateral, a bent one and a triangle.
fn mixed() -> FaceSet {
    let points = [[0., 0., 0.], [1., 0., 0.], [1., 1., -0.0], [0., 1., 0.], [0.5, 0.5, 2.], [2., 2., 1e-310]];
    let mut list = FaceList::default();
    for face in [&[0, 1, 2, 3][..], &[0, 1, 5, 4], &[2, 3, 4]] {
        list.push(face).unwrap();
    }
    FaceSet::new(points.map(DVec3::from_array).to_vec(), list).unwrap()
}

#[test]
fn what_is_read_is_what_was_written() {
    let (figure, sheet, mixed) = (make::knobbly(9, 8, 3).unwrap(), make::terrain(7, 0.1).unwrap(), mixed());
    let bytes = saved(&[("figure:ä", &figure), ("sheet", &sheet), ("", &mixed)]);
    let bodies = read(&bytes).unwrap();
    assert_eq!(bodies.len(), 3);
    for (body, (name, faces)) in bodies.iter().zip([("figure:ä", &figure), ("sheet", &sheet), ("", &mixed)])
    {
        let (tree, facts) = packed(faces);
        assert_eq!((body.name(), body.faces(), body.tree(), body.facts()), (name, faces, &tree, &facts));
        assert!(body.belongs_to(faces).is_ok());
        assert_eq!(body.tree().validate(Faces::of(body.faces())), Ok(()));
    }
    assert!(matches!(bodies[0].belongs_to(&sheet), Err(StoreError::OtherMesh)));
    let entries: Vec<Entry> = bodies.iter().map(Stored::entry).collect();
    let mut again = Vec::new();
    store::write(&mut again, &entries).unwrap();
    assert_eq!(again, bytes);
}

#[test]
fn every_truncation_is_noticed() {
    let bytes = saved(&[("a", &mixed())]);
    for length in 0..bytes.len() {
        match read(&bytes[..length]) {
            Err(StoreError::Truncated { expected, found }) => {
                assert!(found == length as u64 && expected > found);
            }
            Err(StoreError::NotAHierarchy) => assert!(length < 8),
            other => panic!("{length}: {other:?}"),
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(read(&longer), Err(StoreError::Implausible { .. })));
}

/// Every single flipped bit gives an error that says what is damaged; the checksums see all of them.
#[test]
fn every_flipped_bit_is_noticed() {
    let mut bytes = saved(&[("a", &mixed())]);
    let mut damaged = std::collections::BTreeSet::new();
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        match read(&bytes) {
            Err(StoreError::Checksum { section, .. }) => {
                damaged.insert(section);
            }
            Err(StoreError::NotAHierarchy) => assert!(bit < 64),
            Err(StoreError::OtherVersion { .. }) => assert!((64..96).contains(&bit)),
            Err(StoreError::Truncated { .. }) => assert!((96..128).contains(&bit), "{bit}"),
            Err(StoreError::Implausible { what, .. }) => assert_eq!(what, "the gap before it is not empty"),
            other => panic!("{bit}: {other:?}"),
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(damaged.len(), 9, "{damaged:?}");
    assert!(read(&bytes).is_ok());
}

/// Where the table says a section is: offset and length.
fn place(bytes: &[u8], tag: &[u8]) -> (usize, usize, usize) {
    let row = (32..).step_by(32).find(|&at| &bytes[at..at + 4] == tag).unwrap();
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    (row, number(row + 8), number(row + 16))
}

/// Makes all checksums right again, as somebody who crafts a file would.
fn sign(bytes: &mut [u8]) {
    let rows = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    for row in (0..rows).map(|row| 32 + 32 * row) {
        let tag = bytes[row..row + 4].to_vec();
        let (_, offset, length) = place(bytes, &tag);
        let checksum = crc32fast::hash(&bytes[offset..offset + length]);
        bytes[row + 24..row + 28].copy_from_slice(&checksum.to_le_bytes());
    }
    let (tree, ..) = place(bytes, b"TREE");
    let tree = u64::from_le_bytes(bytes[tree + 8..tree + 16].try_into().unwrap()) as usize;
    for (at, tag) in [(28, b"VERT"), (32, b"TRIA")] {
        let (row, ..) = place(bytes, tag);
        let checksum: [u8; 4] = bytes[row + 24..row + 28].try_into().unwrap();
        bytes[tree + at..tree + at + 4].copy_from_slice(&checksum);
    }
    let (row, offset, length) = place(bytes, b"TREE");
    let checksum = crc32fast::hash(&bytes[offset..offset + length]);
    bytes[row + 24..row + 28].copy_from_slice(&checksum.to_le_bytes());
    let end = 32 + 32 * rows;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
}

/// A crafted file has right checksums and wrong content. It is refused, or what it gives keeps every promise that walks
/// rely on: then validating it, which looks at everything, neither panics nor finds anything but boxes too small.
#[test]
fn crafted_content_is_refused_or_harmless() {
    let original = saved(&[("a", &mixed())]);
    let mut signed = original.clone();
    sign(&mut signed);
    assert_eq!(signed, original);
    let (mut refused, mut taken) = (0, 0);
    for tag in [b"NAME", b"VERT", b"TRIA", b"POLY", b"TREE", b"NODE", b"SLOT", b"FACT"] {
        let (_, offset, length) = place(&original, tag);
        for byte in offset..offset + length {
            for value in [0x00, 0x01, 0x7f, 0x80, 0xff] {
                let mut bytes = original.clone();
                bytes[byte] = value;
                sign(&mut bytes);
                match read(&bytes) {
                    Ok(bodies) => {
                        taken += 1;
                        for body in bodies {
                            let flaw = body.tree().validate(Faces::of(body.faces())).err();
                            let harmless =
                                matches!(flaw, None | Some(kontakt_hierarchy::Flaw::Outside { .. }));
                            assert!(harmless, "{flaw:?}");
                            assert!(body.tree().counts().nodes > 0);
                            assert!(!body.tree().level_measures().is_empty());
                        }
                    }
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 1000 && taken > 500, "{refused} refused, {taken} taken");
}

#[test]
fn a_tree_beside_another_mesh_is_noticed() {
    let (one, two) = (make::terrain(3, 0.1).unwrap(), make::terrain(3, 0.2).unwrap());
    let mut bytes = saved(&[("a", &one)]);
    let other = saved(&[("a", &two)]);
    // The vertices of the other file with their checksum, and a right checksum of the table.
    let (row, offset, length) = place(&bytes, b"VERT");
    bytes[offset..offset + length].copy_from_slice(&other[offset..offset + length]);
    bytes[row..row + 32].copy_from_slice(&other[row..row + 32]);
    let rows = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let checksum = crc32fast::hash(&bytes[..32 + 32 * rows]);
    bytes[32 + 32 * rows..36 + 32 * rows].copy_from_slice(&checksum.to_le_bytes());
    assert!(matches!(read(&bytes), Err(StoreError::OtherMesh)));
}

#[test]
fn measures_of_levels_fit_the_tree() {
    let faces = make::knobbly(12, 8, 3).unwrap();
    let (tree, facts) = packed(&faces);
    let levels = tree.level_measures();
    assert_eq!(levels[0].triangles, faces.triangles().len());
    assert_eq!(levels.len() as u64, facts.depth + 1);
    assert_eq!(levels.iter().map(|level| level.leaves).sum::<usize>() as u64, facts.leaves);
    assert!(levels.windows(2).all(|pair| pair[1].diameter.max <= pair[0].diameter.max * 1.5));
    assert!((2.0..8.0).contains(&levels[0].diameter.max), "{:?}", levels[0]);
}
