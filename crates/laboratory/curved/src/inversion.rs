//! Table 2.1: the parameters of random points of five surfaces, by each operator.

use crate::surfaces;
use kontakt_curved::newton::{Operator, Options, Split};
use kontakt_curved::{NurbsError, NurbsSurface};
use std::time::{Duration, Instant};

/// The thesis' operators, and the product's own.
pub const OPERATORS: [Operator; 6] = [
    Operator::Newton,
    Operator::Krawczyk,
    Operator::Jacobi,
    Operator::GaussSeidel,
    Operator::MultiRow,
    Operator::MixedRows,
];

/// How boxes are split that no operator makes smaller.
pub const SPLIT: Split = Split::Steepest;

/// What one operator took for all points of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Which.
    pub operator: Operator,
    /// Points whose parameters were found, alone and proven, in boxes as small as asked for.
    pub certified: usize,
    /// Evaluations of the surface or its derivatives.
    pub calls: usize,
    /// Boxes looked at.
    pub boxes: usize,
    /// Time taken.
    pub time: Duration,
}

/// A surface of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub surface: &'static str,
    /// Its degrees.
    pub degrees: [usize; 2],
    /// How many points were asked for.
    pub points: usize,
    /// One for each operator.
    pub measured: Vec<Measured>,
}

/// Table 2.1 for a number of points a surface, their parameters spread evenly; the thesis had 500. Points are known to `distance`.
pub fn table(points: usize, seed: u64, distance: f64, split: Split) -> Result<Vec<Row>, NurbsError> {
    let row = |(name, surface): (&'static str, NurbsSurface)| {
        let measured = OPERATORS.iter().map(|&operator| {
            // Without a limit the unconditioned operators would take a minute at a pole.
            let options = Options { operator, split, boxes: 2000 };
            measure(&surface, points, seed, distance, &options)
        });
        Row { surface: name, degrees: surface.degrees(), points, measured: measured.collect() }
    };
    Ok(surfaces::table()?.into_iter().map(row).collect())
}

/// The same points for every operator.
fn measure(surface: &NurbsSurface, points: usize, seed: u64, distance: f64, options: &Options) -> Measured {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut measured =
        Measured { operator: options.operator, certified: 0, calls: 0, boxes: 0, time: Duration::ZERO };
    for _ in 0..points {
        let at = surface.domain().map(|[lo, hi]| lo + (hi - lo) * rng.f64());
        let point = surface.jet(at[0], at[1]).point;
        let begun = Instant::now();
        let found = surface.invert_by(point, distance, options);
        measured.time += begun.elapsed();
        measured.calls += found.calls;
        measured.boxes += found.boxes;
        let alone = found.places.len() == 1 && found.places[0].proven;
        measured.certified += usize::from(alone && found.complete);
    }
    measured
}
