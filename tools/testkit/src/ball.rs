//! Oracle for smallest enclosing balls: every support set of up to four balls, solved in rationals.
//!
//! Roots are rationals within 2⁻²⁰⁰ of the exact ones, so a radius is right to about 2⁻¹⁸⁰ for data of about unit size.

use crate::rational::{Rational, Vector, add, dot, exact, scale, sub, vector};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Binary places kept of a root.
const PLACES: u64 = 200;

/// √value to within 2⁻²⁰⁰, from below; 0 for a negative value.
pub fn root(value: &Rational) -> Rational {
    if value.is_negative() {
        return Rational::zero();
    }
    let unit = BigInt::one() << PLACES;
    let shifted: BigInt = (value.numer() << (2 * PLACES)) / value.denom();
    Rational::new(shifted.sqrt(), unit)
}

/// The value cut to a multiple of 2⁻²⁰⁰, so that numbers do not grow.
fn cut(value: &Rational) -> Rational {
    let unit = BigInt::one() << PLACES;
    Rational::new((value.numer() << PLACES) / value.denom(), unit)
}

/// Largest |p − centre| + ρ over the balls (centre, radius).
pub fn reach(balls: &[([f64; 3], f64)], centre: &Vector) -> Rational {
    let reach = |(p, radius): &([f64; 3], f64)| {
        let offset = sub(&vector(*p), centre);
        root(&dot(&offset, &offset)) + exact(*radius)
    };
    balls.iter().map(reach).max().unwrap_or_else(Rational::zero)
}

/// Whether the point lies in the ball, exactly.
pub fn holds(centre: [f64; 3], radius: f64, point: [f64; 3]) -> bool {
    let offset = sub(&vector(point), &vector(centre));
    let radius = exact(radius);
    !radius.is_negative() && dot(&offset, &offset) <= &radius * &radius
}

/// Whether the inner ball lies in the outer one, exactly: |p − c| ≤ r − ρ.
pub fn holds_ball(centre: [f64; 3], radius: f64, inner: ([f64; 3], f64)) -> bool {
    let offset = sub(&vector(inner.0), &vector(centre));
    let room = exact(radius) - exact(inner.1);
    !room.is_negative() && dot(&offset, &offset) <= &room * &room
}

/// Radius of the smallest ball around the balls (centre, radius), by trying all supports. For a handful of balls.
pub fn smallest_radius(balls: &[([f64; 3], f64)]) -> Rational {
    let mut least: Option<Rational> = None;
    for set in 1_u32..1 << balls.len() {
        if set.count_ones() > 4 {
            continue;
        }
        let members: Vec<_> = (0..balls.len()).filter(|i| set & (1 << i) != 0).map(|i| balls[i]).collect();
        for centre in tangent_centres(&members) {
            let reach = reach(balls, &centre);
            if least.as_ref().is_none_or(|least| reach < *least) {
                least = Some(reach);
            }
        }
    }
    least.unwrap_or_else(Rational::zero)
}

/// Centres, in the affine hull of the members' centres, of balls that all members touch from inside.
fn tangent_centres(members: &[([f64; 3], f64)]) -> Vec<Vector> {
    let base = vector(members[0].0);
    let edges: Vec<Vector> = members[1..].iter().map(|m| sub(&vector(m.0), &base)).collect();
    if edges.is_empty() {
        return vec![base];
    }
    let delta: Vec<Rational> = members[1..].iter().map(|m| exact(m.1) - exact(members[0].1)).collect();
    let two = Rational::from_integer(2.into());
    let right: Vec<Rational> = edges.iter().zip(&delta).map(|(e, d)| (dot(e, e) - d * d) / &two).collect();
    let (Some(u), Some(v)) = (solve_gram(&edges, &right), solve_gram(&edges, &delta)) else {
        return Vec::new();
    };
    let product = |a: &[Rational], b: &[Rational]| -> Rational { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    // A s² − 2B s − C = 0 for s = R − ρ of the base.
    let (a, b, c) = (Rational::one() - product(&v, &delta), product(&u, &delta), product(&u, &right));
    let mut roots = Vec::new();
    if a.is_zero() {
        if !b.is_zero() {
            roots.push(-&c / (&two * &b));
        }
    } else {
        let discriminant = &b * &b + &a * &c;
        if !discriminant.is_negative() {
            let root = root(&discriminant);
            roots.extend([(&b + &root) / &a, (&b - &root) / &a]);
        }
    }
    let centre = |s: Rational| {
        let mut x = base.clone();
        for ((u, v), edge) in u.iter().zip(&v).zip(&edges) {
            x = add(&x, &scale(&(u + &s * v), edge));
        }
        x.map(|value| cut(&value))
    };
    roots.into_iter().filter(|s| !s.is_negative()).map(centre).collect()
}

/// Solution of G w = right for the Gram matrix of the edges, by elimination; `None` if they are dependent.
fn solve_gram(edges: &[Vector], right: &[Rational]) -> Option<Vec<Rational>> {
    let n = edges.len();
    let mut rows: Vec<Vec<Rational>> = (0..n)
        .map(|i| (0..n).map(|j| dot(&edges[i], &edges[j])).chain([right[i].clone()]).collect())
        .collect();
    for column in 0..n {
        let pivot = (column..n).find(|&row| !rows[row][column].is_zero())?;
        rows.swap(column, pivot);
        let lead = rows[column].clone();
        for (row, entries) in rows.iter_mut().enumerate() {
            if row != column {
                let factor = &entries[column] / &lead[column];
                for (entry, lead) in entries.iter_mut().zip(&lead) {
                    *entry -= &factor * lead;
                }
            }
        }
    }
    Some((0..n).map(|i| &rows[i][n] / &rows[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_balls() {
        let near =
            |value: Rational, expected: f64| crate::rational::abs(&(value - exact(expected))) < exact(1e-15);
        let cube: Vec<_> =
            (0..8).map(|i| ([f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)], 0.0)).collect();
        assert!(near(smallest_radius(&cube), 0.75_f64.sqrt()));
        assert!(near(smallest_radius(&[([-3.0, 0.0, 0.0], 1.0), ([3.0, 0.0, 0.0], 2.0)]), 4.5));
        assert!(near(smallest_radius(&[([0.5, 0.0, 0.0], 0.5), ([0.0, 0.0, 0.0], 3.0)]), 3.0));
    }
}
