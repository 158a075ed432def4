//! What is measured: point sets and meshes, generated from seeds or read from `../shared/data`.

pub(crate) mod atoms;
pub(crate) mod bodies;
pub(crate) mod boxes;
pub(crate) mod bustle;
pub(crate) mod curved;
pub(crate) mod files;
pub(crate) mod flights;
pub(crate) mod heap;
pub(crate) mod moving;
pub(crate) mod point_sets;
pub(crate) mod scenes;
pub(crate) mod surfaces;
pub(crate) mod writers;
