//! The influence of EPA's stop parameter on ellipsoids: Table 9 and Figure 25.

use super::super::page::{Cell, Page, Table};
use super::mover::{Kind, Mover};
use super::way::{Way, degrees};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::plot::{Lines, Spacing};
use crate::progress;
use kontakt::convex::{PlacedShape, Shape};
use kontakt::math::{DVec3, Pose};

/// Numerical failures and missed contacts of the thesis, for 1e-1 to 1e-13.
const THESIS: [(f64, f64); 13] = [
    (0.0, 5939.0),
    (0.0, 561.0),
    (0.0, 62.0),
    (0.0, 5.0),
    (0.0, 2.0),
    (0.0, 0.0),
    (0.0, 0.0),
    (0.0, 0.0),
    (1.0, 0.0),
    (43.0, 0.0),
    (488.0, 0.0),
    (7015.0, 0.0),
    (15411.0, 0.0),
];

/// A recorded pair.
struct Recorded {
    shapes: [usize; 2],
    poses: [Pose; 2],
    /// Certified normal if in contact.
    normal: Option<DVec3>,
}

/// Pairs, their shapes, and the seconds a certified answer takes.
fn record(wanted: usize) -> Result<(Vec<Shape>, Vec<Recorded>, f64), Failure> {
    let mut mover = Mover::new(&[Kind::Ellipsoid], 9)?;
    let shapes: Vec<Shape> = mover.bodies.iter().map(|body| body.shape.clone()).collect();
    let mut ours = Way::certified();
    let (mut pairs, mut candidates) = (Vec::new(), Vec::new());
    while pairs.len() < wanted {
        // Pairs of successive steps are much alike: every tenth is enough.
        for _ in 0..10 {
            mover.step();
            mover.candidates(&mut candidates);
            for pair in &candidates {
                let [a, b] = pair.map(|i| &mover.bodies[i]);
                let said = ours.ask(PlacedShape::new(&a.shape, a.pose), PlacedShape::new(&b.shape, b.pose));
                if said.contact {
                    mover.bounce(*pair, said.normal);
                }
            }
        }
        for [i, j] in candidates.iter().copied() {
            let poses = [mover.bodies[i].pose, mover.bodies[j].pose];
            let said =
                ours.ask(PlacedShape::new(&shapes[i], poses[0]), PlacedShape::new(&shapes[j], poses[1]));
            let normal = (said.contact && said.separation < 0.0).then_some(said.normal);
            pairs.push(Recorded { shapes: [i, j], poses, normal });
        }
    }
    let clock = Clock::start();
    for pair in &pairs {
        let [a, b] = [0, 1].map(|k| PlacedShape::new(&shapes[pair.shapes[k]], pair.poses[k]));
        std::hint::black_box(ours.ask(a, b));
    }
    let mean = clock.seconds() / pairs.len() as f64;
    Ok((shapes, pairs, mean))
}

pub(super) fn section(page: &mut Page, wanted: usize) -> Result<(), Failure> {
    page.heading("The stop parameter (4.3, Table 9, Figure 25)");
    let (shapes, pairs, certified) = progress::during("recording ellipsoids".into(), || record(wanted))?;
    let contacts = pairs.iter().filter(|pair| pair.normal.is_some()).count();
    page.words(format!(
        "{} pairs of ellipsoids from a moving scene, {contacts} of them in contact (thesis: 250 000 and 87 000 that EPA saw). EPA runs at each \
         stop, with bodies grown by 0.01 as the thesis grew its own (by how much it does not say); \
         reference is the certified answer, which takes {:.2} µs a pair (contact or not).",
        pairs.len(),
        1e6 * certified
    ));
    let mut table = Table::new(
        "Table 9: EPA's numerical failures and missed contacts over its relative stop",
        [
            "stop",
            "thesis: failures",
            "thesis: missed",
            "failures",
            "missed",
            "contacts a second",
            "mean normal error °",
        ],
    );
    let (mut speed, mut error) = (Vec::new(), Vec::new());
    for (exponent, (failures, missed)) in (1_i32..).zip(THESIS) {
        let found = run(&shapes, &pairs, 10f64.powi(-exponent));
        table.row(vec![
            format!("1e-{exponent}").into(),
            Cell::Number(failures, 0),
            Cell::Number(missed, 0),
            Cell::Number(found.failures as f64, 0),
            Cell::Number(found.missed as f64, 0),
            Cell::Number(found.rate, 0),
            format!("{:.1e}", found.angle).into(),
        ]);
        speed.push([f64::from(-exponent), found.rate]);
        error.push([f64::from(-exponent), found.angle]);
    }
    page.table(table);
    let plot = |title: &str, y_label: &str, name: &str, points: Vec<[f64; 2]>| {
        Lines {
            title: title.to_owned(),
            x_label: "log10 of the relative stop".to_owned(),
            y_label: y_label.to_owned(),
            spacing: Spacing::Logarithmic,
            dots: true,
            series: vec![(name.to_owned(), points)],
        }
        .svg()
    };
    page.figure(
        "stop-speed",
        "Figure 25a: EPA's speed over its stop",
        plot("EPA on ellipsoids: speed", "contacts a second", "EPA", speed),
    );
    page.figure(
        "stop-normal",
        "Figure 25b: mean error of EPA's normals over its stop",
        plot("EPA on ellipsoids: normals", "mean error, degrees", "EPA", error),
    );
    page.words(
        "The thesis found the mean error of the normal to go like the root of the stop, which is the slope of ½ in the figure, and advised a stop \
         between 1e-5 and 1e-10. The certified method has no such parameter.",
    );
    Ok(())
}

struct Row {
    failures: usize,
    missed: usize,
    rate: f64,
    angle: f64,
}

fn run(shapes: &[Shape], pairs: &[Recorded], stop: f64) -> Row {
    let mut epa = Way::expanding(stop);
    let (mut failures, mut missed, mut sum, mut seen) = (0, 0, 0.0, 0_usize);
    let clock = Clock::start();
    for pair in pairs {
        let Some(normal) = pair.normal else { continue };
        let placed = [0, 1].map(|k| PlacedShape::new(&shapes[pair.shapes[k]], pair.poses[k]));
        let said = epa.ask(placed[0], placed[1]);
        failures += usize::from(said.failed);
        if said.contact {
            seen += 1;
            sum += degrees(normal, said.normal);
        } else {
            missed += 1;
        }
    }
    let asked = (seen + missed) as f64;
    Row { failures, missed, rate: asked / clock.seconds().max(1e-9), angle: sum / seen.max(1) as f64 }
}
