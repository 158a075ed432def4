//! Points in the common frame of two bodies, and how their faces lie about them: close by in doubles, exact when asked.

mod parity;
mod spot;

pub(crate) use parity::{Directions, Hit, along, hits, in_view, is_odd, on_face, on_faces};
pub(crate) use spot::{Homogeneous, Space, Spot, crossing, exact, height, plane_through};
