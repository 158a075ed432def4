//! A dragged body: it follows a hand, stops at contact and slides along what it touches, and **never enters** it.
//!
//! Planning and proving are kept apart. A *plan* is the step nearest to the hand, in the kinetic metric, that keeps the body off what is near, to
//! first order; it may be wrong without harm. Each *piece* of motion that is taken has a proof: from pose to pose, the doubles that are stored, the
//! body's centre goes straight while it turns at constant rate, and planes between all pieces of surface that come near stay between them all the time.
//!
//! ```
//! use kontakt_convex::Shape;
//! use kontakt_drag::{Drag, DragOptions, Ending, Obstacle};
//! use kontakt_math::{DQuat, DVec3, Pose};
//! use kontakt_pair::Body;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let at = |x: f64| Pose::new(DQuat::IDENTITY, DVec3::X * x);
//! let cube = || Ok::<_, Box<dyn std::error::Error>>(Body::convex(Shape::cuboid(DVec3::ONE)?));
//! let wall = Obstacle { name: "wall".into(), body: cube()?, pose: at(5.0)? };
//! let mut drag = Drag::new(cube()?, at(0.0)?, vec![wall], DragOptions::default())?;
//! // A hand that jumps a kilometre: the body comes after it, and stops at the wall.
//! while drag.follow(at(1000.0)?).ending == Ending::Lagging {}
//! assert_eq!(drag.sample().ending, Ending::Held);
//! let place = drag.pose().translation().x;
//! assert!(place < 3.0 && place > 3.0 - drag.skin());
//! # Ok(())
//! # }
//! ```

mod drag;
mod error;
mod inertia;
mod near;
mod obstacle;
mod options;
mod projection;
mod proxy;
mod report;
mod rows;
mod spot;
mod start;
mod step;
mod surroundings;

pub use drag::Drag;
pub use error::DragError;
pub use obstacle::Obstacle;
pub use options::DragOptions;
pub use report::{Ending, Sample, Touch, Work};
