//! Walking a mesh's hierarchy towards a convex set.

use super::view::{Plane, View};
use kontakt_hierarchy::Packed;
use kontakt_hierarchy::packed::Child;

/// What a walk does next.
pub(super) enum Go {
    /// On, with all within this length of the set.
    Within(f64),
    /// No further.
    Stop,
}

/// Visits all slots that may be within a length of the set, nearest boxes first, with a plane that the visits keep up to date.
pub(super) fn towards(
    tree: &Packed,
    view: &View,
    within: f64,
    plane: &mut Option<Plane>,
    stack: &mut Vec<(f32, Child)>,
    mut visit: impl FnMut(u32, &mut Option<Plane>) -> Go,
) {
    let mut limit = view.packed(within);
    stack.clear();
    stack.push((0.0, Child::Inner(0)));
    while let Some((gap, child)) = stack.pop() {
        if gap > limit {
            continue;
        }
        match child {
            Child::Inner(index) => {
                let Some(node) = tree.nodes().get(index as usize) else { continue };
                let gaps = view.gaps(node, plane.as_ref());
                let place = stack.len();
                for (&gap, &child) in gaps.iter().zip(&node.child) {
                    if gap <= limit {
                        stack.push((gap, Child::decode(child)));
                    }
                }
                stack[place..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            }
            Child::Leaf { first, count } => {
                for slot in first..first + count {
                    match visit(slot, plane) {
                        Go::Within(length) => limit = limit.min(view.packed(length)),
                        Go::Stop => return,
                    }
                }
            }
            Child::Empty => {}
        }
    }
}
