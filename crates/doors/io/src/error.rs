//! What can be wrong with a file, and where.

use crate::Format;
use crate::moving_query_error::MovingQueryError;
use crate::watched;
use kontakt_hierarchy::store::StoreError;
use kontakt_math::PoseError;
use kontakt_schedule::Expired;
use kontakt_shapes::FaceSetError;
use kontakt_shapes::memory::OutOfMemory;
use std::fmt;
use thiserror::Error;

/// A file that cannot be read: which, where, why.
#[derive(Debug, Error)]
#[error("{file}{place}: {problem}")]
pub struct ReadError {
    /// The file as the caller named it.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

/// Where in a file. Lines count from 1, bytes and elements from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    Whole,
    /// A line of text.
    Line(u64),
    /// An offset in a binary file.
    Byte(u64),
    /// The n-th vertex, face, node, accessor, …
    Element(&'static str, u64),
    /// A pair of a list of pairs.
    Pair {
        /// The line where the culprit stands.
        line: u64,
        /// Which pair, from 0.
        pair: u64,
        /// Which of its two bodies, where that is known.
        body: Option<&'static str>,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Whole => Ok(()),
            Place::Line(line) => write!(f, ", line {line}"),
            Place::Byte(byte) => write!(f, ", byte {byte}"),
            Place::Element(kind, index) => write!(f, ", {kind} {index}"),
            Place::Pair { line, pair, body } => {
                write!(f, ", line {line}, pair {pair}")?;
                body.map_or(Ok(()), |body| write!(f, ", {body}"))
            }
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum Problem {
    /// The operating system refuses.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// No reader for this ending.
    #[error("unknown ending; readable are .obj .stl .ply .off .gltf .glb .kh .msh .vtk .vtu .step .stp .sat")]
    UnknownFormat,
    /// A folder is no file.
    #[error("this is a folder; name the files in it")]
    Folder,
    /// Known, and not read.
    #[error("{0} is not read; export the parts as .glb, .obj, .stl or .ply from the program that made it")]
    OtherProgram(&'static str),
    /// The ending says one thing and the content another.
    #[error("it looks like {} inside: name it {}; read by its ending: {read}", .looks.name(), .looks.endings())]
    WrongEnding {
        /// What it looks like.
        looks: Format,
        /// What is wrong with it as what its ending says.
        read: Box<Problem>,
    },
    /// A body needs a face.
    #[error("no faces in this file")]
    NoFaces,
    /// No solid and no sheet, and why.
    #[error("no solid in this file: {0}")]
    NoSolids(String),
    /// The data stop before they are complete.
    #[error("the file ends too early: {0}")]
    Truncated(String),
    /// A word where a number should be.
    #[error("{0:?} is not a number")]
    NotANumber(String),
    /// Written by a program with the wrong locale.
    #[error("{0:?} has a comma; write numbers with a decimal point")]
    DecimalComma(String),
    /// NaN, infinity, or beyond the range of doubles.
    #[error("a coordinate is not finite")]
    NotFinite,
    /// A face uses a vertex that does not exist.
    #[error("index {index} is outside the {vertices} vertices there are")]
    BadIndex {
        /// As written in the file.
        index: i64,
        /// How many vertices there are.
        vertices: u64,
    },
    /// Counts and data disagree.
    #[error("wrong count: {0}")]
    WrongCount(String),
    /// The text or structure is not what the format asks for.
    #[error("malformed: {0}")]
    Malformed(String),
    /// Valid, but not read here.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// Not a saved hierarchy, or a damaged one.
    #[error(transparent)]
    Hierarchy(StoreError),
    /// Not a list of moving queries.
    #[error(transparent)]
    MovingQuery(MovingQueryError),
    /// Seven numbers that are no pose.
    #[error(transparent)]
    Pose(PoseError),
    /// Times of a motion must grow from line to line.
    #[error("time {time} does not come after {before}, the one before it")]
    TimeOrder {
        /// The time found.
        time: f64,
        /// The one before it.
        before: f64,
    },
    /// It does not fit into memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// More than ids or the limit given can hold.
    #[error("too many: {0}")]
    TooMany(String),
    /// The deadline came first.
    #[error("{0} while it was read")]
    Expired(#[from] Expired),
}

/// Place and problem; the file's name is added at the door.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    pub(crate) problem: Problem,
}

impl Fault {
    /// The fault of a file; that a deadline ended the reading is told from other failures of the system.
    pub(crate) fn of(self, file: String) -> ReadError {
        let Fault { place, problem } = self;
        let problem = match &problem {
            Problem::Io(error) => watched::expired(error).map_or(problem, Problem::Expired),
            _ => problem,
        };
        ReadError { file, place, problem }
    }
}

impl Problem {
    pub(crate) fn at(self, place: Place) -> Fault {
        Fault { place, problem: self }
    }

    pub(crate) fn malformed(what: impl Into<String>) -> Problem {
        Problem::Malformed(what.into())
    }
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        problem.at(Place::Whole)
    }
}

impl From<OutOfMemory> for Fault {
    fn from(error: OutOfMemory) -> Self {
        Problem::from(error).at(Place::Whole)
    }
}

impl From<FaceSetError> for Fault {
    fn from(error: FaceSetError) -> Self {
        match error {
            FaceSetError::NoFaces => Problem::NoFaces.at(Place::Whole),
            FaceSetError::NoCorners { face } => {
                Problem::malformed("a face without corners").at(Place::Element("face", face as u64))
            }
            FaceSetError::NotFinite { vertex } => {
                Problem::NotFinite.at(Place::Element("vertex", vertex as u64))
            }
            FaceSetError::IndexOutOfRange { face, index, vertices } => {
                Problem::BadIndex { index: i64::from(index), vertices: vertices as u64 }
                    .at(Place::Element("face", face as u64))
            }
            FaceSetError::Inconsistent { .. } => Problem::malformed(error.to_string()).at(Place::Whole),
            FaceSetError::OutOfMemory(error) => error.into(),
            FaceSetError::TooMany { .. } => Problem::TooMany(error.to_string()).at(Place::Whole),
        }
    }
}
