//! Legacy VTK files: unstructured grids and polygons, as text or bytes of big endian order, versions 1 to 5.

use crate::bytes::{self, Bytes};
use crate::elements::Elements;
use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use crate::input::{Input, Parsed, room};
use crate::vtk_cells;
use kontakt_math::DVec3;
use kontakt_shapes::memory::reserve;

/// Sections that come once.
const ONCE: [&str; 4] = ["POINTS", "CELLS", "CELL_TYPES", "POLYGONS"];

pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    read(&bytes::all(input)?)?.parsed()
}

pub(crate) fn read(file: &[u8]) -> Result<Elements, Fault> {
    let mut vtk = Vtk::begin(file)?;
    let mut sections = Sections::default();
    while let Some(word) = vtk.keyword() {
        let place = vtk.bytes.line_place();
        if let Some(name) = ONCE.into_iter().find(|name| name.as_bytes() == word) {
            sections.once(name, place)?;
        }
        match word.as_slice() {
            b"POINTS" => vtk.points()?,
            b"CELLS" => sections.lists = vtk.lists("CELLS")?,
            b"POLYGONS" => sections.polygons = vtk.lists("POLYGONS")?,
            b"CELL_TYPES" => sections.kinds = vtk.kinds()?,
            // Points and lines of polygonal data.
            b"VERTICES" | b"LINES" => vtk.found.ignored += vtk.lists("LINES")?.ends.len() as u64,
            b"FIELD" => vtk.field()?,
            b"METADATA" => vtk.metadata(),
            // What follows are values at points and cells.
            b"POINT_DATA" | b"CELL_DATA" => break,
            b"TRIANGLE_STRIPS" => {
                return Err(Problem::Unsupported("strips of triangles".into()).at(place));
            }
            other => {
                return Err(
                    Problem::malformed(format!("{:?} where a section begins", excerpt(other))).at(place)
                );
            }
        }
    }
    sections.into_elements(vtk.found, vtk.is_grid)
}

/// Lists of corners: where each ends among all.
#[derive(Default)]
struct Lists {
    corners: Vec<u64>,
    ends: Vec<usize>,
}

#[derive(Default)]
struct Sections {
    seen: Vec<&'static str>,
    lists: Lists,
    polygons: Lists,
    kinds: Vec<i64>,
}

impl Sections {
    fn once(&mut self, name: &'static str, place: Place) -> Result<(), Fault> {
        if self.seen.contains(&name) {
            return Err(Problem::malformed(format!("a second {name}")).at(place));
        }
        self.seen.push(name);
        Ok(())
    }

    fn into_elements(self, mut found: Elements, is_grid: bool) -> Result<Elements, Fault> {
        let needed: &[&str] = if is_grid { &["POINTS", "CELLS", "CELL_TYPES"] } else { &["POINTS"] };
        if let Some(missing) = needed.iter().find(|name| !self.seen.contains(*name)) {
            return Err(Problem::Truncated(format!("no {missing}")).into());
        }
        let points = found.points.len() as u64;
        let kinds = |cell: usize| if is_grid { self.kinds.get(cell).copied() } else { Some(7) };
        let lists = if is_grid { &self.lists } else { &self.polygons };
        if is_grid && self.kinds.len() != lists.ends.len() {
            let what = format!("{} kinds for {} cells", self.kinds.len(), lists.ends.len());
            return Err(Problem::WrongCount(what).into());
        }
        let (mut start, mut corners) = (0, Vec::new());
        for (cell, &end) in lists.ends.iter().enumerate() {
            corners.clear();
            for &index in &lists.corners[start..end] {
                let outside = || {
                    let index = i64::try_from(index).unwrap_or(i64::MAX);
                    Problem::BadIndex { index, vertices: points }.at(Place::Element("cell", cell as u64))
                };
                corners.push(u32::try_from(index).ok().filter(|_| index < points).ok_or_else(outside)?);
            }
            let kind = kinds(cell).unwrap_or(-1);
            let kind = if !is_grid && corners.len() == 3 { 5 } else { kind };
            vtk_cells::push(&mut found, kind, cell as u64, &corners)?;
            start = end;
        }
        Ok(found)
    }
}

struct Vtk<'a> {
    bytes: Bytes<'a>,
    is_text: bool,
    /// Offsets and connectivity apart, since version 5.
    is_new: bool,
    is_grid: bool,
    size: u64,
    found: Elements,
}

impl<'a> Vtk<'a> {
    fn begin(file: &'a [u8]) -> Result<Vtk<'a>, Fault> {
        let mut bytes = Bytes::new(file);
        let head = bytes.line().unwrap_or_default();
        let version = head
            .strip_prefix(b"# vtk DataFile Version ")
            .or_else(|| head.strip_prefix(b"# vtk DataFile version "))
            .ok_or_else(|| {
                Problem::malformed("no \"# vtk DataFile Version\" at the start").at(Place::Line(1))
            })?;
        let is_new = version.first().is_some_and(|digit| (b'5'..=b'9').contains(digit));
        // The title may be anything.
        bytes.line();
        let is_text = match bytes.line() {
            Some(b"ASCII") => true,
            Some(b"BINARY") => false,
            other => {
                let what = format!("{:?} instead of ASCII or BINARY", excerpt(other.unwrap_or_default()));
                return Err(Problem::malformed(what).at(bytes.line_place()));
            }
        };
        let (first, kind) = (bytes.word()?, bytes.word()?);
        let is_grid = match (first, kind) {
            (b"DATASET", b"UNSTRUCTURED_GRID") => true,
            (b"DATASET", b"POLYDATA") => false,
            _ => {
                let what = format!(
                    "{:?}; of VTK's data sets UNSTRUCTURED_GRID and POLYDATA are read",
                    excerpt(&[first, b" ", kind].concat())
                );
                return Err(Problem::Unsupported(what).at(bytes.line_place()));
            }
        };
        let found = Elements::default();
        Ok(Vtk { bytes, is_text, is_new, is_grid, size: file.len() as u64, found })
    }

    /// The next section; `None` at the end.
    fn keyword(&mut self) -> Option<Vec<u8>> {
        if self.bytes.rest().trim_ascii_start().is_empty() {
            return None;
        }
        self.bytes.word().ok().map(<[u8]>::to_ascii_uppercase)
    }

    fn count(&mut self) -> Result<u64, Fault> {
        let count = self.bytes.integer()?;
        u64::try_from(count).map_err(|_| Problem::WrongCount(format!("{count}")).at(self.bytes.line_place()))
    }

    /// What follows a section's head begins behind its line.
    fn data(&mut self) {
        if !self.is_text {
            self.bytes.line();
        }
    }

    fn place(&self) -> Place {
        if self.is_text { self.bytes.line_place() } else { self.bytes.byte_place() }
    }

    /// The size in bytes of a kind of number; signed or not only matters for text.
    fn kind(&mut self) -> Result<Kind, Fault> {
        let word = self.bytes.word()?;
        let kind = match word {
            b"float" => Kind::F32,
            b"double" => Kind::F64,
            b"char" | b"unsigned_char" => Kind::Int(1),
            b"short" | b"unsigned_short" => Kind::Int(2),
            b"int" | b"unsigned_int" => Kind::Int(4),
            b"long" | b"unsigned_long" | b"vtktypeint64" | b"vtkIdType" | b"vtktypeuint64" => Kind::Int(8),
            _ => {
                let what = format!("numbers of kind {:?}", excerpt(word));
                return Err(Problem::Unsupported(what).at(self.bytes.line_place()));
            }
        };
        Ok(kind)
    }

    fn int(&mut self, width: usize) -> Result<i64, Fault> {
        if self.is_text {
            return self.bytes.integer();
        }
        let bytes = self.bytes.take(width)?;
        let sign = if bytes.first().is_some_and(|b| b & 0x80 != 0) { 0xff } else { 0 };
        let mut wide = [sign; 8];
        wide[8 - width..].copy_from_slice(bytes);
        Ok(i64::from_be_bytes(wide))
    }

    fn index(&mut self, width: usize) -> Result<u64, Fault> {
        let value = self.int(width)?;
        u64::try_from(value)
            .map_err(|_| Problem::WrongCount(format!("{value} is no count or index")).at(self.place()))
    }

    fn double(&mut self, kind: Kind) -> Result<f64, Fault> {
        if self.is_text {
            return self.bytes.number();
        }
        let value = match kind {
            Kind::F32 => {
                let mut bytes = [0; 4];
                bytes.copy_from_slice(self.bytes.take(4)?);
                f64::from(f32::from_be_bytes(bytes))
            }
            Kind::F64 => {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(self.bytes.take(8)?);
                f64::from_be_bytes(bytes)
            }
            Kind::Int(width) => self.int(width)? as f64,
        };
        if value.is_finite() { Ok(value) } else { Err(Problem::NotFinite.at(self.place())) }
    }

    fn points(&mut self) -> Result<(), Fault> {
        let count = self.count()?;
        let kind = self.kind()?;
        self.data();
        if u32::try_from(count).is_err() {
            return Err(Problem::TooMany(format!("{count} points")).into());
        }
        reserve(&mut self.found.points, room(Some(self.size), count, 3))?;
        for _ in 0..count {
            let point = DVec3::new(self.double(kind)?, self.double(kind)?, self.double(kind)?);
            reserve(&mut self.found.points, 1)?;
            self.found.points.push(point);
        }
        Ok(())
    }

    fn lists(&mut self, name: &str) -> Result<Lists, Fault> {
        let (count, size) = (self.count()?, self.count()?);
        if self.is_new {
            return self.new_lists(name, count, size);
        }
        self.data();
        let mut lists = Lists::default();
        reserve(&mut lists.ends, room(Some(self.size), count, 2))?;
        let mut left = size;
        for _ in 0..count {
            let corners = self.index(4)?;
            left = left.checked_sub(corners.saturating_add(1)).ok_or_else(|| {
                Problem::WrongCount(format!("{name} has more than the {size} numbers promised"))
                    .at(self.place())
            })?;
            for _ in 0..corners {
                let index = self.index(4)?;
                reserve(&mut lists.corners, 1)?;
                lists.corners.push(index);
            }
            reserve(&mut lists.ends, 1)?;
            lists.ends.push(lists.corners.len());
        }
        if left > 0 {
            let what = format!("{name} has {left} numbers less than the {size} promised");
            return Err(Problem::WrongCount(what).at(self.place()));
        }
        Ok(lists)
    }

    /// Offsets, one more than there are lists, then all corners.
    fn new_lists(&mut self, name: &str, offsets: u64, size: u64) -> Result<Lists, Fault> {
        let mut lists = Lists::default();
        let read = |vtk: &mut Vtk<'a>, word: &[u8], count: u64| -> Result<Vec<u64>, Fault> {
            if vtk.keyword().as_deref() != Some(word) {
                let what = format!("{name} without {}", excerpt(word));
                return Err(Problem::malformed(what).at(vtk.bytes.line_place()));
            }
            let Kind::Int(width) = vtk.kind()? else {
                return Err(Problem::malformed("indices must be integers").at(vtk.bytes.line_place()));
            };
            vtk.data();
            let mut values = Vec::new();
            reserve(&mut values, room(Some(vtk.size), count, 1))?;
            for _ in 0..count {
                let value = vtk.index(width)?;
                reserve(&mut values, 1)?;
                values.push(value);
            }
            Ok(values)
        };
        let ends = read(self, b"OFFSETS", offsets)?;
        lists.corners = read(self, b"CONNECTIVITY", size)?;
        let is_whole = match ends.as_slice() {
            [] => size == 0,
            [first, ..] => *first == 0 && ends.is_sorted() && ends.last() == Some(&size),
        };
        if !is_whole {
            return Err(
                Problem::WrongCount(format!("{name}: offsets do not lead from 0 to {size}")).at(self.place())
            );
        }
        lists.ends = ends.iter().skip(1).map(|&end| end as usize).collect();
        Ok(lists)
    }

    fn kinds(&mut self) -> Result<Vec<i64>, Fault> {
        let count = self.count()?;
        self.data();
        let mut kinds = Vec::new();
        reserve(&mut kinds, room(Some(self.size), count, 2))?;
        for _ in 0..count {
            let kind = self.int(4)?;
            reserve(&mut kinds, 1)?;
            kinds.push(kind);
        }
        Ok(kinds)
    }

    /// Arrays about the whole, passed over.
    fn field(&mut self) -> Result<(), Fault> {
        self.bytes.word()?;
        for _ in 0..self.count()? {
            self.bytes.word()?;
            let (components, tuples) = (self.count()?, self.count()?);
            let word = self.bytes.word()?;
            let count = components.saturating_mul(tuples);
            if word == b"string" {
                return Err(
                    Problem::Unsupported("fields of strings in front of the points".into()).at(self.place())
                );
            }
            let width = match word {
                b"float" | b"int" | b"unsigned_int" => 4,
                b"double" | b"long" | b"unsigned_long" | b"vtktypeint64" | b"vtkIdType" => 8,
                b"short" | b"unsigned_short" => 2,
                b"char" | b"unsigned_char" => 1,
                _ => {
                    return Err(
                        Problem::Unsupported(format!("numbers of kind {:?}", excerpt(word))).at(self.place())
                    );
                }
            };
            self.data();
            if self.is_text {
                for _ in 0..count {
                    self.bytes.word()?;
                }
            } else {
                let bytes = usize::try_from(count.saturating_mul(width)).unwrap_or(usize::MAX);
                self.bytes.take(bytes)?;
            }
        }
        Ok(())
    }

    /// Words about the array before, up to an empty line.
    fn metadata(&mut self) {
        self.bytes.line();
        while self.bytes.line().is_some_and(|line| !line.is_empty()) {}
    }
}

/// How a number stands in the file.
#[derive(Clone, Copy)]
enum Kind {
    F32,
    F64,
    /// Of so many bytes.
    Int(usize),
}
