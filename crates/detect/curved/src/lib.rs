//! Bodies with curved faces: boundary representations of trimmed surfaces, as CAD systems write them.
//!
//! A [`Brep`] has vertices, edges on [`Curve`]s and faces on [`Surface`]s, each face trimmed by loops of edges. Curves and surfaces are
//! taken exactly, as the doubles say. A model's edges miss its faces by a gap, though, so that its faces alone bound nothing; what
//! "certified" means for such a model is said in `docs/decisions/0019-curved-bodies.md`.

pub mod bound;
mod bound_range;
pub mod brep;
pub mod curve;
pub mod extrema;
pub mod frame;
pub mod invert;
mod jet;
pub mod newton;
pub mod nurbs;
pub mod surface;

pub use bound::SecondBounds;
pub use brep::{Brep, BrepError, Edge, Face, Loop};
pub use curve::Curve;
pub use extrema::{Aim, Extrema};
pub use frame::{Frame, FrameError};
pub use invert::{Preimage, Preimages};
pub use nurbs::{NurbsCurve, NurbsError, NurbsSurface};
pub use surface::Surface;
