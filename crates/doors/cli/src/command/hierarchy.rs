//! `kontakt hierarchy`: hierarchies built, saved and looked at.

mod build;
mod html;
mod info;
mod levels;

use crate::args::{Common, Hierarchy, HierarchyAction};
use crate::failure::Failure;
use crate::report::Report;

pub(crate) fn run(hierarchy: &Hierarchy, common: &Common) -> Result<Box<dyn Report>, Failure> {
    Ok(match &hierarchy.action {
        HierarchyAction::Build(build) => Box::new(build::run(build, common)?),
        HierarchyAction::Info(info) => Box::new(info::run(info, common)?),
    })
}
