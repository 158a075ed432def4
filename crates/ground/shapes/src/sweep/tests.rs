//! Random polygons against whole numbers: areas, overlaps of all pairs of triangles, crossings of all pairs of edges.

use super::*;
use testkit::Generator;

type Point = [i64; 2];

fn cases(quick: usize) -> usize {
    std::env::var("KONTAKT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(quick)
}

fn swept(points: &[DVec2]) -> Option<(Vec<[u32; 3]>, Outline, usize)> {
    let corners: Vec<u32> = (0..points.len() as u32).collect();
    let mut triangles = Vec::new();
    let (outline, steps) = counted_cut(points, &corners, &mut triangles).ok()?;
    Some((triangles, outline, steps))
}

/// Also asserts that touching is seen.
fn swept_exactly(points: &[Point]) -> Option<Vec<[u32; 3]>> {
    let flat: Vec<DVec2> = points.iter().map(|p| DVec2::new(p[0] as f64, p[1] as f64)).collect();
    let (triangles, outline, _) = swept(&flat)?;
    assert_eq!(outline == Outline::Simple, touches_itself_nowhere(points), "{points:?}");
    Some(triangles)
}

/// Twice the area, counter-clockwise positive.
fn area([a, b, c]: [Point; 3]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn outline_area(points: &[Point]) -> i64 {
    (0..points.len()).map(|k| area([[0, 0], points[k], points[(k + 1) % points.len()]])).sum()
}

/// Whether two triangles with an area have an inner point in common: no edge of theirs has the other on its outer side.
fn overlap(s: [Point; 3], t: [Point; 3]) -> bool {
    let parts = |s: [Point; 3], t: [Point; 3]| {
        (0..3).any(|k| t.iter().all(|&p| area([s[k], s[(k + 1) % 3], p]) <= 0))
    };
    !parts(s, t) && !parts(t, s)
}

fn edges_meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let crossed = area([a, b, c]).signum() * area([a, b, d]).signum() <= 0
        && area([c, d, a]).signum() * area([c, d, b]).signum() <= 0;
    let apart = (0..2).any(|k| a[k].max(b[k]) < c[k].min(d[k]) || c[k].max(d[k]) < a[k].min(b[k]));
    crossed && !apart
}

/// Whether no two edges have a common point but neighbours their corner.
fn touches_itself_nowhere(points: &[Point]) -> bool {
    let n = points.len();
    let edge = |k: usize| [points[k % n], points[(k + 1) % n]];
    (0..n).all(|k| {
        let [a, b] = edge(k);
        let c = edge(k + 1)[1];
        let back = area([a, b, c]) == 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) <= 0;
        !back && (k + 2..n).all(|l| (l + 1) % n == k || !edges_meet(edge(k), edge(l)))
    })
}

/// Asserts that triangles cover the inside once; `strictly`: that all have an area.
fn assert_cover(points: &[Point], triangles: &[[u32; 3]], strictly: bool) {
    assert_eq!(triangles.len(), points.len() - 2);
    let placed: Vec<[Point; 3]> = triangles.iter().map(|t| t.map(|k| points[k as usize])).collect();
    assert_eq!(placed.iter().map(|&t| area(t)).sum::<i64>(), outline_area(points), "{points:?}");
    assert!(placed.iter().all(|&t| area(t) >= i64::from(strictly)), "{points:?}: {triangles:?}");
    let proper: Vec<_> = placed.into_iter().filter(|&t| area(t) > 0).collect();
    for (k, &s) in proper.iter().enumerate() {
        assert!(proper[..k].iter().all(|&t| !overlap(s, t)), "{points:?}: {triangles:?}");
    }
}

#[test]
fn a_yes_is_right_and_simple_polygons_get_one() {
    let mut random = Generator::free(4);
    let (mut simple, mut touching, mut refused) = (0, 0, 0);
    for _ in 0..cases(60_000) {
        let n = 4 + random.index(6);
        let size = 2 + random.integer(0..=3);
        let mut points: Vec<Point> =
            (0..n).map(|_| [(); 2].map(|()| i64::from(random.integer(0..=size)))).collect();
        if outline_area(&points) < 0 {
            points.reverse();
        }
        let is_simple = touches_itself_nowhere(&points);
        let swept = swept_exactly(&points);
        if let Some(triangles) = &swept {
            assert_cover(&points, triangles, is_simple);
        }
        assert!(swept.is_some() || !is_simple, "{points:?}");
        *match (swept, is_simple) {
            (None, _) => &mut refused,
            (_, true) => &mut simple,
            (_, false) => &mut touching,
        } += 1;
    }
    let all = simple + touching + refused;
    assert!(simple * 50 > all && touching * 50 > all && refused * 10 > all, "{simple} {touching} {refused}");
}

/// Corners round the origin, in the order of their directions.
fn star_shaped(random: &mut Generator, n: i32) -> Vec<Point> {
    let mut points: Vec<Point> =
        (0..n).map(|_| [(); 2].map(|()| i64::from(random.integer(-40..=40)))).collect();
    points.sort_by(|p, q| (p[1] as f64).atan2(p[0] as f64).total_cmp(&(q[1] as f64).atan2(q[0] as f64)));
    points
}

fn comb(random: &mut Generator, teeth: i64) -> Vec<Point> {
    let mut points = vec![[0, 0], [2 * teeth, 0]];
    points.extend((0..=2 * teeth).map(|k| {
        let height = i64::from(random.integer(1..=9));
        [2 * teeth - k, if k % 2 == 0 { 10 + height } else { height }]
    }));
    points
}

/// A corridor of right angles that winds inward.
fn spiral(turns: i64) -> Vec<Point> {
    let arm = |k: i64, shift: i64| {
        let r = 4 * turns - 2 * (k / 2) - shift;
        match k % 4 {
            0 => [r, -r],
            1 => [r, r],
            2 => [-r, r],
            _ => [-r, -r + 4],
        }
    };
    let outer = (0..4 * turns - 4).map(|k| arm(k, 0));
    let inner = (0..4 * turns - 4).rev().map(|k| arm(k, 1));
    outer.chain(inner).collect()
}

#[test]
fn stars_combs_and_spirals_with_straight_and_repeated_corners_are_covered() {
    let mut random = Generator::free(9);
    let mut kinds = [0; 3];
    for case in 0..cases(240) {
        let size = random.integer(3..=22);
        let mut points = match case % 3 {
            0 => star_shaped(&mut random, 4 * size),
            1 => comb(&mut random, size.into()),
            _ => spiral(2 + i64::from(size / 4)),
        };
        if outline_area(&points) < 0 {
            points.reverse();
        }
        if !touches_itself_nowhere(&points) {
            continue;
        }
        kinds[case % 3] += 1;
        // Middles of edges, another first corner, another view; then repeats.
        let n = points.len();
        let middle = |k: usize| [0, 1].map(|i| points[k][i] + points[(k + 1) % n][i]);
        let mut more: Vec<Point> = (0..n)
            .flat_map(|k| [points[k].map(|x| 2 * x), middle(k)])
            .filter(|_| random.unit() < 0.9)
            .collect();
        if !touches_itself_nowhere(&more) {
            more = points.iter().map(|p| p.map(|x| 2 * x)).collect();
        }
        let first = random.index(more.len());
        more.rotate_left(first);
        for _ in 0..random.index(4) {
            more = more.iter().map(|&[x, y]| [-y, x]).collect();
        }
        let triangles = swept_exactly(&more).expect("a simple polygon");
        assert_cover(&more, &triangles, true);
        let repeated: Vec<Point> =
            more.iter().flat_map(|&p| std::iter::repeat_n(p, 1 + random.index(3))).collect();
        assert_cover(&repeated, &swept_exactly(&repeated).expect("a simple polygon"), false);
    }
    assert!(kinds.iter().all(|&count| count * 12 > cases(240)), "{kinds:?}");
}

#[test]
fn holes_joined_by_bridges_are_covered() {
    // Nine square holes in a square, each joined to the corner at the lower left or to the hole before, by bridges to any of its corners.
    let mut random = Generator::free(2);
    let mut covered = 0;
    for _ in 0..cases(300) {
        let mut outline = vec![[-7, -9], [64, 0], [64, 64], [0, 64]];
        for hole in 0..9_i64 {
            let low = [8 + 18 * (hole % 3), 6 + 18 * (hole / 3) + 2 * (hole % 3)];
            let mut ring = [[0, 0], [0, 5], [5, 5], [5, 0]].map(|d| [low[0] + d[0], low[1] + d[1]]);
            ring.rotate_left(random.index(4));
            let at = random.index(outline.len());
            let bridge: Vec<Point> = ring.into_iter().chain([ring[0], outline[at]]).collect();
            let joins = |edge: [Point; 2]| {
                edge.contains(&ring[0])
                    || edge.contains(&outline[at])
                    || !edges_meet(edge, [outline[at], ring[0]])
            };
            let n = outline.len();
            let free = (0..n).all(|k| joins([outline[k], outline[(k + 1) % n]]))
                && (0..4).all(|k| joins([ring[k], ring[(k + 1) % 4]]));
            if free {
                outline.splice(at + 1..=at, bridge);
            }
        }
        let first = random.index(outline.len());
        outline.rotate_left(first);
        if let Some(triangles) = swept_exactly(&outline) {
            assert_cover(&outline, &triangles, false);
            covered += 1;
        }
    }
    // Bridges that leave a corner on the wrong side of another bridge cross it: such outlines are no polygons.
    assert!(covered * 4 > cases(300), "{covered}");
}

/// Long polygons of about n corners: star, comb, random star, spiral.
fn long_ones(n: u32) -> [Vec<DVec2>; 4] {
    let mut random = Generator::free(1);
    let at = |k: u32, r: f64| DVec2::from_angle(std::f64::consts::TAU * f64::from(k) / f64::from(n)) * r;
    let star = (0..n).map(|k| at(k, if k % 2 == 0 { 1.0 } else { 0.5 })).collect();
    let rough_star = (0..n).map(|k| at(k, 0.1 + random.unit())).collect();
    let mut comb = vec![DVec2::ZERO, DVec2::new(f64::from(n), 0.0)];
    comb.extend((0..n).map(|k| DVec2::new(f64::from(n - k), if k % 2 == 0 { 5. } else { 1. })));
    let arm =
        |k: u32, shift: f64| DVec2::from_angle(f64::from(k) * 0.05) * (1.0 + f64::from(k) / 125.0 + shift);
    let spiral = (0..n / 2).map(|k| arm(k, 0.3)).chain((0..n / 2).rev().map(|k| arm(k, 0.0))).collect();
    [star, comb, rough_star, spiral]
}

#[test]
fn twice_the_corners_take_about_twice_the_steps() {
    // Ears were once looked for in a tree of all corners: 20 s for a star of 10⁵ corners, and some 10⁹ steps for a comb.
    for (short, long) in long_ones(20_000).iter().zip(&long_ones(40_000)) {
        let [(triangles, _, steps), (_, _, twice)] =
            [short, long].map(|points| swept(points).expect("a polygon"));
        assert!(steps < 25 * short.len(), "{steps}");
        assert!(10 * twice < 23 * steps, "{steps}, then {twice}");
        let at = |k: usize| short[k % short.len()];
        let outline: f64 = (0..short.len()).map(|k| at(k).perp_dot(at(k + 1))).sum();
        let area =
            |[a, b, c]: [u32; 3]| (at(b as usize) - at(a as usize)).perp_dot(at(c as usize) - at(a as usize));
        let covered: f64 = triangles.iter().map(|&t| area(t)).sum();
        assert!((covered - outline).abs() < 1e-9 * outline, "{covered}, not {outline}");
    }
}

#[test]
fn crossing_polygons_points_and_lines_are_refused() {
    let mut random = Generator::free(3);
    let tangle: Vec<DVec2> = (0..1000).map(|_| DVec2::new(random.unit(), random.unit())).collect();
    let line: Vec<DVec2> = (0..1000).map(|k| DVec2::new(f64::from(k), 0.0)).collect();
    let twice: Vec<DVec2> = (0..200).map(|k| DVec2::from_angle(0.0629 * f64::from(k))).collect();
    for points in [tangle, line, twice, vec![DVec2::ONE; 100]] {
        assert!(swept(&points).is_none_or(|(triangles, ..)| triangles.iter().all(|t| {
            let [a, b, c] = t.map(|k| points[k as usize]);
            orient2d(a, b, c) == Sign::Zero
        })));
    }
}
