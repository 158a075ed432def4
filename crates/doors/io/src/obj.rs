//! Wavefront OBJ: polygons as text, split into objects or groups.

use crate::ReadReport;
use crate::error::{Fault, Place, Problem};
use crate::excerpt::excerpt;
use crate::input::{Input, Parsed, Split};
use crate::number::{integer, number, skip_blanks, take_number, take_word};
use kontakt_math::DVec3;
use kontakt_shapes::memory::{probe, reserve};
use kontakt_shapes::{FaceList, FaceSet};
use std::collections::HashMap;

/// Keywords that are no news: normals, texture, materials, smoothing, display.
const PASSED_OVER: [&[u8]; 10] =
    [b"vn", b"vt", b"vp", b"s", b"usemtl", b"mtllib", b"mg", b"bevel", b"c_interp", b"d_interp"];
/// Elements that are no faces.
const ELEMENTS: [&[u8]; 5] = [b"l", b"p", b"curv", b"curv2", b"surf"];
/// How many unknown keywords the report names.
const EXAMPLES: usize = 8;
/// The longest line put together from continued lines.
const LONGEST: usize = 1 << 26;

pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    let mut reader = Reader::new(input.options.split == Split::Groups);
    let mut scanner = input.scanner();
    scanner.skip_byte_order_mark()?;
    let mut joined = Vec::new();
    while let Some(line) = scanner.line()? {
        reader.line_number += 1;
        let comment = joined.is_empty() && line.starts_with(b"#");
        let result = match line.strip_suffix(b"\\") {
            Some(part) if !comment => {
                joined.extend_from_slice(part);
                joined.push(b' ');
                if joined.len() < LONGEST {
                    continue;
                }
                Err(Problem::malformed("a continued line of more than 64 MB"))
            }
            _ if joined.is_empty() => reader.line(line),
            _ => {
                joined.extend_from_slice(line);
                let result = reader.line(&joined);
                joined.clear();
                result
            }
        };
        result.map_err(|problem| problem.at(Place::Line(reader.line_number)))?;
    }
    reader.line(&joined).map_err(|problem| problem.at(Place::Line(reader.line_number)))?;
    reader.finish()
}

struct Reader {
    by_groups: bool,
    vertices: Vec<DVec3>,
    faces: FaceList,
    corners: Vec<u32>,
    parts: Parts,
    report: ReadReport,
    line_number: u64,
    seen_keyword: bool,
    /// The largest index so far that had no vertex yet, and its line.
    ahead: Option<(u32, u64)>,
}

impl Reader {
    fn new(by_groups: bool) -> Self {
        Reader {
            by_groups,
            vertices: Vec::new(),
            faces: FaceList::default(),
            corners: Vec::new(),
            parts: Parts::default(),
            report: ReadReport::default(),
            line_number: 0,
            seen_keyword: false,
            ahead: None,
        }
    }

    #[inline]
    fn line(&mut self, line: &[u8]) -> Result<(), Problem> {
        let (keyword, rest) = take_word(line);
        match keyword {
            b"v" => self.vertex(rest)?,
            b"f" | b"fo" => self.face(rest)?,
            b"" => return Ok(()),
            _ => {
                self.other(keyword, rest);
                return Ok(());
            }
        }
        self.seen_keyword = true;
        Ok(())
    }

    fn other(&mut self, keyword: &[u8], rest: &[u8]) {
        match keyword {
            _ if keyword.starts_with(b"#") => {}
            b"o" => self.parts.object(&text(rest)),
            b"g" if self.by_groups => self.parts.group(&text(rest)),
            b"g" => {}
            _ if PASSED_OVER.contains(&keyword) => {}
            _ if ELEMENTS.contains(&keyword) => self.report.ignored_elements += 1,
            _ if !self.seen_keyword => {
                self.report.junk_lines += 1;
                self.odd_line();
                return;
            }
            _ => {
                self.report.unknown_keywords += 1;
                self.odd_line();
                let name = excerpt(keyword);
                let examples = &mut self.report.unknown_examples;
                if examples.len() < EXAMPLES && !examples.contains(&name) {
                    examples.push(name);
                }
            }
        }
        self.seen_keyword = true;
    }

    /// Remembers the first line that says nothing to us.
    fn odd_line(&mut self) {
        if self.report.first_odd_line == 0 {
            self.report.first_odd_line = self.line_number;
        }
    }

    /// x y z, then nothing, a weight, a colour, or both; these must be numbers but are not used.
    #[inline]
    fn vertex(&mut self, rest: &[u8]) -> Result<(), Problem> {
        let (x, rest) = take_number(rest)?;
        let (y, rest) = take_number(rest)?;
        let (z, rest) = take_number(rest)?;
        reserve(&mut self.vertices, 1)?;
        self.vertices.push(DVec3::new(x, y, z));
        let mut rest = skip_blanks(rest);
        let mut extra = 0;
        while !rest.is_empty() && !rest.starts_with(b"#") {
            let (word, after) = take_word(rest);
            number(word)?;
            extra += 1;
            rest = skip_blanks(after);
        }
        if matches!(extra, 0 | 1 | 3 | 4) {
            Ok(())
        } else {
            Err(Problem::malformed(format!("a vertex with {} numbers", extra + 3)))
        }
    }

    #[inline]
    fn face(&mut self, rest: &[u8]) -> Result<(), Problem> {
        self.corners.clear();
        let mut rest = skip_blanks(rest);
        while !rest.is_empty() && !rest.starts_with(b"#") {
            let (index, after) = take_corner(rest)?;
            let corner = self.resolve(index)?;
            self.corners.push(corner);
            rest = skip_blanks(after);
        }
        if self.corners.len() < 3 {
            return Err(Problem::malformed(format!("a face with {} corners", self.corners.len())));
        }
        self.parts.enter_face(self.faces.len());
        self.faces.push(&self.corners).map_err(|error| Fault::from(error).problem)
    }

    /// 1-based from the start or, negative, from the end of the vertices so far.
    #[inline]
    fn resolve(&mut self, index: i64) -> Result<u32, Problem> {
        let count = self.vertices.len();
        let zero_based = match usize::try_from(index.unsigned_abs()) {
            Ok(from_start) if index > 0 => Some(from_start - 1),
            Ok(from_end) if index < 0 => count.checked_sub(from_end),
            _ => None,
        };
        match zero_based.map(u32::try_from) {
            Some(Ok(corner)) if corner < u32::MAX => {
                if corner as usize >= count && self.ahead.is_none_or(|(furthest, _)| furthest < corner) {
                    self.ahead = Some((corner, self.line_number));
                }
                Ok(corner)
            }
            _ => Err(Problem::BadIndex { index, vertices: count as u64 }),
        }
    }

    fn finish(mut self) -> Result<Parsed, Fault> {
        if let Some((corner, line)) = self.ahead
            && corner as usize >= self.vertices.len()
        {
            let problem =
                Problem::BadIndex { index: i64::from(corner) + 1, vertices: self.vertices.len() as u64 };
            return Err(problem.at(Place::Line(line)));
        }
        if self.faces.is_empty() {
            return Err(Problem::NoFaces.at(Place::Whole));
        }
        self.vertices.shrink_to_fit();
        self.faces.shrink_to_fit();
        let mut report = self.report;
        let objects = self.parts.divide(self.vertices, self.faces, &mut report)?;
        Ok(Parsed { objects, report })
    }
}

/// `v`, `v/vt`, `v//vn` or `v/vt/vn`: the vertex index and what follows the word.
#[inline]
fn take_corner(text: &[u8]) -> Result<(i64, &[u8]), Problem> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (1..=9).contains(&digits) && text.get(digits).is_none_or(|&byte| byte == b' ') {
        let value = text[..digits].iter().fold(0, |value, byte| 10 * value + i64::from(byte - b'0'));
        return Ok((value, &text[digits..]));
    }
    let (word, rest) = take_word(text);
    let mut fields = word.split(|&byte| byte == b'/');
    let index = integer(fields.next().unwrap_or(&[]))?;
    let mut others = 0;
    for field in fields {
        others += 1;
        if !field.is_empty() {
            integer(field)?;
        }
    }
    if others > 2 {
        Err(Problem::malformed(format!("corner {:?}", excerpt(word))))
    } else {
        Ok((index, rest))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// Which faces belong to which object or group. Every `o` line begins an object, also one whose name was there before: two
/// bolts called alike are two bodies. A group that comes again within its object goes on.
#[derive(Default)]
struct Parts {
    /// The first is for faces before any name.
    names: Vec<Option<String>>,
    /// Groups of the current object.
    groups: HashMap<String, usize>,
    object: Option<String>,
    /// An object that has neither faces nor groups yet.
    pending: Option<String>,
    /// Objects that never had any.
    empty: u64,
    current: usize,
    /// (part, its first face) of each stretch of faces, in file order.
    runs: Vec<(usize, usize)>,
}

impl Parts {
    fn object(&mut self, name: &str) {
        self.object = Some(name.to_owned());
        self.groups.clear();
        self.empty += u64::from(self.pending.replace(name.to_owned()).is_some());
    }

    fn group(&mut self, name: &str) {
        self.pending = None;
        if let Some(&known) = self.groups.get(name) {
            self.current = known;
            return;
        }
        let full = match &self.object {
            Some(object) => format!("{object}/{name}"),
            None => name.to_owned(),
        };
        self.current = self.begin(full);
        self.groups.insert(name.to_owned(), self.current);
    }

    /// A new part.
    fn begin(&mut self, name: String) -> usize {
        if self.names.is_empty() {
            self.names.push(None);
        }
        self.names.push(Some(name));
        self.names.len() - 1
    }

    #[inline]
    fn enter_face(&mut self, face: usize) {
        if self.pending.is_some()
            && let Some(name) = self.pending.take()
        {
            self.current = self.begin(name);
        }
        if self.runs.last().is_none_or(|&(part, _)| part != self.current) {
            self.runs.push((self.current, face));
        }
    }

    /// One object keeps all vertices; of several, each takes those it uses, in the file's order.
    fn divide(
        mut self,
        vertices: Vec<DVec3>,
        faces: FaceList,
        report: &mut ReadReport,
    ) -> Result<Vec<(Option<String>, FaceSet)>, Fault> {
        let name = |part: usize| self.names.get(part).cloned().flatten();
        let named = self.names.len().saturating_sub(1) as u64;
        let empty = self.empty + u64::from(self.pending.is_some());
        if let [(part, _)] = self.runs[..] {
            report.empty_objects = empty + named - u64::from(part > 0);
            return Ok(vec![(name(part), FaceSet::new(vertices, faces)?)]);
        }
        let end = faces.len();
        let ends = self.runs.iter().skip(1).map(|run| run.1).chain([end]);
        let mut stretches: Vec<(usize, usize, usize)> =
            self.runs.iter().zip(ends).map(|(&(part, first), end)| (part, first, end)).collect();
        // Stable: stretches of a part stay in the file's order; parts in the order of their first face.
        let mut rank = vec![usize::MAX; self.names.len().max(1)];
        for (order, &(part, ..)) in stretches.iter().enumerate() {
            rank[part] = rank[part].min(order);
        }
        stretches.sort_by_key(|&(part, ..)| rank[part]);
        probe(32 * vertices.len() + 32 * faces.len()).map_err(Problem::from)?;
        let mut extractor = Extractor { vertices: &vertices, new_id: vec![u32::MAX; vertices.len()] };
        let mut objects = Vec::new();
        for same in stretches.chunk_by(|a, b| a.0 == b.0) {
            let ids = || same.iter().flat_map(|&(_, first, end)| first..end);
            objects.push((name(same[0].0), extractor.extract(&faces, ids)?));
        }
        let parts_with_faces = objects.iter().filter(|(name, _)| name.is_some()).count() as u64;
        report.empty_objects = empty + named - parts_with_faces;
        report.unused_vertices = extractor.new_id.iter().filter(|&&id| id == u32::MAX).count() as u64;
        self.runs.clear();
        Ok(objects)
    }
}

/// Takes faces with the vertices they use out of the whole.
struct Extractor<'a> {
    vertices: &'a [DVec3],
    /// Id in the part that used the vertex last.
    new_id: Vec<u32>,
}

impl Extractor<'_> {
    fn extract<I: Iterator<Item = usize>>(
        &mut self,
        faces: &FaceList,
        ids: impl Fn() -> I,
    ) -> Result<FaceSet, Fault> {
        let mut used: Vec<u32> = ids().flat_map(|face| faces.face(face)).copied().collect();
        used.sort_unstable();
        used.dedup();
        for (new, &old) in used.iter().enumerate() {
            self.new_id[old as usize] = new as u32;
        }
        let mut part = FaceList::default();
        let mut corners = Vec::new();
        for face in ids() {
            corners.clear();
            corners.extend(faces.face(face).iter().map(|&v| self.new_id[v as usize]));
            part.push(&corners)?;
        }
        let vertices = used.iter().map(|&v| self.vertices[v as usize]).collect();
        Ok(FaceSet::new(vertices, part)?)
    }
}
