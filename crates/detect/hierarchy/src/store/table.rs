//! Head and table of contents of a saved hierarchy.

use super::error::StoreError;
use super::fields::Cursor;
use super::section::Section;
use super::{NODE_BYTES, VERSION};
use std::io::Read;

const MAGIC: [u8; 8] = [0x89, b'K', b'H', b'\r', b'\n', 0x1a, b'\n', 0];
const HEAD_BYTES: u64 = 32;
const ROW_BYTES: u64 = 32;
const TAIL_BYTES: u64 = 8;
/// Sections begin at multiples of this.
const ALIGNMENT: u64 = 64;

/// Where a section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) section: Section,
    pub(super) body: u32,
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) checksum: u32,
}

/// The table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) bodies: u32,
    pub(super) rows: Vec<Row>,
}

/// Bytes of head, rows and their checksum.
fn bytes_of_table(rows: u64) -> u64 {
    HEAD_BYTES + rows * ROW_BYTES + TAIL_BYTES
}

impl Table {
    /// A table of sections of these lengths, placed one after the other: section, body, length, checksum.
    pub(super) fn new(bodies: u32, sections: &[(Section, u32, u64, u32)]) -> Table {
        let mut end = bytes_of_table(sections.len() as u64);
        let rows = sections.iter().map(|&(section, body, length, checksum)| {
            let offset = end.next_multiple_of(ALIGNMENT);
            end = offset + length;
            Row { section, body, offset, length, checksum }
        });
        Table { bodies, rows: rows.collect() }
    }

    /// Length of the whole file.
    pub(super) fn file_bytes(&self) -> u64 {
        self.rows.last().map_or(self.table_bytes(), |row| row.offset + row.length)
    }

    fn table_bytes(&self) -> u64 {
        bytes_of_table(self.rows.len() as u64)
    }

    /// Head, rows and their checksum.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for word in [VERSION, self.rows.len() as u32, self.bodies, NODE_BYTES] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.file_bytes().to_le_bytes());
        for row in &self.rows {
            bytes.extend_from_slice(&row.section.tag());
            bytes.extend_from_slice(&row.body.to_le_bytes());
            bytes.extend_from_slice(&row.offset.to_le_bytes());
            bytes.extend_from_slice(&row.length.to_le_bytes());
            bytes.extend_from_slice(&row.checksum.to_le_bytes());
            bytes.extend_from_slice(&[0; 4]);
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes
    }

    /// Reads and checks the table of a file of `size` bytes; returns it and where it ends. Afterwards every section lies
    /// within the file, behind the one before.
    pub(super) fn decode(input: &mut dyn Read, size: u64) -> Result<(Table, u64), StoreError> {
        let mut bytes = vec![0; HEAD_BYTES.min(size) as usize];
        input.read_exact(&mut bytes)?;
        if !MAGIC.starts_with(&bytes[..bytes.len().min(8)]) {
            return Err(StoreError::NotAHierarchy);
        }
        let cut_short = |expected| StoreError::Truncated { expected, found: size };
        let mut cursor = Cursor(bytes.get(8..).unwrap_or_default());
        let mut word = || cursor.word().ok_or_else(|| cut_short(HEAD_BYTES));
        let found = word()?;
        if found != VERSION {
            return Err(StoreError::OtherVersion { found });
        }
        let (rows, bodies, node_bytes) = (word()?, word()?, word()?);
        let file_bytes = cursor.count().ok_or_else(|| cut_short(HEAD_BYTES))?;
        let end = bytes_of_table(u64::from(rows));
        if size < end {
            return Err(cut_short(end.max(file_bytes)));
        }
        bytes.resize(end as usize, 0);
        input.read_exact(&mut bytes[HEAD_BYTES as usize..])?;
        let (content, tail) = bytes.split_at(bytes.len() - TAIL_BYTES as usize);
        if tail[..4] != crc32fast::hash(content).to_le_bytes() || tail[4..] != [0; 4] {
            return Err(StoreError::Checksum { section: "the table of contents", body: 0 });
        }
        if size < file_bytes {
            return Err(cut_short(file_bytes));
        }
        let wrong = |what| StoreError::Implausible { section: "the table of contents", what };
        if size > file_bytes {
            return Err(wrong("the file is longer than it says"));
        }
        if node_bytes != NODE_BYTES {
            return Err(wrong("nodes of another size"));
        }
        let (rows, _) = content[HEAD_BYTES as usize..].as_chunks::<{ ROW_BYTES as usize }>();
        let rows: Option<Vec<Row>> = rows.iter().map(decode_row).collect();
        let rows = rows.ok_or(wrong("a section of unknown kind"))?;
        let mut before = end;
        for row in &rows {
            let next = row.offset.checked_add(row.length).filter(|next| *next <= size);
            if row.offset != before.next_multiple_of(ALIGNMENT) {
                return Err(wrong("sections do not follow each other"));
            }
            before = next.ok_or(wrong("a section reaches beyond the file"))?;
        }
        if before != size {
            return Err(wrong("the sections do not fill the file"));
        }
        Ok((Table { bodies, rows }, end))
    }
}

fn decode_row(bytes: &[u8; ROW_BYTES as usize]) -> Option<Row> {
    let (tag, rest) = bytes.split_first_chunk()?;
    let mut cursor = Cursor(rest);
    Some(Row {
        section: Section::tagged(*tag)?,
        body: cursor.word()?,
        offset: cursor.count()?,
        length: cursor.count()?,
        checksum: cursor.word()?,
    })
}
