//! A crowded place: a lattice of rigid meshes of which some wander about.

use kontakt_math::{DVec3, Pose};
use kontakt_mesh::Mesh;
use kontakt_shapes::make;

/// Bodies, and those of them that move.
const BODIES: u32 = 1000;
const MOVERS: usize = 50;
/// From body to body; they are 2 to 2.4 across. So that some hundred pairs of boxes come together in a step.
const SPACING: f64 = 2.3;
/// Steps after which a mover turns to another way.
const PATIENCE: usize = 20;

/// Where movers go next: at random, drawn back to where they belong. Those that were stopped turn, unless they are to go on pressing.
pub(crate) struct Bustle {
    /// The shape of all, of 980 faces.
    pub(crate) mesh: Mesh,
    /// Where all bodies are at first.
    pub(crate) places: Vec<Pose>,
    /// Which of them move.
    pub(crate) movers: Vec<usize>,
    ways: Vec<DVec3>,
    pressing: bool,
    random: fastrand::Rng,
    step: usize,
}

impl Bustle {
    pub(crate) fn new(pressing: bool) -> Result<Bustle, String> {
        let mut random = fastrand::Rng::with_seed(1);
        let faces = make::bumpy_ball(7, 0.2).map_err(|error| error.to_string())?;
        let mesh = Mesh::with_threads(faces, 1).map_err(|error| error.to_string())?;
        let place = |k: u32| {
            let at = DVec3::new(f64::from(k % 10), f64::from(k / 10 % 10), f64::from(k / 100)) * SPACING;
            Pose::from_axis_angle(DVec3::new(1.0, 0.3, 0.2), random.f64() * 6.0, at)
        };
        let places =
            (0..BODIES).map(place).collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        let movers = (0..MOVERS).map(|k| k * 20 + 7).collect();
        Ok(Bustle { mesh, places, movers, ways: vec![DVec3::ZERO; MOVERS], pressing, random, step: 0 })
    }

    /// The next pose of a mover that is at one, and was stopped or not.
    pub(crate) fn next(&mut self, mover: usize, at: &Pose, stopped: bool) -> Pose {
        if self.step.is_multiple_of(PATIENCE) || stopped && !self.pressing {
            let mut side = || self.random.f64() * 2.0 - 1.0;
            self.ways[mover] = DVec3::new(side(), side(), side()) * 0.04;
        }
        let home = self.places[self.movers[mover]].translation();
        let to = at.translation() + self.ways[mover] + 0.02 * (home - at.translation());
        let turn =
            Pose::from_axis_angle(DVec3::new(0.1, 1.0, 0.4), 0.05, DVec3::ZERO).unwrap_or(Pose::IDENTITY);
        Pose::new((turn.rotation() * at.rotation()).normalize(), to).unwrap_or(*at)
    }

    /// All movers have got their next poses.
    pub(crate) fn end_step(&mut self) {
        self.step += 1;
    }
}
