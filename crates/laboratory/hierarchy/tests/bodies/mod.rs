//! Bodies and plain trees for the tests of this crate.
#![allow(dead_code, reason = "every test file uses its own part")]

use kontakt_bounds::{Bound, FitError};
use kontakt_hierarchy::Faces;
use kontakt_lab_hierarchy::{Part, Tree};
use kontakt_math::{DQuat, DVec3, Pose};
use kontakt_shapes::FaceSet;
use testkit::Generator;

/// Fits a volume around points and triangles.
type Fit<'a, B> = dyn FnMut(&[DVec3], &[[u32; 3]]) -> Result<B, FitError> + 'a;

/// Random triangles without any order; small ones in free mode.
pub(crate) fn soup(from: &mut Generator, count: usize, size: f64) -> FaceSet {
    let mut points = Vec::new();
    for _ in 0..count {
        let centre = DVec3::from_array(from.point());
        points.extend((0..3).map(|_| centre + size * DVec3::from_array(from.point())));
    }
    let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    FaceSet::from_triangles(points, triangles).expect("finite")
}

/// Halves by the longest axis of the box around the centroids, to leaves of `leaf`; `arity` parts a node.
pub(crate) fn median_tree<B: Bound>(faces: Faces, arity: usize, leaf: usize) -> Tree<B> {
    median_tree_by(faces, arity, leaf, &mut |points, triangles| B::fit_faces(points, triangles))
}

/// The same, with a way to fit.
pub(crate) fn median_tree_by<B>(faces: Faces, arity: usize, leaf: usize, fit: &mut Fit<B>) -> Tree<B> {
    let mut parts = Vec::new();
    let all: Vec<u32> = (0..faces.triangles.len() as u32).collect();
    if all.is_empty() {
        return Tree::EMPTY;
    }
    let root = split(faces, all, arity, leaf, fit, &mut parts);
    Tree::arrange(root, parts).expect("a tree")
}

fn split<B>(
    faces: Faces,
    mut set: Vec<u32>,
    arity: usize,
    leaf: usize,
    fit: &mut Fit<'_, B>,
    parts: &mut Vec<Part<B>>,
) -> u32 {
    let points: Vec<DVec3> = set.iter().flat_map(|t| faces.corners(*t)).collect();
    let triangles: Vec<[u32; 3]> = (0..set.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let volume = fit(&points, &triangles).expect("finite");
    let mut children = Vec::new();
    if set.len() > leaf {
        let centroid = |t: u32| faces.corners(t).into_iter().sum::<DVec3>() / 3.0;
        let low = set.iter().fold(DVec3::INFINITY, |low, t| low.min(centroid(*t)));
        let high = set.iter().fold(DVec3::NEG_INFINITY, |high, t| high.max(centroid(*t)));
        let axis = (high - low).max_position();
        set.sort_by(|a, b| centroid(*a)[axis].total_cmp(&centroid(*b)[axis]));
        let size = set.len().div_ceil(arity);
        for chunk in set.chunks(size) {
            children.push(split(faces, chunk.to_vec(), arity, leaf, fit, parts));
        }
        set.clear();
    }
    parts.push(Part { volume, children, triangles: set });
    parts.len() as u32 - 1
}

/// A pose with a random turn and a shift of at most `reach` a coordinate.
pub(crate) fn pose(from: &mut Generator, reach: f64) -> Pose {
    let turn = DQuat::from_array(from.quaternion());
    Pose::new(turn, reach * DVec3::from_array(from.point())).expect("unit")
}
