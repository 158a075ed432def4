//! Exact polynomials over the rationals, lowest power first: values, products, and Sturm's root count by the book.

use crate::rational::{Rational, integer, sign};
use num_traits::Zero;

/// Drops leading zeros.
fn trimmed(mut p: Vec<Rational>) -> Vec<Rational> {
    while p.last().is_some_and(Rational::is_zero) {
        p.pop();
    }
    p
}

/// p(t)
pub fn evaluate(p: &[Rational], t: &Rational) -> Rational {
    p.iter().rev().fold(integer(0), |value, c| value * t + c)
}

/// p′
pub fn derivative(p: &[Rational]) -> Vec<Rational> {
    p.iter().enumerate().skip(1).map(|(i, c)| c * integer(i64::try_from(i).unwrap_or(0))).collect()
}

/// p·q
pub fn product(p: &[Rational], q: &[Rational]) -> Vec<Rational> {
    let mut result = vec![integer(0); (p.len() + q.len()).saturating_sub(1)];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            result[i + j] += a * b;
        }
    }
    trimmed(result)
}

/// Remainder of p on division by q, q not zero.
fn remainder(p: &[Rational], q: &[Rational]) -> Vec<Rational> {
    let mut rest = trimmed(p.to_vec());
    while rest.len() >= q.len() {
        let shift = rest.len() - q.len();
        let factor = &rest[rest.len() - 1] / &q[q.len() - 1];
        for (i, c) in q.iter().enumerate() {
            rest[shift + i] -= &factor * c;
        }
        rest.pop();
        rest = trimmed(rest);
    }
    rest
}

/// Greatest common divisor up to a factor.
pub fn common_divisor(p: &[Rational], q: &[Rational]) -> Vec<Rational> {
    let (mut a, mut b) = (trimmed(p.to_vec()), trimmed(q.to_vec()));
    while !b.is_empty() {
        let rest = remainder(&a, &b);
        a = b;
        b = rest;
    }
    a
}

/// Number of distinct roots of p (not zero) in (a, b], whose ends may be roots; by Sturm's chain of p divided by
/// the greatest common divisor of p and p′, which is done value by value.
pub fn distinct_roots(p: &[Rational], a: &Rational, b: &Rational) -> i64 {
    let mut chain = vec![trimmed(p.to_vec()), derivative(p)];
    while chain[chain.len() - 1].len() > 1 {
        let next = remainder(&chain[chain.len() - 2], &chain[chain.len() - 1]);
        if next.is_empty() {
            break;
        }
        chain.push(next.into_iter().map(|c| -c).collect());
    }
    let last = chain[chain.len() - 1].clone();
    let divided: Vec<Vec<Rational>> = chain.iter().map(|member| quotient(member, &last)).collect();
    let changes = |t: &Rational| {
        let signs: Vec<i32> =
            divided.iter().map(|member| sign(&evaluate(member, t))).filter(|s| *s != 0).collect();
        i64::try_from(signs.windows(2).filter(|pair| pair[0] != pair[1]).count()).unwrap_or(0)
    };
    changes(a) - changes(b)
}

/// Quotient without remainder.
fn quotient(p: &[Rational], q: &[Rational]) -> Vec<Rational> {
    if q.is_empty() {
        return p.to_vec();
    }
    let mut rest = trimmed(p.to_vec());
    let mut result = vec![integer(0); (rest.len() + 1).saturating_sub(q.len())];
    while rest.len() >= q.len() {
        let shift = rest.len() - q.len();
        let factor = &rest[rest.len() - 1] / &q[q.len() - 1];
        for (i, c) in q.iter().enumerate() {
            rest[shift + i] -= &factor * c;
        }
        result[shift] = factor;
        rest.pop();
        rest = trimmed(rest);
    }
    result
}

/// Sign of g at the only root of f in (lo, hi], by narrowing: zero if the common divisor has a root there, else the
/// sign at `hi` once g has no root left in the shrunken interval.
pub fn sign_at_root(f: &[Rational], g: &[Rational], lo: &Rational, hi: &Rational) -> i32 {
    let g = trimmed(g.to_vec());
    if g.is_empty() {
        return 0;
    }
    let common = common_divisor(f, &g);
    if common.len() > 1 && distinct_roots(&common, lo, hi) > 0 {
        return 0;
    }
    let (mut lo, mut hi) = (lo.clone(), hi.clone());
    while g.len() > 1 && distinct_roots(&g, &lo, &hi) > 0 {
        let middle = (&lo + &hi) / integer(2);
        if distinct_roots(f, &lo, &middle) > 0 { hi = middle } else { lo = middle }
    }
    sign(&evaluate(&g, &hi))
}
