//! Checked vectors of integers, fractions, and points on lines.

use super::{Point, Triangle};
use std::cmp::Ordering;

pub(super) type Wide = [i128; 3];

pub(super) fn mul(a: i128, b: i128) -> i128 {
    a.checked_mul(b).expect("oracle's integers are long enough")
}

pub(super) fn add(a: i128, b: i128) -> i128 {
    a.checked_add(b).expect("oracle's integers are long enough")
}

pub(super) fn wide(p: Point) -> Wide {
    p.map(i128::from)
}

pub(super) fn minus(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(|k| add(a[k], -b[k]))
}

pub(super) fn times(s: i128, a: Wide) -> Wide {
    a.map(|x| mul(s, x))
}

pub(super) fn plus(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(|k| add(a[k], b[k]))
}

pub(super) fn dot(a: Wide, b: Wide) -> i128 {
    add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}

pub(super) fn cross(a: Wide, b: Wide) -> Wide {
    let minor = |i: usize, j: usize| add(mul(a[i], b[j]), -mul(a[j], b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

pub(super) fn normal([a, b, c]: Triangle) -> Wide {
    let [a, b, c] = [a, b, c].map(wide);
    cross(minus(b, a), minus(c, a))
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// normal·x + offset = 0, without common factor, the first number of the normal that is not 0 being positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) normal: Wide,
    pub(super) offset: i128,
}

impl Plane {
    /// `None` for a normal that is zero.
    pub(super) fn through(normal: Wide, point: Point) -> Option<Plane> {
        let first = normal.into_iter().find(|&x| x != 0)?;
        let offset = -dot(normal, wide(point));
        let factor = normal.into_iter().fold(offset.abs(), gcd) * first.signum();
        Some(Plane { normal: normal.map(|x| x / factor), offset: offset / factor })
    }

    pub(super) fn holds(&self, point: Point) -> bool {
        add(dot(self.normal, wide(point)), self.offset) == 0
    }

    /// The value at a spot, times its weight.
    pub(super) fn at(&self, spot: &Spot) -> i128 {
        add(dot(self.normal, spot.place), mul(self.offset, spot.weight))
    }
}

/// The point place/weight, with a positive weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) place: Wide,
    pub(super) weight: i128,
}

impl Spot {
    pub(super) fn of(point: Point) -> Spot {
        Spot { place: wide(point), weight: 1 }
    }

    /// The point `self` + t·`direction`.
    pub(super) fn along(&self, direction: Wide, t: Fraction) -> Spot {
        let place = plus(times(t.over, self.place), times(mul(t.under, self.weight), direction));
        let weight = mul(t.over, self.weight);
        let factor = place.into_iter().fold(weight, gcd);
        Spot { place: place.map(|x| x / factor), weight: weight / factor }
    }
}

/// `under`/`over`, with a positive `over` and no common factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    under: i128,
    over: i128,
}

impl Fraction {
    pub(super) fn new(under: i128, over: i128) -> Fraction {
        let factor = gcd(under, over) * over.signum();
        Fraction { under: under / factor, over: over / factor }
    }

    pub(super) fn whole(value: i128) -> Fraction {
        Fraction { under: value, over: 1 }
    }

    pub(super) fn floor(self) -> i128 {
        self.under.div_euclid(self.over)
    }

    /// The fraction with the smallest denominator strictly between two.
    pub(super) fn between(low: Fraction, high: Fraction) -> Fraction {
        let floor = low.floor();
        if Fraction::whole(floor + 1) < high {
            return Fraction::whole(floor + 1);
        }
        // Both are in [floor, floor + 1]: look at the reciprocals of their parts beyond.
        let beyond = |x: Fraction| Fraction { under: x.under - floor * x.over, over: x.over };
        let (from, to) = (beyond(low), beyond(high));
        let upper = Fraction::new(to.over, to.under);
        let found = if from.under == 0 {
            Fraction::whole(upper.floor() + 1)
        } else {
            Fraction::between(upper, Fraction::new(from.over, from.under))
        };
        Fraction::new(add(mul(floor, found.under), found.over), found.under)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        mul(self.under, other.over).cmp(&mul(other.under, self.over))
    }
}
