//! Measures against hand values and brute force.

mod bodies;

use bodies::{median_tree, soup};
use kontakt_bounds::hausdorff::{self, HausdorffLimit, Nearest};
use kontakt_bounds::{Aabb, Bound, Obb, Sphere};
use kontakt_hierarchy::{Faces, MeanMax};
use kontakt_lab_hierarchy::measure::{CostMatrix, FaceBoxes, Grades, Over, Quality, Summary};
use kontakt_lab_hierarchy::{Content, Node, Tree};
use kontakt_math::DVec3;
use testkit::Generator;

/// Boxes of sizes 4×2×1 over (1×1×1 over two leaves) and 3×2×1; the triangles do not matter here.
fn boxes() -> Tree<Aabb> {
    let sized = |x, y, z| Aabb { min: DVec3::ZERO, max: DVec3::new(x, y, z) };
    let node = |volume, content| Node { volume, content };
    Tree {
        nodes: vec![
            node(sized(4.0, 2.0, 1.0), Content::Inner { first: 1, count: 2 }),
            node(sized(1.0, 1.0, 1.0), Content::Inner { first: 3, count: 2 }),
            node(sized(3.0, 2.0, 1.0), Content::Inner { first: 5, count: 1 }),
            node(sized(1.0, 1.0, 0.5), Content::Leaf { first: 0, count: 1 }),
            node(sized(0.5, 1.0, 1.0), Content::Leaf { first: 1, count: 2 }),
            node(sized(3.0, 1.0, 1.0), Content::Leaf { first: 3, count: 1 }),
        ],
        order: vec![0, 1, 2, 3],
    }
}

#[test]
fn levels_by_hand() {
    let tree = boxes();
    let measures = tree.measure_sizes();
    let levels = tree.level_measures(&measures, Over::Nodes);
    let counts: Vec<_> = levels.iter().map(|l| (l.depth, l.nodes, l.leaves, l.triangles)).collect();
    assert_eq!(counts, [(0, 1, 0, 4), (1, 2, 0, 4), (2, 3, 3, 4)]);
    assert_eq!(levels[0].volume, MeanMax { mean: 8.0, max: 8.0 });
    assert_eq!(levels[1].surface, MeanMax { mean: 14.0, max: 22.0 });
    assert_eq!(levels[1].hausdorff, None);
    let third = levels[2].volume;
    assert!((third.mean - 4.0 / 3.0).abs() < 1e-15 && third.max == 3.0, "{third:?}");
    // The sets {0.5, 0.5} and {3}: the mean over sets weighs the lonely node more.
    let sets = tree.level_measures(&measures, Over::SiblingSets(Summary::Mean));
    assert_eq!(sets[2].volume, MeanMax { mean: 1.75, max: 3.0 });
    let sets = tree.level_measures(&measures, Over::SiblingSets(Summary::Max));
    assert_eq!(sets[1].surface, MeanMax { mean: 22.0, max: 22.0 });
}

#[test]
fn grades_by_hand() {
    let tree = boxes();
    let costs = CostMatrix::of(&["sphere", "aabb"], |i, j| (1 + i + j) as f64);
    let grades = Grades::new(&tree, &tree.measure_sizes(), Quality::Volume, &costs, Summary::Mean);
    // Row of the box: 2 and 3.
    assert_eq!(grades.quality(0), 8.0 * 2.5);
    assert_eq!(grades.worst_child(0), 6.0 * 2.5);
    assert_eq!(grades.worst_child(1), 0.5 * 2.5);
    assert_eq!(grades.worst_child(3), grades.quality(3));
    assert_eq!(grades.cost_of_tests(&(1..3), &grades, &(3..6)), 6.0 * 3.0);
}

#[test]
fn the_nearest_face_below_a_node_is_that_of_brute_force() {
    for seed in 0..6 {
        let mut from = if seed % 2 == 0 { Generator::free(seed) } else { Generator::grid(seed) };
        let set = soup(&mut from, 60, 0.3);
        let faces = Faces::of(&set);
        let tree: Tree<Aabb> = median_tree(faces, 2 + seed as usize % 3, 2);
        let boxes = FaceBoxes::new(&tree, faces);
        for _ in 0..40 {
            let node = from.index(tree.nodes.len()) as u32;
            let point = 2.0 * DVec3::from_array(from.point());
            let triangles: Vec<[u32; 3]> =
                tree.triangles_below(node).iter().map(|t| faces.triangles[*t as usize]).collect();
            let truth = hausdorff::Faces::new(faces.vertices, &triangles).unwrap().nearest(point).unwrap();
            let found = boxes.below(node).nearest(point).unwrap();
            assert_eq!(found.upper, truth.upper);
            assert!(found.lower >= truth.lower && found.lower <= truth.upper);
            assert!(tree.triangles_below(node).contains(&found.face));
        }
    }
}

/// No sampled point of a volume is farther from its faces than the measure says, and the measure is not far above.
fn hausdorff_holds<B: Bound + Sync>() {
    let mut from = Generator::free(9);
    let set = soup(&mut from, 24, 0.3);
    let faces = Faces::of(&set);
    let tree: Tree<B> = median_tree(faces, 2, 2);
    let limit = HausdorffLimit { absolute: 0.0, relative: 0.05, max_cells: 3000 };
    let measures = tree.measure_all(faces, limit).unwrap();
    for (id, (node, measure)) in tree.nodes.iter().zip(&measures).enumerate() {
        let upper = measure.hausdorff.unwrap();
        assert_eq!(measure.size, node.volume.measure());
        assert!(upper <= measure.size.diameter * 1.000_001, "{}", B::NAME);
        let corners: Vec<DVec3> =
            tree.triangles_below(id as u32).iter().flat_map(|t| faces.corners(*t)).collect();
        let triangles: Vec<[u32; 3]> =
            (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let brute = hausdorff::Faces::new(&corners, &triangles).unwrap();
        let mut farthest = 0.0_f64;
        for _ in 0..40 {
            let p = node.volume.farthest(DVec3::from_array(from.point()));
            let q = node.volume.farthest(DVec3::from_array(from.point()));
            farthest = farthest.max(brute.nearest(p.lerp(q, 0.5 * from.unit())).unwrap().lower);
        }
        assert!(farthest <= upper, "{} node {id}: {farthest} sampled, {upper} certified", B::NAME);
        assert!(upper <= farthest * 2.5 + 1e-12, "{} node {id}: {farthest} sampled, {upper}", B::NAME);
    }
    let levels = tree.level_measures(&measures, Over::Nodes);
    assert_eq!(levels[0].hausdorff.unwrap().max, measures[0].hausdorff.unwrap());
}

#[test]
fn no_point_of_a_volume_is_farther_from_its_faces_than_measured() {
    hausdorff_holds::<Aabb>();
    hausdorff_holds::<Sphere>();
    hausdorff_holds::<Obb>();
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let set = soup(&mut Generator::free(10), 40, 0.3);
    let tree: Tree<Obb> = median_tree(Faces::of(&set), 3, 1);
    let limit = HausdorffLimit { absolute: 0.0, relative: 0.2, max_cells: 200 };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| tree.measure_all(Faces::of(&set), limit).unwrap())
    };
    assert_eq!(with(1), with(3));
}
