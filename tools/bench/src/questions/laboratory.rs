//! The laboratory of volumes: what each kind and each stored form costs and gains. Nothing is judged.

use crate::bench::Bench;
use crate::clock::timed;
use crate::contest::{Contender, hold};
use crate::product::laboratory::{bodies, fit_all, forms};
use crate::questions::overlap::share;
use crate::report::{Fact, Row, Table, Time, Unit};
use kontakt::bounds::VolumeKind;
use kontakt::math::{DVec3, Pose};
use std::hint::black_box;

/// Bodies, and points of each.
const BODIES: usize = 24;
const POINTS: usize = 64;
/// Boxes in the comparison of forms.
const BOXES: usize = 64;

/// Fit, overlap, gap, transform against refit, tightness and memory of every kind.
pub(super) fn ask_kinds(bench: &mut Bench) -> Table {
    let effort = bench.effort(5, 1, 0.5);
    let bodies = bodies(BODIES, POINTS);
    let pose = Pose::from_axis_angle(DVec3::new(1.0, 2.0, 3.0), 0.7, DVec3::X).unwrap_or(Pose::IDENTITY);
    let kinds = fit_all(&bodies);
    let hull = kinds.iter().find(|fitted| fitted.kind.name == "hull");
    let (hull_volume, hull_overlaps) =
        hull.map_or((f64::NAN, 0), |hull| (hull.mean_volume(), hull.overlaps()));
    let mut rows = Vec::new();
    for fitted in kinds.iter().filter(|fitted| bench.wants(fitted.kind.name)) {
        let pairs = BODIES * BODIES;
        let contenders = vec![
            each("fit", BODIES, || fit_count(fitted.kind, &bodies)),
            each("overlap", pairs, || fitted.overlaps()),
            each("gap", pairs, || fitted.gaps()),
            each("transform", BODIES, || fitted.transforms(&pose)),
        ];
        let outcomes = hold(contenders, effort);
        let false_alarms = fitted.overlaps().saturating_sub(hull_overlaps) as f64 / pairs as f64;
        rows.push(Row {
            case: fitted.kind.name.to_owned(),
            size: format!("{} doubles", fitted.doubles()),
            times: outcomes.iter().map(Time::from).collect(),
            ratio: None,
            facts: vec![
                Fact::plain("volume / hull's", format!("{:.2}", fitted.mean_volume() / hull_volume)),
                Fact::plain("\"maybe\" more than hulls", format!("{:.1} %", 100.0 * false_alarms)),
            ],
        });
    }
    Table {
        key: "kinds",
        title: "Laboratory: every kind of volume on the same bodies",
        target: "nothing; for choosing",
        notes: "Points of turned ellipsoids, 64 each, placed so that many overlap. `fit` is of one body, `overlap` and \
                `gap` of one pair, `transform` encloses the image under a pose (compare with `fit`, the price of starting \
                anew). \"Maybe\" more than hulls: share of pairs that the volume cannot tell apart and the hulls can.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

/// Size and overlap cost of the forms in which a box can be stored, and what the 6-axis pre-test lets through.
pub(super) fn ask_forms(bench: &mut Bench) -> Table {
    let effort = bench.effort(15, 1, 0.5);
    let tests = BOXES * BOXES;
    let mut rows = Vec::new();
    for form in forms(BOXES) {
        if !bench.wants(form.name) {
            continue;
        }
        let outcomes = hold(vec![each("overlap", tests, || (form.run)())], effort);
        rows.push(Row {
            case: form.name.to_owned(),
            size: format!("{} bytes", form.bytes),
            times: outcomes.iter().map(Time::from).collect(),
            ratio: None,
            facts: vec![Fact::plain("\"maybe\"", share(&outcomes[0], tests))],
        });
    }
    Table {
        key: "forms",
        title: "Laboratory: stored forms of boxes",
        target: "nothing; for choosing",
        notes: "All pairs of 64 boxes, one after the other, in doubles. Forms other than the canonical ones (min–max; matrix) \
                are converted or evaluated conservatively, so their share of \"maybe\" may be larger.",
        unit: Unit::Nanoseconds,
        effort,
        rows,
    }
}

fn fit_count(kind: &VolumeKind, bodies: &[Vec<DVec3>]) -> usize {
    bodies.iter().filter(|points| kind.fit(points, &[]).is_ok()).count()
}

/// A contender whose `run` does `count` things, repeated for some milliseconds; times are those of one thing.
fn each<'a>(name: &'static str, count: usize, run: impl Fn() -> usize + 'a) -> Contender<'a, usize> {
    Contender::new(name, move || {
        let (once, _) = timed(&run);
        let calls = (2e-3 / once.max(1e-7)).clamp(1.0, 1e4) as usize;
        let (seconds, found) = timed(|| (0..calls).map(|_| black_box(run())).last().unwrap_or(0));
        Ok((seconds / (calls * count) as f64, found))
    })
}
