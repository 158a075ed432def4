//! Splitting rules: one file a rule, and the one list of them.
//!
//! A file holds a type that implements [`Rule`] and a list `METHODS`: the names under which it can be chosen, each with a
//! line that explains it and how it is made. `median.rs` is a short one to start from.

mod bottom_up;
mod branch_and_bound;
mod centres;
mod gottschalk;
mod growing;
mod hochbaum_shmoys;
mod klosowski;
mod linear;
mod median;
mod octree;
mod ploc;
mod sah;
mod steiner;
mod zachmann;

/// What each file offers; the first of all is the default. **A new rule is a file, its `mod` line, and its line here.**
pub(super) const RULES: &[&[Method]] = &[
    sah::METHODS,
    steiner::METHODS,
    ploc::METHODS,
    linear::METHODS,
    median::METHODS,
    gottschalk::METHODS,
    zachmann::METHODS,
    hochbaum_shmoys::METHODS,
    centres::METHODS,
    growing::METHODS,
    klosowski::METHODS,
    octree::METHODS,
    bottom_up::METHODS,
    branch_and_bound::METHODS,
];

use super::grade::Grade;
use super::method::Method;
use super::workpiece::Workpiece;
use kontakt_math::DVec3;

/// Parts the faces of a node.
pub trait Rule {
    /// Deals the faces of `set` out to at most `parts` ≥ 2 parts, or says that it cannot. `set` has at least two faces.
    /// Parts may stay empty; an answer that leaves all faces together counts as "cannot".
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split>;
}

/// The faces of a node.
#[derive(Clone, Copy)]
pub struct SplitSet<'a> {
    /// The whole body, its plan and who grades parts.
    pub workpiece: &'a Workpiece<'a>,
    /// The triangles to part.
    pub faces: &'a [u32],
    /// Start of random choices at this node.
    pub seed: u64,
}

impl SplitSet<'_> {
    /// Middle of the face at this place of the list, in working coordinates.
    pub fn centroid(&self, place: usize) -> DVec3 {
        self.workpiece.centroids[self.faces[place] as usize]
    }

    /// Middles of all faces, in the order of the list.
    pub fn centroids(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.faces.iter().map(|f| self.workpiece.centroids[*f as usize])
    }

    /// Corners of the face at this place of the list, in working coordinates.
    pub fn corners(&self, place: usize) -> [DVec3; 3] {
        self.workpiece.corners(self.faces[place])
    }

    /// The faces of one part.
    pub fn faces_of(&self, labels: &[u8], part: u8) -> Vec<u32> {
        self.faces.iter().zip(labels).filter(|(_, label)| **label == part).map(|(face, _)| *face).collect()
    }

    /// The grades of the parts 0..parts under the labels, each by its tight volume; of empty parts: nothing.
    pub fn grades(&self, labels: &[u8], parts: usize) -> Vec<Grade> {
        let grade = |part: u8| {
            let faces = self.faces_of(labels, part);
            if faces.is_empty() { Grade::ZERO } else { self.workpiece.judge.grade(&faces) }
        };
        (0..parts as u8).map(grade).collect()
    }
}

/// A rule's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The part of each face, in the order of the set; below 16.
    pub labels: Vec<u8>,
    /// For searches: no split grades less than (1 − gap) times this one; 0 when proven best. `None`: nothing is claimed.
    pub gap: Option<f64>,
}

impl From<Vec<u8>> for Split {
    fn from(labels: Vec<u8>) -> Split {
        Split { labels, gap: None }
    }
}
