//! What the VR thesis (chapter 8) does when the time for two moving bodies is over: the hierarchies' pairs that are left are asked for an
//! opinion. Only two of the four opinions err on the safe side; **nothing here is used by the product**, whose searches end with proven
//! bounds.

mod faces;
mod search;
mod tree;
mod triangle;

pub use faces::{Approximation, approximate};
pub use search::{End, Search};
pub use tree::{Node, Tree};
