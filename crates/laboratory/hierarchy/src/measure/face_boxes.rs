//! The nearest face of a point among those below a node: what the Hausdorff distance of a node's volume stands on.

use crate::{Content, Tree};
use kontakt_bounds::hausdorff::{self, Nearest, NearestFace};
use kontakt_bounds::{Aabb, Bound, FitError};
use kontakt_hierarchy::Faces;
use kontakt_math::DVec3;

/// Axis-aligned boxes around the faces below every node of a tree, whatever volumes the tree has; exact.
#[derive(Clone, Debug)]
pub struct FaceBoxes<'a> {
    faces: Faces<'a>,
    contents: Vec<Content>,
    order: &'a [u32],
    boxes: Vec<Aabb>,
}

impl<'a> FaceBoxes<'a> {
    /// For a valid tree over these faces.
    pub fn new<B>(tree: &'a Tree<B>, faces: Faces<'a>) -> FaceBoxes<'a> {
        let nothing = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
        let grown =
            |around: Aabb, by: Aabb| Aabb { min: around.min.min(by.min), max: around.max.max(by.max) };
        let mut boxes = vec![nothing; tree.nodes.len()];
        for id in (0..tree.nodes.len()).rev() {
            boxes[id] = match tree.nodes[id].content {
                Content::Inner { first, count } => {
                    boxes[first as usize..(first + count) as usize].iter().copied().fold(nothing, grown)
                }
                Content::Leaf { .. } => tree
                    .triangles(id as u32)
                    .iter()
                    .flat_map(|t| faces.corners(*t))
                    .fold(nothing, |around, p| grown(around, Aabb { min: p, max: p })),
            };
        }
        let contents = tree.nodes.iter().map(|node| node.content).collect();
        FaceBoxes { faces, contents, order: &tree.order, boxes }
    }

    /// The faces below a node.
    pub fn below(&self, node: u32) -> NodeFaces<'_> {
        NodeFaces { all: self, node }
    }
}

/// The faces below one node, searched through their boxes.
#[derive(Clone, Copy, Debug)]
pub struct NodeFaces<'a> {
    all: &'a FaceBoxes<'a>,
    node: u32,
}

impl Nearest for NodeFaces<'_> {
    /// `face` is a triangle id of the body.
    ///
    /// Proof: a box is skipped only when its certified gap exceeds `best.upper`, which is not less than the distance to
    /// the nearest face; so the faces in it are farther than that one, and `best.lower` ≤ `best.upper` is below them too.
    fn nearest(&self, point: DVec3) -> Result<NearestFace, FitError> {
        let all = self.all;
        let mut best = NearestFace { lower: f64::INFINITY, upper: f64::INFINITY, place: point, face: 0 };
        let here = Aabb { min: point, max: point };
        let mut open = vec![(0.0, self.node)];
        while let Some((gap, id)) = open.pop() {
            if gap > best.upper {
                continue;
            }
            match all.contents[id as usize] {
                Content::Inner { first, count } => {
                    let before = open.len();
                    let gaps = (first..first + count)
                        .map(|child| (all.boxes[child as usize].gap_below(&here), child))
                        .filter(|(gap, _)| *gap <= best.upper);
                    open.extend(gaps);
                    // The nearest box last: it is looked at first.
                    open[before..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
                }
                Content::Leaf { first, count } => {
                    for triangle in &all.order[first as usize..(first + count) as usize] {
                        let corners = all.faces.corners(*triangle);
                        let found = hausdorff::Faces::new(&corners, &[[0, 1, 2]])?.nearest(point)?;
                        best.lower = best.lower.min(found.lower);
                        if found.upper < best.upper {
                            best = NearestFace { lower: best.lower, face: *triangle, ..found };
                        }
                    }
                }
            }
        }
        best.lower = best.lower.min(best.upper);
        Ok(best)
    }
}
