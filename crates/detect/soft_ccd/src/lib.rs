//! Moving vertex–face and edge–edge pairs on straight paths: do they ever meet, and when first.
//!
//! The verdict is exact for the doubles given and for closed sets: touching counts, at the ends of time as well. Degenerate
//! triangles and edges, points that stay coplanar, coincident starts and motions of no length are no special cases.
//!
//! ```
//! use kontakt_soft_ccd::{Kind, Query, first_contact};
//! use kontakt_math::DVec3;
//! // A vertex falls from z = 1 to z = −1 through a triangle at rest.
//! let face = [DVec3::ZERO, DVec3::X, DVec3::Y];
//! let at = |z: f64| [DVec3::new(0.25, 0.25, z), face[0], face[1], face[2]];
//! let query = Query::new(Kind::VertexFace, at(1.0), at(-1.0))?;
//! let outcome = first_contact(&query, 1e-9);
//! let contact = outcome.verdict.contact().expect("it goes through");
//! assert!(contact.time.lo() <= 0.5 && contact.time.hi() >= 0.5 && contact.time.width() <= 1e-9);
//! assert_eq!(contact.normal, DVec3::NEG_Z);
//! # Ok::<(), kontakt_soft_ccd::QueryError>(())
//! ```

mod answer;
mod axis;
mod batch;
mod cascade;
mod closest;
mod doubles;
mod exact;
pub mod mesh;
mod moved;
mod place;
mod query;
mod separation;
mod subdivide;

pub use answer::{FirstContact, Outcome, Stage, Verdict};
pub use batch::Batch;
pub use cascade::{first_contact, first_contact_exactly, touches};
pub use place::nearest;
pub use query::{Kind, Query, QueryError};
pub use separation::{Nearness, SeparationError, first_within};
