//! How files are taken apart, as typed.

use clap::{Args, ValueEnum};

/// How files are taken apart.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// What is one body, where a file has several [default: objects]
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) split: Option<SplitName>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SplitName {
    /// Objects, solids, nodes: as the format has them; each `o` line of an OBJ begins a body, and names that come again get #2, #3
    Objects,
    /// OBJ groups (`g`) within objects; a group that comes again in its object goes on
    Groups,
    /// Connected components
    Components,
}
