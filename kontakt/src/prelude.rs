//! What most programs need: `use kontakt::prelude::*`.

pub use crate::answers::{Contact, Feature, Impact, Initial, Limit, Range, Relation, Side, Verdict};
pub use crate::convex::{Part, Shape};
pub use crate::io::{ReadOptions, read};
pub use crate::math::{DQuat, DVec3, Motion, Pose};
pub use crate::mesh::{Mesh, Ray, RelationOptions};
pub use crate::pair::{Body, Moving, PairRelation, Placed, Proximity, Query};
pub use crate::rigid_ccd::MotionOptions;
pub use crate::scene::{CheckReport, Class, Exceptions, Finding, Limits, Rules, Scene};
pub use crate::shapes::{FaceSet, make};
