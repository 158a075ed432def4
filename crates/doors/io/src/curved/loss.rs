//! What could not be read.

use kontakt_curved::{BrepError, FrameError, NurbsError};
use thiserror::Error;

/// What is missing in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// A body.
    Body,
    /// A face of a body that is there.
    Face,
    /// A part of an assembly at one place.
    Instance,
    /// Something else than a body that a product consists of: curves, points, texts.
    Item,
    /// A statement of the file.
    Statement,
    /// Nothing: it was read otherwise than written.
    Repaired,
}

/// A thing that could not be read, or was repaired: what, where, why.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// What is missing for it.
    pub lost: Lost,
    /// Type of the entity that is the cause, as the file names it.
    pub entity: String,
    /// Its number in the file.
    pub id: u64,
    /// The line it begins in, from 1; 0 where it is not in the file.
    pub line: u64,
    /// What is wrong with it.
    pub why: Why,
    /// The face or body that is missing for it, by its number.
    pub of: u64,
}

/// Types of what is drawn and has neither inside nor faces.
const DRAWN: [&str; 14] = [
    "CURVE",
    "POINT",
    "LINE",
    "CIRCLE",
    "ELLIPSE",
    "TEXT",
    "ANNOTATION",
    "DRAUGHTING",
    "DIMENSION",
    "SYMBOL",
    "CAMERA",
    "PLACEMENT",
    "DIRECTION",
    "PLANAR_BOX",
];

impl Loss {
    /// Whether a body, or a part of one, may be missing for it: all but lines, points, texts and the like, known by their type.
    pub fn hides_body(&self) -> bool {
        match self.lost {
            Lost::Body | Lost::Face | Lost::Instance | Lost::Statement => true,
            Lost::Item => {
                let named = |kinds: &[&str]| kinds.iter().any(|kind| self.entity.contains(kind));
                let drawn = named(&DRAWN) && !named(&["SURFACE", "SOLID", "SHELL", "BREP", "FACE"]);
                !(drawn && self.why == Why::Unsupported)
            }
            Lost::Repaired => false,
        }
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} #{}, line {}: {}", self.entity, self.id, self.line, self.why)
    }
}

/// Why a thing could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum Why {
    /// A reference to nothing.
    #[error("there is no #{0}")]
    Absent(u64),
    /// Another type of entity than is needed there.
    #[error("stands where {0} is needed")]
    NotA(&'static str),
    /// A parameter is missing or of another type.
    #[error("parameter {0} is missing or of another type")]
    Parameter(u32),
    /// Valid, but not read here.
    #[error("is not read")]
    Unsupported,
    /// It contains itself, or is nested without end.
    #[error("contains itself or is nested too deeply")]
    Cycle,
    /// A coordinate or another number is not finite.
    #[error("has a number that is not finite")]
    NotFinite,
    /// A radius, length or angle out of range.
    #[error("has a radius, length or angle out of range")]
    Size,
    /// Not a B-spline.
    #[error("is no B-spline: {0}")]
    Nurbs(#[from] NurbsError),
    /// Not a placement.
    #[error("{0}")]
    Frame(#[from] FrameError),
    /// Not a body.
    #[error("{0}")]
    Brep(#[from] BrepError),
    /// A parabola or hyperbola without ends.
    #[error("has no ends")]
    Unbounded,
    /// An edge's vertices do not cut a stretch out of its curve.
    #[error("its vertices do not cut a stretch out of its curve")]
    Stretch,
    /// An edge of no length; it was left out of its loop.
    #[error("has no length")]
    Collapsed,
    /// A face needs a border unless its surface is closed.
    #[error("has no bounds, and its surface is not closed")]
    NoBounds,
    /// Edges of a loop do not follow one another.
    #[error("does not close")]
    Open,
    /// Edges of a loop were not written in their order.
    #[error("its edges were put in order")]
    Order,
    /// The edge runs against the sense it claims.
    #[error("runs against the sense it claims")]
    Sense,
    /// Two vertices at one place were taken as one.
    #[error("is at the place of another vertex of its loop; they were taken as one")]
    Welded,
    /// No unit of length; millimetres were taken.
    #[error("gives no unit of length; millimetres were taken")]
    NoUnit,
    /// A solid that no product uses.
    #[error("belongs to no product")]
    Unused,
    /// A part of an assembly without a place; it was put where the assembly is.
    #[error("has no transform; it was put at the origin of its assembly")]
    NotPlaced,
    /// A second entity of the same number.
    #[error("has a number that another one has already")]
    Twice,
    /// No statement of the format.
    #[error("is no statement of the format")]
    Syntax,
    /// Parts of the model in other files.
    #[error("refers to another file")]
    External,
    /// More was asked for than the file's size justifies, or the time is over.
    #[error("was not reached")]
    Exhausted,
}

/// What is wrong with which entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Miss {
    pub(crate) id: u64,
    pub(crate) why: Why,
}

impl Why {
    pub(crate) fn at(self, id: u64) -> Miss {
        Miss { id, why: self }
    }
}
