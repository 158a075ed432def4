//! Pairs of overlapping boxes and nothing else.
//!
//! For boxes that move from step to step there is [`BroadPhase`]; for boxes that are looked at once, [`Pairs`]:
//!
//! Boxes are kept in single precision, in the order of a grid of sorted rows, and compared sixteen at a time. A search is cut
//! into pieces that may be visited in any order and by any thread; together they name every pair once. What is found errs
//! one way only: boxes that overlap or touch are never missed, boxes apart by less than the resolution of the frame (2⁻²³
//! of the scene) may be named.
//!
//! ```
//! use kontakt_bounds::Aabb;
//! use kontakt_broad::{Boxes, Frame, Method, Pairs};
//! use kontakt_math::DVec3;
//! let at = |x: f64| Aabb { min: DVec3::splat(x), max: DVec3::splat(x + 1.0) };
//! let list = [at(0.0), at(0.5), at(7.0), at(8.0)];
//! let boxes = Boxes::new(Frame::around(list), list)?;
//! let mut pairs = Pairs::within(&boxes, Method::Cells).collect();
//! pairs.sort_unstable();
//! assert_eq!(pairs, [[0, 1], [2, 3]]);
//! # Ok::<(), kontakt_broad::BoxError>(())
//! ```

mod boxes;
mod ends;
mod finder;
mod frame;
mod grid;
mod kept;
mod level;
mod method;
mod pairs;
mod row;
mod scan;
mod window;

pub use boxes::{BoxError, Boxes};
pub use ends::Ends;
pub use finder::{Finder, Take};
pub use frame::Frame;
pub use kept::{BoxId, BroadPhase, KeptError, PairCount, RayHit, Step, TooManyPairs, Way};
pub use method::Method;
pub use pairs::{FramesDiffer, Pairs};
