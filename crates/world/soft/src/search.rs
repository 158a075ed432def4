//! Searches for contacts of a path, and the list of those that are open.

use crate::error::SoftError;
use crate::row::Key;
use crate::system::System;
use kontakt_math::DVec3;
use kontakt_soft_ccd::mesh::{Counts, MeshContact, Options, Search, Step as Path};

/// All hits of a path, sorted, and how many pairs were looked at.
pub(crate) fn search(
    system: &System,
    x: &[DVec3],
    z: &[DVec3],
) -> Result<(Vec<MeshContact>, u64), SoftError> {
    let path = Path::new(&system.surface, x, z)?;
    let found = Search::new(&path, &Options::default()).contacts();
    Ok((found.contacts, candidates(&found.counts)))
}

/// Searches pairs with a changed vertex and brings the sorted list of hits up to date. Gives how many pairs were looked at.
pub(crate) fn search_again(
    system: &System,
    x: &[DVec3],
    z: &[DVec3],
    changed: &[bool],
    open: &mut Vec<MeshContact>,
) -> Result<u64, SoftError> {
    let is_changed = |hit: &MeshContact| {
        Key::of(hit).vertices(&system.surface).is_none_or(|vs| vs.iter().any(|&v| changed[v as usize]))
    };
    open.retain(|hit| !is_changed(hit));
    let path = Path::new(&system.surface, x, z)?;
    let found = Search::of_changed(&path, &Options::default(), changed)?.contacts();
    open.extend(found.contacts);
    open.sort_unstable_by_key(Key::of);
    Ok(candidates(&found.counts))
}

fn candidates(counts: &Counts) -> u64 {
    counts.vertex_face_candidates + counts.edge_edge_candidates
}
