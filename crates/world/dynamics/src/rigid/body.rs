//! A body's state: plain data, known by its global id.

use super::form::Form;
use kontakt_math::{DMat3, DQuat, DVec3, Pose};

/// Where a body is and how it moves. Places are those of the centre of mass once the body is in a world, of its form's frame before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its name everywhere.
    pub id: u64,
    /// Which of the world's forms it has.
    pub form: u32,
    /// Mass by volume; infinite for what never moves, or only as it is told.
    pub density: f64,
    /// Centre of mass.
    pub place: DVec3,
    /// World from the form's frame.
    pub turn: DQuat,
    /// Of the centre of mass.
    pub velocity: DVec3,
    /// Angular velocity.
    pub spin: DVec3,
    /// Steps in a row in which it was quiet and no contact of it began or ended.
    pub quiet: u32,
    /// Whether it rests until something happens to it.
    pub asleep: bool,
}

impl Body {
    /// A body that moves, at rest at first. The pose is that of its form's frame.
    pub fn moving(id: u64, form: u32, pose: Pose, density: f64) -> Body {
        Body {
            id,
            form,
            density,
            place: pose.translation(),
            turn: pose.rotation(),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            quiet: 0,
            asleep: false,
        }
    }

    /// A body that never moves. With a velocity or spin it moves as it is told, whatever it meets.
    pub fn fixed(id: u64, form: u32, pose: Pose) -> Body {
        Body::moving(id, form, pose, f64::INFINITY)
    }

    /// Whether contacts move it.
    pub fn is_free(&self) -> bool {
        self.density < f64::INFINITY
    }

    pub(crate) fn is_finite(&self) -> bool {
        let numbers = self.place + self.velocity + self.spin;
        numbers.is_finite() && self.turn.is_finite()
    }
}

/// What its mass does in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Inertia {
    pub(crate) inverse_mass: f64,
    /// In the world's axes.
    pub(crate) inverse: DMat3,
    /// `inverse` is this times the identity.
    pub(crate) even: Option<f64>,
}

impl Inertia {
    pub(crate) const IMMOVABLE: Inertia =
        Inertia { inverse_mass: 0.0, inverse: DMat3::ZERO, even: Some(0.0) };
}

/// The inverse of a form's inertia at density 1, in its own axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resistance {
    volume: f64,
    inertia: DMat3,
    inverse: DMat3,
    even: Option<f64>,
}

impl Resistance {
    pub(crate) fn of(form: &Form) -> Option<Resistance> {
        let mass = form.mass()?;
        let trace = mass.inertia.x_axis.x + mass.inertia.y_axis.y + mass.inertia.z_axis.z;
        let same = mass.inertia.abs_diff_eq(DMat3::from_diagonal(DVec3::splat(trace / 3.0)), 1e-12 * trace);
        let even = same.then_some(3.0 / trace);
        Some(Resistance { volume: mass.volume, inertia: mass.inertia, inverse: mass.inertia.inverse(), even })
    }

    pub(crate) fn mass(&self, density: f64) -> f64 {
        self.volume * density
    }

    pub(crate) fn at(&self, density: f64, turn: DQuat) -> Inertia {
        let inverse_mass = 1.0 / (self.volume * density);
        if let Some(even) = self.even {
            let even = even / density;
            return Inertia {
                inverse_mass,
                inverse: DMat3::from_diagonal(DVec3::splat(even)),
                even: Some(even),
            };
        }
        let m = DMat3::from_quat(turn);
        let inverse = m * (self.inverse * (1.0 / density)) * m.transpose();
        Inertia { inverse_mass, inverse, even: None }
    }

    /// Kinetic energy.
    pub(crate) fn energy(&self, body: &Body) -> f64 {
        let spin = body.turn.conjugate() * body.spin;
        let turning = spin.dot(self.inertia * spin);
        0.5 * body.density * (self.volume * body.velocity.length_squared() + turning)
    }

    /// The spin after a free turn: angular momentum stays.
    pub(crate) fn spin_after(&self, spin: DVec3, before: DQuat, after: DQuat) -> DVec3 {
        if self.even.is_some() {
            return spin;
        }
        let momentum = before * (self.inertia * (before.conjugate() * spin));
        after * (self.inverse * (after.conjugate() * momentum))
    }
}

/// The turn after `time` at a constant spin. Cayley's map: rational, so that it is the same on every machine; it turns by
/// 2·atan(angle/2) instead of the angle, which is third order in the step.
pub(crate) fn turned(turn: DQuat, spin: DVec3, time: f64) -> DQuat {
    let half = spin * (0.5 * time);
    let by = DQuat::from_xyzw(half.x, half.y, half.z, 1.0);
    (by * turn).normalize()
}
