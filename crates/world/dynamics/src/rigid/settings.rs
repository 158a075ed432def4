//! How a world is simulated.

use super::error::WorldError;
use kontakt_math::DVec3;

/// How many sweeps over all contacts a step takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweeps {
    /// Sweeps that find the impulses: so many at least.
    pub least: u32,
    /// At most so many, as long as the accuracy is not reached.
    pub most: u32,
    /// Sweeps that take overlaps and gaps away.
    pub shifts: u32,
    /// Greatest change of a relative speed in the last sweep, in units of what gravity gives in a step.
    pub accuracy: f64,
}

/// How many contact points a pair may have on a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manifolds {
    /// The deepest point only, as solvers have it that know one contact a pair.
    Single,
    /// Up to four.
    Full,
}

/// When bodies go to sleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleep {
    /// Kinetic energy, in units of mass × gravity × size.
    pub energy: f64,
    /// For so long no contact of the body or its neighbours begins or ends, and all are below that energy.
    pub time: f64,
}

/// Axes along which the world repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Periodic {
    /// The period along each axis, from 0 on; none where the world goes on.
    pub period: [Option<f64>; 3],
}

/// How a world is simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Acceleration of all bodies.
    pub gravity: DVec3,
    /// Time of a step.
    pub time_step: f64,
    /// Parts of a step, each with contacts of its own.
    pub substeps: u32,
    /// Coulomb's coefficient, of all pairs.
    pub friction: f64,
    /// What resists rolling and spinning on the spot: the arm of the moment, in sizes of the smaller body, for a unit of push; 0 for nothing.
    pub rolling: f64,
    /// 0 to 1: what is left of the speed of approach.
    pub restitution: f64,
    /// Speeds of approach below which nothing bounces; none for twice what gravity gives in a substep.
    pub restitution_speed: Option<f64>,
    /// Share of an overlap, or of the gap of a contact that pushes, that a substep takes away.
    pub correction: f64,
    /// Convex bodies that moved on each other by no more than this share of the smaller one's size since their contacts were looked up keep
    /// them: points and normals go with the bodies. 0 to look in every step.
    pub coherence: f64,
    /// Bodies nearer than this share of their size are kept as contacts that may close in the step.
    pub margin: f64,
    /// Sweeps of the solver.
    pub sweeps: Sweeps,
    /// Contact points of a pair.
    pub manifolds: Manifolds,
    /// Whether bodies go to sleep.
    pub sleep: Option<Sleep>,
    /// Borders that are the same place.
    pub periodic: Periodic,
    /// A free body whose centre leaves this box ends the run: least and greatest corner.
    pub domain: [DVec3; 2],
    /// Side of the least cells; none for one that suits the bodies. Ranks must agree on it.
    pub cell: Option<f64>,
}

impl Default for Sweeps {
    fn default() -> Sweeps {
        Sweeps { least: 16, most: 16, shifts: 10, accuracy: 1e-9 }
    }
}

impl Default for Sleep {
    fn default() -> Sleep {
        Sleep { energy: 1e-9, time: 0.5 }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            gravity: DVec3::new(0.0, 0.0, -10.0),
            time_step: 5e-3,
            substeps: 1,
            friction: 0.1,
            rolling: 0.0,
            restitution: 0.0,
            restitution_speed: None,
            correction: 0.4,
            coherence: 2e-3,
            margin: 5e-3,
            sweeps: Sweeps::default(),
            manifolds: Manifolds::Full,
            sleep: None,
            periodic: Periodic::default(),
            domain: [DVec3::splat(-1e9), DVec3::splat(1e9)],
            cell: None,
        }
    }
}

impl Settings {
    /// Time of a substep.
    pub fn part(&self) -> f64 {
        self.time_step / f64::from(self.substeps.max(1))
    }

    /// Speed of approach below which nothing bounces.
    pub(crate) fn bounce_speed(&self) -> f64 {
        self.restitution_speed.unwrap_or(2.0 * self.gravity.length() * self.part())
    }

    pub(crate) fn check(&self) -> Result<(), WorldError> {
        let must = |what, value: f64, holds: bool, must| {
            if holds { Ok(()) } else { Err(WorldError::Setting { what, value, must }) }
        };
        let not_negative = |x: f64| x.is_finite() && x >= 0.0;
        let share = |x: f64| (0.0..=1.0).contains(&x);
        let size = self.gravity.length();
        must("gravity", size, size.is_finite(), "finite")?;
        must("the time step", self.time_step, self.time_step.is_finite() && self.time_step > 0.0, "above 0")?;
        must(
            "the number of substeps",
            f64::from(self.substeps),
            (1..=1000).contains(&self.substeps),
            "1 to 1000",
        )?;
        must("friction", self.friction, not_negative(self.friction), "finite and not negative")?;
        must("rolling friction", self.rolling, not_negative(self.rolling), "finite and not negative")?;
        must("restitution", self.restitution, share(self.restitution), "0 to 1")?;
        let speed = self.restitution_speed.unwrap_or(0.0);
        must("the least speed that bounces", speed, not_negative(speed), "finite and not negative")?;
        must("the share of overlaps corrected", self.correction, share(self.correction), "0 to 1")?;
        must("the share of coherence", self.coherence, share(self.coherence), "0 to 1")?;
        must("the margin of contacts", self.margin, share(self.margin), "0 to 1")?;
        let sweeps = &self.sweeps;
        must(
            "the number of sweeps",
            f64::from(sweeps.least),
            (1..=100_000).contains(&sweeps.least),
            "1 to 100000",
        )?;
        let most = (sweeps.least..=100_000).contains(&sweeps.most);
        must(
            "the greatest number of sweeps",
            f64::from(sweeps.most),
            most,
            "at least the least, at most 100000",
        )?;
        must(
            "the number of sweeps of shifts",
            f64::from(sweeps.shifts),
            sweeps.shifts <= 100_000,
            "at most 100000",
        )?;
        must(
            "the accuracy of sweeps",
            sweeps.accuracy,
            not_negative(sweeps.accuracy),
            "finite and not negative",
        )?;
        for period in self.periodic.period.into_iter().flatten() {
            must("a period", period, period.is_finite() && period > 0.0, "above 0")?;
        }
        let [low, high] = self.domain;
        must("the domain's width", (high - low).min_element(), low.cmplt(high).all(), "above 0")?;
        if let Some(sleep) = self.sleep {
            must("the energy of sleep", sleep.energy, not_negative(sleep.energy), "finite and not negative")?;
            must("the time before sleep", sleep.time, not_negative(sleep.time), "finite and not negative")?;
        }
        let cell = self.cell.unwrap_or(1.0);
        must("the side of cells", cell, cell.is_finite() && cell > 0.0, "above 0")
    }
}
