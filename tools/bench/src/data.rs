//! What is measured: point sets and meshes, generated from seeds or read from `../shared/data`.

pub mod boxes;
pub mod files;
pub mod point_sets;
pub mod surfaces;
pub mod writers;
