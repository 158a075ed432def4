//! A dragged body: it follows a hand, stops at contact and slides along what it touches, and **never enters** it.

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
