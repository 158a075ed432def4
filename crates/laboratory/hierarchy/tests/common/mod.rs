//! Bodies and checks that the tests of the builders share.
#![allow(dead_code, reason = "each test file uses its own part")]

use kontakt_bounds::Bound;
use kontakt_hierarchy::Faces;
use kontakt_lab_hierarchy::{Content, Tree};
use kontakt_math::DVec3;
use testkit::Generator;

/// Triangles with their own vertices.
#[derive(Clone, Debug)]
pub(crate) struct Soup {
    pub(crate) vertices: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Soup {
    pub(crate) fn of(triangles: impl IntoIterator<Item = [DVec3; 3]>) -> Soup {
        let vertices: Vec<DVec3> = triangles.into_iter().flatten().collect();
        let triangles = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Soup { vertices, triangles }
    }

    /// Small triangles strewn over the cube [−1, 1]³ or the grid [−3, 3]³.
    pub(crate) fn random(generator: &mut Generator, count: usize) -> Soup {
        let mut point = || DVec3::from_array(generator.point());
        Soup::of((0..count).map(|_| {
            let middle = point();
            [middle, middle + point() * 0.25, middle + point() * 0.25]
        }))
    }

    /// A bumpy sphere of 2·n·(n − 1)·2 triangles with shared vertices.
    pub(crate) fn bumpy_sphere(n: usize) -> Soup {
        let (rows, columns) = (n, 2 * n);
        let point = |row: usize, column: usize| {
            let theta = std::f64::consts::PI * row as f64 / rows as f64;
            let phi = std::f64::consts::TAU * (column % columns) as f64 / columns as f64;
            let radius = 1.0 + 0.1 * (5.0 * theta).sin() * (7.0 * phi).cos();
            DVec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), 1.3 * theta.cos()) * radius
        };
        let mut vertices = Vec::new();
        for row in 0..=rows {
            for column in 0..columns {
                vertices.push(point(row, column));
            }
        }
        let id = |row: usize, column: usize| (row * columns + column % columns) as u32;
        let mut triangles = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let (a, b) = (id(row, column), id(row, column + 1));
                let (c, d) = (id(row + 1, column), id(row + 1, column + 1));
                if row > 0 {
                    triangles.push([a, c, b]);
                }
                if row + 1 < rows {
                    triangles.push([b, c, d]);
                }
            }
        }
        Soup { vertices, triangles }
    }

    pub(crate) fn faces(&self) -> Faces<'_> {
        Faces { vertices: &self.vertices, triangles: &self.triangles }
    }
}

/// Checks the shape of a tree and its arity; gives the greatest depth.
pub(crate) fn check_shape<V>(tree: &Tree<V>, faces: Faces<'_>, most: usize) -> usize {
    tree.validate_structure(faces.triangles.len()).expect("a valid shape");
    let mut depth = vec![0; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        if let Content::Inner { first, count } = node.content {
            assert!(count >= 2 && count as usize <= most, "{count} children, at most {most}");
            (first..first + count).for_each(|child| depth[child as usize] = depth[index] + 1);
        }
    }
    depth.into_iter().max().unwrap_or(0)
}

/// The same, and every corner below a node is in its volume.
pub(crate) fn check<B: Bound>(tree: &Tree<B>, faces: Faces<'_>, most: usize) -> usize {
    tree.validate(faces).expect("a valid tree");
    check_shape(tree, faces, most)
}

/// Slots below a node, which are contiguous.
pub(crate) fn slots_below<V>(tree: &Tree<V>, node: usize) -> std::ops::Range<usize> {
    let end = |mut node: usize, last: bool| loop {
        match tree.nodes[node].content {
            Content::Inner { first, count } => {
                node = if last { first + count - 1 } else { first } as usize;
            }
            Content::Leaf { first, count } => {
                return if last { first + count } else { first } as usize;
            }
        }
    };
    end(node, false)..end(node, true)
}

/// Faces of each leaf, sorted: two trees over the same faces with equal leaves parted them equally.
pub(crate) fn leaves<V>(tree: &Tree<V>) -> Vec<Vec<u32>> {
    let mut leaves: Vec<Vec<u32>> = (0..tree.nodes.len())
        .map(|n| {
            let mut below: Vec<u32> = slots_below(tree, n).map(|s| tree.order[s]).collect();
            below.sort_unstable();
            below
        })
        .collect();
    leaves.sort();
    leaves
}
