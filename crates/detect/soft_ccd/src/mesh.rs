//! Deforming triangle meshes in one step of straight motion: which vertices meet which faces, which edges meet which edges,
//! between bodies and within one.
//!
//! A [`Surface`] knows what is connected, a [`Step`] where its vertices are before and after. A [`Search`] finds the pairs whose
//! swept boxes overlap (the candidates) and decides each exactly. Features that share a vertex are no pair. Contacts are the same
//! for every method, number of threads and budget of memory. With [`Options::separation`] they are the pairs that come within a distance.
//!
//! ```
//! use kontakt_soft_ccd::mesh::{Options, Search, Step, Surface};
//! use kontakt_soft_ccd::Kind;
//! use kontakt_math::DVec3;
//! // A triangle that falls through another one.
//! let surface = Surface::new(6, vec![[0, 1, 2], [3, 4, 5]])?;
//! let flat = [DVec3::ZERO, DVec3::X, DVec3::Y];
//! let at = |z: f64| flat.iter().copied().chain(flat.map(|p| 0.25 * p + DVec3::new(0.2, 0.2, z))).collect::<Vec<_>>();
//! let step = Step::new(&surface, &at(1.0), &at(-1.0))?;
//! let found = Search::new(&step, &Options::default()).contacts();
//! assert_eq!(found.contacts.iter().filter(|c| c.kind == Kind::VertexFace).count(), 3);
//! assert!(found.contacts.iter().all(|c| c.time.lo() <= 0.5 && c.time.hi() >= 0.5));
//! // Where: weights of the corners, the point itself and the normal, rounded.
//! let first = &found.contacts[0];
//! assert!((first.points[0] - DVec3::new(0.2, 0.2, 0.0)).length() < 1e-9);
//! assert_eq!(first.normal, DVec3::NEG_Z);
//! // Cloth has a thickness: when do they first come within 0.5 of each other?
//! let near = Search::new(&step, &Options { separation: 0.5, ..Options::default() }).contacts();
//! assert!(near.contacts.iter().any(|c| c.time.lo() <= 0.25 && c.time.hi() >= 0.25 - 1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod candidates;
mod contact;
mod decide;
mod hash;
mod neighbourhood;
mod options;
mod search;
mod step;
mod surface;

pub use contact::MeshContact;
pub use options::{Among, FaceCells, Method, Options};
pub use search::{Counts, Found, Search};
pub use step::{Step, StepError};
pub use surface::{Surface, SurfaceError};
