//! Pairs of neighbours, from the faces up (Barequet et al. 1996; thesis 3.2.5 and 3.5).

use super::{Method, Rule};
use crate::build::dendrogram::{Dendrogram, Joins};
use crate::build::grade::Grade;
use crate::build::morton;
use crate::build::workpiece::Workpiece;

pub(super) const METHODS: &[Method] =
    &[Method::new("bottom-up", "pairs of neighbours, level by level (thesis 3.2.5)", |w| bottom_up(w))];

/// How many followers along the Morton curve count as neighbours, beside clusters that share a vertex.
const WINDOW: usize = 4;

/// A cluster: its faces, its node, its place on the curve.
struct Cluster {
    faces: Vec<u32>,
    node: u32,
    code: u64,
}

/// Level by level, neighbouring clusters become pairs: the pairs whose common volume has the least grade first. A cluster
/// that finds no partner waits for the next level. With prisms this is the pie-slice tree, with oriented boxes the
/// box tree of Barequet et al.
fn bottom_up<'a>(workpiece: &Workpiece<'_>) -> Box<dyn Rule + 'a> {
    let codes = morton::codes(workpiece);
    let mut clusters: Vec<Cluster> = (0..codes.len() as u32)
        .map(|face| Cluster { faces: vec![face], node: face, code: codes[face as usize] })
        .collect();
    let mut joins = Joins::new(clusters.len());
    let mut shared = shared_vertices(workpiece);
    while clusters.len() > 1 {
        let pairs = graded_pairs(workpiece, &clusters, &shared);
        clusters = join_level(clusters, &pairs, &mut joins, &mut shared);
    }
    Box::new(Dendrogram::new(joins))
}

/// A pair of clusters by their places in the list, the lower first, and what their union grades.
struct Pair {
    places: [u32; 2],
    grade: Grade,
}

/// Faces with a common vertex, each pair once. At a vertex of many faces only followers in the list are paired.
fn shared_vertices(workpiece: &Workpiece<'_>) -> Vec<[u32; 2]> {
    const MOST_AT_ONE_VERTEX: usize = 16;
    let mut at_vertex: Vec<Vec<u32>> = vec![Vec::new(); workpiece.faces.vertices.len()];
    for (face, triangle) in workpiece.faces.triangles.iter().enumerate() {
        for vertex in triangle {
            at_vertex[*vertex as usize].push(face as u32);
        }
    }
    let mut pairs = Vec::new();
    for faces in &at_vertex {
        for (i, a) in faces.iter().enumerate() {
            pairs.extend(faces[i + 1..].iter().take(MOST_AT_ONE_VERTEX).map(|b| ordered(*a, *b)));
        }
    }
    pairs.retain(|[a, b]| a != b);
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn ordered(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// All pairs of neighbours, the best first.
fn graded_pairs(workpiece: &Workpiece<'_>, clusters: &[Cluster], shared: &[[u32; 2]]) -> Vec<Pair> {
    let mut by_code: Vec<u32> = (0..clusters.len() as u32).collect();
    by_code.sort_by_key(|i| (clusters[*i as usize].code, *i));
    let mut places = shared.to_vec();
    for (i, a) in by_code.iter().enumerate() {
        places.extend(by_code[i + 1..].iter().take(WINDOW).map(|b| ordered(*a, *b)));
    }
    places.sort_unstable();
    places.dedup();
    let mut union = Vec::new();
    let mut graded: Vec<Pair> = places
        .into_iter()
        .map(|places| {
            union.clear();
            for i in places {
                union.extend_from_slice(&clusters[i as usize].faces);
            }
            Pair { places, grade: workpiece.judge.grade(&union) }
        })
        .collect();
    // Among equals first those that stand close in the list: equal faces then pair up two by two.
    graded.sort_by_key(|pair| (pair.grade, pair.places[0] ^ pair.places[1], pair.places[0]));
    graded
}

/// The clusters of the next level, in the order of their first members; `shared` is renamed to them.
fn join_level(
    clusters: Vec<Cluster>,
    pairs: &[Pair],
    joins: &mut Joins,
    shared: &mut Vec<[u32; 2]>,
) -> Vec<Cluster> {
    let mut partners: Vec<Option<(u32, f64)>> = vec![None; clusters.len()];
    for Pair { places: [a, b], grade } in pairs {
        if partners[*a as usize].is_none() && partners[*b as usize].is_none() {
            partners[*a as usize] = Some((*b, grade.main()));
            partners[*b as usize] = Some((*a, grade.main()));
        }
    }
    let mut names = vec![0_u32; clusters.len()];
    let mut next: Vec<Cluster> = Vec::with_capacity(clusters.len());
    for (place, cluster) in clusters.into_iter().enumerate() {
        match partners[place] {
            // The first of the pair came before; its name is known.
            Some((other, size)) if (other as usize) < place => {
                let name = names[other as usize];
                let first = &mut next[name as usize];
                first.node = joins.join(first.node, cluster.node, size);
                first.faces.extend(cluster.faces);
                first.code = first.code / 2 + cluster.code / 2;
                names[place] = name;
            }
            _ => {
                names[place] = next.len() as u32;
                next.push(cluster);
            }
        }
    }
    for [a, b] in shared.iter_mut() {
        let renamed = ordered(names[*a as usize], names[*b as usize]);
        (*a, *b) = (renamed[0], renamed[1]);
    }
    shared.retain(|[a, b]| a != b);
    shared.sort_unstable();
    shared.dedup();
    next
}
