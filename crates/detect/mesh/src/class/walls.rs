//! The parts of both bodies' faces as walls between inside and outside.
//!
//! Faces that have a point in common with the other body, that meet their own body where they should not, or that have an
//! edge without exactly one neighbour are cut into tiles; all others are one wall each. Two of these with a common edge are
//! alone there, and all of them that hang together by vertices lie on one side of the other body.

use super::classes::{Touches, look};
use super::tiles::{CutFace, Face, axis_with_area};
use crate::mesh::untouched_pieces;
use crate::solo::Solo;
use crate::space::{Directions, in_view};
use crate::space::{Space, Spot};
use kontakt_answers::Side;
use kontakt_math::Sign;
use std::collections::{BTreeMap, HashMap};

pub(super) const SIDES: [Side; 2] = [Side::A, Side::B];

/// A set of points by where they are: in A, in B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// All of a body.
    All(Side),
    /// What of a body is not in the other.
    Rest(Side),
}

impl Region {
    pub(super) fn has(self, within: [bool; 2]) -> bool {
        match self {
            Region::All(side) => within[side as usize],
            Region::Rest(side) => within[side as usize] && !within[side.other() as usize],
        }
    }
}

/// Which bodies have the points on the two sides of a wall: on the side where `orient` of the face's corners is positive,
/// and on the other. Of an uncut face the sides may be exchanged.
#[derive(Clone, Copy, Debug, Default)]
struct Wall {
    sides: [[bool; 2]; 2],
}

/// All walls. A tile that an earlier face covers too (A before B, then by number) is none: it is the same wall.
pub(super) struct Walls {
    list: Vec<Wall>,
    /// The first wall of each face.
    first: [Vec<u32>; 2],
    /// The cut faces.
    cut: [BTreeMap<u32, CutFace>; 2],
    /// Pairs of uncut faces with a common edge, as walls.
    pub(super) joined: Vec<[u32; 2]>,
    /// A point inside each wall.
    points: HashMap<u32, Spot>,
}

impl Walls {
    pub(super) fn new(space: &Space, touches: &Touches) -> Walls {
        let mut all = Walls {
            list: Vec::new(),
            first: [Vec::new(), Vec::new()],
            cut: [BTreeMap::new(), BTreeMap::new()],
            joined: Vec::new(),
            points: HashMap::new(),
        };
        for side in SIDES {
            all.enter(space, touches, side);
        }
        all
    }

    pub(super) fn len(&self) -> u32 {
        self.list.len() as u32
    }

    pub(super) fn cut(&self, side: Side) -> &BTreeMap<u32, CutFace> {
        &self.cut[side as usize]
    }

    pub(super) fn cut_face(&self, face: Face) -> Option<&CutFace> {
        self.cut[face.0 as usize].get(&face.1)
    }

    /// The wall of a tile of a face, 0 for an uncut one.
    pub(super) fn id(&self, face: Face, tile: usize) -> u32 {
        self.first[face.0 as usize][face.1 as usize] + tile as u32
    }

    /// Whether a wall is on the border of a region.
    pub(super) fn bounds(&self, wall: u32, region: Region) -> bool {
        let [plus, minus] = self.list[wall as usize].sides;
        region.has(plus) != region.has(minus)
    }

    /// Whether the region is on the side of a tile where `orient` of the face's corners is positive.
    pub(super) fn is_on_positive_side(&self, wall: u32, region: Region) -> bool {
        region.has(self.list[wall as usize].sides[0])
    }

    /// A point inside a wall.
    pub(super) fn point(&self, space: &Space, wall: u32) -> Spot {
        if let Some(spot) = self.points.get(&wall) {
            return spot.clone();
        }
        let side = if self.first[1].first().is_some_and(|&first| first <= wall) { Side::B } else { Side::A };
        // Faces without an area have no wall, and share the number of the next face.
        let face = self.first[side as usize].partition_point(|&first| first <= wall).saturating_sub(1);
        inner_point(space, (side, face as u32))
    }

    fn enter(&mut self, space: &Space, touches: &Touches, side: Side) {
        let mesh = space.mesh(side);
        let faces = mesh.faces().triangles().len() as u32;
        let has_area: Vec<bool> =
            (0..faces).map(|face| axis_with_area(space, &space.corners(side, face)).is_some()).collect();
        let edges = edges(space, side, &has_area);
        let mut whole = has_area.clone();
        for face in touches.faces(side).chain(mesh.self_meeting().iter().copied()) {
            whole[face as usize] = false;
        }
        for around in edges.values().filter(|around| around.len() != 2) {
            for &face in around {
                whole[face as usize] = false;
            }
        }
        let mut directions = Directions::new();
        for face in 0..faces {
            self.first[side as usize].push(self.list.len() as u32);
            if whole[face as usize] {
                self.list.push(Wall::default());
            } else if has_area[face as usize] {
                self.enter_cut(space, touches, (side, face), &mut directions);
            }
        }
        for piece in untouched_pieces(mesh, |face| !whole[face as usize]) {
            let Some(&face) = piece.first() else { continue };
            let found = look(space, &inner_point(space, (side, face)), &mut directions);
            let mut sides = [found.odd; 2];
            sides[0][side as usize] = true;
            sides[1][side as usize] = false;
            for face in piece {
                let wall = self.id((side, face), 0);
                self.list[wall as usize] = Wall { sides };
            }
        }
        for around in edges.values() {
            if let [f, g] = around.as_slice()
                && whole[*f as usize]
                && whole[*g as usize]
            {
                self.joined.push([self.id((side, *f), 0), self.id((side, *g), 0)]);
            }
        }
    }

    fn enter_cut(&mut self, space: &Space, touches: &Touches, face: Face, directions: &mut Directions) {
        let (side, number) = face;
        let mut near: Vec<Face> = touches.of(side, number).map(|other| (side.other(), other)).collect();
        let mesh = space.mesh(side);
        let [a, b, c] = mesh.faces().triangle_points(number as usize);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        Solo::new(mesh.tree())
            .in_box(low, high, |slot| near.push((side, mesh.tree().order()[slot as usize])));
        let Some(cut) = CutFace::new(space, face, &near) else { return };
        for tile in &cut.tiles {
            let spot = cut.inner_point(space, tile);
            let mut wall = Wall::default();
            let earlier = |other: Face| (other.0 as usize, other.1) < (side as usize, number);
            let doubled = cut
                .flat
                .iter()
                .any(|(other, corners)| earlier(*other) && in_view(space, cut.view.axis, &spot, corners));
            if !doubled {
                let found = look(space, &spot, directions);
                let beyond = [0, 1].map(|k: usize| found.odd[k] ^ (found.covering[k] % 2 == 1));
                let [a, b, c] = &cut.view.corners;
                // `orient` of a point is positive against the normal, (b−a)×(c−a).
                let ahead = space.line_side(found.direction, a, b, c) == Sign::Negative;
                wall.sides = if ahead { [found.odd, beyond] } else { [beyond, found.odd] };
            }
            self.points.insert(self.list.len() as u32, spot);
            self.list.push(wall);
        }
        self.cut[side as usize].insert(number, cut);
    }
}

/// The faces with an area at each edge.
fn edges(space: &Space, side: Side, has_area: &[bool]) -> BTreeMap<[u32; 2], Vec<u32>> {
    let mesh = space.mesh(side);
    let mut edges: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for (face, triangle) in mesh.faces().triangles().iter().enumerate() {
        if has_area[face] {
            let places = triangle.map(|v| mesh.solid().place(v));
            for k in 0..3 {
                let (p, q) = (places[k], places[(k + 1) % 3]);
                edges.entry([p.min(q), p.max(q)]).or_default().push(face as u32);
            }
        }
    }
    edges
}

/// The middle of a face.
fn inner_point(space: &Space, face: Face) -> Spot {
    let corners = space.corners(face.0, face.1).map(|spot| space.exact(&spot));
    // The corners of one body have the same weight.
    let three = crate::space::exact(3.0);
    Spot::made(std::array::from_fn(|i| {
        let sum = &(&corners[0][i] + &corners[1][i]) + &corners[2][i];
        if i == 3 { &corners[0][3] * &three } else { sum }
    }))
}
