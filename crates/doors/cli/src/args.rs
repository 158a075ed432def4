//! What was typed: plain data, no files opened yet.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use kontakt::bounds::Objective;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Collision detection with proven answers.
#[derive(Debug, Parser)]
#[command(
    name = "kontakt",
    version,
    after_help = "Exit code: 0 = done, nothing forbidden found; 1 = forbidden contact, clash or failed check found; \
                  2 = error.\nTry `kontakt demo` first; it needs no file."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options of every command.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Common {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Write the results to FILE, one JSON line a result
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Number of worker threads [default: all cores]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// End long searches after S seconds with what is certified so far
    #[arg(long, global = true, value_name = "S", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Bodies of files: faces, topology, what is missing, size
    Info(Info),
    /// Convert between mesh formats (by the endings of the file names)
    Convert(Convert),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Info {
    /// Mesh files: .obj .stl .ply .off .gltf .glb
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example: kontakt convert part.stl part.ply")]
pub(crate) struct Convert {
    /// File to read: .obj .stl .ply .off .gltf .glb
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// File to write: .obj .stl .ply
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Write text where the format has a text and a binary form (STL, PLY) [default: binary]
    #[arg(long)]
    pub(crate) text: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How files are taken apart.
#[derive(Debug, ClapArgs)]
pub(crate) struct Reading {
    /// What is one body, where a file has several [default: objects]
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) split: Option<SplitName>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SplitName {
    /// Objects, solids, nodes: as the format has them
    Objects,
    /// OBJ groups (`g`)
    Groups,
    /// Connected components
    Components,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ObjectiveName {
    Volume,
    Surface,
    Diameter,
}

impl From<ObjectiveName> for Objective {
    fn from(name: ObjectiveName) -> Objective {
        match name {
            ObjectiveName::Volume => Objective::Volume,
            ObjectiveName::Surface => Objective::Surface,
            ObjectiveName::Diameter => Objective::Diameter,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
    Duration::try_from_secs_f64(value).map_err(|error| format!("`{text}`: {error}"))
}
