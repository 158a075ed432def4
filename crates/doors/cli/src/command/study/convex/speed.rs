//! Iterative against analytic speed: Table 10.

use super::super::page::{Cell, Page, Table};
use super::mover::{Kind, Mover};
use super::reference::relation;
use super::way::Way;
use crate::clock::Clock;
use crate::failure::Failure;
use kontakt::convex::{ConvexQuery, Method, PlacedShape, Verdict};

/// Kinds, what the thesis printed (10⁵ collisions a second, iterative and analytic, and their ratio), and the time in nanoseconds to be
/// reached.
const ROWS: [(&str, [Kind; 2], [f64; 3], f64); 3] = [
    ("sphere – sphere", [Kind::Sphere, Kind::Sphere], [1.61, 89.29, 55.6], 50.0),
    ("sphere – box", [Kind::Sphere, Kind::Box], [2.91, 56.82, 19.5], 100.0),
    ("box – box", [Kind::Box, Kind::Box], [4.16, 21.74, 5.2], 600.0),
];

/// Places of two bodies.
type Place = [usize; 2];
/// Which two bodies, and where they were.
type Found = Vec<(Place, [kontakt::math::Pose; 2])>;

/// A scene and the pairs of the wanted kinds that are in contact in it.
fn contacts(kinds: [Kind; 2], wanted: usize) -> Result<(Mover, Found), Failure> {
    let mut mover = Mover::new(&kinds, 5)?;
    let (mut found, mut candidates) = (Vec::new(), Vec::new());
    let mut asker = ConvexQuery::new();
    while found.len() < wanted {
        mover.step();
        mover.candidates(&mut candidates);
        for pair in &candidates {
            let [a, b] = pair.map(|i| &mover.bodies[i]);
            let answer =
                asker.contact(PlacedShape::new(&a.shape, a.pose), PlacedShape::new(&b.shape, b.pose));
            if answer.verdict == Verdict::Separate {
                continue;
            }
            if (a.kind == kinds[0] && b.kind == kinds[1]) || (a.kind == kinds[1] && b.kind == kinds[0]) {
                found.push((*pair, [a.pose, b.pose]));
            }
            mover.bounce(*pair, answer.normal);
        }
    }
    Ok((mover, found))
}

/// Seconds a pair: the least of several rounds over all pairs.
fn least(pairs: usize, mut round: impl FnMut()) -> f64 {
    let one = |_| {
        let clock = Clock::start();
        round();
        clock.seconds() / pairs as f64
    };
    (0..9).map(one).fold(f64::INFINITY, f64::min)
}

pub(super) fn section(page: &mut Page, wanted: usize) -> Result<(), Failure> {
    page.heading("Iterative against analytic (4.3, Table 10)");
    page.words(
        "Pairs in contact from moving scenes, with normal, depth and points. *Iterative* is the general certified method without \
         any closed form (GJK, and the growing surface for the depth), *analytic* the one for the pair at hand, *plain formulas* are the \
         doubles of this study without any certificate, *EPA* the thesis's at 1e-7 with a margin of 0.01. \
         The thesis counted collisions a second on one core of a Xeon E5620 at 2.4 GHz; here nanoseconds a pair.",
    );
    let mut table = Table::new(
        "Table 10: nanoseconds a pair in contact",
        [
            "pair",
            "thesis: iterative, 10⁵/s",
            "thesis: analytic, 10⁵/s",
            "thesis: ratio",
            "iterative",
            "wanted",
            "analytic",
            "ratio",
            "plain formulas",
            "EPA",
        ],
    );
    for (name, kinds, thesis, at_most) in ROWS {
        let (mover, pairs) = contacts(kinds, wanted)?;
        let placed = |pair: &(Place, [kontakt::math::Pose; 2]), k: usize| {
            PlacedShape::new(&mover.bodies[pair.0[k]].shape, pair.1[k])
        };
        let by_method = |method: Method| {
            let mut asker = ConvexQuery::with_method(method);
            least(pairs.len(), || {
                for pair in &pairs {
                    std::hint::black_box(asker.contact(placed(pair, 0), placed(pair, 1)));
                }
            })
        };
        let (iterative, analytic) = (by_method(Method::Iterative), by_method(Method::Default));
        let mut epa = Way::expanding(1e-7);
        let epa = least(pairs.len(), || {
            for pair in &pairs {
                std::hint::black_box(epa.ask(placed(pair, 0), placed(pair, 1)));
            }
        });
        let plain = least(pairs.len(), || {
            for (bodies, poses) in &pairs {
                let [a, b] = bodies.map(|i| mover.bodies[i].simple);
                if let (Some(a), Some(b)) = (a, b) {
                    std::hint::black_box(relation(a, poses[0], b, poses[1]));
                }
            }
        });
        let nanoseconds = |seconds: f64| Cell::Number(1e9 * seconds, 0);
        table.row(vec![
            name.into(),
            Cell::Number(thesis[0], 2),
            Cell::Number(thesis[1], 2),
            Cell::Number(thesis[2], 1),
            nanoseconds(iterative),
            Cell::Number(at_most, 0),
            nanoseconds(analytic),
            Cell::Number(iterative / analytic, 1),
            nanoseconds(plain),
            nanoseconds(epa),
        ]);
    }
    page.table(table);
    Ok(())
}
