//! Whether what one body leaves of another hangs together as before.
//!
//! **Definition.** With open solids `O_A`, `O_B` (up to their faces), A is *cut* by B when some connected component of
//! `O_A` contains points of two components of `O_A` ∖ B.
//!
//! **How components are told apart.** A region (an open set with walls as its border) is looked at from inside: each wall's side
//! towards the region is joined, round every edge, to the next wall beyond the region's wedge there. The joined sides
//! make closed surfaces, the *shells* of the region: moved a little into the region (and closed by small discs where only
//! points are common) they are disjoint and closed, and the region is what lies between them. Disjoint
//! closed connected surfaces cut space into parts that are told apart by the surfaces that enclose them: two points of the
//! region are in one component exactly when the same shells enclose both. Every component has a shell, so a point
//! next to each shell shows all components.

use super::classes::Touches;
use super::tiles::{CutFace, Face, axis_with_area};
use super::walls::{Region, SIDES, Walls};
use crate::space::{Directions, Hit, hits};
use crate::space::{Space, Spot};
use kontakt_math::{DVec3, Sign};
use kontakt_shapes::DisjointSets;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Shells, as the roots of their walls.
type Shells = BTreeSet<u32>;

/// Whether one of two solids is cut by the other: **exact**.
pub(super) fn cut(space: &Space, touches: &Touches) -> bool {
    let walls = Walls::new(space, touches);
    let regions = SIDES.map(|side| [Region::All(side), Region::Rest(side)]);
    let mut glue = regions.map(|pair| pair.map(|region| (region, DisjointSets::new(walls.len() as usize))));
    {
        let mut all: Vec<&mut (Region, DisjointSets)> = glue.iter_mut().flatten().collect();
        for &[f, g] in &walls.joined {
            for (_, sets) in &mut all {
                sets.join(f, g);
            }
        }
        for side in SIDES {
            for (&face, cut) in walls.cut(side) {
                glue_face(space, &walls, (side, face), cut, &mut all);
            }
        }
    }
    glue.iter_mut().any(|[(all, whole), (rest, left)]| is_cut(space, &walls, [*all, *rest], [whole, left]))
}

/// Joins all tiles of a face to the walls beyond each of their edges.
fn glue_face(
    space: &Space,
    walls: &Walls,
    face: Face,
    cut: &CutFace,
    all: &mut [&mut (Region, DisjointSets)],
) {
    for (number, tile) in cut.tiles.iter().enumerate() {
        let wall = walls.id(face, number);
        if !all.iter().any(|(region, _)| walls.bounds(wall, *region)) {
            continue;
        }
        for edge in (0..tile.edges.len()).filter(|_| space.goes_on()) {
            for spot in cut.edge_samples(space, tile, edge) {
                let ring = Ring::new(space, walls, (face, cut), tile.edges[edge], &spot);
                for (region, sets) in all.iter_mut() {
                    if walls.bounds(wall, *region)
                        && let Some(next) =
                            ring.next(walls, *region, walls.is_on_positive_side(wall, *region))
                    {
                        sets.join(wall, next);
                    }
                }
            }
        }
    }
}

/// The walls round a line at one point of it, in order of their angle from one tile.
struct Ring {
    walls: Vec<u32>,
    /// Whether the angle grows towards the positive side of the tile.
    positive: bool,
}

/// Half of a face, cut by a line in its plane.
struct HalfFace {
    /// A point on this side of the line.
    witness: Spot,
    wall: u32,
    /// 1 for angles from the tile below π, 2 for π, 3 beyond.
    turn: u8,
}

impl Ring {
    /// At a point of a tile's edge (line, and side of the tile) that is no break of the line: every face that contains the
    /// point contains the line about it.
    fn new(
        space: &Space,
        walls: &Walls,
        (face, cut): (Face, &CutFace),
        (line, own): (usize, Sign),
        spot: &Spot,
    ) -> Ring {
        let [p, q] = &cut.lines[line].ends;
        let [a, b, c] = &cut.view.corners;
        let positive = own == cut.inner(space);
        let mut halves: Vec<HalfFace> = Vec::new();
        // The tile is convex and not on the line, so its face has a corner on its side.
        let witness = [a, b, c].into_iter().find(|corner| cut.turn(space, line, corner) == own).unwrap_or(a);
        let mut faces = cut.faces_at(space, line, spot);
        faces.push(face);
        for other in faces {
            let corners = space.corners(other.0, other.1);
            let Some(view) = axis_with_area(space, &corners) else { continue };
            for side in [Sign::Positive, Sign::Negative] {
                let Some(far) = corners.iter().find(|corner| space.turn(view, p, q, corner) == side) else {
                    continue;
                };
                let turn = match space.orient(p, q, witness, far) {
                    Sign::Positive => 1,
                    Sign::Negative => 3,
                    // The tile itself, or what covers it.
                    Sign::Zero if cut.turn(space, line, far) == own => continue,
                    Sign::Zero => 2,
                };
                let tile = tile_at(space, walls, other, [p, q], spot, far);
                halves.extend(tile.map(|wall| HalfFace { witness: far.clone(), wall, turn }));
            }
        }
        halves.sort_by(|f, g| {
            f.turn.cmp(&g.turn).then_with(|| match space.orient(p, q, &f.witness, &g.witness) {
                _ if f.turn == 2 => Ordering::Equal,
                Sign::Positive => Ordering::Less,
                Sign::Zero => Ordering::Equal,
                Sign::Negative => Ordering::Greater,
            })
        });
        Ring { walls: halves.into_iter().map(|half| half.wall).collect(), positive }
    }

    /// The wall of a region next to the tile on its positive side, or on the other.
    fn next(&self, walls: &Walls, region: Region, positive: bool) -> Option<u32> {
        let mut bounding = self.walls.iter().copied().filter(|&wall| walls.bounds(wall, region));
        if positive == self.positive { bounding.next() } else { bounding.next_back() }
    }
}

/// The wall of a face that contains the points next to `spot`, which is on the line through p and q, on the side of `far`.
/// Where several tiles do, no wall is between them.
fn tile_at(
    space: &Space,
    walls: &Walls,
    face: Face,
    [p, q]: [&Spot; 2],
    spot: &Spot,
    far: &Spot,
) -> Option<u32> {
    let Some(cut) = walls.cut_face(face) else { return Some(walls.id(face, 0)) };
    let axis = cut.view.axis;
    let side = space.turn(axis, p, q, far);
    let found = cut.tiles.iter().position(|tile| {
        tile.corners.iter().any(|corner| space.turn(axis, p, q, corner) == side)
            && cut.contains(space, tile, spot)
    })?;
    Some(walls.id(face, found))
}

/// Whether one component of a body holds several components of the rest of it.
fn is_cut(
    space: &Space,
    walls: &Walls,
    [all, rest]: [Region; 2],
    [whole, left]: [&mut DisjointSets; 2],
) -> bool {
    let shells: Shells =
        (0..walls.len()).filter(|&wall| walls.bounds(wall, rest)).map(|wall| left.root(wall)).collect();
    if shells.len() < 2 {
        return false;
    }
    let mut directions = Directions::new();
    let mut components: BTreeMap<Shells, Shells> = BTreeMap::new();
    shells.into_iter().any(|shell| {
        let spot = walls.point(space, shell);
        let [outer, inner] = loop {
            if let Some(found) = around(space, walls, &spot, directions.next(), rest) {
                break [(all, &mut *whole), (rest, &mut *left)].map(|(region, sets)| {
                    let mut enclosing = Shells::new();
                    for &wall in found.iter().filter(|&&wall| walls.bounds(wall, region)) {
                        let root = sets.root(wall);
                        if !enclosing.remove(&root) {
                            enclosing.insert(root);
                        }
                    }
                    enclosing
                });
            }
        };
        *components.entry(outer).or_insert_with(|| inner.clone()) != inner
    })
}

/// The walls that a ray from a point of a wall meets, into the side on which the region is; `None` when it meets the rim of one.
fn around(space: &Space, walls: &Walls, spot: &Spot, direction: DVec3, region: Region) -> Option<Vec<u32>> {
    for direction in [direction, -direction] {
        let mut found = Vec::new();
        let mut odd = [false; 2];
        for side in SIDES {
            let mut clear = true;
            hits(space, side, spot, direction, |number, hit| {
                clear = match hit {
                    Hit::Ahead => {
                        odd[side as usize] = !odd[side as usize];
                        let wall = tile_ahead(space, walls, (side, number), spot, direction);
                        found.extend(wall);
                        wall.is_some()
                    }
                    Hit::Beside | Hit::Covers => true,
                    Hit::Rim => false,
                };
                clear
            });
            if !clear {
                return None;
            }
        }
        if region.has(odd) || space.is_over() {
            return Some(found);
        }
    }
    None
}

/// The wall of a face through which a line passes; `None` when it meets the rim of a tile.
fn tile_ahead(space: &Space, walls: &Walls, face: Face, spot: &Spot, direction: DVec3) -> Option<u32> {
    let Some(cut) = walls.cut_face(face) else { return Some(walls.id(face, 0)) };
    for (number, tile) in cut.tiles.iter().enumerate() {
        let n = tile.corners.len();
        let sides: Vec<Sign> = (0..n)
            .map(|i| space.line_side(direction, spot, &tile.corners[i], &tile.corners[(i + 1) % n]))
            .collect();
        if !(sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative)) {
            return (!sides.contains(&Sign::Zero)).then(|| walls.id(face, number));
        }
    }
    None
}
