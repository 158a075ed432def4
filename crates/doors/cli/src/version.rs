//! What `--version` says: the release, the commit it was built from, and what this machine's processor adds.

use kontakt::bounds::batch::Isa;
use std::sync::LazyLock;

/// For `--version`; `-V` gives the release alone.
pub(crate) static LONG: LazyLock<String> = LazyLock::new(|| {
    let (release, commit) = (env!("CARGO_PKG_VERSION"), env!("KONTAKT_COMMIT"));
    format!("{release}\ncommit     {commit}\nprocessor  {}: {}", std::env::consts::ARCH, features())
});

/// The instruction sets found here that kontakt has code for; answers are the same with any.
fn features() -> String {
    match Isa::best().features() {
        [] => "no instruction set that kontakt has code of its own for".to_owned(),
        found => found.join(" "),
    }
}
