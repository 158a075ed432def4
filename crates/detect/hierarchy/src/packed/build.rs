//! The default builder of the runtime form.
//!
//! Triangles are sorted along a space-filling curve and cut into clusters of about 24. The *crown*, the upper levels, is made
//! from clusters by a binned collision cost; below it, *patches* of at most 256 triangles are divided one by one in the
//! nearest cache, each node in axes that follow its surface. No step recurses, and no thread changes the result.

mod clusters;
mod crown;
mod morton;
mod patch;
mod rank;
mod split;

use super::Packed;
use super::error::BuildError;
use super::lane::{STRAIGHT, enclosure};
use super::node::{Child, WideNode};
use super::parallel::run;
use super::points::pack_points;
use super::scale::Scale;
use super::vector::Vector;
use crate::faces::Faces;
use clusters::Cluster;
use crown::{Below, Crown};
use patch::{Grove, Patcher};
use std::ops::Range;

impl Packed {
    /// Builds the default hierarchy of all faces with that many threads, which change nothing but the time.
    pub fn build(faces: Faces, threads: usize) -> Result<Packed, BuildError> {
        let count = faces.triangles.len();
        if count == 0 {
            return Err(BuildError::NoTriangles);
        }
        if count > Child::MOST_SLOTS {
            return Err(BuildError::TooMany { count });
        }
        let threads = threads.max(1);
        let (scale, points) = pack_points(faces, threads);
        let sorted = morton::sorted(&points, faces.triangles, threads);
        let clusters = clusters::clusters(&sorted, &points, faces.triangles, threads);
        let crown = Crown::new(&clusters);
        let ground = Ground { faces, points: &points, sorted: &sorted, clusters: &clusters, crown: &crown };
        let grove = ground.plant(threads);
        Ok(ground.finish(scale, grove))
    }
}

/// What the patches stand on.
struct Ground<'a> {
    faces: Faces<'a>,
    points: &'a [Vector],
    sorted: &'a [u64],
    clusters: &'a [Cluster],
    crown: &'a Crown,
}

impl Ground<'_> {
    /// Builds all patches, in pieces that threads share.
    fn plant(&self, threads: usize) -> Grove {
        let patches = &self.crown.patches;
        let pieces = if threads == 1 { 1 } else { (8 * threads).min(patches.len()) };
        let pieces: Vec<Range<usize>> =
            (0..pieces).map(|p| patches.len() * p / pieces..patches.len() * (p + 1) / pieces).collect();
        let groves = run(threads, &pieces, |piece| self.plant_piece(piece));
        let mut groves = groves.into_iter();
        let mut all = groves.next().unwrap_or_default();
        for grove in groves {
            let (nodes, slots) = ((all.nodes.len()) as u32, all.order.len() as u32);
            let moved = |child: Child| match child {
                Child::Inner(node) => Child::Inner(node + nodes),
                Child::Leaf { first, count } => Child::Leaf { first: first + slots, count },
                Child::Empty => Child::Empty,
            };
            all.nodes.extend(grove.nodes.into_iter().map(|mut node| {
                node.child = node.child.map(|code| moved(Child::decode(code)).encode());
                node
            }));
            all.roots.extend(grove.roots.into_iter().map(moved));
            all.order.extend_from_slice(&grove.order);
            all.corners.extend_from_slice(&grove.corners);
        }
        all
    }

    /// Nodes and slots count from 0, to be moved when the piece is joined. The first piece keeps room for the crown.
    fn plant_piece(&self, patches: &Range<usize>) -> Grove {
        let mut grove = Grove::default();
        if patches.start == 0 {
            grove.nodes.resize(self.crown.nodes.len(), WideNode::empty(STRAIGHT, [0.0; 3]));
        }
        let mut patcher = Patcher::default();
        for patch in &self.crown.patches[patches.clone()] {
            let clusters = self.crown.order[patch.clone()].iter().map(|&c| self.clusters[c as usize].range());
            let ids = clusters.flat_map(|range| self.sorted[range].iter().map(|e| *e as u32));
            patcher.load(ids, self.points, self.faces.triangles);
            patcher.build(&mut grove);
        }
        grove
    }

    /// Puts the crown on top.
    fn finish(&self, scale: Scale, mut grove: Grove) -> Packed {
        for (node, made) in self.crown.nodes.iter().zip(&mut grove.nodes) {
            for (lane, (bounds, below)) in node.lanes.iter().enumerate() {
                made.set_box(lane, enclosure(*bounds));
                made.child[lane] = match below {
                    Below::Crown(index) => Child::Inner(*index as u32),
                    Below::Patch(patch) => grove.roots[*patch],
                }
                .encode();
            }
        }
        grove.nodes.shrink_to_fit();
        let Grove { nodes, order, corners, .. } = grove;
        Packed { origin: scale.origin, exponent: scale.exponent, nodes, order, corners }
    }
}
