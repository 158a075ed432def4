//! The cascade: filter, subdivision, exact signs. Each stage answers only what it has proven.

use crate::doubles::{Doubles, Volume, Weights};
use crate::exact;
use crate::place::place;
use crate::subdivide::{Decision, subdivide};
use crate::{FirstContact, Outcome, Query, Stage, Verdict};
use kontakt_answers::Range;

/// The verdict, and the first contact with bounds of its time at most `width` apart, or neighbouring doubles where that is
/// wider; NaN and negative widths count as 0.
///
/// Work is bounded: a fixed number of double operations, then exact arithmetic on at most 3 roots of a cubic (or 32 of
/// quadratics, for points that stay coplanar) with numbers whose length the coordinates limit.
pub fn first_contact(query: &Query, width: f64) -> Outcome {
    let width = width.max(0.0);
    let (decision, stage) = decide_in_doubles(query);
    let (lo, hi, carriers, stage) = match decision {
        Decision::Free => return Outcome { verdict: Verdict::Free, stage },
        Decision::Contact { lo, hi, carriers } if hi - lo <= width || lo.next_up() >= hi => {
            (lo, hi, carriers, stage)
        }
        _ => match exact::first_contact(query, width) {
            None => return Outcome { verdict: Verdict::Free, stage: Stage::Exact },
            Some(contact) => (contact.lo, contact.hi, contact.carriers, Stage::Exact),
        },
    };
    let time = Range::new(lo, hi).unwrap_or(Range::ZERO);
    Outcome { verdict: Verdict::Contact(place(query, time, carriers)), stage }
}

/// The first contact as `first_contact` gives it, for a query that the filter has left open: it is not asked again.
pub(crate) fn first_contact_unfiltered(query: &Query, width: f64) -> Option<FirstContact> {
    let doubles = Doubles::new(query);
    let decision = if doubles.in_range() {
        let weights = doubles.weights();
        subdivided(&doubles, &weights, &doubles.volume(&weights))
    } else {
        Decision::Open
    };
    let (lo, hi, carriers) = match decision {
        Decision::Free => return None,
        Decision::Contact { lo, hi, carriers } if hi - lo <= width || lo.next_up() >= hi => {
            (lo, hi, carriers)
        }
        _ => exact::first_contact(query, width).map(|contact| (contact.lo, contact.hi, contact.carriers))?,
    };
    Some(place(query, Range::new(lo, hi).unwrap_or(Range::ZERO), carriers))
}

/// `first_contact` by the exact stage alone: the same answer, slower; to check and to measure.
pub fn first_contact_exactly(query: &Query, width: f64) -> Outcome {
    let verdict = exact::first_contact(query, width.max(0.0)).map_or(Verdict::Free, |contact| {
        let time = Range::new(contact.lo, contact.hi).unwrap_or(Range::ZERO);
        Verdict::Contact(place(query, time, contact.carriers))
    });
    Outcome { verdict, stage: Stage::Exact }
}

/// Whether the bodies ever meet, exactly.
pub fn touches(query: &Query) -> bool {
    match decide_in_doubles(query).0 {
        Decision::Free => false,
        Decision::Contact { .. } => true,
        Decision::Open => exact::first_contact(query, 1.0).is_some(),
    }
}

fn decide_in_doubles(query: &Query) -> (Decision, Stage) {
    let doubles = Doubles::new(query);
    if doubles.apart_on_an_axis() {
        return (Decision::Free, Stage::Filter);
    }
    if !doubles.in_range() {
        return (Decision::Open, Stage::Exact);
    }
    let weights = doubles.weights();
    let volume = doubles.volume(&weights);
    if volume.never_zero() || doubles.apart_on_a_found_axis() {
        return (Decision::Free, Stage::Filter);
    }
    (subdivided(&doubles, &weights, &volume), Stage::Subdivision)
}

/// The stage after the filter.
fn subdivided(doubles: &Doubles, weights: &Weights, volume: &Volume) -> Decision {
    if weights.never_inside(doubles.kind) {
        return Decision::Free;
    }
    subdivide(doubles, weights, volume)
}
