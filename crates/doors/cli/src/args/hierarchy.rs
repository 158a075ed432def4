//! What was typed after `kontakt hierarchy`.

use super::{Reading, TimeLimit};
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Subcommand};
use kontakt::bounds::VolumeKind;
use kontakt_lab_hierarchy::build::Method;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Hierarchy {
    #[command(subcommand)]
    pub(crate) action: HierarchyAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HierarchyAction {
    /// Build the hierarchy of each body of a file and save it with its mesh
    Build(HierarchyBuild),
    /// Show the levels of a saved hierarchy and check every claim of it
    Info(HierarchyInfo),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = build_help())]
pub(crate) struct HierarchyBuild {
    /// File: .obj .stl .ply .off .gltf .glb .kh .step .stp .sat; `FILE:NAME` is one body
    #[arg(value_name = "FILE[:NAME]")]
    pub(crate) file: PathBuf,
    /// File to write
    #[arg(short, long, value_name = "OUT.kh")]
    pub(crate) output: PathBuf,
    /// How faces are put together, see below [default: packed; sah with --arity, --improve or --volume]
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(method_names()), hide_possible_values = true)]
    pub(crate) method: Option<String>,
    /// Children of a node, 2 to 6
    #[arg(long, value_name = "N", conflicts_with = "improve")]
    pub(crate) arity: Option<usize>,
    /// As few children (up to 6) as reduce the surface by this factor, above 0 and at most 1; the thesis prefers 0.75
    #[arg(long, value_name = "A")]
    pub(crate) improve: Option<f64>,
    /// Volume around each node [default: obb]
    #[arg(long, value_name = "V", value_parser = PossibleValuesParser::new(VolumeKind::all().iter().map(|kind| kind.name)))]
    pub(crate) volume: Option<String>,
    /// Measure also how far each volume reaches beyond its faces (Hausdorff distance); takes long on large meshes
    #[arg(long)]
    pub(crate) hausdorff: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    time: TimeLimit,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Exit code 1 if a claim of the hierarchy is wrong, or there was no time to check them all.\n\nExample: kontakt hierarchy info part.kh --html part.html"
)]
pub(crate) struct HierarchyInfo {
    /// Saved hierarchy
    #[arg(value_name = "FILE.kh")]
    pub(crate) file: PathBuf,
    /// Write the levels as a page with plots, too
    #[arg(long, value_name = "OUT")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    time: TimeLimit,
}

impl HierarchyAction {
    pub(super) fn time(&self) -> &TimeLimit {
        match self {
            HierarchyAction::Build(build) => &build.time,
            HierarchyAction::Info(info) => &info.time,
        }
    }
}

/// The default builder of the runtime form.
pub(crate) const PACKED: &str = "packed";

fn method_names() -> Vec<&'static str> {
    std::iter::once(PACKED).chain(Method::all().iter().map(|method| method.name)).collect()
}

fn build_help() -> String {
    let width = method_names().iter().map(|name| name.len()).max().unwrap_or(0);
    let packed = (PACKED, "the default: eight boxes a node in one turned frame, made for queries");
    let methods =
        std::iter::once(packed).chain(Method::all().iter().map(|method| (method.name, method.about)));
    let lines: Vec<String> = methods.map(|(name, about)| format!("  {name:width$}  {about}\n")).collect();
    format!("Methods:\n{}", lines.concat())
        + "\nAll but packed are the laboratory's: their tree is measured as built and then packed for queries.\n\
            \nExample: kontakt hierarchy build part.stl -o part.kh --method sah --improve 0.75 --volume obb"
}
