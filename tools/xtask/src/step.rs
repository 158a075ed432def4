//! One child process: announced, timed, and its failure named.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The workspace's root folder.
pub(crate) fn root() -> PathBuf {
    // Set by cargo for `cargo run`; the manifest lies in tools/xtask.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
    manifest.ancestors().nth(2).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The target directory.
pub(crate) fn target() -> PathBuf {
    let given = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let given = given.map(|folder| std::path::absolute(&folder).unwrap_or(folder));
    given.unwrap_or_else(|| root().join("target"))
}

/// `cargo` as it called us, in the root folder.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Installs a Debian package where that is possible; whether it is there now.
pub(crate) fn apt_install(package: &str) -> bool {
    println!("installing {package} (once)");
    let arguments = ["300", "apt-get", "install", "-y", "-qq", "--no-install-recommends", package];
    let outcome = Command::new("timeout").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").output();
    outcome.is_ok_and(|output| output.status.success())
}

/// Runs the command to its end; anything but success is an error that names it.
pub(crate) fn run(name: &str, command: &mut Command) -> Result<(), String> {
    println!("== {name}");
    let start = Instant::now();
    let status = command.status().map_err(|error| format!("{name}: cannot start: {error}"))?;
    if !status.success() {
        return Err(format!("{name} failed ({status}): {command:?}"));
    }
    println!("== {name}: ok, {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
