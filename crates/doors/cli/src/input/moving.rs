//! Files of moving vertex–face and edge–edge queries, whose kind the path tells.

use crate::failure::Failure;
use kontakt::io::{MovingQuery, read_moving_queries_until};
use kontakt::schedule::Deadline;
use kontakt::soft_ccd::Kind;
use std::path::Path;

/// Reads all queries of a file, until a deadline.
pub(crate) fn read(path: &Path, kind: Option<Kind>, deadline: Deadline) -> Result<Vec<MovingQuery>, Failure> {
    let kind = kind.or_else(|| kind_of(path)).ok_or_else(|| Failure::Unusable {
        path: path.to_owned(),
        problem: "neither vertex-face nor edge-edge is in the path; say which with --kind".into(),
    })?;
    Ok(read_moving_queries_until(path, kind, deadline)?)
}

/// The kind that the nearest folder with such a name, or the file's own name, tells.
fn kind_of(path: &Path) -> Option<Kind> {
    let full = std::path::absolute(path).ok()?;
    full.ancestors().filter_map(|part| part.file_name()?.to_str()).find_map(|name| {
        if name.contains("vertex-face") {
            Some(Kind::VertexFace)
        } else if name.contains("edge-edge") {
            Some(Kind::EdgeEdge)
        } else {
            None
        }
    })
}
