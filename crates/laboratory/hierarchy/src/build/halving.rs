//! Rules that cut in two, made to give any number of parts.

use super::rule::{Split, SplitSet};
use kontakt_bounds::{Aabb, Bound};

/// Applies a rule for two parts until there are `parts`: always to the part with the greatest surface that can still be
/// cut. `halve` says for each face of its set whether it belongs to the second half.
pub(super) fn in_halves(
    set: &SplitSet<'_>,
    parts: usize,
    halve: impl Fn(&SplitSet<'_>) -> Option<Vec<bool>>,
) -> Option<Split> {
    // A part: its faces, their places in the set, its surface (negative when it cannot be cut).
    struct Piece {
        faces: Vec<u32>,
        places: Vec<u32>,
        surface: f64,
    }
    let piece = |faces: Vec<u32>, places: Vec<u32>| {
        let surface = if faces.len() < 2 { -1.0 } else { set.workpiece.box_around(&faces).measure().surface };
        Piece { faces, places, surface }
    };
    if parts == 2 {
        // The usual case, without copies.
        let upper = halve(set)?;
        return Some(Split::from(upper.into_iter().map(u8::from).collect::<Vec<u8>>()));
    }
    let mut pieces = vec![piece(set.faces.to_vec(), (0..set.faces.len() as u32).collect())];
    while pieces.len() < parts {
        // The first of equals.
        let best =
            (0..pieces.len()).rev().max_by(|a, b| pieces[*a].surface.total_cmp(&pieces[*b].surface))?;
        if pieces[best].surface < 0.0 {
            break;
        }
        let whole = &pieces[best];
        let upper = halve(&SplitSet { faces: &whole.faces, ..*set });
        match upper.filter(|u| u.contains(&true) && u.contains(&false)) {
            None => pieces[best].surface = -1.0,
            Some(upper) => {
                let half = |which: bool| {
                    let mine = upper.iter().enumerate().filter(|(_, u)| **u == which).map(|(i, _)| i);
                    let (faces, places) = mine.map(|i| (whole.faces[i], whole.places[i])).unzip();
                    piece(faces, places)
                };
                let (low, high) = (half(false), half(true));
                pieces[best] = low;
                pieces.push(high);
            }
        }
    }
    let mut labels = vec![0; set.faces.len()];
    for (label, piece) in pieces.iter().enumerate() {
        piece.places.iter().for_each(|place| labels[*place as usize] = label as u8);
    }
    Some(Split::from(labels))
}

/// The axis of the longest edge; `None` for a point (or nothing). Half widths, so that nothing overflows.
pub(super) fn longest_axis(around: &Aabb) -> Option<usize> {
    let half = around.max * 0.5 - around.min * 0.5;
    let axis = half.max_position();
    (half[axis] > 0.0).then_some(axis)
}
