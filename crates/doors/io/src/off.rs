//! OFF: vertices and polygons as text, with a count of each in front.

use crate::error::{Fault, Problem};
use crate::excerpt::excerpt;
use crate::input::{Input, Parsed, room};
use crate::number::{integer, skip_blanks, take_number, take_word};
use crate::scanner::Scanner;
use kontakt_math::DVec3;
use kontakt_shapes::memory::reserve;
use kontakt_shapes::{FaceList, FaceSet};

pub(crate) fn parse(input: &mut Input<'_>) -> Result<Parsed, Fault> {
    let size = input.size;
    let mut scanner = input.scanner();
    scanner.skip_byte_order_mark()?;
    let [vertex_count, face_count] = read_counts(&mut scanner)?;
    // The shortest vertex is "0 0 0\n", the shortest triangle "3 0 1 2\n".
    let mut vertices = Vec::new();
    reserve(&mut vertices, room(size, vertex_count, 6))?;
    for done in 0..vertex_count {
        let Some(line) = next_line(&mut scanner)? else {
            return Err(missing(done, vertex_count, "vertices", &scanner));
        };
        let vertex = read_vertex(line).map_err(|problem| problem.at(scanner.line_place()))?;
        reserve(&mut vertices, 1)?;
        vertices.push(vertex);
    }
    let mut faces = FaceList::with_capacity(room(size, face_count, 8))?;
    let mut corners = Vec::new();
    for done in 0..face_count {
        let Some(line) = next_line(&mut scanner)? else {
            return Err(missing(done, face_count, "faces", &scanner));
        };
        let face = read_face(line, vertex_count, &mut corners);
        face.map_err(|problem| problem.at(scanner.line_place()))?;
        faces.push(&corners)?;
    }
    if let Some(line) = next_line(&mut scanner)? {
        let what = format!("{:?} comes after the last of {face_count} faces", excerpt(line));
        return Err(Problem::WrongCount(what).at(scanner.line_place()));
    }
    let objects = vec![(None, FaceSet::new(vertices, faces)?)];
    Ok(Parsed { objects, ..Parsed::default() })
}

fn missing(done: u64, count: u64, what: &str, scanner: &Scanner<'_>) -> Fault {
    Problem::Truncated(format!("{done} of {count} {what} are there")).at(scanner.line_place())
}

/// The next line with something on it, without comment.
fn next_line<'a>(scanner: &'a mut Scanner<'_>) -> Result<Option<&'a [u8]>, Fault> {
    while scanner.has_word()? {
        if scanner.window().first() != Some(&b'#') {
            let line = scanner.rest_of_line()?;
            return Ok(line.split(|&byte| byte == b'#').next());
        }
        scanner.rest_of_line()?;
    }
    Ok(None)
}

/// Numbers of vertices and faces. The keyword in front may be missing, may stand on the same line, or (as some files have it)
/// touch the first number; the number of edges is often wrong or missing and never used.
fn read_counts(scanner: &mut Scanner<'_>) -> Result<[u64; 2], Fault> {
    let missing = || Problem::Truncated("the header is missing".into());
    let Some(first) = next_line(scanner)? else { return Err(missing().at(scanner.line_place())) };
    let first = match after_keyword(first) {
        Ok(rest) => skip_blanks(rest).to_vec(),
        Err(problem) => return Err(problem.at(scanner.line_place())),
    };
    let counts = if first.is_empty() {
        let Some(line) = next_line(scanner)? else { return Err(missing().at(scanner.line_place())) };
        two_counts(line)
    } else {
        two_counts(&first)
    };
    counts.map_err(|problem| problem.at(scanner.line_place()))
}

/// What follows the keyword `[ST][C][N]OFF`: texture, colour and normal come after the position and are not used.
fn after_keyword(line: &[u8]) -> Result<&[u8], Problem> {
    let letters = line.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (keyword, rest) = line.split_at(letters);
    if keyword.is_empty() && line.first().is_some_and(u8::is_ascii_digit) && !line.starts_with(b"4OFF") {
        return Ok(line);
    }
    let Some(kind) = keyword.strip_suffix(b"OFF") else {
        return if line.starts_with(b"4") || keyword == b"nOFF" {
            Err(Problem::Unsupported("vertices with other than three coordinates".into()))
        } else {
            Err(Problem::malformed(format!("{:?} where \"OFF\" should be", excerpt(line))))
        };
    };
    let kind = kind.strip_prefix(b"ST").unwrap_or(kind);
    let kind = kind.strip_prefix(b"C").unwrap_or(kind);
    if !matches!(kind, b"" | b"N") {
        return Err(Problem::Unsupported(format!("OFF of kind {:?}", excerpt(keyword))));
    }
    if take_word(rest).0 == b"BINARY" {
        return Err(Problem::Unsupported("binary OFF".into()));
    }
    Ok(rest)
}

fn two_counts(line: &[u8]) -> Result<[u64; 2], Problem> {
    let (vertices, rest) = take_word(line);
    let (faces, _) = take_word(rest);
    let count = |word| {
        let value = integer(word)?;
        u64::try_from(value).map_err(|_| Problem::WrongCount(format!("{value}")))
    };
    Ok([count(vertices)?, count(faces)?])
}

fn read_vertex(line: &[u8]) -> Result<DVec3, Problem> {
    let (x, rest) = take_number(line)?;
    let (y, rest) = take_number(rest)?;
    let (z, _) = take_number(rest)?;
    Ok(DVec3::new(x, y, z))
}

/// Number of corners, corners, then perhaps a colour.
fn read_face(line: &[u8], vertices: u64, corners: &mut Vec<u32>) -> Result<(), Problem> {
    corners.clear();
    let (word, mut rest) = take_word(line);
    let count = integer(word)?;
    if count < 1 {
        return Err(Problem::malformed(format!("a face with {count} corners")));
    }
    for _ in 0..count {
        let (word, after) = take_word(rest);
        let index = integer(word)?;
        match u32::try_from(index) {
            Ok(corner) if u64::from(corner) < vertices => {
                reserve(corners, 1)?;
                corners.push(corner);
            }
            _ => return Err(Problem::BadIndex { index, vertices }),
        }
        rest = after;
    }
    Ok(())
}
