//! Checkpoints as files in a folder.

use kontakt_distributed::{Store, StoreError};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A folder of checkpoints, seen by all ranks. Files appear whole and are on the disk when they are said to be written.
#[derive(Clone, Debug)]
pub struct CheckpointFolder {
    root: PathBuf,
}

impl CheckpointFolder {
    /// The folder is made when the first file is written.
    pub fn new(root: impl Into<PathBuf>) -> CheckpointFolder {
        CheckpointFolder { root: root.into() }
    }

    fn error(&self, name: &str, what: &'static str, error: &io::Error) -> StoreError {
        let missing = error.kind() == io::ErrorKind::NotFound;
        StoreError { path: self.path(name), what, why: error.to_string(), missing }
    }

    /// Written beside its name, brought to the disk, renamed; then the folder that knows the name is brought there too.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.root.join(name);
        let folder = path.parent().unwrap_or(&self.root);
        if !folder.is_dir() {
            std::fs::create_dir_all(folder)?;
            synced(&self.root)?;
        }
        let mut temporary = path.clone().into_os_string();
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let written = (|| {
            let mut file = File::create(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            std::fs::rename(&temporary, &path)
        })();
        if written.is_err() {
            // The first error is the one to report; what is left over is removed with the folder.
            let _ = std::fs::remove_file(&temporary);
        }
        written.and_then(|()| synced(folder))
    }
}

/// Names are kept in folders, which are brought to the disk like files; elsewhere than on Unix they cannot be opened.
fn synced(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

impl Store for CheckpointFolder {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(name, bytes).map_err(|error| self.error(name, "written", &error))
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        std::fs::read(self.root.join(name)).map_err(|error| self.error(name, "read", &error))
    }

    fn folders(&self) -> Result<Vec<String>, StoreError> {
        let entries = match std::fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.error("", "listed", &error)),
        };
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect::<io::Result<_>>().map_err(|error| self.error("", "listed", &error))
    }

    fn has(&self, name: &str) -> bool {
        self.root.join(name).is_file()
    }

    fn remove(&self, name: &str) -> Result<(), StoreError> {
        let path = self.root.join(name);
        let removed =
            if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.error(name, "removed", &error)),
            _ => Ok(()),
        }
    }

    fn path(&self, name: &str) -> String {
        self.root.join(name).display().to_string()
    }
}
