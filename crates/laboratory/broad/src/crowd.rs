//! Boxes that move, to measure broad phases with.

use kontakt_bounds::Aabb;
use kontakt_math::DVec3;

/// What boxes there are and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mix {
    /// Cubes of side 0.5 to 1.5, two apart in the mean, all over a large cube.
    Even,
    /// Sides from 0.02 to 20, each octave half as often as the one below, all over a large cube.
    Mixed,
    /// The cubes of `Even` in twenty clusters that are dense in the middle.
    Clustered,
    /// Sides from 0.02 to 20 in twenty clusters.
    MixedClustered,
    /// The cubes of `Even` in two swarms with nothing between: 10⁵ apart.
    Swarms,
}

impl Mix {
    /// All there are.
    pub const ALL: [Mix; 5] = [Mix::Even, Mix::Mixed, Mix::Clustered, Mix::MixedClustered, Mix::Swarms];

    /// As typed.
    pub fn name(self) -> &'static str {
        match self {
            Mix::Even => "even",
            Mix::Mixed => "mixed",
            Mix::Clustered => "clustered",
            Mix::MixedClustered => "mixed-clustered",
            Mix::Swarms => "swarms",
        }
    }

    fn is_mixed(self) -> bool {
        matches!(self, Mix::Mixed | Mix::MixedClustered)
    }
}

#[derive(Clone, Copy, Debug)]
struct Body {
    centre: DVec3,
    half: f64,
    velocity: DVec3,
    /// Walls that it turns at.
    low: DVec3,
    high: DVec3,
}

/// Cubes on straight ways between walls; the first of them move, the others rest. The same numbers give the same crowd everywhere.
#[derive(Clone, Debug)]
pub struct Crowd {
    bodies: Vec<Body>,
    movers: usize,
    boxes: Vec<Aabb>,
}

impl Crowd {
    /// So many cubes, so many of which move by up to 0.1 along each axis in a step, or a tenth of their side if that is less.
    pub fn new(mix: Mix, count: usize, movers: usize, seed: u64) -> Crowd {
        let mut random = fastrand::Rng::with_seed(seed);
        let side = 2.0 * (count as f64).cbrt();
        let centres: Vec<DVec3> = (0..20).map(|_| point(&mut random) * side).collect();
        let bodies: Vec<Body> = (0..count).map(|_| body(mix, side, &centres, &mut random)).collect();
        let boxes = bodies.iter().map(Body::aabb).collect();
        Crowd { bodies, movers: movers.min(count), boxes }
    }

    /// The boxes as they are.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// How many of the first boxes move.
    pub fn movers(&self) -> usize {
        self.movers
    }

    /// One step.
    pub fn advance(&mut self) {
        for (body, aabb) in self.bodies.iter_mut().zip(&mut self.boxes).take(self.movers) {
            body.advance();
            *aabb = body.aabb();
        }
    }
}

impl Body {
    fn aabb(&self) -> Aabb {
        Aabb { min: self.centre - self.half, max: self.centre + self.half }
    }

    fn advance(&mut self) {
        self.centre += self.velocity;
        for k in 0..3 {
            let out = self.centre[k] < self.low[k] && self.velocity[k] < 0.0
                || self.centre[k] > self.high[k] && self.velocity[k] > 0.0;
            if out {
                self.velocity[k] = -self.velocity[k];
            }
        }
    }
}

/// In the unit cube.
fn point(random: &mut fastrand::Rng) -> DVec3 {
    DVec3::new(random.f64(), random.f64(), random.f64())
}

fn body(mix: Mix, side: f64, centres: &[DVec3], random: &mut fastrand::Rng) -> Body {
    let half = if mix.is_mixed() {
        // Each octave half as often as the one below, over a factor of 1000.
        let share = random.f64() * (1.0 - 1e-3);
        0.01 / (1.0 - share)
    } else {
        0.25 + 0.5 * random.f64()
    };
    let (mut low, mut high) = (DVec3::ZERO, DVec3::splat(side));
    let centre = match mix {
        Mix::Even | Mix::Mixed => point(random) * side,
        Mix::Clustered | Mix::MixedClustered => {
            let bell = (0..6).map(|_| point(random)).sum::<DVec3>() - 3.0;
            centres[random.usize(..centres.len())] + bell * (0.06 * side)
        }
        Mix::Swarms => {
            let own = side / 2.0_f64.cbrt();
            let start = DVec3::splat(if random.bool() { 0.0 } else { 1e5 });
            (low, high) = (start, start + own);
            start + point(random) * own
        }
    };
    let velocity = (point(random) * 2.0 - 1.0) * (0.2 * half).min(0.1);
    Body { centre, half, velocity, low, high }
}
