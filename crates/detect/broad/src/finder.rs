//! What a way of finding pairs must be able to do for a kept set.

pub(crate) mod rows;
pub(crate) mod tree;

use crate::ends::Ends;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// Takes pairs in bunches, each pair once as [smaller id, larger id], and says whether it wants more.
pub type Take<'a> = dyn FnMut(&[[u32; 2]]) -> ControlFlow<()> + 'a;

/// A way to find the boxes that meet. Ids are places in the list of boxes, which the caller keeps; a place without a box holds
/// [`Ends::NONE`]. The list handed over is always the one that `rebuild`, `put` and `take_out` have told about.
///
/// **Contract**: nothing that meets is ever missed. What does not meet may not be named either.
pub trait Finder: Debug + Send + Sync {
    /// Forgets all and takes every box of the list.
    fn rebuild(&mut self, boxes: &[Ends]);

    /// Hands over all pairs that meet, until told to stop. Asked only right after `rebuild`.
    fn pairs(&mut self, boxes: &[Ends], take: &mut Take<'_>) -> ControlFlow<()>;

    /// The box with this id is new or has changed.
    fn put(&mut self, id: u32, boxes: &[Ends]);

    /// The box with this id is no longer there; nothing if it was not.
    fn take_out(&mut self, id: u32);

    /// Appends the ids of all boxes that meet this one, each once, in any order.
    fn meeting(&self, ends: &Ends, boxes: &[Ends], found: &mut Vec<u32>);

    /// Appends the ids of all other boxes that meet the box with this id, each once, in any order.
    fn partners(&self, id: u32, boxes: &[Ends], found: &mut Vec<u32>) {
        let from = found.len();
        self.meeting(&boxes[id as usize], boxes, found);
        if let Some(at) = found[from..].iter().position(|&other| other == id) {
            found.swap_remove(from + at);
        }
    }

    /// About how much work finding the partners of a box is after a `rebuild`, in comparisons; 0 if this way cannot tell.
    fn crowding(&self) -> f64 {
        0.0
    }

    /// Appends the ids of all boxes for which `wanted` holds, each once, in any order. `wanted` must hold for every box around
    /// one for which it holds, and may be asked about any box.
    fn reached(&self, boxes: &[Ends], wanted: &dyn Fn(&Ends) -> bool, found: &mut Vec<u32>) {
        let ids = boxes.iter().enumerate().filter(|(_, ends)| ends.exists() && wanted(ends));
        found.extend(ids.map(|(id, _)| id as u32));
    }
}
