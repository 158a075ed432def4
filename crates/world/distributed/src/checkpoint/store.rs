//! Where checkpoints are kept: files, as far as this room needs to know them.

use thiserror::Error;

/// Why a store did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: cannot be {what}: {why}")]
pub struct StoreError {
    /// Which file or folder, as the user knows it.
    pub path: String,
    /// `written`, `read`, …
    pub what: &'static str,
    /// The system's words.
    pub why: String,
    /// It is not there.
    pub missing: bool,
}

/// Files by name, `folder/file`, that all ranks see.
pub trait Store: Sync {
    /// Writes a whole file and its folder. When it returns, the file is there under its name, also after a loss of power; if it fails
    /// or is killed, there is what was there before, under that name.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError>;

    /// A whole file.
    fn get(&self, name: &str) -> Result<Vec<u8>, StoreError>;

    /// Names of all folders, in any order.
    fn folders(&self) -> Result<Vec<String>, StoreError>;

    /// Whether there is such a file.
    fn has(&self, name: &str) -> bool;

    /// Removes a file, or a folder and all in it. What is not there is removed already.
    fn remove(&self, name: &str) -> Result<(), StoreError>;

    /// A name in full, for messages.
    fn path(&self, name: &str) -> String {
        name.to_owned()
    }
}
