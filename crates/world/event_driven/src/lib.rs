//! Event-driven dynamics: bodies fly freely from one contact to the next, and at each contact an impulse changes their velocities. There are no
//! time steps, so nothing overlaps and energy is kept to rounding.
//!
//! ```
//! use kontakt_event_driven::{Domain, Ending, Gas, Restitution, Sphere, Until};
//! use kontakt_math::DVec3;
//! # fn main() -> Result<(), kontakt_event_driven::GasError> {
//! let sphere = |x: f64, v: f64| Sphere {
//!     centre: DVec3::new(x, 5.0, 5.0), velocity: DVec3::X * v, radius: 0.5, mass: 1.0,
//! };
//! let domain = Domain::walled(DVec3::splat(10.0));
//! let mut gas = Gas::new(domain, Restitution::ELASTIC, &[sphere(2.0, 1.0), sphere(8.0, 0.0)])?;
//! assert_eq!(gas.run(&Until::time(6.0)), Ending::Time);
//! // Equal spheres that meet head-on swap their velocities.
//! assert_eq!(gas.collisions(), 1);
//! assert_eq!(gas.sphere(0).velocity, DVec3::ZERO);
//! assert_eq!(gas.sphere(1).velocity, DVec3::X);
//! # Ok(())
//! # }
//! ```

mod cells;
mod contact;
mod domain;
mod error;
mod fall;
mod flight;
mod gas;
mod plan;
mod queue;
mod speeds;
mod sphere;
mod start;
mod state;
mod top;

pub use domain::{Boundary, Domain};
pub use error::{FallError, GasError};
pub use fall::{Bounce, Fall, Fell};
pub use flight::Moving;
pub use gas::{Ending, Gas, Until};
pub use speeds::{Speeds, maxwell_share};
pub use sphere::{Restitution, Sphere};
pub use state::GasState;
pub use top::Top;
