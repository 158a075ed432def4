//! The cost as a function of the Rodrigues vector, near a point where few vertices matter.

use super::candidates::{Candidates, Lists};
use super::cell::{Cell, Corners, rotation};
use super::cost::{cost, widths};
use crate::bound::Objective;
use kontakt_math::DVec3;

/// Evaluates orientations within a cell; outside of it the cost is infinite.
pub(super) struct Landscape {
    objective: Objective,
    candidates: Candidates,
    lists: Lists,
    cell: Cell,
}

impl Landscape {
    /// The landscape of all vertices around `centre`, up to `half` away in each component.
    #[inline(always)]
    pub(super) fn around(vertices: &[DVec3], objective: Objective, centre: DVec3, half: f64) -> Landscape {
        let cell = Cell { centre, half: DVec3::splat(half) };
        let (mut candidates, all) = Candidates::new(vertices);
        let corners = Corners::of(&cell);
        let axes = rotation(centre);
        let lists =
            if corners.square < 0.5 { candidates.narrow(&all, &axes, corners.moves(&axes)) } else { all };
        Landscape { objective, candidates, lists, cell }
    }

    /// The cost of an orientation.
    #[inline(always)]
    pub(super) fn cost(&self, r: DVec3) -> f64 {
        if ((r - self.cell.centre).abs() - self.cell.half).max_element() > 0.0 {
            return f64::INFINITY;
        }
        let axes = rotation(r);
        let spans = self.candidates.spans(&self.lists, &axes);
        cost(self.objective, widths(&axes, &spans))
    }
}
