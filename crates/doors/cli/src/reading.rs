//! How files are taken apart, as typed.

use crate::progress::Spinner;
use clap::{Args, ValueEnum};
use kontakt::io::Split;
use kontakt::schedule::Deadline;
use kontakt_load::LoadOptions;

/// How files are taken apart and curved faces turned into triangles.
#[derive(Debug, Default, Args)]
pub(crate) struct Reading {
    #[command(flatten)]
    pub(crate) splitting: Splitting,
    /// How far triangles may lie from the true surfaces of bodies with curved faces (STEP); what is reached is certified. Meshes are
    /// taken as they are [default: 5e-4 of each body's size]
    #[arg(long, value_name = "D", value_parser = length_above_zero, allow_negative_numbers = true)]
    pub(crate) deviation: Option<f64>,
}

/// What is one body.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Splitting {
    /// What is one body, where a mesh file has several [default: objects]
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) split: Option<SplitName>,
}

impl Reading {
    /// The same until a deadline, with a spinner for what takes its time.
    pub(crate) fn options(&self, deadline: Deadline) -> LoadOptions {
        let split = match self.splitting.split {
            None | Some(SplitName::Objects) => Split::Objects,
            Some(SplitName::Groups) => Split::Groups,
            Some(SplitName::Components) => Split::Components,
        };
        LoadOptions { split, deviation: self.deviation, deadline, begin: |what| Box::new(Spinner::of(&what)) }
    }
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

fn length_above_zero(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        Ok(_) => Err("it must be finite and above 0".into()),
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}
