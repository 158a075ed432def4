//! Tables 3.1 to 3.3: the smallest ball and box of four scenes, certified and by local search.

use super::super::page::{Cell, Page, Table};
use super::Extent;
use crate::failure::Failure;
use kontakt_lab_curved::compare::Local;
use kontakt_lab_curved::{Compared, Effort, Way, compare, scenes};
use std::time::Duration;

/// The thesis's numbers for a scene.
struct Thesis {
    /// Calls and milliseconds of the simplex and of Powell's method for the ball.
    ball: [[f64; 2]; 2],
    /// The same for the box.
    cuboid: [[f64; 2]; 2],
    /// Median, mean and greatest of 1000 local minima for the box.
    spread: [f64; 3],
}

const THESIS: [(&str, Thesis); 4] = [
    (
        "sphere6",
        Thesis {
            ball: [[155.0, 22.9], [166.0, 24.3]],
            cuboid: [[160.0, 103.1], [328.0, 223.7]],
            spread: [1.000_001, 1.002_341, 1.041_835],
        },
    ),
    (
        "smoothcube",
        Thesis {
            ball: [[168.0, 44.9], [88.0, 27.3]],
            cuboid: [[172.0, 151.2], [89.0, 57.0]],
            spread: [1.000_001, 1.002_818, 1.558_343],
        },
    ),
    (
        "misc",
        Thesis {
            ball: [[193.0, 42.7], [454.0, 117.7]],
            cuboid: [[238.0, 159.8], [379.0, 271.8]],
            spread: [1.000_033, 1.010_920, 1.237_408],
        },
    ),
    (
        "rolladen",
        Thesis {
            ball: [[205.0, 223.8], [228.0, 247.4]],
            cuboid: [[169.0, 504.8], [274.0, 757.6]],
            spread: [1.000_001, 1.000_648, 1.157_579],
        },
    ),
];

const SCENES: &str = "\
The thesis's files are lost, and of some scenes the numbers; these are built anew. **sphere6**: six balls of radius 1 about ±1 on the coordinate axes, united \
(6 faces; the thesis's centres cannot be read any more). **smoothcube**: a cube of side 2, edges and corners rounded with radius ¼ (26 faces). **misc**: a cube, two \
cylinders, a truncated cone, a ball on a corner, a torus and a quarter of one, side by side where the thesis united them, which changes no volume about them \
(20 faces; the thesis 26). **rolladen**: the slat of a shutter, two arcs in 95 pieces with flat ends and caps (99 faces, as many as the thesis's).";

const SKETCH: &str = "\
 sphere6            smoothcube         misc                    rolladen
     .-.             .--------.           _                     .-\"\"\"\"\"-.
   .(   ).          |          |      .--| |--( )             .' .-----. '.
  (   X   )         |          |     (o) |   |===            /  /       \\  \\
   '(   )'          |          |      '--+--+'  ~           /__/         \\__\\
     '-'             '--------'          \\_/               (seen along its length)";

/// Thesis's and own numbers; whether no local search found less than the certified lower ends.
pub(super) fn section(page: &mut Page, extent: &Extent) -> Result<bool, Failure> {
    page.heading("Scenes (3.3)");
    page.words(SCENES);
    page.sketch(SKETCH);
    let effort = Effort { starts: extent.starts, annealed: extent.annealed, limit: extent.limit };
    let all = scenes().map_err(|error| Failure::Usage(error.to_string()))?;
    let compared: Vec<Compared> = all
        .iter()
        .map(|scene| compare(scene, &effort))
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    balls(page, &compared, extent.starts);
    midpoints(page, &compared);
    cuboids(page, &compared, extent.starts);
    spread(page, &compared, extent);
    Ok(compared.iter().all(Compared::nothing_smaller))
}

fn millis(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

fn thesis(name: &str) -> Option<&'static Thesis> {
    THESIS.iter().find(|row| row.0 == name).map(|row| &row.1)
}

/// Columns of Tables 3.1 and 3.2.
const COLUMNS: [&str; 17] = [
    "scene",
    "faces",
    "thesis: simplex calls",
    "thesis: simplex ms",
    "thesis: Powell calls",
    "thesis: Powell ms",
    "simplex calls",
    "simplex ms",
    "simplex: worst",
    "Powell calls",
    "Powell ms",
    "Powell: worst",
    "annealing calls",
    "annealing: worst",
    "certified rounds",
    "certified ms",
    "gap",
];

/// Cells of a local search: calls, milliseconds, worst over the certified value.
fn local(found: &[Local], way: Way) -> [Cell; 3] {
    let found = found.iter().find(|local| local.way == way);
    let number = |value: Option<f64>, decimals: usize| Cell::Number(value.unwrap_or(f64::NAN), decimals);
    [
        number(found.map(|local| local.calls), 0),
        number(found.map(|local| millis(local.time)), 2),
        number(found.map(Local::worst), 6),
    ]
}

fn row(scene: &Compared, of_ball: bool) -> Vec<Cell> {
    let (found, exact) = if of_ball { (&scene.balls, &scene.ball) } else { (&scene.cuboids, &scene.cuboid) };
    let mut cells = vec![scene.name.into(), Cell::Number(scene.faces as f64, 0)];
    let known = thesis(scene.name)
        .map_or([[f64::NAN; 2]; 2], |known| if of_ball { known.ball } else { known.cuboid });
    for [calls, time] in known {
        cells.extend([Cell::Number(calls, 0), Cell::Number(time, 1)]);
    }
    cells.extend(local(found, Way::Simplex));
    cells.extend(local(found, Way::Powell));
    let [calls, _, worst] = local(found, Way::Annealing);
    cells.extend([
        calls,
        worst,
        Cell::Number(exact.rounds as f64, 0),
        Cell::Number(millis(exact.time), 2),
        format!("{:.0e}", exact.gap).into(),
    ]);
    cells
}

fn balls(page: &mut Page, compared: &[Compared], starts: usize) {
    page.heading("The smallest ball (Table 3.1)");
    page.words(format!(
        "Local searches start from {starts} random centres in the body's axis-parallel box; calls and times are means, *worst* is the largest radius found over the certified one. \
         The thesis's and these call the same function, here with certified values to 1e-11. *Rounds* count how often the farthest point was looked for: the smallest ball of the points \
         found so far bounds the radius from below, the farthest point from its centre from above."
    ));
    let mut table = Table::new("Table 3.1: the smallest ball", COLUMNS);
    for scene in compared {
        table.row(row(scene, true));
    }
    page.table(table);
}

fn midpoints(page: &mut Page, compared: &[Compared]) {
    page.words(
        "Chapter 4 of the thesis proposes branch and bound for global minima: boxes of centres are dropped when their bound is above the value at the middle of another (the *midpoint test*). \
         To a gap of 1e-3, or 20000 calls:",
    );
    let mut table = Table::new(
        "Branch and bound for the ball with the midpoint test",
        ["scene", "calls", "ms", "gap reached"],
    );
    for scene in compared {
        let (found, time) = &scene.midpoints;
        let gap = 1.0 - found.lower / found.upper;
        table.row(vec![
            scene.name.into(),
            Cell::Number(found.calls as f64, 0),
            Cell::Number(millis(*time), 1),
            format!("{gap:.0e}").into(),
        ]);
    }
    page.table(table);
}

fn cuboids(page: &mut Page, compared: &[Compared], starts: usize) {
    page.heading("The smallest box (Table 3.2)");
    page.words(format!(
        "One local search from a random orientation, on average over {starts}; *worst* is the largest volume found over the certified one. The certified box is searched to a gap of 1e-6 \
         over all orientations. (The thesis's range of angles, ±45° each, leaves out 2.9 % of all orientations; here the second angle goes to ±90°.)"
    ));
    let mut table = Table::new("Table 3.2: the smallest box", COLUMNS);
    for scene in compared {
        table.row(row(scene, false));
    }
    page.table(table);
}

fn spread(page: &mut Page, compared: &[Compared], extent: &Extent) {
    page.heading("How local minima are spread (Table 3.3)");
    page.words(format!(
        "Volumes that {} searches end with, over the smallest: the thesis divides by the least that it found and hopes that this is the smallest of all; here it is the certified \
         volume. The thesis has 1000 searches. Times annealing was started: {}.",
        extent.starts, extent.annealed
    ));
    let columns = [
        "scene",
        "method",
        "least",
        "median",
        "mean",
        "greatest",
        "thesis: median",
        "thesis: mean",
        "thesis: greatest",
    ];
    let mut table = Table::new("Table 3.3: values of local minima", columns);
    for scene in compared {
        for found in &scene.cuboids {
            let known = if found.way == Way::Simplex { thesis(scene.name) } else { None };
            let mut cells = vec![scene.name.into(), format!("{:?}", found.way).into()];
            let own = [found.least(), found.median(), found.mean(), found.worst()];
            let known = known.map_or([f64::NAN; 3], |known| known.spread);
            cells.extend(own.into_iter().chain(known).map(|value| Cell::Number(value, 6)));
            table.row(cells);
        }
    }
    page.table(table);
}
