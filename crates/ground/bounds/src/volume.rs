//! The list of volumes, one file each.

mod aabb;
mod obb;
mod sphere;

pub use aabb::Aabb;
pub use obb::Obb;
pub use sphere::Sphere;
