//! A teddy bear: balls blended into one another, sitting, about 2 high, at any resolution.

use super::{StuffError, Tetrahedra, stuff};
use kontakt_math::DVec3;

/// Centres and radii: trunk, head, muzzle, ears, arms with paws, legs with feet, tail.
const BALLS: [([f64; 3], f64); 15] = [
    ([0.0, 0.0, 0.0], 0.55),
    ([0.0, 0.05, 0.28], 0.42),
    ([0.0, 0.08, 0.85], 0.40),
    ([0.0, 0.45, 0.78], 0.18),
    ([0.30, 0.05, 1.18], 0.17),
    ([-0.30, 0.05, 1.18], 0.17),
    ([0.52, 0.18, 0.30], 0.18),
    ([-0.52, 0.18, 0.30], 0.18),
    ([0.66, 0.40, 0.18], 0.17),
    ([-0.66, 0.40, 0.18], 0.17),
    ([0.40, 0.38, -0.38], 0.24),
    ([-0.40, 0.38, -0.38], 0.24),
    ([0.48, 0.74, -0.36], 0.20),
    ([-0.48, 0.74, -0.36], 0.20),
    ([0.0, -0.55, -0.25], 0.15),
];

/// How far balls flow into one another.
const BLEND: f64 = 0.12;

/// The bear on a lattice of these cells: 0.22 gives some 600 surface triangles, a tenth of it a hundred times as many.
pub fn bear(cell: f64) -> Result<Tetrahedra, StuffError> {
    stuff(BOX, cell, field)
}

/// The same bear as a wall of about this thickness around nothing, at most half of a limb's: many surface triangles for few tetrahedra.
pub fn hollow_bear(cell: f64, wall: f64) -> Result<Tetrahedra, StuffError> {
    stuff(BOX, cell, |p| {
        let outer = field(p);
        outer.max(-(outer + wall))
    })
}

const BOX: [DVec3; 2] = [DVec3::new(-0.95, -0.80, -0.70), DVec3::new(0.95, 1.05, 1.45)];

/// Negative inside; polynomials and square roots alone, so that every machine makes the same bear.
fn field(p: DVec3) -> f64 {
    let ball = |&(centre, radius): &([f64; 3], f64)| p.distance(DVec3::from_array(centre)) - radius;
    BALLS.iter().map(ball).fold(f64::INFINITY, blended)
}

/// The smaller of two distances, rounded where they are about equal (Quilez's polynomial minimum).
fn blended(a: f64, b: f64) -> f64 {
    let near = ((BLEND - (a - b).abs()) / BLEND).max(0.0);
    a.min(b) - 0.25 * BLEND * near * near
}
