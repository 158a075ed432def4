//! A binary hierarchy of boxes whose nodes know how far they are from their faces.

use crate::triangle::distance;
use kontakt_math::DVec3;
use kontakt_mesh::Mesh;
use kontakt_shapes::FaceSet;
use std::sync::OnceLock;

/// Most triangles of a leaf.
const LEAF: usize = 4;

/// A box around some triangles, its sides along the axes of the body's frame.
#[derive(Debug)]
pub struct Node {
    /// Its corners with the least and the largest coordinates.
    pub corners: [DVec3; 2],
    /// About the directed Hausdorff distance from the box to its triangles: how far a point of the box can be from them, by 27 points.
    pub hausdorff: f64,
    /// The triangles, by their places in the tree's order.
    pub(crate) faces: std::ops::Range<usize>,
    pub(crate) children: Option<[usize; 2]>,
    /// The triangles as a body of their own.
    body: OnceLock<Option<Mesh>>,
}

impl Node {
    /// A ball around the box.
    pub(crate) fn ball(&self) -> (DVec3, f64) {
        let [low, high] = self.corners;
        (0.5 * (low + high), 0.5 * low.distance(high) * (1.0 + 1e-12))
    }

    /// The eight corners.
    pub(crate) fn vertices(&self) -> [DVec3; 8] {
        std::array::from_fn(|k| {
            let pick = |axis: usize| self.corners[k >> axis & 1][axis];
            DVec3::new(pick(0), pick(1), pick(2))
        })
    }
}

/// The hierarchy of a body.
#[derive(Debug)]
pub struct Tree {
    pub(crate) triangles: Vec<[DVec3; 3]>,
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    /// Halves the triangles by the middles along the longest side of their box, again and again.
    pub fn new(mesh: &Mesh) -> Tree {
        let faces = mesh.faces();
        let triangles = (0..faces.triangles().len()).map(|k| faces.triangle_points(k)).collect();
        let mut tree = Tree { triangles, nodes: Vec::new() };
        tree.build(0..tree.triangles.len());
        tree
    }

    fn build(&mut self, faces: std::ops::Range<usize>) -> usize {
        let own = &self.triangles[faces.clone()];
        let corners = bounds(own);
        let place = self.nodes.len();
        let hausdorff = farthest(corners, own);
        self.nodes.push(Node {
            corners,
            hausdorff,
            faces: faces.clone(),
            children: None,
            body: OnceLock::new(),
        });
        if faces.len() > LEAF {
            let axis = (corners[1] - corners[0]).max_position();
            let middle = |triangle: &[DVec3; 3]| triangle.iter().map(|x| x[axis]).sum::<f64>();
            let half = faces.len() / 2;
            self.triangles[faces.clone()]
                .select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
            let children = [faces.start..faces.start + half, faces.start + half..faces.end];
            self.nodes[place].children = Some(children.map(|child| self.build(child)));
        }
        place
    }

    /// The triangles of a node.
    pub(crate) fn faces_of(&self, node: usize) -> &[[DVec3; 3]] {
        &self.triangles[self.nodes[node].faces.clone()]
    }

    /// The triangles of a node as a body.
    pub(crate) fn body_of(&self, node: usize) -> Option<&Mesh> {
        self.nodes[node].body.get_or_init(|| body(self.faces_of(node))).as_ref()
    }
}

/// Triangles as a body; none where there are none to speak of.
pub(crate) fn body(triangles: &[[DVec3; 3]]) -> Option<Mesh> {
    let corners = triangles.iter().flatten().copied().collect();
    let faces = (0..triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::with_threads(FaceSet::from_triangles(corners, faces).ok()?, 1).ok()
}

fn bounds(triangles: &[[DVec3; 3]]) -> [DVec3; 2] {
    let grown = |[low, high]: [DVec3; 2], x: &DVec3| [low.min(*x), high.max(*x)];
    triangles.iter().flatten().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], grown)
}

/// How far the corners, and the middles of sides, faces and box are from the triangles at most.
fn farthest([low, high]: [DVec3; 2], triangles: &[[DVec3; 3]]) -> f64 {
    let points = (0..27).map(|k| {
        let share = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) * 0.5;
        low + (high - low) * share
    });
    let nearest = |x: DVec3| triangles.iter().map(|t| distance(x, *t)).fold(f64::INFINITY, f64::min);
    points.map(nearest).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontakt_shapes::make;

    #[test]
    fn every_triangle_is_in_one_leaf_and_in_all_boxes_above() {
        let mesh = Mesh::with_threads(make::bumpy_ball(6, 0.1).expect("faces"), 1).expect("mesh");
        let tree = Tree::new(&mesh);
        let leaves = tree.nodes.iter().filter(|node| node.children.is_none());
        assert_eq!(leaves.map(|node| node.faces.len()).sum::<usize>(), mesh.faces().triangles().len());
        for node in &tree.nodes {
            let [low, high] = node.corners;
            let within = |x: &DVec3| x.cmpge(low).all() && x.cmple(high).all();
            assert!(tree.triangles[node.faces.clone()].iter().flatten().all(within));
            assert!(node.hausdorff <= low.distance(high));
        }
        let leaf = tree.nodes.iter().rev().find(|node| node.children.is_none()).expect("a leaf");
        assert!(leaf.hausdorff < 0.3 * tree.nodes[0].hausdorff);
    }
}
