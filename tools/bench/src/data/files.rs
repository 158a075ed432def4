//! Where the real meshes are, and a folder for files of this run.

use std::path::{Path, PathBuf};

/// Meshes of `KONTAKT_DATA/mesh` or, beside the repository, `../shared/data/mesh`, sorted by name; or why there are none.
pub(crate) fn real_meshes() -> Result<Vec<PathBuf>, String> {
    files_of("mesh")
}

/// STEP files of `KONTAKT_DATA/step`, likewise.
pub(crate) fn step_files() -> Result<Vec<PathBuf>, String> {
    files_of("step")
}

fn files_of(kind: &str) -> Result<Vec<PathBuf>, String> {
    let folder = match std::env::var_os("KONTAKT_DATA") {
        Some(folder) => PathBuf::from(folder).join(kind),
        None => {
            beside_repository(kind).ok_or("no ../shared/data beside the repository and no KONTAKT_DATA")?
        }
    };
    let entries =
        std::fs::read_dir(&folder).map_err(|problem| format!("folder {kind} of KONTAKT_DATA: {problem}"))?;
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|p| p.is_file()).collect();
    files.sort();
    Ok(files)
}

/// The data folder of the nearest ancestor of this repository that has one.
fn beside_repository(kind: &str) -> Option<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|ancestor| ancestor.join("shared/data").join(kind))
        .find(|candidate| candidate.is_dir())
}

/// The file's name as shown in tables.
pub(crate) fn short_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A folder that is removed with the value.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Makes the folder.
    pub(crate) fn new() -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("kontakt-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|problem| format!("{}: {problem}", folder.display()))?;
        Ok(Scratch { folder })
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leaving files in the temporary folder is no reason to fail a finished run.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
