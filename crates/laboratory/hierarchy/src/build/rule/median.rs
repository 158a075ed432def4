//! Equal halves along the longest axis.

use super::{Method, Rule, Split, SplitSet};
use crate::build::halving::{in_halves, longest_axis};

pub(super) const METHODS: &[Method] =
    &[Method::new("median", "equal halves along the longest axis", |_| Box::new(Median))];

/// Sorts the middles of the faces along the longest axis of their box and cuts in the middle: a balanced tree, whatever
/// the faces. Quinlan's rule [Qu94] with faces instead of spheres (thesis 3.2.1).
struct Median;

impl Rule for Median {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        in_halves(set, parts, |half| {
            let axis = longest_axis(&half.workpiece.centroid_box(half.faces))?;
            let mut places: Vec<usize> = (0..half.faces.len()).collect();
            // Equal middles in the order of ids, which makes the answer independent of the order of the set.
            let by_place = |a: &usize, b: &usize| {
                let along = |place: usize| half.centroid(place)[axis];
                along(*a).total_cmp(&along(*b)).then(half.faces[*a].cmp(&half.faces[*b]))
            };
            let middle = places.len() / 2;
            places.select_nth_unstable_by(middle, by_place);
            let mut upper = vec![false; places.len()];
            places[middle..].iter().for_each(|place| upper[*place] = true);
            Some(upper)
        })
    }
}
