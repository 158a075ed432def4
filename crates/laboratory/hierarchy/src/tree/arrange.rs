//! From nodes that know their children, in any order, to a [`Tree`]: what bottom-up builders end with.

use super::{Content, Node, Tree};
use thiserror::Error;

/// A node that names its children by their place in a list of parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Part<B> {
    /// **Encloses** every triangle below.
    pub volume: B,
    /// Places of the children; empty for a leaf.
    pub children: Vec<u32>,
    /// The triangles of a leaf; empty for an inner part.
    pub triangles: Vec<u32>,
}

/// Why parts are not a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ArrangeError {
    /// A child, or the root, is not in the list.
    #[error("part {0} does not exist")]
    Missing(u32),
    /// A part is reached twice.
    #[error("part {0} is reached twice")]
    Twice(u32),
    /// Together the parts name more children than there are parts.
    #[error("a child of part {0} is named twice")]
    Shared(u32),
    /// A part has neither children nor triangles, or both.
    #[error("part {0} must have either children or triangles")]
    Kind(u32),
    /// More parts or triangles than 32 bits count.
    #[error("too many parts or triangles")]
    TooMany,
}

impl<B> Tree<B> {
    /// The tree below `root`: parents first, siblings side by side, triangles in the order of the leaves. Parts that the
    /// root does not reach are dropped.
    pub fn arrange(root: u32, parts: Vec<Part<B>>) -> Result<Tree<B>, ArrangeError> {
        if u32::try_from(parts.len()).is_err() {
            return Err(ArrangeError::TooMany);
        }
        let mut parts: Vec<Option<Part<B>>> = parts.into_iter().map(Some).collect();
        // `None`: promised a place, not yet visited.
        let mut nodes: Vec<Option<Node<B>>> = vec![None];
        let mut order = Vec::new();
        let mut open = vec![(root, 0_usize)];
        while let Some((at, place)) = open.pop() {
            let slot = parts.get_mut(at as usize).ok_or(ArrangeError::Missing(at))?;
            let part = slot.take().ok_or(ArrangeError::Twice(at))?;
            let count = part.children.len();
            if (count == 0) == part.triangles.is_empty() {
                return Err(ArrangeError::Kind(at));
            }
            let content = if count == 0 {
                let first = u32::try_from(order.len()).map_err(|_| ArrangeError::TooMany)?;
                order.extend(&part.triangles);
                Content::Leaf { first, count: part.triangles.len() as u32 }
            } else {
                let first = nodes.len();
                // A list may name a part so often that the places alone would fill the memory.
                if let Some(missing) = part.children.iter().find(|c| **c as usize >= parts.len()) {
                    return Err(ArrangeError::Missing(*missing));
                }
                if first + count > parts.len() {
                    return Err(ArrangeError::Shared(at));
                }
                nodes.extend((0..count).map(|_| None));
                open.extend(part.children.iter().copied().zip(first..first + count).rev());
                Content::Inner { first: first as u32, count: count as u32 }
            };
            nodes[place] = Some(Node { volume: part.volume, content });
        }
        if u32::try_from(order.len()).is_err() {
            return Err(ArrangeError::TooMany);
        }
        Ok(Tree { nodes: nodes.into_iter().flatten().collect(), order })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(children: &[u32], triangles: &[u32]) -> Part<()> {
        Part { volume: (), children: children.to_vec(), triangles: triangles.to_vec() }
    }

    #[test]
    fn leaves_come_in_order_and_siblings_side_by_side() {
        let parts = vec![
            part(&[], &[4]),
            part(&[0, 3], &[]),
            part(&[], &[9, 8]),
            part(&[], &[6]),
            part(&[2, 1], &[]),
        ];
        let tree = Tree::arrange(4, parts).unwrap();
        assert_eq!(tree.order, [9, 8, 4, 6]);
        assert_eq!(tree.depths(), [0, 1, 1, 2, 2]);
        assert_eq!(tree.triangles_below(2), [4, 6]);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        assert_eq!(Tree::<()>::arrange(0, vec![]), Err(ArrangeError::Missing(0)));
        assert_eq!(Tree::arrange(0, vec![part(&[], &[])]), Err(ArrangeError::Kind(0)));
        assert_eq!(Tree::arrange(0, vec![part(&[1], &[0]), part(&[], &[1])]), Err(ArrangeError::Kind(0)));
        assert_eq!(Tree::arrange(0, vec![part(&[0], &[])]), Err(ArrangeError::Shared(0)));
        let shared = vec![part(&[1, 2], &[]), part(&[3], &[]), part(&[3], &[]), part(&[], &[0])];
        assert_eq!(Tree::arrange(0, shared), Err(ArrangeError::Shared(2)));
        assert_eq!(Tree::arrange(0, vec![part(&[1], &[]), part(&[7], &[])]), Err(ArrangeError::Missing(7)));
        let loose = vec![part(&[0], &[]), part(&[], &[0])];
        assert_eq!(Tree::arrange(0, loose), Err(ArrangeError::Twice(0)));
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_parts_needs_no_stack() {
        let n = 100_000;
        let mut parts: Vec<Part<()>> = (1..n).map(|i| part(&[i], &[])).collect();
        parts.push(part(&[], &[0]));
        assert_eq!(Tree::arrange(0, parts).unwrap().depth(), n);
    }
}
