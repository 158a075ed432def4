//! Joins of near clusters along the Morton curve (Meister and Bittner 2018), from the leaves up.

use super::{Method, Rule};
use crate::build::dendrogram::{Dendrogram, Joins};
use crate::build::morton;
use crate::build::workpiece::{Workpiece, union};
use kontakt_bounds::Aabb;

pub(super) const METHODS: &[Method] =
    &[Method::new("ploc", "joins each other's nearest along the Morton curve, from the leaves up", |w| {
        ploc(w)
    })];

/// How many neighbours along the curve, to each side, are looked at.
const WINDOW: usize = 14;

/// A cluster: its box and its node.
#[derive(Clone, Copy)]
struct Cluster {
    around: Aabb,
    node: u32,
}

/// The nearest neighbour known of a cluster: the surface of the union, and the ties' order.
#[derive(Clone, Copy)]
struct Nearest {
    surface: f64,
    tie: (usize, usize),
    place: usize,
}

const NOBODY: Nearest = Nearest { surface: f64::INFINITY, tie: (usize::MAX, 0), place: usize::MAX };

/// All clusters, sorted by the codes of their middles, join those that are each other's nearest by the surface of the
/// box around both; again and again until one is left.
fn ploc<'a>(workpiece: &Workpiece<'_>) -> Box<dyn Rule + 'a> {
    let mut coded: Vec<(u64, u32)> = morton::codes(workpiece).into_iter().zip(0..).collect();
    coded.sort_unstable();
    let cluster = |(_, face): &(u64, u32)| Cluster { around: workpiece.boxes[*face as usize], node: *face };
    let mut clusters: Vec<Cluster> = coded.iter().map(cluster).collect();
    let mut joins = Joins::new(clusters.len());
    let mut nearest = Vec::new();
    while clusters.len() > 1 {
        find_nearest(&clusters, &mut nearest);
        clusters = join_mutual(&clusters, &nearest, &mut joins);
    }
    Box::new(Dendrogram::new(joins))
}

/// Every pair of the window once, for both of them.
///
/// Pairs are ordered by (surface, i xor j, i): strictly, so the least pair of all is mutual and every round joins. Among
/// equal faces the pairs (0, 1), (2, 3), … have the least xor, so that a round halves their number.
fn find_nearest(clusters: &[Cluster], nearest: &mut Vec<Nearest>) {
    nearest.clear();
    nearest.resize(clusters.len(), NOBODY);
    for i in 0..clusters.len() {
        let mut own = nearest[i];
        for j in i + 1..clusters.len().min(i + 1 + WINDOW) {
            let around = union(&clusters[i].around, &clusters[j].around);
            let w = around.max - around.min;
            let surface = w.x * w.y + w.y * w.z + w.z * w.x;
            let tie = (i ^ j, i);
            let improves =
                |known: &Nearest| surface < known.surface || (surface == known.surface && tie < known.tie);
            if improves(&own) {
                own = Nearest { surface, tie, place: j };
            }
            if improves(&nearest[j]) {
                nearest[j] = Nearest { surface, tie, place: i };
            }
        }
        nearest[i] = own;
    }
}

/// The clusters after joining all mutual pairs, in order; a pair takes the place of its first.
fn join_mutual(clusters: &[Cluster], nearest: &[Nearest], joins: &mut Joins) -> Vec<Cluster> {
    let mut joined = Vec::with_capacity(clusters.len());
    for (i, cluster) in clusters.iter().enumerate() {
        let Nearest { place: j, surface, .. } = nearest[i];
        if nearest[j].place != i {
            joined.push(*cluster);
        } else if i < j {
            let node = joins.join(cluster.node, clusters[j].node, surface);
            joined.push(Cluster { around: union(&cluster.around, &clusters[j].around), node });
        }
    }
    joined
}
