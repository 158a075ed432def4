//! The four removals: free or not, how close, and what each way of looking costs a step.

use super::super::cut::Plane;
use super::super::page::{Cell, Page, Table};
use super::bay::{Bay, Part};
use super::method::{Askers, Method, Said};
use super::removal::{self, Hand, Steps};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::plot::{Drawing, Lines, Spacing};
use crate::progress;
use crate::text;
use kontakt::answers::Impact;
use kontakt::math::{DVec3, Motion, Pose};
use kontakt::mesh::{Mesh, PlacedMesh};
use kontakt::rigid_ccd::{ClearanceOptions, MovingMesh};
use rayon::prelude::*;

/// A part on its way through what is around it.
pub(super) struct Removal {
    part: Part,
    hand: Hand,
    poses: Vec<Pose>,
    motions: Vec<Motion>,
    own: Mesh,
    around: Mesh,
}

const REST: Motion = Motion::Rest(Pose::IDENTITY);

impl Removal {
    fn new(bay: &Bay, part: Part, hand: Hand, steps: Steps) -> Result<Removal, Failure> {
        let poses = removal::poses(part, hand, steps)?;
        let motions = removal::motions(&poses)?;
        Ok(Removal { part, hand, poses, motions, own: bay.part(part)?, around: bay.around(part)? })
    }

    fn name(&self) -> String {
        let how = match self.hand {
            Hand::Careful => "",
            Hand::Hasty => ", jerked out",
            Hand::Forcing => ", pulled without turning",
        };
        format!("{}{how}", self.part.name())
    }

    fn step<'a>(&'a self, motion: &'a Motion) -> [MovingMesh<'a>; 2] {
        [MovingMesh { mesh: &self.around, motion: &REST }, MovingMesh { mesh: &self.own, motion }]
    }

    /// The first pose in contact.
    fn statically(&self, askers: &mut Askers) -> Option<usize> {
        let around = PlacedMesh::at_rest(&self.around);
        self.poses
            .iter()
            .position(|pose| askers.at_rest.any_contact(around, PlacedMesh::new(&self.own, *pose)).is_some())
    }

    /// The first step that is not proven free, and what is said of it.
    fn certified(&self, askers: &mut Askers) -> Option<(usize, Impact)> {
        self.motions.iter().enumerate().find_map(|(i, motion)| {
            let [a, b] = self.step(motion);
            let answer = askers.moving.impact(a, b, &askers.options);
            (!matches!(answer, Impact::Free { .. })).then_some((i, answer))
        })
    }

    fn row(&self, clearance: &ClearanceOptions) -> Result<Vec<Cell>, Failure> {
        let mut askers = Askers::default();
        let met = self.statically(&mut askers);
        let contact = self.certified(&mut askers);
        let steps = self.motions.len();
        let verdict = match contact {
            None => "free".to_owned(),
            Some((step, Impact::Contact { time, .. })) => {
                format!("contact in step {} at {}", step + 1, text::range(time))
            }
            Some((step, _)) => format!("undecided in step {}", step + 1),
        };
        let nearest = if contact.is_none() {
            let whole = removal::whole(&self.poses)?;
            let [a, b] = self.step(&whole);
            let (range, at) = askers.moving.least_clearance(a, b, clearance);
            format!("{:.3} … {:.3}, step {:.0}", range.lo(), range.hi(), at * steps as f64)
        } else {
            "–".to_owned()
        };
        Ok(vec![
            self.name().into(),
            Cell::Number(self.own.faces().triangles().len() as f64, 0),
            Cell::Number(self.around.faces().triangles().len() as f64, 0),
            Cell::Number(steps as f64, 0),
            met.map_or("free at every pose".to_owned(), |pose| format!("contact at pose {pose}")).into(),
            verdict.into(),
            nearest.into(),
        ])
    }

    /// Seconds of a step by a method: the least of three, of one where that takes long.
    fn seconds(&self, askers: &mut Askers, method: Method, motion: &Motion) -> (f64, Said) {
        const LONG: f64 = 2e-3;
        let [a, b] = self.step(motion);
        let mut least = f64::INFINITY;
        let mut said = Said::Open;
        for _ in 0..3 {
            let clock = Clock::start();
            said = method.look(askers, a, b);
            least = least.min(clock.seconds());
            if least > LONG {
                break;
            }
        }
        (least, said)
    }
}

/// A cut through the bay along the lamp's axis, with the part before, out of its bayonet and pulled.
fn drawing(bay: &Bay, part: Part, steps: Steps) -> Result<Drawing, Failure> {
    let poses = removal::poses(part, Hand::Careful, steps)?;
    // A little beside the axis, where no vertex lies in the cut.
    let plane = Plane::upright(part.place().translation() + DVec3::Y * 0.03);
    let own = bay.part(part)?;
    let mut groups =
        vec![("what is around".to_owned(), plane.cut(bay.around(part)?.faces(), &Pose::IDENTITY))];
    let turned = steps.turn as usize;
    let pulled = turned + steps.pull as usize;
    for (name, place) in
        [("the part at rest", 0), ("half pulled", usize::midpoint(turned, pulled)), ("pulled", pulled)]
    {
        if let Some(pose) = poses.get(place) {
            groups.push((name.to_owned(), plane.cut(own.faces(), pose)));
        }
    }
    let title = format!("The engine bay, and the {} taken out", part.name());
    Ok(Drawing { title, label: "a cut along the lamp's axis, in millimetres".to_owned(), groups })
}

/// Which removals, and whether each is free.
pub(super) fn verdicts(
    page: &mut Page,
    bay: &Bay,
    steps: Steps,
    clearance: &ClearanceOptions,
) -> Result<Vec<Removal>, Failure> {
    page.heading("Four removals, and three that fail (10.2)");
    page.words(format!(
        "A main and an auxiliary lamp, each with a housing, a cover and a bulb in bayonets, between hoses, a battery, a pulley, a pump, bolts and \
         a sheet of {} mm: {} faces, made by formulas. In the order of the thesis's example the cover, the bulb, the auxiliary cover and its bulb are \
         turned out of their bayonets, pulled and carried away by an unsteady hand, {} recorded poses each; what was taken out is gone for the next. Between \
         poses the part's origin goes straight and its orientation turns evenly. Lengths in millimetres, times in parts of a step.",
        super::bay::SHEET_THICKNESS,
        bay.faces(),
        steps.turn + steps.pull + steps.away + 1
    ));
    for part in [Part::Cover, Part::AuxiliaryBulb] {
        let svg = drawing(bay, part, steps)?.svg();
        page.figure(
            &format!("scene-{}", part.name().replace(' ', "-")),
            &format!("The bay and the {}", part.name()),
            svg,
        );
    }
    let careful = Part::ALL.map(|part| (part, Hand::Careful));
    let failing =
        [(Part::Cover, Hand::Hasty), (Part::Cover, Hand::Forcing), (Part::AuxiliaryBulb, Hand::Forcing)];
    let removals: Vec<Removal> = careful
        .into_iter()
        .chain(failing)
        .map(|(part, hand)| Removal::new(bay, part, hand, steps))
        .collect::<Result<_, _>>()?;
    let rows: Vec<Vec<Cell>> = progress::during("checking removals".into(), || {
        removals.par_iter().map(|removal| removal.row(clearance)).collect::<Result<_, _>>()
    })?;
    let mut table = Table::new(
        "Removals",
        ["removal", "faces", "faces around", "steps", "static test", "certified", "least clearance"],
    );
    for row in rows {
        table.row(row);
    }
    page.table(table);
    page.words(
        "The thesis found that a motion which the static test had called free was not, and recorded new ones. The cover jerked out is such a motion: \
         between two poses it goes through the sheet, and no pose of it is in contact. A bayonet that is not turned holds its part. \
         Free means proven: no rounding and no sampling can hide a contact.",
    );
    Ok(removals)
}

/// Times of every way to look, over the steps of the removals that are free.
pub(super) fn times(page: &mut Page, removals: &[Removal], every: usize) {
    page.heading("Time a step (Figures D.49–D.56)");
    page.words(format!(
        "The thesis compared static and dynamic detection on motions that are free. Processor time of a step in microseconds: contact or not for the \
         static test, the first contact for all others; the certified one to 1e-6 of a step. The dynamic methods test 15 pairs of features for every two faces whose \
         swept boxes meet (sorted along an axis, not by a hierarchy), and run on every {every}th step; sampling with 5 pieces as in the thesis. \
         Conservative advancement stops at 0.001 mm. *Wrong* counts steps called in contact, or given up: all are free."
    ));
    let methods = Method::timed();
    let mut table = Table::new(
        "Microseconds a step",
        ["removal", "method", "steps", "median", "p99", "most", "against static", "wrong"],
    );
    let free = removals.iter().filter(|removal| removal.hand == Hand::Careful);
    for removal in free {
        let mut askers = Askers::default();
        let mut series = Vec::new();
        let mut static_median = f64::NAN;
        for &method in &methods {
            let slow = matches!(method, Method::Dynamic(_));
            let stride = if slow { every } else { 1 };
            let (mut points, mut wrong) = (Vec::new(), 0_u32);
            progress::during(format!("{}: {}", removal.name(), method.name()), || {
                for (step, motion) in removal.motions.iter().enumerate().skip(stride / 2).step_by(stride) {
                    let (seconds, said) = removal.seconds(&mut askers, method, motion);
                    points.push([step as f64 + 1.0, 1e6 * seconds]);
                    wrong += u32::from(said != Said::Free);
                }
            });
            let [median, p99, most] = spread(&points);
            if method == Method::Static {
                static_median = median;
            }
            table.row(vec![
                removal.name().into(),
                method.name().into(),
                Cell::Number(points.len() as f64, 0),
                Cell::Number(median, 0),
                Cell::Number(p99, 0),
                Cell::Number(most, 0),
                Cell::Number(median / static_median, 1),
                Cell::Number(f64::from(wrong), 0),
            ]);
            series.push((method.name(), points));
        }
        let plot = Lines {
            title: format!("Taking out the {}: time a step", removal.name()),
            x_label: "step".to_owned(),
            y_label: "µs".to_owned(),
            spacing: Spacing::Logarithmic,
            dots: false,
            series,
        };
        let file = format!("time-{}", removal.name().replace(' ', "-"));
        page.figure(&file, &format!("Time a step, {}", removal.name()), plot.svg());
    }
    page.table(table);
}

/// Median, 99th percentile and maximum of the points' values.
fn spread(points: &[[f64; 2]]) -> [f64; 3] {
    let mut sorted: Vec<f64> = points.iter().map(|point| point[1]).collect();
    sorted.sort_by(f64::total_cmp);
    [50, 99, 100].map(|percent| {
        let rank = (percent * sorted.len()).div_ceil(100).max(1);
        sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
    })
}
