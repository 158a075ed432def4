//! STL: a soup of triangles, text or binary. Equal vertices of one solid are welded.

use crate::ReadReport;
use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use crate::input::{Input, Parsed};
use crate::number::number;
use crate::scanner::Scanner;
use kontakt_math::DVec3;
use kontakt_shapes::memory::{OutOfMemory, reserve};
use kontakt_shapes::point_index::PointIndex;
use kontakt_shapes::{FaceList, FaceSet};

/// Text before the number of triangles.
const HEADER: usize = 80;
/// Header and number of triangles.
const PREFIX: usize = HEADER + 4;
/// Normal, three corners, two unused bytes.
const RECORD: usize = 50;
/// Triangles welded together.
const BATCH: usize = 32;
/// How much of the file is looked at to tell text from binary.
const SAMPLE: usize = 512;

pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    let size = input.size;
    let mut scanner = input.scanner();
    scanner.ensure(SAMPLE)?;
    match kind(scanner.window(), size) {
        Kind::Text => parse_text(&mut scanner),
        Kind::Binary { triangles } => parse_binary(&mut scanner, triangles, size),
    }
}

enum Kind {
    Text,
    Binary { triangles: u32 },
}

/// Binary files may start with "solid" like text ones. They are known by their size; failing that, by bytes that no text has.
fn kind(start: &[u8], size: Option<u64>) -> Kind {
    let count = start.get(HEADER..PREFIX).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    let Some(triangles) = count else { return Kind::Text };
    if size == Some(binary_size(triangles)) {
        return Kind::Binary { triangles };
    }
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    let says_solid = text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let looks_like_text = !start.iter().any(|&byte| byte < 0x20 && !matches!(byte, b'\t'..=b'\r'));
    if says_solid && looks_like_text { Kind::Text } else { Kind::Binary { triangles } }
}

fn binary_size(triangles: u32) -> u64 {
    PREFIX as u64 + RECORD as u64 * u64::from(triangles)
}

fn parse_binary(scanner: &mut Scanner<'_>, count: u32, size: Option<u64>) -> Result<Parsed, Fault> {
    if let Some(size) = size
        && size != binary_size(count)
    {
        let needed = binary_size(count);
        let what = format!("{count} triangles need {needed} bytes, the file has {size}");
        return Err(Problem::WrongCount(what).at(Place::Byte(HEADER as u64)));
    }
    scanner.advance(PREFIX);
    let room = if size.is_some() { count as usize } else { 0 };
    let mut solid = Solid::with_capacity(room)?;
    let mut corners = Vec::with_capacity(3 * BATCH);
    let mut done = 0;
    while done < count {
        let records = (scanner.ensure(RECORD)? / RECORD).min((count - done) as usize);
        if records == 0 {
            let what = format!("{done} of {count} triangles are there");
            return Err(Problem::Truncated(what).at(scanner.byte_place()));
        }
        for batch in scanner.window()[..records * RECORD].chunks(BATCH * RECORD) {
            corners.clear();
            corners.extend(batch.chunks_exact(RECORD).flat_map(record_corners));
            if let Some(bad) = corners.iter().position(|corner| !corner.is_finite()) {
                let triangle = u64::from(done) + bad as u64 / 3;
                return Err(Problem::NotFinite.at(Place::Element("triangle", triangle)));
            }
            solid.reserve(corners.len())?;
            solid.index.approach(&corners);
            for triangle in corners.as_chunks::<3>().0 {
                let triangle = triangle.map(|corner| solid.weld(corner));
                solid.faces.push_triangle(triangle)?;
                done += 1;
            }
        }
        scanner.advance(records * RECORD);
    }
    let mut report = ReadReport::default();
    let objects = vec![(None, solid.finish(&mut report)?)];
    Ok(Parsed { objects, report })
}

/// The three corners of a record.
#[inline]
fn record_corners(record: &[u8]) -> [DVec3; 3] {
    let number = |at: usize| f64::from(f32::from_le_bytes(std::array::from_fn(|i| record[at + i])));
    [12, 24, 36].map(|at| DVec3::new(number(at), number(at + 4), number(at + 8)))
}

fn parse_text(scanner: &mut Scanner<'_>) -> Result<Parsed, Fault> {
    scanner.skip_byte_order_mark()?;
    let mut parsed = Parsed::default();
    while let Some(word) = scanner.word()? {
        if !word.eq_ignore_ascii_case(b"solid") {
            let what = format!("{:?} where \"solid\" should be", excerpt(word));
            return Err(Problem::malformed(what).at(scanner.line_place()));
        }
        let name = String::from_utf8_lossy(scanner.rest_of_line()?).trim().to_owned();
        match parse_solid(scanner)? {
            Some(solid) => {
                let faces = solid.finish(&mut parsed.report)?;
                parsed.objects.push((Some(name), faces));
            }
            None => parsed.report.empty_objects += 1,
        }
    }
    Ok(parsed)
}

/// Facets up to `endsolid`; `None` when there is none.
fn parse_solid(scanner: &mut Scanner<'_>) -> Result<Option<Solid>, Fault> {
    let mut solid = Solid::with_capacity(0)?;
    let mut corners = Vec::new();
    loop {
        let word = expect_word(scanner, "endsolid")?;
        if word.eq_ignore_ascii_case(b"endsolid") {
            scanner.rest_of_line()?;
            return Ok(if solid.faces.is_empty() { None } else { Some(solid) });
        }
        if !word.eq_ignore_ascii_case(b"facet") {
            let what = format!("{:?} where \"facet\" or \"endsolid\" should be", excerpt(word));
            return Err(Problem::malformed(what).at(scanner.line_place()));
        }
        // The normal is not used, and often NaN where a facet has no area.
        expect(scanner, b"normal")?;
        for _ in 0..3 {
            expect_word(scanner, "a normal")?;
        }
        expect(scanner, b"outer")?;
        expect(scanner, b"loop")?;
        corners.clear();
        loop {
            let word = expect_word(scanner, "endloop")?;
            if word.eq_ignore_ascii_case(b"endloop") {
                break;
            }
            if !word.eq_ignore_ascii_case(b"vertex") {
                let what = format!("{:?} where \"vertex\" or \"endloop\" should be", excerpt(word));
                return Err(Problem::malformed(what).at(scanner.line_place()));
            }
            let mut point = [0.0; 3];
            for coordinate in &mut point {
                let value = number(expect_word(scanner, "a coordinate")?);
                *coordinate = value.map_err(|problem| problem.at(scanner.line_place()))?;
            }
            solid.reserve(1)?;
            reserve(&mut corners, 1)?;
            corners.push(solid.weld(point.into()));
        }
        if corners.len() < 3 {
            let what = format!("a facet with {} vertices", corners.len());
            return Err(Problem::malformed(what).at(scanner.line_place()));
        }
        expect(scanner, b"endfacet")?;
        solid.faces.push(&corners)?;
    }
}

fn expect_word<'a>(scanner: &'a mut Scanner<'_>, what: &str) -> Result<&'a [u8], Fault> {
    // Asked twice because a word that is handed out keeps the scanner borrowed.
    if !scanner.has_word()? {
        return Err(Problem::Truncated(format!("{what} is missing")).at(scanner.line_place()));
    }
    Ok(scanner.word()?.unwrap_or(&[]))
}

fn expect(scanner: &mut Scanner<'_>, keyword: &'static [u8]) -> Result<(), Fault> {
    let keyword_text = String::from_utf8_lossy(keyword);
    let word = expect_word(scanner, &keyword_text)?;
    if word.eq_ignore_ascii_case(keyword) {
        return Ok(());
    }
    let what = format!("{:?} where {keyword_text:?} should be", excerpt(word));
    Err(Problem::malformed(what).at(scanner.line_place()))
}

/// One solid while it is read.
struct Solid {
    vertices: Vec<DVec3>,
    index: PointIndex,
    faces: FaceList,
    corners: u64,
}

impl Solid {
    /// A closed surface has about half as many vertices as triangles.
    fn with_capacity(triangles: usize) -> Result<Self, OutOfMemory> {
        let faces = FaceList::with_capacity(triangles)?;
        let mut solid = Solid { vertices: Vec::new(), index: PointIndex::default(), faces, corners: 0 };
        solid.reserve(triangles / 2)?;
        Ok(solid)
    }

    /// Makes room for so many vertices more.
    #[inline]
    fn reserve(&mut self, more: usize) -> Result<(), OutOfMemory> {
        self.index.reserve(&self.vertices, more)?;
        reserve(&mut self.vertices, more)
    }

    /// The vertex at a point, for which there is room.
    #[inline]
    fn weld(&mut self, point: DVec3) -> u32 {
        self.corners += 1;
        let new = self.vertices.len() as u32;
        let id = self.index.find_or_enter(&self.vertices, point, new);
        if id == new {
            self.vertices.push(point);
        }
        id
    }

    fn finish(mut self, report: &mut ReadReport) -> Result<FaceSet, Fault> {
        report.welded_corners += self.corners - self.vertices.len() as u64;
        drop(self.index);
        self.vertices.shrink_to_fit();
        self.faces.shrink_to_fit();
        Ok(FaceSet::new(self.vertices, self.faces)?)
    }
}
