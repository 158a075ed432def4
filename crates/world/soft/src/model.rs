//! What holds a body together: springs, bends and volumes, solved by extended position-based dynamics with small substeps (Macklin
//! and Müller 2016, 2019). Stiffness is in physical units, whatever the substep.

mod bend;
mod colour;
mod spring;
mod volume;

pub(crate) use bend::Bend;
pub(crate) use colour::Coloured;
use colour::Element;
pub(crate) use spring::Spring;
pub(crate) use volume::Volume;

use crate::places::Places;
use kontakt_math::DVec3;

/// The stiffest that a substep resolves: a compliance, over its length squared, of this share of the vertices' mobility. What is
/// stiffer counts as this, in motion and in energy.
const STIFFEST: f64 = 1e-3;

/// The energy of a constraint that is `off`, of this compliance, in substeps of `seconds`; `mobility` is Σ w |∇C|².
fn energy(off: f64, compliance: f64, mobility: f64, seconds: f64) -> f64 {
    0.5 * off * off / compliance.max(STIFFEST * mobility * seconds * seconds).max(f64::MIN_POSITIVE)
}

/// What elements are solved on.
pub(crate) struct Substep<'a> {
    pub(crate) places: &'a Places,
    /// Where vertices were before this substep.
    pub(crate) before: &'a [DVec3],
    /// 1/kg; 0 for what is held.
    pub(crate) mobility: &'a [f64],
    /// How many fit into a second.
    pub(crate) rate: f64,
}

impl Substep<'_> {
    /// What XPBD divides by: for a constraint of this compliance and damping, with Σ w |∇C|² = `mobility`; and the share of its growth
    /// in this substep that damping adds to how far it is off.
    #[inline(always)]
    fn resistance(&self, mobility: f64, compliance: f64, damping: f64) -> [f64; 2] {
        let gamma = damping * self.rate;
        let softness = (compliance * self.rate * self.rate).max(STIFFEST * mobility);
        [(1.0 + gamma) * mobility + softness, gamma]
    }

    /// The multiplier of a constraint that is `off` and got `growing` in this substep.
    #[inline(always)]
    fn push(&self, off: f64, growing: f64, mobility: f64, compliance: f64, damping: f64) -> f64 {
        let [resistance, gamma] = self.resistance(mobility, compliance, damping);
        -(off + gamma * growing) / resistance
    }
}

/// The elements of all bodies.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    springs: Coloured<Spring>,
    bends: Coloured<Bend>,
    volumes: Coloured<Volume>,
}

impl Model {
    pub(crate) fn new(vertices: usize, springs: &[Spring], bends: &[Bend], volumes: &[Volume]) -> Model {
        Model {
            springs: Coloured::new(vertices, springs),
            bends: Coloured::new(vertices, bends),
            volumes: Coloured::new(vertices, volumes),
        }
    }

    /// The elements with a vertex of these.
    pub(crate) fn around(&self, chosen: &[bool]) -> Model {
        fn near<E: Element>(chosen: &[bool]) -> impl Fn(&E) -> bool {
            |e| e.vertices().any(|v| chosen[v as usize])
        }
        Model {
            springs: self.springs.picked(near(chosen)),
            bends: self.bends.picked(near(chosen)),
            volumes: self.volumes.picked(near(chosen)),
        }
    }

    /// Every vertex of an element, with repetitions.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        let springs = self.springs.iter().flat_map(Element::vertices);
        let bends = self.bends.iter().flat_map(Element::vertices);
        springs.chain(bends).chain(self.volumes.iter().flat_map(Element::vertices))
    }

    /// The pairs of vertices that springs join.
    pub(crate) fn joined(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.springs.iter().map(|s| s.ends)
    }

    /// Once through all elements.
    pub(crate) fn solve(&self, at: &Substep<'_>) {
        self.springs.sweep(|e| e.solve(at));
        self.bends.sweep(|e| e.solve(at));
        self.volumes.sweep(|e| e.solve(at));
    }

    /// Elastic energy, added to its body's.
    pub(crate) fn energy(
        &self,
        places: &[DVec3],
        mobility: &[f64],
        seconds: f64,
        mut add: impl FnMut(u32, f64),
    ) {
        self.springs.iter().for_each(|e| add(e.ends[0], e.energy(places, mobility, seconds)));
        self.bends.iter().for_each(|e| add(e.corners[0], e.energy(places, mobility, seconds)));
        self.volumes.iter().for_each(|e| add(e.corners[0], e.energy(places, mobility, seconds)));
    }
}
