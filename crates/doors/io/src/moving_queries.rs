//! Files of moving vertex–face and edge–edge queries: fractions, eight lines a query, as the public CCD benchmarks write them.

use crate::error::{Place, Problem, ReadError};
use crate::excerpt::excerpt;
use crate::fraction::fraction;
use crate::moving_query_error::LINES;
pub use crate::moving_query_error::MovingQueryError;
use crate::watched;
use crate::whole::read_whole;
use kontakt_math::DVec3;
use kontakt_schedule::Deadline;
use kontakt_soft_ccd::{Kind, Query};
use std::path::Path;

/// A query and what the file says about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingQuery {
    /// The points as written, exactly.
    pub query: Query,
    /// Whether they ever meet.
    pub touches: bool,
}

/// Reads all queries of a file, `xnum,xden,ynum,yden,znum,zden,truth` a line; numbers must be doubles exactly. The file does not tell
/// which kind its queries are.
pub fn read_moving_queries(path: &Path, kind: Kind) -> Result<Vec<MovingQuery>, ReadError> {
    read_moving_queries_until(path, kind, Deadline::NEVER)
}

/// The same until a deadline; small files are read in any case.
pub fn read_moving_queries_until(
    path: &Path,
    kind: Kind,
    deadline: Deadline,
) -> Result<Vec<MovingQuery>, ReadError> {
    read_text(&read_whole(path, deadline)?, &path.display().to_string(), kind, deadline)
}

/// The same from memory; `name` is what errors call the text.
pub fn read_moving_queries_bytes(
    bytes: &[u8],
    name: &str,
    kind: Kind,
) -> Result<Vec<MovingQuery>, ReadError> {
    read_text(bytes, name, kind, Deadline::NEVER)
}

fn read_text(
    bytes: &[u8],
    name: &str,
    kind: Kind,
    deadline: Deadline,
) -> Result<Vec<MovingQuery>, ReadError> {
    let fault =
        |place, problem| ReadError { file: name.to_owned(), place, problem: Problem::MovingQuery(problem) };
    let mut pacer = watched::unless_small(bytes, deadline).pacer();
    let mut queries = Vec::new();
    let mut rows: Vec<(DVec3, bool)> = Vec::with_capacity(LINES);
    let mut last = Place::Whole;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        pacer.tick().map_err(|expired| Problem::from(expired).at(Place::Whole).of(name.to_owned()))?;
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        last = Place::Line(1 + index as u64);
        let (point, touches) = row(line).map_err(|problem| fault(last, problem))?;
        if rows.first().is_some_and(|first| first.1 != touches) {
            return Err(fault(last, MovingQueryError::TruthDiffers));
        }
        rows.push((point, touches));
        if rows.len() == LINES {
            let point = |i: usize| rows[i].0;
            let query = Query::new(kind, [0, 1, 2, 3].map(point), [4, 5, 6, 7].map(point))
                .map_err(|error| fault(last, error.into()))?;
            queries.push(MovingQuery { query, touches });
            rows.clear();
        }
    }
    if !rows.is_empty() {
        return Err(fault(last, MovingQueryError::Incomplete(rows.len())));
    }
    if queries.is_empty() {
        return Err(fault(Place::Whole, MovingQueryError::Empty));
    }
    Ok(queries)
}

/// One point and the truth.
fn row(line: &[u8]) -> Result<(DVec3, bool), MovingQueryError> {
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
    let [xn, xd, yn, yd, zn, zd, truth] = fields[..] else {
        return Err(MovingQueryError::Fields(fields.len()));
    };
    let point = DVec3::new(fraction(xn, xd)?, fraction(yn, yd)?, fraction(zn, zd)?);
    match truth {
        b"0" => Ok((point, false)),
        b"1" => Ok((point, true)),
        other => Err(MovingQueryError::Truth(excerpt(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point that falls through a triangle, and one that falls beside it.
    fn good() -> String {
        let corners = |truth: u8| format!("0,1,0,1,0,1,{truth}\n1,1,0,1,0,1,{truth}\n0,1,1,1,0,1,{truth}\n");
        let one = |x: u8, truth: u8| {
            [1, -1].map(|z| format!("{x},4,1,4,{z},1,{truth}\n") + &corners(truth)).concat()
        };
        one(1, 1) + &one(12, 0)
    }

    fn read(text: &[u8]) -> Result<Vec<MovingQuery>, ReadError> {
        read_moving_queries_bytes(text, "q.csv", Kind::VertexFace)
    }

    #[test]
    fn blanks_empty_lines_and_line_ends() {
        let plain = read(good().as_bytes()).unwrap();
        assert_eq!(plain.iter().map(|read| read.touches).collect::<Vec<_>>(), [true, false]);
        assert_eq!(plain[0].query.start()[0], DVec3::new(0.25, 0.25, 1.0));
        assert_eq!(plain[1].query.end()[0], DVec3::new(3.0, 0.25, -1.0));
        let loose = format!("\u{feff}\r\n{}\n \n", good().replace(',', " ,\t").replace('\n', "\r\n"));
        assert_eq!(read(loose.as_bytes()).unwrap(), plain);
        assert_eq!(read(good().trim_end().as_bytes()).unwrap(), plain);
    }

    #[test]
    fn the_culprit_is_named_with_its_line() {
        let good = good();
        for (text, words) in [
            (good.replacen("1,4,1,4", "1,3,1,4", 1), "q.csv, line 1: 1/3 is not exactly a double"),
            (good.replacen("1,4,1,4", "1,0,1,4", 1), "q.csv, line 1: 1/0 has a denominator of 0"),
            (good.replacen("1,4,1,4", "nan,4,1,4", 1), "q.csv, line 1: `nan` is not an integer"),
            (good.replacen("12,4", "9007199254740993,4", 1), "line 9: `9007199254740993` has more digits"),
            (good.replacen(",1\n", ",2\n", 1), "q.csv, line 1: `2` is no truth"),
            (good.replacen(",1\n1", ",0\n1", 1), "q.csv, line 2: the truth differs"),
            (good.replacen("0,1,0,1,0,1,1", "0,1,0,1,0,1", 1), "q.csv, line 2: 6 fields instead of"),
            (good[..good.len() - 14].to_owned(), "q.csv, line 15: the last query has 7 of its 8 lines"),
            (" \n".to_owned(), "q.csv: there is not one query"),
        ] {
            let said = read(text.as_bytes()).unwrap_err().to_string();
            assert!(said.contains(words), "{text:?}: {said}");
        }
    }

    #[test]
    fn any_bytes_give_queries_or_an_error_that_names_the_text() {
        let good = good();
        let bytes = b"0123456789,-+ \n\r\te.\xff\x00";
        let mut random = fastrand::Rng::with_seed(4);
        let mut found = 0;
        for _ in 0..20_000 {
            let mut text = good.as_bytes().to_vec();
            for _ in 0..random.usize(1..3) {
                let place = random.usize(..text.len());
                match random.u8(..8) {
                    0 => text.truncate(place.max(1)),
                    1..4 => text.insert(place, bytes[random.usize(..bytes.len())]),
                    _ => text[place] = bytes[random.usize(..bytes.len())],
                }
            }
            match read(&text) {
                Err(error) => assert!(error.to_string().starts_with("q.csv"), "{error}"),
                Ok(read) => {
                    found += 1;
                    assert!((1..=2).contains(&read.len()));
                }
            }
        }
        assert!((1_000..15_000).contains(&found), "{found}");
    }
}
