//! The brute-force test: every pair that a moving scene brings together is asked about by all ways and compared.

use super::super::page::{Cell, Page, Table};
use super::mover::{BODIES, Body, Kind, Mover};
use super::reference::{Found, relation};
use super::way::{Said, Way, degrees};
use crate::failure::Failure;
use crate::progress;
use kontakt::convex::PlacedShape;

/// The room, cut open.
const SKETCH: &str = "\
 +--------------------------------+   a cube 8 wide with bodies of size 1;
 |  ( )→      +--+        ↖( )    |   they fly straight, turn evenly, and
 |            |  |↓   (==)        |   bounce off the walls and each other
 |   (==)↗    +--+       ↑  +--+  |
 |        ( )↓       +--+   |  |← |
 |  +--+             |  |→  +--+  |   ( ) sphere   +--+ box   (==) capsule
 +--------------------------------+";

/// What the thesis computed and detected in one scene.
struct Thesis {
    pairs: f64,
    contacts: f64,
    /// Largest deviations: degrees, depth, per cent of the body's size.
    most: [f64; 3],
    /// Mean deviations.
    mean: [f64; 3],
}

/// A scene of the test.
struct Scene {
    name: &'static str,
    kinds: &'static [Kind],
    thesis: Option<Thesis>,
}

const SCENES: [Scene; 7] = [
    Scene {
        name: "spheres",
        kinds: &[Kind::Sphere],
        thesis: Some(Thesis {
            pairs: 834_565.0,
            contacts: 109_929.0,
            most: [1.39e-10, 2.14e-14, 4.1e-13],
            mean: [3.45e-12, 4.15e-15, 8.77e-14],
        }),
    },
    Scene {
        name: "spheres and boxes",
        kinds: &[Kind::Sphere, Kind::Box],
        thesis: Some(Thesis {
            pairs: 601_704.0,
            contacts: 68_158.0,
            most: [0.42, 9.65e-6, 0.97],
            mean: [6.9e-3, 3.08e-7, 0.093],
        }),
    },
    Scene {
        name: "boxes",
        kinds: &[Kind::Box],
        thesis: Some(Thesis {
            pairs: 403_287.0,
            contacts: 47_591.0,
            most: [4.01e-4, 2.76e-6, 5.16],
            mean: [1.21e-5, 1.96e-7, 0.07],
        }),
    },
    Scene {
        name: "spheres and capsules",
        kinds: &[Kind::Sphere, Kind::Capsule],
        thesis: Some(Thesis {
            pairs: 1_563_083.0,
            contacts: 146_817.0,
            most: [0.67, 3.5e-5, 0.05],
            mean: [0.0117, 9.66e-7, 4.62e-4],
        }),
    },
    Scene {
        name: "capsules",
        kinds: &[Kind::Capsule],
        thesis: Some(Thesis {
            pairs: 2_859_619.0,
            contacts: 215_498.0,
            most: [0.95, 4.1e-5, 1.01],
            mean: [0.0151, 1.2e-6, 1.85e-3],
        }),
    },
    Scene { name: "boxes and capsules", kinds: &[Kind::Box, Kind::Capsule], thesis: None },
    Scene { name: "all three", kinds: &[Kind::Sphere, Kind::Box, Kind::Capsule], thesis: None },
];

/// Deviations from here on are incidents: degrees, depth, share of the size. All bodies have size 1.
const LIMITS: [f64; 3] = [1e-6, 1e-12, 1e-9];
/// Verdicts must agree where the formulas, which round, see more than this.
const DOUBT: f64 = 1e-12;
/// Incidents shown.
const SHOWN: usize = 10;

/// Deviations of one way in one scene.
#[derive(Default)]
struct Deviations {
    verdicts: usize,
    failed: usize,
    /// Angle in degrees, depth, point over size; each pair in contact with a unique one.
    all: [Vec<f32>; 3],
}

impl Deviations {
    /// Adds a pair; gives the deviations that are beyond the limits, in words.
    fn add(&mut self, truth: &Found, said: &Said) -> Option<(f64, String)> {
        if said.failed {
            self.failed += 1;
        }
        if said.contact != (truth.separation <= 0.0) {
            if truth.separation.abs() <= DOUBT {
                return None;
            }
            self.verdicts += 1;
            return Some((f64::INFINITY, format!("verdict: contact {}", said.contact)));
        }
        if truth.separation > 0.0 {
            return None;
        }
        let depth = Some((said.separation - truth.separation).abs());
        let angle = truth.normal.map(|n| degrees(n, said.normal));
        let point = truth.point.map(|point| (point - said.point).length());
        let mut worst: Option<(f64, String)> = None;
        let names = ["normal off by degrees", "depth off by", "point off by"];
        for (k, value) in [angle, depth, point].into_iter().enumerate() {
            let Some(value) = value else { continue };
            self.all[k].push(value as f32);
            let beyond = value / LIMITS[k];
            if beyond > 1.0 && worst.as_ref().is_none_or(|(other, _)| beyond > *other) {
                worst = Some((beyond, format!("{} {value:.1e}", names[k])));
            }
        }
        worst
    }

    fn most(&self, k: usize) -> f64 {
        f64::from(self.all[k].iter().copied().fold(0.0, f32::max))
    }

    fn mean(&self, k: usize) -> f64 {
        self.all[k].iter().map(|x| f64::from(*x)).sum::<f64>() / self.all[k].len().max(1) as f64
    }

    fn join(&mut self, other: Deviations) {
        self.verdicts += other.verdicts;
        self.failed += other.failed;
        self.all.iter_mut().zip(other.all).for_each(|(mine, theirs)| mine.extend(theirs));
    }

    fn quantile(&mut self, k: usize, part: f64) -> f64 {
        let list = &mut self.all[k];
        if list.is_empty() {
            return f64::NAN;
        }
        let rank = ((part * list.len() as f64).ceil() as usize).clamp(1, list.len()) - 1;
        f64::from(*list.select_nth_unstable_by(rank, f32::total_cmp).1)
    }
}

/// A pair where kontakt and the formulas differ.
struct Incident {
    weight: f64,
    words: String,
}

/// What came out of one scene.
struct Outcome {
    pairs: usize,
    contacts: usize,
    ours: Deviations,
    epa: Deviations,
    incidents: Vec<Incident>,
}

fn run(scene: &Scene, wanted: usize, seed: u64) -> Result<Outcome, Failure> {
    let mut mover = Mover::new(scene.kinds, seed)?;
    let mut outcome = Outcome {
        pairs: 0,
        contacts: 0,
        ours: Deviations::default(),
        epa: Deviations::default(),
        incidents: Vec::new(),
    };
    let (mut ours, mut epa) = (Way::certified(), Way::expanding(1e-7));
    let mut candidates = Vec::new();
    while outcome.pairs < wanted {
        mover.step();
        mover.candidates(&mut candidates);
        for pair in &candidates {
            let [a, b] = pair.map(|i| &mover.bodies[i]);
            let (Some(simple_a), Some(simple_b)) = (a.simple, b.simple) else { continue };
            let truth = relation(simple_a, a.pose, simple_b, b.pose);
            let (placed_a, placed_b) =
                (PlacedShape::new(&a.shape, a.pose), PlacedShape::new(&b.shape, b.pose));
            outcome.pairs += 1;
            let said = ours.ask(placed_a, placed_b);
            if let Some((weight, what)) = outcome.ours.add(&truth, &said) {
                outcome
                    .incidents
                    .push(Incident { weight, words: incident_words(scene, a, b, &truth, &what) });
            }
            outcome.epa.add(&truth, &epa.ask(placed_a, placed_b));
            if said.contact {
                outcome.contacts += 1;
                mover.bounce(*pair, said.normal);
            }
        }
    }
    Ok(outcome)
}

fn incident_words(scene: &Scene, a: &Body, b: &Body, truth: &Found, what: &str) -> String {
    let place = |body: &Body| {
        let (t, q) = (body.pose.translation().to_array(), body.pose.given_rotation().to_array());
        format!("{:?} at {t:?} {q:?}", body.kind)
    };
    format!("{}: {what}; separation {:e}; {}; {}", scene.name, truth.separation, place(a), place(b))
}

/// Runs all scenes and writes Tables 1 to 4 and the incidents.
pub(super) fn section(page: &mut Page, wanted: usize) -> Result<(), Failure> {
    page.heading("Brute force (4.1.2 to 4.1.4, Tables 1–4)");
    page.sketch(SKETCH);
    page.words(format!(
        "{BODIES} bodies of size 1 fly about in a closed room and bounce; every pair whose boxes meet is asked about by kontakt and by the \
         thesis's EPA (stop 1e-7, margin 0.01), and compared with plain formulas written for this study. The thesis could not compare boxes \
         with capsules: its own formula was wrong there.",
    ));
    let mut outcomes = Vec::new();
    let each = wanted / SCENES.len();
    for (scene, seed) in SCENES.iter().zip(1..) {
        let message = format!("brute force: {}", scene.name);
        outcomes.push(progress::during(message, || run(scene, each, seed))?);
    }
    counts(page, &outcomes);
    for (number, title) in [(0, "Table 2: largest deviations"), (1, "Table 3: mean deviations")] {
        page.table(deviations(title, &outcomes, number));
    }
    incidents(page, &outcomes);
    let (mut ours, mut epa) = (Deviations::default(), Deviations::default());
    for outcome in outcomes {
        ours.join(outcome.ours);
        epa.join(outcome.epa);
    }
    page.table(quantiles(&mut ours, &mut epa));
    page.words(format!(
        "kontakt: {} wrong verdicts, worst normal **{:.1e}°** (wanted: 1e-6°), worst depth {:.1e}, worst point **{:.1e}** of the size \
         (wanted: 1e-9). EPA: {} wrong verdicts, {} numerical failures. Depths and points are compared with doubles that round \
         themselves.",
        ours.verdicts,
        ours.most(0),
        ours.most(1),
        ours.most(2),
        epa.verdicts,
        epa.failed
    ));
    Ok(())
}

fn counts(page: &mut Page, outcomes: &[Outcome]) {
    let mut table = Table::new(
        "Table 1: pairs computed and contacts detected",
        [
            "bodies",
            "thesis: pairs",
            "thesis: contacts",
            "pairs",
            "contacts",
            "wrong verdicts",
            "EPA: wrong verdicts",
        ],
    );
    let mut total = [0.0; 4];
    for (scene, outcome) in SCENES.iter().zip(outcomes) {
        let thesis = |of: fn(&Thesis) -> f64| Cell::Number(scene.thesis.as_ref().map_or(f64::NAN, of), 0);
        let row =
            [outcome.pairs, outcome.contacts, outcome.ours.verdicts, outcome.epa.verdicts].map(|n| n as f64);
        total.iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
        let mut cells = vec![scene.name.into(), thesis(|t| t.pairs), thesis(|t| t.contacts)];
        cells.extend(row.map(|n| Cell::Number(n, 0)));
        table.row(cells);
    }
    let mut cells = vec!["**all**".into(), Cell::Number(6_262_258.0, 0), Cell::Number(587_993.0, 0)];
    cells.extend(total.map(|n| Cell::Number(n, 0)));
    table.row(cells);
    page.table(table);
}

/// The columns of Tables 2 to 4.
fn deviation_columns(first: &str) -> [&str; 10] {
    [
        first,
        "thesis: normal °",
        "thesis: depth",
        "thesis: point %",
        "normal °",
        "depth",
        "point %",
        "EPA: normal °",
        "EPA: depth",
        "EPA: point %",
    ]
}

fn deviations(title: &str, outcomes: &[Outcome], which: usize) -> Table {
    let mut table = Table::new(title, deviation_columns("bodies"));
    let shown =
        |value: f64| if value.is_finite() { Cell::from(format!("{value:.1e}")) } else { "–".into() };
    for (scene, outcome) in SCENES.iter().zip(outcomes) {
        let thesis =
            scene.thesis.as_ref().map_or([f64::NAN; 3], |t| if which == 0 { t.most } else { t.mean });
        let mut row = vec![Cell::from(scene.name)];
        // With all digits that it printed.
        row.extend(
            thesis
                .map(|value| if value.is_finite() { Cell::from(format!("{value:.2e}")) } else { "–".into() }),
        );
        for found in [&outcome.ours, &outcome.epa] {
            let value = |k: usize| if which == 0 { found.most(k) } else { found.mean(k) };
            row.extend([value(0), value(1), 100.0 * value(2)].map(shown));
        }
        table.row(row);
    }
    table
}

fn quantiles(ours: &mut Deviations, epa: &mut Deviations) -> Table {
    let mut table =
        Table::new("Table 4: quantiles of the deviations, all scenes", deviation_columns("quantile"));
    let thesis = [[0.11, 0.82e-5, 0.30], [0.25, 1.33e-5, 0.58], [0.45, 2.08e-5, 0.96]];
    for (part, thesis) in [0.99, 0.999, 0.9999].into_iter().zip(thesis) {
        let mut row = vec![Cell::from(format!("{} %", 100.0 * part))];
        row.extend(thesis.map(|value| Cell::from(format!("{value:.2e}"))));
        for found in [&mut *ours, &mut *epa] {
            let values = [found.quantile(0, part), found.quantile(1, part), 100.0 * found.quantile(2, part)];
            row.extend(values.map(|value| Cell::from(format!("{value:.1e}"))));
        }
        table.row(row);
    }
    table
}

fn incidents(page: &mut Page, outcomes: &[Outcome]) {
    let mut all: Vec<&Incident> = outcomes.iter().flat_map(|outcome| &outcome.incidents).collect();
    all.sort_by(|x, y| y.weight.total_cmp(&x.weight));
    if all.is_empty() {
        page.words(format!(
            "**Incidents** (another verdict, or beyond {:.0e}°, {:.0e} of depth, {:.0e} of the size): none.",
            LIMITS[0], LIMITS[1], LIMITS[2]
        ));
        return;
    }
    let mut table = Table::new(format!("Incidents: {}, the gravest first", all.len()), ["incident"]);
    all.iter().take(SHOWN).for_each(|incident| table.row(vec![incident.words.clone().into()]));
    page.table(table);
}
