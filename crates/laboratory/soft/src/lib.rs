//! Laboratory: deforming bodies by the methods that the DEF thesis compares, as a peer of `kontakt_soft`. **Nothing here is proven**,
//! and no product crate but the command line uses it.
//!
//! [`discrete`]: vertices in tetrahedra at the end of a step by spatial hashing (`teschner2003`), consistent penetration depth
//! and response (`heidelberger2004`). [`freeze`]: the thesis's simplified response, bodies that stop where a contact is found.
//! [`scenes`]: what they are compared on. [`passage`]: who fell through, told from crossings of surfaces and not from heights.

pub mod discrete;
pub mod freeze;
pub mod passage;
pub mod scenes;
