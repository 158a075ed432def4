//! The laboratory stays out of the product: only the command line and the laboratory itself depend on its crates.

use crate::{modules, step};
use std::fs;
use std::path::Path;

/// The one product crate that may use the laboratory: it compares.
const MAY: &str = "doors/cli";

pub(crate) fn check() -> Result<(), String> {
    println!("== laboratory");
    let mut found = Vec::new();
    for folder in modules::crates()?.into_iter().chain([step::root().join("kontakt")]) {
        let name = modules::name(&folder);
        if name != MAY && !name.starts_with("laboratory/") && uses_laboratory(&folder)? {
            found.push(format!("{name} depends on the laboratory"));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("; ")) }
}

fn uses_laboratory(folder: &Path) -> Result<bool, String> {
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    Ok(text.lines().any(|line| line.starts_with("kontakt-lab-")))
}
