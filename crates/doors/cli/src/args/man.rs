//! What was typed after `kontakt man`.

use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Example: kontakt man ~/.local/share/man/man1; then man kontakt-check shows a command."
)]
pub(crate) struct Man {
    /// The folder for the pages; it is made where there is none
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}
