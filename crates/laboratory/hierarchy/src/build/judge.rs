//! Who says how good a part is: the kind of volume, seen without its type.

use super::grade::Grade;

/// How the volume of a growing part is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tightness {
    /// Fitted anew around all faces with every one that is added: right, and slow for large parts.
    Refit,
    /// Merged with the volume of every face that is added and not yet inside: quick, and possibly looser than a fit.
    Merge,
}

/// Grades sets of faces by the volume around them. Rules see volumes only through this.
pub trait Judge {
    /// The grade of the tight volume around the faces; [`Grade::WORST`] if there is none.
    fn grade(&self, faces: &[u32]) -> Grade;

    /// A part to which faces can be added one by one; empty at first.
    fn part(&self, tightness: Tightness) -> Box<dyn GrowingPart + '_>;

    /// Whether a face that lies in a part's volume can be added without changing it: true for kinds whose fit is least.
    fn holds_for_free(&self) -> bool;

    /// Whether more faces never make the grade better, up to rounding: what the bounds of a search rely on.
    fn is_monotone(&self) -> bool;
}

/// A growing set of faces with its volume.
pub trait GrowingPart {
    /// The grade now; [`Grade::ZERO`] while empty.
    fn grade(&self) -> Grade;

    /// The grade that it would have with the face.
    fn grade_with(&self, face: u32) -> Grade;

    /// Adds the face.
    fn add(&mut self, face: u32);

    /// Whether the face lies in the volume; erring to `true` by rounding. `false` while empty.
    fn holds(&self, face: u32) -> bool;

    /// An independent copy.
    fn copy<'a>(&self) -> Box<dyn GrowingPart + 'a>
    where
        Self: 'a;
}
