//! Tells the program which commit it was built from. Nothing but git, where there is one, is asked; a release without a repository
//! sets `KONTAKT_COMMIT`, so that every build of the same sources is the same.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=KONTAKT_COMMIT");
    // Written whenever the checkout moves to another commit; in a worktree it is elsewhere, and git knows where.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let given = std::env::var("KONTAKT_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| git(&["rev-parse", "--short=12", "HEAD"]));
    println!("cargo::rustc-env=KONTAKT_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}

/// What git says, if there is a git and this is a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    let line = said.trim();
    (output.status.success() && !line.is_empty() && !line.contains('\n')).then(|| line.to_owned())
}
