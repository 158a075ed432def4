//! Verdict and time against the rational oracle of the testkit, on random and on degenerate queries.

use kontakt_math::DVec3;
use kontakt_soft_ccd::{Kind, Query, Stage, Verdict, first_contact, touches};
use testkit::Generator;
use testkit::moving_contact::{edges_meet, points_at, vertex_meets_face};
use testkit::rational::{Vector, exact, vector};

type Points = [[f64; 3]; 4];

fn query(kind: Kind, start: Points, end: Points) -> Query {
    Query::new(kind, start.map(DVec3::from_array), end.map(DVec3::from_array)).expect("finite")
}

fn meet(kind: Kind, start: &[Vector; 4], end: &[Vector; 4]) -> bool {
    match kind {
        Kind::VertexFace => vertex_meets_face(start, end),
        Kind::EdgeEdge => edges_meet(start, end),
    }
}

/// Checks the verdict, and that contact begins within the bounds of time: some until the upper, none before the lower.
fn check(kind: Kind, start: Points, end: Points) -> Option<Stage> {
    let query = query(kind, start, end);
    let (from, to) = (start.map(vector), end.map(vector));
    let truth = meet(kind, &from, &to);
    let outcome = first_contact(&query, 1e-9);
    assert_eq!(outcome.verdict.is_contact(), truth, "{query:?} by {:?}", outcome.stage);
    assert_eq!(touches(&query), truth, "{query:?}");
    let Verdict::Contact(contact) = outcome.verdict else { return None };
    let (lo, hi) = (contact.time.lo(), contact.time.hi());
    assert!((0.0..=1.0).contains(&lo) && hi <= 1.0 && hi - lo <= 1e-9, "{lo} {hi} {query:?}");
    assert!(meet(kind, &from, &points_at(&from, &to, &exact(hi))), "not yet at {hi}: {query:?}");
    if lo < hi || lo > 0.0 {
        let before = if lo < hi { lo } else { lo.next_down() };
        let free = !meet(kind, &from, &points_at(&from, &to, &exact(before)));
        // The lower bound itself may be the exact time.
        assert!(
            free || (lo < hi
                && before > 0.0
                && !meet(kind, &from, &points_at(&from, &to, &exact(before.next_down())))),
            "contact before {before}: {query:?}"
        );
    }
    let [a, b, c, d] = contact.shares;
    let sums = if kind == Kind::VertexFace { [a, b + c + d] } else { [a + b, c + d] };
    assert!(sums.iter().all(|s| (s - 1.0).abs() < 1e-12), "{contact:?}");
    assert!(contact.shares.iter().all(|s| (0.0..=1.0).contains(s)));
    let at = |t: f64| {
        [0, 1, 2, 3]
            .map(|i| DVec3::from_array(start[i]).lerp(DVec3::from_array(end[i]), t) * contact.shares[i])
    };
    let x = at(0.5 * (lo + hi));
    let gap = if kind == Kind::VertexFace { x[0] - x[1] - x[2] - x[3] } else { x[0] + x[1] - x[2] - x[3] };
    assert!(gap.length() < 1e-6, "{gap} {contact:?} {query:?}");
    Some(outcome.stage)
}

fn points(g: &mut Generator) -> Points {
    std::array::from_fn(|_| g.point())
}

#[test]
fn random_motions() {
    for (kind, seed) in [(Kind::VertexFace, 1), (Kind::EdgeEdge, 2)] {
        let mut g = Generator::free(seed);
        let hits = (0..500).filter(|_| check(kind, points(&mut g), points(&mut g)).is_some()).count();
        assert!((20..250).contains(&hits), "generator drifted: {hits} hits of {kind:?}");
    }
}

#[test]
fn motions_on_a_grid() {
    for (kind, seed) in [(Kind::VertexFace, 3), (Kind::EdgeEdge, 4)] {
        let mut g = Generator::grid(seed);
        let stages: Vec<Stage> =
            (0..900).filter_map(|_| check(kind, points(&mut g), points(&mut g))).collect();
        let exact = stages.iter().filter(|s| **s == Stage::Exact).count();
        assert!((40..500).contains(&stages.len()) && exact > 20, "{} hits, {exact} exact", stages.len());
    }
}

/// All points in one plane at all times; on a line; with coincident points; standing still.
#[test]
fn degenerate_motions_on_a_grid() {
    for (kind, seed) in [(Kind::VertexFace, 5), (Kind::EdgeEdge, 6)] {
        let mut g = Generator::grid(seed);
        let mut hits = 0;
        for case in 0..1200 {
            let (mut start, mut end) = (points(&mut g), points(&mut g));
            match case % 6 {
                0 => [&mut start, &mut end].into_iter().flatten().for_each(|p| p[2] = 0.0),
                // A plane that turns about the x axis.
                1 => {
                    for p in &mut start {
                        p[2] = p[1];
                    }
                    for p in &mut end {
                        p[2] = -p[1];
                    }
                }
                2 => [&mut start, &mut end].into_iter().flatten().for_each(|p| (p[1], p[2]) = (p[0], -p[0])),
                3 => {
                    let (i, j) = (g.index(4), g.index(4));
                    (start[i], end[i]) = (start[j], end[j]);
                }
                4 => end = start,
                _ => {
                    let (i, j) = (g.index(4), g.index(4));
                    start[i] = start[j];
                }
            }
            hits += usize::from(check(kind, start, end).is_some());
        }
        assert!((60..900).contains(&hits), "{hits} hits of {kind:?}");
    }
}

/// Contacts just made or just missed: a point of the triangle or of both edges is met at a chosen time, up to rounding.
#[test]
fn near_contacts() {
    for (kind, seed) in [(Kind::VertexFace, 7), (Kind::EdgeEdge, 8)] {
        let mut g = Generator::free(seed);
        let mut hits = 0;
        for case in 0..400 {
            let (start, mut end) = (points(&mut g), points(&mut g));
            let t = [1.0, 0.5, 0.75, 0.3][case % 4];
            // Shares on the rim or at a corner, half of the time.
            let (mut s, mut r) = (g.unit(), g.unit());
            if case % 3 == 0 {
                s = 0.0;
            }
            if case % 5 == 0 {
                r = 1.0;
            }
            let at = |i: usize, k: usize| start[i][k] + t * (end[i][k] - start[i][k]);
            let target: [f64; 3] = std::array::from_fn(|k| match kind {
                Kind::VertexFace => {
                    let (b, c) = if s + r > 1.0 { (1.0 - s, 1.0 - r) } else { (s, r) };
                    at(1, k) * (1.0 - b - c) + at(2, k) * b + at(3, k) * c
                }
                Kind::EdgeEdge if r == 1.0 => at(2, k) * (1.0 - s) + at(3, k) * s,
                // Point 0 such that the point at share r of edge 0–1 hits.
                Kind::EdgeEdge => (at(2, k) * (1.0 - s) + at(3, k) * s - at(1, k) * r) / (1.0 - r),
            });
            end[0] = std::array::from_fn(|k| start[0][k] + (target[k] - start[0][k]) / t);
            hits += usize::from(check(kind, start, end).is_some());
        }
        assert!((120..395).contains(&hits), "{hits} hits of {kind:?}");
    }
}

/// The same verdict at any scale, also where nothing but integers of any size can decide.
#[test]
fn scales_from_the_smallest_to_the_largest_doubles() {
    for (kind, seed) in [(Kind::VertexFace, 9), (Kind::EdgeEdge, 10)] {
        let mut g = Generator::grid(seed);
        for _ in 0..60 {
            let (start, end) = (points(&mut g), points(&mut g));
            let truth = touches(&query(kind, start, end));
            // Powers of two, so that the scaled doubles are the same motion.
            for exponent in [-1074, -1000, -400, 400, 1022] {
                let scale = f64::powi(2.0, exponent / 2) * f64::powi(2.0, exponent - exponent / 2);
                let of = |points: Points| points.map(|p| p.map(|x| x * scale));
                let scaled = query(kind, of(start), of(end));
                assert_eq!(touches(&scaled), truth, "{scale:e} {scaled:?}");
                let outcome = first_contact(&scaled, 0.0);
                assert_eq!(outcome.verdict.is_contact(), truth);
                if let Some(contact) = outcome.verdict.contact() {
                    assert!(contact.time.lo().next_up() >= contact.time.hi());
                    assert!(contact.shares.iter().all(|s| s.is_finite()) && contact.normal.is_finite());
                }
            }
        }
    }
}

#[test]
fn refuses_what_is_not_finite() {
    use kontakt_soft_ccd::QueryError;
    let mut end = [DVec3::ZERO; 4];
    end[2].y = f64::NAN;
    let error = Query::new(Kind::EdgeEdge, [DVec3::ZERO; 4], end).expect_err("NaN");
    assert_eq!(error, QueryError::NotFinite { point: 2, at_end: true });
    assert_eq!(error.to_string(), "point 2 at the end has a coordinate that is not finite");
}
