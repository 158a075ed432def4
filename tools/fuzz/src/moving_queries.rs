//! Lists of moving queries: any bytes give queries or an error that names the text; coordinates are the fractions exactly, and the
//! first queries are asked about.

use kontakt_io::read_moving_queries_bytes;
use kontakt_soft_ccd::{Kind, Query, Verdict, first_contact, first_contact_exactly};
use testkit::rational::{Rational, exact};

/// Queries of a list that are asked about.
const MOST_ASKED: usize = 2;
/// Width of the times asked for.
const WIDTH: f64 = 1e-6;

/// Reads the bytes, compares the points with the text and asks about the first queries.
pub fn moving_queries(bytes: &[u8]) {
    let kind = if bytes.len() % 2 == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
    let read = match read_moving_queries_bytes(bytes, "fuzz", kind) {
        Err(error) => return assert!(error.to_string().starts_with("fuzz"), "{error}"),
        Ok(read) => read,
    };
    let text = std::str::from_utf8(bytes).expect("digits, commas and blanks");
    let lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
    let truths = read.iter().flat_map(|query| [query.touches; 8]);
    let points = read.iter().flat_map(|read| read.query.start().into_iter().chain(read.query.end()));
    assert_eq!(lines.clone().count(), 8 * read.len());
    for ((line, point), truth) in lines.zip(points).zip(truths) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        for (axis, coordinate) in point.to_array().into_iter().enumerate() {
            let [numerator, denominator] =
                [2 * axis, 2 * axis + 1].map(|place| fields[place].parse().expect("an integer"));
            assert_eq!(exact(coordinate), Rational::new(numerator, denominator), "{line}");
        }
        assert_eq!(fields[6] == "1", truth);
    }
    for read in read.iter().take(MOST_ASKED) {
        ask(&read.query);
    }
}

/// Both ways give one verdict, and their times have something in common.
fn ask(query: &Query) {
    let answers = [first_contact(query, WIDTH), first_contact_exactly(query, WIDTH)];
    let [quick, exact] = answers.map(|outcome| match outcome.verdict {
        Verdict::Free => None,
        Verdict::Contact(contact) => Some(contact.time),
    });
    match (quick, exact) {
        (None, None) => {}
        (Some(quick), Some(exact)) => {
            assert!(quick.lo() <= exact.hi() && exact.lo() <= quick.hi(), "{query:?} {quick:?} {exact:?}");
            for time in [quick, exact] {
                assert!(time.lo() >= 0.0 && time.hi() <= 1.0, "{query:?} {time:?}");
                assert!(time.width() <= WIDTH, "{query:?} {time:?}");
            }
        }
        _ => panic!("{query:?} {quick:?} {exact:?}"),
    }
}
