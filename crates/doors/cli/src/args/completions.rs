//! What was typed after `kontakt completions`.

use clap::Args as ClapArgs;
use clap_complete::Shell;

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Example: kontakt completions bash > ~/.local/share/bash-completion/completions/kontakt"
)]
pub(crate) struct Completions {
    /// Which shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}
