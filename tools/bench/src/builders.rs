//! Builders of hierarchies in linked crates.

use crate::clock::timed;
use crate::data::scenes::PlainMesh;
use obvhs::BvhBuildParams;
use obvhs::bvh2::builder::build_bvh2_from_tris;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use std::time::Duration;

/// CPU seconds of a build, and bytes of the hierarchy where the crate lets us count them.
pub(crate) type Built = (f64, Option<usize>);

/// The triangles as obvhs takes them.
pub(crate) fn obvhs_triangles(mesh: &PlainMesh) -> Vec<obvhs::triangle::Triangle> {
    let corners = |triangle| mesh.corners(triangle).map(|p| obvhs_vector(p.map(|x| x as f32)));
    let all = 0..mesh.triangles.len() as u32;
    all.map(corners).map(|[v0, v1, v2]| obvhs::triangle::Triangle { v0, v1, v2 }).collect()
}

fn obvhs_vector(p: [f32; 3]) -> glam::Vec3A {
    glam::Vec3A::from_array(p)
}

/// obvhs, a tree of two children a node.
pub(crate) fn obvhs_binary(triangles: &[obvhs::triangle::Triangle], params: BvhBuildParams) -> Built {
    let (seconds, tree) = timed(|| build_bvh2_from_tris(triangles, params, &mut Duration::default()));
    (seconds, Some(size_of_val(&*tree.nodes) + size_of_val(&*tree.primitive_indices)))
}

/// obvhs, eight children a node, compressed.
pub(crate) fn obvhs_wide(triangles: &[obvhs::triangle::Triangle], params: BvhBuildParams) -> Built {
    let (seconds, tree) = timed(|| build_cwbvh_from_tris(triangles, params, &mut Duration::default()));
    (seconds, Some(size_of_val(&*tree.nodes) + size_of_val(&*tree.primitive_indices)))
}

/// parry's default tree in single precision.
pub(crate) fn parry(mesh: &PlainMesh) -> Built {
    use parry3d::bounding_volume::Aabb;
    use parry3d::math::Vector;
    use parry3d::partitioning::{Bvh, BvhBuildStrategy};
    let corners = |triangle| mesh.corners(triangle).map(|p| Vector::from_array(p.map(|x| x as f32)));
    let boxes: Vec<Aabb> = (0..mesh.triangles.len() as u32).map(|t| Aabb::from_points(corners(t))).collect();
    let (seconds, tree) = timed(|| Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes));
    (seconds, Some(tree.heap_memory_size()))
}

/// A box of the `bvh` crate.
struct Leaf {
    bounds: bvh::aabb::Aabb<f32, 3>,
    node: usize,
}

impl bvh::aabb::Bounded<f32, 3> for Leaf {
    fn aabb(&self) -> bvh::aabb::Aabb<f32, 3> {
        self.bounds
    }
}

impl bvh::bounding_hierarchy::BHShape<f32, 3> for Leaf {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

/// The `bvh` crate, one thread.
pub(crate) fn bvh(mesh: &PlainMesh) -> Built {
    let leaf = |triangle| {
        let corners = mesh.corners(triangle).map(|p| p.map(|x| x as f32));
        let fold =
            |k: usize, pick: fn(f32, f32) -> f32| pick(pick(corners[0][k], corners[1][k]), corners[2][k]);
        let low: [f32; 3] = std::array::from_fn(|k| fold(k, f32::min));
        let high: [f32; 3] = std::array::from_fn(|k| fold(k, f32::max));
        Leaf { bounds: bvh::aabb::Aabb::with_bounds(low.into(), high.into()), node: 0 }
    };
    let mut leaves: Vec<Leaf> = (0..mesh.triangles.len() as u32).map(leaf).collect();
    let (seconds, tree) = timed(|| bvh::bvh::Bvh::build(&mut leaves));
    (seconds, Some(size_of_val(&*tree.nodes)))
}
