//! All zeros within a box.

use super::linear::{middles, mixed, preconditioner};
use super::operator::{Contracted, Linear, Operator, krawczyk};
use super::split::{Split, with};
use super::{Cell, System};
use kontakt_math::Interval;

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How boxes contract.
    pub operator: Operator,
    /// How boxes that do not are cut.
    pub split: Split,
    /// How many boxes are looked at, at most.
    pub boxes: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { operator: Operator::default(), split: Split::default(), boxes: 10_000 }
    }
}

/// What is proven about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It has exactly one zero.
    One,
    /// It has one zero or none.
    AtMostOne,
    /// Nothing.
    Nothing,
}

/// A small box that may have zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place<const N: usize> {
    /// Where.
    pub within: Cell<N>,
    /// What is proven about it.
    pub known: Known,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched<const N: usize> {
    /// **All zeros are in these places**, also where the search was cut short.
    pub places: Vec<Place<N>>,
    /// Whether every place is as small as was asked for.
    pub complete: bool,
    /// How many boxes were looked at.
    pub boxes: usize,
    /// How often the equations, or their derivatives, were evaluated.
    pub calls: usize,
}

/// All zeros of a system within a box.
pub fn search<const M: usize, const N: usize>(
    system: &impl System<M, N>,
    within: Cell<N>,
    options: &Options,
) -> Searched<N> {
    let mut open = vec![within];
    let mut small: Vec<Cell<N>> = Vec::new();
    let mut large: Vec<Cell<N>> = Vec::new();
    let (mut boxes, mut calls) = (0, 0);
    while let Some(cell) = open.pop() {
        if boxes >= options.boxes {
            large.push(cell);
            continue;
        }
        boxes += 1;
        match look(system, cell, options, &mut calls) {
            Look::None => {}
            Look::Small(cell) => small.push(cell),
            Look::Open(parts) => open.extend(parts),
        }
    }
    let complete = large.is_empty();
    let mut places = Vec::new();
    let mut proven: Vec<Cell<N>> = Vec::new();
    for cell in joined(small) {
        let (place, around) = placed(system, cell, &within, &mut calls);
        // The one zero of a box around another place is that place's zero.
        let again = around.is_some() && proven.iter().any(|other| encloses(other, &place.within));
        if !again {
            places.push(place);
            proven.extend(around);
        }
    }
    places.extend(large.into_iter().map(|within| Place { within, known: Known::Nothing }));
    Searched { places, complete, boxes, calls }
}

enum Look<const N: usize> {
    None,
    Small(Cell<N>),
    Open(Vec<Cell<N>>),
}

/// Narrows a box for as long as that takes a third off a side.
fn look<const M: usize, const N: usize>(
    system: &impl System<M, N>,
    mut cell: Cell<N>,
    options: &Options,
    calls: &mut usize,
) -> Look<N> {
    loop {
        *calls += 1;
        let value = system.value(&cell);
        if value.iter().any(|value| !value.contains(0.0)) {
            return Look::None;
        }
        // A box of doubles that are neighbours cannot be cut.
        let splits = cell.iter().any(|x| x.lo() < x.middle() && x.middle() < x.hi());
        if !splits || system.is_small(&cell, &value) {
            return Look::Small(cell);
        }
        *calls += 2;
        let (jacobian, middle) = (system.jacobian(&cell), cell.map(Interval::middle));
        let value = system.value(&middle.map(Interval::point));
        let linear = Linear { a: &jacobian, b: &value, middle: &middle };
        let Contracted { rest, gap } = options.operator.contract(&linear, &cell);
        let Some(rest) = rest else { return Look::None };
        let narrower = (0..N).any(|j| rest[j].width() < 0.66 * cell[j].width());
        if narrower {
            cell = rest;
        } else if let Some((j, gap)) = gap {
            let below = with(&rest, j, Interval::new(rest[j].lo(), gap.lo()));
            let above = with(&rest, j, Interval::new(gap.hi(), rest[j].hi()));
            return Look::Open(vec![below, above]);
        } else {
            return Look::Open(options.split.parts(&rest, &jacobian));
        }
    }
}

/// Boxes that touch become one: a zero where a box was cut is in both parts.
fn joined<const N: usize>(cells: Vec<Cell<N>>) -> Vec<Cell<N>> {
    let mut joined: Vec<Cell<N>> = Vec::new();
    for mut cell in cells {
        while let Some(at) = joined.iter().position(|other| touch(other, &cell)) {
            let other = joined.swap_remove(at);
            cell = std::array::from_fn(|j| cell[j].hull(other[j]));
        }
        joined.push(cell);
    }
    joined
}

fn encloses<const N: usize>(a: &Cell<N>, b: &Cell<N>) -> bool {
    (0..N).all(|j| a[j].encloses(b[j]))
}

fn touch<const N: usize>(a: &Cell<N>, b: &Cell<N>) -> bool {
    (0..N).all(|j| !a[j].intersect(b[j]).is_empty())
}

/// What is known about the zeros of a small box, and a box around it that has exactly one, if that is proven.
///
/// At most one: with a matrix Y for which every row sum of |I − YA| is below one, YA is regular for every A in J(X); two zeros a and b
/// would have A(a − b) = 0 with such an A. Exactly one, for as many equations as unknowns: the Krawczyk operator of a box lies inside of
/// it (Moore 1977), and all of the box' zeros in its image; the box is first grown, so that a zero on its border is inside, and the image
/// must be in what was searched.
fn placed<const M: usize, const N: usize>(
    system: &impl System<M, N>,
    cell: Cell<N>,
    within: &Cell<N>,
    calls: &mut usize,
) -> (Place<N>, Option<Cell<N>>) {
    *calls += 1;
    let jacobian = system.jacobian(&cell);
    let mixed = mixed(&preconditioner(&middles(&jacobian)), &jacobian);
    let off = |i: usize| {
        (0..N).fold(Interval::ZERO, |sum, j| {
            let unit = if i == j { Interval::ONE } else { Interval::ZERO };
            sum + (unit - mixed[i][j]).abs()
        })
    };
    if (0..N).any(|i| off(i).hi().is_nan() || off(i).hi() >= 1.0) {
        return (Place { within: cell, known: Known::Nothing }, None);
    }
    if M == N
        && let Some((zero, around)) = proven(system, &cell, calls)
        && encloses(within, &zero)
    {
        return (Place { within: zero, known: Known::One }, Some(around));
    }
    (Place { within: cell, known: Known::AtMostOne }, None)
}

/// Where the one zero of a grown box is, and that box, if it is proven.
fn proven<const M: usize, const N: usize>(
    system: &impl System<M, N>,
    cell: &Cell<N>,
    calls: &mut usize,
) -> Option<(Cell<N>, Cell<N>)> {
    let mut grown = *cell;
    for _ in 0..3 {
        grown = grown.map(|x| {
            let by = x.width() + 4.0 * f64::EPSILON * x.magnitude() + f64::MIN_POSITIVE;
            x + Interval::new(-by, by)
        });
        *calls += 2;
        let (jacobian, middle) = (system.jacobian(&grown), grown.map(Interval::middle));
        let value = system.value(&middle.map(Interval::point));
        let a: [[Interval; N]; N] = std::array::from_fn(|i| jacobian[i]);
        let b: [Interval; N] = std::array::from_fn(|i| value[i]);
        let image = krawczyk(&Linear { a: &a, b: &b, middle: &middle }, &grown);
        if (0..N).all(|j| grown[j].lo() < image[j].lo() && image[j].hi() < grown[j].hi()) {
            return Some((image, grown));
        }
    }
    None
}
