//! From bodies to a file.

use super::bulk::bytes_of;
use super::fields::Fields;
use super::section::Section;
use super::stored::Entry;
use super::table::Table;
use std::borrow::Cow;
use std::io::{self, Write};

pub(super) fn write(output: &mut dyn Write, bodies: &[Entry<'_>]) -> io::Result<u64> {
    let count = u32::try_from(bodies.len()).ok().filter(|&count| count > 0);
    let count = count.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no bodies, or too many"))?;
    let mut contents = Vec::new();
    for (body, entry) in bodies.iter().enumerate() {
        contents.extend(sections(entry).into_iter().map(|(section, bytes)| (section, body as u32, bytes)));
    }
    let rows: Vec<_> = contents
        .iter()
        .map(|(section, body, bytes)| (*section, *body, bytes.len() as u64, crc32fast::hash(bytes)))
        .collect();
    let table = Table::new(count, &rows);
    let head = table.encode();
    output.write_all(&head)?;
    let mut at = head.len() as u64;
    for ((_, _, bytes), row) in contents.iter().zip(&table.rows) {
        output.write_all(&[0; 64][..(row.offset - at) as usize])?;
        output.write_all(bytes)?;
        at = row.offset + row.length;
    }
    Ok(at)
}

fn sections<'a>(entry: &Entry<'a>) -> Vec<(Section, Cow<'a, [u8]>)> {
    let (faces, tree) = (entry.faces, entry.tree);
    let vertices = bytes_of(faces.vertices());
    let triangles = bytes_of(faces.triangles());
    let mut frame = Fields::default();
    for x in tree.origin().to_array() {
        frame.number(x);
    }
    frame.word(tree.exponent().cast_unsigned());
    // The tree remembers its mesh, so that parts of two files put together are noticed.
    frame.word(crc32fast::hash(&vertices));
    frame.word(crc32fast::hash(&triangles));
    let mut all = vec![
        (Section::Name, Cow::Borrowed(entry.name.as_bytes())),
        (Section::Vertices, vertices),
        (Section::Triangles, triangles),
    ];
    if let Some(polygons) = faces.polygon_parts() {
        let mut fields = Fields::default();
        for list in [&polygons.starts, &polygons.corners, &polygons.sources] {
            fields.list(list);
        }
        for count in [polygons.source_count, polygons.triangulated, polygons.rough] {
            fields.word(count);
        }
        all.push((Section::Polygons, Cow::Owned(fields.0)));
    }
    all.extend([
        (Section::Tree, Cow::Owned(frame.0)),
        (Section::Nodes, bytes_of(tree.nodes())),
        (Section::Slots, bytes_of(tree.order())),
        (Section::Facts, Cow::Owned(entry.facts.encode())),
    ]);
    all
}
