//! Bodies that deform and collide. Every state of a [`System`] is proven free of intersections, exactly, for the doubles that are
//! stored; every step ends. The argument for both is above the code in `step.rs`.
//!
//! ```
//! use kontakt_math::DVec3;
//! use kontakt_shapes::tetrahedra::{slab, tetrahedron};
//! use kontakt_soft::{Body, Forces, Material, Options, System};
//! // A tetrahedron at a hundred slabs a second above a slab whose rim is held.
//! let slab = Body::solid(&slab([4, 4, 1], DVec3::new(0.4, 0.4, 0.05))?, Material::rubber())?;
//! let slab = slab.pinned(|p| p.x.abs() > 0.19);
//! let bullet = Body::solid(&tetrahedron(0.1)?, Material::rubber())?;
//! let bullet = bullet.moved(DVec3::new(0.01, 0.02, 0.3)).at_velocity(DVec3::new(0.0, 0.0, -5.0));
//! let mut system = System::new(&[slab, bullet])?;
//! for _ in 0..20 {
//!     system.step(0.01, &Forces::default(), &Options::default())?;
//! }
//! // It did not fall through.
//! assert!(system.places()[50..].iter().all(|p| p.z > -0.2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apart;
mod body;
mod energy;
mod error;
mod fill;
mod forces;
pub mod free;
mod loose;
mod material;
mod meeting;
mod model;
mod places;
mod predict;
mod region;
mod response;
mod row;
mod search;
mod step;
mod system;
mod zones;

pub use apart::move_apart;
pub use body::Body;
pub use error::SoftError;
pub use fill::{FillError, fill};
pub use forces::{Drive, Forces, Pull, Wind};
pub use loose::Loose;
pub use material::Material;
pub use step::{Options, Report};
pub use system::{State, System};
