//! Licences, bans and sources of the dependencies, by cargo-deny with `deny.toml`.

use crate::step;
use std::path::PathBuf;
use std::process::Command;

/// Pinned, so that every machine checks with the same tool.
const VERSION: &str = "0.20.2";

pub(crate) fn check() -> Result<(), String> {
    let tool = find_or_install()?;
    let mut command = Command::new(tool);
    command.args(["--workspace", "check", "licenses", "bans", "sources"]).current_dir(step::root());
    step::run("licences, bans, sources", &mut command)
}

/// cargo-deny from PATH, or built once into `target/tools`.
fn find_or_install() -> Result<PathBuf, String> {
    let on_path = Command::new("cargo-deny").arg("--version").output();
    if on_path.is_ok_and(|output| output.status.success()) {
        return Ok(PathBuf::from("cargo-deny"));
    }
    let folder = step::root().join("target/tools");
    let tool = folder.join("bin/cargo-deny");
    if !tool.exists() {
        let mut install =
            step::cargo(["install", "--quiet", "--locked", "cargo-deny", "--version", VERSION, "--root"]);
        install
            .arg(&folder)
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
        step::run("install cargo-deny (once)", &mut install)?;
    }
    Ok(tool)
}
