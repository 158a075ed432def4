//! VTU out: unstructured grids in VTK's XML, for viewers.

use super::array::{CellLists, Numbers};
use super::xml::{escaped, write_head};
use crate::atomic::write_atomically;
use crate::{Snapshot, WriteError, base64};
use kontakt_schedule::Deadline;
use std::io::{self, Write};
use std::path::Path;

/// How numbers stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Text, the shortest that gives the same numbers back.
    Text,
    /// Bytes as letters where they belong; the file stays valid XML.
    Base64,
    /// Bytes as they are, at the file's end: the smallest and fastest.
    #[default]
    Appended,
}

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct VtuOptions {
    /// How numbers stand in the file.
    pub encoding: Encoding,
    /// Bytes compressed by zlib; text never is.
    pub compressed: bool,
    /// When to give up.
    pub deadline: Deadline,
}

/// Bytes compressed at a time, as VTK does it.
const BLOCK: usize = 1 << 15;
/// Fast rather than small.
const LEVEL: u8 = 4;
/// The attribute that says so.
const COMPRESSOR: &str = " compressor=\"vtkZLibDataCompressor\"";

/// Writes points, cells and fields. Every encoding keeps every bit of finite numbers.
pub fn write_vtu(path: &Path, snapshot: &Snapshot<'_>, options: &VtuOptions) -> Result<(), WriteError> {
    snapshot.validate()?;
    write_atomically(path, options.deadline, |out| {
        let compressed = options.compressed && options.encoding != Encoding::Text;
        write_head(out, "UnstructuredGrid", if compressed { COMPRESSOR } else { "" })?;
        let (points, cells) = (snapshot.points.len(), snapshot.cell_count());
        write!(
            out,
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">\n<Points>\n"
        )?;
        let mut arrays = Arrays { out, encoding: options.encoding, compressed, appended: Vec::new() };
        arrays.write("Points", &Numbers::of_points(snapshot.points), 3)?;
        arrays.out.write_all(b"</Points>\n<Cells>\n")?;
        let CellLists { corners, ends, kinds } = CellLists::of(snapshot);
        arrays.write("connectivity", &Numbers::of_signed(corners), 1)?;
        arrays.write("offsets", &Numbers::of_signed(ends), 1)?;
        arrays.write("types", &Numbers::U8(kinds), 1)?;
        arrays.out.write_all(b"</Cells>\n")?;
        for (element, fields) in [("PointData", snapshot.point_data), ("CellData", snapshot.cell_data)] {
            writeln!(arrays.out, "<{element}>")?;
            for field in fields {
                let (numbers, components) = Numbers::of_field(field);
                arrays.write(field.name, &numbers, components)?;
            }
            writeln!(arrays.out, "</{element}>")?;
        }
        arrays.out.write_all(b"</Piece>\n</UnstructuredGrid>\n")?;
        let Arrays { out, appended, .. } = arrays;
        if !appended.is_empty() {
            out.write_all(b"<AppendedData encoding=\"raw\">\n_")?;
            out.write_all(&appended)?;
            out.write_all(b"\n</AppendedData>\n")?;
        }
        Ok(out.write_all(b"</VTKFile>\n")?)
    })
}

/// Arrays on their way into the file; bytes that belong at its end are kept.
struct Arrays<'a> {
    out: &'a mut dyn Write,
    encoding: Encoding,
    compressed: bool,
    appended: Vec<u8>,
}

impl Arrays<'_> {
    fn write(&mut self, name: &str, numbers: &Numbers<'_>, components: usize) -> io::Result<()> {
        let (name, kind) = (escaped(name), numbers.kind());
        write!(
            self.out,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format="
        )?;
        match self.encoding {
            Encoding::Text => {
                self.out.write_all(b"\"ascii\">\n")?;
                numbers.write_text(self.out, if components == 1 { 12 } else { components })?;
                self.out.write_all(b"</DataArray>\n")
            }
            Encoding::Base64 => {
                let Payload { head, body } = self.payload(&numbers.little());
                self.out.write_all(b"\"binary\">\n")?;
                self.out.write_all(&self.letters(head, &body))?;
                self.out.write_all(b"\n</DataArray>\n")
            }
            Encoding::Appended => {
                let Payload { head, body } = self.payload(&numbers.little());
                writeln!(self.out, "\"appended\" offset=\"{}\"/>", self.appended.len())?;
                self.appended.extend_from_slice(&head);
                self.appended.extend_from_slice(&body);
                Ok(())
            }
        }
    }

    /// The head of compressed data is a text of its own, that of plain data belongs to them.
    fn letters(&self, mut head: Vec<u8>, body: &[u8]) -> Vec<u8> {
        if self.compressed {
            let mut text = base64::encode(&head);
            text.append(&mut base64::encode(body));
            return text;
        }
        head.extend_from_slice(body);
        base64::encode(&head)
    }

    /// Plain: the number of bytes, then they. Compressed: the number of blocks, the size of a block before, that of the last one
    /// (zero where it is full), the size of each after compression; then the blocks.
    fn payload(&self, bytes: &[u8]) -> Payload {
        let mut head = Vec::new();
        let mut count = |count: usize| head.extend_from_slice(&(count as u64).to_le_bytes());
        if !self.compressed {
            count(bytes.len());
            return Payload { head, body: bytes.to_vec() };
        }
        for number in [bytes.len().div_ceil(BLOCK), BLOCK, bytes.len() % BLOCK] {
            count(number);
        }
        let mut body = Vec::new();
        for block in bytes.chunks(BLOCK) {
            let small = miniz_oxide::deflate::compress_to_vec_zlib(block, LEVEL);
            count(small.len());
            body.extend_from_slice(&small);
        }
        Payload { head, body }
    }
}

/// An array's bytes and what is said before them.
struct Payload {
    head: Vec<u8>,
    body: Vec<u8>,
}
