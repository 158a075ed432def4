//! What commands are given beside meshes: poses, rays, points, names of pairs; and meshes made ready for queries.

pub(crate) mod address;
pub(crate) mod before;
pub(crate) mod load;
pub(crate) mod model;
pub(crate) mod moving;
pub(crate) mod number_lines;
pub(crate) mod parts;
pub(crate) mod pose;
pub(crate) mod ready;
pub(crate) mod remarks;
pub(crate) mod scene;
