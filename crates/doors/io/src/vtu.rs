//! VTU: unstructured grids in VTK's XML, one or several pieces; every encoding but the compressors LZ4 and LZMA.

mod array;
mod xml;

use crate::bytes;
use crate::elements::Elements;
use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use crate::input::{Input, Parsed};
use crate::vtk_cells;
use array::{Form, Kind as NumberKind, Numbers};
use kontakt_math::DVec3;
use kontakt_shapes::memory::reserve;
use xml::{Kind, Tag, Tags};

pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    read(&bytes::all(input)?)?.parsed()
}

pub(crate) fn read(file: &[u8]) -> Result<Elements, Fault> {
    let mut tags = Tags::new(file);
    let mut form = head(&mut tags)?;
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut appended: &[u8] = b"";
    let mut is_closed = false;
    // The element whose arrays are wanted.
    let mut within: &[u8] = b"";
    while let Some((_, tag)) = tags.next()? {
        match (tag.name, tag.kind) {
            (b"Piece", Kind::Open) => pieces.push(Piece::new(&tag)?),
            (b"Points" | b"Cells", Kind::Open) => within = tag.name,
            (b"Points" | b"Cells", Kind::Close) => within = b"",
            (b"DataArray", Kind::Open | Kind::Empty) => {
                let text =
                    if tag.kind == Kind::Open { until_close(&mut tags, &tag)? } else { b"".as_slice() };
                if let Some(piece) = pieces.last_mut() {
                    piece.take(within, &tag, text)?;
                }
            }
            (b"AppendedData", Kind::Open) => {
                let place = tag.place();
                form.is_base64 = match tag.attribute("encoding").unwrap_or(b"raw") {
                    b"raw" => false,
                    b"base64" => true,
                    other => {
                        let what = format!("appended data as {:?}", excerpt(other));
                        return Err(Problem::Unsupported(what).at(place));
                    }
                };
                appended = end_of_file(file, &mut tags, place)?;
            }
            (b"VTKFile", Kind::Close) => {
                is_closed = true;
                break;
            }
            _ => {}
        }
    }
    if !is_closed {
        return Err(Problem::Truncated("no </VTKFile>".into()).into());
    }
    let mut found = Elements::default();
    for piece in pieces {
        piece.into_elements(&mut found, form, appended)?;
    }
    Ok(found)
}

fn head(tags: &mut Tags<'_>) -> Result<Form, Fault> {
    let first = tags.next()?;
    let Some((_, tag)) = first.filter(|(_, tag)| tag.name == b"VTKFile" && tag.kind == Kind::Open) else {
        return Err(Problem::malformed("it does not begin with <VTKFile …>").into());
    };
    let unsupported = |what: &str, value: &[u8]| {
        Err(Problem::Unsupported(format!("{what} {:?}", excerpt(value))).at(tag.place()))
    };
    match tag.attribute("type").unwrap_or_default() {
        b"UnstructuredGrid" => {}
        other => return unsupported("UnstructuredGrid is read, not a file of type", other),
    }
    let is_big = match tag.attribute("byte_order").unwrap_or(b"LittleEndian") {
        b"LittleEndian" => false,
        b"BigEndian" => true,
        other => return unsupported("the order of bytes", other),
    };
    let head = match tag.attribute("header_type").unwrap_or(b"UInt32") {
        b"UInt32" => 4,
        b"UInt64" => 8,
        other => return unsupported("heads of type", other),
    };
    let is_compressed = match tag.attribute("compressor").unwrap_or_default() {
        b"" => false,
        b"vtkZLibDataCompressor" => true,
        other => return unsupported("zlib is read, not the compressor", other),
    };
    Ok(Form { is_big, head, is_compressed, is_base64: false })
}

/// The text of an array, up to the tag that closes it. Tags within tell more of it and are passed over.
fn until_close<'a>(tags: &mut Tags<'a>, array: &Tag<'_>) -> Result<&'a [u8], Fault> {
    let mut first: Option<&[u8]> = None;
    while let Some((text, tag)) = tags.next()? {
        let text = *first.get_or_insert(text);
        if tag.name == b"DataArray" && tag.kind == Kind::Close {
            return Ok(text);
        }
    }
    Err(Problem::Truncated("no </DataArray>".into()).at(array.place()))
}

/// The bytes behind the `_` at the file's end. They are no XML, so that their end is looked for from the back.
fn end_of_file<'a>(file: &'a [u8], tags: &mut Tags<'a>, place: Place) -> Result<&'a [u8], Fault> {
    let cut = |what: &str| Problem::Truncated(what.to_owned()).at(place);
    let rest = &file[tags.at..];
    let start = rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
    if rest.get(start) != Some(&b'_') {
        return Err(cut("no _ before the appended data"));
    }
    let rest = &rest[start + 1..];
    let end = memchr::memmem::rfind(rest, b"</AppendedData>").ok_or_else(|| cut("no </AppendedData>"))?;
    tags.at += start + 1 + end;
    Ok(&rest[..end])
}

/// An array of a piece before its bytes are looked at.
struct Array<'a> {
    kind: NumberKind,
    place: Place,
    source: Source<'a>,
}

enum Source<'a> {
    Text(&'a [u8]),
    Letters(&'a [u8]),
    /// From this byte of the appended data on.
    Appended(usize),
}

impl<'a> Array<'a> {
    fn new(tag: &Tag<'_>, text: &'a [u8]) -> Result<Array<'a>, Fault> {
        let source = match tag.attribute("format").unwrap_or(b"ascii") {
            b"ascii" => Source::Text(text),
            b"binary" => Source::Letters(text),
            b"appended" => {
                let missing = || Problem::malformed("appended data without an offset").at(tag.place());
                let offset = tag.count("offset")?.ok_or_else(missing)?;
                Source::Appended(usize::try_from(offset).unwrap_or(usize::MAX))
            }
            other => {
                return Err(Problem::Unsupported(format!("data as {:?}", excerpt(other))).at(tag.place()));
            }
        };
        Ok(Array { kind: NumberKind::of(tag)?, place: tag.place(), source })
    }

    fn numbers(&self, form: Form, appended: &[u8]) -> Result<Numbers, Fault> {
        match self.source {
            Source::Text(text) => array::of_text(text, self.kind, self.place),
            Source::Letters(text) => array::of_letters(text, self.kind, form, self.place),
            Source::Appended(offset) => {
                let short =
                    || Problem::Truncated("appended data end before the offset".into()).at(self.place);
                let bytes = appended.get(offset..).ok_or_else(short)?;
                if form.is_base64 {
                    return array::of_letters(bytes, self.kind, form, self.place);
                }
                array::of_bytes(bytes, self.kind, form, self.place)
            }
        }
    }

    fn floats(&self, form: Form, appended: &[u8]) -> Result<Vec<f64>, Fault> {
        Ok(match self.numbers(form, appended)? {
            Numbers::Floats(values) => values,
            Numbers::Whole(values) => values.into_iter().map(|value| value as f64).collect(),
        })
    }

    fn whole(&self, form: Form, appended: &[u8]) -> Result<Vec<i64>, Fault> {
        match self.numbers(form, appended)? {
            Numbers::Whole(values) => Ok(values),
            Numbers::Floats(_) => Err(Problem::malformed("indices must be integers").at(self.place)),
        }
    }
}

struct Piece<'a> {
    points: u64,
    cells: u64,
    place: Place,
    coordinates: Option<Array<'a>>,
    connectivity: Option<Array<'a>>,
    offsets: Option<Array<'a>>,
    types: Option<Array<'a>>,
}

impl<'a> Piece<'a> {
    fn new(tag: &Tag<'_>) -> Result<Piece<'a>, Fault> {
        let count = |name: &str| {
            let missing = || Problem::malformed(format!("a piece without {name}")).at(tag.place());
            tag.count(name)?.ok_or_else(missing)
        };
        Ok(Piece {
            points: count("NumberOfPoints")?,
            cells: count("NumberOfCells")?,
            place: tag.place(),
            coordinates: None,
            connectivity: None,
            offsets: None,
            types: None,
        })
    }

    fn take(&mut self, within: &[u8], tag: &Tag<'_>, text: &'a [u8]) -> Result<(), Fault> {
        let slot = match (within, tag.attribute("Name").unwrap_or_default()) {
            (b"Points", _) => &mut self.coordinates,
            (b"Cells", b"connectivity") => &mut self.connectivity,
            (b"Cells", b"offsets") => &mut self.offsets,
            (b"Cells", b"types") => &mut self.types,
            _ => return Ok(()),
        };
        if slot.is_some() {
            return Err(Problem::malformed("a second array of the same name").at(tag.place()));
        }
        *slot = Some(Array::new(tag, text)?);
        Ok(())
    }

    fn into_elements(self, found: &mut Elements, form: Form, appended: &[u8]) -> Result<(), Fault> {
        let place = self.place;
        if self.points == 0 && self.cells == 0 {
            return Ok(());
        }
        let base = found.points.len();
        let (first_cell, mut start, mut corners) = (found.count(), 0, Vec::new());
        let missing = |what: &str| Problem::malformed(format!("a piece without {what}")).at(place);
        let coordinates = self.coordinates.ok_or_else(|| missing("points"))?.floats(form, appended)?;
        let counted = |what: &str, meant: u64, came: usize| {
            if meant == came as u64 {
                return Ok(());
            }
            Err(Problem::WrongCount(format!("{meant} {what} were promised, {came} came")).at(place))
        };
        counted("coordinates", self.points.saturating_mul(3), coordinates.len())?;
        if u32::try_from(base as u64 + self.points).is_err() {
            return Err(Problem::TooMany(format!("{} points", base as u64 + self.points)).into());
        }
        reserve(&mut found.points, coordinates.len() / 3)?;
        found.points.extend(coordinates.as_chunks::<3>().0.iter().map(|p| DVec3::from_array(*p)));
        if self.cells == 0 {
            return Ok(());
        }
        let connectivity = self.connectivity.ok_or_else(|| missing("connectivity"))?.whole(form, appended)?;
        let offsets = self.offsets.ok_or_else(|| missing("offsets"))?.whole(form, appended)?;
        let types = self.types.ok_or_else(|| missing("types"))?.whole(form, appended)?;
        counted("offsets", self.cells, offsets.len())?;
        counted("types", self.cells, types.len())?;
        for (i, (&end, &kind)) in offsets.iter().zip(&types).enumerate() {
            let cell = first_cell + i as u64;
            let here = Place::Element("cell", cell);
            let range = usize::try_from(end).ok().and_then(|end| connectivity.get(start..end));
            let list = range.ok_or_else(|| Problem::WrongCount(format!("an offset of {end}")).at(here))?;
            corners.clear();
            for &index in list {
                let inside = u64::try_from(index).ok().filter(|&index| index < self.points);
                let outside = || Problem::BadIndex { index, vertices: self.points }.at(here);
                corners.push((base as u64 + inside.ok_or_else(outside)?) as u32);
            }
            start += list.len();
            vtk_cells::push(found, kind, cell, &corners)?;
        }
        if start != connectivity.len() {
            let what = format!("{} corners belong to no cell", connectivity.len() - start);
            return Err(Problem::WrongCount(what).at(place));
        }
        Ok(())
    }
}
