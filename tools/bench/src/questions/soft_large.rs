//! What does a step cost where everything is a thousand times as large?

use crate::bench::Bench;
use crate::clock::wall_timed;
use crate::contest::{Contender, Effort, hold};
use crate::memory::highest_resident_bytes;
use crate::product::soft::DT;
use crate::report::{Fact, Ratio, Row, Table, Time, Unit};
use kontakt::soft::free::meetings;
use kontakt::soft::{Body, Forces, Options, Report, System};
use kontakt_lab_soft::scenes;
use std::error::Error;

/// Steps of each scene; contacts begin in the second and in the fifth.
const STONE_STEPS: usize = 4;
const CLOTH_STEPS: usize = 8;
/// Seconds of a step, bytes, and how many times as long ten times as much may take.
const STONES: f64 = 2.0;
const CLOTH: f64 = 12.0;
const MEMORY: f64 = 6e9;
const GROWTH: f64 = 11.5;

type Scene = Result<Vec<Body>, Box<dyn Error>>;
/// Its name, what makes it, how many steps are taken, and how long one may take.
type Case = (&'static str, fn() -> Scene, usize, f64);

pub(super) fn ask(bench: &mut Bench) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    let mut slow = [0.0; 3];
    let scenes: [Case; 3] = [
        ("289 stones on a slab", || scenes::many_stones(346), STONE_STEPS, STONES),
        ("cloth of 10⁵", || scenes::draped(224), CLOTH_STEPS, CLOTH),
        ("cloth of 10⁶", || scenes::draped(707), CLOTH_STEPS, CLOTH),
    ];
    for (i, (case, scene, steps, at_most)) in scenes.into_iter().enumerate() {
        if bench.wants(case) {
            match row(case, scene, steps, at_most) {
                Ok((row, slowest)) => {
                    slow[i] = slowest;
                    rows.push(row);
                }
                Err(problem) => bench.skip(format!("{case}: {problem}")),
            }
        }
    }
    if let (Some(row), true) = (rows.last_mut(), slow[1] > 0.0 && slow[2] > 0.0) {
        let growth = slow[2] / slow[1];
        row.facts.push(Fact::judged("× the slowest of 10⁵", format!("{growth:.1}"), growth <= GROWTH));
    }
    Table {
        key: "large",
        title: "A thousand times as large",
        target: "482,000 triangles with hundreds of contacts 2 s a step; 10⁶ triangles of cloth 12 s and 6 GB, at most 11.5 times the time of 10⁵",
        notes: "Wall time of a step on two threads, unlike other tables: the fastest step and, in brackets, the middle one; what is judged is the slowest. 10 ms and 10 substeps a step. A held slab of 346 × 346 × 1 cells under 289 tetrahedra at 5 m/s; a cloth 4 wide that comes down on a ball of \
                radius 1, contacts within the cloth searched too. Memory is the highest resident size of the run so far.",
        unit: Unit::Milliseconds,
        effort: Effort { rounds: CLOTH_STEPS, burst: 1, seconds: f64::INFINITY },
        rows,
    }
}

fn row(
    case: &str,
    scene: impl Fn() -> Scene,
    steps: usize,
    at_most: f64,
) -> Result<(Row, f64), Box<dyn Error>> {
    let mut system = System::new(&scene()?)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let effort = Effort { rounds: steps, burst: 1, seconds: f64::INFINITY };
    let contender = Contender::new("kontakt", || {
        let (seconds, report) =
            wall_timed(|| pool.install(|| system.step(DT, &Forces::default(), &Options::default())));
        Ok((seconds, report.map_err(|problem| problem.to_string())?))
    });
    let outcomes = hold(vec![contender], effort);
    let times: Vec<Time> = outcomes.iter().map(Time::from).collect();
    let most = |of: fn(&Report) -> usize| outcomes[0].answers.iter().map(of).max().unwrap_or(0).to_string();
    let slowest = outcomes[0].seconds.last().copied().unwrap_or(f64::INFINITY);
    let bytes = highest_resident_bytes()? as f64;
    let met = meetings(system.surface(), system.places(), 1)?.len();
    let facts = vec![
        Fact::judged("slowest", format!("{slowest:.2} s"), slowest <= at_most),
        Fact::plain("contacts", most(|report| report.contacts)),
        Fact::plain("rounds", most(|report| report.rounds)),
        Fact::plain("zone rounds", most(|report| report.zone_rounds)),
        Fact::plain("stops", most(|report| report.stopped)),
        Fact::judged("met", met.to_string(), met == 0),
        Fact::judged("memory", format!("{:.2} GB", bytes * 1e-9), bytes <= MEMORY),
    ];
    let size = format!("{} triangles", system.surface().triangles().len());
    Ok((Row { case: case.to_owned(), size, ratio: None::<Ratio>, times, facts }, slowest))
}
