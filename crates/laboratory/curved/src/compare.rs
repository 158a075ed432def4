//! A scene's smallest ball and box, certified and by local search from many starts, with what each took.

use crate::local::Descended;
use crate::midpoint::Bounded;
use crate::scenes::Scene;
use crate::volumes::{Way, ball, ball_by_midpoints, cuboid};
use fastrand::Rng;
use kontakt_curved::{BallOptions, Body, BodyError, BoxOptions, Extents, Outline, TessellationOptions, size};
use std::time::{Duration, Instant};

/// Triangles are this part of a scene's size from its faces; they are refined where it matters.
const DEVIATION: f64 = 1e-2;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Starts of each local search.
    pub starts: usize,
    /// Of annealing, which takes many calls.
    pub annealed: usize,
    /// Longest time for a box.
    pub limit: Duration,
}

/// Why nothing can be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// No triangles.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// Numbers overflow.
    #[error("the numbers of the scene are too large")]
    Numbers,
}

/// A certified volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certified {
    /// The ball's radius, or the box's volume.
    pub value: f64,
    /// No other is smaller than 1 − gap times it.
    pub gap: f64,
    /// Rounds.
    pub rounds: usize,
    /// Time taken, the outline's making in it.
    pub time: Duration,
}

/// Local searches from many starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// By which way.
    pub way: Way,
    /// Calls of the function, on average.
    pub calls: f64,
    /// Time of one search, on average.
    pub time: Duration,
    /// What was found over the certified value, in ascending order.
    pub found: Vec<f64>,
}

impl Local {
    /// The value that half of the searches do not exceed.
    pub fn median(&self) -> f64 {
        self.found.get(self.found.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.found.iter().sum::<f64>() / self.found.len() as f64
    }

    /// The least.
    pub fn least(&self) -> f64 {
        self.found.first().copied().unwrap_or(f64::NAN)
    }

    /// The greatest.
    pub fn worst(&self) -> f64 {
        self.found.last().copied().unwrap_or(f64::NAN)
    }
}

/// All that was measured of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Its name.
    pub name: &'static str,
    /// Its faces.
    pub faces: usize,
    /// The smallest ball.
    pub ball: Certified,
    /// Local searches for it.
    pub balls: Vec<Local>,
    /// Branch and bound for it to a gap of 1e-3, and its time.
    pub midpoints: (Bounded, Duration),
    /// The smallest box.
    pub cuboid: Certified,
    /// Local searches for it.
    pub cuboids: Vec<Local>,
}

impl Compared {
    /// Whether every local search ended above the certified lower ends.
    pub fn nothing_smaller(&self) -> bool {
        let above = |found: &[Local], gap: f64| found.iter().all(|local| local.least() >= 1.0 - gap);
        above(&self.balls, self.ball.gap) && above(&self.cuboids, self.cuboid.gap)
    }
}

/// Measures a scene.
pub fn compare(scene: &Scene, effort: &Effort) -> Result<Compared, CompareError> {
    let wide = size(&scene.brep);
    let options = TessellationOptions { deviation: DEVIATION * wide, most_triangles: 1_000_000 };
    let body = Body::new(&scene.brep, &options)?;
    let (round, boxed) = certified(&body, effort.limit).ok_or(CompareError::Numbers)?;
    let mut outline = Outline::new(&body);
    let extents = outline.extents(1e-11 * wide).ok_or(CompareError::Numbers)?;
    let mut random = Rng::with_seed(31);
    let mut local = |outline: &mut Outline, way: Way, exact: f64, search: Search| {
        let starts = if way == Way::Annealing { effort.annealed } else { effort.starts };
        searched(way, starts, exact, || search(outline, &extents, way, &mut random))
    };
    let ways = [Way::Simplex, Way::Powell, Way::Annealing];
    let balls = ways.map(|way| local(&mut outline, way, round.value, ball)).to_vec();
    let cuboids = ways.map(|way| local(&mut outline, way, boxed.value, cuboid)).to_vec();
    let begun = Instant::now();
    let bounded = ball_by_midpoints(&mut outline, &extents, 1e-3, 20_000);
    let midpoints = (bounded, begun.elapsed());
    let faces = scene.brep.faces().len();
    Ok(Compared { name: scene.name, faces, ball: round, balls, midpoints, cuboid: boxed, cuboids })
}

type Search = fn(&mut Outline, &Extents, Way, &mut Rng) -> Descended;

/// The smallest ball and the smallest box, each from an outline of its own.
fn certified(body: &Body, limit: Duration) -> Option<(Certified, Certified)> {
    let begun = Instant::now();
    let ball = Outline::new(body).smallest_ball(&BallOptions::default())?;
    let round =
        Certified { value: ball.outer.radius, gap: ball.gap(), rounds: ball.rounds, time: begun.elapsed() };
    let begun = Instant::now();
    let options = BoxOptions { time_limit: limit, ..BoxOptions::default() };
    let cuboid = Outline::new(body).smallest_box(&options)?;
    let boxed = Certified {
        value: cuboid.upper_volume,
        gap: cuboid.gap(),
        rounds: cuboid.rounds,
        time: begun.elapsed(),
    };
    Some((round, boxed))
}

fn searched(way: Way, starts: usize, exact: f64, mut search: impl FnMut() -> Descended) -> Local {
    let begun = Instant::now();
    let all: Vec<Descended> = (0..starts).map(|_| search()).collect();
    let time = begun.elapsed() / starts.max(1) as u32;
    let calls = all.iter().map(|found| found.calls as f64).sum::<f64>() / starts as f64;
    let mut found: Vec<f64> = all.iter().map(|found| found.value / exact).collect();
    found.sort_by(f64::total_cmp);
    Local { way, calls, time, found }
}
