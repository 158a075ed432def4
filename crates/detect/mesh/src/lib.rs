//! Queries between two bodies made of unstructured faces, each at a pose, and on one such body.

pub mod asker;
pub mod clearance;
pub mod contact;
pub mod depth;
pub mod distance;
pub mod face;
pub mod inside;
pub mod mesh;
pub mod near;
pub mod nearest;
pub mod overlap;
pub mod pairs;
pub mod patch;
pub mod ray;
pub mod relation;
pub mod self_meet;
pub mod shape;
mod solo;
pub(crate) mod walk;

pub use asker::MeshQuery;
pub use clearance::{Limit, Within};
pub use depth::Depth;
pub use distance::Distance;
pub use inside::{Inside, Location};
pub use mesh::{Mesh, MeshError, PlacedMesh};
pub use nearest::Nearest;
pub use overlap::{NotMeasured, Overlap, Region, RelationDetail, Sinking, Sunk};
pub use pairs::{FacePair, NearPair};
pub use patch::{Patch, PatchExtent};
pub use ray::{Ray, RayError, RayHit};
pub use relation::{RelationOptions, RelationReport, any_piece_inside, relation};
pub use self_meet::{SelfMeetings, self_intersections};
pub use shape::{MeshShapeQuery, ShapeDistance, ShapeRelation};
