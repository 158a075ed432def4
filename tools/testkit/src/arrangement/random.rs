//! Random bodies of few triangles on small integers: convex, self-crossing, nested, flat, open, with needles and points.

use super::{Point, Triangle};
use crate::Generator;

/// A body. Points are drawn from `known` (the corners of another body, say) every third time.
pub fn body(random: &mut Generator, known: &[Point]) -> Vec<Triangle> {
    let mut body = match random.index(12) {
        0 | 1 => tetrahedron(random, known),
        2 => block(random, known),
        3 | 4 => bipyramid(random, known),
        5 => prism(random, known),
        6 => {
            let mut sum = tetrahedron(random, known);
            for _ in 0..=random.index(2) {
                let corners: Vec<Point> = sum.iter().flatten().copied().collect();
                sum.extend(tetrahedron(random, &corners));
            }
            if random.index(2) == 0 { cancelled(&sum) } else { sum }
        }
        7 => {
            let mut shells = block(random, known);
            for _ in 0..=random.index(2) {
                let corners: Vec<Point> = shells.iter().flatten().copied().collect();
                let next = if random.index(2) == 0 {
                    block(random, &corners)
                } else {
                    tetrahedron(random, &corners)
                };
                shells.extend(next);
            }
            shells
        }
        8 => flat(random, known),
        9 => sheet(random, known),
        10 => {
            // A face three times is one wall.
            let mut body = tetrahedron(random, known);
            body.extend([body[random.index(4)]; 2]);
            body
        }
        _ => needles(random, known),
    };
    if random.index(4) == 0 {
        let extra = match random.index(3) {
            0 => flat(random, known),
            1 => needles(random, known),
            _ => tetrahedron(random, known),
        };
        body.extend(extra);
    }
    body
}

/// A second body, often made of the first.
pub fn companion(random: &mut Generator, first: &[Triangle]) -> Vec<Triangle> {
    let corners: Vec<Point> = first.iter().flatten().copied().collect();
    let shift: Point = point(random, &[]).map(|x| x - 3);
    let moved = |p: Point| -> Point { std::array::from_fn(|k| p[k] + shift[k]) };
    match random.index(12) {
        0 => first.to_vec(),
        1 => first.iter().map(|t| t.map(moved)).collect(),
        2 => {
            // With something more: parts, or the same wall twice.
            let mut more = first.to_vec();
            more.extend(if random.index(2) == 0 {
                flat(random, &corners)
            } else {
                needles(random, &corners)
            });
            more
        }
        3 => {
            // One corner moved.
            let (from, to) = (corners[random.index(corners.len())], point(random, &corners));
            first.iter().map(|t| t.map(|p| if p == from { to } else { p })).collect()
        }
        4 => {
            // All round it.
            let (low, high) = (random.integer(-2..=0), random.integer(5..=7));
            block_of([i64::from(low); 3], [i64::from(high); 3])
        }
        _ => body(random, &corners),
    }
}

fn point(random: &mut Generator, known: &[Point]) -> Point {
    if !known.is_empty() && random.index(3) == 0 {
        return known[random.index(known.len())];
    }
    std::array::from_fn(|_| i64::from(random.integer(0..=5)))
}

fn tetrahedron(random: &mut Generator, known: &[Point]) -> Vec<Triangle> {
    let [a, b, c, d] = std::array::from_fn(|_| point(random, known));
    vec![[a, c, b], [a, b, d], [b, c, d], [c, a, d]]
}

fn block(random: &mut Generator, known: &[Point]) -> Vec<Triangle> {
    let (p, q) = (point(random, known), point(random, known));
    let low = std::array::from_fn(|k| p[k].min(q[k]));
    let high = std::array::from_fn(|k| p[k].max(q[k]) + i64::from(p[k] == q[k]));
    block_of(low, high)
}

fn block_of(low: Point, high: Point) -> Vec<Triangle> {
    let at = |i: usize| -> Point { std::array::from_fn(|k| if i >> k & 1 == 0 { low[k] } else { high[k] }) };
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
        .iter()
        .flat_map(|&[a, b, c, d]| [[at(a), at(b), at(c)], [at(a), at(c), at(d)]])
        .collect()
}

/// A ring of corners joined to two tips: crosses itself more often than not.
fn bipyramid(random: &mut Generator, known: &[Point]) -> Vec<Triangle> {
    let ring: Vec<Point> = (0..random.integer(3..=5)).map(|_| point(random, known)).collect();
    let tips = [point(random, known), point(random, known)];
    let n = ring.len();
    (0..n).flat_map(|i| tips.map(|tip| [ring[i], ring[(i + 1) % n], tip])).collect()
}

/// A ring of corners in a plane, moved along: an hourglass where the ring crosses itself.
fn prism(random: &mut Generator, known: &[Point]) -> Vec<Triangle> {
    let height = point(random, known)[2];
    let n = random.integer(3..=5) as usize;
    let ring: Vec<Point> = (0..n)
        .map(|_| {
            let [x, y, _] = point(random, known);
            [x, y, height]
        })
        .collect();
    let by = [0, 0, i64::from(random.integer(1..=5))].map(|x| x + i64::from(random.integer(0..=1)));
    let top = |p: Point| -> Point { std::array::from_fn(|k| p[k] + by[k]) };
    let mut body = Vec::new();
    for i in 0..n {
        let (p, q) = (ring[i], ring[(i + 1) % n]);
        body.extend([[p, q, top(q)], [p, top(q), top(p)]]);
    }
    for i in 1..n - 1 {
        let cap = [ring[0], ring[i], ring[i + 1]];
        body.extend([cap, cap.map(top)]);
    }
    body
}

/// Closed without volume: triangles twice, or a bipyramid in one plane.
fn flat(random: &mut Generator, known: &[Point]) -> Vec<Triangle> {
    if random.index(3) == 0 {
        let level = point(random, known);
        let (axis, flat) = (random.index(3), bipyramid(random, known));
        let pressed = |mut p: Point| {
            p[axis] = level[axis];
            p
        };
        return flat.into_iter().map(|t| t.map(pressed)).collect();
    }
    let mut body = Vec::new();
    for _ in 0..=random.index(2) {
        let t: Triangle = std::array::from_fn(|_| point(random, known));
        body.extend([t; 2]);
    }
    body
}

/// A strip of triangles.
fn sheet(random: &mut Generator, known: &[Point]) -> Vec<Triangle> {
    let mut body: Vec<Triangle> = vec![std::array::from_fn(|_| point(random, known))];
    for _ in 0..random.index(4) {
        let [_, b, c] = body[body.len() - 1];
        body.push([b, c, point(random, known)]);
    }
    body
}

/// Segments and points; of segments some with a corner in the middle, which makes a body open.
fn needles(random: &mut Generator, known: &[Point]) -> Vec<Triangle> {
    let mut body = Vec::new();
    for _ in 0..=random.index(2) {
        let (p, q) = (point(random, known), point(random, known));
        body.push(match random.index(4) {
            0 => [p; 3],
            1 => {
                let end = std::array::from_fn(|k| 2 * q[k] - p[k]);
                [p, end, q]
            }
            _ => [p, q, q],
        });
    }
    body
}

/// Faces that come in pairs left out: the same solid with fewer walls.
fn cancelled(body: &[Triangle]) -> Vec<Triangle> {
    let key = |t: &Triangle| {
        let mut t = *t;
        t.sort_unstable();
        t
    };
    let odd = |t: &&Triangle| body.iter().filter(|other| key(other) == key(t)).count() % 2 == 1;
    let mut left: Vec<Triangle> = body.iter().filter(odd).copied().collect();
    left.sort_by_key(key);
    left.dedup_by_key(|t| key(t));
    if left.is_empty() { body.to_vec() } else { left }
}
