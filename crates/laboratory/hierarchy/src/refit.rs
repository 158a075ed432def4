//! New volumes for moved vertices; the structure stays.

use crate::{Content, Tree};
use kontakt_bounds::{Bound, FitError};
use kontakt_hierarchy::Faces;
use kontakt_math::DVec3;

/// How an inner node gets its new volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RefitInner {
    /// By merging its children's volumes: one merge a child. Looser, the more so the higher the node.
    #[default]
    Merge,
    /// By fitting all faces below anew: as tight as a fresh fit; the work is triangles times depth.
    Fit,
}

impl<B: Bound + Clone> Tree<B> {
    /// Fits every volume to the faces as they are now, bottom-up: leaves anew, inner nodes by merging their children. In a
    /// tree of mixed kinds an inner node whose children are not of its own kind is fitted anew. Volumes keep their kind.
    ///
    /// On an error (a vertex that is not finite) the tree is as it was.
    pub fn refit(&mut self, faces: Faces) -> Result<(), FitError> {
        self.refit_by(faces, RefitInner::Merge)
    }

    /// The same, with the choice of how inner nodes are done.
    pub fn refit_by(&mut self, faces: Faces, inner: RefitInner) -> Result<(), FitError> {
        let mut scratch = Gathered::default();
        // Children come after their parents: from the back, every child is done before its parent.
        let mut volumes: Vec<B> = Vec::with_capacity(self.nodes.len());
        let place = |id: u32| self.nodes.len() - 1 - id as usize;
        for (id, node) in self.nodes.iter().enumerate().rev() {
            let merged = match (node.content, inner) {
                (Content::Inner { first, count }, RefitInner::Merge) => {
                    merge_all(&node.volume, &volumes[place(first + count - 1)..=place(first)])
                }
                _ => None,
            };
            let volume = if let Some(volume) = merged {
                volume
            } else {
                scratch.gather(faces, self.triangles_below(id as u32));
                node.volume.fit_again(&scratch.points, &scratch.triangles)?
            };
            volumes.push(volume);
        }
        for (node, volume) in self.nodes.iter_mut().rev().zip(volumes) {
            node.volume = volume;
        }
        Ok(())
    }
}

/// The union of volumes that are all of the kind of `like`.
fn merge_all<B: Bound + Clone>(like: &B, children: &[B]) -> Option<B> {
    if children.iter().any(|child| child.kind() != like.kind()) {
        return None;
    }
    let (last, rest) = children.split_last()?;
    Some(rest.iter().rev().fold(last.clone(), |all, child| all.merge(child)))
}

/// The faces of a node with the points they use, numbered from 0.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) points: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    used: Vec<u32>,
}

impl Gathered {
    pub(crate) fn gather(&mut self, faces: Faces, ids: &[u32]) {
        self.used.clear();
        self.used.extend(ids.iter().flat_map(|id| faces.triangles[*id as usize]));
        self.used.sort_unstable();
        self.used.dedup();
        self.points.clear();
        self.points.extend(self.used.iter().map(|v| faces.vertices[*v as usize]));
        self.triangles.clear();
        // Every vertex is in the list; a position that is not found would be its place anyway.
        let place = |v: u32| self.used.binary_search(&v).unwrap_or_else(|place| place) as u32;
        self.triangles.extend(ids.iter().map(|id| faces.triangles[*id as usize].map(place)));
    }
}
