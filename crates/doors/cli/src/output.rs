//! Files that a command writes are none that it reads, and can be written: said before the work, not after it.

use crate::args::{Command, Common};
use crate::failure::Failure;
use kontakt_load::address::Address;
use std::path::{Path, PathBuf};

/// The name of a file that stands for standard output.
pub(crate) const STANDARD: &str = "-";

/// Whether `--out` means standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// Refuses what would overwrite an input or another output, or cannot be written at all.
pub(crate) fn check(command: &Command, common: &Common) -> Result<(), Failure> {
    let mut outputs = command.outputs();
    match common.out.as_deref() {
        Some(out) if is_standard(out) && common.json => {
            let problem =
                "--json and --out - both write to standard output: one document or one line a result?";
            return Err(Failure::Usage(problem.into()));
        }
        Some(out) if !is_standard(out) => outputs.push(("--out", out)),
        _ => {}
    }
    let inputs: Vec<PathBuf> = command.inputs().into_iter().map(|typed| Address::of(typed).file).collect();
    for (place, (option, output)) in outputs.iter().enumerate() {
        let refuse =
            |problem: String| Err(Failure::Usage(format!("{option} {}: {problem}", output.display())));
        if inputs.iter().any(|input| same(input, output)) {
            return refuse("this is a file that the command reads; it would be overwritten".into());
        }
        if let Some((other, _)) = outputs[..place].iter().find(|(_, other)| same(other, output)) {
            return refuse(format!("{other} is written there"));
        }
        if output.is_dir() {
            return refuse("this is a folder; name a file".into());
        }
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return refuse("there is no such folder".into());
        }
    }
    Ok(())
}

/// Whether two paths lead to one regular file, by whatever links; devices and pipes are no files to lose. Files that do not exist yet are
/// told by their paths.
#[cfg(unix)]
fn same(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(a), Ok(b)) = (std::fs::metadata(a), std::fs::metadata(b)) else { return a == b };
    a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a.is_file() && a == b,
        _ => a == b,
    }
}
