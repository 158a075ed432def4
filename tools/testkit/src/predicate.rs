//! Exact signs of the classical predicates, by expanding the determinants in rationals.

use crate::rational::{Rational, exact, sign};

/// Determinant by expansion along the first row.
pub fn determinant(rows: &[Vec<Rational>]) -> Rational {
    if rows.len() == 1 {
        return rows[0][0].clone();
    }
    let mut sum = Rational::from_integer(0.into());
    for column in 0..rows.len() {
        let minor: Vec<Vec<Rational>> = rows[1..]
            .iter()
            .map(|row| row.iter().enumerate().filter(|(j, _)| *j != column).map(|(_, x)| x.clone()).collect())
            .collect();
        let term = &rows[0][column] * determinant(&minor);
        sum = if column % 2 == 0 { sum + term } else { sum - term };
    }
    sum
}

/// Sign of the determinant of the rows (p, |p|², 1) (`lift`) or (p, 1) of the points.
pub fn homogeneous(points: &[&[f64]], lift: bool) -> i32 {
    let rows: Vec<Vec<Rational>> = points
        .iter()
        .map(|point| {
            let mut row: Vec<Rational> = point.iter().map(|&x| exact(x)).collect();
            if lift {
                row.push(row.iter().map(|x| x * x).sum());
            }
            row.push(exact(1.0));
            row
        })
        .collect();
    sign(&determinant(&rows))
}
