//! One contraction of a box.

use super::Cell;
use super::linear::{
    Rows, cofactor, determinant, gram, middles, mixed, mixed_vector, preconditioner, transposed_vector,
};
use kontakt_math::Interval;

/// How a box is contracted. Lemma 2.9 of the thesis: each of MGS, GS, J contains less than the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operator {
    /// N: m − J(X)⁻¹f(m), the inverse by cofactors.
    Newton,
    /// K: m − Yf(m) + (I − YJ(X))(X − m), Y about the inverse of J's middle.
    Krawczyk,
    /// J: row j solved for unknown j, all from the same box.
    Jacobi,
    /// GS: as J, with what is known already.
    GaussSeidel,
    /// MGS: every row solved for every unknown.
    MultiRow,
    /// MGS on the rows and on the rows mixed by Y as well: the product's own.
    #[default]
    MixedRows,
}

/// What is left of a box: at most two parts, as a divisor through zero leaves a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contracted<const N: usize> {
    /// All zeros of the box are here; none where the box has none.
    pub rest: Option<Cell<N>>,
    /// A range of one unknown that holds no zero, inside of the rest.
    pub gap: Option<(usize, Interval)>,
}

/// f(m) = b and J(X) = a over the box.
pub(super) struct Linear<'a, const M: usize, const N: usize> {
    pub(super) a: &'a Rows<M, N>,
    pub(super) b: &'a [Interval; M],
    pub(super) middle: &'a [f64; N],
}

impl Operator {
    /// Contracts a box. Square operators take AᵀA(x − m) = −Aᵀf(m) where there are more equations than unknowns.
    pub(super) fn contract<const M: usize, const N: usize>(
        self,
        linear: &Linear<M, N>,
        cell: &Cell<N>,
    ) -> Contracted<N> {
        match self {
            Operator::MultiRow => multi_row(linear, cell),
            Operator::MixedRows => mixed_rows(linear, cell),
            _ if M == N => {
                // The same matrix, its sides now equal for the compiler as well.
                let a: Rows<N, N> = std::array::from_fn(|i| linear.a[i]);
                let b: [Interval; N] = std::array::from_fn(|i| linear.b[i]);
                self.square(&Linear { a: &a, b: &b, middle: linear.middle }, cell)
            }
            _ => {
                let (a, b) = (gram(linear.a), transposed_vector(linear.a, linear.b));
                self.square(&Linear { a: &a, b: &b, middle: linear.middle }, cell)
            }
        }
    }

    fn square<const N: usize>(self, linear: &Linear<N, N>, cell: &Cell<N>) -> Contracted<N> {
        match self {
            Operator::Newton => newton(linear, cell),
            Operator::Krawczyk => met(cell, krawczyk(linear, cell)),
            Operator::Jacobi => one_row_each(linear, cell, false),
            Operator::GaussSeidel | Operator::MultiRow | Operator::MixedRows => {
                one_row_each(linear, cell, true)
            }
        }
    }
}

fn met<const N: usize>(cell: &Cell<N>, other: Cell<N>) -> Contracted<N> {
    let rest: Cell<N> = std::array::from_fn(|j| cell[j].intersect(other[j]));
    Contracted { rest: rest.iter().all(|x| !x.is_empty()).then_some(rest), gap: None }
}

fn newton<const N: usize>(linear: &Linear<N, N>, cell: &Cell<N>) -> Contracted<N> {
    let det = determinant(linear.a);
    let mut narrowing = Narrowing::of(cell);
    for j in 0..N {
        // Row j of the adjugate holds the cofactors of column j.
        let sum = (0..N).fold(Interval::ZERO, |sum, i| sum + cofactor(linear.a, i, j) * linear.b[i]);
        if !narrowing.meet(j, linear.middle[j], (-sum).divide_extended(det)) {
            break;
        }
    }
    narrowing.contracted()
}

/// The Krawczyk operator, not yet met with the box: where it lies inside of the box there is exactly one zero.
pub(super) fn krawczyk<const N: usize>(linear: &Linear<N, N>, cell: &Cell<N>) -> Cell<N> {
    let y = preconditioner(&middles(linear.a));
    let (a, b) = (mixed(&y, linear.a), mixed_vector(&y, linear.b));
    std::array::from_fn(|j| {
        let m = Interval::point(linear.middle[j]);
        (0..N).fold(m - b[j], |sum, k| {
            let unit = if j == k { Interval::ONE } else { Interval::ZERO };
            sum + (unit - a[j][k]) * (cell[k] - Interval::point(linear.middle[k]))
        })
    })
}

fn one_row_each<const N: usize>(linear: &Linear<N, N>, cell: &Cell<N>, seidel: bool) -> Contracted<N> {
    let mut narrowing = Narrowing::of(cell);
    for j in 0..N {
        let known = if seidel { narrowing.cell } else { *cell };
        let parts = solved(&linear.a[j], linear.b[j], &known, linear.middle, j);
        if !narrowing.meet(j, linear.middle[j], parts) {
            break;
        }
    }
    narrowing.contracted()
}

fn multi_row<const M: usize, const N: usize>(linear: &Linear<M, N>, cell: &Cell<N>) -> Contracted<N> {
    let mut narrowing = Narrowing::of(cell);
    narrowing.all_rows(linear);
    narrowing.contracted()
}

fn mixed_rows<const M: usize, const N: usize>(linear: &Linear<M, N>, cell: &Cell<N>) -> Contracted<N> {
    let mut narrowing = Narrowing::of(cell);
    let y = preconditioner(&middles(linear.a));
    let (a, b) = (mixed(&y, linear.a), mixed_vector(&y, linear.b));
    let mixed = Linear { a: &a, b: &b, middle: linear.middle };
    if narrowing.all_rows(&mixed) {
        narrowing.all_rows(linear);
    }
    narrowing.contracted()
}

/// Row · (x − m) = −b solved for unknown j, counted from the middle.
fn solved<const N: usize>(
    row: &[Interval; N],
    b: Interval,
    known: &Cell<N>,
    middle: &[f64; N],
    j: usize,
) -> [Interval; 2] {
    let others = (0..N).filter(|&k| k != j);
    let sum = others.fold(b, |sum, k| sum + row[k] * (known[k] - Interval::point(middle[k])));
    (-sum).divide_extended(row[j])
}

/// A box that is being narrowed.
struct Narrowing<const N: usize> {
    cell: Cell<N>,
    empty: bool,
    gap: Option<(usize, Interval)>,
}

impl<const N: usize> Narrowing<N> {
    fn of(cell: &Cell<N>) -> Narrowing<N> {
        Narrowing { cell: *cell, empty: false, gap: None }
    }

    /// Meets unknown j with its middle plus either part; false where nothing is left.
    fn meet(&mut self, j: usize, middle: f64, parts: [Interval; 2]) -> bool {
        let m = Interval::point(middle);
        let [below, above] = parts.map(|part| (part + m).intersect(self.cell[j]));
        if !below.is_empty() && !above.is_empty() {
            let gap = Interval::new(below.hi(), above.lo());
            if self.gap.is_none_or(|(_, widest)| widest.width() < gap.width()) {
                self.gap = Some((j, gap));
            }
        }
        self.cell[j] = below.hull(above);
        self.empty = self.cell[j].is_empty();
        !self.empty
    }

    fn all_rows<const M: usize>(&mut self, linear: &Linear<M, N>) -> bool {
        for j in 0..N {
            for (row, &b) in linear.a.iter().zip(linear.b) {
                let parts = solved(row, b, &self.cell, linear.middle, j);
                if !self.meet(j, linear.middle[j], parts) {
                    return false;
                }
            }
        }
        true
    }

    fn contracted(self) -> Contracted<N> {
        if self.empty {
            return Contracted { rest: None, gap: None };
        }
        // What was narrowed later may have cut the gap off.
        let inside = |(j, gap): &(usize, Interval)| {
            self.cell[*j].lo() < gap.lo() && gap.hi() < self.cell[*j].hi() && gap.width() > 0.0
        };
        Contracted { rest: Some(self.cell), gap: self.gap.filter(inside) }
    }
}
