//! Bodies with curved faces: boundary representations of trimmed surfaces, as CAD systems write them.
//!
//! A [`Brep`] has vertices, edges on [`Curve`]s and faces on [`Surface`]s, each face trimmed by loops of edges. Curves and surfaces are
//! taken exactly, as the doubles say. A model's edges miss its faces by a gap, though, so that its faces alone bound nothing; what
//! "certified" means for such a model is said in `docs/decisions/0019-curved-bodies.md`.

pub mod body;
pub mod bound;
mod bound_range;
pub mod brep;
mod chords;
mod coaxial;
pub mod curve;
pub mod distance;
pub mod enclosing;
pub mod extrema;
mod facing;
pub mod frame;
mod inside;
pub mod invert;
pub mod jet;
pub mod moving;
pub mod newton;
pub mod nurbs;
mod overlap;
mod patch;
mod patches;
mod pieces;
mod polish;
mod recognise;
mod sliver;
mod spine;
mod stretch;
pub mod surface;
pub mod tessellate;
mod tree;
mod usual;

pub use body::{Body, BodyError, size};
pub use bound::SecondBounds;
pub use brep::{Brep, BrepError, Edge, Face, Loop};
pub use curve::Curve;
pub use distance::{DistanceOptions, Faces, Stray, SurfaceDistance, stay_apart, surface_distance};
pub use enclosing::{
    BallOptions, BoxOptions, Enclosing, EnclosingBall, EnclosingBox, Extents, Outline, PlacedOutline, Reach,
};
pub use extrema::{Aim, Extrema};
pub use frame::{Frame, FrameError};
pub use invert::{Preimage, Preimages};
pub use moving::{MovingFaces, apart_during};
pub use nurbs::{NurbsCurve, NurbsError, NurbsSurface};
pub use overlap::{CommonPoint, common_point};
pub use surface::Surface;
pub use tessellate::{
    FaceProblem, TessellateError, Tessellation, TessellationOptions, tessellate, tessellate_until,
};
