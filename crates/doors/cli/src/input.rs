//! What commands are given beside meshes: poses, rays, points, names of pairs.

pub(crate) mod moving;
pub(crate) mod number_lines;
pub(crate) mod pose;
pub(crate) mod remarks;
