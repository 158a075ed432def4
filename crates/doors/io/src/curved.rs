//! Bodies with curved faces, as the readers of STEP and ACIS files give them, and what these readers share.
//!
//! Lengths are millimetres and angles radians, whatever the file says. Nothing is dropped silently: what cannot be read is a [`Loss`]
//! with the entity's name, its number and its line; what was read otherwise than written is a repair of the same form.

pub(crate) mod body;
pub(crate) mod budget;
pub(crate) mod builder;
pub(crate) mod door;
pub(crate) mod lines;
pub(crate) mod loss;
pub(crate) mod nearest;
pub(crate) mod report;
pub(crate) mod shift;
pub(crate) mod sketch;
pub(crate) mod spline;
pub(crate) mod track;

pub use body::{BodyKind, CurvedBody, CurvedFile};
pub use loss::{Loss, Lost, Why};
pub use report::{CurvedReport, Gap, LengthUnit};
