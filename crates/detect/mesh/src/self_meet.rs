//! Where a body meets itself.

use crate::face::{Between, Meeting, meeting};
use crate::mesh::Mesh;
use crate::pairs::FacePair;
use crate::solo::Solo;
use kontakt_answers::Visits;
use kontakt_math::{DVec3, Pose};

/// Pairs of triangles of one body that meet beyond their common corners and edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelfMeetings {
    /// Each pair once, the smaller id in `a`; sorted.
    pub pairs: Vec<FacePair>,
    /// Whether these are all; if not, they are the first of all.
    pub complete: bool,
}

impl Mesh {
    /// The pairs of triangles that meet where they should not, **exact**, at most `max_pairs` of them. Vertices at one place
    /// count as one. Two triangles with
    ///
    /// - no common vertex: have a common point;
    /// - one common vertex: have another common point;
    /// - a common edge: overlap in one plane (are folded onto each other);
    /// - three common vertices: are duplicates.
    ///
    /// Triangles without area are left out: `Topology` reports them.
    pub fn self_intersections(&self, max_pairs: usize) -> SelfMeetings {
        let identity = Between::new(Pose::IDENTITY, Pose::IDENTITY);
        let mut visits = Visits::default();
        let mut found = SelfMeetings { pairs: Vec::new(), complete: true };
        let mut near = Vec::new();
        for face in 0..self.faces.triangles().len() as u32 {
            self.near_later(face, &mut near);
            for &other in &near {
                if self.meets_itself(&identity, face, other, &mut visits) {
                    if found.pairs.len() == max_pairs {
                        found.complete = false;
                        return found;
                    }
                    found.pairs.push(FacePair { a: face, b: other });
                }
            }
        }
        found
    }

    /// The faces that meet others so, ascending.
    pub(crate) fn self_meeting_faces(&self) -> Vec<u32> {
        let identity = Between::new(Pose::IDENTITY, Pose::IDENTITY);
        let mut visits = Visits::default();
        let faces = self.faces.triangles().len() as u32;
        let mut met = vec![false; faces as usize];
        let mut near = Vec::new();
        for face in 0..faces {
            self.near_later(face, &mut near);
            for &other in &near {
                let known = met[face as usize] && met[other as usize];
                if !known && self.meets_itself(&identity, face, other, &mut visits) {
                    met[face as usize] = true;
                    met[other as usize] = true;
                }
            }
        }
        (0..faces).filter(|&face| met[face as usize]).collect()
    }

    /// The faces after one whose boxes meet its box, ascending.
    fn near_later(&self, face: u32, near: &mut Vec<u32>) {
        let [a, b, c] = self.faces.triangle_points(face as usize);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        near.clear();
        Solo::new(&self.tree).in_box(low, high, |slot| {
            let other = self.tree.order()[slot as usize];
            if other > face && self.boxes_meet(low, high, other) {
                near.push(other);
            }
        });
        near.sort_unstable();
    }

    fn boxes_meet(&self, low: DVec3, high: DVec3, other: u32) -> bool {
        let [a, b, c] = self.faces.triangle_points(other as usize);
        low.cmple(a.max(b).max(c)).all() && high.cmpge(a.min(b).min(c)).all()
    }

    /// Why the two edges opposite a common vertex p decide: the common points are convex, so with a second one x the segment
    /// from p to x is common. Prolonged from p it leaves one of the triangles first, through the edge opposite p, at a
    /// point of the other.
    fn meets_itself(&self, identity: &Between, face: u32, other: u32, visits: &mut Visits) -> bool {
        let solid = self.solid();
        let ids = |f: u32| self.faces.triangles()[f as usize].map(|v| solid.place(v));
        let (p, q) = (ids(face), ids(other));
        let (x, y) = (self.faces.triangle_points(face as usize), self.faces.triangle_points(other as usize));
        let has_area =
            |t: [DVec3; 3], visits: &mut Visits| meeting(identity, t, t, visits) == Meeting::Coplanar;
        let common: Vec<(usize, usize)> =
            (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).filter(|&(i, j)| p[i] == q[j]).collect();
        let met = match common.as_slice() {
            [] => meeting(identity, x, y, visits).meets(),
            [(i, j)] => {
                let opposite = |t: [DVec3; 3], k: usize| [t[(k + 1) % 3], t[(k + 2) % 3], t[(k + 2) % 3]];
                meeting(identity, opposite(x, *i), y, visits).meets()
                    || meeting(identity, x, opposite(y, *j), visits).meets()
            }
            [_, _] => meeting(identity, x, y, visits) == Meeting::Coplanar,
            _ => true,
        };
        met && has_area(x, visits) && has_area(y, visits)
    }
}
