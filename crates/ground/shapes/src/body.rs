//! A named face set.

use crate::FaceSet;

/// One body of a file or scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// `file:object`, or `file` where the file has no named parts.
    pub name: String,
    /// Its surface, in the file's units and axes.
    pub faces: FaceSet,
}
