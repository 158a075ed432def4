//! Weakly convex polygons in the plane: telling them, and their triangles.

use kontakt_math::predicates::orient2d;
use kontakt_math::{DVec2, Sign};

/// Polygons with more corners are not fanned out.
const FANNED: usize = 32;

/// Triangles of a weakly convex polygon, none of them degenerate, in linear time.
///
/// Call a corner flat when its two edges are collinear, else strict; there are at least three strict ones. Number the
/// corners so that 0 is strict, and let `s` and `e` be the first and last strict corners after it: 0..=s and e..=n are the
/// two sides that meet in 0. A fan from corner s + 1 over the first side is proper because s + 1 is not on that side, s
/// being strict; likewise the fan from e − 1 over the last side; and corner 0 is on no line of an edge between s and e.
/// If s and e are neighbours, corners 1 and e serve as the two apexes: 1 is not on the last side, e not on the first.
pub(crate) fn cut(flat: &[DVec2], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let n = corners.len();
    if n > FANNED && halve(flat, corners, triangles) {
        return;
    }
    let strict = |k: usize| {
        let [a, b, c] = [(k + n - 1) % n, k % n, (k + 1) % n].map(|j| flat[j]);
        orient2d(a, b, c) != Sign::Zero
    };
    let zero = (0..n).find(|&k| strict(k)).unwrap_or(0);
    let s = (1..n).find(|&k| strict(zero + k)).unwrap_or(1);
    let e = (1..n).rfind(|&k| strict(zero + k)).unwrap_or(n - 1);
    let triangle = |a: usize, b: usize, c: usize| [a, b, c].map(|k| corners[(zero + k) % n]);
    let apart = e > s + 1;
    let (first_apex, last_apex) = if apart { (s + 1, e - 1) } else { (e, 1) };
    let first_side = usize::from(!apart)..s;
    triangles.extend(first_side.map(|k| triangle(k, k + 1, first_apex)));
    if apart {
        triangles.extend((s + 1..e - 1).map(|k| triangle(0, k, k + 1)));
    }
    triangles.extend((e..n).map(|k| triangle(last_apex, k, k + 1)));
}

/// Triangles of a weakly convex polygon by halves: one with three strict corners a third of the way apart, then one on the
/// middle of each chord. No corner is in more than a few of them, and most are small: the boxes of few of them meet,
/// where in a fan all do. `false` (and nothing done) when a third is one straight side.
///
/// A chord from i to j cuts off the corners between. The middle one is on the chord exactly when all of them are: the polygon
/// is weakly convex, so they are then one straight side, and the triangle at the chord takes them as a fan from its corner
/// off that side.
fn halve(flat: &[DVec2], corners: &[u32], triangles: &mut Vec<[u32; 3]>) -> bool {
    let n = corners.len();
    let turn = |a: usize, b: usize, c: usize| orient2d(flat[a % n], flat[b % n], flat[c % n]);
    let is_straight = |i: usize, j: usize| j > i + 1 && turn(i, i + (j - i) / 2, j) == Sign::Zero;
    let mut strict = (0..n).filter(|&k| turn(k + n - 1, k, k + 1) != Sign::Zero);
    let thirds = strict.next().and_then(|first| {
        let second = strict.by_ref().find(|&k| k >= first + n / 3)?;
        let third = strict.by_ref().find(|&k| k >= second + n / 3)?;
        Some([first, second, third])
    });
    let Some([first, second, third]) = thirds else { return false };
    let chords = [[first, second], [second, third], [third, first + n]];
    if chords.iter().any(|&[i, j]| is_straight(i, j)) {
        return false;
    }
    let triangle = |a: usize, b: usize, c: usize| [a, b, c].map(|k| corners[k % n]);
    triangles.push(triangle(first, second, third));
    let mut open = chords.to_vec();
    while let Some([i, j]) = open.pop() {
        if j <= i + 1 {
            continue;
        }
        let middle = i + (j - i) / 2;
        let last = if is_straight(i, middle) {
            triangles.extend((i..middle - 1).map(|k| triangle(k, k + 1, j)));
            middle - 1
        } else {
            open.push([i, middle]);
            i
        };
        if is_straight(middle, j) {
            triangles.extend((middle..j).map(|k| triangle(last, k, k + 1)));
        } else {
            triangles.push(triangle(last, middle, j));
            open.push([middle, j]);
        }
    }
    true
}

/// Whether a closed polygon that is not on one line goes once counter-clockwise round a convex region, corners within straight
/// sides allowed. Its orientation may be either; the view is such that one proper triple turns left, so a polygon that turns
/// right throughout is convex too.
///
/// Proof of the test. Call an edge rising when its direction is lexicographically positive. Let no edge have length zero, all
/// turns have one sign or be zero, and no zero turn be a reversal (both edges rising or both falling). Then the direction
/// angle of the edges is monotone, its total change is 2πw with w ≥ 1 full turns, and each full turn changes between rising
/// and falling exactly twice. Two changes hence mean w = 1, and a closed polygon with monotone direction and w = 1 is convex.
pub(crate) fn is_weakly_convex(flat: &[DVec2]) -> bool {
    let n = flat.len();
    let mut seen = Sign::Zero;
    let mut changes = 0;
    for i in 0..n {
        let [a, b, c] = [i, (i + 1) % n, (i + 2) % n].map(|k| flat[k]);
        let (Some(first), Some(second)) = (rises(a, b), rises(b, c)) else { return false };
        changes += usize::from(first != second);
        match orient2d(a, b, c) {
            Sign::Zero if first != second => return false,
            Sign::Zero => {}
            turn if seen == Sign::Zero => seen = turn,
            turn if turn != seen => return false,
            _ => {}
        }
    }
    changes == 2
}

/// Whether `b` comes after `a` lexicographically; `None` when they are the same point.
fn rises(a: DVec2, b: DVec2) -> Option<bool> {
    if a.x == b.x && a.y == b.y { None } else { Some((b.x, b.y) > (a.x, a.y)) }
}
