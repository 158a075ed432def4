//! Files that appear complete or not at all.

use crate::watched::Watched;
use kontakt_schedule::Deadline;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes to a new file beside `path` and renames it when `write` has succeeded; otherwise removes it. What was at `path`
/// before stays untouched until then, and if the deadline comes first.
pub(crate) fn write_atomically<E: From<io::Error>>(
    path: &Path,
    deadline: Deadline,
    write: impl FnOnce(&mut BufWriter<Watched<File>>) -> Result<(), E>,
) -> Result<(), E> {
    let (temporary, file) = create_beside(path)?;
    let mut writer = BufWriter::with_capacity(1 << 17, Watched::new(file, deadline));
    let result = write(&mut writer)
        .and_then(|()| writer.flush().map_err(E::from))
        .and_then(|()| std::fs::rename(&temporary, path).map_err(E::from));
    if result.is_err() {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&temporary);
    }
    result
}

fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name"));
    };
    loop {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{}.part", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed)));
        let temporary = path.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
