//! The list of volumes, one file each.

mod aabb;
pub(crate) mod axial;
mod cone;
mod cylinder;
mod obb;
mod prism;
mod shell;
mod sphere;
mod zonotope;

pub use aabb::Aabb;
pub use cone::Cone;
pub use cylinder::Cylinder;
pub use obb::Obb;
pub use prism::Prism;
pub use shell::Shell;
pub use sphere::Sphere;
pub use zonotope::Zonotope;
