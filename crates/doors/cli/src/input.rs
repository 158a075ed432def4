//! What commands are given beside meshes: poses, rays, points, names of pairs; and meshes made ready for queries.

pub(crate) mod exceptions;
pub(crate) mod load;
pub(crate) mod moving;
pub(crate) mod number_lines;
pub(crate) mod pair_names;
pub(crate) mod parts;
pub(crate) mod pattern;
pub(crate) mod pose;
pub(crate) mod ready;
