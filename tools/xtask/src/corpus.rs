//! Finds the public test data that lies beside the checkout on some machines.

use crate::step;
use std::path::PathBuf;

/// The corpus folder: `KONTAKT_DATA` if set, else `../shared/data` beside the checkout, if there.
pub(crate) fn find() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("KONTAKT_DATA") {
        return Some(PathBuf::from(given));
    }
    let beside = step::root().parent()?.join("shared/data");
    beside.is_dir().then_some(beside)
}
