//! Planes across a coordinate axis at the mean or median (thesis 3.2.4).

use super::{Method, Rule, Split, SplitSet};
use crate::build::grade::Grade;
use crate::build::halving::in_halves;

pub(super) const METHODS: &[Method] = &[
    Method::new(
        "klosowski-mean-sum",
        "plane at the mean, axis of least sum of grades (thesis 3.2.4)",
        |_| klosowski(Place::Mean, Axis::LeastSum),
    ),
    Method::new("klosowski-mean-max", "plane at the mean, axis of least worst grade", |_| {
        klosowski(Place::Mean, Axis::LeastMax)
    }),
    Method::new("klosowski-mean-variance", "plane at the mean, axis of greatest variance", |_| {
        klosowski(Place::Mean, Axis::Variance)
    }),
    Method::new("klosowski-mean-length", "plane at the mean, longest axis", |_| {
        klosowski(Place::Mean, Axis::Length)
    }),
    Method::new("klosowski-median-sum", "plane at the median, axis of least sum of grades", |_| {
        klosowski(Place::Median, Axis::LeastSum)
    }),
    Method::new("klosowski-median-max", "plane at the median, axis of least worst grade", |_| {
        klosowski(Place::Median, Axis::LeastMax)
    }),
    Method::new("klosowski-median-variance", "plane at the median, axis of greatest variance", |_| {
        klosowski(Place::Median, Axis::Variance)
    }),
    Method::new("klosowski-median-length", "plane at the median, longest axis", |_| {
        klosowski(Place::Median, Axis::Length)
    }),
];

fn klosowski<'a>(place: Place, axis: Axis) -> Box<dyn Rule + 'a> {
    Box::new(Klosowski { place, axis })
}

/// Where the plane cuts its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At the mean of the faces' middles.
    Mean,
    /// So that both sides have equally many faces (to one).
    Median,
}

/// Which axis is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    /// That with the least sum of the halves' grades.
    LeastSum,
    /// That with the least worst grade of the halves.
    LeastMax,
    /// That along which the middles vary most.
    Variance,
    /// That along which the set is longest.
    Length,
}

/// Klosowski et al. 1998, for k-DOP trees; the thesis's "volume" is the plan's objective. More than two parts by cutting
/// parts again.
struct Klosowski {
    /// Where the plane cuts.
    place: Place,
    /// What it cuts.
    axis: Axis,
}

impl Rule for Klosowski {
    fn split(&self, set: &SplitSet<'_>, parts: usize) -> Option<Split> {
        in_halves(set, parts, |half| {
            let cuts = (0..3).filter_map(|axis| self.cut(half, axis).map(|upper| (axis, upper)));
            let around = half.workpiece.box_around(half.faces);
            match self.axis {
                Axis::LeastSum => least(cuts.map(|cut| {
                    let [a, b] = grades(half, &cut.1);
                    (a.plus(b), cut)
                })),
                Axis::LeastMax => least(cuts.map(|cut| {
                    let [a, b] = grades(half, &cut.1);
                    (a.max(b), cut)
                })),
                Axis::Variance => least(cuts.map(|cut| (ByLargest(variance(half, cut.0)), cut))),
                Axis::Length => {
                    least(cuts.map(|cut| (ByLargest(around.max[cut.0] - around.min[cut.0]), cut)))
                }
            }
        })
    }
}

impl Klosowski {
    /// Which faces lie above the plane; `None` if all do, or none.
    fn cut(&self, set: &SplitSet<'_>, axis: usize) -> Option<Vec<bool>> {
        let along: Vec<f64> = set.centroids().map(|c| c[axis]).collect();
        let upper: Vec<bool> = match self.place {
            Place::Mean => {
                let mean = along.iter().sum::<f64>() / along.len() as f64;
                along.iter().map(|x| *x > mean).collect()
            }
            Place::Median => {
                let mut places: Vec<usize> = (0..along.len()).collect();
                let middle = along.len() / 2;
                places.select_nth_unstable_by(middle, |a, b| {
                    along[*a].total_cmp(&along[*b]).then(set.faces[*a].cmp(&set.faces[*b]))
                });
                let mut upper = vec![false; along.len()];
                places[middle..].iter().for_each(|place| upper[*place] = true);
                // Equal places cannot be told apart along this axis.
                if along.iter().all(|x| *x == along[0]) {
                    return None;
                }
                upper
            }
        };
        (upper.contains(&true) && upper.contains(&false)).then_some(upper)
    }
}

/// The halves of the cut with the least key, the first of equals.
fn least<K: PartialOrd>(cuts: impl Iterator<Item = (K, (usize, Vec<bool>))>) -> Option<Vec<bool>> {
    let better = |best: (K, (usize, Vec<bool>)), next: (K, _)| if next.0 < best.0 { next } else { best };
    cuts.reduce(better).map(|(_, (_, upper))| upper)
}

/// Orders numbers from the greatest to the least.
#[derive(PartialEq)]
struct ByLargest(f64);

impl PartialOrd for ByLargest {
    fn partial_cmp(&self, other: &ByLargest) -> Option<std::cmp::Ordering> {
        other.0.partial_cmp(&self.0)
    }
}

fn grades(set: &SplitSet<'_>, upper: &[bool]) -> [Grade; 2] {
    let side = |which: bool| -> Vec<u32> {
        set.faces.iter().zip(upper).filter(|(_, u)| **u == which).map(|(face, _)| *face).collect()
    };
    [set.workpiece.judge.grade(&side(false)), set.workpiece.judge.grade(&side(true))]
}

fn variance(set: &SplitSet<'_>, axis: usize) -> f64 {
    let count = set.faces.len() as f64;
    let mean = set.centroids().map(|c| c[axis]).sum::<f64>() / count;
    set.centroids().map(|c| (c[axis] - mean).powi(2)).sum::<f64>() / count
}
