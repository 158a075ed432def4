//! Two bodies of any families, at rest or in motion: which kernel answers is decided here and nowhere else.
//!
//! A [`Body`] is a mesh, a convex shape (or a union of shapes), or a body with curved faces. [`Query`] asks about two of them, each at a pose or on a motion:
//!
//! | question | answer |
//! |---|---|
//! | [`intersect`](Query::intersect) | do they meet: separate, touching, overlapping |
//! | [`relation`](Query::relation) | the class, with certified distance or depth |
//! | [`distance`](Query::distance) | how far apart, with nearest points |
//! | [`within`](Query::within) | do they come closer than a clearance; ties are decided |
//! | [`contacts`](Query::contacts) | where they meet, with normals, depths and features |
//! | [`first_contact`](Query::first_contact) | when two moving bodies first meet, never late |
//!
//! [`DistanceSearch`] and [`ImpactSearch`] ask the same bit by bit, with a sound answer at any moment, for budgets
//! ([`kontakt_schedule::run`]).
//!
//! ```
//! use kontakt_convex::Shape;
//! use kontakt_math::{DVec3, Motion, Pose};
//! use kontakt_mesh::Mesh;
//! use kontakt_pair::{Body, Moving, Placed, Query};
//! use kontakt_shapes::FaceSet;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
//! let part = Body::mesh(Mesh::new(FaceSet::from_triangles(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?)?);
//! let ball = Body::convex(Shape::sphere(0.5)?);
//! let mut query = Query::new();
//! let there = Pose::from_axis_angle(DVec3::Z, 0.0, DVec3::new(3.0, 0.0, 0.0))?;
//! let distance = query.distance(Placed::at_rest(&part), Placed::new(&ball, there));
//! assert!((distance.range.hi() - 1.5).abs() < 1e-12);
//! let motion = Motion::slerp(there, Pose::IDENTITY, DVec3::ZERO)?;
//! let rest = Motion::Rest(Pose::IDENTITY);
//! let impact = query.first_contact(Moving::new(&part, &rest), Moving::new(&ball, &motion), &Default::default());
//! assert!((impact.free_until() - 0.5).abs() < 1e-6, "{impact:?}");
//! # Ok(())
//! # }
//! ```

mod body;
mod contacts;
mod curved;
mod curved_motion;
mod distance_search;
mod group;
mod impact_search;
mod point;
mod query;
mod relation;
mod slack;
mod true_surface;

pub use body::{Body, ConvexBody, Moving, Placed};
pub use curved::with_faces;
pub use distance_search::DistanceSearch;
pub use group::with_start;
pub use impact_search::ImpactSearch;
pub use query::{Proximity, Query};
pub use relation::{PairDetail, PairRelation};
pub use slack::{together, widened};
