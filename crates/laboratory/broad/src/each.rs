//! Pairs by asking for the partners of each box.

use kontakt_broad::{Ends, Finder, Take};
use std::ops::ControlFlow;

/// Pairs handed over at a time, about.
const BUNCH: usize = 1024;

/// Hands over, for each box, those with larger ids that meet it.
pub(crate) fn each_with_its_partners(
    finder: &impl Finder,
    boxes: &[Ends],
    take: &mut Take<'_>,
) -> ControlFlow<()> {
    let (mut ids, mut bunch) = (Vec::new(), Vec::new());
    for id in (0..boxes.len() as u32).filter(|&id| boxes[id as usize].exists()) {
        ids.clear();
        finder.partners(id, boxes, &mut ids);
        bunch.extend(ids.iter().filter(|&&other| other > id).map(|&other| [id, other]));
        if bunch.len() >= BUNCH {
            take(&bunch)?;
            bunch.clear();
        }
    }
    if bunch.is_empty() { ControlFlow::Continue(()) } else { take(&bunch) }
}

/// Ids of the boxes that exist.
pub(crate) fn existing(boxes: &[Ends]) -> impl Iterator<Item = u32> {
    boxes.iter().enumerate().filter(|(_, ends)| ends.exists()).map(|(id, _)| id as u32)
}
