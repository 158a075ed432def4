//! Named bodies, rules about pairs of them, and what is found: the one place that says what is forbidden.
//!
//! ```
//! use kontakt_convex::Shape;
//! use kontakt_math::{DQuat, DVec3, Pose};
//! use kontakt_scene::{Class, Limits, Rules, Scene};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = Scene::new();
//! let at = |x: f64| Pose::new(DQuat::IDENTITY, DVec3::X * x);
//! scene.add("left", Shape::cuboid(DVec3::ONE)?.into(), at(0.0)?);
//! scene.add("right", Shape::cuboid(DVec3::ONE)?.into(), at(2.0)?);
//! scene.add("far", Shape::sphere(1.0)?.into(), at(4.5)?);
//! let rules = Rules { clearance: 1.0, ..Rules::default() };
//! let report = scene.check(rules, &Limits::NONE);
//! let classes: Vec<Class> = report.findings().map(|finding| finding.judgement.class).collect();
//! assert_eq!(classes, [Class::Touching, Class::Separate, Class::Encroaching]);
//! assert!(report.is_forbidden());
//! # Ok(())
//! # }
//! ```

mod check;
mod curved_path;
mod cylinders;
mod decimals;
mod exceptions;
mod extent;
mod finding;
mod groups;
mod limits;
mod look;
mod pair_names;
mod path;
mod path_check;
mod pattern;
mod pick;
mod related;
mod rules;
mod scene;
mod take_out;
mod taken_out;
mod timeline;
mod way;
mod world;

pub use check::{CheckReport, CheckVerdict};
pub use exceptions::{ExceptionError, Exceptions};
pub use finding::Finding;
pub use groups::Group;
pub use limits::Limits;
pub use pair_names::BodyName;
pub use path::{PathError, check_path};
pub use path_check::PathCheck;
pub use pick::{NoSuchBody, pick};
pub use related::{Gap, Related};
pub use rules::{Class, Deviation, Judgement, PairLimits, Rules, TouchTolerance};
pub use scene::{Missing, Precision, Scene, SceneBody};
pub use take_out::{Along, TakeOut, TakeOutOptions, Tried, take_out};
pub use taken_out::TakenOut;
pub use timeline::{Timeline, Track};
pub use way::{Turn, Way, WayError};
pub use world::{
    GroupReport, Layers, Mode, NodeId, PairReport, PairVerdict, Response, StepBudget, StepCounts, StepError,
    StepOptions, StepReport, World, WorldError,
};
