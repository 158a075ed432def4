//! Which faces of two bodies have common points, by face of either body.
//!
//! Two kinds of pairs tell nothing that others do not, and there are many of them where bodies are made of fans or of the same
//! triangle again and again. A pair with one corner and nothing else in common cuts neither face: round the common hub of two
//! fans of n faces there are n² such pairs. And a face with the very corners of another, its *twin*, cuts what that one
//! cuts. Both count as touched; neither is in the lists.

use crate::face::{Meeting, Touch};
use crate::face_pair::{FacePair, Touching};
use crate::mesh::Mesh;
use crate::space::Space;
use kontakt_answers::Side;

/// A face that touches nothing.
const FREE: u32 = u32::MAX;

/// The pairs of touching faces, by face of either body.
pub(crate) struct Touches {
    /// (face, face of the other body) of pairs that may cut each other, sorted; for A and for B. Of twins the first alone.
    lists: [Vec<(u32, u32)>; 2],
    /// How those meet, as far as that is known, in A's order.
    meetings: Vec<Option<Meeting>>,
    /// For each touched face the first of its twins, for others [`FREE`].
    first: [Vec<u32>; 2],
    none: bool,
}

impl Touches {
    pub(crate) fn new(space: &Space, touching: &Touching) -> Touches {
        let mut first = [Side::A, Side::B].map(|side| vec![FREE; space.mesh(side).faces().triangles().len()]);
        for pair in &touching.pairs {
            first[0][pair.a as usize] = pair.a;
            first[1][pair.b as usize] = pair.b;
        }
        for side in [Side::A, Side::B] {
            let touched: Vec<u32> = touched(&first[side as usize]).collect();
            for (face, twin) in twins(space.mesh(side), touched) {
                first[side as usize][face as usize] = twin;
            }
        }
        let cutting = |(pair, kind): (&FacePair, &Touch)| {
            let is_first = first[0][pair.a as usize] == pair.a && first[1][pair.b as usize] == pair.b;
            match *kind {
                Touch::More(how) if is_first => Some(((pair.a, pair.b), how)),
                _ => None,
            }
        };
        let (of_a, meetings): (Vec<(u32, u32)>, Vec<Option<Meeting>>) =
            touching.pairs.iter().zip(&touching.kinds).filter_map(cutting).unzip();
        let mut of_b: Vec<(u32, u32)> = of_a.iter().map(|&(a, b)| (b, a)).collect();
        of_b.sort_unstable();
        Touches { lists: [of_a, of_b], meetings, first, none: touching.pairs.is_empty() }
    }

    /// Whether nothing touches.
    pub(super) fn is_empty(&self) -> bool {
        self.none
    }

    /// The pairs that may cut each other: no crossing pair is missing but those of twins.
    pub(crate) fn cutting(&self) -> impl Iterator<Item = FacePair> + '_ {
        self.lists[0].iter().map(|&(a, b)| FacePair { a, b })
    }

    /// The same with how they meet, as far as that is known.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (FacePair, Option<Meeting>)> + '_ {
        self.cutting().zip(self.meetings.iter().copied())
    }

    /// Faces of the other body that may cut a face; twins cut alike.
    pub(crate) fn of(&self, side: Side, face: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        let list = &self.lists[side as usize];
        let face = self.first[side as usize].get(face as usize).copied().unwrap_or(FREE);
        let start = list.partition_point(|entry| entry.0 < face);
        let end = list.partition_point(|entry| entry.0 <= face);
        list[start..end].iter().map(|entry| entry.1)
    }

    /// Whether a face touches the other body.
    pub(crate) fn touched(&self, side: Side, face: u32) -> bool {
        self.first[side as usize][face as usize] != FREE
    }

    /// The touched faces of a body, ascending.
    pub(crate) fn faces(&self, side: Side) -> impl Iterator<Item = u32> + '_ {
        touched(&self.first[side as usize])
    }

    /// The touched faces of a body without later twins, ascending.
    pub(super) fn distinct_faces(&self, side: Side) -> impl Iterator<Item = u32> + '_ {
        let first = &self.first[side as usize];
        self.faces(side).filter(|&face| first[face as usize] == face)
    }
}

fn touched(first: &[u32]) -> impl Iterator<Item = u32> + '_ {
    (0..first.len() as u32).filter(|&face| first[face as usize] != FREE)
}

/// The corners of a face by places, smallest first.
pub(super) fn corner_places(mesh: &Mesh, face: u32) -> [u32; 3] {
    let mut places = mesh.faces().triangles()[face as usize].map(|v| mesh.solid().place(v));
    places.sort_unstable();
    places
}

/// Each of some faces with the first of them that has the same corners.
fn twins(mesh: &Mesh, faces: Vec<u32>) -> impl Iterator<Item = (u32, u32)> {
    let mut known: Vec<([u32; 3], u32)> =
        faces.into_iter().map(|face| (corner_places(mesh, face), face)).collect();
    known.sort_unstable();
    let mut first = 0;
    (0..known.len()).map(move |k| {
        if k > 0 && known[k - 1].0 != known[k].0 {
            first = k;
        }
        (known[k].1, known[first].1)
    })
}
