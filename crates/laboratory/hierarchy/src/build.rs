//! The laboratory's builders: a tree over any bounding volume, by any splitting rule.
//!
//! A build is a [`Plan`] (how many children, when to stop, what to make small, by which [`Method`]) carried out in two
//! steps. The [`driver`] decides which faces belong together, asking a [`Rule`] at every node and a [`Judge`] how good an
//! answer is; then every node gets its volume, around its own faces.
//!
//! **A new splitting rule** is one file in `build/rule/` and its line in the list in [`rule`]. The command line and the
//! studies read their choices from that list.

mod binned;
mod box_table;
mod dendrogram;
pub mod driver;
mod error;
mod grade;
mod halving;
mod judge;
mod method;
mod mixed;
mod morton;
mod notes;
mod one_kind;
mod partial;
mod plan;
mod random;
pub mod rule;
mod volumes;
mod workpiece;

pub use error::BuildError;
pub use grade::{Gather, Grade};
pub use judge::{GrowingPart, Judge, Tightness};
pub use method::Method;
pub use mixed::{Candidate, Mixed};
pub use notes::Notes;
pub use one_kind::OneKind;
pub use plan::{Arity, Fit, Plan, WhenStuck};
pub use rule::{Rule, Split, SplitSet};
pub use volumes::Volumes;
pub use workpiece::Workpiece;

use crate::Tree;
use kontakt_bounds::{AnyVolume, Bound, VolumeKind};
use kontakt_hierarchy::Faces;

/// A tree with volumes of one kind.
pub fn build<B: Bound + Clone>(faces: Faces<'_>, plan: &Plan) -> Result<Tree<B>, BuildError> {
    build_noted(faces, plan).map(|(tree, _)| tree)
}

/// A tree with volumes of one kind, and what happened on the way.
pub fn build_noted<B: Bound + Clone>(faces: Faces<'_>, plan: &Plan) -> Result<(Tree<B>, Notes), BuildError> {
    build_with(faces, plan, &OneKind::<B>::new(faces, plan.objective))
}

/// A tree whose kind of volume is only known when it runs.
pub fn build_any(
    faces: Faces<'_>,
    plan: &Plan,
    kind: &'static VolumeKind,
) -> Result<(Tree<AnyVolume>, Notes), BuildError> {
    build_mixed(faces, plan, &[Candidate { kind, cost: 1.0 }])
}

/// A tree in which every node has the kind of volume that suits it best: least geometric measure x cost of a test
/// (thesis 3.4.3).
pub fn build_mixed(
    faces: Faces<'_>,
    plan: &Plan,
    candidates: &[Candidate],
) -> Result<(Tree<AnyVolume>, Notes), BuildError> {
    build_with(faces, plan, &Mixed::new(faces, plan.objective, candidates)?)
}

/// A tree over any family of volumes.
pub fn build_with<V: Volumes>(
    faces: Faces<'_>,
    plan: &Plan,
    volumes: &V,
) -> Result<(Tree<V::Volume>, Notes), BuildError> {
    let workpiece = Workpiece::new(faces, plan, volumes)?;
    let rule = plan.method.start(&workpiece);
    let (shape, notes) = driver::grow(&workpiece, rule.as_ref())?;
    Ok((volumes::fill(shape, volumes, plan.fit, plan.deadline)?, notes))
}
