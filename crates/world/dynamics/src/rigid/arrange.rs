//! Bodies to begin with: containers, grains that fall, stacks, card houses, arches.

mod built;

pub use built::{Arch, Cards, Drum, Hopper};

use super::body::Body;
use super::error::FormError;
use super::form::Form;
use kontakt_convex::{Shape, ShapeError};
use kontakt_math::{DQuat, DVec3, Pose};
use thiserror::Error;

/// Forms and bodies that go together. Forms are added at the end, ids count up.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    /// The forms, as bodies number them.
    pub forms: Vec<Form>,
    /// The bodies; poses are those of their forms' frames.
    pub bodies: Vec<Body>,
}

/// Why something cannot be arranged.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ArrangeError {
    /// Not a shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Not a body.
    #[error(transparent)]
    Form(#[from] FormError),
    /// Grains do not fit.
    #[error("grains up to {widest} wide do not fit into a base of {base}")]
    Narrow {
        /// Width of the widest grain, however it is turned.
        widest: f64,
        /// Width of the container.
        base: f64,
    },
    /// Lengths must be lengths.
    #[error("{what} is {value}; it must be above 0 and finite")]
    Length {
        /// Which one.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// Parts of a mixture count up to something.
    #[error("a mixture needs grains")]
    NoGrains,
}

/// Grains of one form, and how many of each so many.
#[derive(Clone, Debug)]
pub struct Grain {
    /// What.
    pub form: Form,
    /// Its part in the mixture.
    pub part: u32,
    /// Mass by volume.
    pub density: f64,
}

/// How grains are put above the floor before they fall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drop {
    /// How many.
    pub count: u64,
    /// Middle of the lowest layer's lower side.
    pub from: DVec3,
    /// Width of the square that they are put into.
    pub base: f64,
    /// Between layers and neighbours, in widths of the widest grain: at least 1.
    pub spacing: f64,
    /// Of places, turns and who comes when.
    pub seed: u64,
}

impl Arrangement {
    /// Adds a form, gives its number.
    pub fn form(&mut self, form: Form) -> u32 {
        self.forms.push(form);
        self.forms.len() as u32 - 1
    }

    /// Adds a body that never moves, gives its id.
    pub fn fixed(&mut self, form: u32, pose: Pose) -> u64 {
        let id = self.bodies.len() as u64;
        self.bodies.push(Body::fixed(id, form, pose));
        id
    }

    /// Adds a body that moves, gives its id.
    pub fn moving(&mut self, form: u32, pose: Pose, density: f64) -> u64 {
        let id = self.bodies.len() as u64;
        self.bodies.push(Body::moving(id, form, pose, density));
        id
    }

    /// A half-space that lies below a point, seen along its normal.
    pub fn wall(&mut self, through: DVec3, normal: DVec3) -> Result<u64, ArrangeError> {
        let form = Form::fixed(Shape::half_space(normal, normal.dot(through))?)?;
        let form = self.form(form);
        Ok(self.fixed(form, Pose::IDENTITY))
    }

    /// A floor at height 0 and four walls around a square of this width.
    pub fn container(&mut self, base: f64) -> Result<(), ArrangeError> {
        self.wall(DVec3::ZERO, DVec3::Z)?;
        for normal in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y] {
            self.wall(normal * (-0.5 * base), normal)?;
        }
        Ok(())
    }

    /// Grains in layers, each somewhere in its own box and turned at random: none overlap, none are as high as the next.
    pub fn rain(&mut self, grains: &[Grain], drop: &Drop) -> Result<(), ArrangeError> {
        let widest = grains.iter().map(|grain| 2.0 * grain.form.radius()).fold(0.0, f64::max);
        let parts: Vec<u32> = grains.iter().map(|grain| grain.part).collect();
        if parts.iter().all(|part| *part == 0) {
            return Err(ArrangeError::NoGrains);
        }
        positive("the spacing", drop.spacing)?;
        positive("the base", drop.base)?;
        let side = widest * drop.spacing.max(1.0 + 1e-9);
        let along = (drop.base / side).floor();
        if along < 1.0 {
            return Err(ArrangeError::Narrow { widest, base: drop.base });
        }
        let numbers: Vec<u32> = grains.iter().map(|grain| self.form(grain.form.clone())).collect();
        let mut random = Random(drop.seed);
        let kinds = mixture(&parts, drop.count, &mut random);
        let along = along as u64;
        let (step, free) = (drop.base / along as f64, side - widest);
        for (k, kind) in (0..drop.count).zip(kinds) {
            let (column, layer) = (k % (along * along), k / (along * along));
            let at = DVec3::new((column % along) as f64, (column / along) as f64, layer as f64);
            let corner =
                DVec3::new(at.x * step - 0.5 * drop.base, at.y * step - 0.5 * drop.base, at.z * side);
            let within = DVec3::new(random.unit(), random.unit(), random.unit());
            let room = DVec3::new(step - widest, step - widest, free);
            let place = drop.from + corner + DVec3::splat(0.5 * widest) + within * room;
            if let Ok(pose) = Pose::new(random.turn(), place) {
                self.moving(numbers[kind], pose, grains[kind].density);
            }
        }
        Ok(())
    }

    /// Cubes exactly one on the other, the lowest on height 0.
    pub fn stack(&mut self, edge: f64, count: u32, density: f64) -> Result<(), ArrangeError> {
        let cube = Form::solid(Shape::cuboid(DVec3::splat(0.5 * edge))?)?;
        let form = self.form(cube);
        for k in 0..count {
            if let Ok(pose) = Pose::new(DQuat::IDENTITY, DVec3::Z * (edge * (f64::from(k) + 0.5))) {
                self.moving(form, pose, density);
            }
        }
        Ok(())
    }
}

fn positive(what: &'static str, value: f64) -> Result<(), ArrangeError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(ArrangeError::Length { what, value }) }
}

/// So many of each kind as its part asks for, shuffled.
fn mixture(parts: &[u32], count: u64, random: &mut Random) -> Vec<usize> {
    let all: u64 = parts.iter().copied().map(u64::from).sum();
    let mut kinds: Vec<usize> = Vec::with_capacity(count as usize);
    let mut cycle: Vec<usize> = Vec::with_capacity(all.min(1 << 16) as usize);
    for (kind, part) in parts.iter().enumerate() {
        cycle.extend(std::iter::repeat_n(kind, *part as usize));
    }
    kinds.extend((0..count).map(|k| cycle[(k % all) as usize]));
    for k in (1..kinds.len()).rev() {
        kinds.swap(k, random.below(k as u64 + 1) as usize);
    }
    kinds
}

/// `SplitMix64`: a few lines that give the same numbers on every machine and in every version.
#[derive(Clone, Copy, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Any number.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below a count.
    pub fn below(&mut self, count: u64) -> u64 {
        self.bits() % count.max(1)
    }

    /// Any turn, all alike: a point of the ball in four dimensions.
    pub fn turn(&mut self) -> DQuat {
        loop {
            let [x, y, z, w] = [0; 4].map(|_| 2.0 * self.unit() - 1.0);
            let length = x * x + y * y + z * z + w * w;
            if (1e-4..=1.0).contains(&length) {
                return DQuat::from_xyzw(x, y, z, w).normalize();
            }
        }
    }
}
