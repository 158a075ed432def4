//! kontakt's side of the questions about two moving bodies.

use crate::clock::timed;
use crate::data::flights::Flights;
use kontakt::answers::Impact;
use kontakt::math::Motion;
use kontakt::rigid_ccd::{MotionOptions, MotionQuery, MovingMesh};

fn moving<'a>(flights: &'a Flights, motions: &'a [Motion; 2]) -> [MovingMesh<'a>; 2] {
    [0, 1].map(|k| MovingMesh { mesh: &flights.bodies[k], motion: &motions[k] })
}

/// The first contact of every motion; seconds for all.
pub(crate) fn impacts(flights: &Flights, tolerance: f64) -> (f64, Vec<Impact>) {
    let options = MotionOptions { tolerance, ..MotionOptions::default() };
    let mut asker = MotionQuery::new();
    timed(|| {
        let ask = |motions: &[Motion; 2]| {
            let [a, b] = moving(flights, motions);
            asker.impact(a, b, &options)
        };
        flights.motions.iter().map(ask).collect()
    })
}

/// Seconds of each motion, the least of three.
pub(crate) fn each(flights: &Flights, tolerance: f64) -> Vec<f64> {
    let options = MotionOptions { tolerance, ..MotionOptions::default() };
    let mut asker = MotionQuery::new();
    let mut once = |motions: &[Motion; 2]| {
        let [a, b] = moving(flights, motions);
        let (seconds, answer) = timed(|| asker.impact(a, b, &options));
        std::hint::black_box(answer);
        seconds
    };
    let mut least = |motions: &[Motion; 2]| (0..3).map(|_| once(motions)).fold(f64::INFINITY, f64::min);
    flights.motions.iter().map(&mut least).collect()
}
