//! Consistent penetration depth (`heidelberger2004`).
//!
//! Colliding vertices beside a vertex that does not collide are the border: where the edge between them leaves the other body's
//! surface, place and normal are exact, and depth and direction come from all such edges, weighed by 1/distance². Further in, both are
//! passed on from neighbours that have them, weighed alike. So directions change slowly over the colliding vertices.

use super::hash::Inside;
use kontakt_math::DVec3;
use kontakt_soft::Loose;

/// A vertex, where it is inside, and the way out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// The vertex and a tetrahedron that holds it.
    pub inside: Inside,
    /// How far.
    pub depth: f64,
    /// Which way, of length 1.
    pub direction: DVec3,
}

/// Depths of vertices that lie inside. A vertex that no chain of edges of its body joins to one outside has none: the method does not
/// know the way out.
pub fn penetrations(world: &Loose, inside: &[Inside]) -> Vec<Penetration> {
    // Of several tetrahedra that hold a vertex the first counts.
    let mut of_vertex: Vec<Option<usize>> = vec![None; world.places.len()];
    for (i, one) in inside.iter().enumerate() {
        let own = &mut of_vertex[one.vertex as usize];
        *own = own.or(Some(i));
    }
    let mut state: Vec<Option<(f64, DVec3)>> = vec![None; world.places.len()];
    let edges: Vec<[u32; 2]> = edges_at(world, |v| of_vertex[v as usize].is_some());
    let mut sums: Vec<Sum> = vec![Sum::default(); world.places.len()];
    for &[p, q] in &edges {
        let (deep, out) = match (of_vertex[p as usize], of_vertex[q as usize]) {
            (Some(i), None) => (i, [p, q]),
            (None, Some(i)) => (i, [q, p]),
            _ => continue,
        };
        let held_by = world.tetrahedra()[inside[deep].tetrahedron as usize][0];
        if let Some((at, normal)) = leaves(world, out, world.bodies()[held_by as usize]) {
            let from = world.places[out[0] as usize];
            sums[out[0] as usize].add(at - from, (at - from).dot(normal), normal);
        }
    }
    let mut front: Vec<u32> = (0..sums.len() as u32).filter(|&v| sums[v as usize].weight > 0.0).collect();
    while !front.is_empty() {
        for &v in &front {
            state[v as usize] = sums[v as usize].mean();
        }
        // Neighbours that have nothing yet.
        let mut reached = Vec::new();
        let mut fresh: Vec<Sum> = vec![Sum::default(); sums.len()];
        for &[p, q] in &edges {
            for [from, to] in [[p, q], [q, p]] {
                let (Some((depth, direction)), None, Some(_)) =
                    (state[from as usize], state[to as usize], of_vertex[to as usize])
                else {
                    continue;
                };
                let way = world.places[from as usize] - world.places[to as usize];
                fresh[to as usize].add(way, way.dot(direction) + depth, direction);
                reached.push(to);
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached.retain(|&v| fresh[v as usize].weight > 0.0);
        for &v in &reached {
            sums[v as usize] = fresh[v as usize];
        }
        front = reached;
        front.retain(|&v| sums[v as usize].mean().is_some());
    }
    let known = |i: &usize| {
        let (depth, direction) = state[inside[*i].vertex as usize]?;
        (depth > 0.0).then_some(Penetration { inside: inside[*i], depth, direction })
    };
    of_vertex.iter().flatten().filter_map(known).collect()
}

/// Weighed means.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    weight: f64,
    depth: f64,
    direction: DVec3,
}

impl Sum {
    fn add(&mut self, way: DVec3, depth: f64, direction: DVec3) {
        let weight = way.length_squared().recip();
        if weight.is_finite() && depth.is_finite() && direction.is_finite() {
            self.weight += weight;
            self.depth += weight * depth;
            self.direction += direction * weight;
        }
    }

    fn mean(&self) -> Option<(f64, DVec3)> {
        let direction = self.direction.try_normalize()?;
        (self.weight > 0.0).then_some((self.depth / self.weight, direction))
    }
}

/// Edges of tetrahedra with a wanted vertex, each once.
fn edges_at(world: &Loose, wanted: impl Fn(u32) -> bool) -> Vec<[u32; 2]> {
    const PAIRS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    let of = |t: &[u32; 4]| PAIRS.map(|[i, j]| [t[i].min(t[j]), t[i].max(t[j])]);
    let all = world.tetrahedra().iter().filter(|t| t.iter().any(|&v| wanted(v))).flat_map(of);
    let mut edges: Vec<[u32; 2]> = all.collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Where an edge, from a vertex inside a body to one outside, leaves its surface first, and the outer normal there.
fn leaves(world: &Loose, [from, to]: [u32; 2], body: u32) -> Option<(DVec3, DVec3)> {
    let (p, q) = (world.places[from as usize], world.places[to as usize]);
    let own = |face: &&[u32; 3]| world.bodies()[face[0] as usize] == body;
    let mut first: Option<(f64, DVec3)> = None;
    for face in world.surface().triangles().iter().filter(own) {
        if face.contains(&from) || face.contains(&to) {
            continue;
        }
        let [a, b, c] = face.map(|v| world.places[v as usize]);
        let normal = (b - a).cross(c - a);
        let (start, end) = (normal.dot(p - a), normal.dot(q - a));
        if !(start < 0.0 && end >= 0.0) {
            continue;
        }
        let t = start / (start - end);
        let r = p + (q - p) * t - a;
        let (e, g) = (b - a, c - a);
        let square = normal.length_squared();
        let (x, y) = (r.cross(g).dot(normal) / square, e.cross(r).dot(normal) / square);
        if x >= 0.0 && y >= 0.0 && x + y <= 1.0 && first.is_none_or(|(least, _)| t < least) {
            first = Some((t, normal / square.sqrt()));
        }
    }
    first.map(|(t, normal)| (p + (q - p) * t, normal))
}
