//! From a file to bodies.

use super::bulk::{Words, read_list};
use super::error::StoreError;
use super::facts::Facts;
use super::fields::Cursor;
use super::section::Section;
use super::stored::Stored;
use super::table::{Row, Table};
use crate::{Packed, WideNode};
use kontakt_math::DVec3;
use kontakt_shapes::{FaceSet, PolygonParts};
use std::io::Read;

pub(super) fn read(input: &mut dyn Read, size: u64) -> Result<Vec<Stored>, StoreError> {
    let (table, end) = Table::decode(input, size)?;
    let mut sections = Sections { input, rows: table.rows.iter(), at: end };
    let mut bodies = Vec::new();
    for body in 0..table.bodies {
        bodies.push(sections.body(body)?);
    }
    let wrong = |what| StoreError::Implausible { section: "the table of contents", what };
    match (bodies.is_empty(), sections.rows.next()) {
        (true, _) => Err(wrong("there are no bodies")),
        (_, Some(_)) => Err(wrong("there are more sections than the bodies have")),
        _ => Ok(bodies),
    }
}

/// The sections still to be read.
struct Sections<'a> {
    input: &'a mut dyn Read,
    rows: std::slice::Iter<'a, Row>,
    /// Where the input stands.
    at: u64,
}

impl Sections<'_> {
    fn body(&mut self, body: u32) -> Result<Stored, StoreError> {
        let (name, _) = self.list::<u8>(Section::Name, body)?;
        let (vertices, of_vertices) = self.list::<DVec3>(Section::Vertices, body)?;
        let (triangles, of_triangles) = self.list::<[u32; 3]>(Section::Triangles, body)?;
        let polygons = if self.rows.as_slice().first().is_some_and(|row| row.section == Section::Polygons) {
            let (bytes, _) = self.list::<u8>(Section::Polygons, body)?;
            Some(polygons(&bytes).ok_or(implausible(Section::Polygons))?)
        } else {
            None
        };
        let (frame, _) = self.list::<u8>(Section::Tree, body)?;
        let frame = Frame::decode(&frame).ok_or(implausible(Section::Tree))?;
        if (frame.vertices, frame.triangles) != (of_vertices, of_triangles) {
            return Err(StoreError::OtherMesh);
        }
        let (nodes, _) = self.list::<WideNode>(Section::Nodes, body)?;
        let (order, _) = self.list::<u32>(Section::Slots, body)?;
        let (facts, _) = self.list::<u8>(Section::Facts, body)?;
        let facts = Facts::decode(&facts).ok_or(implausible(Section::Facts))?;
        let name = String::from_utf8(name).map_err(|_| implausible(Section::Name))?;
        let faces = FaceSet::from_parts(vertices, triangles, polygons)?;
        let tree = Packed::from_stored(frame.origin, frame.exponent, nodes, order, faces.triangles())?;
        Ok(Stored { name, faces, tree, facts })
    }

    /// The items of the next section, which must be this one, and their checksum.
    fn list<T: Words>(&mut self, section: Section, body: u32) -> Result<(Vec<T>, u32), StoreError> {
        let missing = StoreError::Implausible { section: section.title(), what: "it is missing" };
        let row = self.rows.next().filter(|row| row.section == section && row.body == body).ok_or(missing)?;
        // The table's sections begin less than one alignment after the one before.
        let mut gap = [0; 64];
        let gap = &mut gap[..(row.offset - self.at).min(64) as usize];
        self.input.read_exact(gap)?;
        if gap.iter().any(|&byte| byte != 0) {
            return Err(StoreError::Implausible {
                section: section.title(),
                what: "the gap before it is not empty",
            });
        }
        self.at = row.offset + row.length;
        Ok((read_list(self.input, row)?, row.checksum))
    }
}

fn implausible(section: Section) -> StoreError {
    StoreError::Implausible { section: section.title(), what: "its fields do not fit" }
}

fn polygons(bytes: &[u8]) -> Option<PolygonParts> {
    let mut cursor = Cursor(bytes);
    let parts = PolygonParts {
        starts: cursor.list()?,
        corners: cursor.list()?,
        sources: cursor.list()?,
        source_count: cursor.word()?,
        triangulated: cursor.word()?,
        rough: cursor.word()?,
    };
    cursor.is_done().then_some(parts)
}

/// Frame of the packed tree, and the checksums of the mesh it belongs to.
struct Frame {
    origin: DVec3,
    exponent: i32,
    vertices: u32,
    triangles: u32,
}

impl Frame {
    fn decode(bytes: &[u8]) -> Option<Frame> {
        let mut cursor = Cursor(bytes);
        let frame = Frame {
            origin: DVec3::new(cursor.number()?, cursor.number()?, cursor.number()?),
            exponent: cursor.word()?.cast_signed(),
            vertices: cursor.word()?,
            triangles: cursor.word()?,
        };
        cursor.is_done().then_some(frame)
    }
}
