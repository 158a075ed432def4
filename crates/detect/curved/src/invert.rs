//! Parameters of points.

mod descent;
mod near;
mod near_surface;
