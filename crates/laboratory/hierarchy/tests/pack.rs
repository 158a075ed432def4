//! Packing laboratory trees: every claim holds afterwards, and trees that are none are refused.

use kontakt_hierarchy::{BuildError, Faces};
use kontakt_lab_hierarchy::{Content, Node, Tree};
use kontakt_shapes::{FaceSet, make};
use testkit::Generator;

/// A tree over `count` triangles with one to `arity` children a node and leaves of up to `leaf` triangles.
fn some_tree(g: &mut Generator, count: u32, arity: u32, leaf: u32) -> Tree<()> {
    let mut order: Vec<u32> = (0..count).collect();
    for i in (1..count as usize).rev() {
        order.swap(i, g.index(i + 1));
    }
    let mut nodes = vec![Node { volume: (), content: Content::Leaf { first: 0, count } }];
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        let Content::Leaf { first, count } = nodes[index].content else { continue };
        if count <= leaf {
            continue;
        }
        let parts = (1 + g.index(arity as usize) as u32).min(count);
        let from = nodes.len() as u32;
        nodes[index].content = Content::Inner { first: from, count: parts };
        for p in 0..parts {
            let (a, b) = (count * p / parts, count * (p + 1) / parts);
            open.push(nodes.len());
            nodes.push(Node { volume: (), content: Content::Leaf { first: first + a, count: b - a } });
        }
        // Siblings need not be in the order of their slots.
        if g.index(2) == 0 {
            nodes[from as usize..].reverse();
        }
    }
    Tree { nodes, order }
}

fn bodies() -> [FaceSet; 2] {
    [make::bumpy_ball(7, 0.3).unwrap(), make::terrain(13, 0.2).unwrap()]
}

#[test]
fn any_tree_packs() {
    let mut g = Generator::grid(11);
    for body in bodies() {
        let faces = Faces::of(&body);
        for (arity, leaf) in [(2, 1), (3, 4), (6, 2), (8, 7), (20, 1), (40, 100), (2, 5000)] {
            let tree = some_tree(&mut g, faces.triangles.len() as u32, arity, leaf);
            let packed = tree.packed(faces).unwrap();
            packed.validate(faces).unwrap();
            assert_eq!(packed.order(), tree.order);
            assert!(packed.counts().largest_leaf <= 7);
        }
    }
}

#[test]
fn single_children_do_not_become_levels() {
    let body = make::terrain(1, 0.0).unwrap();
    let inner = |first| Node { volume: (), content: Content::Inner { first, count: 1 } };
    let mut nodes: Vec<Node<()>> = (1..1000).map(inner).collect();
    nodes.push(Node { volume: (), content: Content::Leaf { first: 0, count: 2 } });
    let packed = Tree { nodes, order: vec![1, 0] }.packed(Faces::of(&body)).unwrap();
    assert_eq!(packed.nodes().len(), 1);
    packed.validate(Faces::of(&body)).unwrap();
}

#[test]
fn trees_that_are_none_are_refused() {
    let body = make::terrain(1, 0.0).unwrap();
    let faces = Faces::of(&body);
    let node = |content| Node { volume: (), content };
    let leaf = |first, count| node(Content::Leaf { first, count });
    let inner = |first, count| node(Content::Inner { first, count });
    for (nodes, order) in [
        (vec![], vec![0, 1]),
        (vec![leaf(0, 2)], vec![0]),
        (vec![leaf(0, 2)], vec![0, 0]),
        (vec![leaf(0, 1)], vec![0, 1]),
        (vec![leaf(0, 3)], vec![0, 1]),
        (vec![leaf(1, u32::MAX)], vec![0, 1]),
        (vec![inner(0, 1)], vec![0, 1]),
        (vec![inner(1, 0)], vec![0, 1]),
        (vec![inner(1, 2), leaf(0, 2), leaf(0, 2)], vec![0, 1]),
        (vec![inner(1, 2), leaf(0, 1), leaf(0, 1)], vec![0, 1]),
    ] {
        let result = Tree { nodes, order }.packed(faces);
        assert!(matches!(result, Err(BuildError::Mismatch { .. })), "{result:?}");
    }
}
