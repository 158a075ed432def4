//! The last step of a build: a volume for every node.

use super::error::BuildError;
use super::judge::Judge;
use super::plan::Fit;
use crate::{Content, Node, Tree};
use kontakt_bounds::FitError;
use kontakt_schedule::Deadline;

/// A family of volumes that nodes can have.
pub trait Volumes: Judge {
    /// A node's volume.
    type Volume: Clone;

    /// Name of the family, for messages.
    fn name(&self) -> &'static str;

    /// The tight volume around the faces.
    fn fit(&self, faces: &[u32]) -> Result<Self::Volume, FitError>;

    /// Encloses both; `None` where the two kinds cannot be merged.
    fn merge(&self, a: &Self::Volume, b: &Self::Volume) -> Option<Self::Volume>;

    /// Whether merging gives the same as fitting.
    fn merges_tightly(&self) -> bool;
}

/// Puts volumes on the nodes of a tree, from the leaves up.
pub(super) fn fill<V: Volumes>(
    shape: Tree<()>,
    volumes: &V,
    fit: Fit,
    deadline: Deadline,
) -> Result<Tree<V::Volume>, BuildError> {
    let slots = shape.slots();
    let Tree { nodes, order } = shape;
    let by_merging = fit == Fit::Merge || volumes.merges_tightly();
    let around = |node: usize| {
        let faces = &order[slots[node].start as usize..slots[node].end as usize];
        volumes.fit(faces).map_err(|source| BuildError::Fit {
            volume: volumes.name(),
            count: faces.len(),
            first: faces.first().copied().unwrap_or(0),
            source,
        })
    };
    // From the last node to the first, so that children come before their parents; `done` is that list so far.
    let mut done: Vec<V::Volume> = Vec::with_capacity(nodes.len());
    for index in (0..nodes.len()).rev() {
        deadline.check()?;
        let merged = match nodes[index].content {
            Content::Inner { first, count } if by_merging => {
                let child = |i: u32| &done[nodes.len() - 1 - i as usize];
                let start = Some(child(first).clone());
                (first + 1..first + count).fold(start, |sum, i| volumes.merge(&sum?, child(i)))
            }
            _ => None,
        };
        done.push(match merged {
            Some(volume) => volume,
            None => around(index)?,
        });
    }
    let nodes =
        nodes.into_iter().zip(done.into_iter().rev()).map(|(n, volume)| Node { volume, content: n.content });
    Ok(Tree { nodes: nodes.collect(), order })
}
