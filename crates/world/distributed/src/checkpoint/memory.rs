//! A store without a disk: for tests, and for states that are to be kept for a while.

use super::store::{Store, StoreError};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files in memory. It can be told to fail at a certain call, or to stay full.
#[derive(Debug, Default)]
pub struct MemoryStore {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    /// Bytes that are left, if they are counted.
    room: Option<u64>,
}

impl MemoryStore {
    /// One that can hold so many bytes.
    pub fn with_room(bytes: u64) -> MemoryStore {
        MemoryStore { room: Some(bytes), ..MemoryStore::default() }
    }

    /// All files, to be looked at and spoilt.
    pub fn files(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let mut files = self.files();
        let others = files.iter().filter(|(other, _)| *other != name);
        let taken: u64 = others.map(|(_, bytes)| bytes.len() as u64).sum();
        if self.room.is_some_and(|room| taken + bytes.len() as u64 > room) {
            let why = "no space left on device".into();
            return Err(StoreError { path: name.into(), what: "written", why, missing: false });
        }
        files.insert(name.into(), bytes.to_vec());
        Ok(())
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let missing =
            || StoreError { path: name.into(), what: "read", why: "no such file".into(), missing: true };
        self.files().get(name).cloned().ok_or_else(missing)
    }

    fn folders(&self) -> Result<Vec<String>, StoreError> {
        let files = self.files();
        let mut folders: Vec<String> = files
            .keys()
            .filter_map(|name| name.split_once('/'))
            .map(|(folder, _)| folder.to_owned())
            .collect();
        folders.dedup();
        Ok(folders)
    }

    fn has(&self, name: &str) -> bool {
        self.files().contains_key(name)
    }

    fn remove(&self, name: &str) -> Result<(), StoreError> {
        let within = format!("{name}/");
        self.files().retain(|file, _| file != name && !file.starts_with(&within));
        Ok(())
    }
}
