//! The keys of a pile's scenario, and the bodies they make.

use super::super::geometry::geometry;
use super::super::scenario::Scenario;
use crate::failure::Failure;
use kontakt::dynamics::rigid::arrange::{Arch, ArrangeError, Arrangement, Cards, Drop, Drum, Grain, Hopper};
use kontakt::dynamics::rigid::{Form, Manifolds, Periodic, Settings, Sleep, Sweeps};
use kontakt::math::{DQuat, DVec3, Pose};
use serde::Deserialize;
use std::path::PathBuf;

/// Bodies that fit into the memory of a usual machine.
pub(super) const MOST: u64 = 5_000_000;

/// The file's keys (docs/scenarios.md).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    #[serde(rename = "kind")]
    _kind: serde::de::IgnoredAny,
    #[serde(default)]
    seed: u64,
    pub(super) time: f64,
    #[serde(default = "yes")]
    pub(super) until_rest: bool,
    #[serde(default)]
    pub(super) frames: u32,
    time_step: Option<f64>,
    substeps: Option<u32>,
    sweeps: Option<u32>,
    most_sweeps: Option<u32>,
    shift_sweeps: Option<u32>,
    gravity: Option<[f64; 3]>,
    friction: Option<f64>,
    rolling_friction: Option<f64>,
    restitution: Option<f64>,
    manifold: Option<Points>,
    #[serde(default)]
    sleep: bool,
    #[serde(default)]
    pub(super) separate: bool,
    periodic: Option<[f64; 3]>,
    domain: Option<[[f64; 3]; 2]>,
    container: Option<Container>,
    hopper: Option<HopperKeys>,
    drum: Option<DrumKeys>,
    #[serde(default)]
    grains: Vec<GrainKeys>,
    drop: Option<DropKeys>,
    lattice: Option<LatticeKeys>,
    stack: Option<StackKeys>,
    card_house: Option<CardKeys>,
    arch: Option<ArchKeys>,
    #[serde(default)]
    bodies: Vec<BodyKeys>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Points {
    Full,
    Single,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Container {
    base: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HopperKeys {
    width: f64,
    outlet: f64,
    clearance: f64,
    slope_degrees: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrumKeys {
    radius: f64,
    length: f64,
    #[serde(default = "thirty_two")]
    staves: u32,
    turns_per_time: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GrainKeys {
    shape: Option<toml::Value>,
    mesh: Option<PathBuf>,
    #[serde(default = "once")]
    part: u32,
    #[serde(default = "one")]
    density: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DropKeys {
    count: u64,
    base: Option<f64>,
    height: Option<f64>,
    #[serde(default = "loosely")]
    spacing: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LatticeKeys {
    counts: [u32; 3],
    spacing: f64,
    #[serde(default)]
    from: [f64; 3],
    #[serde(default)]
    velocity: [f64; 3],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StackKeys {
    edge: f64,
    count: u32,
    #[serde(default = "one")]
    density: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardKeys {
    storeys: u32,
    length: f64,
    thickness: f64,
    lean_degrees: f64,
    #[serde(default = "one")]
    density: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArchKeys {
    wedges: u32,
    radii: [f64; 2],
    depth: f64,
    #[serde(default = "one")]
    density: f64,
}

/// A body placed by hand.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyKeys {
    shape: Option<toml::Value>,
    mesh: Option<PathBuf>,
    #[serde(default)]
    fixed: bool,
    mass: Option<f64>,
    density: Option<f64>,
    #[serde(default)]
    place: [f64; 3],
    turn: Option<[f64; 4]>,
    #[serde(default)]
    velocity: [f64; 3],
    #[serde(default)]
    spin: [f64; 3],
}

fn yes() -> bool {
    true
}

fn one() -> f64 {
    1.0
}

fn once() -> u32 {
    1
}

fn loosely() -> f64 {
    1.05
}

fn thirty_two() -> u32 {
    32
}

impl Keys {
    /// How it is simulated.
    pub(super) fn settings(&self) -> Settings {
        let usual = Settings::default();
        let least = self.sweeps.unwrap_or(usual.sweeps.least);
        let sweeps = Sweeps {
            least,
            most: self.most_sweeps.unwrap_or(least),
            shifts: self.shift_sweeps.unwrap_or(usual.sweeps.shifts),
            ..usual.sweeps
        };
        let period = self.periodic.unwrap_or_default().map(|period| (period != 0.0).then_some(period));
        Settings {
            gravity: self.gravity.map_or(usual.gravity, DVec3::from_array),
            time_step: self.time_step.unwrap_or(usual.time_step),
            substeps: self.substeps.unwrap_or(usual.substeps),
            friction: self.friction.unwrap_or(usual.friction),
            rolling: self.rolling_friction.unwrap_or(usual.rolling),
            restitution: self.restitution.unwrap_or(usual.restitution),
            sweeps,
            manifolds: if matches!(self.manifold, Some(Points::Single)) {
                Manifolds::Single
            } else {
                Manifolds::Full
            },
            sleep: self.sleep.then(Sleep::default),
            periodic: Periodic { period },
            domain: self.domain.map_or(usual.domain, |ends| ends.map(DVec3::from_array)),
            ..usual
        }
    }

    /// The width of the container, where there is one.
    pub(super) fn base(&self) -> Option<f64> {
        self.container.as_ref().map(|container| container.base)
    }

    /// The bodies.
    pub(super) fn arrange(&self, scenario: &Scenario) -> Result<Arrangement, Failure> {
        let wrong = |error: ArrangeError| scenario.wrong(&error.to_string());
        if !(self.time.is_finite() && self.time > 0.0) {
            return Err(scenario.wrong("`time` must be finite and above 0"));
        }
        let mut scene = Arrangement::default();
        let mut mouth = 0.0;
        self.surroundings(&mut scene, &mut mouth).map_err(wrong)?;
        let grains = self.grains.iter().map(|keys| keys.grain(scenario)).collect::<Result<Vec<_>, _>>()?;
        if self.drop.is_some() || self.lattice.is_some() {
            if grains.is_empty() {
                return Err(scenario.wrong("`drop` and `lattice` need `[[grains]]`"));
            }
        } else if !grains.is_empty() {
            return Err(scenario.wrong("`[[grains]]` need `[drop]` or `[lattice]`, which say where they are"));
        }
        if let Some(drop) = &self.drop {
            check_count(drop.count, scenario)?;
            let base = drop.base.or(self.base()).or(self.hopper.as_ref().map(|hopper| hopper.width));
            let Some(base) = base else {
                return Err(scenario.wrong("`drop` needs a `base` where there is no container"));
            };
            let from = DVec3::Z * drop.height.unwrap_or(mouth);
            let drop = Drop { count: drop.count, from, base, spacing: drop.spacing, seed: self.seed };
            scene.rain(&grains, &drop).map_err(wrong)?;
        }
        if let Some(lattice) = &self.lattice {
            check_count(lattice.counts.iter().map(|count| u64::from(*count)).product(), scenario)?;
            lattice.fill(&grains, &mut scene);
        }
        self.built(&mut scene).map_err(wrong)?;
        for (k, body) in self.bodies.iter().enumerate() {
            body.put(k, &mut scene, scenario)?;
        }
        if scene.bodies.iter().all(|body| !body.is_free()) {
            return Err(scenario.wrong(
                "nothing moves: it needs a `drop`, `lattice`, `stack`, `card_house`, `arch` or `bodies` that are not fixed",
            ));
        }
        Ok(scene)
    }

    fn surroundings(&self, scene: &mut Arrangement, mouth: &mut f64) -> Result<(), ArrangeError> {
        match (&self.container, &self.drum) {
            (Some(container), _) => scene.container(container.base)?,
            (None, None) if self.bodies.is_empty() && self.periodic_height().is_none() => {
                scene.wall(DVec3::ZERO, DVec3::Z)?;
            }
            _ => {}
        }
        if let Some(keys) = &self.hopper {
            let slope = keys.slope_degrees.to_radians();
            let hopper = Hopper { width: keys.width, outlet: keys.outlet, clearance: keys.clearance, slope };
            *mouth = scene.hopper(&hopper)?;
        }
        if let Some(keys) = &self.drum {
            let spin = keys.turns_per_time * std::f64::consts::TAU;
            scene.drum(&Drum {
                radius: keys.radius,
                length: keys.length,
                staves: keys.staves.min(512),
                spin,
            })?;
        }
        Ok(())
    }

    /// A period along z leaves no place for a floor.
    fn periodic_height(&self) -> Option<f64> {
        self.periodic.map(|period| period[2]).filter(|height| *height != 0.0)
    }

    fn built(&self, scene: &mut Arrangement) -> Result<(), ArrangeError> {
        if let Some(keys) = &self.stack {
            scene.stack(keys.edge, keys.count, keys.density)?;
        }
        if let Some(keys) = &self.card_house {
            let lean = keys.lean_degrees.to_radians();
            let &CardKeys { storeys, length, thickness, density, .. } = keys;
            scene.card_house(&Cards { storeys, length, thickness, lean, density })?;
        }
        if let Some(keys) = &self.arch {
            let &ArchKeys { wedges, radii, depth, density } = keys;
            scene.arch(&Arch { wedges, radii, depth, density })?;
        }
        Ok(())
    }
}

fn check_count(count: u64, scenario: &Scenario) -> Result<(), Failure> {
    if count <= MOST {
        return Ok(());
    }
    Err(scenario.wrong(&format!("{count} bodies are too many, at most {MOST} are possible")))
}

impl GrainKeys {
    fn grain(&self, scenario: &Scenario) -> Result<Grain, Failure> {
        let geometry = geometry(self.shape.as_ref(), self.mesh.as_deref(), "a grain", scenario)?;
        let form = Form::solid(geometry).map_err(|error| scenario.wrong(&error.to_string()))?;
        Ok(Grain { form, part: self.part, density: self.density })
    }
}

impl LatticeKeys {
    /// Grains one after the other, kinds by their parts in turn.
    fn fill(&self, grains: &[Grain], scene: &mut Arrangement) {
        let forms: Vec<u32> = grains.iter().map(|grain| scene.form(grain.form.clone())).collect();
        let cycle: Vec<usize> = grains
            .iter()
            .enumerate()
            .flat_map(|(kind, grain)| std::iter::repeat_n(kind, grain.part.min(1 << 16) as usize))
            .collect();
        let [nx, ny, nz] = self.counts;
        let mut kinds = cycle.iter().copied().cycle();
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    let Some(kind) = kinds.next() else { return };
                    let at = DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * self.spacing;
                    if let Ok(pose) = Pose::new(DQuat::IDENTITY, DVec3::from_array(self.from) + at) {
                        scene.moving(forms[kind], pose, grains[kind].density);
                        if let Some(body) = scene.bodies.last_mut() {
                            body.velocity = DVec3::from_array(self.velocity);
                        }
                    }
                }
            }
        }
    }
}

impl BodyKeys {
    fn put(&self, k: usize, scene: &mut Arrangement, scenario: &Scenario) -> Result<(), Failure> {
        let what = format!("body {} of `bodies`", k + 1);
        let wrong = |error: String| scenario.wrong(&format!("{what}: {error}"));
        let geometry = geometry(self.shape.as_ref(), self.mesh.as_deref(), &what, scenario)?;
        let [x, y, z, w] = self.turn.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let place = DVec3::from_array(self.place);
        let pose =
            Pose::new(DQuat::from_xyzw(x, y, z, w), place).map_err(|error| wrong(error.to_string()))?;
        let is_fixed = self.fixed || self.mass == Some(f64::INFINITY);
        let form = if is_fixed { Form::fixed(geometry) } else { Form::solid(geometry) };
        let form = form.map_err(|error| wrong(error.to_string()))?;
        if self.mass.is_some() && self.density.is_some() {
            return Err(wrong("it has a `mass` and a `density`; one of them says the other".into()));
        }
        let volume = form.mass().map_or(1.0, |mass| mass.volume);
        let density = self.mass.map(|mass| mass / volume).or(self.density).unwrap_or(1.0);
        if !(is_fixed || density.is_finite() && density > 0.0) {
            return Err(wrong(
                "its mass must be above 0, or `inf` (or `fixed = true`) for what never moves".into(),
            ));
        }
        let form = scene.form(form);
        if is_fixed {
            scene.fixed(form, pose);
        } else {
            scene.moving(form, pose, density);
        }
        if let Some(body) = scene.bodies.last_mut() {
            body.velocity = DVec3::from_array(self.velocity);
            body.spin = DVec3::from_array(self.spin);
        }
        Ok(())
    }
}
