//! Legacy VTK out: an unstructured grid as text or, as the format wants it, bytes of big endian order.

use super::array::{CellLists, Numbers};
use crate::atomic::write_atomically;
use crate::snapshot::Field;
use crate::{Snapshot, WriteError, WriteOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes points, cells and fields. Text and bytes keep every bit of finite numbers.
pub fn write_vtk(path: &Path, snapshot: &Snapshot<'_>, options: &WriteOptions) -> Result<(), WriteError> {
    snapshot.validate()?;
    let lists = CellLists::of(snapshot);
    let cells = lists.kinds.len();
    let mut rows = Vec::with_capacity(lists.corners.len() + cells);
    let mut start = 0;
    for &end in &lists.ends {
        let corners = &lists.corners[start as usize..end as usize];
        rows.push(corners.len().cast_signed() as i64);
        rows.extend_from_slice(corners);
        start = end;
    }
    let size = rows.len();
    // Version 3.0 knows 32 bits only.
    let rows = match Numbers::of_signed(rows) {
        rows @ Numbers::I32(_) if i32::try_from(size).is_ok() => rows,
        _ => return Err(WriteError::TooMany { what: "corners", count: size }),
    };
    let kinds = Numbers::I32(lists.kinds.iter().map(|&kind| i32::from(kind)).collect());
    write_atomically(path, options.deadline, |out| {
        let mut file = Legacy { out, text: options.text };
        let encoding = if options.text { "ASCII" } else { "BINARY" };
        let points = snapshot.points.len();
        write!(
            file.out,
            "# vtk DataFile Version 3.0\nwritten by kontakt\n{encoding}\nDATASET UNSTRUCTURED_GRID\n\
             POINTS {points} double\n"
        )?;
        file.write(&Numbers::of_points(snapshot.points), 3)?;
        writeln!(file.out, "CELLS {cells} {size}")?;
        file.write(&rows, 12)?;
        writeln!(file.out, "CELL_TYPES {cells}")?;
        file.write(&kinds, 12)?;
        for (keyword, count, fields) in
            [("POINT_DATA", points, snapshot.point_data), ("CELL_DATA", cells, snapshot.cell_data)]
        {
            if !fields.is_empty() {
                writeln!(file.out, "{keyword} {count}")?;
            }
            fields.iter().try_for_each(|field| file.write_field(field))?;
        }
        Ok(())
    })
}

struct Legacy<'a> {
    out: &'a mut dyn Write,
    text: bool,
}

impl Legacy<'_> {
    fn write(&mut self, numbers: &Numbers<'_>, a_line: usize) -> io::Result<()> {
        if self.text {
            return numbers.write_text(self.out, a_line);
        }
        numbers.write_big(self.out)?;
        self.out.write_all(b"\n")
    }

    fn write_field(&mut self, field: &Field<'_>) -> io::Result<()> {
        let (numbers, components) = Numbers::of_field(field);
        let (name, kind) = (encoded(field.name), numbers.old_kind());
        if components == 1 {
            writeln!(self.out, "SCALARS {name} {kind} 1\nLOOKUP_TABLE default")?;
        } else {
            writeln!(self.out, "VECTORS {name} {kind}")?;
        }
        self.write(&numbers, if components == 1 { 12 } else { components })
    }
}

/// A name as one word, as VTK encodes it.
fn encoded(name: &str) -> String {
    use std::fmt::Write;
    let mut word = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_graphic() && byte != b'"' && byte != b'%' {
            word.push(char::from(byte));
        } else {
            // Writing into a string does not fail.
            let _ = write!(word, "%{byte:02X}");
        }
    }
    if word.is_empty() { "field".into() } else { word }
}
