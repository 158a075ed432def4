//! Saved hierarchies: `.kh` files that carry their meshes.
//!
//! Layout, all numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic: `89 4B 48 0D 0A 1A 0A 00`, so that a transfer as text is noticed |
//! | 4 + 4 | version; number of sections |
//! | 4 + 4 | number of bodies; bytes of a wide node |
//! | 8 | length of the file |
//! | 32 each | table of sections: tag, body, offset, length, CRC-32, zero |
//! | 8 | CRC-32 of everything before, zero |
//! | … | sections, each at a multiple of 64 bytes, gaps filled with zeros |
//!
//! Reading trusts no number: lengths are checked against the file before memory is asked for, checksums against the
//! bytes, indices and the shape of the tree against each other, so that a crafted file is refused or gives a hierarchy that
//! queries can walk. Only that boxes enclose their triangles is taken from the checksum; [`Packed::validate`](crate::Packed::validate) proves it.

mod bulk;
mod error;
mod facts;
mod fields;
mod reader;
mod section;
mod stored;
mod table;
mod writer;

pub use error::StoreError;
pub use facts::Facts;
pub use stored::{Entry, Stored};

use std::io::{Read, Write};

/// The version of the format that this program writes and reads. 2: large polygons are cut into other triangles, which are checked on
/// reading.
pub const VERSION: u32 = 2;

/// Reads all bodies of a saved hierarchy of `size` bytes.
pub fn read(input: &mut dyn Read, size: u64) -> Result<Vec<Stored>, StoreError> {
    reader::read(input, size)
}

/// Writes bodies; returns how many bytes.
pub fn write(output: &mut dyn Write, bodies: &[Entry<'_>]) -> std::io::Result<u64> {
    writer::write(output, bodies)
}

/// Bytes of a node in the file.
const NODE_BYTES: u32 = size_of::<crate::WideNode>() as u32;
