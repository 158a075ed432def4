//! Slab volume: the common part of layers along any directions.

mod extreme;
mod polygon;
mod solid;

pub(crate) use extreme::Slabs;
pub(crate) use solid::measure;

use super::DirectionSet;
use crate::bound::{Bound, FitError, Measure, Parameter, Support, check_points};
use crate::turn::Turn;
use kontakt_math::round::{add_down, add_up, dot_down, dot_error, dot_up, length_up, mul_up};
use kontakt_math::{DVec3, Pose};
use std::sync::Arc;

/// The set {x : minᵢ ≤ nᵢ·x ≤ maxᵢ} for the directions nᵢ of a set. With a set that bounds space
/// ([`DirectionSet::bounding`]) it is a k-DOP of custom directions.
///
/// A set of directions in one plane leaves it unbounded. Then `measure` is infinite; `reach` is infinite
/// except along plus or minus a direction of the set; `farthest` and `centre` answer for the section through the origin
/// perpendicular to the open directions; `transformed` opens every slab that the turn does not map onto another.
#[derive(Clone, Debug, PartialEq)]
pub struct SlabVolume {
    set: Arc<DirectionSet>,
    min: Vec<f64>,
    max: Vec<f64>,
}

impl SlabVolume {
    /// The tightest slabs along the directions around the points: **each point lies in the exact set**.
    pub fn fit_along(set: Arc<DirectionSet>, points: &[DVec3]) -> Result<SlabVolume, FitError> {
        check_points(points)?;
        let (min, max) = finite_extents(set.directions(), points)?.into_iter().unzip();
        Ok(SlabVolume { set, min, max })
    }

    /// The directions.
    pub fn directions(&self) -> &DirectionSet {
        &self.set
    }

    /// Lower ends, in the order of the directions.
    pub fn min(&self) -> &[f64] {
        &self.min
    }

    /// Upper ends, in the order of the directions.
    pub fn max(&self) -> &[f64] {
        &self.max
    }

    fn slabs(&self) -> Slabs<'_> {
        Slabs { set: &self.set, min: &self.min, max: &self.max }
    }

    /// A bounded stand-in of an unbounded volume: its section through the origin.
    fn section(&self) -> SlabVolume {
        let n = self.set.directions();
        let open = match n {
            [only] => {
                let (a, b) = only.normalize().any_orthonormal_pair();
                vec![a, b]
            }
            [first, second, ..] => vec![first.cross(*second)],
            [] => Vec::new(),
        };
        let closed = [n, &open].concat();
        let pad = vec![0.0; open.len()];
        match DirectionSet::bounding(&closed) {
            Ok(set) => SlabVolume {
                set: Arc::new(set),
                min: [self.min.as_slice(), &pad].concat(),
                max: [self.max.as_slice(), &pad].concat(),
            },
            Err(_) => self.clone(),
        }
    }
}

/// The [`extents`] of points, or which direction is too long for doubles.
pub(crate) fn finite_extents(directions: &[DVec3], points: &[DVec3]) -> Result<Vec<(f64, f64)>, FitError> {
    let ends = extents(directions, points);
    match directions.iter().zip(&ends).find(|(_, (low, high))| !(low.is_finite() && high.is_finite())) {
        Some((n, _)) => Err(FitError::Parameter {
            what: format!("the extent along {:?} is larger than doubles reach", n.to_array()),
        }),
        None => Ok(ends),
    }
}

/// Least and greatest value of n·p over the points for each direction, rounded outward; exact along plus or minus a
/// coordinate axis.
///
/// Proof: the dot product of each point errs by at most `dot_error(n, p)`, which grows with |p|, hence by at most
/// `dot_error(n, far)` where `far` holds the largest |coordinates|. Where that is finite nothing has overflowed.
fn extents(directions: &[DVec3], points: &[DVec3]) -> Vec<(f64, f64)> {
    let far = points.iter().fold(DVec3::ZERO, |far, p| far.max(p.abs()));
    let mut ends = vec![(f64::INFINITY, f64::NEG_INFINITY); directions.len()];
    // In chunks that stay in the first-level cache while all directions pass over them.
    for chunk in points.chunks(512) {
        for (n, end) in directions.iter().zip(&mut ends) {
            *end = chunk.iter().fold(*end, |(low, high), p| {
                let along = n.dot(*p);
                (low.min(along), high.max(along))
            });
        }
    }
    for (n, (low, high)) in directions.iter().zip(&mut ends) {
        if n.abs() == DVec3::X || n.abs() == DVec3::Y || n.abs() == DVec3::Z {
            continue;
        }
        let error = dot_error(*n, far);
        if error.is_finite() {
            (*low, *high) = (add_down(*low, -error), add_up(*high, error));
        } else {
            (*low, *high) = (f64::NEG_INFINITY, f64::INFINITY);
        }
    }
    ends
}

/// Ends of the image's slab along `n` under a pose, both rounded outward.
///
/// Proof: n·(Rx + t) = (Rᵀn)·x + n·t. The direction turned back errs by at most e a component, which changes
/// the product with x by at most 3e·|x|∞.
pub(crate) fn turned_extent(slabs: &Slabs, turn: &Turn, n: DVec3) -> (f64, f64) {
    let (back, error) = turn.back(n);
    let slack = if error == 0.0 {
        0.0
    } else {
        mul_up(3.0 * error, slabs.set.farthest_coordinate(slabs.min, slabs.max))
    };
    let shift = turn.translation;
    let out = |end: f64| if slack == 0.0 { end } else { add_up(end, slack) };
    let (high, low) = (out(slabs.reach(back)), -out(slabs.reach(-back)));
    if shift == DVec3::ZERO {
        return (low, high);
    }
    (add_down(low, dot_down(n, shift)), add_up(high, dot_up(n, shift)))
}

/// **Never more** than the distance of two slab volumes with common directions.
pub(crate) fn gap_along(set: &DirectionSet, a: (&[f64], &[f64]), b: (&[f64], &[f64])) -> f64 {
    let ((a_min, a_max), (b_min, b_max)) = (a, b);
    set.directions().iter().enumerate().fold(0.0, |gap, (i, n)| {
        let apart = add_down(b_min[i], -a_max[i]).max(add_down(a_min[i], -b_max[i]));
        if apart > 0.0 { gap.max((apart / length_up(*n)).next_down()) } else { gap }
    })
}

impl Support for SlabVolume {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        if self.set.bounds_space() {
            return self.slabs().farthest(direction);
        }
        self.section().slabs().farthest(direction)
    }

    fn reach(&self, direction: DVec3) -> f64 {
        self.slabs().reach(direction)
    }

    fn centre(&self) -> DVec3 {
        middle_of(self.set.directions(), |d| self.farthest(d))
    }
}

/// Mean of the extreme points along the directions and their opposites: inside, since the set is convex.
pub(crate) fn middle_of(directions: &[DVec3], farthest: impl Fn(DVec3) -> DVec3) -> DVec3 {
    let share = 0.5 / directions.len() as f64;
    directions.iter().map(|d| (farthest(*d) * share) + (farthest(-*d) * share)).sum()
}

impl Bound for SlabVolume {
    const NAME: &'static str = "slabs";

    /// Along the coordinate axes; [`fit_along`](Self::fit_along) takes other directions.
    fn fit(points: &[DVec3]) -> Result<Self, FitError> {
        let axes = DirectionSet::bounding(&[DVec3::X, DVec3::Y, DVec3::Z])?;
        SlabVolume::fit_along(Arc::new(axes), points)
    }

    /// Along this volume's directions.
    fn merge(&self, other: &Self) -> Self {
        let n = self.set.directions();
        let (mut min, mut max) = (self.min.clone(), self.max.clone());
        for i in 0..n.len() {
            let (low, high) = if self.set == other.set {
                (other.min[i], other.max[i])
            } else {
                (-other.reach(-n[i]), other.reach(n[i]))
            };
            min[i] = min[i].min(low);
            max[i] = max[i].max(high);
        }
        SlabVolume { set: Arc::clone(&self.set), min, max }
    }

    fn transformed(&self, a_from_b: &Pose) -> Self {
        let turn = Turn::of(a_from_b);
        let ends = self.set.directions().iter().map(|n| turned_extent(&self.slabs(), &turn, *n));
        let (min, max) = ends.unzip();
        SlabVolume { set: Arc::clone(&self.set), min, max }
    }

    fn measure(&self) -> Measure {
        measure(&self.slabs())
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        self.slabs().parameters()
    }

    fn contains(&self, point: DVec3) -> bool {
        self.set
            .directions()
            .iter()
            .zip(self.min.iter().zip(&self.max))
            .all(|(n, (min, max))| dot_down(*n, point) <= *max && dot_up(*n, point) >= *min)
    }

    /// Over the directions of both sets: conservative, not exact.
    fn may_overlap(&self, other: &Self) -> bool {
        let apart = |a: &SlabVolume, b: &SlabVolume| {
            a.set.directions().iter().enumerate().any(|(i, n)| {
                let (low, high) =
                    if a.set == b.set { (b.min[i], b.max[i]) } else { (-b.reach(-*n), b.reach(*n)) };
                low > a.max[i] || high < a.min[i]
            })
        };
        !(apart(self, other) || (self.set != other.set && apart(other, self)))
    }

    fn gap_below(&self, other: &Self) -> f64 {
        let ends_of = |a: &SlabVolume, b: &SlabVolume| {
            a.set
                .directions()
                .iter()
                .map(|n| (-b.reach(-*n), b.reach(*n)))
                .unzip::<f64, f64, Vec<_>, Vec<_>>()
        };
        let gap = |a: &SlabVolume, b: &SlabVolume| {
            let (low, high) = ends_of(a, b);
            gap_along(&a.set, (&a.min, &a.max), (&low, &high))
        };
        gap(self, other).max(gap(other, self))
    }
}
