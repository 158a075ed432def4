//! The list of pairs, read pair by pair.

use super::fields::{fields, needed, pose};
use super::shape::shape;
use crate::error::{Place, Problem, ReadError};
use crate::json::{Flaw, Reader, Tree};
use crate::watched;
use crate::whole::read_whole;
use kontakt_convex::Shape;
use kontakt_math::Pose;
use kontakt_schedule::Deadline;
use std::path::Path;

/// Two shapes, each at its pose in the world.
#[derive(Clone, Debug)]
pub struct ConvexPair {
    /// The first.
    pub a: Shape,
    /// The second.
    pub b: Shape,
    /// World from the frame of the first.
    pub pose_a: Pose,
    /// World from the frame of the second.
    pub pose_b: Pose,
}

/// Reads a file `{"pairs": [{"a": SHAPE, "b": SHAPE, "pose_a": POSE?, "pose_b": POSE?}, …]}`. Nesting may be of any depth.
pub fn read_convex_pairs(path: &Path) -> Result<Vec<ConvexPair>, ReadError> {
    read_convex_pairs_until(path, Deadline::NEVER)
}

/// The same until a deadline; small files are read in any case.
pub fn read_convex_pairs_until(path: &Path, deadline: Deadline) -> Result<Vec<ConvexPair>, ReadError> {
    read_text(&read_whole(path, deadline)?, &path.display().to_string(), deadline)
}

/// The same from memory; `name` is what errors call the text.
pub fn read_convex_pairs_bytes(bytes: &[u8], name: &str) -> Result<Vec<ConvexPair>, ReadError> {
    read_text(bytes, name, Deadline::NEVER)
}

fn read_text(bytes: &[u8], name: &str, deadline: Deadline) -> Result<Vec<ConvexPair>, ReadError> {
    let fault = |place, problem| ReadError { file: name.to_owned(), place, problem };
    let text = text_of(bytes, name)?;
    let mut pairs = Vec::new();
    match read_document(text, &mut pairs, watched::unless_small(bytes, deadline)) {
        Ok(()) => Ok(pairs),
        Err(Wrong { flaw: Flaw { at, problem }, culprit }) => {
            let line = line_of(text.as_bytes(), at);
            Err(match culprit {
                Culprit::Document => fault(Place::Line(line), problem),
                Culprit::Pair(body) => fault(Place::Pair { line, pair: pairs.len() as u64, body }, problem),
            })
        }
    }
}

/// The text without a byte order mark.
pub(super) fn text_of<'t>(bytes: &'t [u8], name: &str) -> Result<&'t str, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ReadError {
        file: name.to_owned(),
        place: Place::Line(line_of(bytes, error.valid_up_to())),
        problem: Problem::malformed("this is no UTF-8 text"),
    })?;
    Ok(text.trim_start_matches('\u{feff}'))
}

/// 1 for the first line.
pub(super) fn line_of(bytes: &[u8], at: usize) -> u64 {
    1 + memchr::memchr_iter(b'\n', &bytes[..at.min(bytes.len())]).count() as u64
}

/// What the flaw is in.
enum Culprit {
    Document,
    /// The pair after those already read, and where known the body.
    Pair(Option<&'static str>),
}

struct Wrong {
    flaw: Flaw,
    culprit: Culprit,
}

impl From<Flaw> for Wrong {
    fn from(flaw: Flaw) -> Wrong {
        Wrong { flaw, culprit: Culprit::Document }
    }
}

impl Flaw {
    fn of_pair(self, body: Option<&'static str>) -> Wrong {
        Wrong { flaw: self, culprit: Culprit::Pair(body) }
    }
}

fn read_document(text: &str, pairs: &mut Vec<ConvexPair>, stop: Deadline) -> Result<(), Wrong> {
    let mut reader = Reader::new(text, stop);
    let mut tree = Tree::new(text);
    let mut seen = false;
    reader.need(b'{', "an object {\"pairs\": […]}")?;
    if !reader.take(b'}') {
        loop {
            let at = reader.place();
            let key = reader.key()?;
            if key != "pairs" {
                let key: String = key.chars().take(40).collect();
                return Err(Flaw::new(at, format!("unknown key \"{key}\"; known: pairs")).into());
            }
            if seen {
                return Err(Flaw::new(at, "the key \"pairs\" is there twice").into());
            }
            seen = true;
            read_list(&mut reader, &mut tree, pairs, stop)?;
            if !reader.take(b',') {
                break;
            }
        }
        reader.need(b'}', "a comma or }")?;
    }
    reader.end()?;
    if seen { Ok(()) } else { Err(Flaw::new(0, "the key \"pairs\" is missing").into()) }
}

fn read_list<'t>(
    reader: &mut Reader<'t>,
    tree: &mut Tree<'t>,
    pairs: &mut Vec<ConvexPair>,
    stop: Deadline,
) -> Result<(), Wrong> {
    reader.need(b'[', "a list of pairs")?;
    if reader.take(b']') {
        return Ok(());
    }
    loop {
        reader.value(tree).map_err(|flaw| flaw.of_pair(None))?;
        pairs.push(pair(tree, stop)?);
        if !reader.take(b',') {
            break;
        }
    }
    Ok(reader.need(b']', "a comma or ]")?)
}

fn pair(tree: &Tree<'_>, stop: Deadline) -> Result<ConvexPair, Wrong> {
    let of_pair = |flaw: Flaw| flaw.of_pair(None);
    let keys = ["a", "b", "pose_a", "pose_b"];
    let [a, b, pose_a, pose_b] = fields(tree, Tree::ROOT, "a pair", keys).map_err(of_pair)?;
    let a = needed(tree, Tree::ROOT, a, "a pair", "a").map_err(of_pair)?;
    let b = needed(tree, Tree::ROOT, b, "a pair", "b").map_err(of_pair)?;
    let in_a = |flaw: Flaw| flaw.of_pair(Some("a"));
    let in_b = |flaw: Flaw| flaw.of_pair(Some("b"));
    Ok(ConvexPair {
        a: shape(tree, a, stop).map_err(in_a)?,
        b: shape(tree, b, stop).map_err(in_b)?,
        pose_a: pose(tree, pose_a, "pose_a").map_err(in_a)?,
        pose_b: pose(tree, pose_b, "pose_b").map_err(in_b)?,
    })
}
