//! The default builder of the runtime form.
//!
//! Triangles are sorted along a space-filling curve and cut into clusters of about 24. The *crown*, the upper levels, is made
//! from clusters by a binned collision cost; below it, *patches* of at most 128 triangles are divided one by one in the
//! nearest cache, each node in axes that follow its surface. No step recurses, and no thread changes the result.

mod clusters;
mod crown;
mod crown_fit;
mod morton;
mod patch;
mod rank;
mod simd;
mod split;

use super::Packed;
use super::error::BuildError;
use super::lane::STRAIGHT;
use super::node::{Child, WideNode};
use super::parallel::{lock, run};
use super::points::pack_points;
use super::scale::Scale;
use super::vector::{Bounds, Vector};
use crate::faces::Faces;
use crate::large_pages;
use clusters::Cluster;
use crown::{Below, Crown};
use crown_fit::Atoms;
use kontakt_schedule::{Deadline, Expired};
use patch::{Grove, Patcher, Slots};
use std::ops::Range;
use std::sync::Mutex;

/// Bodies of no more triangles are built in a few milliseconds: no deadline stops that.
const SMALL: usize = 1 << 14;

impl Packed {
    /// Builds the default hierarchy of all faces with that many threads, which change nothing but the time.
    pub fn build(faces: Faces, threads: usize) -> Result<Packed, BuildError> {
        Packed::build_until(faces, threads, Deadline::NEVER)
    }

    /// The same, given up at a deadline. Small bodies are built in any case.
    pub fn build_until(faces: Faces, threads: usize, deadline: Deadline) -> Result<Packed, BuildError> {
        let count = faces.triangles.len();
        let deadline = if count > SMALL { deadline } else { Deadline::NEVER };
        if count == 0 {
            return Err(BuildError::NoTriangles);
        }
        if count > Child::MOST_SLOTS {
            return Err(BuildError::TooMany { count });
        }
        let threads = threads.max(1);
        let (scale, points) = pack_points(faces, threads);
        deadline.check()?;
        let sorted = morton::sorted(&points, faces.triangles, threads);
        deadline.check()?;
        let clusters = clusters::clusters(&sorted, &points, faces.triangles, threads);
        deadline.check()?;
        let crown = Crown::new(&clusters, threads);
        deadline.check()?;
        let ground = Ground { faces, points: &points, sorted: &sorted, clusters: &clusters, crown: &crown };
        let mut order = vec![0; count];
        let mut corners = vec![[0; 3]; count];
        large_pages::advise(&mut order);
        large_pages::advise(&mut corners);
        let grove = ground.plant(threads, &mut order, &mut corners, deadline)?;
        Ok(ground.finish(threads, scale, grove, order, corners))
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
    /// Builds all patches, in pieces that threads share, and fills the slots.
    fn plant(
        &self,
        threads: usize,
        order: &mut [u32],
        corners: &mut [[u32; 3]],
        deadline: Deadline,
    ) -> Result<Grove, Expired> {
        let patches = self.crown.patches.len();
        let pieces = if threads == 1 { 1 } else { (8 * threads).min(patches) };
        let mut slots = Slots { first: 0, order, corners };
        let pieces: Vec<(Range<usize>, Mutex<Slots>)> = (0..pieces)
            .map(|p| {
                let piece = patches * p / pieces..patches * (p + 1) / pieces;
                let count = piece.clone().map(|patch| self.weight(patch)).sum();
                (piece, Mutex::new(slots.take(count)))
            })
            .collect();
        let groves = run(threads, &pieces, |(piece, slots)| {
            self.plant_piece(piece.clone(), &mut lock(slots), deadline)
        });
        let mut groves = groves.into_iter().collect::<Result<Vec<Grove>, Expired>>()?;
        if groves.len() == 1 {
            return Ok(groves.pop().unwrap_or_default());
        }
        // Zeros cost nothing until a page is touched, so that threads share that too.
        let count = groves.iter().map(|g| g.nodes.len()).sum();
        let mut all = Grove { nodes: bytemuck::allocation::zeroed_vec(count), roots: Vec::new() };
        large_pages::advise(&mut all.nodes);
        let (mut rest, mut first) = (all.nodes.as_mut_slice(), 0);
        let moves: Vec<(Grove, u32, Mutex<&mut [WideNode]>)> = groves
            .into_iter()
            .map(|grove| {
                let (place, after) = std::mem::take(&mut rest).split_at_mut(grove.nodes.len());
                rest = after;
                first += place.len() as u32;
                (grove, first - place.len() as u32, Mutex::new(place))
            })
            .collect();
        let roots = run(threads, &moves, |(grove, first, place)| {
            let moved = |child: Child| match child {
                Child::Inner(node) => Child::Inner(node + first),
                leaf => leaf,
            };
            for (to, from) in lock(place).iter_mut().zip(&grove.nodes) {
                *to = *from;
                to.child = from.child.map(|code| moved(Child::decode(code)).encode());
            }
            grove.roots.iter().map(|&root| moved(root)).collect::<Vec<_>>()
        });
        drop(moves);
        all.roots = roots.concat();
        Ok(all)
    }

    /// Triangles of a patch.
    fn weight(&self, patch: usize) -> usize {
        let clusters = &self.crown.order[self.crown.patches[patch].clone()];
        clusters.iter().map(|&c| self.clusters[c as usize].count as usize).sum()
    }

    /// Nodes count from 0, to be moved when the pieces are joined. The first piece keeps room for the crown.
    fn plant_piece(
        &self,
        patches: Range<usize>,
        slots: &mut Slots,
        deadline: Deadline,
    ) -> Result<Grove, Expired> {
        let mut grove = Grove::default();
        if patches.start == 0 {
            grove.nodes.resize(self.crown.nodes.len(), WideNode::empty(STRAIGHT, [0.0; 3]));
        }
        let mut patcher = Patcher::default();
        let mut pacer = deadline.pacer();
        for patch in patches {
            pacer.tick()?;
            let clusters = self.crown.order[self.crown.patches[patch].clone()].iter();
            let ids = clusters
                .flat_map(|&c| self.sorted[self.clusters[c as usize].range()].iter().map(|e| *e as u32));
            patcher.load(ids, self.points, self.faces.triangles);
            simd::build(&mut patcher, &mut grove, &mut slots.take(self.weight(patch)));
        }
        Ok(grove)
    }

    /// Puts the crown on top.
    fn finish(
        &self,
        threads: usize,
        scale: Scale,
        mut grove: Grove,
        order: Vec<u32>,
        corners: Vec<[u32; 3]>,
    ) -> Packed {
        let crown = &self.crown.nodes;
        let mut bounds = vec![Bounds::EMPTY; self.crown.patches.len()];
        for (around, below) in crown.iter().flat_map(|node| &node.lanes) {
            if let Below::Patch(patch) = below {
                bounds[*patch] = *around;
            }
        }
        let (made, below) = grove.nodes.split_at_mut(crown.len());
        let atoms = Atoms::new(threads, &grove.roots, &bounds, below, made.len());
        let lanes = self.crown.lanes();
        // The upper nodes have most boxes below them and come first, one by one; the lower ones are many and small.
        let few = crown.len().min(64);
        let (upper, lower) = made.split_at_mut(few);
        let mut pieces: Vec<(usize, Mutex<&mut [WideNode]>)> =
            upper.chunks_mut(1).enumerate().map(|(k, node)| (k, Mutex::new(node))).collect();
        let rest = lower.chunks_mut(64).enumerate();
        pieces.extend(rest.map(|(k, nodes)| (few + 64 * k, Mutex::new(nodes))));
        run(threads, &pieces, |(first, nodes)| {
            for (index, made) in (*first..).zip(lock(nodes).iter_mut()) {
                *made = WideNode::empty(STRAIGHT, [0.0; 3]);
                atoms.fit(made, &lanes[index]);
                for (lane, (_, below)) in crown[index].lanes.iter().enumerate() {
                    let child = match below {
                        Below::Crown(index) => Child::Inner(*index as u32),
                        Below::Patch(patch) => grove.roots[*patch],
                    };
                    made.child[lane] = child.encode();
                }
            }
        });
        drop(pieces);
        grove.nodes.shrink_to_fit();
        Packed { origin: scale.origin, exponent: scale.exponent, nodes: grove.nodes, order, corners }
    }
}
