//! How good a tree is before it is used: measures of nodes, of sets of nodes and of levels (VR thesis 3.4), and what a
//! test of two volumes costs on this machine.

mod cost;
mod face_boxes;
mod grades;
mod level;
mod node;
mod summary;

pub use cost::CostMatrix;
pub use face_boxes::{FaceBoxes, NodeFaces};
pub use grades::Grades;
pub use level::Over;
pub use node::{NodeMeasure, Quality};
pub use summary::Summary;
