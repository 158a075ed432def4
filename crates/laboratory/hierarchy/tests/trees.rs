//! `validate` finds every kind of flaw, and refitted trees have none.

mod bodies;

use bodies::{median_tree, median_tree_by, soup};
use kontakt_bounds::{Aabb, AnyVolume, Bound, Dop14, Lss, Obb, Rss, Shell, Sphere, VolumeKind};
use kontakt_hierarchy::Faces;
use kontakt_lab_hierarchy::{Content, Node, RefitInner, Tree, TreeFlaw};
use kontakt_math::DVec3;
use kontakt_shapes::make::bumpy_ball;
use testkit::Generator;

fn good() -> (kontakt_shapes::FaceSet, Tree<Aabb>) {
    let faces = soup(&mut Generator::free(1), 40, 0.2);
    let tree = median_tree(Faces::of(&faces), 3, 2);
    (faces, tree)
}

#[test]
fn each_flaw_is_named() {
    let (faces, tree) = good();
    let faces = Faces::of(&faces);
    assert_eq!(tree.validate(faces), Ok(()));
    let flaw = |change: &dyn Fn(&mut Tree<Aabb>)| {
        let mut broken = tree.clone();
        change(&mut broken);
        broken.validate(faces).expect_err("broken")
    };
    let inner = tree.nodes.iter().rposition(|n| !n.content.is_leaf()).unwrap();
    let leaf = tree.nodes.iter().position(|n| n.content.is_leaf()).unwrap();
    assert!(matches!(flaw(&|t| t.nodes.clear()), TreeFlaw::NoRoot { triangles: 40 }));
    // A cycle, a shared child, no children, children beyond the end, overflow.
    for content in [(0, 1), (1, 2), (5, 0), (3, 100_000), (u32::MAX, 2)] {
        let content = Content::Inner { first: content.0, count: content.1 };
        let found = flaw(&|t| t.nodes[inner].content = content);
        assert!(matches!(found, TreeFlaw::Children { .. }), "{found:?}");
    }
    let extra = Node { volume: tree.nodes[leaf].volume, content: tree.nodes[leaf].content };
    assert_eq!(flaw(&|t| t.nodes.push(extra.clone())), TreeFlaw::Orphan { node: tree.nodes.len() as u32 });
    for content in [(0, 0), (1, 1), (39, 7), (u32::MAX, 2)] {
        let content = Content::Leaf { first: content.0, count: content.1 };
        let found = flaw(&|t| t.nodes[leaf].content = content);
        assert!(matches!(found, TreeFlaw::Slots { .. }), "{found:?}");
    }
    assert!(matches!(flaw(&|t| t.order[3] = t.order[4]), TreeFlaw::Order { slot: 4 }));
    assert!(matches!(flaw(&|t| t.order[3] = 40), TreeFlaw::Order { slot: 3 }));
    assert!(matches!(flaw(&|t| t.order.push(0)), TreeFlaw::Order { slot: 40 }));
    // Two leaves that change places: the sets are right, the order is not.
    let swapped = flaw(&|t| {
        let Content::Inner { first, .. } = t.nodes[inner].content else { unreachable!() };
        t.nodes.swap(first as usize, first as usize + 1);
    });
    assert!(matches!(swapped, TreeFlaw::Slots { .. }), "{swapped:?}");
    let tight = flaw(&|t| t.nodes[leaf].volume.max.x = t.nodes[leaf].volume.max.x.next_down());
    assert!(matches!(tight, TreeFlaw::Outside { node, .. } if node as usize == leaf), "{tight:?}");
    // The tree of another body.
    let other = soup(&mut Generator::free(2), 40, 0.2);
    assert!(matches!(tree.validate(Faces::of(&other)), Err(TreeFlaw::Outside { node: 0, .. })));
}

/// A ball that is bent and stretched; the tree follows.
fn follows<B: Bound + Clone>(frequency: u32) {
    let ball = bumpy_ball(frequency, 0.2).unwrap();
    let faces = Faces::of(&ball);
    let mut tree: Tree<B> = median_tree(faces, 2, 3);
    let mut moved = faces.vertices.to_vec();
    for step in 0..3 {
        for p in &mut moved {
            *p += DVec3::new(0.3 * (3.0 * p.y).sin(), 0.2 * p.x * p.x, 0.1 * f64::from(step))
                + DVec3::new(p.z, p.x, p.y) * 0.1;
        }
        let faces = Faces { vertices: &moved, triangles: faces.triangles };
        assert!(tree.validate(faces).is_err(), "{}: the old volumes cannot hold", B::NAME);
        tree.refit(faces).unwrap();
        assert_eq!(tree.validate(faces), Ok(()), "{}", B::NAME);
        let merged = tree.nodes[0].volume.measure().volume;
        tree.refit_by(faces, RefitInner::Fit).unwrap();
        assert_eq!(tree.validate(faces), Ok(()), "{}", B::NAME);
        let fitted = tree.nodes[0].volume.measure().volume;
        assert!(fitted <= merged * 1.5, "{}: {fitted} fitted, {merged} merged", B::NAME);
    }
}

#[test]
fn refitted_trees_validate() {
    follows::<Aabb>(6);
    follows::<Sphere>(6);
    follows::<Obb>(2);
    follows::<Dop14>(6);
    follows::<Lss>(2);
    follows::<Rss>(2);
    follows::<Shell>(2);
}

#[test]
fn mixed_trees_keep_the_kinds_of_their_nodes() {
    let ball = bumpy_ball(3, 0.2).unwrap();
    let faces = Faces::of(&ball);
    let names = ["sphere", "aabb", "obb", "kdop18", "lss", "shell"];
    let mut next = 0;
    let mut tree: Tree<AnyVolume> = median_tree_by(faces, 3, 4, &mut |points, triangles| {
        next += 1;
        VolumeKind::named(names[next % names.len()]).expect("listed").fit(points, triangles)
    });
    assert_eq!(tree.validate(faces), Ok(()));
    let moved: Vec<DVec3> = faces.vertices.iter().map(|p| *p * 1.5 + DVec3::X * p.y).collect();
    let kinds = |tree: &Tree<AnyVolume>| tree.nodes.iter().map(|n| n.volume.kind()).collect::<Vec<_>>();
    let before = kinds(&tree);
    tree.refit(Faces { vertices: &moved, triangles: faces.triangles }).unwrap();
    assert_eq!(kinds(&tree), before);
    assert_eq!(tree.validate(Faces { vertices: &moved, triangles: faces.triangles }), Ok(()));
}

#[test]
fn a_vertex_that_is_not_finite_leaves_the_tree_as_it_was() {
    let (faces, mut tree) = good();
    let before = tree.clone();
    let mut moved = faces.vertices().to_vec();
    moved[50].y = f64::NAN;
    assert!(tree.refit(Faces { vertices: &moved, triangles: faces.triangles() }).is_err());
    assert_eq!(tree, before);
}

#[test]
fn chains_and_bodies_without_triangles() {
    let nothing = Faces { vertices: &[], triangles: &[] };
    let mut none = Tree::<Aabb>::EMPTY;
    assert_eq!((none.validate(nothing), none.refit(nothing)), (Ok(()), Ok(())));
    // Every inner node has one leaf and one inner child: as deep as a tree can be.
    let n = 100_000;
    let (vertices, triangles, mut tree) = chain(n);
    let faces = Faces { vertices: &vertices, triangles: &triangles };
    assert_eq!(tree.depth(), n as u32);
    assert_eq!(tree.validate_structure(n), Ok(()));
    let moved: Vec<DVec3> = vertices.iter().map(|p| *p + DVec3::Y).collect();
    tree.refit(Faces { vertices: &moved, ..faces }).unwrap();
    assert_eq!(tree.nodes[0].volume, Aabb::fit(&moved).unwrap());
}

/// Small triangles along x, one split off a level.
fn chain(n: usize) -> (Vec<DVec3>, Vec<[u32; 3]>, Tree<Aabb>) {
    let vertices: Vec<DVec3> = (0..n + 2).map(|i| DVec3::new(i as f64, (i % 2) as f64, 0.0)).collect();
    let triangles: Vec<[u32; 3]> = (0..n as u32).map(|i| [i, i + 1, i + 2]).collect();
    let around = |from: usize, to: usize| Aabb {
        min: DVec3::new(from as f64, 0.0, 0.0),
        max: DVec3::new(to as f64 + 1.0, 1.0, 0.0),
    };
    let mut nodes = vec![Node { volume: around(0, n), content: Content::Inner { first: 1, count: 2 } }];
    for level in 1..n {
        let leaf = Content::Leaf { first: level as u32 - 1, count: 1 };
        nodes.push(Node { volume: around(level - 1, level), content: leaf });
        let below = if level == n - 1 {
            Content::Leaf { first: level as u32, count: 1 }
        } else {
            Content::Inner { first: 2 * level as u32 + 1, count: 2 }
        };
        nodes.push(Node { volume: around(level, n), content: below });
    }
    (vertices, triangles, Tree { nodes, order: (0..n as u32).collect() })
}
