//! Piles of rigid bodies: hard contacts with friction and restitution.
//!
//! A step finds contacts, solves for impulses by projected Gauss–Seidel sweeps that start at those of the step before, moves the
//! bodies, and shifts them out of each other ([`World::step_with`] lists the stages). Sweeps go through eight colours
//! of cells of space. A body's box meets at most 2 × 2 × 2 cells of its level, so no two cells of a colour share a body: they can be
//! solved side by side, in lanes, threads and ranks, with the same bits as one after the other.
//!
//! ```
//! use kontakt_convex::Shape;
//! use kontakt_dynamics::rigid::{Body, Form, Settings, World};
//! use kontakt_math::{DVec3, Pose};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let floor = Form::fixed(Shape::half_space(DVec3::Z, 0.0)?)?;
//! let ball = Form::solid(Shape::sphere(0.5)?)?;
//! let there = Pose::from_axis_angle(DVec3::Z, 0.0, DVec3::new(0.0, 0.0, 0.7))?;
//! let mut world = World::new(Settings::default(), vec![floor, ball])?;
//! world.add(Body::fixed(0, 0, Pose::IDENTITY))?;
//! world.add(Body::moving(1, 1, there, 1.0))?;
//! for _ in 0..200 {
//!     world.step()?;
//! }
//! assert!((world.pose(1).unwrap().translation().z - 0.5).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```

pub mod arrange;
mod body;
mod contact;
mod error;
mod fill;
mod form;
mod kernel;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod lanes_x86;
mod mass;
mod measure;
mod memory;
mod near;
mod pack;
mod ranks;
mod rest;
mod seen;
mod settings;
mod share;
mod solver;
mod state;
mod world;

pub use body::Body;
pub use contact::{Spot, Touch};
pub use error::{FormError, StepError, WorldError};
pub use fill::Fill;
pub use form::Form;
pub use lanes::Motions;
pub use mass::Mass;
pub use measure::{ContactCount, Energy};
pub use memory::Held;
pub use ranks::{RankError, RankWorld};
pub use rest::Mood;
pub use seen::Seen;
pub use settings::{Manifolds, Periodic, Settings, Sleep, Sweeps};
pub use share::{Alone, Change, Share, ShareError, Shared};
pub use state::State;
pub use world::{StepReport, World};
