//! The cells and panels of all planes of two bodies.

use super::Triangle;
use super::integers::{Fraction, Plane, Spot, Wide, add, cross, dot, minus, mul, normal, times, wide};
use std::collections::{BTreeMap, BTreeSet};

/// Space cut by all planes.
pub struct Arrangement {
    /// Cells by the signs of all planes, one bit each: whether they are in A, in B.
    pub cells: BTreeMap<u128, [bool; 2]>,
    /// All panels.
    pub panels: Vec<Panel>,
    /// How many planes there are.
    pub planes: usize,
}

/// A part of a plane between two cells.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// Whether faces of A, of B cover it.
    pub covered: [bool; 2],
    /// Whether the two cells beside it are in A, in B.
    pub beside: [[bool; 2]; 2],
}

/// A point moved a little along the first direction, and far less along the second.
struct Moved {
    spot: Spot,
    moves: [Wide; 2],
}

impl Moved {
    /// Sign of gradient·x + offset.
    fn sign(&self, gradient: Wide, offset: i128) -> i128 {
        let value = add(dot(gradient, self.spot.place), mul(offset, self.spot.weight));
        if value != 0 {
            return value.signum();
        }
        let [first, second] = self.moves;
        let change = dot(gradient, first);
        if change == 0 { dot(gradient, second).signum() } else { change.signum() }
    }
}

/// What is asked about.
struct Scene<'a> {
    bodies: [&'a [Triangle]; 2],
    /// Which of them have an inside.
    closed: [bool; 2],
    planes: Vec<Plane>,
    /// The faces in each plane, of A and of B.
    faces: Vec<[Vec<Triangle>; 2]>,
}

impl Arrangement {
    /// Of two bodies; `closed` says which of them have an inside.
    ///
    /// # Panics
    /// If there are more than 128 planes, or numbers beyond 128 bits: an oracle for few faces and small coordinates.
    pub fn new(bodies: [&[Triangle]; 2], closed: [bool; 2]) -> Arrangement {
        let planes = planes(bodies);
        assert!(planes.len() <= 128, "an oracle for few faces");
        let within = |plane: &Plane| {
            let held = |t: &&Triangle| normal(**t) != [0; 3] && t.iter().all(|&corner| plane.holds(corner));
            bodies.map(|body| body.iter().filter(held).copied().collect())
        };
        let faces = planes.iter().map(within).collect();
        let mut all = Arrangement { cells: BTreeMap::new(), panels: Vec::new(), planes: planes.len() };
        let scene = Scene { bodies, closed, planes, faces };
        let mut seen = BTreeSet::new();
        for (i, p) in scene.planes.iter().enumerate() {
            for (j, q) in scene.planes.iter().enumerate().take(i) {
                let along = cross(p.normal, q.normal);
                if along == [0; 3] {
                    continue;
                }
                for spot in middles(&scene.planes, &on_both(p, q, along), along) {
                    for plane in [i, j] {
                        let into = cross(scene.planes[plane].normal, along);
                        for into in [into, times(-1, into)] {
                            all.look(&scene, plane, &spot, into, &mut seen);
                        }
                    }
                }
            }
        }
        all
    }

    /// Looks at the panel of a plane that is `into` from a spot of a line, if it was not seen before. A panel is named by the signs
    /// of the other planes.
    fn look(
        &mut self,
        Scene { bodies, closed, planes, faces }: &Scene,
        plane: usize,
        spot: &Spot,
        into: Wide,
        seen: &mut BTreeSet<(usize, u128)>,
    ) {
        let here = Moved { spot: *spot, moves: [into, [0; 3]] };
        let bit = |k: usize| u128::from(here.sign(planes[k].normal, planes[k].offset) > 0) << k;
        let panel = (0..planes.len()).map(bit).fold(0, |all, bit| all | bit);
        if !seen.insert((plane, panel)) {
            return;
        }
        let across = planes[plane].normal;
        let beside = [(panel, times(-1, across)), (panel | 1 << plane, across)].map(|(cell, aside)| {
            let moved = Moved { spot: *spot, moves: [into, aside] };
            let look = || [0, 1].map(|k: usize| closed[k] && is_odd(bodies[k], &moved));
            *self.cells.entry(cell).or_insert_with(look)
        });
        let covers = |t: &Triangle| {
            let normal = normal(*t);
            (0..3).all(|k| {
                let [from, to] = [t[k], t[(k + 1) % 3]].map(wide);
                let inward = cross(normal, minus(to, from));
                here.sign(inward, -dot(inward, from)) >= 0
            })
        };
        let covered = [0, 1].map(|k: usize| faces[plane][k].iter().any(covers));
        self.panels.push(Panel { covered, beside });
    }

    /// Whether some connected component of body `k` has points in several components of what the other leaves of it.
    pub fn is_cut(&self, k: usize) -> bool {
        let whole = self.components(|within| within[k]);
        let left = self.components(|within| within[k] && !within[1 - k]);
        let mut piece_of: BTreeMap<u128, u128> = BTreeMap::new();
        left.iter().any(|(cell, piece)| *piece_of.entry(whole[cell]).or_insert(*piece) != *piece)
    }

    /// The cells of a region, each with the first cell of its component. Two cells are neighbours when one plane tells them
    /// apart.
    fn components(&self, has: impl Fn([bool; 2]) -> bool) -> BTreeMap<u128, u128> {
        let mut component = BTreeMap::new();
        for (&first, &within) in &self.cells {
            if !has(within) || component.contains_key(&first) {
                continue;
            }
            let mut open = vec![first];
            component.insert(first, first);
            while let Some(cell) = open.pop() {
                for next in (0..self.planes).map(|plane| cell ^ 1 << plane) {
                    let inside = self.cells.get(&next).is_some_and(|&within| has(within));
                    if inside && !component.contains_key(&next) {
                        component.insert(next, first);
                        open.push(next);
                    }
                }
            }
        }
        component
    }
}

/// The planes of all faces with an area, and one upright on each face at every rim that no plane holds but the face's own. The
/// edge between two faces that together cover both of its sides in one plane is no rim.
fn planes(bodies: [&[Triangle]; 2]) -> Vec<Plane> {
    let mut planes: Vec<Plane> = Vec::new();
    let enter = |plane: Option<Plane>, planes: &mut Vec<Plane>| {
        planes.extend(plane.filter(|plane| !planes.contains(plane)));
    };
    for t in bodies.into_iter().flatten() {
        enter(Plane::through(normal(*t), t[0]), &mut planes);
    }
    for body in bodies {
        for t in body {
            let Some(own) = Plane::through(normal(*t), t[0]) else { continue };
            for k in 0..3 {
                let (from, to) = (t[k], t[(k + 1) % 3]);
                let held = planes.iter().any(|plane| *plane != own && plane.holds(from) && plane.holds(to));
                let upright = cross(own.normal, minus(wide(to), wide(from)));
                if !held && !goes_on(body, &own, [from, to], upright) {
                    enter(Plane::through(upright, from), &mut planes);
                }
            }
        }
    }
    planes
}

/// Whether exactly two faces are at an edge, both in the plane, on either side of it.
fn goes_on(body: &[Triangle], plane: &Plane, edge: [super::Point; 2], upright: Wide) -> bool {
    let at_edge: Vec<i128> = body
        .iter()
        .filter(|t| edge.iter().all(|end| t.contains(end)))
        .map(|t| {
            let flat = t.iter().all(|&corner| plane.holds(corner));
            let side = |&corner: &super::Point| dot(upright, minus(wide(corner), wide(edge[0]))).signum();
            if flat { t.iter().map(side).sum() } else { 0 }
        })
        .collect();
    matches!(at_edge.as_slice(), [1, -1] | [-1, 1])
}

/// A point of both planes, on the coordinate plane that their line crosses: two equations for two numbers.
fn on_both(p: &Plane, q: &Plane, along: Wide) -> Spot {
    let k = (0..3).find(|&k| along[k] != 0).unwrap_or(0);
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let minor = |k: usize| add(mul(p.normal[k], q.offset), -mul(q.normal[k], p.offset));
    let mut place = [0; 3];
    place[i] = minor(j) * along[k].signum();
    place[j] = -minor(i) * along[k].signum();
    Spot { place, weight: along[k].abs() }
}

/// A point of each piece into which the planes cut a line.
fn middles(planes: &[Plane], base: &Spot, along: Wide) -> Vec<Spot> {
    let mut cuts: Vec<Fraction> = planes
        .iter()
        .filter_map(|plane| {
            let change = mul(dot(plane.normal, along), base.weight);
            (change != 0).then(|| Fraction::new(-plane.at(base), change))
        })
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return vec![*base] };
    let mut places = vec![Fraction::whole(first.floor() - 1), Fraction::whole(last.floor() + 2)];
    places.extend(cuts.windows(2).map(|pair| Fraction::between(pair[0], pair[1])));
    places.into_iter().map(|t| base.along(along, t)).collect()
}

/// Whether a point off all faces is inside a closed body.
pub(super) fn is_inside(body: &[Triangle], spot: &Spot) -> bool {
    is_odd(body, &Moved { spot: *spot, moves: [[0; 3]; 2] })
}

/// Whether a ray from the point crosses an odd number of faces. Directions whose ray meets a rim are passed over.
fn is_odd(body: &[Triangle], from: &Moved) -> bool {
    let mut state = 1_u64;
    loop {
        let direction: Wide = std::array::from_fn(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from((state >> 40) % 41) - 20
        });
        if let Some(odd) = crossings(body, from, direction) {
            return odd;
        }
    }
}

fn crossings(body: &[Triangle], from: &Moved, direction: Wide) -> Option<bool> {
    let mut odd = false;
    for t in body.iter().filter(|t| normal(**t) != [0; 3]) {
        // det(u, v − x, w − x) = u·(v × w) + x·((v − w) × u)
        let sides = [0, 1, 2].map(|k: usize| {
            let [v, w] = [t[k], t[(k + 1) % 3]].map(wide);
            from.sign(cross(minus(v, w), direction), dot(direction, cross(v, w)))
        });
        if sides.contains(&1) && sides.contains(&-1) {
            continue;
        }
        if sides.contains(&0) {
            return None;
        }
        let normal = normal(*t);
        let height = from.sign(normal, -dot(normal, wide(t[0])));
        odd ^= height * dot(normal, direction).signum() < 0;
    }
    Some(odd)
}
