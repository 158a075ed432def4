//! Saved hierarchies: any bytes, and crafted files whose checksums are right.

use kontakt_hierarchy::store::{self, Entry, Facts, Stored};
use kontakt_hierarchy::{Faces, Flaw, Packed};
use kontakt_math::{DVec3, Pose};
use kontakt_mesh::{MeshQuery, Mesh, PlacedMesh};
use kontakt_shapes::make;

/// The bytes as a file; and as changes to a good file that is signed anew, so that the reader has to look at the content.
pub fn read(bytes: &[u8]) {
    use_all(store::read(&mut &*bytes, bytes.len() as u64));
    let mut file = good_file();
    let start = 32;
    for change in bytes.chunks_exact(4) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % (file.len() - start) + start;
        file[place] = if change[3] & 1 == 0 { change[2] } else { file[place] ^ (1 << (change[2] % 8)) };
    }
    sign(&mut file);
    use_all(store::read(&mut &*file, file.len() as u64));
}

/// What the reader lets through can be walked: answers may be wrong where boxes are too small, but nothing else is.
fn use_all(read: Result<Vec<Stored>, store::StoreError>) {
    let Ok(bodies) = read else { return };
    for body in bodies {
        let flaw = body.tree().validate(Faces::of(body.faces())).err();
        assert!(matches!(flaw, None | Some(Flaw::Outside { .. })), "{flaw:?}");
        let mesh = Mesh::from_stored(body);
        let (mut asker, moved) = (MeshQuery::new(), Pose::from_axis_angle(DVec3::X, 0.3, DVec3::splat(0.1)));
        if let Ok(pose) = moved {
            let (a, b) = (PlacedMesh::at_rest(&mesh), PlacedMesh::new(&mesh, pose));
            asker.any_contact(a, b);
            asker.all_pairs(a, b);
            asker.distance(a, b);
        }
    }
}

fn good_file() -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(faces) = make::terrain(3, 0.1)
        && let Ok(tree) = Packed::build(Faces::of(&faces), 1)
    {
        let facts = Facts::of_packed(&tree, 0.0);
        let entry = Entry { name: "a", faces: &faces, tree: &tree, facts: &facts };
        let written = store::write(&mut bytes, &[entry]);
        assert!(written.is_ok());
    }
    bytes
}

/// Makes the checksums right again wherever the table points into the file.
fn sign(bytes: &mut [u8]) {
    let word = |bytes: &[u8], at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let rows = word(bytes, 12).unwrap_or(0).min(64) as usize;
    let mut meshes = [0; 2];
    for row in (0..rows).map(|row| 32 + 32 * row) {
        let (Some(offset), Some(length)) = (word(bytes, row + 8), word(bytes, row + 16)) else { return };
        let section = offset as usize..(offset as usize).saturating_add(length as usize);
        if bytes.get(row..row + 4) == Some(b"TREE") && section.len() == 36 && section.end <= bytes.len() {
            bytes[section.start + 28..section.start + 32].copy_from_slice(&u32::to_le_bytes(meshes[0]));
            bytes[section.start + 32..section.end].copy_from_slice(&u32::to_le_bytes(meshes[1]));
        }
        let Some(content) = bytes.get(section) else { continue };
        let checksum = crc32fast::hash(content);
        match bytes.get(row..row + 4) {
            Some(b"VERT") => meshes[0] = checksum,
            Some(b"TRIA") => meshes[1] = checksum,
            _ => {}
        }
        bytes[row + 24..row + 28].copy_from_slice(&checksum.to_le_bytes());
    }
    let end = 32 + 32 * rows;
    if end + 4 <= bytes.len() {
        let checksum = crc32fast::hash(&bytes[..end]);
        bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
    }
}
