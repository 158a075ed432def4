//! What the fuzz targets do with their bytes: one file a subject, the targets are one line each.

pub mod balls;
pub mod case;
pub mod convex;
pub mod curved;
pub mod exact;
pub mod faces;
pub mod fit;
pub mod flat;
pub mod hierarchy;
pub mod hull;
pub mod motion;
pub mod moving_queries;
pub mod reader;
pub mod scene;
pub mod smallest_box;
pub mod trajectory;

pub use convex::convex_pairs;
pub use curved::{sat, step};
pub use moving_queries::moving_queries;
pub use reader::read;
pub use scene::scene;
pub use trajectory::trajectory;
