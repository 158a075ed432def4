//! The depth of unions: between that of the deepest pair of leaves and the length of a shift that parts all pairs.

use super::super::Patience;
use super::{Met, PlacedLeaf};
use crate::shape::extent::{gap_below, reach};
use crate::{Answer, Core, Verdict};
use kontakt_answers::Range;
use kontakt_math::round::{add_up, length_down};
use kontakt_math::{Chain, DVec3};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::f64::consts::PI;

/// Directions tried: the normals of that many of the deepest pairs.
const DIRECTIONS: usize = 16;
/// Pairs less deep than this part of the deepest one do not say where to go: of what overlaps by roundings the normal is made of roundings, and
/// another one for the same bodies nested in another way.
const SHALLOW: f64 = 1e-9;
/// With more pairs of leaves than this only their common support is asked for.
const MANY_PAIRS: usize = 1 << 20;

/// The answer about overlapping unions. The normal is the direction of the best shift found, the points are those of the pair it
/// comes from; how far these are from the best of all is not known. Pairs that were not met part as well, by what their balls and their
/// support tell. Once the time is over only the common support of all leaves along the normal of the deepest pair is asked for.
pub(super) fn least_shift(
    a: &[PlacedLeaf],
    b: &[PlacedLeaf],
    met: &[Met],
    patience: &mut Patience,
) -> Answer {
    let mut overlapping: Vec<&Met> =
        met.iter().filter(|pair| pair.answer.verdict == Verdict::Overlapping).collect();
    overlapping.sort_by(|x, y| by_depth(&x.answer, &y.answer));
    // Which pairs with a gap between their balls were asked about depends on the order of the parts: the balls tell about these.
    let is_near = |pair: &&Met| gap_below(a[pair.leaves[0]].ball, b[pair.leaves[1]].ball) <= 0.0;
    let known: HashMap<[usize; 2], &Answer> =
        met.iter().filter(is_near).map(|pair| (pair.leaves, &pair.answer)).collect();
    if let [only] = overlapping[..]
        && stands_alone(a, b, &known, only, patience)
    {
        return only.answer;
    }
    let deepest = overlapping.iter().map(|pair| pair.answer.separation.hi()).fold(0.0, f64::min);
    let is_deep = |pair: &&&Met| pair.answer.separation.hi() <= SHALLOW * deepest;
    let mut best: Option<(f64, Answer)> = None;
    for pair in overlapping.iter().filter(is_deep).take(DIRECTIONS) {
        for normal in ways_out([&a[pair.leaves[0]], &b[pair.leaves[1]]], &pair.answer) {
            if best.is_some() && patience.is_over() {
                break;
            }
            let shift = Shift::new(a, b, &known, normal).length(patience);
            if best.is_none_or(|(least, _)| shift < least) {
                best = Some((shift, Answer { normal, ..pair.answer }));
            }
        }
    }
    let Some((shift, along)) = best else { return Answer::undecided() };
    let separation = Range::new(-shift.max(-deepest), deepest).unwrap_or(along.separation);
    Answer { separation, normal_error: PI, point_error: f64::INFINITY, ..along }
}

/// How much longer, relative, the way out along another direction may be to count as long as that along the normal.
const TIE: f64 = 1e-9;

/// The directions along which a pair comes apart first. Of several that are equally good rounding picks the normal, differently for the same
/// body nested in another way; so the others are tried too: the opposite one, and those of the faces of boxes. Two balls about one centre
/// have no best direction, and those of the world stand for all.
fn ways_out([a, b]: [&PlacedLeaf; 2], answer: &Answer) -> Vec<DVec3> {
    let longest = -answer.separation.lo() * (1.0 + TIE);
    let is_tied = |direction: &DVec3| {
        let reach = |leaf: &PlacedLeaf, d: DVec3| reach(leaf.leaf.shape(), leaf.leaf.chain(), d);
        reach(a, *direction) + reach(b, -*direction) <= longest
    };
    let cores = [a, b].map(|leaf| leaf.leaf.shape().core());
    let both = |axes: [DVec3; 3]| axes.into_iter().flat_map(|axis| [axis, -axis]);
    if let [Core::Point, Core::Point] = cores {
        let world: Vec<DVec3> = both(DVec3::AXES).filter(is_tied).collect();
        if world.len() == 6 {
            return world;
        }
    }
    let of_box = |leaf: &PlacedLeaf| {
        let is_box = matches!(leaf.leaf.shape().core(), Core::Box(_));
        let turn = leaf.leaf.chain().composed();
        is_box.then(|| both(DVec3::AXES.map(|axis| turn.rotate(axis)))).into_iter().flatten()
    };
    let others = std::iter::once(-answer.normal).chain(of_box(a)).chain(of_box(b));
    std::iter::once(answer.normal).chain(others.filter(is_tied)).collect()
}

/// Deepest first; of equally deep ones the normal decides, so that the order of parts does not.
fn by_depth(x: &Answer, y: &Answer) -> Ordering {
    let numbers = |answer: &Answer| {
        let (ends, n) = (answer.separation, answer.normal);
        [ends.hi(), ends.lo(), n.x, n.y, n.z]
    };
    let mut orders = numbers(x).into_iter().zip(numbers(y)).map(|(p, q)| p.total_cmp(&q));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Whether the one pair that overlaps decides alone: no other pair can be reached by a shift as long as its depth, so that every least
/// shift of the pair parts the bodies, and none that is shorter does.
fn stands_alone(
    a: &[PlacedLeaf],
    b: &[PlacedLeaf],
    known: &HashMap<[usize; 2], &Answer>,
    only: &Met,
    patience: &mut Patience,
) -> bool {
    if a.len().saturating_mul(b.len()) > MANY_PAIRS {
        return false;
    }
    let depth = -only.answer.separation.lo();
    let far = |pair: [usize; 2]| pair == only.leaves || enters_at(a, b, known, pair) > depth;
    (0..a.len()).all(|i| !patience.is_over() && (0..b.len()).all(|j| far([i, j])))
}

/// Never more than the length of a shift at which the pair starts to overlap: its distance has to be travelled first.
fn enters_at(
    a: &[PlacedLeaf],
    b: &[PlacedLeaf],
    known: &HashMap<[usize; 2], &Answer>,
    pair: [usize; 2],
) -> f64 {
    match known.get(&pair) {
        Some(answer) => answer.separation.lo().max(0.0),
        None => gap_below(a[pair[0]].ball, b[pair[1]].ball).max(0.0),
    }
}

/// All pairs of leaves under a shift of the second body along a direction.
struct Shift<'s> {
    a: &'s [PlacedLeaf],
    b: &'s [PlacedLeaf],
    known: &'s HashMap<[usize; 2], &'s Answer>,
    direction: DVec3,
    /// Support of each leaf along, and against, the direction; never too small.
    reach_a: Vec<f64>,
    reach_b: Vec<f64>,
}

impl<'s> Shift<'s> {
    fn new(
        a: &'s [PlacedLeaf],
        b: &'s [PlacedLeaf],
        known: &'s HashMap<[usize; 2], &'s Answer>,
        direction: DVec3,
    ) -> Shift<'s> {
        let along = |leaves: &[PlacedLeaf], direction: DVec3| -> Vec<f64> {
            let reach_of = |placed: &PlacedLeaf| {
                let chain: &Chain = placed.leaf.chain();
                add_up(reach(placed.leaf.shape(), chain, direction), placed.leaf.radius_error)
            };
            leaves.iter().map(reach_of).collect()
        };
        Shift { a, b, known, direction, reach_a: along(a, direction), reach_b: along(b, -direction) }
    }

    /// Never less than the length after which the pair is apart for good.
    fn leaves_at(&self, [i, j]: [usize; 2]) -> f64 {
        let sum = add_up(self.reach_a[i], self.reach_b[j]);
        if sum < f64::INFINITY {
            return (sum / length_down(self.direction)).next_up();
        }
        // A half-space: its separation grows by the cosine for every unit of the shift.
        let Some(answer) = self.known.get(&[i, j]) else { return f64::INFINITY };
        let cosine = self.direction.dot(answer.normal) - answer.normal_error - 1e-14;
        if cosine > 0.0 { (-answer.separation.lo() / cosine).next_up().max(0.0) } else { f64::INFINITY }
    }

    /// A length after which no pair of leaves overlaps.
    ///
    /// Proof: at the end every pair has either been left behind (its leaving is not after the shift) or is not yet entered. Each
    /// round that changes something raises the shift to a further leaving, of which there are finitely many.
    fn length(&self, patience: &mut Patience) -> f64 {
        if self.a.len().saturating_mul(self.b.len()) > MANY_PAIRS {
            return self.full_length();
        }
        let mut shift = 0.0;
        loop {
            let before = shift;
            for i in 0..self.a.len() {
                if patience.is_over() {
                    return self.full_length();
                }
                for j in 0..self.b.len() {
                    let leaves = self.leaves_at([i, j]);
                    if leaves > shift && enters_at(self.a, self.b, self.known, [i, j]) <= shift {
                        shift = leaves;
                    }
                }
            }
            if shift == before || shift == f64::INFINITY {
                return shift;
            }
        }
    }

    /// A length after which the bodies are apart for good.
    fn full_length(&self) -> f64 {
        let most = |reaches: &[f64]| reaches.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum = add_up(most(&self.reach_a), most(&self.reach_b));
        (sum / length_down(self.direction)).next_up()
    }
}
