//! Laboratory: trees of bounding volumes for studies. [`Tree`] has any volume and any number of children and is readable at
//! every step; builders in [`build`], measures in [`measure`], traversals in [`walk`]. No product crate but the command line uses
//! it: the queries walk [`kontakt_hierarchy::Packed`], and [`Tree::packed`] makes one of any tree.

pub mod build;
pub mod measure;
mod pack;
mod refit;
mod tree;
mod validate;
pub mod walk;

pub use refit::RefitInner;
pub use tree::{ArrangeError, Content, Node, Part, Tree};
pub use validate::TreeFlaw;
