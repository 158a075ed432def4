//! Packs a laboratory tree: any number of children becomes up to eight.

use crate::tree::{Content, Tree};
use kontakt_hierarchy::packed::{Child, WIDTH};
use kontakt_hierarchy::{BuildError, Faces, Packed};
use std::ops::Range;

/// Part of the tree to be packed.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// A node.
    Node(usize),
    /// All children of a node, or some of more than eight, in the order of their slots.
    Siblings(Vec<usize>),
    /// Part of a leaf.
    Slots(Range<usize>),
}

impl<B> Tree<B> {
    /// The packed form of a tree over these faces. Children are lifted into their parent while there is room, those with
    /// most triangles first; nodes of more than eight children get a level more, leaves of more than
    /// [`Child::LARGEST_LEAF`] triangles are cut in order. Boxes and axes are made anew from the vertices, so the kind
    /// of volume only matters through the shape of the tree.
    pub fn packed(&self, faces: Faces) -> Result<Packed, BuildError> {
        let count = faces.triangles.len();
        if count == 0 {
            return Err(BuildError::NoTriangles);
        }
        let source = Source::new(self, count)?;
        Packed::from_shape(&source.collapse(), self.order.clone(), faces)
    }
}

/// A tree whose indices have been checked.
struct Source<'a, B> {
    tree: &'a Tree<B>,
    /// The slots below each node.
    runs: Vec<Range<usize>>,
}

impl<'a, B> Source<'a, B> {
    fn new(tree: &'a Tree<B>, count: usize) -> Result<Source<'a, B>, BuildError> {
        let wrong = |what| Err(BuildError::Mismatch { what });
        if tree.nodes.is_empty() || tree.order.len() != count {
            return wrong("another number of triangles");
        }
        let mut runs = vec![0..0; tree.nodes.len()];
        for (index, node) in tree.nodes.iter().enumerate().rev() {
            let (first, end, most) = match node.content {
                Content::Inner { first, count } => {
                    (first, u64::from(first) + u64::from(count), tree.nodes.len())
                }
                Content::Leaf { first, count } => {
                    (first, u64::from(first) + u64::from(count), tree.order.len())
                }
            };
            let (first, end) = (first as usize, end as usize);
            if end > most || end == first {
                return wrong("children or triangles out of range");
            }
            runs[index] = match node.content {
                Content::Leaf { .. } => first..end,
                Content::Inner { .. } if first <= index => return wrong("a child is not after its parent"),
                Content::Inner { .. } => {
                    let below = &runs[first..end];
                    let start = below.iter().map(|r| r.start).min().unwrap_or(0);
                    let stop = below.iter().map(|r| r.end).max().unwrap_or(0);
                    // Together with the one run each, equal lengths leave no room for sharing to go on for ever.
                    if below.iter().map(Range::len).sum::<usize>() != stop - start {
                        return wrong("the triangles below a node are not one run");
                    }
                    start..stop
                }
            };
        }
        Ok(Source { tree, runs })
    }

    fn run(&self, piece: &Piece) -> Range<usize> {
        match piece {
            Piece::Node(node) => self.runs[*node].clone(),
            Piece::Slots(slots) => slots.clone(),
            Piece::Siblings(nodes) => {
                let start = nodes.first().map_or(0, |&n| self.runs[n].start);
                start..nodes.last().map_or(start, |&n| self.runs[n].end)
            }
        }
    }

    /// What a piece is made of: at least two pieces, or one that is a leaf.
    fn parts(&self, piece: &Piece) -> Vec<Piece> {
        let mut piece = piece.clone();
        loop {
            piece = match piece {
                Piece::Slots(slots) if slots.len() <= Child::LARGEST_LEAF as usize => {
                    return vec![Piece::Slots(slots)];
                }
                Piece::Slots(slots) => {
                    let parts = slots.len().div_ceil(4).min(WIDTH);
                    return even(&slots, parts).map(Piece::Slots).collect();
                }
                Piece::Siblings(nodes) if nodes.len() == 1 => Piece::Node(nodes[0]),
                Piece::Siblings(nodes) if nodes.len() <= WIDTH => {
                    return nodes.into_iter().map(Piece::Node).collect();
                }
                Piece::Siblings(nodes) => {
                    return even(&(0..nodes.len()), WIDTH)
                        .map(|r| Piece::Siblings(nodes[r].to_vec()))
                        .collect();
                }
                Piece::Node(node) => match self.tree.nodes[node].content {
                    Content::Leaf { first, count } => Piece::Slots(first as usize..(first + count) as usize),
                    Content::Inner { first, count } => {
                        let mut nodes: Vec<usize> = (first as usize..(first + count) as usize).collect();
                        nodes.sort_by_key(|&n| self.runs[n].start);
                        Piece::Siblings(nodes)
                    }
                },
            };
        }
    }

    fn collapse(&self) -> Vec<[Child; WIDTH]> {
        let empty = [Child::Empty; WIDTH];
        let mut nodes = vec![empty];
        let mut open = vec![(0, Piece::Node(0))];
        while let Some((index, piece)) = open.pop() {
            for (lane, part) in self.widen(self.parts(&piece)).into_iter().enumerate() {
                let child = match part {
                    Piece::Slots(slots) if slots.len() <= Child::LARGEST_LEAF as usize => {
                        Child::Leaf { first: slots.start as u32, count: slots.len() as u32 }
                    }
                    part => {
                        nodes.push(empty);
                        open.push((nodes.len() - 1, part));
                        Child::Inner(nodes.len() as u32 - 1)
                    }
                };
                nodes[index][lane] = child;
            }
        }
        nodes
    }

    /// Replaces the pieces with most triangles by their parts while there is room; leaves become slots.
    fn widen(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        // Each piece with its parts; a single part is a leaf.
        let with_parts = |p: Piece| {
            let parts = self.parts(&p);
            (p, parts)
        };
        let mut lanes: Vec<(Piece, Vec<Piece>)> = pieces.into_iter().map(with_parts).collect();
        loop {
            let room = WIDTH - lanes.len();
            let fits = |&place: &usize| (2..=room + 1).contains(&lanes[place].1.len());
            let largest = (0..lanes.len()).filter(fits).max_by_key(|&place| self.run(&lanes[place].0).len());
            let Some(place) = largest else { break };
            let (_, parts) = lanes.remove(place);
            for (offset, part) in parts.into_iter().enumerate() {
                lanes.insert(place + offset, with_parts(part));
            }
        }
        let settled =
            |(piece, mut parts): (Piece, Vec<Piece>)| if parts.len() == 1 { parts.remove(0) } else { piece };
        lanes.into_iter().map(settled).collect()
    }
}

/// A range in nearly equal parts.
fn even(range: &Range<usize>, parts: usize) -> impl Iterator<Item = Range<usize>> + use<> {
    let (start, len) = (range.start, range.len());
    (0..parts).map(move |p| start + len * p / parts..start + len * (p + 1) / parts)
}
